"""What a fingerprint of compiled code covers: every value that the code can reach, and nothing that it cannot."""

from __future__ import annotations

import enum
import functools
import math
import sys
import types
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boardwright.errors import BadGame
from boardwright.kernel import fingerprint as module
from boardwright.kernel.declare import Instruction, Rule, sums_in_any_order
from boardwright.kernel.declare import types as numba_types
from boardwright.kernel.fingerprint import fingerprint, fingerprint_and_size


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Weight(enum.IntEnum):
    LIGHT = 1


Cost = namedtuple("Cost", "coins cards")
Price = namedtuple("Price", "coins cards")
Turned = namedtuple("Cost", "cards coins")
Turned.__qualname__, Turned.__module__ = Cost.__qualname__, Cost.__module__

DIFFERENT: list[tuple[str, Any, Any]] = [
    ("numbers", 1, 2),
    ("a number and its text", 1, "1"),
    ("a whole number and a float", 1, 1.0),
    ("a number and a truth", 1, True),
    ("bytes and text", b"1", "1"),
    ("nothing and its name", None, "None"),
    ("members of an enumeration", Colour.RED, Colour.BLUE),
    ("a member and its value", Weight.LIGHT, 1),
    ("an enumeration and its member", Colour, Colour.RED),
    ("numbers in arrays", np.array([1, 2]), np.array([1, 3])),
    ("shapes of arrays", np.zeros((2, 3)), np.zeros((3, 2))),
    ("kinds of arrays", np.zeros(2, np.int32), np.zeros(2, np.float32)),
    ("names of fields", np.zeros(1, [("a", "i4")]), np.zeros(1, [("b", "i4")])),
    ("orders of an array's numbers", np.array([[1, 2], [3, 4]]), np.array([[1, 3], [2, 4]])),
    ("widths of numbers", np.int32(1), np.int64(1)),
    ("scalars", np.float32(1), np.float32(2)),
    ("record types", np.dtype([("a", "i4")]), np.dtype([("a", "i8")])),
    ("tuples and lists", (1, 2), [1, 2]),
    ("lengths of tuples", (1, (2,)), ((1, 2),)),
    ("what is nested how", ((1,), 2), ((1, 2),)),
    ("named tuples", Cost(1, 2), Price(1, 2)),
    ("fields of named tuples", Cost(1, 2), Turned(1, 2)),
    ("classes of named tuples", Cost, Price),
    ("fields of classes", Cost, Turned),
    ("slices from", slice(1, 2), slice(0, 2)),
    ("slices to", slice(0, 2), slice(0, 3)),
    ("slices by", slice(0, 2, 1), slice(0, 2, 2)),
    ("functions of NumPy", np.add, np.subtract),
    ("functions of Python", len, abs),
    ("functions of other modules", math.sqrt, math.exp),
    ("modules", math, enum),
    ("types", numba_types.int32, numba_types.int64),
    ("instructions", Instruction("atomic_add"), Instruction("compare_and_swap")),
    ("parameters of instructions", Instruction("is_instance", Cost), Instruction("is_instance", Price)),
    ("which of several comes again", [Cost, Price, Cost], [Cost, Price, Price]),
    ("members of enumerations", enum.Enum("Suit", "A B"), enum.Enum("Suit", "A C")),
    ("values of enumerations", enum.Enum("Suit", {"A": 1}), enum.Enum("Suit", {"A": 2})),
]


@pytest.mark.parametrize(("what", "one", "other"), DIFFERENT, ids=[what for what, _, _ in DIFFERENT])
def test_different_values_have_different_fingerprints(what: str, one: Any, other: Any) -> None:
    assert fingerprint(one) != fingerprint(other), what
    assert fingerprint(one) == fingerprint(one)


def test_what_comes_later_counts_too() -> None:
    assert fingerprint(1, 2) != fingerprint(1, 3) != fingerprint(1)
    assert fingerprint([1, 2], 3) != fingerprint([1], 2, 3)


def test_a_fingerprint_has_32_digits() -> None:
    assert len(fingerprint(1)) == 32
    assert set(fingerprint(1)) <= set("0123456789abcdef")


def test_arrays_count_by_content_however_they_lie() -> None:
    """Also if they were cut out of others, or lie column by column."""
    whole = np.arange(12).reshape(3, 4)
    assert fingerprint(whole[:, ::2]) == fingerprint(whole[:, ::2].copy())
    assert fingerprint(np.asfortranarray(whole)) == fingerprint(whole)


def test_the_versions_that_make_machine_code_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(1)
    monkeypatch.setattr(module, "_VERSIONS", "python (3, 99)")
    assert fingerprint(1) != before


