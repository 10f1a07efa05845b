"""Options: several names at once, a list for the seats; what is wrong with a value is said."""

from __future__ import annotations

from typing import Any

import pytest

from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel import Option, PerSeat, Several
from boardwright.kernel.options import encode_options

SPICES = Several("none", "what goes in", choices=("salt", "pepper", "thyme"))
COLOURS = PerSeat("any", "who has which", choices=("any", "red", "blue"))


@pytest.mark.parametrize("text", ["none", "salt", "salt+thyme", "all"])
def test_several_names_are_read_and_written_alike(text: str) -> None:
    assert SPICES.decode(SPICES.encode(text)) == text


def test_each_name_is_a_bit_in_any_order() -> None:
    assert SPICES.encode("thyme+salt") == SPICES.bit("salt") | SPICES.bit("thyme") == 0b101
    assert SPICES.decode(0b111) == "all"
    assert SPICES.encode("salt+pepper+thyme") == SPICES.encode("all")


@pytest.mark.parametrize("text", ["any", "red", "red,any,blue", "any,any,red"])
def test_lists_for_seats_are_read_and_written_alike(text: str) -> None:
    assert COLOURS.decode(COLOURS.encode(text)) == text


def test_open_entries_at_the_end_need_not_be_written() -> None:
    assert COLOURS.encode("red,any,any") == COLOURS.encode("red")


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (
            {"spices": "salt+sugar"},
            r"spices=salt\+sugar has no 'sugar'; it is none, all or some of salt, pepper, thyme",
        ),
        ({"colours": "red,green"}, "colours=red,green has no 'green'; it is a list"),
        ({"colours": "red,any,any,blue"}, "colours=red,any,any,blue has 4 entries for 3 seats"),
        ({"number": "7"}, "number is 0 to 3, not '7'"),
    ],
)
def test_what_is_wrong_is_said(given: dict[str, str], complaint: str) -> None:
    declared = {"spices": SPICES, "colours": COLOURS, "number": Option(0, "how many", high=3)}
    with pytest.raises(BadSpec, match=complaint):
        encode_options("stew", declared, given, seats=3)


def test_a_choice_is_the_number_of_its_name() -> None:
    choice = Option("kernel", "whose generator", choices=("kernel", "keldon"))
    assert [choice.encode(name) for name in choice.choices] == [0, 1]


NUMBER = Option(2, "how many", low=1, high=3)
SWITCH = Option(True, "whether")
CHOICE = Option("mild", "how hot", choices=("mild", "hot", "very hot"))


def test_a_number_is_from_0_to_what_32_bits_hold_unless_bounds_are_given() -> None:
    free = Option(5, "any")
    assert (free.low, free.high, free.choices) == (0, 2_147_483_647, ())
    assert free.encode("2147483647") == 2_147_483_647
    with pytest.raises(ValueError, match="2147483648"):
        free.encode(2_147_483_648)
    with pytest.raises(ValueError, match="-1"):
        free.encode(-1)


def test_both_bounds_of_a_number_are_allowed() -> None:
    assert [NUMBER.encode(value) for value in (1, "2", 3)] == [1, 2, 3]
    for value in (0, 4):
        with pytest.raises(ValueError, match=str(value)):
            NUMBER.encode(value)


@pytest.mark.parametrize("yes", ["true", "yes", "on", "1", "TRUE", True, 1])
def test_words_for_yes(yes: Any) -> None:
    assert SWITCH.encode(yes) == 1


@pytest.mark.parametrize("no", ["false", "no", "off", "0", "No", False, 0])
def test_words_for_no(no: Any) -> None:
    assert SWITCH.encode(no) == 0


@pytest.mark.parametrize("option", [NUMBER, SWITCH, CHOICE, SPICES, COLOURS])
def test_what_is_allowed_is_told_by_kind(option: Option) -> None:
    assert (
        option.allowed
        == {
            "how many": "1 to 3",
            "whether": "true or false",
            "how hot": "mild or hot or very hot",
            "what goes in": "none, all or some of salt, pepper, thyme, joined by +",
            "who has which": "a list, an entry for each seat, of any, red, blue",
        }[option.meaning]
    )


def test_checks_try_what_is_not_the_default() -> None:
    assert NUMBER.others == ()
    assert SWITCH.others == (False,)
    assert Option(False, "whether").others == (True,)
    assert CHOICE.others == ("hot", "very hot")
    assert SPICES.others == ("all",)
    assert COLOURS.others == ("blue",)


def test_codes_are_read_as_what_they_mean() -> None:
    assert [NUMBER.decode(3), CHOICE.decode(2), SPICES.decode(0), COLOURS.decode(0)] == [3, "very hot", "none", "any"]
    assert (SWITCH.decode(1), SWITCH.decode(0)) == (True, False)
    assert SWITCH.decode(1) is True
    assert type(NUMBER.decode(1)) is int


def test_a_list_for_seats_is_a_number_with_a_digit_for_each() -> None:
    assert COLOURS.encode("blue,any,red") == 2 + 0 * 3 + 1 * 9


def test_a_list_is_as_long_as_there_are_seats_at_most() -> None:
    declared = {"colours": COLOURS}
    assert encode_options("stew", declared, {"colours": "any,any,blue"}, seats=3).tolist() == [18]
    with pytest.raises(BadSpec, match="colours=any,any,red has 3 entries for 2 seats"):
        encode_options("stew", declared, {"colours": "any,any,red"}, seats=2)
    assert encode_options("stew", declared, {"colours": "any,any,red"}).tolist() == [9], "before seats are known"


def test_a_list_that_contradicts_itself_is_refused() -> None:
    def conflict(names: Any) -> str:
        return "has red twice" if list(names).count("red") > 1 else ""

    once = PerSeat("any", "who has which", choices=("any", "red"), conflict=conflict)
    assert once.encode("red,any") == 1
    with pytest.raises(BadSpec, match="colours=red,red has red twice; it is a list"):
        encode_options("stew", {"colours": once}, {"colours": "red,red"})


def test_what_is_not_given_has_its_default_in_the_order_of_declaration() -> None:
    declared = {"number": NUMBER, "whether": SWITCH, "heat": CHOICE}
    assert encode_options("stew", declared, {}).tolist() == [2, 1, 0]
    assert encode_options("stew", declared, {"heat": "hot", "whether": "no"}).tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"number": "many"}, "stew: option number is 1 to 3, not 'many'"),
        ({"number": None}, "stew: option number is 1 to 3, not None"),
        ({"whether": "maybe"}, "stew: option whether is true or false, not 'maybe'"),
        ({"heat": "cold"}, "stew: option heat is mild or hot or very hot, not 'cold'"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_with_what_is_right(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        encode_options("stew", {"number": NUMBER, "whether": SWITCH, "heat": CHOICE}, given)


def test_an_option_that_is_not_declared_is_refused() -> None:
    with pytest.raises(UnknownName, match="unknown option 'nomber' of stew; did you mean 'number'"):
        encode_options("stew", {"number": NUMBER}, {"nomber": 1})
