"""Our rule-based player: every action is worth points, now or by estimate, and the best is played.

Points on cards count as they are; shields by the conflicts they may still turn; symbols by what they add to the
science score and may add later; production by how early it comes and whether the city has the good already;
coins at a third of a point or a little more. The estimates were tuned by matches against itself; see docs.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders.building import counted
from boardwright.games.wonders.cards import (
    ANY,
    CHOICE,
    COINS,
    COINS_EACH,
    COLOUR,
    COPY_GUILD,
    COST_COINS,
    DISCOUNT,
    FIRST_GUILD,
    FIXED,
    FREE_BUILD,
    FROM_DISCARDS,
    GREY,
    KINDS,
    NONE,
    PARENTS,
    POINTS,
    POINTS_EACH,
    RAW,
    SCIENTISTS,
    SEVENTH_CARD,
    SHIELDS,
    STAGE_CHOICE,
    STAGE_COINS,
    STAGE_DISCOUNT,
    STAGE_POINTS,
    STAGE_POWER,
    STAGE_SHIELDS,
    STAGE_SYMBOL,
    STAGES,
    SYMBOL,
)
from boardwright.games.wonders.choosing import is_chained, ways_to_build, ways_to_stage
from boardwright.games.wonders.costs import right_for
from boardwright.games.wonders.scoring import science
from boardwright.games.wonders.state import (
    BUILD,
    DEAR,
    DISCARD,
    FREE,
    FROM_PILE,
    NOTHING,
    STAGE,
    kind_in,
    left_of,
    right_of,
    to_left,
    use_of,
)
from boardwright.kernel import Actions, Record, rng, rule

CHILDREN = np.array([sum(int(k) == kind for k in PARENTS.ravel()) for kind in range(KINDS)], np.int64)
"""How many structures a structure makes free."""

WEIGHTS = np.array(
    [
        4.9,  # a raw good the city lacks, in Age I
        3.86,  # a further unit of one it has
        5.76,  # a manufactured good the city lacks
        0.57,  # production in Age II, as a share of that in Age I
        0.17,  # for each structure this one makes free
        3.81,  # a symbol's later worth in Age I
        3.03,  # and in Age II
        0.377,  # a coin
        0.046,  # a coin paid to a neighbour, on top
        0.83,  # a discount on raw goods from one side, or on manufactured ones, in Age I
        2.56,  # the power to build free
        3.1,  # to build from the discards
        8.0,  # to play the seventh card
        5.76,  # to copy a guild
        2.25,  # how sure a lead in shields is to last, for each Age to come
        3.58,  # by how many shields a conflict is surely won
        0.51,  # a stage beyond what it gives
        0.075,  # what a tucked or discarded card would have been worth, as a share
        2.6,  # what a guild may still gain
    ]
)
(
    W_RAW,
    W_MORE,
    W_MADE,
    W_AGE_TWO,
    W_CHAIN,
    W_SYMBOL_ONE,
    W_SYMBOL_TWO,
    W_COIN,
    W_RIVAL,
    W_DISCOUNT,
    W_FREE,
    W_DIG,
    W_SEVENTH,
    W_COPY,
    W_LASTING,
    W_SURE,
    W_STAGE,
    W_DENY,
    W_GUILD,
) = range(len(WEIGHTS))


@rule
def chance_to_win(lead: float, sure: float) -> float:
    return min(1.0, max(0.0, 0.5 + 0.5 * lead / sure))


@rule
def shields_worth(s: Record, seat: int, more: int, w: Actions) -> float:
    """What more shields change in the conflicts to come."""
    own = s.city[seat].shields
    worth = 0.0
    for side in range(2):
        rival = s.city[left_of(s, seat) if side == 0 else right_of(s, seat)].shields
        weight = 1.0
        for age in range(s.age, 3):
            swing = chance_to_win(own + more - rival, w[W_SURE]) - chance_to_win(own - rival, w[W_SURE])
            worth += weight * swing * (2 + 2 * age)  # the token, and the defeat avoided
            weight *= w[W_LASTING] * 0.6
    return worth


@rule
def symbol_worth(s: Record, seat: int, symbol: int, w: Actions) -> float:
    have = s.city[seat].symbols
    a, b, c, free = have[0], have[1], have[2], have[ANY]
    now = science(a, b, c, free)
    after = science(a + (symbol == 0), b + (symbol == 1), c + (symbol == 2), free + (symbol == ANY))
    later = w[W_SYMBOL_ONE] if s.age == 0 else w[W_SYMBOL_TWO] if s.age == 1 else 0.0
    return after - now + later


@rule
def goods_wane(s: Record, w: Actions) -> float:
    """Production is worth less the later it is, before Age III."""
    late = s.turn / 6.0
    return 1.0 - 0.3 * late if s.age == 0 else w[W_AGE_TWO] * (1.0 - 0.7 * late)


@rule
def goods_worth(s: Record, seat: int, fixed: int, choice: int, w: Actions) -> float:
    """Production: what the city lacks counts most, and early."""
    if s.age == 2:
        return 0.0
    city = s.city[seat]
    worth = 0.0
    for good in range(7):
        units = fixed >> (8 * good) & 127
        offered = choice >> good & 1
        if units or offered:
            has = city.goods >> (8 * good) & 127 or city.makes >> good & 1
            first = w[W_RAW] if good < RAW else w[W_MADE]
            gain = w[W_MORE] if has else first
            if not good < RAW and has:
                gain = 0.0
            if units > 1:
                gain += w[W_MORE] * 0.8
            if offered:
                worth = max(worth, gain) + 0.35 * min(worth, gain)
            else:
                worth += gain
    return worth * goods_wane(s, w)


@rule
def discount_worth(s: Record, seat: int, discount: int, w: Actions) -> float:
    fresh = discount & ~s.city[seat].discounts
    number = (fresh & 1) + (fresh >> 1 & 1) + (0.5 * (fresh >> 2 & 1) + 0.5 * (fresh >> 3 & 1))
    return number * w[W_DISCOUNT] * (1.0 - 0.4 * s.age)


@rule
def structure_worth(s: Record, seat: int, kind: int, w: Actions) -> float:
    """What a structure would be worth in this city, its cost left aside."""
    worth = 1.0 * POINTS[kind]
    if SHIELDS[kind]:
        worth += shields_worth(s, seat, SHIELDS[kind], w)
    if SYMBOL[kind] != NONE:
        worth += symbol_worth(s, seat, SYMBOL[kind], w)
    if FIXED[kind] or CHOICE[kind]:
        worth += goods_worth(s, seat, FIXED[kind], CHOICE[kind], w)
    if DISCOUNT[kind]:
        worth += discount_worth(s, seat, DISCOUNT[kind], w)
    coins = COINS[kind]
    if COINS_EACH[kind] or POINTS_EACH[kind]:
        number = counted(s, seat, kind)
        if kind < FIRST_GUILD and s.age == 2 and COLOUR[kind] > GREY:
            number += 1  # itself, or something still to come
        coins += COINS_EACH[kind] * number
        worth += POINTS_EACH[kind] * number
    if kind >= FIRST_GUILD and kind != SCIENTISTS:
        worth += w[W_GUILD]
    worth += coins * w[W_COIN]
    if s.age < 2:
        worth += CHILDREN[kind] * w[W_CHAIN]
    return worth


@rule
def next_stage_worth(s: Record, seat: int, w: Actions) -> float:
    city = s.city[seat]
    return stage_worth(s, seat, w) if city.stages < STAGES[city.board, city.side] else 0.0


@rule
def stage_worth(s: Record, seat: int, w: Actions) -> float:
    city = s.city[seat]
    at = city.stages
    worth = w[W_STAGE] + STAGE_POINTS[city.board, city.side, at] + STAGE_COINS[city.board, city.side, at] * w[W_COIN]
    if STAGE_SHIELDS[city.board, city.side, at]:
        worth += shields_worth(s, seat, STAGE_SHIELDS[city.board, city.side, at], w)
    if STAGE_SYMBOL[city.board, city.side, at] != NONE:
        worth += symbol_worth(s, seat, STAGE_SYMBOL[city.board, city.side, at], w)
    if STAGE_CHOICE[city.board, city.side, at]:
        worth += goods_worth(s, seat, 0, STAGE_CHOICE[city.board, city.side, at], w)
    worth += discount_worth(s, seat, STAGE_DISCOUNT[city.board, city.side, at], w)
    return worth + power_worth(s, STAGE_POWER[city.board, city.side, at], w)


@rule
def power_worth(s: Record, power: int, w: Actions) -> float:
    """What the power of a stage is worth; those that work once an Age are worth more the earlier."""
    if power == FREE_BUILD:
        return w[W_FREE] * (3 - s.age) / 2.0
    if power == FROM_DISCARDS:
        return w[W_DIG]
    if power == SEVENTH_CARD:
        return w[W_SEVENTH] * (3 - s.age) / 2.0
    return w[W_COPY] if power == COPY_GUILD else 0.0


@rule
def action_worth(s: Record, seat: int, action: int, card: float, stage: float, w: Actions) -> float:
    """What an action is worth before neighbours are paid; `card` and `stage` are what its card would be worth in the
    city, and what the next stage would be."""
    use = use_of(action)
    if use in (FREE, FROM_PILE):
        return card - (0.5 if use == FREE and s.turn < 5 else 0.0)
    if use == BUILD:
        kind = kind_in(action)
        cost = 1.0 if action >= DEAR else 0.0
        if COST_COINS[kind] and not is_chained(s, seat, kind):
            cost += COST_COINS[kind]
        return card - cost * w[W_COIN]
    if use == STAGE:
        return stage - w[W_DENY] * card
    if use == DISCARD:
        return 3 * w[W_COIN] - w[W_DENY] * card
    return 0.0


@rule
def price(s: Record, seat: int, action: int, w: Actions) -> float:
    """What is paid to neighbours, in points."""
    left, right = payments(s, seat, action)
    return (left + right) * (w[W_COIN] + w[W_RIVAL])


@rule
def best_action(s: Record, actions: Actions, n: int, rng_state: rng.RngState, w: Actions) -> int:
    """The action that is worth most; of equal ones any.

    The actions of a card stand together, so it is weighed once; and what is not best before paying need not be paid
    for. Both together make playouts half as long again.
    """
    seat = s.mover
    stage = next_stage_worth(s, seat, w)
    before, card = NONE, 0.0
    best, most, ties = 0, -1e9, 0
    for i in range(n):
        if actions[i] != NOTHING and kind_in(actions[i]) != before:
            before = kind_in(actions[i])
            card = structure_worth(s, seat, before, w)
        worth = action_worth(s, seat, actions[i], card, stage, w)
        if worth <= most - 1e-9:
            continue
        worth -= price(s, seat, actions[i], w)
        if worth > most + 1e-9:
            best, most, ties = i, worth, 1
        elif worth > most - 1e-9:
            ties += 1
            if rng.below(rng_state, ties) == 0:
                best = i
    return actions[best]


@rule
def payments(s: Record, seat: int, action: int) -> tuple[int, int]:
    """What an action pays to the left and to the right."""
    left = to_left(action)
    use = use_of(action)
    if use == BUILD:
        return left, right_for(ways_to_build(s, seat, kind_in(action)), left)
    if use == STAGE:
        return left, right_for(ways_to_stage(s, seat), left)
    return 0, 0


@rule
def heuristic(s: Record, actions: Actions, n: int, rng_state: rng.RngState) -> int:
    return best_action(s, actions, n, rng_state, WEIGHTS)
