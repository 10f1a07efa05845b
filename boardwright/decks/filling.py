"""Filling up a deck within the rules: cards are added in a wished order, as far as every one of them leaves the deck
one that can still become legal."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import Requirements
from boardwright.kernel import compiled, rule, typeof, types

_UNREACHABLE = 1_000_000


class Limits(NamedTuple):
    """Requirements as compiled code sees them."""

    limit: NDArray[np.int64]
    cost: NDArray[np.int64]
    first_is_free: NDArray[np.bool_]
    points: NDArray[np.int64]
    budget: int
    low: int
    high: int

    @classmethod
    def of(cls, requirements: Requirements) -> Limits:
        return cls(
            requirements.limit,
            requirements.cost,
            requirements.first_is_free,
            requirements.points,
            requirements.budget,
            requirements.points_low,
            requirements.points_high,
        )


@rule
def price(limits: Limits, copies: Any, card: int) -> int:
    """What one more copy costs."""
    return 0 if limits.first_is_free[card] and copies[card] == 0 else limits.cost[card]


@rule
def points_can_be_met(limits: Limits, available: Any, points: int, slots: int, fewest: Any) -> bool:
    """Whether cards that cost nothing can still bring the points into range, with the slots that are left.

    `available[v]` is how many copies of v points are left, `fewest` room for one number per sum of points.
    """
    if points > limits.high:
        return False
    if points >= limits.low:
        return True
    missing = limits.high - points
    for total in range(1, missing + 1):
        fewest[total] = _UNREACHABLE
    fewest[0] = 0
    for value in range(1, available.size):
        for _ in range(min(available[value], missing // value)):
            changed = False
            for total in range(missing, value - 1, -1):
                if fewest[total - value] + 1 < fewest[total]:
                    fewest[total] = fewest[total - value] + 1
                    changed = True
            if not changed:
                break
    best = _UNREACHABLE
    for total in range(limits.low - points, missing + 1):
        best = min(best, fewest[total])
    return best <= slots


def _fill(copies: Any, size: int, cards: Any, wanted: Any, limits: Limits) -> int:
    """Walk down `cards`; of each, add copies until the deck has `wanted`, as far as the rules allow."""
    slots, spent, points = size, 0, 0
    highest = 0
    for card in range(copies.size):
        slots -= copies[card]
        points += copies[card] * limits.points[card]
        paid = copies[card] - 1 if limits.first_is_free[card] and copies[card] > 0 else copies[card]
        spent += paid * limits.cost[card]
        highest = max(highest, limits.points[card])
    available = np.zeros(highest + 1, np.int64)
    for card in range(copies.size):
        if limits.cost[card] == 0:
            available[limits.points[card]] += max(limits.limit[card] - copies[card], 0)
    fewest = np.zeros(max(limits.high, 0) + 1, np.int64)
    added = 0
    for place in range(cards.size):
        card = cards[place]
        value = limits.points[card]
        while slots > 0 and copies[card] < min(wanted[place], limits.limit[card]):
            cost = price(limits, copies, card)
            if spent + cost > limits.budget:
                break
            counted = limits.cost[card] == 0
            if counted:
                available[value] -= 1
            if not points_can_be_met(limits, available, points + value, slots - 1, fewest):
                if counted:
                    available[value] += 1
                break
            copies[card] += 1
            slots -= 1
            spent += cost
            points += value
            added += 1
    return added


@cache
def _kernel() -> Any:
    whole = types.int64[::1]
    limits = Limits(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.bool_), np.zeros(1, np.int64), 0, 0, 0)
    return compiled(_fill, types.int64(whole, types.int64, whole, whole, typeof(limits)), "decks.fill")


def fill(
    copies: NDArray[np.int64], size: int, cards: NDArray[np.int64], wanted: NDArray[np.int64], limits: Limits
) -> int:
    """Add cards to `copies` in the order of `cards`, each until there are `wanted` of it. Returns how many were added.

    A card is left out if the deck could not be completed within the rules with it.
    """
    added: int = _kernel()(copies, size, np.ascontiguousarray(cards), np.ascontiguousarray(wanted), limits)
    return added


def fill_by_probability(
    copies: NDArray[np.int64], size: int, at_least: NDArray[Any], limits: Limits
) -> NDArray[np.int64]:
    """The deck that takes the likeliest copies first: `at_least[c, k - 1]` is the chance of at least k copies of c.

    The expected number of cards in common with the true deck is the sum of these chances over what was taken.
    """
    filled = copies.astype(np.int64)
    most = at_least.shape[1]
    cards, copy = np.divmod(np.argsort(-at_least, axis=None, kind="stable"), most)
    fill(filled, size, cards, copy + 1, limits)
    if filled.sum() < size:  # a later copy came before an earlier one that was not legal yet, or the list was too short
        fill(filled, size, cards, limits.limit[cards], limits)
    return filled
