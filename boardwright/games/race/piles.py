"""Drawing and discarding, and what each seat gets to know by it (docs/rules/race.md, section 3).

The deck and the discard pile have no order. In a draw all cards of the deck are equally likely. The discard pile
becomes the deck in the moment the deck runs out.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import ALL, WORDS, add, bit_of, nth, remove, size, word_of
from boardwright.games.race.cards import CARDS
from boardwright.games.race.recall import DECK, notice, notice_discards, notice_play, notice_recycling, notice_taken
from boardwright.games.race.state import EXPLORE_DISCARD, NO_CARD
from boardwright.kernel import Record, rng, rule

LCG_FACTOR, LCG_STEP, LCG_MASK = 1664525, 1013904223, 0xFFFFFFFF


@rule
def roll(s: Record, n: int) -> int:
    """A number from 0 to n-1."""
    if s.original:
        s.lcg = (s.lcg * LCG_FACTOR + LCG_STEP) & LCG_MASK
        s.rng[0] = np.uint64(s.lcg)  # conformance.py sees by `rng` that chance was used
        return ((s.lcg >> 16) & 0x7FFF) % n
    return rng.below(s.rng, n)


@rule
def draw(s: Record) -> int:
    """Take a card from the deck; NO_CARD if there is none anywhere. Who has put it where it belongs calls
    `recycle_if_empty`."""
    if s.deck_size == 0:
        recycle(s)
        if s.deck_size == 0:
            return NO_CARD
    card = nth(s.deck, roll(s, s.deck_size))
    remove(s.deck, card)
    s.deck_size -= 1
    return card


@rule
def recycle_if_empty(s: Record) -> None:
    if s.deck_size == 0:
        recycle(s)


@rule
def recycle(s: Record) -> None:
    """The discard pile becomes the deck. Nobody knows any more where its cards are."""
    if s.discard_size == 0:
        return
    notice_recycling(s)
    for w in range(WORDS):
        for seat in range(s.seats):
            s.knows[seat, w] &= ~s.discard[w]
        s.deck[w] |= s.discard[w]
        s.discard[w] = 0
    s.deck_size += s.discard_size
    s.discard_size = 0


@rule
def draw_to_hand(s: Record, seat: int, n: int) -> None:
    for _ in range(n):
        card = draw(s)
        if card == NO_CARD:
            return
        if s.generation:
            notice(s, seat, card, DECK)
        add(s.hand[seat], card)
        s.hand_size[seat] += 1
        recycle_if_empty(s)


@rule
def discard_picked(s: Record, seat: int) -> None:
    """The picked cards of the hand go to the discard pile, face down: only their owner knows them."""
    n = size(s.picked[seat])
    if n == 0:
        return
    if s.generation or seat == s.gambler:
        notice_discards(s, seat, n)
    if s.stage != EXPLORE_DISCARD:
        s.given[seat] += n
    for w in range(WORDS):
        s.hand[seat, w] &= ~s.picked[seat, w]
        s.discard[w] |= s.picked[seat, w]
        s.knows[seat, w] |= s.picked[seat, w]
    s.hand_size[seat] -= n
    s.discard_size += n


@rule
def discard_openly(s: Record, card: int) -> None:
    """A card that all have seen goes to the discard pile."""
    add(s.discard, card)
    s.discard_size += 1
    for seat in range(s.seats):
        add(s.knows[seat], card)


@rule
def discard_unseen(s: Record, card: int) -> None:
    """A card that nobody has looked at goes to the discard pile: a good."""
    add(s.discard, card)
    s.discard_size += 1


@rule
def turn_up(s: Record) -> int:
    """Take a card from the deck for all to see."""
    card = draw(s)
    if card != NO_CARD:
        for seat in range(s.seats):
            notice(s, seat, card, DECK)
            add(s.knows[seat], card)
        recycle_if_empty(s)
    return card


@rule
def take_openly(s: Record, seat: int, card: int) -> None:
    """A card that was turned up goes to a hand."""
    add(s.hand[seat], card)
    s.hand_size[seat] += 1
    remove(s.knows[seat], card)
    notice_taken(s, seat, card)


@rule
def play_from_hand(s: Record, seat: int, card: int) -> None:
    """A card leaves a hand for the tableau, where all can see it."""
    if s.generation or seat == s.gambler:
        notice_play(s, seat, card)
    remove(s.hand[seat], card)
    s.hand_size[seat] -= 1
    w, mask = word_of(card), ~bit_of(card)
    for other in range(s.seats):
        s.knows[other, w] &= mask


@rule
def fill_deck(s: Record) -> None:
    for w in range(WORDS):
        s.deck[w] = ALL[w]
    s.deck_size = CARDS
