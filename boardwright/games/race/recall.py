"""What a seat remembers of cards that went from the discard pile into the deck.

A *generation* of the deck lasts until the discard pile becomes the deck. A card that a seat saw in that pile cannot be
one that somebody has held since before: it has been *unseen since* the new generation, and the seats' other unseen
cards since an earlier one. Cards unseen since the same generation are alike to a seat, wherever they are now.

Who gives cards away does not show which, so a seat cannot know how many of the cards in another hand are old. It
supposes: of each hand, of the goods and of the discards it keeps one way in which all that it saw can have happened, as
the number of cards of each generation that are among those drawn in earlier generations (`old_hand`, `old_goods`,
`old_discards`). All other unseen cards lie in the deck or were drawn from it in this generation, in any order: that is
for determinizations to choose (information.py). What a card turns out to be may contradict what was supposed; then
another way is supposed. Chance has to come from what all can see here, and is mixed from public numbers: the game's own
generator is left alone.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import FULL, WORDS, bit_of, count, has, remove, word_of
from boardwright.games.race.cards import CARDS, DESIGN, IS_SECOND
from boardwright.games.race.state import EXPLORE_DISCARD, GENERATION_BITS, LAST_GENERATION
from boardwright.kernel import Actions, Record, rule
from boardwright.kernel.bits import mix


@rule
def unseen_word(s: Record, seat: int, generation: int, w: int) -> int:
    """The cards that are unseen since a generation, if they are unseen at all: one word of the set."""
    word = FULL
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
        unseen[w] = FULL & ~s.hand[seat, w] & ~s.knows[seat, w]
    for other in range(s.seats):
        for place in range(s.size[other]):
            remove(unseen, s.tableau[other, place])


@rule
def old_good(s: Record, seat: int, other: int, place: int) -> int:
    """1 + the generation of a good, as the seat supposes; 0 for one that was drawn in this generation."""
    return s.old_goods[seat, other] >> GENERATION_BITS * place & LAST_GENERATION


@rule
def set_old_good(s: Record, seat: int, other: int, place: int, value: int) -> None:
    shift = GENERATION_BITS * place
    s.old_goods[seat, other] = s.old_goods[seat, other] & ~(LAST_GENERATION << shift) | value << shift


@rule
def old_in_hand(s: Record, seat: int, other: int) -> int:
    """How many cards of a hand the seat supposes to be old."""
    n = 0
    for generation in range(LAST_GENERATION):
        n += s.old_hand[seat, other, generation]
    return n


@rule
def recalls(s: Record, seat: int) -> bool:
    """Whether it matters what a seat remembers; in determinizations others' memory is blank."""
    return s.recalls >> seat & 1 != 0


@rule
def public_number(s: Record, seat: int) -> int:
    """A number that differs from one moment to the next and tells nothing."""
    mixed = mix(mix(mix(mix(seat, s.round), s.stage), s.deck_size), s.discard_size)
    for other in range(s.seats):
        mixed = mix(mixed, s.hand_size[other])
    return mixed


@rule
def chance(mixed: int, n: int) -> int:
    """A number from 0 to n-1 made of a mixed one."""
    return (mixed >> 7) % n


@rule
def twin(card: int) -> int:
    """The other card with the same face, or -1."""
    if IS_SECOND[card]:
        return card - 1
    return card + 1 if card + 1 < CARDS and DESIGN[card + 1] == DESIGN[card] else -1


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
def name_copy(s: Record, seat: int, card: int, generation: int) -> None:
    """A card that shows up is taken for the one of two equal cards that is unseen since `generation`; the other one is
    left."""
    other = twin(card)
    w, bit = word_of(other), bit_of(other)
    if generation_of(s, seat, other) == generation:
        set_generation(s, seat, w, bit, generation_of(s, seat, card))


