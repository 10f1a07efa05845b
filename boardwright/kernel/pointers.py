"""What compiled code does with bare memory: call rules through a table of addresses, see bytes as a record.

A search kernel is compiled once, for all games. It gets a game as an array of addresses, one per slot of the
contract, and calls `player(rules, state)` and so on. (Numba's own first-class functions would do the same
at 50 µs an argument and call; an array of addresses costs nothing to pass.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boardwright.kernel.declare import Instruction, instruction_for, rule


def caller(slot: int, signature: Any) -> Callable[..., Any]:
    """A rule `call(table, arguments)` for the function of that signature at `table[slot]`."""
    return instruction_for(
        lambda table, arguments: table.addresses[slot](*map(_plain, arguments)), "call_slot", slot, signature
    )


def _plain(argument: Any) -> Any:
    """What a compiled call would be given: a wide integer. NumPy's narrow ones overflow in plain Python."""
    return int(argument) if isinstance(argument, np.integer) else argument


def indexed_caller(signature: Any) -> Callable[..., Any]:
    """A rule `call(table, slot, arguments)`, for slots that are known only when it runs."""
    return instruction_for(
        lambda table, slot, arguments: table.addresses[slot](*map(_plain, arguments)), "call_any_slot", signature
    )


def record_opener(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """A rule `open_(state)` that gives the record living in a state's bytes.

    `state.view(dtype)[0]` does the same but checks sizes and counts references, several times in every call.
    """
    return Instruction("open_record", dtype)


def _borrowed_plain(arrays: Any) -> Any:
    return arrays


borrowed = instruction_for(_borrowed_plain, "borrowed")
"""A rule: the same tuple of arrays, whose references nobody counts, while somebody else holds them. Passing twenty
arrays to a helper in a loop takes longer than a step of Connect Four if each is counted up and down."""


@rule
def copy_into(target: Any, source: Any, n: int) -> None:
    """The first n elements. As `target[:n] = source[:n]`, which would compile text formatting for its error message:
    over a second for every kernel that copies a state."""
    for i in range(n):
        target[i] = source[i]
