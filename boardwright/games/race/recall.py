"""What a seat remembers of cards that went from the discard pile into the deck.

A *generation* of the deck lasts until the discard pile becomes the deck. A card that a seat saw in that pile has been
*unseen since* the new generation; nobody can have drawn it earlier. In which generation somebody draws a card all can
see, so that a card drawn in generation g can be any that is unseen since g or before.

Who gives cards away does not show which. Within a generation a hand and the cards it gave away are therefore one pool
(`old_hand`, `given`, `given_new`); determinizations split it. When the discard pile becomes the deck, a seat allows for
as much as can be: the oldest cards of the pool are those that went. In the same way a card that somebody plays was the
oldest of the pool that it can have been, and of two equal cards, of which nobody can say which one was seen, that is
left which may be in more places. So what really happened is never ruled out, and nothing has to be taken back.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import ALL, WORDS, add, bit_of, clear, count, has, lowest, remove, word_of
from boardwright.games.race.cards import CARDS, SECOND_CARD
from boardwright.games.race.state import EXPLORE_DISCARD, GENERATION_BITS, LAST_GENERATION, TABLEAU_ROOM
from boardwright.kernel import Actions, Record, rule

DECK = -1
"""In place of the seat whose hand a card comes from."""

EQUAL_CARD = np.full(CARDS, -1, np.int64)
EQUAL_CARD[SECOND_CARD], EQUAL_CARD[SECOND_CARD - 1] = SECOND_CARD - 1, SECOND_CARD
"""The other card with the same face, or -1."""


@rule
def unseen_word(s: Record, seat: int, generation: int, w: int) -> int:
    """The cards that are unseen since a generation, if they are unseen at all: one word of the set."""
    word = ALL[w]
    for bit in range(GENERATION_BITS):
        plane = s.unseen_since[seat, bit, w]
        word &= plane if generation >> bit & 1 else ~plane
    return word


@rule
def generation_of(s: Record, seat: int, card: int) -> int:
    """Since when a card is unseen, if it is unseen."""
    generation = 0
    for bit in range(GENERATION_BITS):
        if has(s.unseen_since[seat, bit], card):
            generation |= 1 << bit
    return generation


@rule
def set_generation(s: Record, seat: int, w: int, cards: int, generation: int) -> None:
    """The cards of a word have been unseen since then."""
    for bit in range(GENERATION_BITS):
        if generation >> bit & 1:
            s.unseen_since[seat, bit, w] |= cards
        else:
            s.unseen_since[seat, bit, w] &= ~cards


@rule
def find_unseen(s: Record, seat: int, unseen: Actions) -> None:
    """The cards of which a seat does not know where they are; in a state, or in its observation."""
    for w in range(WORDS):
        unseen[w] = ALL[w] & ~s.hand[seat, w] & ~s.knows[seat, w]
    for other in range(s.seats):
        for place in range(s.size[other]):
            remove(unseen, s.tableau[other, place])


@rule
def is_unseen(s: Record, seat: int, card: int) -> bool:
    if has(s.hand[seat], card) or has(s.knows[seat], card):
        return False
    for other in range(s.seats):
        for place in range(s.size[other]):
            if s.tableau[other, place] == card:
                return False
    return True


@rule
def recalls(s: Record, seat: int) -> bool:
    """Whether a seat has something to remember: in observations and determinizations others have not."""
    return s.generation > 0 and s.recalls >> seat & 1 != 0


@rule
def old_in_pool(s: Record, seat: int, owner: int) -> int:
    n = 0
    for generation in range(s.generation):
        n += s.old_hand[seat, owner, generation]
    return n


@rule
def new_in_pool(s: Record, seat: int, owner: int) -> int:
    """How many cards of the pool were drawn in this generation, those apart of which the seat knows."""
    n = s.hand_size[owner] + s.given[owner] - old_in_pool(s, seat, owner)
    for w in range(WORDS):
        n -= count(s.hand[owner, w] & s.knows[seat, w])
    return n


@rule
def equal_unseen(s: Record, seat: int, card: int, owner: int) -> int:
    """The card that a seat cannot tell from one that comes from the owner's hand, or from the deck; -1 if it can. A
    card that all saw the gambler take comes from nowhere else before the discard pile becomes the deck."""
    other = EQUAL_CARD[card]
    if other < 0 or (has(s.shown, other) and owner != s.gambler) or not is_unseen(s, seat, other):
        return -1
    return other


@rule
def notice(s: Record, seat: int, card: int, owner: int) -> None:
    """A seat sees a card that it did not know the place of."""
    if recalls(s, seat) and (EQUAL_CARD[card] >= 0 or has(s.kept[seat], card)):
        forget_place(s, seat, card, owner)


@rule
def forget_place(s: Record, seat: int, card: int, owner: int) -> None:
    """Since when a card was unseen matters no more, but if there is an equal one that it may have been."""
    other = equal_unseen(s, seat, card, owner)
    if other >= 0:
        generation = generation_of(s, seat, card)
        if generation < generation_of(s, seat, other):
            set_generation(s, seat, word_of(other), bit_of(other), generation)
        if has(s.kept[seat], card):
            add(s.kept[seat], other)
    remove(s.kept[seat], card)


@rule
def notice_taken(s: Record, owner: int, card: int) -> None:
    """A card that all have seen goes from the deck to a hand."""
    s.gambler = owner
    for seat in range(s.seats):
        if seat != owner and recalls(s, seat):
            set_generation(s, seat, word_of(card), bit_of(card), s.generation)


@rule
def notice_play(s: Record, owner: int, card: int) -> None:
    """A card is about to leave a hand for the tableau."""
    other = EQUAL_CARD[card]
    for seat in range(s.seats):
        if seat == owner or has(s.knows[seat], card):
            continue
        if other >= 0 and has(s.knows[seat], other) and has(s.hand[owner], other):
            # All saw the owner take one of the two; this may be it, and the other one may be anywhere.
            remove(s.knows[seat], other)
            set_generation(s, seat, word_of(other), bit_of(other), generation_of(s, seat, card))
        elif recalls(s, seat):
            since = since_in_hand(s, seat, owner, card)
            instead = equal_unseen(s, seat, card, owner)
            if instead >= 0:
                since = min(since, since_in_hand(s, seat, owner, instead))
            take_oldest(s, seat, owner, since)
            notice(s, seat, card, owner)
    if owner == s.gambler:
        remove(s.shown, card)
        if other >= 0:
            remove(s.shown, other)


@rule
def since_in_hand(s: Record, seat: int, owner: int, card: int) -> int:
    """The first generation in which the owner can have drawn a card."""
    if owner == s.gambler and (has(s.shown, card) or has(s.kept[seat], card)):
        return 0
    return generation_of(s, seat, card)


@rule
def take_oldest(s: Record, seat: int, owner: int, since: int) -> None:
    """A card that can have been drawn since a generation leaves the hand for the tableau: the oldest that it can be."""
    new = new_in_pool(s, seat, owner)
    if old_in_pool(s, seat, owner) > s.given[owner] - s.given_new[seat, owner]:  # not all old ones are given away
        for generation in range(since, LAST_GENERATION):
            if s.old_hand[seat, owner, generation]:
                s.old_hand[seat, owner, generation] -= 1
                return
    s.given_new[seat, owner] = max(0, min(s.given_new[seat, owner], new - 1))


@rule
def notice_discards(s: Record, owner: int, n: int) -> None:
    """A hand is about to give n cards away, face down; explorers give away what they drew in this phase. `given` does
    not count them yet."""
    if s.stage == EXPLORE_DISCARD:
        if s.drawn_before[owner]:
            for seat in range(s.seats):
                if seat != owner and recalls(s, seat):
                    give_explored(s, seat, owner, min(n, s.drawn_before[owner]))
        return
    if owner == s.gambler:
        for seat in range(s.seats):
            if seat != owner:
                join_pool(s, seat, owner)
    if s.generation:
        for seat in range(s.seats):
            if seat != owner and s.recalls >> seat & 1:
                s.given_new[seat, owner] = min(s.given_new[seat, owner] + n, new_in_pool(s, seat, owner))


@rule
def join_pool(s: Record, seat: int, owner: int) -> None:
    """Cards that all saw the owner take may be among those that it gives away."""
    for w in range(WORDS):
        taken = s.knows[seat, w] & s.hand[owner, w]
        s.knows[seat, w] &= ~taken
        s.shown[w] |= taken
        while taken and recalls(s, seat):
            generation = generation_of(s, seat, lowest(taken, w))
            taken &= taken - 1
            if generation < s.generation:
                s.old_hand[seat, owner, generation] += 1


@rule
def give_explored(s: Record, seat: int, owner: int, n: int) -> None:
    """An explorer gives away the oldest cards that it drew in this phase before the discard pile became the deck.
    They are the latest of the old ones in its hand."""
    kept = old_in_pool(s, seat, owner) - s.drawn_before[owner]
    for generation in range(LAST_GENERATION):
        here = s.old_hand[seat, owner, generation]
        going = max(0, min(n, here - kept))
        kept = max(0, kept - here)
        n -= going
        s.old_hand[seat, owner, generation] -= going
        s.old_pile[seat, generation] += going


@rule
def notice_good_gone(s: Record, owner: int, place: int) -> None:
    """A good is about to go to the discard pile."""
    drawn = s.good_since[owner, place]
    s.good_since[owner, place] = 0
    if drawn < s.generation:
        for seat in range(s.seats):
            if recalls(s, seat):
                s.old_pile[seat, drawn] += 1


@rule
def notice_recycling(s: Record) -> None:
    """The discard pile is about to become the deck. What was drawn from the old deck is old now; of pools the latest
    cards are left."""
    if s.generation == LAST_GENERATION:
        join_generations(s)
    for seat in range(s.seats):
        s.size_before[seat] = s.hand_size[seat]
        if s.recalls >> seat & 1 == 0:
            continue
        for owner in range(s.seats):
            if owner != seat:
                new = new_in_pool(s, seat, owner)
                gone = s.given[owner]
                for generation in range(s.generation):
                    going = min(gone, s.old_hand[seat, owner, generation])
                    s.old_hand[seat, owner, generation] -= going
                    gone -= going
                s.old_hand[seat, owner, s.generation] = max(0, new - gone)
                s.given_new[seat, owner] = 0
        for generation in range(LAST_GENERATION):
            s.old_pile[seat, generation] = 0
        for w in range(WORDS):
            shown = 0
            if seat != s.gambler:
                shown = s.shown[w]
                s.kept[seat, w] |= shown
            set_generation(s, seat, w, s.discard[w] & s.knows[seat, w] | shown, s.generation + 1)
    for seat in range(s.seats):
        s.given[seat] = 0
    clear(s.shown)
    s.generation += 1


@rule
def join_generations(s: Record) -> None:
    """Two generations are no longer told apart, so that there is room for another one: if possible the first from which
    no card is left, since then that makes no difference."""
    joined = LAST_GENERATION - 1
    while joined > 0 and is_left(s, joined):
        joined -= 1
    s.generation -= 1
    for seat in range(s.seats):
        for generation in range(joined + 1, LAST_GENERATION + 1):
            for w in range(WORDS):
                set_generation(s, seat, w, unseen_word(s, seat, generation, w), generation - 1)
        join_counts(s.old_pile[seat], joined)
        for owner in range(s.seats):
            join_counts(s.old_hand[seat, owner], joined)
        for place in range(TABLEAU_ROOM):
            if s.good_since[seat, place] > joined:
                s.good_since[seat, place] -= 1


@rule
def join_counts(counts: Actions, joined: int) -> None:
    """The same for numbers of cards per generation."""
    for generation in range(joined, LAST_GENERATION - 1):
        earlier = counts[joined] if generation == joined else 0
        counts[generation] = earlier + counts[generation + 1]
    counts[LAST_GENERATION - 1] = 0


@rule
def is_left(s: Record, generation: int) -> bool:
    """Whether a card that was drawn in a generation may be in a hand, or is a good or a discard."""
    for seat in range(s.seats):
        if s.old_pile[seat, generation]:
            return True
        for owner in range(s.seats):
            if s.old_hand[seat, owner, generation]:
                return True
        for place in range(s.size[seat]):
            if s.good[seat, place] and s.good_since[seat, place] == generation:
                return True
    return False


@rule
def forget_others(s: Record, seat: int) -> None:
    """In an observation: hide what other seats remember, and since when cards were unseen that the seat sees."""
    s.recalls = 1 << seat
    if s.generation == 0:
        return
    settled = np.zeros(WORDS, np.int64)
    find_unseen(s, seat, settled)
    for w in range(WORDS):
        for other in range(s.seats):
            settled[w] |= s.hand[other, w] & s.knows[seat, w]
        for bit in range(GENERATION_BITS):
            s.unseen_since[seat, bit, w] &= settled[w]
        s.kept[seat, w] &= settled[w]
    for other in range(s.seats):
        if other != seat:
            forget(s, other)


@rule
def forget(s: Record, seat: int) -> None:
    for w in range(WORDS):
        s.kept[seat, w] = 0
        for bit in range(GENERATION_BITS):
            s.unseen_since[seat, bit, w] = 0
    for generation in range(LAST_GENERATION):
        s.old_pile[seat, generation] = 0
    for owner in range(s.seats):
        s.given_new[seat, owner] = 0
        for generation in range(LAST_GENERATION):
            s.old_hand[seat, owner, generation] = 0


@rule
def notice_exploration(s: Record) -> None:
    """Explorers are about to draw."""
    s.size_before[0] = -1


@rule
def notice_explored(s: Record) -> None:
    """All have drawn; some perhaps before the discard pile became the deck, or while it did."""
    if s.size_before[0] >= 0:
        for seat in range(s.seats):
            s.drawn_before[seat] = max(0, s.size_before[seat] - (s.hand_size[seat] - s.drawn[seat]))
