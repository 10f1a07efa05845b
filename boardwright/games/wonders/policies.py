"""Our rule-based player, which is also a rollout policy: it estimates what every action is worth in points and plays
the best.

Points on cards count as they are; shields by the conflicts they may still turn; symbols by what they add to the
science score and may add later; production by how early it comes and whether the city has the good already;
coins at a third of a point or a little more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boardwright.games.wonders import cards, state
from boardwright.games.wonders.building import COINS_FOR_A_DISCARD, counted
from boardwright.games.wonders.choosing import is_chained, ways_to_build, ways_to_stage
from boardwright.games.wonders.costs import right_for
from boardwright.games.wonders.scoring import science
from boardwright.kernel import Actions, Record, rng, rule

CHILDREN = np.array([sum(int(k) == kind for k in cards.PARENTS.ravel()) for kind in range(cards.KINDS)], np.int64)
"""How many structures a structure makes free."""
PARENTS = np.flatnonzero(CHILDREN)
"""Those that make some free."""

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
"""Found by a random search of 130 steps of 10,000 games; a change was kept if it did better both against four
`madrid_random` and against four copies of an earlier self (docs/wonders.md, "Strength")."""
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

# Set by hand and left out of the search.
LASTING_SCALE = 0.6  # of W_LASTING
WANE_IN_AGE_ONE, WANE_IN_AGE_TWO = 0.3, 0.7  # the share of production's worth that is gone at the end of the Age
SECOND_UNIT = 0.8  # of a card that shows a good twice, as a share of W_MORE
SECOND_CHOICE = 0.35  # the weaker good of an A/B card, as a share of its worth
DISCOUNT_WANE = 0.4  # the share of a discount's worth that is gone with each Age
SMALL_DISCOUNT = 0.5  # a discount on manufactured goods from one side, as a share of one on raw goods
FREE_BUILD_LATER = 0.5  # what keeping Olympia's free build for a later turn is worth, in points
PER_AGES = 2.0  # W_FREE and W_SEVENTH are what these powers are worth in two Ages

_TIE = 1e-9  # worths that differ by less are equal

Weights = NDArray[np.float64]


@rule
def chance_to_win(lead: float, sure: float) -> float:
    """Of a conflict with that lead in shields; a lead of `sure` wins for certain."""
    return min(1.0, max(0.0, 0.5 + 0.5 * lead / sure))


@rule
def shields_worth(s: Record, seat: int, more: int, w: Weights) -> float:
    """What more shields change in the conflicts to come."""
    own = s.city[seat].shields
    worth = 0.0
    for side in range(2):
        rival = s.city[state.left_of(s, seat) if side == 0 else state.right_of(s, seat)].shields
        weight = 1.0
        for age in range(s.age, cards.AGES):
            swing = chance_to_win(own + more - rival, w[W_SURE]) - chance_to_win(own - rival, w[W_SURE])
            worth += weight * swing * (2 + 2 * age)  # the token, and the defeat avoided
            weight *= w[W_LASTING] * LASTING_SCALE
    return worth


@rule
def symbol_worth(s: Record, seat: int, symbol: int, w: Weights) -> float:
    have = s.city[seat].symbols
    a, b, c, free = have[0], have[1], have[2], have[cards.ANY]
    now = science(a, b, c, free)
    after = science(a + (symbol == 0), b + (symbol == 1), c + (symbol == 2), free + (symbol == cards.ANY))
    later = w[W_SYMBOL_ONE] if s.age == cards.AGE_ONE else w[W_SYMBOL_TWO] if s.age == cards.AGE_TWO else 0.0
    return after - now + later


@rule
def goods_wane(s: Record, w: Weights) -> float:
    """Production is worth less the later it comes. In Age III it is worth nothing, which callers see to."""
    late = s.turn / cards.TURNS
    return 1.0 - WANE_IN_AGE_ONE * late if s.age == cards.AGE_ONE else w[W_AGE_TWO] * (1.0 - WANE_IN_AGE_TWO * late)


@rule
def goods_worth(s: Record, seat: int, fixed: int, choice: int, w: Weights) -> float:
    """Production: what the city lacks counts most, and early."""
    if s.age == cards.AGE_THREE:
        return 0.0
    city = s.city[seat]
    worth = 0.0
    for good in range(cards.NUM_GOODS):
        units = fixed >> (cards.GOOD_BITS * good) & cards.UNIT_MASK
        offered = choice >> good & 1
        if units or offered:
            has = city.goods >> (cards.GOOD_BITS * good) & cards.UNIT_MASK or city.makes >> good & 1
            first = w[W_RAW] if good < cards.RAW else w[W_MADE]
            gain = w[W_MORE] if has else first
            if not good < cards.RAW and has:
                gain = 0.0
            if units > 1:
                gain += w[W_MORE] * SECOND_UNIT
            if offered:
                worth = max(worth, gain) + SECOND_CHOICE * min(worth, gain)
            else:
                worth += gain
    return worth * goods_wane(s, w)


@rule
def discount_worth(s: Record, seat: int, discount: int, w: Weights) -> float:
    fresh = discount & ~s.city[seat].discounts
    number = (fresh & 1) + (fresh >> 1 & 1) + (SMALL_DISCOUNT * (fresh >> 2 & 1) + SMALL_DISCOUNT * (fresh >> 3 & 1))
    return number * w[W_DISCOUNT] * (1.0 - DISCOUNT_WANE * s.age)


@rule
def structure_worth(s: Record, seat: int, kind: int, w: Weights) -> float:
    """What a structure would be worth in this city, its cost left aside."""
    worth = 1.0 * cards.POINTS[kind]
    if cards.SHIELDS[kind]:
        worth += shields_worth(s, seat, cards.SHIELDS[kind], w)
    if cards.SYMBOL[kind] != cards.NONE:
        worth += symbol_worth(s, seat, cards.SYMBOL[kind], w)
    if cards.FIXED[kind] or cards.CHOICE[kind]:
        worth += goods_worth(s, seat, cards.FIXED[kind], cards.CHOICE[kind], w)
    if cards.DISCOUNT[kind]:
        worth += discount_worth(s, seat, cards.DISCOUNT[kind], w)
    coins = cards.COINS[kind]
    if cards.COINS_EACH[kind] or cards.POINTS_EACH[kind]:
        number = counted(s, seat, kind)
        if kind < cards.FIRST_GUILD and s.age == cards.AGE_THREE and cards.COLOUR[kind] > cards.GREY:
            number += 1  # itself, or something still to come
        coins += cards.COINS_EACH[kind] * number
        worth += cards.POINTS_EACH[kind] * number
    if kind >= cards.FIRST_GUILD and kind != cards.SCIENTISTS:
        worth += w[W_GUILD]
    worth += coins * w[W_COIN]
    if s.age < cards.AGE_THREE:
        worth += CHILDREN[kind] * w[W_CHAIN]
    return worth


@rule
def next_stage_worth(s: Record, seat: int, w: Weights) -> float:
    city = s.city[seat]
    return stage_worth(s, seat, w) if city.stages < cards.STAGES[city.board, city.side] else 0.0


@rule
def stage_worth(s: Record, seat: int, w: Weights) -> float:
    city = s.city[seat]
    at = city.stages
    worth = (
        w[W_STAGE]
        + cards.STAGE_POINTS[city.board, city.side, at]
        + cards.STAGE_COINS[city.board, city.side, at] * w[W_COIN]
    )
    if cards.STAGE_SHIELDS[city.board, city.side, at]:
        worth += shields_worth(s, seat, cards.STAGE_SHIELDS[city.board, city.side, at], w)
    if cards.STAGE_SYMBOL[city.board, city.side, at] != cards.NONE:
        worth += symbol_worth(s, seat, cards.STAGE_SYMBOL[city.board, city.side, at], w)
    if cards.STAGE_CHOICE[city.board, city.side, at]:
        worth += goods_worth(s, seat, 0, cards.STAGE_CHOICE[city.board, city.side, at], w)
    worth += discount_worth(s, seat, cards.STAGE_DISCOUNT[city.board, city.side, at], w)
    return worth + power_worth(s, cards.STAGE_POWER[city.board, city.side, at], w)


@rule
def power_worth(s: Record, power: int, w: Weights) -> float:
    """What the power of a stage is worth. One that works once per Age is worth more the earlier it comes."""
    if power == cards.FREE_BUILD:
        return w[W_FREE] * (cards.AGES - s.age) / PER_AGES
    if power == cards.FROM_DISCARDS:
        return w[W_DIG]
    if power == cards.SEVENTH_CARD:
        return w[W_SEVENTH] * (cards.AGES - s.age) / PER_AGES
    return w[W_COPY] if power == cards.COPY_GUILD else 0.0


@rule
def action_worth(s: Record, seat: int, action: int, card: float, stage: float, w: Weights) -> float:
    """What an action is worth before neighbours are paid; `card` and `stage` are what its card would be worth in the
    city, and what the next stage would be."""
    use = state.use_of(action)
    if use in (state.FREE, state.FROM_PILE):
        return card - (FREE_BUILD_LATER if use == state.FREE and s.turn < cards.TURNS - 1 else 0.0)
    if use == state.BUILD:
        kind = state.kind_in(action)
        cost = 1.0 if action >= state.DEAR else 0.0
        if cards.COST_COINS[kind] and not is_chained(s, seat, kind):
            cost += cards.COST_COINS[kind]
        return card - cost * w[W_COIN]
    if use == state.STAGE:
        return stage - w[W_DENY] * card
    if use == state.DISCARD:
        return COINS_FOR_A_DISCARD * w[W_COIN] - w[W_DENY] * card
    return 0.0


@rule
def price(s: Record, seat: int, action: int, w: Weights) -> float:
    """What is paid to neighbours, in points."""
    left, right = payments(s, seat, action)
    return (left + right) * (w[W_COIN] + w[W_RIVAL])


@rule
def best_action(s: Record, actions: Actions, n: int, rng_state: rng.RngState, w: Weights) -> int:
    """The action that is worth most; of equal ones, one at random.

    The actions of a card stand together, so a card is weighed once. Payments are worked out only for actions that
    could still be best.
    """
    seat = s.mover
    stage = next_stage_worth(s, seat, w)
    before, card = cards.NONE, 0.0
    best, most, ties = 0, -1e9, 0
    for i in range(n):
        if actions[i] != state.NOTHING and state.kind_in(actions[i]) != before:
            before = state.kind_in(actions[i])
            card = structure_worth(s, seat, before, w)
        worth = action_worth(s, seat, actions[i], card, stage, w)
        if worth <= most - _TIE:
            continue
        worth -= price(s, seat, actions[i], w)
        if worth > most + _TIE:
            best, most, ties = i, worth, 1
        elif worth > most - _TIE:
            ties += 1
            if rng.below(rng_state, ties) == 0:
                best = i
    return actions[best]


@rule
def payments(s: Record, seat: int, action: int) -> tuple[int, int]:
    """What an action pays to the left and to the right."""
    left = state.to_left(action)
    use = state.use_of(action)
    if use == state.BUILD:
        return left, right_for(ways_to_build(s, seat, state.kind_in(action)), left)
    if use == state.STAGE:
        return left, right_for(ways_to_stage(s, seat), left)
    return 0, 0


@rule
def heuristic(s: Record, actions: Actions, n: int, rng_state: rng.RngState) -> int:
    return best_action(s, actions, n, rng_state, WEIGHTS)
