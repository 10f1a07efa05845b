"""Playouts that leave a trace and learn: which actions were played, and how games went in which they were.

`ActionValues` holds the mean return of an action over all playouts in which it was played (MAST: Finnsson and
Björnsson, 2008), and of an action after another one (N-gram selection: Tak, Winands and Björnsson, 2012). A playout
takes the action of the best mean, or with the probability `epsilon` the one that its own policy chooses.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import rng
from boardwright.kernel.declare import rule

LONGEST_TRACE = 4096
"""Actions of a playout that are remembered; it goes on without."""
PAIRS = 1 << 16
"""Entries for pairs of actions; pairs share entries where there are more."""
KNOWN = 7
"""A pair counts when it was played so often (the authors' value)."""


class Trace(NamedTuple):
    """The actions of a playout, in order."""

    action: Any
    mover: Any
    length: Any

    @classmethod
    def with_room_for(cls, actions: int) -> Trace:
        return cls(np.zeros(actions, np.int32), np.zeros(actions, np.int8), np.zeros(1, np.int64))


class ActionValues(NamedTuple):
    """Visits and sums of returns: first of each action of each seat, then of pairs of actions."""

    visits: Any
    total: Any
    settings: Any
    """The probability of the policy's own choice, whether pairs count, the lowest return, and the highest."""

    @classmethod
    def sized(cls, singles: int, pairs: int, epsilon: float, low: float, high: float) -> ActionValues:
        settings = np.array([epsilon, pairs > 0, low, high])
        return cls(np.zeros(singles + pairs, np.int32), np.zeros(singles + pairs, np.float64), settings)


@rule
def remember(trace: Any, mover: int, action: int) -> None:
    length = trace.length[0]
    if length < trace.action.size:
        trace.action[length] = action
        trace.mover[length] = mover
        trace.length[0] = length + 1


@rule
def single(num_actions: int, mover: int, action: int) -> int:
    return int(mover) * num_actions + action


@rule
def pair(values: Any, mover: int, previous: int, action: int) -> int:
    """The entry of an action after the one before it, whoever played that."""
    mixed = int(mover) * 0x9E3779B1 + int(previous) * 0x85EBCA6B + int(action) * 0xC2B2AE35
    mixed ^= mixed >> 15
    return values.visits.size - PAIRS + (mixed & (PAIRS - 1))


@rule
def value_of(values: Any, num_actions: int, mover: int, previous: int, action: int) -> float:
    """The mean return of an action, averaged with that of the pair if that is known. One never played comes first."""
    entry = single(num_actions, mover, action)
    visits = values.visits[entry]
    if visits == 0:
        return values.settings[3]
    value = values.total[entry] / visits
    if values.settings[1] and previous >= 0:
        entry = pair(values, mover, previous, action)
        if values.visits[entry] >= KNOWN:
            value = 0.5 * (value + values.total[entry] / values.visits[entry])
    return value


@rule
def best_known(values: Any, num_actions: int, mover: int, previous: int, actions: Any, n: int, rng_state: Any) -> int:
    """The legal action of the best mean; of equals one at random."""
    best, best_value, equals = actions[0], -math.inf, 0
    for i in range(n):
        value = value_of(values, num_actions, mover, previous, actions[i])
        if value > best_value:
            best, best_value, equals = actions[i], value, 1
        elif value == best_value:
            equals += 1
            if rng.below(rng_state, equals) == 0:
                best = actions[i]
    return best


@rule
def learn(values: Any, num_actions: int, mover: int, previous: int, action: int, result: float) -> None:
    entry = single(num_actions, mover, action)
    values.visits[entry] += 1
    values.total[entry] += result
    if values.settings[1] and previous >= 0:
        entry = pair(values, mover, previous, action)
        values.visits[entry] += 1
        values.total[entry] += result
