"""How good a position is for each seat: the points it has, and those that it may expect of the rest.

The estimates are those of the rule-based player (policies.py), summed over what stands in a city. MaxN evaluates
positions by this. A choice shows only when the turn is resolved, so MaxN should look at least as many plies ahead as
there are seats that have yet to choose.
"""

from __future__ import annotations

import math

import numpy as np

from boardwright.games.wonders import cards, policies
from boardwright.games.wonders.scoring import FOR_BEATEN, FOR_FIRST, coins_points, returns, total
from boardwright.games.wonders.state import FINISHED, READY, left_of, right_of
from boardwright.kernel import MAX_SEATS, Record, Returns, rule

SPREAD_AT_END, SPREAD_PER_TURN = 3.0, 0.6
"""In points. Fitted to who beat whom in 500 four-seat games, 250 of them with three random moves in ten."""


@rule
def conflicts_to_come(s: Record, seat: int) -> float:
    """Tokens expected of both neighbours, if the lead of today lasts as leads do."""
    worth = 0.0
    for side in range(2):
        rival = left_of(s, seat) if side == 0 else right_of(s, seat)
        chance = policies.chance_to_win(s.city[seat].shields - s.city[rival].shields, policies.WEIGHTS[policies.W_SURE])
        weight = 1.0
        for age in range(s.age, cards.AGES):
            worth += weight * (chance * (2 + 2 * age) - 1)  # the token won, or the defeat
            weight *= min(1.0, policies.WEIGHTS[policies.W_LASTING] * policies.LASTING_SCALE)
    return worth


@rule
def production(s: Record, seat: int) -> float:
    """What the goods of a city are worth for what it may still build."""
    if s.age == cards.AGE_THREE:
        return 0.0
    city = s.city[seat]
    worth = 0.0
    for good in range(cards.NUM_GOODS):
        units = city.goods >> (cards.GOOD_BITS * good) & cards.UNIT_MASK
        if units or city.makes >> good & 1:
            worth += policies.WEIGHTS[policies.W_RAW] if good < cards.RAW else policies.WEIGHTS[policies.W_MADE]
            if good < cards.RAW and units > 1:
                worth += policies.WEIGHTS[policies.W_MORE] * policies.SECOND_UNIT * (units - 1)
    discounts = city.discounts
    kinds = (
        (discounts & 1) + (discounts >> 1 & 1) + policies.SMALL_DISCOUNT * ((discounts >> 2 & 1) + (discounts >> 3 & 1))
    )
    return worth * policies.goods_wane(s, policies.WEIGHTS) + kinds * policies.WEIGHTS[policies.W_DISCOUNT] * (
        1.0 - policies.DISCOUNT_WANE * s.age
    )


@rule
def prospects(s: Record, seat: int) -> float:
    """What symbols, chains, guilds and powers may still bring."""
    city = s.city[seat]
    later = (
        policies.WEIGHTS[policies.W_SYMBOL_ONE]
        if s.age == cards.AGE_ONE
        else policies.WEIGHTS[policies.W_SYMBOL_TWO]
        if s.age == cards.AGE_TWO
        else 0.0
    )
    worth = later * (city.symbols[0] + city.symbols[1] + city.symbols[2] + city.symbols[3])
    worth += policies.WEIGHTS[policies.W_GUILD] * city.colours[cards.PURPLE]
    if s.age < cards.AGE_THREE:
        for kind in policies.PARENTS:
            if city.built[kind]:
                worth += policies.WEIGHTS[policies.W_CHAIN] * policies.CHILDREN[kind]
    if city.free_build == READY:
        worth += policies.power_worth(s, cards.FREE_BUILD, policies.WEIGHTS)
    for stage in range(city.stages):
        power = cards.STAGE_POWER[city.board, city.side, stage]
        if power in (cards.SEVENTH_CARD, cards.COPY_GUILD):
            worth += policies.power_worth(s, power, policies.WEIGHTS)
    return worth


@rule
def worth_of(s: Record, seat: int) -> float:
    """A seat's points, and before the end what it may expect beyond them."""
    worth = 1.0 * total(s, seat)
    if s.phase == FINISHED:
        return worth
    coins = s.city[seat].coins
    worth += coins * policies.WEIGHTS[policies.W_COIN] - coins_points(coins)
    return worth + conflicts_to_come(s, seat) + production(s, seat) + prospects(s, seat)


@rule
def spread(s: Record) -> float:
    """How far apart two worths must be to matter much: final scores scatter less the fewer turns are left."""
    turns_left = (cards.AGE_THREE - s.age) * cards.TURNS + (cards.TURNS - s.turn)
    return SPREAD_AT_END + SPREAD_PER_TURN * turns_left


@rule
def expected_returns(s: Record, out: Returns) -> None:
    """The returns to be expected: half for the chance to come first, half for the opponents likely to be beaten.

    Both follow from the differences in worth: a softmax for the first place, a logistic curve for each opponent.
    """
    if s.phase == FINISHED:
        returns(s, out)
        return
    worths = np.zeros(MAX_SEATS)
    best = -1e9
    for seat in range(s.seats):
        worths[seat] = worth_of(s, seat)
        best = max(best, worths[seat])
    for seat in range(s.seats):
        out[seat] = expected_return(s, seat, worths, best)


@rule
def expected_return(s: Record, seat: int, worths: Returns, best: float) -> float:
    """Of one seat before the end, by the worths of all and the best of them."""
    unit = spread(s)
    everyone, beaten = 0.0, 0.0
    for other in range(s.seats):
        everyone += math.exp((worths[other] - best) / unit)
        if other != seat:
            beaten += 1.0 / (1.0 + math.exp((worths[other] - worths[seat]) / unit))
    first = math.exp((worths[seat] - best) / unit) / everyone
    return FOR_FIRST * first + FOR_BEATEN * beaten / (s.seats - 1)


@rule
def quiescent(s: Record) -> bool:
    """Whether a position can be evaluated: between turns, when no choice waits for others."""
    waiting = False
    for seat in range(s.seats):
        waiting |= s.chosen[seat] >= 0
    return not waiting
