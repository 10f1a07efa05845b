"""The contract as learners call it: `rules` is `Entries.learner_table`."""

from __future__ import annotations

from typing import Any

from boardwright.kernel import contract, rule
from boardwright.kernel.pointers import caller
from boardwright.kernel.table import apply, determinize, legal, player, returns

_observe = caller(5, contract.OBSERVE)
_features = caller(6, contract.FEATURES)
_turn = caller(7, contract.TURN)
_rewind = caller(8, contract.REWIND)


@rule
def observe(rules: Any, state: Any, seat: int) -> None:
    _observe(rules, (state, seat))


@rule
def features(rules: Any, state: Any, seat: int, told: Any) -> None:
    _features(rules, (state, seat, told))


@rule
def turn(rules: Any, state: Any) -> int:
    return _turn(rules, (state,))


@rule
def rewind(rules: Any, state: Any) -> None:
    _rewind(rules, (state,))


__all__ = ["apply", "determinize", "features", "legal", "observe", "player", "returns", "rewind", "turn"]
