"""The tableau: placing cards, goods on worlds, standing powers (docs/rules/race.md, section 3.4)."""

from __future__ import annotations

from boardwright.games.race.cards import DESIGN, HAS_STANDING, IS_WINDFALL, KIND, NO_KIND, STANDING, STANDING_COUNT
from boardwright.games.race.piles import discard_openly, discard_unseen, draw, recycle_if_empty
from boardwright.games.race.recall import notice_good_gone
from boardwright.games.race.state import NO_CARD
from boardwright.kernel import Record, rule

ALPHA_CENTAURI = 2


@rule
def seat_at(s: Record, turn: int) -> int:
    """The seat whose turn it is, counted from the first player."""
    seat = s.first + turn
    return seat - s.seats if seat >= s.seats else seat


@rule
def put_down(s: Record, seat: int, card: int) -> None:
    """A card joins the tableau. Its powers count only from the next phase: see `join`."""
    place = s.size[seat]
    s.tableau[seat, place] = card
    s.good[seat, place] = 0
    s.size[seat] = place + 1


@rule
def join(s: Record, seat: int, card: int) -> None:
    """The card's standing powers count from now on."""
    if HAS_STANDING[card]:
        for i in range(STANDING_COUNT):
            s.standing[seat, i] += STANDING[card, i]


@rule
def discard_from_tableau(s: Record, seat: int, card: int) -> None:
    """Only developments leave a tableau, and they carry no goods."""
    for i in range(STANDING_COUNT):
        s.standing[seat, i] -= STANDING[card, i]
    place = place_of(s, seat, card)
    last = s.size[seat] - 1
    for i in range(place, last):
        s.tableau[seat, i] = s.tableau[seat, i + 1]
        s.good[seat, i] = s.good[seat, i + 1]
        s.good_since[seat, i] = s.good_since[seat, i + 1]
    s.tableau[seat, last] = 0
    s.good[seat, last] = s.good_since[seat, last] = 0
    s.size[seat] = last
    discard_openly(s, card)


@rule
def place_of(s: Record, seat: int, card: int) -> int:
    for place in range(s.size[seat]):
        if s.tableau[seat, place] == card:
            return place
    return -1


@rule
def owns_design(s: Record, seat: int, design: int) -> bool:
    """Whether a copy of a development lies in the tableau."""
    for place in range(s.size[seat]):  # noqa: SIM110
        if DESIGN[s.tableau[seat, place]] == design:
            return True
    return False


@rule
def add_good(s: Record, seat: int, place: int) -> bool:
    """A card from the deck becomes a good; false if there was no card."""
    card = draw(s)
    if card == NO_CARD:
        return False
    s.good[seat, place] = 1 + card
    s.good_since[seat, place] = s.generation
    s.goods[seat, NO_KIND] += 1
    s.goods[seat, KIND[s.tableau[seat, place]]] += 1
    recycle_if_empty(s)
    return True


@rule
def remove_good(s: Record, seat: int, place: int) -> None:
    """A good goes to the discard pile, face down as it lay."""
    notice_good_gone(s, seat, place)
    discard_unseen(s, s.good[seat, place] - 1)
    s.good[seat, place] = 0
    s.goods[seat, NO_KIND] -= 1
    s.goods[seat, KIND[s.tableau[seat, place]]] -= 1
    if s.tableau[seat, place] == ALPHA_CENTAURI:
        s.first_good = 0


@rule
def settle_down(s: Record, seat: int, card: int) -> None:
    """A world joins the tableau, a windfall world with a good."""
    put_down(s, seat, card)
    if IS_WINDFALL[card]:
        add_good(s, seat, s.size[seat] - 1)
