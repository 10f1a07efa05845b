"""How kernels call a game's rules: through one table of addresses, with one layout for search and learning.

`PlainRules`, `SearchRules` and `LearningRules` differ in which slots are filled, so they are types of their own: a
kernel's signature names the one it needs, and a call with another is refused. In the functions below `rules` is such a
table and `state` the bytes of a position; the others of their arguments are those of the slot's signature.
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


def _rule_at(name: str) -> Any:
    """The rule `name(rules, state, …)`, which calls what is in that slot of the table."""
    call = caller(list(SLOTS).index(name), SLOTS[name])

    @rule
    def called(rules: Any, *arguments: Any) -> Any:
        return call(rules, arguments)

    return called


player = _rule_at("player")
legal = _rule_at("legal")
apply = _rule_at("apply")
returns = _rule_at("returns")
determinize = _rule_at("determinize")
action_observation = _rule_at("action_observation")
playout = _rule_at("playout")
truncated_playout = _rule_at("truncated_playout")
"""Only in tables made with `truncated`."""
traced_playout = _rule_at("traced_playout")
"""Only in tables made with `traced`."""
evaluate = _rule_at("evaluate")
observe = _rule_at("observe")
features = _rule_at("features")
turn = _rule_at("turn")
rewind = _rule_at("rewind")
learned = _rule_at("learned")
"""Only in tables made with `learned`."""
_judge = indexed_caller(contract.VALUES)


@rule
def judge(rules: Any, number: int, state: Any, out: Any) -> None:
    """One of the evaluations that rank actions; only in tables made with `judges`."""
    _judge(rules, JUDGES + number, (state, out))


@rule
def is_legal(rules: Any, state: Any, action: int, room: Any) -> bool:
    """Whether an action is legal; there must be room for the legal ones."""
    n = legal(rules, state, room)
    found = False
    for i in range(n):
        found = found or room[i] == action
    return found
