"""Setup: a start world and six cards for everybody, of which two are discarded (docs/rules/race.md, section 4)."""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import add, remove
from boardwright.games.race.cards import START_WORLDS
from boardwright.games.race.picks import ask_cards
from boardwright.games.race.piles import LCG_MASK, discard_picked, draw_to_hand, fill_deck, roll
from boardwright.games.race.state import DISCARD, NOBODY, POOL_PER_SEAT, ROUND_START, SETUP_DISCARD
from boardwright.games.race.tableau import ALPHA_CENTAURI, join, settle_down
from boardwright.kernel import Actions, Record, rng, rule

FIRST_CARDS, FIRST_DISCARDS = 6, 2


@rule
def deal(s: Record, seed: int, seats: int, options: Actions) -> None:
    s.seats = seats
    s.recalls = (1 << seats) - 1
    s.gambler = NOBODY
    s.original = options[0]
    if s.original:
        s.lcg = np.int64(seed & np.uint64(LCG_MASK))
    else:
        rng.seed(s.rng, seed)
    s.pool = POOL_PER_SEAT * seats
    fill_deck(s)
    deal_start_worlds(s)
    for seat in range(seats):
        draw_to_hand(s, seat, FIRST_CARDS)
    s.stage = SETUP_DISCARD


@rule
def deal_start_worlds(s: Record) -> None:
    """All five are set aside; goods are drawn without them; those that nobody got go back into the deck."""
    left = np.zeros(START_WORLDS, np.int64)
    for card in range(START_WORLDS):
        left[card] = card
        remove(s.deck, card)
    s.deck_size -= START_WORLDS
    n = START_WORLDS
    for seat in range(s.seats):
        k = roll(s, n)
        world = left[k]
        n -= 1
        left[k] = left[n]
        settle_down(s, seat, world)
        join(s, seat, world)
        if world == ALPHA_CENTAURI:
            s.first_good = 1
        if world < s.tableau[s.first, 0]:
            s.first = seat
    for i in range(n):
        add(s.deck, left[i])
    s.deck_size += n


@rule
def setup_discard(s: Record) -> None:
    """Everybody is asked in seat order; then the discards are made."""
    if s.turn < s.seats:
        seat = s.turn
        s.turn += 1
        ask_cards(s, DISCARD, seat, s.hand_size[seat], FIRST_DISCARDS, 1)
        return
    for seat in range(s.seats):
        discard_picked(s, seat)
    s.stage = ROUND_START
