"""What must hold in every position."""

from __future__ import annotations

from boardwright.games.race import cards as tables
from boardwright.games.race.bits import WORDS, add, has, size
from boardwright.games.race.scoring import score
from boardwright.games.race.state import POOL_PER_SEAT
from boardwright.kernel import Actions, Record, rule

HOLDS, CARD_TWICE, CARD_LOST, WRONG_SIZE, WRONG_POOL, WRONG_TOTALS, WRONG_GOODS, WRONG_SCORE, NO_ACTION = range(9)
NAMES = (
    "all is well",
    "a card is in two places",
    "a card is lost",
    "a pile's size is wrong",
    "pool and chips do not balance",
    "the totals of the standing powers are wrong",
    "the count of goods is wrong",
    "the score does not recount",
    "there is no legal action",
)


@rule
def merge(seen: Actions, cards: Actions) -> bool:
    """Add a set to those seen; false if they overlap."""
    for w in range(WORDS):
        if seen[w] & cards[w]:
            return False
        seen[w] |= cards[w]
    return True


@rule
def add_once(seen: Actions, card: int) -> bool:
    if has(seen, card):
        return False
    add(seen, card)
    return True


@rule
def cards_hold(s: Record, seen: Actions) -> int:
    """All cards are somewhere, none in two places, and the counted sizes are right."""
    for w in range(WORDS):
        seen[w] = s.deck[w]
    if size(s.deck) != s.deck_size or size(s.discard) != s.discard_size:
        return WRONG_SIZE
    if not merge(seen, s.discard):
        return CARD_TWICE
    for seat in range(s.seats):
        if size(s.hand[seat]) != s.hand_size[seat]:
            return WRONG_SIZE
        if not merge(seen, s.hand[seat]):
            return CARD_TWICE
        for place in range(s.size[seat]):
            if not add_once(seen, s.tableau[seat, place]):
                return CARD_TWICE
            if s.good[seat, place] and not add_once(seen, s.good[seat, place] - 1):
                return CARD_TWICE
    return HOLDS if size(seen) == tables.CARDS else CARD_LOST


@rule
def seat_holds(s: Record, seat: int) -> int:
    """Totals, goods and score of a seat, counted again from the cards in its tableau."""
    goods, military = 0, 0
    for i in range(tables.STANDING_COUNT):
        total = 0
        for place in range(s.size[seat]):
            card = s.tableau[seat, place]
            if card != s.placing[seat] - 1:  # a card placed in this phase counts from the next one
                total += tables.STANDING[card, i]
        if total != s.standing[seat, i]:
            return WRONG_TOTALS
        if i == tables.MILITARY:
            military = total
    points = s.chips[seat]
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if s.good[seat, place]:
            goods += 1
            if tables.KIND[card] == tables.NO_KIND:
                return WRONG_GOODS
        points += (
            tables.VP[card]
            + tables.BONUS_CHIPS[card] * (s.chips[seat] // tables.CHIPS_PER_BONUS)
            + tables.BONUS_MILITARY[card] * military
        )
        for other in range(s.size[seat]):
            points += tables.BONUS[card, s.tableau[seat, other]]
    if goods != s.goods[seat, tables.NO_KIND]:
        return WRONG_GOODS
    return HOLDS if points == score(s, seat) else WRONG_SCORE


@rule
def broken(s: Record, seen: Actions) -> int:
    """The first invariant that does not hold."""
    problem = cards_hold(s, seen)
    chips = 0
    for seat in range(s.seats):
        chips += s.chips[seat]
        if problem == HOLDS:
            problem = seat_holds(s, seat)
    if problem == HOLDS and s.pool + chips != POOL_PER_SEAT * s.seats:
        return WRONG_POOL
    return problem
