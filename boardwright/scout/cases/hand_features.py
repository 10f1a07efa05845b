"""Features of the hand: what its cards could do now, or nearly. Each card is looked at once."""

from __future__ import annotations

from typing import Any

from boardwright.games.race import cards as tables
from boardwright.games.race.bits import WORDS, lowest
from boardwright.games.race.policies import ENGINE
from boardwright.kernel import rule
from boardwright.scout.cases.card_groups import GROUP
from boardwright.scout.cases.features import NOTHING_NEAR, Numbers, Sets
from boardwright.scout.cases.set_features import add_copies, add_element
from boardwright.scout.cases.tableau_features import Counts

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
    kind = tables.KIND[card]
    if not tables.IS_WORLD[card]:
        return tables.COST[card] - (hand - 1 + standing[tables.DEVELOP_DISCOUNT] + 1)
    price = tables.COST[card] - standing[tables.DISCOUNT]
    strength = standing[tables.MILITARY]
    if kind != tables.NO_KIND:
        price -= standing[tables.DISCOUNT + kind]
        strength += standing[tables.MILITARY + kind]
    if tables.IS_REBEL[card]:
        strength += standing[tables.REBEL_MILITARY]
    if tables.IS_MILITARY[card]:
        return tables.COST[card] - strength
    return price - (hand - 1)


@rule
def affordable(card: int, standing: Any, hand: int) -> bool:
    return shortfall(card, standing, hand) <= 0


@rule
def worth(card: int, side: Any, standing: Any) -> int:
    """What a card would be worth in the tableau, in half points, by the heuristic player's rule of thumb."""
    points = tables.VP[card] + ENGINE[card]
    if tables.IS_SIX[card]:
        points += (
            side["chips"] // 3 * tables.BONUS_CHIPS[card] + standing[tables.MILITARY] * tables.BONUS_MILITARY[card]
        )
        points += tables.BONUS[card, card]
        for place in range(side["size"]):
            points += tables.BONUS[card, tables.FIRST_CARD[side["tableau"][place]]]
    return max(0, int(2.0 * points))


@rule
def hand_features(values: Any, words: Any, hand: Any, me: Any, counts: Counts) -> None:
    """The numbers and sets of a hand; `counts` are those of the player's own side."""
    values[Numbers.PLAYER_WORLDS] = values[Numbers.PLAYER_DEVELOPMENTS] = 0
    values[Numbers.PLAYER_WORLD_POINTS] = values[Numbers.PLAYER_DEVELOPMENT_POINTS] = 0
    values[Numbers.PLAYER_WORLD_WORTH] = values[Numbers.PLAYER_DEVELOPMENT_WORTH] = 0
    values[Numbers.PLAYER_WORLD_SHORTFALL] = values[Numbers.PLAYER_DEVELOPMENT_SHORTFALL] = NOTHING_NEAR
    counts.groups[:] = 0
    for number in range(WORDS):
        word = hand[number]
        while word != 0:
            card = lowest(word, number)
            word &= word - 1
            add_element(words, Sets.PLAYER_HAND, tables.DESIGN[card])
            counts.groups[GROUP[tables.DESIGN[card]]] += 1
            if tables.IS_WORLD[card] or not owns(me, tables.DESIGN[card]):
                card_features(values, words, card, me, counts.standing)
    add_copies(words, Sets.PLAYER_HAND_GROUPS, counts.groups)


@rule
def card_features(values: Any, words: Any, card: int, me: Any, standing: Any) -> None:
    """A card that could be placed by calling its phase, or that something is lacking for."""
    lacking = shortfall(card, standing, me["hand_size"])
    if lacking <= 0:
        add_element(words, Sets.PLAYER_PLACEABLE, tables.DESIGN[card])
    if tables.IS_WORLD[card]:
        world_numbers(values, card, lacking, me, standing)
    else:
        development_numbers(values, card, lacking, me, standing)


@rule
def world_numbers(values: Any, card: int, lacking: int, me: Any, standing: Any) -> None:
    if lacking > 0:
        values[Numbers.PLAYER_WORLD_SHORTFALL] = min(values[Numbers.PLAYER_WORLD_SHORTFALL], lacking)
        return
    values[Numbers.PLAYER_WORLDS] += 1
    values[Numbers.PLAYER_WORLD_POINTS] = max(values[Numbers.PLAYER_WORLD_POINTS], tables.VP[card])
    values[Numbers.PLAYER_WORLD_WORTH] = max(values[Numbers.PLAYER_WORLD_WORTH], worth(card, me, standing))


@rule
def development_numbers(values: Any, card: int, lacking: int, me: Any, standing: Any) -> None:
    if lacking > 0:
        values[Numbers.PLAYER_DEVELOPMENT_SHORTFALL] = min(values[Numbers.PLAYER_DEVELOPMENT_SHORTFALL], lacking)
        return
    values[Numbers.PLAYER_DEVELOPMENTS] += 1
    points = tables.VP[card] if tables.COST[card] < 6 else _SIX_POINTS
    values[Numbers.PLAYER_DEVELOPMENT_POINTS] = max(values[Numbers.PLAYER_DEVELOPMENT_POINTS], points)
    values[Numbers.PLAYER_DEVELOPMENT_WORTH] = max(values[Numbers.PLAYER_DEVELOPMENT_WORTH], worth(card, me, standing))
