"""What a case shows of itself to retrieval: the features of section 6.2.1, and some derived ones.

The numbers up to `pool` and the first five sets are the dissertation's. The auxiliary numbers and the generalised sets
are derived from tableau, goods and hand, with narrower ranges: what an action would do now, in goods, cards and points.
Computing them is compiled: a problem takes microseconds, a library of many thousand cases a moment.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, types
from numpy.typing import NDArray

from boardwright.cbr.memory import WIDTH, Layout, Memory, Number, Set
from boardwright.games.race.bits import WIDTH as CARD_WIDTH
from boardwright.games.race.cards import (
    BONUS,
    BONUS_CHIPS,
    BONUS_MILITARY,
    CARDS,
    CONSUME_ALL,
    CONSUME_GOODS,
    CONSUME_THREE_KINDS,
    CONSUME_TWO,
    COST,
    DESIGN,
    DESIGN_COUNT,
    DEVELOP_DISCOUNT,
    DISCOUNT,
    FIRST_CARD,
    FIRST_POWER,
    GOOD_VALUE,
    IS_MILITARY,
    IS_PRODUCTION,
    IS_REBEL,
    IS_SIX,
    IS_WINDFALL,
    IS_WORLD,
    KIND,
    KIND_COUNT,
    MILITARY,
    NO_KIND,
    OWN_TRADE,
    POWER_CARDS,
    POWER_EFFECT,
    POWER_KIND,
    POWER_TIMES,
    POWER_VP,
    POWERS,
    REBEL_MILITARY,
    STANDING,
    STANDING_COUNT,
    TRADE,
    VP,
)
from boardwright.games.race.heuristic import ENGINE
from boardwright.games.race.scout.cases.groups import COPIES, GOOD_GROUP, GOOD_GROUPS, GROUP, GROUP_COUNT
from boardwright.games.race.scout.cases.record import CASE, Records
from boardwright.games.race.scout.problems.model import TYPE_ACTION, TYPE_GAMBLE, TYPE_POWER
from boardwright.kernel import compiled, rule

NUMBERS = (
    Number("game_round"),
    Number("player_chips"),
    Number("player_hand_size"),
    Number("player_military", low=-20),
    Number("player_score", low=-10),
    Number("player_tableau_size"),
    Number("opponent_chips"),
    Number("opponent_hand_size"),
    Number("opponent_military", low=-20),
    Number("opponent_score", low=-10),
    Number("opponent_tableau_size"),
    Number("score_difference", low=-128),
    Number("deck"),
    Number("discard"),
    Number("pool", low=-60),
    # auxiliary
    Number("player_number_of_goods"),
    Number("opponent_number_of_goods"),
    Number("player_producers"),  # production worlds that carry no good
    Number("opponent_producers"),
    Number("player_consume_points"),
    Number("opponent_consume_points"),
    Number("player_consume_goods"),  # goods that consume powers would use up now
    Number("player_trade_value"),
    Number("opponent_trade_value"),
    Number("player_worlds"),  # of the hand, that could be settled now
    Number("player_developments"),
    Number("player_world_points"),  # the most points on one of them
    Number("player_development_points"),
    Number("player_discount", low=-10),
    Number("player_develop_discount"),
    Number("player_action"),
    Number("opponent_action"),
    Number("options"),  # to choose from
    Number("player_production_worlds"),
    Number("player_world_shortfall"),  # cards, or strength, that the nearest unaffordable world lacks; NONE for none
    Number("player_development_shortfall"),
    Number("player_world_worth"),  # of the best affordable world, in half points by rule of thumb
    Number("player_development_worth"),
    Number("player_idle_windfalls"),  # windfall worlds that carry no good
    Number("opponent_idle_windfalls"),
    Number("player_consume_cards"),
    Number("opponent_production_worlds"),
)
SETS = (
    Set("player_hand", DESIGN_COUNT),
    Set("player_goods", DESIGN_COUNT),
    Set("player_tableau", DESIGN_COUNT),
    Set("opponent_goods", DESIGN_COUNT),
    Set("opponent_tableau", DESIGN_COUNT),
    # generalised
    Set("player_tableau_groups", GROUP_COUNT * COPIES),
    Set("player_goods_kinds", GOOD_GROUPS * COPIES),
    Set("player_hand_groups", GROUP_COUNT * COPIES),
    Set("opponent_tableau_groups", GROUP_COUNT * COPIES),
    # the question itself: never compared, but counted
    Set("offered", DESIGN_COUNT),
    Set("taken", DESIGN_COUNT),
)
# The rows of the numbers, and the positions of the sets.
(
    ROUND,
    CHIPS,
    HAND_SIZE,
    PLAYER_MILITARY,
    SCORE,
    TABLEAU_SIZE,
    OPPONENT_CHIPS,
    OPPONENT_HAND_SIZE,
    OPPONENT_MILITARY,
    OPPONENT_SCORE,
    OPPONENT_TABLEAU_SIZE,
    SCORE_DIFFERENCE,
    DECK,
    DISCARD,
    POOL,
    GOODS,
    OPPONENT_GOODS,
    PRODUCERS,
    OPPONENT_PRODUCERS,
    CONSUME_POINTS,
    OPPONENT_CONSUME_POINTS,
    CONSUME_GOODS_NOW,
    TRADE_VALUE,
    OPPONENT_TRADE_VALUE,
    WORLDS,
    DEVELOPMENTS,
    WORLD_POINTS,
    DEVELOPMENT_POINTS,
    SETTLE_DISCOUNT,
    DEVELOP_DISCOUNT_NOW,
    ACTION,
    OPPONENT_ACTION,
    OPTIONS,
    PRODUCTION_WORLDS,
    WORLD_SHORTFALL,
    DEVELOPMENT_SHORTFALL,
    WORLD_WORTH,
    DEVELOPMENT_WORTH,
    IDLE_WINDFALLS,
    OPPONENT_IDLE_WINDFALLS,
    CONSUME_CARDS,
    OPPONENT_PRODUCTION_WORLDS,
) = range(42)
(
    HAND_SET,
    GOODS_SET,
    TABLEAU_SET,
    OPPONENT_GOODS_SET,
    OPPONENT_TABLEAU_SET,
    TABLEAU_GROUPS,
    GOODS_KINDS,
    HAND_GROUPS,
    OPPONENT_TABLEAU_GROUPS,
    OFFERED_SET,
    TAKEN_SET,
) = range(11)
NUMBER_COUNT = len(NUMBERS)
PASS = DESIGN_COUNT
"""The class of a decision to choose nothing."""
CLASSES = DESIGN_COUNT + 1
LAYOUT = Layout(NUMBERS, SETS, CLASSES)
DISSERTATION_NUMBERS = tuple(number.name for number in NUMBERS[:15])

_LOW = np.array([number.low for number in NUMBERS], np.int64)
_FIRST_WORD = np.array(LAYOUT.first_words, np.int64)
NOTHING_NEAR = 10
"""The shortfall where no card of the sort is out of reach."""
_SIX_POINTS = 3
"""A guess at what a development of cost six will be worth besides what is printed."""


@rule
def add_element(sets: Any, case: int, feature: int, element: int) -> None:
    sets[_FIRST_WORD[feature] + element // WIDTH, case] |= 1 << (element % WIDTH)


@rule
def add_copies(sets: Any, case: int, feature: int, counts: Any) -> None:
    """A generalised set: element after element of a group for as many cards as there are."""
    for group in range(counts.size):
        for copy in range(min(counts[group], COPIES)):
            add_element(sets, case, feature, group * COPIES + copy)


@rule
def consume_now(goods: Any, tableau: Any, size: int) -> tuple[int, int, int]:
    """Points, goods and cards of using every consume power once: those for one kind first, then the others."""
    left = goods.copy()
    points, cards = 0, 0
    for own_kind in range(2):
        for place in range(size):
            card = FIRST_CARD[tableau[place]]
            for power in range(FIRST_POWER[card], FIRST_POWER[card] + POWERS[card]):
                kind, effect = POWER_KIND[power], POWER_EFFECT[power]
                if (kind == NO_KIND) == (own_kind == 0):
                    continue
                worth, draws = POWER_VP[power], POWER_CARDS[power]
                if effect == CONSUME_GOODS:
                    for _ in range(max(1, POWER_TIMES[power])):
                        if take_good(left, kind):
                            points += worth
                            cards += draws
                elif effect == CONSUME_TWO:
                    if left[kind] >= 2:
                        take_good(left, kind)
                        take_good(left, kind)
                        points += worth
                        cards += draws
                elif effect == CONSUME_THREE_KINDS:
                    kinds = 0
                    for other in range(1, KIND_COUNT):
                        kinds += left[other] > 0
                    if kinds >= 3:
                        for _ in range(3):
                            take_good(left, NO_KIND)
                        points += worth
                        cards += draws
                elif effect == CONSUME_ALL and left[NO_KIND] > 0:
                    points += max(0, left[NO_KIND] - 1)
                    left[:] = 0
    return points, goods[NO_KIND] - left[NO_KIND], cards


@rule
def take_good(left: Any, kind: int) -> bool:
    """A good of the kind, or the cheapest of any, is gone."""
    if left[kind] <= 0:
        return False
    gone = kind
    if kind == NO_KIND:
        gone = 1
        while left[gone] <= 0:
            gone += 1
    left[gone] -= 1
    left[NO_KIND] -= 1
    return True


@rule
def index_side(side: Any, goods: Any, standing: Any, groups: Any) -> tuple[int, int, int, int]:
    """Count goods by kind, standing powers and groups of a tableau; producers without a good, all producers, windfall
    worlds without a good, and what the best good trades for."""
    goods[:] = 0
    standing[:] = 0
    groups[:] = 0
    idle, producers, windfalls = 0, 0, 0
    tableau, size, carried = side["tableau"], side["size"], side["goods"]
    for place in range(size):
        card = FIRST_CARD[tableau[place]]
        groups[GROUP[tableau[place]]] += 1
        for i in range(STANDING_COUNT):
            standing[i] += STANDING[card, i]
        if carried >> place & 1:
            goods[KIND[card]] += 1
            goods[NO_KIND] += 1
        elif IS_PRODUCTION[card]:
            idle += 1
        elif IS_WINDFALL[card]:
            windfalls += 1
        producers += IS_PRODUCTION[card]
    best = 0
    for place in range(size):
        card = FIRST_CARD[tableau[place]]
        if carried >> place & 1:
            kind = KIND[card]
            best = max(best, GOOD_VALUE[kind] + standing[TRADE] + standing[TRADE + kind] + OWN_TRADE[card])
    return idle, producers, windfalls, best


@rule
def owns(side: Any, design: int) -> bool:
    for place in range(side["size"]):  # noqa: SIM110
        if side["tableau"][place] == design:
            return True
    return False


@rule
def shortfall(card: int, standing: Any, hand: int) -> int:
    """How many cards, or how much strength, are lacking to place a card of the hand by calling its phase; 0 or less if
    none. Special cards apart."""
    kind = KIND[card]
    if not IS_WORLD[card]:
        return COST[card] - (hand - 1 + standing[DEVELOP_DISCOUNT] + 1)
    price = COST[card] - standing[DISCOUNT]
    strength = standing[MILITARY]
    if kind != NO_KIND:
        price -= standing[DISCOUNT + kind]
        strength += standing[MILITARY + kind]
    if IS_REBEL[card]:
        strength += standing[REBEL_MILITARY]
    if IS_MILITARY[card]:
        return COST[card] - strength
    return price - (hand - 1)


@rule
def affordable(card: int, standing: Any, hand: int) -> bool:
    return shortfall(card, standing, hand) <= 0


@rule
def worth(card: int, side: Any, standing: Any) -> int:
    """What a card would be worth in the tableau, in half points, by the heuristic player's rule of thumb."""
    points = VP[card] + ENGINE[card]
    if IS_SIX[card]:
        points += side["chips"] // 3 * BONUS_CHIPS[card] + standing[MILITARY] * BONUS_MILITARY[card]
        points += BONUS[card, card]
        for place in range(side["size"]):
            points += BONUS[card, FIRST_CARD[side["tableau"][place]]]
    return max(0, int(2.0 * points))


