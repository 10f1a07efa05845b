"""Atomic operations on array elements, for trees that several threads share."""

from __future__ import annotations

from typing import Any

from boardwright.kernel.declare import instruction_for


def _plain_atomic_add(array: Any, index: int, amount: Any) -> Any:
    before = array[index]
    array[index] = before + amount
    return before


def _plain_compare_and_swap(array: Any, index: int, expected: Any, new: Any) -> bool:
    if array[index] != expected:
        return False
    array[index] = new
    return True


def _plain_prepare(array: Any, index: int) -> None:
    pass


def _plain_yield() -> None:
    pass


yield_processor = instruction_for(_plain_yield, "yield_processor")
"""Let another thread run, while waiting for a lock."""
atomic_add = instruction_for(_plain_atomic_add, "atomic_add")
"""Add to array[index] in one step; returns the value before."""
prepare_to_add = instruction_for(_plain_prepare, "prepare_to_add")
"""Ask the memory for array[index], which is about to be changed; does not wait for it."""
compare_and_swap = instruction_for(_plain_compare_and_swap, "compare_and_swap")
"""Set array[index] to `new` if it is `expected`; returns whether it was."""