def test_a_patch_of_python_changes_no_machine_code() -> None:
    assert f"python ({sys.version_info.major}, {sys.version_info.minor}) numba " in module._VERSIONS


def test_a_value_whose_changes_cannot_be_seen_is_refused() -> None:
    with pytest.raises(BadGame, match="compiled code uses a global of type dict, whose changes cannot be tracked; use"):
        fingerprint({})


def made(text: str, **names: Any) -> Any:
    """The function `f` of a text, in a module of a game."""
    space = {"__name__": "mygame", **names}
    exec(text, space)
    return space["f"]


F = "def f(x): return x + A"


def test_functions_count_by_code_constants_and_what_they_name() -> None:
    before = fingerprint(made(F, A=1))
    assert before == fingerprint(made(F, A=1, B=2)), "what it does not name does not matter"
    assert before == fingerprint(made("# a remark\n" + F, A=1))
    assert before != fingerprint(made(F, A=2))
    assert before != fingerprint(made(F.replace("+", "-"), A=1))
    assert fingerprint(made("def f(x): return x + 1")) != fingerprint(made("def f(x): return x + 2"))
    assert fingerprint(made("def f(x): return x + 1")) != fingerprint(made("def f(x): return x + 1.0"))
    assert fingerprint(made("def f(x): return len(x)")) != fingerprint(made("def f(x): return abs(x)"))


def test_the_docstring_does_not_count_and_other_texts_do() -> None:
    said = 'def f(x):\n    "{}"\n    return x == "{}"'
    before = fingerprint(made(said.format("one", "a")))
    assert before == fingerprint(made(said.format("two", "a")))
    assert before != fingerprint(made(said.format("one", "b")))
    assert before != fingerprint(made(said.format("one", "one"))), "also if they say what the docstring says"


def test_names_of_arguments_and_defaults_count() -> None:
    before = fingerprint(made("def f(x, y=1): return x"))
    assert before != fingerprint(made("def f(x, z=1): return x"))
    assert before != fingerprint(made("def f(x, y=2): return x"))


def test_functions_within_functions_count() -> None:
    nested = "def f(x):\n    def g(y): return y + {} + A\n    return g(x)"
    before = fingerprint(made(nested.format(1), A=1))
    assert before != fingerprint(made(nested.format(2), A=1))
    assert before != fingerprint(made(nested.format(1), A=2)), "with what they name"


def test_what_a_function_encloses_counts() -> None:
    def adds(amount: Any) -> Callable[[int], int]:
        return lambda x: x + amount

    def multiplies(space: Any) -> Callable[[int], int]:
        return lambda x: x * space.FACTOR

    assert fingerprint(adds(1)) != fingerprint(adds(2))
    factors = [types.ModuleType("mygame.factors") for _ in range(2)]
    factors[0].FACTOR, factors[1].FACTOR = 1, 2  # type: ignore[attr-defined]
    assert fingerprint(multiplies(factors[0])) != fingerprint(multiplies(factors[1]))


def test_functions_of_the_same_code_under_other_names_are_told_apart() -> None:
    assert fingerprint(made(F, A=1)) != fingerprint(made(F, A=1, __name__="yourgame"))


def test_attributes_of_modules_count_as_far_as_they_are_named() -> None:
    """Also those of a module within a module; those of libraries do not."""
    cards, inner = types.ModuleType("mygame.cards"), types.ModuleType("mygame.cards.prices")
    cards.COST, cards.OTHER, cards.prices, inner.LOW = 3, 4, inner, 1  # type: ignore[attr-defined]
    code = made("def f(x): return x + cards.COST + cards.prices.LOW", cards=cards)
    before = fingerprint(code)
    cards.OTHER = 5  # type: ignore[attr-defined]
    assert fingerprint(code) == before
    cards.COST = 4  # type: ignore[attr-defined]
    assert fingerprint(code) != before
    cards.COST, inner.LOW = 3, 2  # type: ignore[attr-defined]
    assert fingerprint(code) != before
    library = types.ModuleType("numpy.cards")
    library.COST, library.prices = 3, inner  # type: ignore[attr-defined]
    code = made("def f(x): return x + cards.COST", cards=library)
    before = fingerprint(code)
    library.COST = 4  # type: ignore[attr-defined]
    assert fingerprint(code) == before


def test_modules_that_name_each_other_come_to_an_end() -> None:
    one, two = types.ModuleType("mygame.one"), types.ModuleType("mygame.two")
    one.two, two.one, two.A = two, one, 1  # type: ignore[attr-defined]
    code = made("def f(x): return one.two.one.two.A", one=one)
    before = fingerprint(code)
    two.A = 2  # type: ignore[attr-defined]
    assert fingerprint(code) != before


