"""How kernels call a game's rules: through one table of addresses, with one layout for search and learning.

`PlainRules`, `SearchRules` and `LearningRules` differ in which slots are filled, so they are types of their own: a
kernel's signature names the one it needs, and a call with another is refused. In the functions below `rules` is such a
table and `state` the bytes of a position.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import contract
from boardwright.kernel.declare import rule, typeof, types
from boardwright.kernel.pointers import caller, indexed_caller


class PlainRules(NamedTuple):
    """Whose turn it is, what is legal, and what an action does."""

    addresses: Any


class SearchRules(NamedTuple):
    """What search kernels need: the rules, playouts and an evaluation."""

    addresses: Any


class LearningRules(NamedTuple):
    """What kernels with a network need: the rules, observations and features."""

    addresses: Any
    plan: Any
    """That of automatic features, where a network has such; else empty."""


AnyRules = PlainRules | SearchRules | LearningRules
"""What kernels are written for that serve several searches."""

SLOTS = {
    "player": contract.PLAYER,
    "legal": contract.LEGAL,
    "apply": contract.APPLY,
    "returns": contract.VALUES,
    "determinize": contract.DETERMINIZE,
    "action_observation": contract.ACTION_OBSERVATION,
    "playout": contract.PLAYOUT,
    "truncated_playout": contract.TRUNCATED_PLAYOUT,
    "evaluate": contract.VALUES,
    "observe": contract.OBSERVE,
    "features": contract.FEATURES,
    "turn": contract.TURN,
    "rewind": contract.REWIND,
    "learned": contract.LEARNED,
    "traced_playout": contract.TRACED_PLAYOUT,
}
"""The layout: every entry point that kernels call, in the order of the table, with its signature."""

JUDGES = len(SLOTS)
"""Behind the fixed slots: evaluations that rank actions, as many as a search wants."""

STATE, RNG_STATE = types.uint8[::1], types.uint64[::1]
"""What kernels take besides: a position's bytes, and the state of a random number generator."""
PLAIN_RULES = typeof(PlainRules(np.zeros(1, np.int64)))
SEARCH_RULES = typeof(SearchRules(np.zeros(1, np.int64)))
LEARNING_RULES = typeof(LearningRules(np.zeros(1, np.int64), np.zeros((0, 1), np.int64)))


def _caller(name: str) -> Any:
    return caller(list(SLOTS).index(name), SLOTS[name])


_player = _caller("player")
_legal = _caller("legal")
_apply = _caller("apply")
_returns = _caller("returns")
_determinize = _caller("determinize")
_action_observation = _caller("action_observation")
_playout = _caller("playout")
_truncated_playout = _caller("truncated_playout")
_evaluate = _caller("evaluate")
_observe = _caller("observe")
_features = _caller("features")
_turn = _caller("turn")
_rewind = _caller("rewind")
_learned = _caller("learned")
_traced_playout = _caller("traced_playout")
_judge = indexed_caller(contract.VALUES)


@rule
def player(rules: Any, state: Any) -> int:
    return _player(rules, (state,))


@rule
def legal(rules: Any, state: Any, out: Any) -> int:
    return _legal(rules, (state, out))


@rule
def is_legal(rules: Any, state: Any, action: int, room: Any) -> bool:
    """Whether an action is legal; there must be room for the legal ones."""
    n = legal(rules, state, room)
    found = False
    for i in range(n):
        found = found or room[i] == action
    return found


@rule
def apply(rules: Any, state: Any, action: int) -> None:
    _apply(rules, (state, action))


@rule
def returns(rules: Any, state: Any, out: Any) -> None:
    _returns(rules, (state, out))


@rule
def determinize(rules: Any, state: Any, seat: int, seed: Any) -> None:
    _determinize(rules, (state, seat, seed))


@rule
def action_observation(rules: Any, state: Any, action: int, seat: int) -> int:
    return _action_observation(rules, (state, action, seat))


@rule
def playout(rules: Any, state: Any, scratch: Any, rng_state: Any) -> bool:
    return _playout(rules, (state, scratch, rng_state))


@rule
def truncated_playout(rules: Any, state: Any, scratch: Any, rng_state: Any, plies: int) -> None:
    """Only in tables made with `truncated`."""
    _truncated_playout(rules, (state, scratch, rng_state, plies))


@rule
def traced_playout(rules: Any, state: Any, scratch: Any, rng_state: Any, plies: int, trace: Any, values: Any) -> None:
    """Only in tables made with `traced`."""
    _traced_playout(rules, (state, scratch, rng_state, plies, trace, values))


@rule
def evaluate(rules: Any, state: Any, out: Any) -> None:
    _evaluate(rules, (state, out))


@rule
def judge(rules: Any, number: int, state: Any, out: Any) -> None:
    """One of the evaluations that rank actions; only in tables made with `judges`."""
    _judge(rules, JUDGES + number, (state, out))


@rule
def observe(rules: Any, state: Any, seat: int) -> None:
    _observe(rules, (state, seat))


@rule
def features(rules: Any, state: Any, seat: int, sparse: Any) -> None:
    _features(rules, (state, seat, sparse))


@rule
def turn(rules: Any, state: Any) -> int:
    return _turn(rules, (state,))


@rule
def rewind(rules: Any, state: Any) -> None:
    _rewind(rules, (state,))


@rule
def learned(rules: Any, before: Any, state: Any, seat: int) -> int:
    """Only in tables made with `learned`."""
    return _learned(rules, (before, state, seat))
