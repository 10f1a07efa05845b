"""What a seat of Colonizers knows (docs/rules/colonizers.md, sections 4 and 5).

Hidden are the other hands, the deck and its order, the two cards another seat has just drawn, the colonist out of
the round, and other seats' colonists until they make their Draw choice. A seat knows what was on offer to it when it
picked: earlier seats and the colonist out of the round share what was not, later seats what it left.

As in the original program nobody remembers cards that went to the bottom of the deck or changed hands.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from boardwright.games.colonizers import state
from boardwright.games.colonizers.cards import CARDS, COLONISTS, COPIES, KINDS
from boardwright.kernel import Record, RngState, rng, rule
from boardwright.kernel.bits import mix


@rule
def is_revealed(s: Record, seat: int) -> bool:
    """A colonist is open from its seat's Draw choice to the end of the round."""
    return s.phase != state.COLONIST_PICK and (seat < s.turn or (seat == s.turn and s.phase != state.DRAW))


@rule
def candidates(s: Record, observer: int, seat: int) -> int:
    """The colonists a seat may have, as far as the observer knows: one if that is open, none before its pick.

    The original program left revealed colonists in its lists about other seats; whoever is to move has the same lists
    either way.
    """
    if s.colonist[seat] == state.NONE:
        return 0
    if s.colonist[seat] != state.UNKNOWN:
        return 1 << s.colonist[seat]
    if seat < observer:
        possible = state.ALL_COLONISTS & ~s.offered[observer]
    else:
        possible = s.offered[observer] & ~(1 << s.colonist[observer])
    for other in range(state.SEATS):
        if s.colonist[other] >= 0:
            possible &= ~(1 << s.colonist[other])
    return possible


@rule
def one_of(rng_state: RngState, colonists: int) -> int:
    """A member of a set of colonists; all are equally likely."""
    skip = rng.below(rng_state, state.HOW_MANY[colonists])
    for colonist in range(len(COLONISTS)):
        if colonists >> colonist & 1:
            if skip == 0:
                return colonist
            skip -= 1
    return state.NONE


@rule
def observe(s: Record, seat: int) -> None:
    sees_picks = s.leak != 0 and s.phase == state.COLONIST_PICK and s.turn == seat
    for other in range(state.SEATS):
        if other != seat:
            s.hand[other, :] = 0
            s.offered[other] = 0
            if s.colonist[other] != state.NONE and not is_revealed(s, other) and not sees_picks:
                s.colonist[other] = state.UNKNOWN
    if s.phase == state.DISCARD and s.turn != seat:
        s.drawn[:] = state.UNKNOWN
    s.deck[:] = state.UNKNOWN
    s.top = 0
    s.rng[:] = 0


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    """Picks look alike to others, but for the seat that picks next, who sees what is left. Kept cards look alike unless
    the hand is full and the card ends up in the open."""
    if s.phase == state.COLONIST_PICK:
        if seat == s.turn + 1:
            return action if s.leak else state.PICK_THAT_LEAVES + (s.offered[s.turn] & ~(1 << (action - state.PICK)))
        return state.UNSEEN_PICK
    if s.phase == state.DISCARD and s.hand_size[s.turn] < state.HAND_CAPACITY:
        return state.UNSEEN_CARD
    return action


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """The colonists on offer to it, cards that came to its hand or that it has drawn, and colonists revealed."""
    digest = 0
    if s.offered[seat] and s.offered[seat] != before.offered[seat]:
        digest = mix(digest, s.offered[seat])
    if s.phase == state.DISCARD and s.turn == seat:
        digest = mix(digest, KINDS * min(s.drawn[0], s.drawn[1]) + max(s.drawn[0], s.drawn[1]))
    if before.phase != state.DISCARD:  # a card that is kept was named
        for kind in range(KINDS):
            if s.hand[seat, kind] > before.hand[seat, kind]:
                digest = mix(digest, KINDS * s.hand[seat, kind] + kind)
    for other in range(state.SEATS):
        if other != seat and is_revealed(s, other) and not is_revealed(before, other):
            digest = mix(digest, s.colonist[other])
    return digest


def announced(s: Record, action: int) -> bool:
    """Opportunist and Spy name a colonist aloud. Nobody notes it, whether somebody has it or not."""
    return bool(s.phase == state.POWER)


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    """Every way to fill the blanks that fits what the seat has seen is equally likely."""
    rng.seed(s.rng, seed)
    deal_colonists(s, seat)
    deal_modules(s, seat)