def test_functions_of_libraries_are_known_by_name() -> None:
    """Their versions count, not their code: functions of other packages count by their code."""
    at_home = made("def f(x): return 1", __name__="numpy.lib")
    assert fingerprint(at_home) == fingerprint(made("def f(x): return 2", __name__="numpy.lib"))
    assert fingerprint(at_home) != fingerprint(made("def f(x): return 1", __name__="numba.lib"))
    assert fingerprint_and_size(at_home)[1] == 0
    assert fingerprint(made("def f(x): return 1", __name__="numpyish")) != fingerprint(
        made("def f(x): return 2", __name__="numpyish")
    )


def test_a_name_that_is_not_there_yet_counts() -> None:
    assert fingerprint(made("def f(x): return x.coins")) != fingerprint(made("def f(x): return x.cards"))


def test_rules_count_by_their_code_and_how_they_are_compiled() -> None:
    code = made("def f(x): return x + 1")
    assert fingerprint(Rule(code, {})) != fingerprint(code)
    assert fingerprint(Rule(code, {})) != fingerprint(sums_in_any_order(code))
    assert fingerprint(Rule(code, {})) != fingerprint(Rule(made("def f(x): return x + 2"), {}))
    assert fingerprint_and_size(Rule(code, {}))[1] == 1


def test_compiled_functions_count_by_their_code_and_how_they_are_compiled() -> None:
    import numba

    one, two = made("def f(x): return x + 1"), made("def f(x): return x + 2")
    assert fingerprint(numba.njit(one)) == fingerprint(numba.njit(one))
    assert fingerprint(numba.njit(one)) != fingerprint(numba.njit(two))
    assert fingerprint(numba.njit(one)) != fingerprint(numba.njit(one, nogil=True))
    assert fingerprint(numba.njit(one, fastmath={"nnan", "contract"})) == fingerprint(
        numba.njit(one, fastmath={"contract", "nnan"})
    )


def test_functions_for_whole_arrays_count_by_their_code() -> None:
    import numba

    one, two = made("def f(x): return x + 1"), made("def f(x): return x + 2")
    assert fingerprint(numba.vectorize(one)) != fingerprint(numba.vectorize(two))
    assert fingerprint(numba.vectorize(one)) == fingerprint(numba.vectorize(one))
    typed = numba.vectorize(["int64(int64)"])(one)
    assert fingerprint(typed) != fingerprint(numba.vectorize(["float64(float64)"])(one))


def test_intrinsics_count_by_the_whole_file_that_they_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.extending import intrinsic

    @intrinsic
    def one(typing_context: Any) -> Any:
        return None

    @intrinsic
    def two(typing_context: Any) -> Any:
        return typing_context

    before = fingerprint(one)
    assert fingerprint(two) != before
    monkeypatch.setattr(module, "_file_digest", lambda function: "another")
    assert fingerprint(one) != before
    assert fingerprint(Instruction("atomic_add")) == fingerprint(Instruction("atomic_add"))


def test_the_digest_of_a_file_is_that_of_its_content() -> None:
    import hashlib
    from pathlib import Path

    expected = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    assert module._file_digest(test_the_digest_of_a_file_is_that_of_its_content) == expected


def test_a_function_with_an_overload_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    code = made("def f(x): return x")
    monkeypatch.setattr(module, "_overloaded", functools.partial(lambda registered: {code}))
    with pytest.raises(BadGame, match="compiled code uses f, which has a Numba @overload"):
        fingerprint(code)


def test_overloads_are_looked_up_among_those_that_are_registered() -> None:
    from numba.core.typing.templates import builtin_registry
    from numba.extending import overload

    def helper(x: int) -> int:
        return x

    fingerprint(helper)
    overload(helper)(lambda x: lambda x: x)
    assert helper in module._overloaded(len(builtin_registry.globals))
    with pytest.raises(BadGame, match="has a Numba @overload"):
        fingerprint(helper)


def test_a_fingerprint_counts_the_functions_that_it_covers_once() -> None:
    inner = made("def f(x): return x + 1")
    outer = made("def f(x): return g(x) + h(x)", g=inner, h=Rule(inner, {}))
    assert fingerprint_and_size(outer, inner)[1] == 2


def test_objects_that_are_gone_are_not_taken_for_new_ones() -> None:
    """A new list may lie where another one was."""
    digests = set()
    for last in (2, 3):
        walk = module._Walk()
        for number in (1, last):
            walk.feed([number])
        digests.add(walk.sha.hexdigest())
    assert len(digests) == 2
