"""The outlook of options: what the rules, and an evaluation of the game, say one action ahead.

A network's policy does not look where an action leads. Where a single action decides, situations are alike only if that
is alike, too: an option that wins at once is not like one that lets the other win. So a case file can ask for outlooks:
with the name of an evaluation of the game, or `returns`, which tells wins and losses alone. They tilt how much an
option is expected (memory.py); what is done is still up to the cases.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.kernel import MAX_SEATS, TERMINAL, Code, Game, Observation, Unit, calls, copy_into, types
from boardwright.kernel.calls import SEARCH_RULES, STATE
from boardwright.kernel.entries import OF_THE_RULES, SearchParts

RETURNS = OF_THE_RULES[0]
"""The outlook that tells wins and losses alone."""
_UNKNOWN = 0.5
_SHARPNESS, _PRIOR_WEIGHT = 80.0, 0.3
"""An option is expected by the sum of its outlook, 0 to 1, and the logarithm of its policy prior, each times its
weight. Of four pairs tried in `lords` (30 games each, seed 951) these won most: 77 %, with 40 and 1 it was 37 %. Where
outlooks are wins and losses alone, the prior counts in full: in `connect_four` that won 62 % of 200 games against
`ismcts:iterations=200`, with 0.3 it was 49 % (seed 953)."""

Floats = NDArray[np.float64]


def _outlooks(
    rules: Any, state: Any, seat: int, actions: Any, evaluated: bool, replies: bool, room: Any, legal: Any, out: Any
) -> None:
    """For every action, what `seat` can expect after it. `out` has a row for utilities, where the first two are the
    least and the most that the game can return, and a row for the outlooks. `room`: two positions."""
    low, high, values = out[0, 0], out[0, 1], out[1]
    for i in range(actions.size):
        copy_into(room[0], state, state.size)
        calls.apply(rules, room[0], actions[i])
        next_player = calls.player(rules, room[0])
        if next_player == TERMINAL:
            calls.returns(rules, room[0], out[2])
            values[i] = (out[2, seat] - low) / (high - low)
            continue
        values[i] = _UNKNOWN
        if evaluated:
            calls.evaluate(rules, room[0], out[2])
            values[i] = (out[2, seat] - low) / (high - low)
        if replies and next_player != seat:
            for j in range(calls.legal(rules, room[0], legal)):
                copy_into(room[1], room[0], state.size)
                calls.apply(rules, room[1], legal[j])
                if calls.player(rules, room[1]) == TERMINAL:
                    calls.returns(rules, room[1], out[2])
                    if out[2, seat] <= low:
                        values[i] = 0.0


@cache
def code() -> Unit:
    """The kernel that looks one action ahead."""
    numbers = types.int64[::1]
    signature = types.void(
        SEARCH_RULES,
        STATE,
        types.int64,
        numbers,
        types.boolean,
        types.boolean,
        types.uint8[:, ::1],
        numbers,
        types.float64[:, ::1],
    )
    return Unit("cases", {"outlooks": (_outlooks, signature)})


def needs(game: Game, evaluation: str) -> list[Code]:
    return [code, *game.entries.search_code(SearchParts(evaluation=evaluation))]


def outlooks(observation: Observation, actions: list[int], evaluation: str) -> Floats:
    """What the seat can expect after each of the actions, from 0 to 1. What is hidden is guessed, always alike."""
    game = observation.game
    state = observation.determinize(seed=0)
    room = np.zeros((2, len(state.memory)), np.uint8)
    out = np.zeros((3, max(len(actions), MAX_SEATS, 2)))
    out[0, :2] = game.min_utility, game.max_utility
    code().entry_points["outlooks"](
        game.entries.search_rules(SearchParts(evaluation=evaluation)),
        state.memory,
        observation.seat,
        np.array(actions, np.int64),
        evaluation not in OF_THE_RULES,
        not observation.has_hidden_information,
        room,
        np.zeros(game.max_legal, np.int64),
        out,
    )
    return out[1, : len(actions)]


def tilted(priors: Floats, outlook: Floats, evaluation: str) -> Floats:
    """Policy priors after a look one action ahead."""
    logits = (1.0 if evaluation == RETURNS else _PRIOR_WEIGHT) * np.log(np.maximum(priors, 1e-9)) + _SHARPNESS * outlook
    chances = np.exp(logits - logits.max())
    return np.asarray(chances / chances.sum())