@rule
def index_hand(record: Any, me: Any, standing: Any, groups: Any, values: Any, sets: Any, case: int) -> None:
    """What the cards of the hand could do now, or nearly."""
    for i in range(WORLDS, DEVELOPMENT_POINTS + 1):
        values[i] = 0
    values[WORLD_SHORTFALL] = values[DEVELOPMENT_SHORTFALL] = NOTHING_NEAR
    values[WORLD_WORTH] = values[DEVELOPMENT_WORTH] = 0
    for card in range(CARDS):
        if not record["hand"][card // CARD_WIDTH] >> (card % CARD_WIDTH) & 1:
            continue
        add_element(sets, case, HAND_SET, DESIGN[card])
        groups[GROUP[DESIGN[card]]] += 1
        lacking = shortfall(card, standing, me["hand_size"])
        if IS_WORLD[card]:
            if lacking > 0:
                values[WORLD_SHORTFALL] = min(values[WORLD_SHORTFALL], lacking)
                continue
            values[WORLDS] += 1
            values[WORLD_POINTS] = max(values[WORLD_POINTS], VP[card])
            values[WORLD_WORTH] = max(values[WORLD_WORTH], worth(card, me, standing))
        elif not owns(me, DESIGN[card]):
            if lacking > 0:
                values[DEVELOPMENT_SHORTFALL] = min(values[DEVELOPMENT_SHORTFALL], lacking)
                continue
            values[DEVELOPMENTS] += 1
            points = VP[card] if COST[card] < 6 else _SIX_POINTS
            values[DEVELOPMENT_POINTS] = max(values[DEVELOPMENT_POINTS], points)
            values[DEVELOPMENT_WORTH] = max(values[DEVELOPMENT_WORTH], worth(card, me, standing))


@rule
def class_of(record: Any) -> int:
    """The solution: the code of an action, the design of a card, the number of a power; PASS for nothing."""
    kind = record["type"]
    if kind in (TYPE_ACTION, TYPE_GAMBLE):
        for code in range(16):
            if record["choice"][0] >> code & 1:
                return code
    if kind == TYPE_POWER:
        for power in range(62):
            if record["choice"][2] >> power & 1:
                return power
    for card in range(CARDS):
        if record["choice"][card // CARD_WIDTH] >> (card % CARD_WIDTH) & 1:
            return DESIGN[card]
    return PASS


def _index(records: Any, codes: Any, sets: Any, classes: Any) -> None:
    """Fill the columns of the given records."""
    goods, standing = np.zeros(KIND_COUNT, np.int64), np.zeros(STANDING_COUNT, np.int64)
    groups, kinds = np.zeros(GROUP_COUNT, np.int64), np.zeros(GOOD_GROUPS, np.int64)
    values = np.zeros(NUMBER_COUNT, np.int64)
    for case in range(records.size):
        record = records[case]
        me, opponent = record["me"], record["opponent"]
        classes[case] = class_of(record)
        # the opponent's side first: what is counted for it is overwritten by the player's
        idle, producers, windfalls, trade = index_side(opponent, goods, standing, groups)
        values[OPPONENT_IDLE_WINDFALLS], values[OPPONENT_PRODUCTION_WORLDS] = windfalls, producers
        points, _, _ = consume_now(goods, opponent["tableau"], opponent["size"])
        add_copies(sets, case, OPPONENT_TABLEAU_GROUPS, groups)
        (
            values[OPPONENT_GOODS],
            values[OPPONENT_PRODUCERS],
            values[OPPONENT_CONSUME_POINTS],
            values[OPPONENT_TRADE_VALUE],
        ) = goods[NO_KIND], idle, points, trade
        for place in range(opponent["size"]):
            add_element(sets, case, OPPONENT_TABLEAU_SET, opponent["tableau"][place])
            if opponent["goods"] >> place & 1:
                add_element(sets, case, OPPONENT_GOODS_SET, opponent["tableau"][place])
        idle, producers, windfalls, trade = index_side(me, goods, standing, groups)
        points, eaten, cards = consume_now(goods, me["tableau"], me["size"])
        values[IDLE_WINDFALLS], values[CONSUME_CARDS] = windfalls, cards
        add_copies(sets, case, TABLEAU_GROUPS, groups)
        values[GOODS], values[PRODUCERS], values[CONSUME_POINTS], values[CONSUME_GOODS_NOW], values[TRADE_VALUE] = (
            goods[NO_KIND],
            idle,
            points,
            eaten,
            trade,
        )
        values[SETTLE_DISCOUNT], values[DEVELOP_DISCOUNT_NOW], values[PRODUCTION_WORLDS] = (
            standing[DISCOUNT],
            standing[DEVELOP_DISCOUNT],
            producers,
        )
        kinds[:] = 0
        for place in range(me["size"]):
            add_element(sets, case, TABLEAU_SET, me["tableau"][place])
            if me["goods"] >> place & 1:
                add_element(sets, case, GOODS_SET, me["tableau"][place])
                kinds[GOOD_GROUP[me["tableau"][place]]] += 1
        add_copies(sets, case, GOODS_KINDS, kinds)
        groups[:] = 0
        index_hand(record, me, standing, groups, values, sets, case)
        add_copies(sets, case, HAND_GROUPS, groups)
        if record["type"] not in (TYPE_ACTION, TYPE_GAMBLE):
            for card in range(CARDS):
                if record["options"][card // CARD_WIDTH] >> (card % CARD_WIDTH) & 1:
                    add_element(sets, case, OFFERED_SET, DESIGN[card])
                if record["choice"][card // CARD_WIDTH] >> (card % CARD_WIDTH) & 1:
                    add_element(sets, case, TAKEN_SET, DESIGN[card])
        values[ROUND], values[CHIPS], values[HAND_SIZE], values[PLAYER_MILITARY] = (
            record["round"],
            me["chips"],
            me["hand_size"],
            me["military"],
        )
        values[SCORE], values[TABLEAU_SIZE] = me["score"], me["size"]
        values[OPPONENT_CHIPS], values[OPPONENT_HAND_SIZE], values[OPPONENT_MILITARY] = (
            opponent["chips"],
            opponent["hand_size"],
            opponent["military"],
        )
        values[OPPONENT_SCORE], values[OPPONENT_TABLEAU_SIZE] = opponent["score"], opponent["size"]
        values[SCORE_DIFFERENCE] = values[SCORE] - values[OPPONENT_SCORE]
        values[DECK], values[DISCARD], values[POOL] = record["deck"], record["discard"], record["pool"]
        values[ACTION], values[OPPONENT_ACTION] = me["action"], opponent["action"]
        count = 0
        for word in range(3):
            for bit in range(62):
                count += record["options"][word] >> bit & 1
        values[OPTIONS] = count
        for i in range(values.size):
            codes[i, case] = min(255, max(0, values[i] - _LOW[i]))


@cache
def _kernel() -> Any:
    signature = types.void(from_dtype(CASE)[::1], types.uint8[:, ::1], types.int64[:, ::1], types.uint8[::1])
    return compiled(_index, signature, "scout.index")


def index(records: Records, groups: NDArray[np.int64] | None = None, ids: NDArray[np.int64] | None = None) -> Memory:
    """Cases as columns."""
    n = len(records)
    memory = Memory(
        LAYOUT,
        np.zeros((len(NUMBERS), n), np.uint8),
        np.zeros((LAYOUT.words, n), np.int64),
        np.zeros(n, np.uint8),
        np.zeros(n, np.int64) if groups is None else np.ascontiguousarray(groups, np.int64),
        np.arange(n) if ids is None else np.ascontiguousarray(ids, np.int64),
    )
    _kernel()(np.require(records, CASE, ["C", "A", "W"]), memory.codes, memory.sets, memory.classes)
    return memory
