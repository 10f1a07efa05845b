"""Features of one player's tableau: goods, standing powers, producers, and what trading and consuming would gain."""

from __future__ import annotations

from typing import Any, NamedTuple

from boardwright.games.race import cards as tables
from boardwright.kernel import rule
from boardwright.scout.cases.card_groups import GOOD_GROUP, GROUP


class Counts(NamedTuple):
    """Scratch buffers for what is counted on one side."""

    goods: Any
    """Goods by kind, and all of them under NO_KIND."""
    standing: Any
    """Standing powers, added up."""
    groups: Any
    """Cards of the tableau by group."""
    kinds: Any
    """Goods by group."""


class Producers(NamedTuple):
    """Worlds that could carry a good."""

    producing: int
    """Production worlds."""
    idle: int
    """Production worlds that carry no good."""
    windfalls: int
    """Windfall worlds that carry no good."""


class Consumed(NamedTuple):
    """What consuming would gain now."""

    points: int
    goods: int
    """So many would be used up."""
    cards: int


@rule
def carries_good(side: Any, place: int) -> bool:
    return side["goods"] >> place & 1 != 0


@rule
def count_side(side: Any, counts: Counts) -> None:
    counts.goods[:] = 0
    counts.standing[:] = 0
    counts.groups[:] = 0
    counts.kinds[:] = 0
    for place in range(side["size"]):
        design = side["tableau"][place]
        card = tables.FIRST_CARD[design]
        counts.groups[GROUP[design]] += 1
        for i in range(tables.STANDING_COUNT):
            counts.standing[i] += tables.STANDING[card, i]
        if carries_good(side, place):
            counts.goods[tables.KIND[card]] += 1
            counts.goods[tables.NO_KIND] += 1
            counts.kinds[GOOD_GROUP[design]] += 1


@rule
def producers_of(side: Any) -> Producers:
    producing, idle, windfalls = 0, 0, 0
    for place in range(side["size"]):
        card = tables.FIRST_CARD[side["tableau"][place]]
        producing += tables.IS_PRODUCTION[card]
        if not carries_good(side, place):
            idle += tables.IS_PRODUCTION[card]
            windfalls += tables.IS_WINDFALL[card]
    return Producers(producing, idle, windfalls)


@rule
def trade_value(side: Any, standing: Any) -> int:
    """What the best good trades for."""
    best = 0
    for place in range(side["size"]):
        if carries_good(side, place):
            card = tables.FIRST_CARD[side["tableau"][place]]
            kind = tables.KIND[card]
            best = max(
                best,
                tables.GOOD_VALUE[kind]
                + standing[tables.TRADE]
                + standing[tables.TRADE + kind]
                + tables.OWN_TRADE[card],
            )
    return best


@rule
def consume_now(side: Any, goods: Any) -> Consumed:
    """Using every consume power once: those for one kind first, then the others."""
    left = goods.copy()
    points, cards = 0, 0
    for any_kind in range(2):
        for place in range(side["size"]):
            card = tables.FIRST_CARD[side["tableau"][place]]
            for power in range(tables.FIRST_POWER[card], tables.FIRST_POWER[card] + tables.POWERS[card]):
                if (tables.POWER_KIND[power] == tables.NO_KIND) == (any_kind == 1):
                    gained, drawn = use(left, power)
                    points += gained
                    cards += drawn
    return Consumed(points, goods[tables.NO_KIND] - left[tables.NO_KIND], cards)


@rule
def use(left: Any, power: int) -> tuple[int, int]:
    """Points and cards of using a power; the goods it takes are gone."""
    if tables.POWER_EFFECT[power] == tables.CONSUME_ALL:
        points = max(0, left[tables.NO_KIND] - 1)
        left[:] = 0
        return points, 0
    times = times_used(left, power)
    return times * tables.POWER_VP[power], times * tables.POWER_CARDS[power]


@rule
def times_used(left: Any, power: int) -> int:
    """How often the goods allow a power; they are gone then."""
    kind, effect = tables.POWER_KIND[power], tables.POWER_EFFECT[power]
    if effect == tables.CONSUME_GOODS:
        return take_goods(left, kind, max(1, tables.POWER_TIMES[power]))
    if effect == tables.CONSUME_TWO and left[kind] >= 2:
        take_goods(left, kind, 2)
        return 1
    if effect == tables.CONSUME_THREE_KINDS and kinds_among(left) >= 3:
        take_goods(left, tables.NO_KIND, 3)
        return 1
    return 0


@rule
def kinds_among(goods: Any) -> int:
    kinds = 0
    for kind in range(1, tables.KIND_COUNT):
        kinds += goods[kind] > 0
    return kinds


@rule
def take_goods(left: Any, kind: int, most: int) -> int:
    """Goods of the kind, or the cheapest of any, are gone; how many there were."""
    taken = 0
    while taken < most and left[kind] > 0:
        gone = kind
        if kind == tables.NO_KIND:
            gone = 1
            while left[gone] <= 0:
                gone += 1
        left[gone] -= 1
        left[tables.NO_KIND] -= 1
        taken += 1
    return taken
