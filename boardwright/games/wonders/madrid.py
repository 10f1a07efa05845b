"""The players of Madrid's report: RANDOM, RBAI1, RBAI2 and LEARNER, as described and as coded.

All share one frame: a card that can be built is built, if the player's rule names one; a wonder stage is a last
resort, and after that a discard. His code departs from the description in the ways that `as_coded` switches on;
its slips in the rules of the game are options of the game (slips.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boardwright.games.wonders import cards as tables
from boardwright.games.wonders import state
from boardwright.games.wonders.building import counted
from boardwright.games.wonders.slips import DOUBLE_COINS
from boardwright.kernel import Actions, Record, rng, rule

RANDOM, RBAI1, RBAI2, LEARNER = range(4)

SEVERAL_GOODS, NEW_GOODS, MORE_SHIELDS, MOST_POINTS, SCIENCE = range(5)
"""The rules of the expert systems: a card of several goods; goods that nobody around makes; shields that take the lead;
the card with most points, which is the one rule that compares cards; science."""
_ORDER = np.array(
    [
        [SEVERAL_GOODS, NEW_GOODS, MORE_SHIELDS, MOST_POINTS, SCIENCE],
        [SCIENCE, SEVERAL_GOODS, MOST_POINTS, NEW_GOODS, MORE_SHIELDS],
    ],
    np.int64,
)
"""The order in which RBAI1 and RBAI2 try them."""

Flags = NDArray[np.bool_]


@rule
def is_build(action: int) -> bool:
    use = state.use_of(action)
    return use in (state.BUILD, state.FREE, state.FROM_PILE) and action < state.DEAR


@rule
def raw_units(kind: int) -> int:
    """Raw goods a card shows."""
    total = 0
    for good in range(tables.RAW):
        total += (tables.FIXED[kind] >> (tables.GOOD_BITS * good) & tables.UNIT_MASK) + (
            tables.CHOICE[kind] >> good & 1
        )
    return total


@rule
def gives(kind: int, good: int) -> bool:
    """Whether a card gives a good, for certain or by choice."""
    return (tables.FIXED[kind] >> (tables.GOOD_BITS * good) & tables.UNIT_MASK) + (tables.CHOICE[kind] >> good & 1) > 0


@rule
def different_goods(kind: int) -> int:
    """How many goods a card gives one of: two for an A/B card, three for a Forum, none for a Palace."""
    total = 0
    for good in range(tables.NUM_GOODS):
        total += gives(kind, good)
    return total


@rule
def makes(s: Record, seat: int, good: int) -> bool:
    city = s.city[seat]
    return (city.goods >> (tables.GOOD_BITS * good) & tables.UNIT_MASK) + (city.makes >> good & 1) > 0


@rule
def nobody_makes(s: Record, seat: int, kind: int) -> bool:
    """Whether a card gives some good that neither this city nor a neighbour makes."""
    found = False
    for good in range(tables.NUM_GOODS):
        if gives(kind, good):
            around = makes(s, state.left_of(s, seat), good) or makes(s, state.right_of(s, seat), good)
            found = found or not (around or makes(s, seat, good))
    return found


@rule
def fits(s: Record, seat: int, number: int, kind: int, as_coded: int) -> bool:
    """Whether a rule of the expert system names a card."""
    colour = tables.COLOUR[kind]
    if number == SEVERAL_GOODS:
        if as_coded:
            return (colour <= tables.GREY or colour == tables.YELLOW) and raw_units(kind) > 1
        return different_goods(kind) > 1
    if number == NEW_GOODS:
        return colour <= tables.GREY if as_coded else nobody_makes(s, seat, kind)
    if number == MORE_SHIELDS:
        if colour != tables.RED:
            return False
        own = s.city[seat].shields
        left, right = s.city[state.left_of(s, seat)].shields, s.city[state.right_of(s, seat)].shields
        behind = own < left or own < right
        return own + tables.SHIELDS[kind] > max(left, right) and (behind or as_coded == 0)
    return colour == tables.GREEN


@rule
def points_now(s: Record, seat: int, kind: int) -> int:
    """Victory points of a blue, yellow or purple card, counted as of now."""
    colour = tables.COLOUR[kind]
    if colour not in (tables.BLUE, tables.YELLOW, tables.PURPLE):
        return 0
    return tables.POINTS[kind] + tables.POINTS_EACH[kind] * counted(s, seat, kind)


@rule
def mixed(number: int) -> int:
    """A number that looks random and depends on the given one only."""
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, number)
    return rng.below(rng_state, 1 << 31)


@rule
def seed_of(s: Record) -> int:
    """His program has one seed for a game. Here the boards stand for it, which all seats see from start to end."""
    number = 0
    for seat in range(s.seats):
        number = number * 16 + 2 * s.city[seat].board + s.city[seat].side + 1
    return number


@rule
def place_in_hand(s: Record, kind: int) -> int:
    """His hands keep the order in which they were dealt. Ours have none, so each packet gets one that never changes."""
    return mixed(((seed_of(s) * 4 + s.age) * 8 + state.packet_of(s, s.mover)) * 128 + kind)


@rule
def nth_in_hand(s: Record, actions: Actions, wanted: Flags, n: int, nth: int) -> int:
    """The nth of the wanted actions in the order of the hand; of one card's actions the first stands for it."""
    last = -1
    for _ in range(nth + 1):
        best, place = -1, 1 << 40
        for i in range(n):
            if wanted[i]:
                here = place_in_hand(s, state.kind_in(actions[i]))
                if last < here < place:
                    best, place = i, here
        last = place
    return actions[best]


