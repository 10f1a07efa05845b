"""Options: several names at once, a list for the seats; what is wrong with a value is said."""

from __future__ import annotations

import pytest

from boardwright.errors import BadSpec
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
