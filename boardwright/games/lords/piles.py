"""Cards on the board and in the hand: putting them there and taking them away.

`attack` and the sets of squares follow from the cards on the board and are kept up to date here, card by card.
"""

from __future__ import annotations

from boardwright.games.lords.board import NEIGHBOUR, NUM_DIRECTIONS, OFF_BOARD
from boardwright.games.lords.cards import ARROW_VALUE, GRID, NO_GRID
from boardwright.games.lords.state import NONE
from boardwright.kernel import Record, rule


@rule
def put_on_board(s: Record, seat: int, kind: int, square: int) -> None:
    s.card[square] = kind
    s.occupied[seat] |= 1 << square
    if GRID[s.row[seat] + kind] != NO_GRID:
        s.ranged[seat] |= 1 << square
    count_arrows(s, seat, square, 1)


@rule
def take_off_board(s: Record, seat: int, square: int) -> int:
    """Returns the kind that was there."""
    count_arrows(s, seat, square, -1)
    kind = s.card[square]
    s.card[square] = NONE
    s.occupied[seat] &= ~(1 << square)
    s.ranged[seat] &= ~(1 << square)
    return kind


@rule
def count_arrows(s: Record, seat: int, square: int, times: int) -> None:
    """Count the arrows of a card on the board in (1) or out (-1)."""
    values = ARROW_VALUE[s.row[seat] + s.card[square]]
    for direction in range(NUM_DIRECTIONS):
        target = NEIGHBOUR[square, direction]
        if target != OFF_BOARD:
            s.attack[seat, target] += times * values[direction]


@rule
def add_to_hand(s: Record, seat: int, kind: int) -> None:
    s.hand[seat, kind] += 1
    s.hand_kinds[seat] |= 1 << kind
    s.hand_size[seat] += 1


@rule
def take_from_hand(s: Record, seat: int, kind: int) -> None:
    """Of equal cards, one that the other player knows of goes first: nobody can tell them apart."""
    s.hand[seat, kind] -= 1
    if s.hand[seat, kind] == 0:
        s.hand_kinds[seat] &= ~(1 << kind)
    s.hand_size[seat] -= 1
    if s.known[seat, kind] > 0:
        s.known[seat, kind] -= 1


@rule
def draw_card(s: Record, seat: int) -> None:
    """The top card of the deck goes to the hand; the deck is not empty."""
    top = s.deck_size[seat] - 1
    s.deck_size[seat] = top
    add_to_hand(s, seat, s.deck[seat, top])
    s.deck[seat, top] = NONE


@rule
def play_from_hand(s: Record, seat: int, kind: int, square: int) -> None:
    take_from_hand(s, seat, kind)
    put_on_board(s, seat, kind, square)
