"""The players of Madrid's report: RANDOM, RBAI1, RBAI2 and LEARNER, as described and as coded.

All share one frame: a card that can be built is built, if the player's rule names one; a wonder stage is a last
resort, and after that a discard. His code departs from the description in the ways that `as_coded` switches on;
its slips in the rules of the game are options of the game (state.py).
"""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders.building import counted
from boardwright.games.wonders.cards import (
    BLUE,
    CHOICE,
    COLOUR,
    FIXED,
    GREEN,
    GREY,
    POINTS,
    POINTS_EACH,
    PURPLE,
    RAW,
    RED,
    SHIELDS,
    YELLOW,
)
from boardwright.games.wonders.state import BUILD, DISCARD, FREE, FROM_PILE, STAGE, kind_in, left_of, right_of, use_of
from boardwright.kernel import Actions, Record, rng, rule

RANDOM, RBAI1, RBAI2, LEARNER = range(4)
_ORDER = np.array([[1, 2, 3, 4, 5], [5, 1, 4, 2, 3]], np.int64)
"""The order in which RBAI1 and RBAI2 try their rules."""


@rule
def is_build(action: int) -> bool:
    use = use_of(action)
    return use in (BUILD, FREE, FROM_PILE)


@rule
def raw_units(kind: int) -> int:
    """Raw goods a card shows."""
    total = 0
    for good in range(RAW):
        total += (FIXED[kind] >> (8 * good) & 127) + (CHOICE[kind] >> good & 1)
    return total


@rule
def makes(s: Record, seat: int, good: int) -> bool:
    city = s.city[seat]
    return (city.goods >> (8 * good) & 127) + (city.makes >> good & 1) > 0


@rule
def nobody_makes(s: Record, seat: int, kind: int) -> bool:
    """Whether a card gives some good that neither this city nor a neighbour makes."""
    found = False
    for good in range(7):
        if FIXED[kind] >> (8 * good) & 127 or CHOICE[kind] >> good & 1:
            around = makes(s, left_of(s, seat), good) or makes(s, right_of(s, seat), good)
            found = found or not (around or makes(s, seat, good))
    return found


@rule
def fits(s: Record, seat: int, number: int, kind: int, as_coded: int) -> bool:
    """Whether a rule of the expert system names a card; rule 4 is a comparison and comes later."""
    colour = COLOUR[kind]
    if number == 1:
        if as_coded:
            return (colour <= GREY or colour == YELLOW) and raw_units(kind) > 1
        return CHOICE[kind] & 15 != 0 and raw_units(kind) > 1
    if number == 2:
        return colour <= GREY and (as_coded != 0 or nobody_makes(s, seat, kind))
    if number == 3:
        if colour != RED:
            return False
        own = s.city[seat].shields
        left, right = s.city[left_of(s, seat)].shields, s.city[right_of(s, seat)].shields
        behind = own < left or own < right
        return own + SHIELDS[kind] > max(left, right) and (behind or as_coded == 0)
    return colour == GREEN


@rule
def points_now(s: Record, seat: int, kind: int) -> int:
    """Victory points of a blue, yellow or purple card, counted as of now."""
    colour = COLOUR[kind]
    if colour not in (BLUE, YELLOW, PURPLE):
        return 0
    return POINTS[kind] + POINTS_EACH[kind] * counted(s, seat, kind)


@rule
def pick(words: rng.Words, seen: int) -> bool:
    """Whether the candidate just seen, the seen-th, replaces the one kept: keeps each as likely."""
    return rng.below(words, seen) == 0


@rule
def by_rules(s: Record, actions: Actions, n: int, words: rng.Words, order: int, as_coded: int) -> int:
    """The action that the first rule with candidates names, or -1."""
    seat = s.mover
    for step in range(5):
        number = _ORDER[order, step]
        chosen, seen, most = -1, 0, 0
        for i in range(n):
            if not is_build(actions[i]):
                continue
            kind = kind_in(actions[i])
            if number == 4:
                points = points_now(s, seat, kind)
                if points > most:
                    chosen, most = actions[i], points
            elif fits(s, seat, number, kind, as_coded):
                seen += 1
                if pick(words, seen):
                    chosen = actions[i]
        if chosen >= 0:
            return chosen
    return -1


@rule
def madrid(s: Record, actions: Actions, n: int, words: rng.Words, who: int, as_coded: int, values: Actions) -> int:
    """The choice of one of Madrid's players; `values` is the LEARNER's table."""
    playable, chosen = 0, -1
    best = -1e18
    for i in range(n):
        if is_build(actions[i]):
            playable += 1
            if who == RANDOM and pick(words, playable):
                chosen = actions[i]
            elif who == LEARNER and values[kind_in(actions[i])] > best:
                chosen, best = actions[i], values[kind_in(actions[i])]
    if who in (RBAI1, RBAI2) and playable:
        chosen = by_rules(s, actions, n, words, who - RBAI1, as_coded)
    if chosen >= 0:
        return chosen
    stages = not (as_coded and playable)
    found = 0
    for wanted in (STAGE, DISCARD):
        if wanted == STAGE and not stages:
            continue
        for i in range(n):
            if use_of(actions[i]) == wanted:
                found += 1
                if pick(words, found):
                    chosen = actions[i]
        if found:
            return chosen
    return actions[n - 1]