@rule
def deal_colonists(s: Record, seat: int) -> None:
    before = state.ALL_COLONISTS & ~s.offered[seat]  # a seat not yet asked has seen nothing: then this is all six
    after = s.offered[seat]
    for holder in range(state.SEATS):
        if s.colonist[holder] >= 0:
            before &= ~(1 << s.colonist[holder])
            after &= ~(1 << s.colonist[holder])
    for holder in range(state.SEATS):
        if s.colonist[holder] == state.UNKNOWN:
            if holder < seat:
                s.colonist[holder] = one_of(s.rng, before)
                before &= ~(1 << s.colonist[holder])
            else:
                s.colonist[holder] = one_of(s.rng, after)
                after &= ~(1 << s.colonist[holder])
    on_offer = state.ALL_COLONISTS & ~(1 << one_of(s.rng, before))
    for picker in range(state.SEATS):
        s.offered[picker] = on_offer
        if s.colonist[picker] == state.NONE:
            break
        on_offer &= ~(1 << s.colonist[picker])


@rule
def deal_modules(s: Record, seat: int) -> None:
    """All cards the seat does not see, shuffled; from the end of the heap to the other hands, the rest is the deck."""
    size = 0
    for kind in range(KINDS):
        unseen = COPIES[kind] - s.hand[seat, kind] - s.removed[kind]
        for holder in range(state.SEATS):
            unseen -= s.colony[holder, kind]
        for place in range(state.CARDS_DRAWN):
            if s.drawn[place] == kind:
                unseen -= 1
        for _ in range(unseen):
            s.deck[size] = kind
            size += 1
    rng.shuffle(s.rng, s.deck, size)
    for holder in range(state.SEATS):
        if holder != seat:
            for _ in range(s.hand_size[holder]):
                size -= 1
                s.hand[holder, s.deck[size]] += 1
                s.deck[size] = state.NONE
    for place in range(state.CARDS_DRAWN):
        if s.drawn[place] == state.UNKNOWN:
            size -= 1
            s.drawn[place] = s.deck[size]
            s.deck[size] = state.NONE
    for place in range(size, CARDS):
        s.deck[place] = state.NONE


def count_kinds(kinds: Iterable[int]) -> list[int]:
    """How many cards of each kind there are."""
    counts = [0] * KINDS
    for kind in kinds:
        counts[kind] += 1
    return counts


def cards_in_deck(s: Record) -> list[int]:
    """From the top to the bottom."""
    return [s.deck[(s.top + place) % CARDS] for place in range(s.deck_size)]


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Rearrange what the seat cannot see, without help from the rules that hide it."""
    _scramble_modules(s, seat, random)
    _scramble_colonists(s, seat, random)
    s.rng[:] = random.integers(0, 2**63, 4)


def _scramble_modules(s: Record, seat: int, random: np.random.Generator) -> None:
    others = [other for other in range(state.SEATS) if other != seat]
    secret_draw = s.phase == state.DISCARD and s.turn != seat
    heap = cards_in_deck(s) + [kind for other in others for kind in range(KINDS) for _ in range(s.hand[other, kind])]
    heap += list(s.drawn) if secret_draw else []
    heap = [int(kind) for kind in random.permutation(heap)]
    for other in others:
        s.hand[other] = count_kinds(heap.pop() for _ in range(s.hand_size[other]))
    if secret_draw:
        s.drawn[:] = heap.pop(), heap.pop()
    s.deck[:] = state.NONE
    s.top = int(random.integers(CARDS))
    for place, kind in enumerate(heap):
        s.deck[(s.top + place) % CARDS] = kind


def _scramble_colonists(s: Record, seat: int, random: np.random.Generator) -> None:
    """Lay the six in a row: the one out of the round, the picks in order, those on offer. What was put down before
    the seat was asked can change places among itself, and so can what was put down after."""
    picks = [int(colonist) for colonist in s.colonist if colonist != state.NONE]
    row = [(state.ALL_COLONISTS & ~s.offered[0]).bit_length() - 1, *picks]
    row += [colonist for colonist in range(len(COLONISTS)) if colonist not in row]
    revealed = {state.COLONIST_PICK: 0, state.DRAW: s.turn}.get(s.phase, s.turn + 1)
    if s.leak and s.phase == state.COLONIST_PICK and s.turn == seat:
        revealed = seat
    own = {1 + seat} if len(picks) > seat else set()
    secret = [place for place in range(len(row)) if place not in own and not 1 <= place <= revealed]
    asked_at = seat if len(picks) >= seat else len(row)
    before = [place for place in secret if place <= asked_at]
    after = [place for place in secret if place > asked_at]
    for group in (before, after):
        for place, colonist in zip(group, random.permutation([row[place] for place in group]), strict=True):
            row[place] = int(colonist)
    for picker in range(len(picks)):
        s.colonist[picker] = row[1 + picker]
    for picker in range(min(len(picks) + 1, state.SEATS)):
        s.offered[picker] = sum(1 << colonist for colonist in row[1 + picker :])
