"""Playing recorded actions as fast as the rules go, with every one of them checked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from boardwright.kernel import calls
from boardwright.kernel.calls import PLAIN_RULES, STATE
from boardwright.kernel.compile import Unit
from boardwright.kernel.contract import TERMINAL
from boardwright.kernel.declare import types
from boardwright.kernel.position import State

ACTIONS = types.int64[::1]


def _replay(rules: Any, state: Any, actions: Any, legal: Any) -> int:
    for played in range(actions.size):
        if calls.player(rules, state) == TERMINAL:
            return played
        if not calls.is_legal(rules, state, actions[played], legal):
            return played
        calls.apply(rules, state, actions[played])
    return actions.size


@cache
def code() -> Unit:
    signature = types.int64(PLAIN_RULES, STATE, ACTIONS, ACTIONS)
    return Unit("records", {"replay": (_replay, signature)})


def kernel() -> Any:
    """`replay(rules, state, actions, legal)` plays actions until one is not legal, and returns how many were played;
    `legal` is room for the legal ones."""
    return code().entry_points["replay"]


def replay(state: State, actions: Sequence[int]) -> int:
    """Play actions until one is not legal. Returns how many were played."""
    game = state.game
    room = np.empty(game.max_legal, np.int64)
    return int(kernel()(game.entries.plain_rules, state.memory, np.array(actions, np.int64), room))