@rule
def notice(s: Record, seat: int, card: int) -> None:
    """A seat sees a card that comes from the deck. If an equal one is unseen, the one that may be in more places is
    left."""
    if s.generation == 0 or not recalls(s, seat):
        return
    other = twin(card)
    if other >= 0:
        this, that = generation_of(s, seat, card), generation_of(s, seat, other)
        if this < that and is_unseen(s, seat, other):
            name_copy(s, seat, card, that)


@rule
def notice_play(s: Record, owner: int, card: int) -> None:
    """A card leaves a hand for the tableau. Was it an old one?"""
    remove(s.shown, card)
    if s.generation == 0:
        return
    for seat in range(s.seats):
        if seat != owner and recalls(s, seat) and not has(s.knows[seat], card):
            suppose_played(s, seat, owner, card)


@rule
def suppose_played(s: Record, seat: int, owner: int, card: int) -> None:
    old = old_in_hand(s, seat, owner)
    new = s.hand_size[owner] - old
    for w in range(WORDS):
        new -= count(s.hand[owner, w] & s.knows[seat, w])
    generation = generation_of(s, seat, card)
    other = twin(card)
    if other >= 0 and generation_of(s, seat, other) != generation and is_unseen(s, seat, other):
        high, low = max(generation, generation_of(s, seat, other)), min(generation, generation_of(s, seat, other))
        possible = new > 0 or (high < s.generation and s.old_hand[seat, owner, min(high, LAST_GENERATION - 1)] > 0)
        generation = high if possible else low
        name_copy(s, seat, card, generation)
    if old == 0:
        return
    among_old = generation < LAST_GENERATION and s.old_hand[seat, owner, generation] > 0
    if among_old and (new <= 0 or chance(mix(public_number(s, seat), card), old + new) < old):
        s.old_hand[seat, owner, generation] -= 1
    elif new <= 0:  # then it was supposed to be elsewhere; what was supposed to be here is there
        s.old_hand[seat, owner, nearest_old(s, seat, owner, generation)] -= 1


@rule
def nearest_old(s: Record, seat: int, owner: int, generation: int) -> int:
    """The latest generation before the given one that a hand has cards of, or the first one after it."""
    for earlier in range(min(generation, LAST_GENERATION) - 1, -1, -1):
        if s.old_hand[seat, owner, earlier]:
            return earlier
    for later in range(generation, LAST_GENERATION):
        if s.old_hand[seat, owner, later]:
            return later
    return 0


@rule
def notice_discards(s: Record, owner: int, n: int) -> None:
    """A hand is about to give n cards away, face down; explorers give away what they drew in this phase."""
    exploring = s.stage == EXPLORE_DISCARD
    if not exploring:  # cards that all saw it take may be among them
        for seat in range(s.seats):
            if seat != owner:
                for w in range(WORDS):
                    s.shown[w] |= s.knows[seat, w] & s.hand[owner, w]
                    s.knows[seat, w] &= ~s.hand[owner, w]
    if s.generation == 0:
        return
    for seat in range(s.seats):
        if seat == owner or not recalls(s, seat):
            continue
        old, left = old_in_hand(s, seat, owner), s.hand_size[owner]
        if exploring:  # the latest of the old ones are those drawn in this phase
            old, left = min(old, s.drawn_before[owner]), s.drawn[owner]
        if old <= 0:
            continue
        mixed = public_number(s, seat)
        for k in range(n):
            if old <= 0:
                break
            mixed = mix(mixed, k)
            place = chance(mixed, left)
            left -= 1
            if place < old:
                old -= 1
                give_old(s, seat, owner, place)


@rule
def give_old(s: Record, seat: int, owner: int, place: int) -> None:
    """An old card of a hand goes to the discards: the one in that place, the latest generation first."""
    for generation in range(LAST_GENERATION - 1, -1, -1):
        here = s.old_hand[seat, owner, generation]
        if place < here:
            s.old_hand[seat, owner, generation] -= 1
            s.old_discards[seat, generation] += 1
            return
        place -= here


