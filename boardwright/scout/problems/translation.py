"""Cards, actions and special cards of our rules, translated to the card ids and options of problems, and back."""

from __future__ import annotations

from collections.abc import Iterable

from boardwright.games.race import state
from boardwright.games.race.bits import Cards, bits_of, members
from boardwright.games.race.cards import CONSUME_POWERS, DESIGNS, FIRST_CARD, ID, WINDFALL_ANY
from boardwright.games.race.picks import card_for, pickable_word
from boardwright.games.race.settle import CANNOT, price_with, usable_specials
from boardwright.kernel import Record
from boardwright.scout.problems import problem as problems

PICKS = (state.DISCARD, state.PAY, state.FOR_VP, state.CONSUME)
"""The questions that pick several, one step at a time."""
_ID: list[int] = ID.tolist()
_FIRST_CARD: list[int] = FIRST_CARD.tolist()
WINDFALL_ANY_ID = _ID[WINDFALL_ANY.tolist().index(1)]


def ids(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple([_ID[card] for card in cards])


class CardSupply:
    """Gives a card for each id: the first copy of a design, then the second."""

    def __init__(self) -> None:
        self._taken: dict[int, int] = {}

    def take(self, card_id: int) -> int:
        design = problems.DESIGN_OF_ID[card_id]
        copy = self._taken.get(design, 0)
        self._taken[design] = copy + 1
        if copy == DESIGNS[design].copies:
            raise problems.BadDocument(f"{DESIGNS[design].name} is there more than {'once' if copy == 1 else 'twice'}")
        return _FIRST_CARD[design] + copy


def card_set(card_ids: Iterable[int], supply: CardSupply | None = None) -> Cards:
    """Ids as a set of cards. All sets of one position take their cards from the same supply."""
    take = (supply or CardSupply()).take
    return bits_of([take(card_id) for card_id in card_ids])


def ids_in(cards: Cards) -> tuple[int, ...]:
    """A set of cards as ids, ascending."""
    return ids(members(cards))


def pickable(s: Record) -> list[int]:
    """The cards, or the worlds with goods, of a question that picks several."""
    return members([pickable_word(s, 0), pickable_word(s, 1)])


def settle_ways(s: Record, seat: int) -> dict[int, int]:
    """The price for each use of special cards that is allowed."""
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    prices = {mask: price_with(s, seat, world, mask, s.hand_size[seat]) for mask in range(8) if not mask & ~usable}
    return {mask: price for mask, price in prices.items() if price != CANNOT}


def powers_of(mask: int) -> problems.Choice:
    return tuple(power for bit, power in problems.SPECIAL_POWERS.items() if mask & bit)


def option_of(s: Record, action: int) -> problems.Option:
    """What an action of a question with a single answer names."""
    if s.question == state.CHOOSE_ACTION:
        return action - state.ACTION
    if s.question == state.GUESS:
        return action - state.GUESSES
    if s.question == state.USE_POWER:
        power = CONSUME_POWERS[action - state.POWER]
        return problems.ID_OF_DESIGN[power.design], power.position
    return _ID[card_for(s, action)] if s.question == state.PLACE else problems.ID_OF_DESIGN[action]
