"""Our cards, actions and special cards in the terms of problems."""

from __future__ import annotations

from collections.abc import Iterable

from boardwright.games.race.bits import members
from boardwright.games.race.cards import CONSUME_POWERS, ID, WINDFALL_ANY
from boardwright.games.race.picks import card_for, pickable_word
from boardwright.games.race.settle import CANNOT, price_with, usable_specials
from boardwright.games.race.state import (
    ACTION,
    CHOOSE_ACTION,
    CONSUME,
    DISCARD,
    FOR_VP,
    GUESS,
    GUESSES,
    PAY,
    PLACE,
    POWER,
    USE_POWER,
)
from boardwright.kernel import Record
from boardwright.scout.problems.problem import ID_OF_DESIGN, SPECIAL_POWERS, Choice, Option

PICKS = (DISCARD, PAY, FOR_VP, CONSUME)
"""The questions that pick several, one step at a time."""
_ID: list[int] = ID.tolist()
WINDFALL_ANY_ID = _ID[WINDFALL_ANY.tolist().index(1)]


def ids(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple([_ID[card] for card in cards])


def pickable(s: Record) -> list[int]:
    """The cards, or the worlds with goods, of a question that picks several."""
    return members([pickable_word(s, 0), pickable_word(s, 1)])


def settle_ways(s: Record, seat: int) -> dict[int, int]:
    """The price for each use of special cards that is allowed."""
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    prices = {mask: price_with(s, seat, world, mask, s.hand_size[seat]) for mask in range(8) if not mask & ~usable}
    return {mask: price for mask, price in prices.items() if price != CANNOT}


def powers_of(mask: int) -> Choice:
    return tuple(power for bit, power in SPECIAL_POWERS.items() if mask & bit)


def option_of(s: Record, action: int) -> Option:
    """What an action of a question with a single answer names."""
    if s.question == CHOOSE_ACTION:
        return action - ACTION
    if s.question == GUESS:
        return action - GUESSES
    if s.question == USE_POWER:
        power = CONSUME_POWERS[action - POWER]
        return ID_OF_DESIGN[power.design], power.position
    return _ID[card_for(s, action)] if s.question == PLACE else ID_OF_DESIGN[action]