@rule
def notice_good(s: Record, owner: int, place: int) -> None:
    """A good is about to go to the discard pile."""
    if s.generation == 0:
        return
    for seat in range(s.seats):
        value = old_good(s, seat, owner, place) if recalls(s, seat) else 0
        if value:
            s.old_discards[seat, value - 1] += 1
            set_old_good(s, seat, owner, place, 0)


@rule
def close_gap(s: Record, owner: int, place: int) -> None:
    """A card has left the tableau, and those after it move up."""
    shift = GENERATION_BITS * place
    for seat in range(s.seats):
        goods = s.old_goods[seat, owner]
        s.old_goods[seat, owner] = goods & (1 << shift) - 1 | goods >> shift + GENERATION_BITS << shift


@rule
def put_right(s: Record, seat: int) -> None:
    """What the seat supposes is put right where it cannot be any more, and what it has seen since is left out."""
    unseen = np.zeros(WORDS, np.int64)
    find_unseen(s, seat, unseen)
    count_recent(s, seat, unseen, np.zeros(LAST_GENERATION + 1, np.int64))
    for bit in range(GENERATION_BITS):
        for w in range(WORDS):
            s.unseen_since[seat, bit, w] &= unseen[w]


@rule
def count_recent(s: Record, seat: int, unseen: Actions, recent: Actions) -> None:
    """Of the unseen cards of each generation, how many are in the deck or were drawn from it since it was filled; those
    that all saw somebody take apart. What the seat supposes of the others is put right."""
    for w in range(WORDS):
        unseen[w] &= ~s.shown[w]
    for generation in range(LAST_GENERATION + 1):
        recent[generation] = 0
        for w in range(WORDS):
            recent[generation] += count(unseen[w] & unseen_word(s, seat, generation, w))
    for generation in range(LAST_GENERATION):
        recent[generation] -= s.old_discards[seat, generation]
        for other in range(s.seats):
            recent[generation] -= s.old_hand[seat, other, generation]
    for other in range(s.seats):
        if s.old_goods[seat, other]:
            for place in range(s.size[other]):
                value = old_good(s, seat, other, place)
                if value:
                    recent[value - 1] -= 1
    for generation in range(LAST_GENERATION):
        while recent[generation] < 0:
            suppose_otherwise(s, seat, generation, recent)


@rule
def suppose_otherwise(s: Record, seat: int, generation: int, recent: Actions) -> None:
    """An old card is not of this generation, since all of those are accounted for, but of another one; or it is not old
    at all."""
    instead = -1
    for earlier in range(generation):
        if recent[earlier] > 0:
            instead = earlier
    for later in range(s.generation - 1, generation, -1):
        if recent[later] > 0 and instead < 0:
            instead = later
    recent[generation] += 1
    if instead >= 0:
        recent[instead] -= 1
    if s.old_discards[seat, generation]:
        s.old_discards[seat, generation] -= 1
        if instead >= 0:
            s.old_discards[seat, instead] += 1
        return
    for other in range(s.seats):
        if s.old_hand[seat, other, generation]:
            s.old_hand[seat, other, generation] -= 1
            if instead >= 0:
                s.old_hand[seat, other, instead] += 1
            return
    for other in range(s.seats):
        for place in range(s.size[other]):
            if old_good(s, seat, other, place) == 1 + generation:
                set_old_good(s, seat, other, place, 1 + instead)
                return


@rule
def notice_recycling(s: Record) -> None:
    """The discard pile is about to become the deck. The cards that were drawn from the old deck are old ones now."""
    unseen, recent = np.zeros(WORDS, np.int64), np.zeros(LAST_GENERATION + 1, np.int64)
    if s.generation == LAST_GENERATION:
        join_first_generations(s)
    for seat in range(s.seats):
        s.size_before[seat] = s.hand_size[seat]
        if not recalls(s, seat):
            continue
        find_unseen(s, seat, unseen)
        shown0, shown1 = s.shown[0] & unseen[0], s.shown[1] & unseen[1]  # taken to be among the discards
        count_recent(s, seat, unseen, recent)
        suppose_drawn(s, seat, recent)
        for generation in range(LAST_GENERATION):
            s.old_discards[seat, generation] = 0
        set_generation(s, seat, 0, s.discard[0] & s.knows[seat, 0] | shown0, s.generation + 1)
        set_generation(s, seat, 1, s.discard[1] & s.knows[seat, 1] | shown1, s.generation + 1)
    s.shown[0] = s.shown[1] = 0
    s.generation += 1


