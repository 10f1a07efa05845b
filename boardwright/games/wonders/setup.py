"""Setting up a game and dealing an Age (RULES sections 1 and 2)."""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders.cards import (
    BOARDS,
    DECK,
    DECK_SIZE,
    FIRST_GUILD,
    GUILDS,
    HAND,
    MOST_SEATS,
)
from boardwright.games.wonders.state import (
    BABYLON_UNPAID,
    CHOICES_UNSOLD,
    CHOOSE,
    EMPTY,
    NO_COINS,
    NO_TIE_BREAK,
    NOT_YET,
    OLYMPIA_ALWAYS,
    ONE_NEIGHBOUR,
    READY,
    SLIPPED_DATA,
    SPENT,
    SWAPPED,
    give_board,
)
from boardwright.kernel import Actions, Record, rng, rule

START_COINS = 3
_RANDOM_SIDE = 0


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    s.seats = seats
    s.undominated = options[1]
    slips = options[2]
    s.data = slips & SLIPPED_DATA
    s.one_neighbour = slips & ONE_NEIGHBOUR != 0
    s.choices_sold = slips & CHOICES_UNSOLD == 0
    s.swapped = slips & SWAPPED != 0
    s.olympia_always = slips & OLYMPIA_ALWAYS != 0
    s.coins_break_ties = slips & NO_TIE_BREAK == 0
    s.babylon_pays = slips & BABYLON_UNPAID == 0
    boards = np.arange(BOARDS)
    rng.shuffle(s.rng, boards, BOARDS)
    for seat in range(seats):
        side = rng.below(s.rng, 2) if options[0] == _RANDOM_SIDE else options[0] - 1
        give_board(s, seat, boards[seat], side)
        s.city[seat].coins = 0 if slips & NO_COINS else START_COINS
    for packet in range(MOST_SEATS):
        for place in range(HAND):
            s.hand[packet, place] = EMPTY
    s.digger = EMPTY
    deal(s)


@rule
def deal(s: Record) -> None:
    """Shuffle and deal the deck of the Age; begin its first turn."""
    size = s.seats * HAND
    deck = np.empty(HAND * MOST_SEATS, np.int64)
    ordinary = DECK_SIZE[s.seats, s.age]
    for place in range(ordinary):
        deck[place] = DECK[s.seats, s.age, place]
    if ordinary < size:
        guilds = np.arange(FIRST_GUILD, FIRST_GUILD + GUILDS)
        rng.shuffle(s.rng, guilds, GUILDS)
        for place in range(ordinary, size):
            deck[place] = guilds[place - ordinary]
    rng.shuffle(s.rng, deck, size)
    for packet in range(s.seats):
        for place in range(HAND):
            s.hand[packet, place] = deck[packet * HAND + place]
        sort_hand(s, packet)
        city = s.city[packet]
        if city.free_build == SPENT:
            city.free_build = READY
    s.turn = 0
    begin_turn(s)


@rule
def forget_choices(s: Record) -> None:
    for seat in range(MOST_SEATS):
        s.chosen[seat] = NOT_YET
        s.pay[seat, 0] = s.pay[seat, 1] = 0


@rule
def begin_turn(s: Record) -> None:
    forget_choices(s)
    s.phase = CHOOSE
    s.mover = 0


@rule
def sort_hand(s: Record, packet: int) -> None:
    """Keep the cards of a packet in the order of kinds, so that nobody learns anything from their order."""
    for i in range(1, HAND):
        card = s.hand[packet, i]
        if card < 0:
            break
        j = i
        while j > 0 and s.hand[packet, j - 1] > card:
            s.hand[packet, j] = s.hand[packet, j - 1]
            j -= 1
        s.hand[packet, j] = card
