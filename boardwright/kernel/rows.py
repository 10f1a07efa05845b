"""Rules applied to many positions with one call: for whoever asks in batches, as scripts do.

Positions are rows of an array; `rows` says which are meant, and may name one several times.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from boardwright.kernel import calls
from boardwright.kernel.calls import RNG_STATE, SEARCH_RULES
from boardwright.kernel.compile import Unit
from boardwright.kernel.contract import TERMINAL
from boardwright.kernel.declare import types

STATES, NUMBERS, VALUES = types.uint8[:, ::1], types.int64[::1], types.float64[:, ::1]


def _apply(rules: Any, states: Any, rows: Any, actions: Any, players: Any, room: Any) -> int:
    """Stops at the first action that is not legal; returns how many were played."""
    for i in range(rows.size):
        state = states[rows[i]]
        if calls.player(rules, state) == TERMINAL:
            return i
        if not calls.is_legal(rules, state, actions[i], room):
            return i
        calls.apply(rules, state, actions[i])
        players[i] = calls.player(rules, state)
    return rows.size


def _legal(rules: Any, states: Any, rows: Any, players: Any, counts: Any, actions: Any) -> None:
    """The legal actions of all rows behind each other in `actions`."""
    used = 0
    for i in range(rows.size):
        state = states[rows[i]]
        players[i] = calls.player(rules, state)
        counts[i] = 0
        if players[i] != TERMINAL:
            counts[i] = calls.legal(rules, state, actions[used:])
            used += counts[i]


def _returns(rules: Any, states: Any, rows: Any, players: Any, values: Any) -> None:
    for i in range(rows.size):
        state = states[rows[i]]
        players[i] = calls.player(rules, state)
        if players[i] == TERMINAL:
            calls.returns(rules, state, values[i])


def _playout(rules: Any, states: Any, rows: Any, room: Any, rng_state: Any) -> None:
    for i in range(rows.size):
        calls.playout(rules, states[rows[i]], room, rng_state)


@cache
def code() -> Unit:
    nothing = types.void
    return Unit(
        "rows",
        {
            "apply": (_apply, types.int64(SEARCH_RULES, STATES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)),
            "legal": (_legal, nothing(SEARCH_RULES, STATES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)),
            "returns": (_returns, nothing(SEARCH_RULES, STATES, NUMBERS, NUMBERS, VALUES)),
            "playout": (_playout, nothing(SEARCH_RULES, STATES, NUMBERS, NUMBERS, RNG_STATE)),
        },
    )


def kernel(name: str) -> Any:
    """`apply(rules, states, rows, actions, players, room)`, `legal(…, rows, players, counts, actions)`,
    `returns(…, rows, players, values)` and `playout(…, rows, room, rng_state)`."""
    return code().entry_points[name]
