"""Cards on the board and in the hand: putting them there and taking them away.

`attack` and the sets of squares follow from the cards on the board and are kept up to date here, card by card.
"""

from __future__ import annotations

from boardwright.games.lords.board import BYTES, SQUARES_BEFORE, SQUARES_BEHIND
from boardwright.games.lords.cards import ARROWS_BEFORE, ARROWS_BEHIND, DEFENCE, GRID, NO_GRID
from boardwright.games.lords.state import NONE
from boardwright.kernel import Record, rule
from boardwright.kernel.bits import add_bytes, unsigned


@rule
def put_on_board(s: Record, seat: int, kind: int, square: int) -> None:
    s.card[square] = kind
    s.defence[square] = DEFENCE[s.row[seat] + kind]
    s.occupied[seat] |= 1 << square
    s.ranged[seat] |= (GRID[s.row[seat] + kind] != NO_GRID) << square
    count_arrows(s, seat, kind, square, 1)


@rule
def kind_on(s: Record, square: int) -> int:
    """The kind on a square that has a card."""
    return unsigned(s.card[square])


@rule
def take_off_board(s: Record, seat: int, square: int) -> int:
    """Returns the kind that was there."""
    kind = kind_on(s, square)
    count_arrows(s, seat, kind, square, -1)
    s.card[square] = NONE
    s.defence[square] = 0
    s.occupied[seat] &= ~(1 << square)
    s.ranged[seat] &= ~(1 << square)
    return kind


@rule
def count_arrows(s: Record, seat: int, kind: int, square: int, times: int) -> None:
    """Count the arrows of a card on the board in (1) or out (-1). The squares beside one are among the eight before it
    and the eight behind it, so two sums of eight bytes do."""
    row, attack = s.row[seat] + kind, s.attack[seat]
    add_bytes(attack, square - BYTES, ARROWS_BEFORE[row] & SQUARES_BEFORE[square], times)
    add_bytes(attack, square + 1, ARROWS_BEHIND[row] & SQUARES_BEHIND[square], times)


@rule
def add_to_hand(s: Record, seat: int, kind: int) -> None:
    s.hand[seat, kind] += 1
    s.hand_kinds[seat] |= 1 << kind
    s.hand_size[seat] += 1


@rule
def take_from_hand(s: Record, seat: int, kind: int) -> None:
    """Of equal cards, one that the other player knows of goes first: nobody can tell them apart."""
    s.hand[seat, kind] -= 1
    s.hand_kinds[seat] &= ~((s.hand[seat, kind] == 0) << kind)
    s.hand_size[seat] -= 1
    s.known[seat, kind] -= s.known[seat, kind] > 0


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
