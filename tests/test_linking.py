"""Linked code counts no references where it owns nothing, and all of them where it allocates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import types
from numba.core.runtime import rtsys
from numba.core.runtime._nrt_python import memsys_disable_stats, memsys_enable_stats

from boardwright.kernel import UNCOMPILED, Unit, machine_code, rule

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="about compiled code")


@rule
def larger(first: Any, second: Any) -> Any:
    """Hands one of its arrays back: Numba counts a reference for that."""
    return first if first.sum() > second.sum() else second


def sum_of_larger(first: Any, second: Any) -> float:
    return larger(first, second).sum()


def sum_of_copy(first: Any, second: Any) -> float:
    copy = np.empty(first.size)
    for i in range(first.size):
        copy[i] = first[i]
    return larger(copy, second).sum()


def sum_of_larger_or_most(first: Any, second: Any) -> float:
    """`max` comes with a function for C that frees something, which nobody calls."""
    return max(larger(first, second).sum(), 0.0, first[0])


@rule
def first_of_copy(array: Any) -> float:
    copy = np.empty(array.size)
    copy[0] = array[0]
    return copy[0]


def sum_beside_copy(first: Any, second: Any) -> float:
    """Owns nothing, though what it calls does."""
    return larger(first, second).sum() + first_of_copy(second)


class Inner(NamedTuple):
    number: float
    copy: Any


class Outer(NamedTuple):
    more: tuple[float, float]
    inner: Inner


@rule
def packed(array: Any) -> Any:
    return Outer((1.0, 2.0), Inner(3.0, array.copy()))


@rule
def sum_of_packed(outer: Any) -> float:
    kept = outer.inner
    return kept.copy.sum() + outer.more[0] - 1.0


def sum_within_tuples(first: Any, second: Any) -> float:
    """References are looked for in those parts of a tuple that have some."""
    return sum_of_packed(packed(first)) + second[0]


def unit(function: Any) -> Any:
    array = types.float64[::1]
    return Unit("tests", {function.__name__: (function, types.float64(array, array))}).entry_points[function.__name__]


def test_borrowed_arrays_are_as_much_referred_to_as_before() -> None:
    first, second = np.ones(3), np.zeros(3)
    call = unit(sum_of_larger)
    assert call(first, second) == 3
    before = sys.getrefcount(first), sys.getrefcount(second)
    for _ in range(1000):
        call(first, second)
    assert (sys.getrefcount(first), sys.getrefcount(second)) == before


@pytest.mark.parametrize("function", [sum_of_copy, sum_beside_copy, sum_within_tuples])
def test_allocated_arrays_are_freed(function: Any) -> None:
    first, second = np.ones(3), np.zeros(3)
    call = unit(function)
    assert call(first, second) == 3
    memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(1000):
        call(first, second)
    after = rtsys.get_allocation_stats()
    memsys_disable_stats()
    assert after.alloc - before.alloc >= 1000
    assert after.alloc - before.alloc == after.free - before.free


@pytest.mark.parametrize("function", [sum_of_larger_or_most, sum_beside_copy])
def test_only_functions_that_own_something_count(
    function: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither helpers of Numba that own something, nor rules that make an array, bring the counting of all others back:
    search with the toolbox, which uses `max` and `int`, was up to nine times as slow with it."""
    linked = []

    def noted(module: Any) -> Any:
        linked.append(str(module))
        linked.append(str(found := without_counting(module)))
        return found

    without_counting = machine_code._without_counting
    monkeypatch.setattr(machine_code, "_without_counting", noted)
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path))
    assert unit(function)(np.ones(3), np.zeros(3)) == 3
    before, after = map(counted_references, linked)
    assert before > 0
    assert after == 0


def counted_references(module: str) -> int:
    """In functions of this file that compiled code calls, but for the one that owns something."""
    counted, here = 0, False
    for line in module.splitlines():
        if line.startswith("define"):
            here = "@_ZN5tests12test_linking" in line and "first_of_copy" not in line
        counted += here and "call void @NRT_incref(" in line
    return counted
