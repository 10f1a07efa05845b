"""Setting up a game and dealing an Age (docs/rules/wonders.md, sections 1 and 2)."""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders import cards, state
from boardwright.games.wonders.slips import NO_START_COINS
from boardwright.kernel import Actions, Record, rng, rule

START_COINS = 3
RANDOM_SIDE = 0
_CHOICES = len(state.BOARD_CHOICES)
_PER_BOARD = 3  # choices for each board: any side, A, B


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    sides, undominated, slips, boards = options[0], options[1], options[2], options[3]
    rng.seed(s.rng, seed)
    s.seats = seats
    s.undominated = undominated
    s.slips = slips
    give_boards(s, sides, boards)
    for seat in range(seats):
        s.city[seat].coins = 0 if slips & NO_START_COINS else START_COINS
    for packet in range(cards.MOST_SEATS):
        for place in range(cards.HAND):
            s.hand[packet, place] = state.EMPTY
    s.digger = s.owed = state.EMPTY
    deal(s)


@rule
def give_boards(s: Record, sides: int, wanted: int) -> None:
    """The boards that are asked for, one digit of `wanted` per seat; the other seats get a random one of the rest."""
    order = np.arange(cards.BOARDS)
    rng.shuffle(s.rng, order, cards.BOARDS)
    taken = np.zeros(cards.BOARDS, np.bool_)
    digits = wanted
    for _ in range(s.seats):
        if digits % _CHOICES:
            taken[(digits % _CHOICES - 1) // _PER_BOARD] = True
        digits //= _CHOICES
    place = 0
    for seat in range(s.seats):
        choice = wanted % _CHOICES
        wanted //= _CHOICES
        side = sides
        if choice:
            board = (choice - 1) // _PER_BOARD
            if (choice - 1) % _PER_BOARD:
                side = (choice - 1) % _PER_BOARD
        else:
            while taken[order[place]]:
                place += 1
            board = order[place]
            place += 1
        state.give_board(s, seat, board, rng.below(s.rng, 2) if side == RANDOM_SIDE else side - 1)


@rule
def deal(s: Record) -> None:
    """Shuffle and deal the deck of the Age; begin its first turn."""
    size = s.seats * cards.HAND
    deck = np.empty(cards.HAND * cards.MOST_SEATS, np.int64)
    ordinary = cards.DECK_SIZE[s.seats, s.age]
    for place in range(ordinary):
        deck[place] = cards.DECK[s.seats, s.age, place]
    if ordinary < size:
        guilds = np.arange(cards.FIRST_GUILD, cards.FIRST_GUILD + cards.GUILDS)
        rng.shuffle(s.rng, guilds, cards.GUILDS)
        for place in range(ordinary, size):
            deck[place] = guilds[place - ordinary]
    rng.shuffle(s.rng, deck, size)
    for packet in range(s.seats):
        for place in range(cards.HAND):
            s.hand[packet, place] = deck[packet * cards.HAND + place]
        sort_hand(s, packet)
        city = s.city[packet]
        if city.free_build == state.SPENT:
            city.free_build = state.READY
    s.turn = 0
    begin_turn(s)


@rule
def forget_choices(s: Record) -> None:
    for seat in range(cards.MOST_SEATS):
        s.chosen[seat] = state.NOT_YET
        s.pay[seat, 0] = s.pay[seat, 1] = 0


@rule
def begin_turn(s: Record) -> None:
    forget_choices(s)
    s.phase = state.CHOOSE
    s.mover = 0


@rule
def sort_hand(s: Record, packet: int) -> None:
    """Keep the cards of a packet in the order of kinds, so that nobody learns anything from their order."""
    for i in range(1, cards.HAND):
        card = s.hand[packet, i]
        if card < 0:
            break
        j = i
        while j > 0 and s.hand[packet, j - 1] > card:
            s.hand[packet, j] = s.hand[packet, j - 1]
            j -= 1
        s.hand[packet, j] = card
