"""What the cards of a hand could do now, or nearly."""

from __future__ import annotations

from typing import Any

from boardwright.games.race.bits import has
from boardwright.games.race.cards import (
    BONUS,
    BONUS_CHIPS,
    BONUS_MILITARY,
    CARDS,
    COST,
    DESIGN,
    DEVELOP_DISCOUNT,
    DISCOUNT,
    FIRST_CARD,
    IS_MILITARY,
    IS_REBEL,
    IS_SIX,
    IS_WORLD,
    KIND,
    MILITARY,
    NO_KIND,
    REBEL_MILITARY,
    VP,
)
from boardwright.games.race.heuristic import ENGINE
from boardwright.kernel import rule
from boardwright.scout.cases.features import NOTHING_NEAR, Row

_SIX_POINTS = 3
"""A guess at what a development of cost six will be worth besides what is printed."""


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
def placeable(card: int, me: Any, standing: Any) -> bool:
    """Whether a card of the hand could be placed by calling its phase."""
    if not IS_WORLD[card] and owns(me, DESIGN[card]):
        return False
    return affordable(card, standing, me["hand_size"])


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
def tell_hand(values: Any, hand: Any, me: Any, standing: Any) -> None:
    values[Row.PLAYER_WORLDS] = values[Row.PLAYER_DEVELOPMENTS] = 0
    values[Row.PLAYER_WORLD_POINTS] = values[Row.PLAYER_DEVELOPMENT_POINTS] = 0
    values[Row.PLAYER_WORLD_WORTH] = values[Row.PLAYER_DEVELOPMENT_WORTH] = 0
    values[Row.PLAYER_WORLD_SHORTFALL] = values[Row.PLAYER_DEVELOPMENT_SHORTFALL] = NOTHING_NEAR
    for card in range(CARDS):
        if not has(hand, card):
            continue
        if IS_WORLD[card]:
            tell_world(values, card, me, standing)
        elif not owns(me, DESIGN[card]):
            tell_development(values, card, me, standing)


@rule
def tell_world(values: Any, card: int, me: Any, standing: Any) -> None:
    lacking = shortfall(card, standing, me["hand_size"])
    if lacking > 0:
        values[Row.PLAYER_WORLD_SHORTFALL] = min(values[Row.PLAYER_WORLD_SHORTFALL], lacking)
        return
    values[Row.PLAYER_WORLDS] += 1
    values[Row.PLAYER_WORLD_POINTS] = max(values[Row.PLAYER_WORLD_POINTS], VP[card])
    values[Row.PLAYER_WORLD_WORTH] = max(values[Row.PLAYER_WORLD_WORTH], worth(card, me, standing))


@rule
def tell_development(values: Any, card: int, me: Any, standing: Any) -> None:
    lacking = shortfall(card, standing, me["hand_size"])
    if lacking > 0:
        values[Row.PLAYER_DEVELOPMENT_SHORTFALL] = min(values[Row.PLAYER_DEVELOPMENT_SHORTFALL], lacking)
        return
    values[Row.PLAYER_DEVELOPMENTS] += 1
    points = VP[card] if COST[card] < 6 else _SIX_POINTS
    values[Row.PLAYER_DEVELOPMENT_POINTS] = max(values[Row.PLAYER_DEVELOPMENT_POINTS], points)
    values[Row.PLAYER_DEVELOPMENT_WORTH] = max(values[Row.PLAYER_DEVELOPMENT_WORTH], worth(card, me, standing))
