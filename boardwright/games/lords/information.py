"""What a seat of Lords of War knows (docs/rules/lords.md, section 7).

With `information=hidden` a seat sees the board, the eliminated cards, its own hand, and of the other hand the cards
that it knows of: the general at the beginning, recalled cards, and a hand that was shown. Hidden are the rest of the
other hand and the order of both decks. With `information=open` nothing is hidden.

All actions are public: a card that is drawn is not named by the action.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.games.lords.board import SEATS
from boardwright.games.lords.cards import COPIES, KINDS, deck_at_row
from boardwright.games.lords.piles import kind_on
from boardwright.games.lords.state import NONE, OPEN, UNKNOWN
from boardwright.kernel import Record, copy_into, rng, rule
from boardwright.kernel.bits import lowest_bit, members, mix


@rule
def is_open(s: Record) -> bool:
    """Whether this game hides nothing."""
    return s.information == OPEN


@rule
def observe(s: Record, seat: int) -> None:
    if is_open(s):
        return
    other = 1 - seat
    copy_into(s.hand[other], s.known[other], KINDS)
    s.hand_kinds[other] = 0
    for kind in range(KINDS):
        if s.known[other, kind]:
            s.hand_kinds[other] |= 1 << kind
    for owner in range(SEATS):
        for place in range(s.deck_size[owner]):
            s.deck[owner, place] = UNKNOWN


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """The card it drew, and cards of the other hand that were shown. A recalled card is known by the action."""
    if is_open(s):
        return 0
    digest = 0
    for kind in range(KINDS):
        drawn = s.hand[seat, kind] - before.hand[seat, kind]
        recalled = s.known[seat, kind] - before.known[seat, kind]
        if drawn > max(recalled, 0):
            digest = mix(digest, kind)
        if s.known[1 - seat, kind] > before.known[1 - seat, kind]:
            digest = mix(digest, KINDS + kind)
    return digest


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    """All cards that the seat does not see, shuffled: every way to deal them is equally likely."""
    if is_open(s):
        return
    rng_state = rng.on_stack()
    rng.seed(rng_state, seed)
    for owner in range(SEATS):
        deal_unseen(s, owner, rng_state)


@rule
def deal_unseen(s: Record, owner: int, rng_state: Any) -> None:
    """The deck, and where the hand is hidden, its unknown cards. `hand` holds those that are seen."""
    unseen = s.deck[owner]
    size = 0
    deck = deck_at_row(s.row[owner])
    first, others = counts_on_board(s, owner)
    for kind in range(KINDS):
        on_board = (first if kind < HALF else others) >> BITS * (kind % HALF) & LARGEST
        for _ in range(COPIES[deck, kind] - s.hand[owner, kind] - s.dead[owner, kind] - on_board):
            unseen[size] = kind
            size += 1
    rng.shuffle(rng_state, unseen, size)
    while size > s.deck_size[owner]:
        size -= 1
        kind = unseen[size]
        s.hand[owner, kind] += 1
        s.hand_kinds[owner] |= 1 << kind
        unseen[size] = NONE


BITS, HALF = 4, 16
LARGEST = (1 << BITS) - 1
assert COPIES.max() < LARGEST // 2, "counts do not fit into four bits"
assert KINDS <= 2 * HALF, "counts by kind do not fit into two words"


@rule
def counts_on_board(s: Record, owner: int) -> tuple[int, int]:
    """How many cards of each kind a seat has on the board, four bits each: of the first 16 kinds, and of the others."""
    first, others = 0, 0
    cards = s.occupied[owner]
    while cards:
        kind = kind_on(s, lowest_bit(cards))
        first += (kind < HALF) << BITS * (kind % HALF)
        others += (kind >= HALF) << BITS * (kind % HALF)
        cards &= cards - 1
    return first, others


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Rearrange what the seat cannot see, without help from the rules that hide it."""
    if s.information == OPEN:
        return
    for owner in range(SEATS):
        size = s.deck_size[owner]
        heap = s.deck[owner].tolist()[:size]
        if owner != seat:
            secret = (s.hand[owner] - s.known[owner]).tolist()
            heap += [kind for kind, copies in enumerate(secret) for _ in range(copies)]
        heap = random.permutation(heap).tolist()
        s.deck[owner, :size] = heap[:size]
        if owner != seat:
            hand = s.known[owner].tolist()
            for kind in heap[size:]:
                hand[kind] += 1
            s.hand[owner] = hand
            s.hand_kinds[owner] = sum(1 << kind for kind in range(KINDS) if hand[kind])


def hand_of(s: Record, seat: int) -> list[int]:
    """The kinds in a hand, equal cards repeated; in an observation, those that are seen."""
    return [kind for kind in members(s.hand_kinds[seat]) for _ in range(s.hand[seat, kind])]


def deck_of(s: Record, seat: int) -> list[int]:
    """The kinds in a deck from the top down."""
    return [s.deck[seat, place] for place in reversed(range(s.deck_size[seat]))]


def announced(s: Record, action: int) -> bool:
    """Everything is done in the open: who deploys, shoots, holds fire, draws or recalls says so."""
    return True