@rule
def suppose_drawn(s: Record, seat: int, recent: Actions) -> None:
    """Suppose which of the cards drawn in this generation went where: any of them anywhere."""
    mixed, left = public_number(s, seat), 0
    for generation in range(LAST_GENERATION):
        left += recent[generation]
    for other in range(s.seats):
        if other != seat:
            new = s.hand_size[other] - old_in_hand(s, seat, other)
            for w in range(WORDS):
                new -= count(s.hand[other, w] & s.knows[seat, w])
            for _ in range(new):
                mixed = mix(mixed, other)
                if left > 0:
                    s.old_hand[seat, other, take_recent(recent, chance(mixed, left))] += 1
                    left -= 1
    for other in range(s.seats):
        for place in range(s.size[other]):
            if left > 0 and s.good[other, place] and old_good(s, seat, other, place) == 0:
                mixed = mix(mixed, place)
                set_old_good(s, seat, other, place, 1 + take_recent(recent, chance(mixed, left)))
                left -= 1


@rule
def take_recent(recent: Actions, place: int) -> int:
    """Take the card in that place of those counted there; its generation."""
    for generation in range(LAST_GENERATION):
        if place < recent[generation]:
            recent[generation] -= 1
            return generation
        place -= recent[generation]
    return 0


@rule
def join_first_generations(s: Record) -> None:
    """The first two generations are no longer told apart, so that there is room for another one."""
    s.generation -= 1
    for seat in range(s.seats):
        for w in range(WORDS):
            borrow = FULL & ~unseen_word(s, seat, 0, w)
            for bit in range(GENERATION_BITS):
                plane = s.unseen_since[seat, bit, w]
                s.unseen_since[seat, bit, w] = plane ^ borrow
                borrow &= ~plane
        s.old_discards[seat, 0] += s.old_discards[seat, 1]
        for generation in range(1, LAST_GENERATION - 1):
            s.old_discards[seat, generation] = s.old_discards[seat, generation + 1]
        s.old_discards[seat, LAST_GENERATION - 1] = 0
        for other in range(s.seats):
            s.old_hand[seat, other, 0] += s.old_hand[seat, other, 1]
            for generation in range(1, LAST_GENERATION - 1):
                s.old_hand[seat, other, generation] = s.old_hand[seat, other, generation + 1]
            s.old_hand[seat, other, LAST_GENERATION - 1] = 0
            for place in range(s.size[other]):
                value = old_good(s, seat, other, place)
                if value > 1:
                    set_old_good(s, seat, other, place, value - 1)


@rule
def forget_others(s: Record, seat: int) -> None:
    """In an observation: hide what other seats remember."""
    s.recalls = 1 << seat
    if s.generation == 0:
        return
    for other in range(s.seats):
        if other != seat:
            for bit in range(GENERATION_BITS):
                for w in range(WORDS):
                    s.unseen_since[other, bit, w] = 0
            for generation in range(LAST_GENERATION):
                s.old_discards[other, generation] = 0
            for owner in range(s.seats):
                s.old_goods[other, owner] = 0
                for generation in range(LAST_GENERATION):
                    s.old_hand[other, owner, generation] = 0


@rule
def notice_size(s: Record) -> None:
    """Explorers are about to draw."""
    for seat in range(s.seats):
        s.size_before[seat] = -1


@rule
def notice_explored(s: Record) -> None:
    """All have drawn; some perhaps before the discard pile became the deck, or while it did."""
    for seat in range(s.seats):
        if s.size_before[seat] >= 0:
            s.drawn_before[seat] = max(0, s.size_before[seat] - (s.hand_size[seat] - s.drawn[seat]))
