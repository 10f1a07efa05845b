"""What must hold in every position, recounted from scratch."""

from __future__ import annotations

from typing import Any

from boardwright.games.lords import cards as tables
from boardwright.games.lords import state
from boardwright.games.lords.board import NEIGHBOUR, NUM_DIRECTIONS, OFF_BOARD, SEATS, SQUARES
from boardwright.games.lords.rules import player
from boardwright.kernel import TERMINAL, Record, rule
from boardwright.kernel.bits import lowest_bit

SCRATCH = max(tables.KINDS, SQUARES)
FINE, CARDS, SQUARE, PLACES, SETS, ATTACK, KILLS, LEGAL, STANDING, RESULT = range(10)
FAULTS = (
    "",
    "an army is not its 36 cards",
    "two cards are on one square, or a card belongs to nobody",
    "a hand or deck has another size than it says, or a known card is not in the hand",
    "the sets of squares or kinds are not those of the cards",
    "the sums of arrows are not those of the cards",
    "losses do not add up",
    "legal actions are missing, repeated or out of bounds",
    "a card stands although more strikes at it than it can defend",
    "the winner is not who reached the aim",
)


@rule
def armies_are_complete(s: Record, counts: Any) -> bool:
    """Every card of both armies is in the hand, in the deck, on the board or eliminated, and in one of them only."""
    for seat in range(SEATS):
        counts[:] = 0
        for kind in range(tables.KINDS):
            counts[kind] += s.hand[seat, kind] + s.dead[seat, kind]
        for place in range(s.deck_size[seat]):
            counts[s.deck[seat, place]] += 1
        for square in range(SQUARES):
            if s.occupied[seat] >> square & 1:
                counts[s.card[square]] += 1
        deck = tables.deck_at_row(s.row[seat])
        for kind in range(tables.KINDS):
            if counts[kind] != tables.COPIES[deck, kind]:
                return False
    return True


@rule
def squares_hold_one_card(s: Record) -> bool:
    if s.occupied[0] & s.occupied[1]:
        return False
    for square in range(SQUARES):
        if (s.card[square] == state.NONE) == ((s.occupied[0] | s.occupied[1]) >> square & 1 != 0):
            return False
        if s.card[square] == state.NONE and s.defence[square] != 0:
            return False
    return True


@rule
def places_are_sound(s: Record) -> bool:
    for seat in range(SEATS):
        cards = 0
        for kind in range(tables.KINDS):
            cards += s.hand[seat, kind]
            if not 0 <= s.known[seat, kind] <= s.hand[seat, kind]:
                return False
        if cards != s.hand_size[seat] or cards > state.HAND:
            return False
        for place in range(s.deck.shape[1]):
            if (s.deck[seat, place] == state.NONE) == (place < s.deck_size[seat]):
                return False
    return True


@rule
def sets_follow_from_the_cards(s: Record) -> bool:
    for seat in range(SEATS):
        for kind in range(tables.KINDS):
            if (s.hand_kinds[seat] >> kind & 1 != 0) != (s.hand[seat, kind] > 0):
                return False
        for square in range(SQUARES):
            stands = s.occupied[seat] >> square & 1 != 0
            if stands and s.defence[square] != tables.DEFENCE[s.row[seat] + s.card[square]]:
                return False
            shoots = stands and tables.GRID[s.row[seat] + s.card[square]] != tables.NO_GRID
            if shoots != (s.ranged[seat] >> square & 1 != 0):
                return False
    return True


@rule
def sums_of_arrows_recount(s: Record, sums: Any) -> bool:
    for seat in range(SEATS):
        sums[:] = 0
        cards = s.occupied[seat]
        while cards:
            square = lowest_bit(cards)
            cards &= cards - 1
            for direction in range(NUM_DIRECTIONS):
                place = NEIGHBOUR[square, direction]
                if place != OFF_BOARD:
                    sums[place] += tables.ARROW_VALUE[s.row[seat] + s.card[square], direction]
        for square in range(SQUARES):
            if s.attack[seat, square] != sums[square]:
                return False
    return True


@rule
def losses_add_up(s: Record) -> bool:
    for seat in range(SEATS):
        losses, commands = 0, 0
        for kind in range(tables.KINDS):
            losses += s.dead[seat, kind]
            commands += s.dead[seat, kind] * tables.IS_COMMAND[s.row[seat] + kind]
        if losses != s.losses[seat] or commands != s.command_losses[seat]:
            return False
    return True


@rule
def result_is_right(s: Record) -> bool:
    first = s.losses[1] >= state.CARDS_TO_WIN or s.command_losses[1] >= state.COMMANDS_TO_WIN
    second = s.losses[0] >= state.CARDS_TO_WIN or s.command_losses[0] >= state.COMMANDS_TO_WIN
    if player(s) != TERMINAL:
        return not first and not second and s.winner == state.UNDECIDED
    if first and not second:
        return s.winner == 0
    if second and not first:
        return s.winner == 1
    return s.winner in (0, 1, state.DRAW_GAME)


@rule
def fault_in(s: Record, scratch: Any) -> int:
    """What is wrong with a position; `scratch` has SCRATCH entries."""
    if not armies_are_complete(s, scratch):
        return CARDS
    if not squares_hold_one_card(s):
        return SQUARE
    if not places_are_sound(s):
        return PLACES
    if not sets_follow_from_the_cards(s):
        return SETS
    if not sums_of_arrows_recount(s, scratch):
        return ATTACK
    if not losses_add_up(s):
        return KILLS
    return FINE if result_is_right(s) else RESULT
