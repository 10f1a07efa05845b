"""Games of the network against itself, and what is to be learned from them.

Every choice is searched. The search's verdict on the options becomes the lesson for the choices: the likelihood that
the network gave each option, multiplied by how much better than expected it turned out (in units of `trust`).
The option played is drawn from it, so that games differ. The verdict on the position is kept for the lesson about
values (lessons.py). Where a turn begins every seat gets a row without options: it is there that searches ask for
values.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from boardwright.kernel import TERMINAL, calls, compiled, rule
from boardwright.kernel.calls import LEARNING_RULES, RNG_STATE, STATE
from boardwright.kernel.contract import NO_TURNS
from boardwright.learn.network import WEIGHTS
from boardwright.learn.turn_search import DESK, LEAST_LIKELY, SETTINGS, drawn, search

ROWS = 1024
"""Room for the rows of a game; a diary that is full gives way to a larger one."""
MOST_ROWS = ROWS * 64
FULL = -1
"""What is said instead of the number of rows when there is no room for another."""
ACTIVE = 192
"""Room for the features of a row that are not zero, on average."""
OPTIONS = 16
"""Room for the options of a row, on average."""


class Diary(NamedTuple):
    """A game's lessons, a row each; features and options lie end to end."""

    feature: Any
    amount: Any
    feature_end: Any
    action: Any
    share: Any
    action_end: Any
    seat: Any
    value: Any
    """The search's verdict on the position; nothing where there was no choice."""

    @classmethod
    def blank(cls, rows: int = ROWS) -> Diary:
        return cls(
            feature=np.zeros(rows * ACTIVE, np.uint16),
            amount=np.zeros(rows * ACTIVE, np.float32),
            feature_end=np.zeros(rows, np.int64),
            action=np.zeros(rows * OPTIONS, np.uint16),
            share=np.zeros(rows * OPTIONS, np.float32),
            action_end=np.zeros(rows, np.int64),
            seat=np.zeros(rows, np.int8),
            value=np.zeros(rows, np.float32),
        )

    @property
    def room(self) -> int:
        """How many rows it has room for."""
        return len(self.seat)

    @property
    def choices(self) -> int:
        """How many rows are about a choice."""
        return int((np.diff(self.action_end, prepend=0) > 0).sum())

    def written(self, rows: int) -> Diary:
        """The rows that were written, as a copy."""
        features, options = (int(end[rows - 1]) if rows else 0 for end in (self.feature_end, self.action_end))
        return Diary(
            self.feature[:features].copy(), self.amount[:features].copy(), self.feature_end[:rows].copy(),
            self.action[:options].copy(), self.share[:options].copy(), self.action_end[:rows].copy(),
            self.seat[:rows].copy(), self.value[:rows].copy(),
        )  # fmt: skip


DIARY = typeof(Diary.blank())


@rule
def verdict(desk: Any, n: int, trust: float) -> float:
    """Turn the search's findings into shares (in `chances`): so much better a chance to win as `trust` makes an option
    e times as likely. The value of the position if it is played by them."""
    known = weight = 0.0
    for i in range(n):
        if desk.visits[i]:
            known += desk.prior[i] * desk.value[i] / desk.visits[i]
            weight += desk.prior[i]
    expected = known / max(weight, 1e-12)
    total = 0.0
    for i in range(n):
        better = desk.value[i] / desk.visits[i] - expected if desk.visits[i] else 0.0
        desk.chances[i] = max(desk.prior[i], LEAST_LIKELY) * np.exp(min(better / trust, 30.0))
        total += desk.chances[i]
    value = 0.0
    for i in range(n):
        desk.chances[i] /= total
        value += desk.chances[i] * (desk.value[i] / desk.visits[i] if desk.visits[i] else expected)
    return value


@rule
def write_row(desk: Any, n: int, seat: int, value: float, diary: Any, row: int) -> None:
    at = diary.feature_end[row - 1] if row else 0
    for i in range(desk.sparse.count[0]):
        diary.feature[at], diary.amount[at] = desk.sparse.index[i], desk.sparse.value[i]
        at += 1
    diary.feature_end[row] = at
    at = diary.action_end[row - 1] if row else 0
    for i in range(n):
        diary.action[at], diary.share[at] = desk.actions[i], desk.chances[i]
        at += 1
    diary.action_end[row] = at
    diary.seat[row] = seat
    diary.value[row] = value


@rule
def room_left(diary: Any, rows: int, features: int, n: int) -> bool:
    feature_end = diary.feature_end[rows - 1] if rows else 0
    action_end = diary.action_end[rows - 1] if rows else 0
    return (
        rows < diary.seat.size and feature_end + features <= diary.feature.size and action_end + n <= diary.action.size
    )


@rule
def note_turn(rules: Any, state: Any, seats: int, desk: Any, diary: Any, rows: int) -> int:
    """A row for every seat, about the value alone; how many rows there are now, or FULL."""
    for seat in range(seats):
        if not room_left(diary, rows, desk.sparse.index.size, 0):
            return FULL
        calls.features(rules, state, seat, desk.sparse)
        write_row(desk, 0, seat, 0.0, diary, rows)
        rows += 1
    return rows


def _play(
    rules: Any, weights: Any, state: Any, seats: int, settings: Any, rng_state: Any, desk: Any, diary: Any
) -> int:
    rows, turn = 0, NO_TURNS
    while calls.player(rules, state) != TERMINAL:
        seat = calls.player(rules, state)
        if turn == NO_TURNS or calls.turn(rules, state) != turn:
            turn = calls.turn(rules, state)
            rows = note_turn(rules, state, seats, desk, diary, rows)
            if rows == FULL:
                return FULL
        n = calls.legal(rules, state, desk.legal)
        if n == 1:
            calls.apply(rules, state, desk.legal[0])
            continue
        desk.known[:] = state
        calls.observe(rules, desk.known, seat)
        search(rules, weights, seat, settings, rng_state, desk)
        value = verdict(desk, n, settings.trust)
        if not room_left(diary, rows, desk.sparse.index.size, n):
            return FULL
        calls.features(rules, desk.known, seat, desk.sparse)
        write_row(desk, n, seat, value, diary, rows)
        rows += 1
        calls.apply(rules, state, desk.actions[drawn(desk.chances, n, rng_state)])
    return rows


@cache
def kernel() -> Any:
    """`play(rules, weights, state, seats, settings, rng_state, desk, diary) -> rows`, playing `state` to its end;
    FULL if the diary has no room for it."""
    signature = types.int64(LEARNING_RULES, WEIGHTS, STATE, types.int64, SETTINGS, RNG_STATE, DESK, DIARY)
    return compiled(_play, signature, "learn.self_play")