@rule
def any_of(s: Record, actions: Actions, wanted: Flags, n: int, rng_state: rng.RngState, as_coded: int) -> int:
    """One of the cards of the wanted actions at random, then one of the ways to pay it; -1 if there is none. As coded,
    every choice of a game begins with the same seed: among the same number of cards it is always the one in the same
    place."""
    cards, ways, chosen, before = 0, 0, -1, -1
    for i in range(n):
        if not wanted[i]:
            continue
        kind = state.kind_in(actions[i])  # the actions of a card stand together
        if kind != before:
            cards, ways, before = cards + 1, 0, kind
            if rng.below(rng_state, cards) == 0:
                chosen = actions[i]
        ways += 1
        if ways > 1 and state.kind_in(chosen) == kind and rng.below(rng_state, ways) == 0:
            chosen = actions[i]
    if not as_coded or chosen < 0:
        return chosen
    return nth_in_hand(s, actions, wanted, n, mixed(seed_of(s) * 16 + cards) % cards)


@rule
def by_rules(s: Record, actions: Actions, n: int, rng_state: rng.RngState, order: int, as_coded: int) -> int:
    """The action that the first rule with candidates names, or -1."""
    seat = s.mover
    named = np.zeros(n, np.bool_)
    for step in range(_ORDER.shape[1]):
        number = _ORDER[order, step]
        chosen, most = -1, 0
        for i in range(n):
            kind = state.kind_in(actions[i])
            named[i] = False
            if not is_build(actions[i]):
                continue
            if number != MOST_POINTS:
                named[i] = fits(s, seat, number, kind, as_coded)
            elif points_now(s, seat, kind) > most:
                chosen, most = actions[i], points_now(s, seat, kind)
        if number != MOST_POINTS:
            chosen = any_of(s, actions, named, n, rng_state, as_coded)
        if chosen >= 0:
            return chosen
    return -1


@rule
def loses_a_coin(s: Record, actions: Actions, builds: Flags, n: int) -> bool:
    """Whether the first card of the hand that can be built costs a coin, which RBAI loses whatever it builds."""
    if s.phase == state.DIG or not s.slips & DOUBLE_COINS:
        return False
    return tables.COST_COINS[state.kind_in(nth_in_hand(s, actions, builds, n, 0))] == 1


@rule
def madrid(
    s: Record, actions: Actions, n: int, rng_state: rng.RngState, who: int, as_coded: int, values: Actions
) -> int:
    """The choice of one of Madrid's players; `values` is the LEARNER's table."""
    builds = np.zeros(n, np.bool_)
    playable, chosen = False, -1
    best = -1e18
    for i in range(n):
        builds[i] = is_build(actions[i])
        playable |= builds[i]
        if builds[i] and who == LEARNER and values[state.kind_in(actions[i])] > best:
            chosen, best = actions[i], values[state.kind_in(actions[i])]
    if who == RANDOM:
        chosen = any_of(s, actions, builds, n, rng_state, as_coded)
    elif who != LEARNER and playable:
        chosen = by_rules(s, actions, n, rng_state, who - RBAI1, as_coded)
        if as_coded and chosen >= 0 and loses_a_coin(s, actions, builds, n):
            chosen += state.DEAR
    if chosen >= 0:
        return chosen
    return without_building(s, actions, n, rng_state, as_coded, playable)


@rule
def without_building(
    s: Record, actions: Actions, n: int, rng_state: rng.RngState, as_coded: int, playable: bool
) -> int:
    """A stage, else a discard, with any card; as coded, no stage while a card can be built, and the first card of the
    hand instead of any."""
    wanted = np.zeros(n, np.bool_)
    for use in (state.STAGE, state.DISCARD):
        if use == state.STAGE and as_coded and playable:
            continue
        found = False
        for i in range(n):
            wanted[i] = state.use_of(actions[i]) == use
            found |= wanted[i]
        if found:
            return nth_in_hand(s, actions, wanted, n, 0) if as_coded else any_of(s, actions, wanted, n, rng_state, 0)
    return actions[n - 1]
