"""The contract as search kernels call it: `rules` is the table of a game, `state` the bytes of a position."""

from __future__ import annotations

from typing import Any

from boardwright.kernel import contract
from boardwright.kernel.compile import rule
from boardwright.kernel.pointers import caller

# The order of Entries.table.
_player = caller(0, contract.PLAYER)
_legal = caller(1, contract.LEGAL)
_apply = caller(2, contract.APPLY)
_returns = caller(3, contract.VALUES)
_determinize = caller(4, contract.DETERMINIZE)
_seen_as = caller(5, contract.SEEN_AS)
_playout = caller(6, contract.PLAYOUT)
_evaluate = caller(7, contract.VALUES)
_play_on = caller(8, contract.PLAY_ON)


@rule
def player(rules: Any, state: Any) -> int:
    return _player(rules, (state,))


@rule
def legal(rules: Any, state: Any, out: Any) -> int:
    return _legal(rules, (state, out))


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
def seen_as(rules: Any, state: Any, action: int, seat: int) -> int:
    return _seen_as(rules, (state, action, seat))


@rule
def playout(rules: Any, state: Any, scratch: Any, words: Any) -> None:
    _playout(rules, (state, scratch, words))


@rule
def play_on(rules: Any, state: Any, scratch: Any, words: Any, plies: int) -> None:
    """Only in tables made for `plies`."""
    _play_on(rules, (state, scratch, words, plies))


@rule
def evaluate(rules: Any, state: Any, out: Any) -> None:
    _evaluate(rules, (state, out))
