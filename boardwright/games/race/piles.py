"""Drawing and discarding, and what each seat gets to know by it (docs/rules/race.md, section 3).

The deck and the discard pile have no order. In a draw all cards of the deck are equally likely. The discard pile
becomes the deck in the moment the deck runs out.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import FULL, WORDS, add, bit_of, nth, remove, size, word_of
from boardwright.games.race.cards import CARDS
from boardwright.games.race.state import NO_CARD
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
    """Take a card from the deck; NO_CARD if there is none anywhere."""
    if s.deck_size == 0:
        recycle(s)
        if s.deck_size == 0:
            return NO_CARD
    card = nth(s.deck, roll(s, s.deck_size))
    remove(s.deck, card)
    s.deck_size -= 1
    if s.deck_size == 0:
        recycle(s)
    return card


@rule
def recycle(s: Record) -> None:
    """The discard pile becomes the deck. Nobody knows any more where its cards are."""
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
        add(s.hand[seat], card)
        s.hand_size[seat] += 1


@rule
def discard_picked(s: Record, seat: int) -> None:
    """The picked cards of the hand go to the discard pile, face down: only their owner knows them."""
    n = size(s.picked[seat])
    if n == 0:
        return
    for w in range(WORDS):
        for other in range(s.seats):  # a card that they saw this seat take may be among those that go
            if other != seat:
                s.knows[other, w] &= ~s.hand[seat, w]
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
def take_openly(s: Record, seat: int, card: int) -> None:
    """A card that all have seen goes to a hand."""
    add(s.hand[seat], card)
    s.hand_size[seat] += 1
    for other in range(s.seats):
        if other != seat:
            add(s.knows[other], card)


@rule
def play_from_hand(s: Record, seat: int, card: int) -> None:
    """A card leaves a hand for the tableau, where all can see it."""
    remove(s.hand[seat], card)
    s.hand_size[seat] -= 1
    w, mask = word_of(card), ~bit_of(card)
    for other in range(s.seats):
        s.knows[other, w] &= mask


@rule
def fill_deck(s: Record) -> None:
    for w in range(WORDS):
        s.deck[w] = FULL
    s.deck_size = CARDS
