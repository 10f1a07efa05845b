"""Who may know what in Colonizers.

Hidden are the other hands, the deck and its order, the two cards another seat has just drawn, the colonist out of
the round, and other seats' colonists until they make their Draw choice. A seat knows what was on offer to it when it
picked: earlier seats and the colonist out of the round share what was not, later seats what it left.

As in the original program nobody remembers cards that went to the bottom of the deck or changed hands.
"""

from __future__ import annotations

from boardwright.games.colonizers.cards import CARDS, COLONISTS, COPIES, KINDS
from boardwright.games.colonizers.state import (
    ALL_COLONISTS,
    CARDS_DRAWN,
    COLONIST_PICK,
    DISCARD,
    DRAW,
    HAND_CAPACITY,
    HOW_MANY,
    NONE,
    PICK,
    PICK_THAT_LEAVES,
    SEATS,
    UNKNOWN,
    UNSEEN_CARD,
    UNSEEN_PICK,
)
from boardwright.kernel import Actions, Record, RngState, rng, rule


@rule
def is_revealed(s: Record, seat: int) -> bool:
    """A colonist is open from its seat's Draw choice to the end of the round."""
    return s.phase != COLONIST_PICK and (seat < s.turn or (seat == s.turn and s.phase != DRAW))


@rule
def candidates(s: Record, observer: int, seat: int) -> int:
    """The colonists a seat may have, as far as the observer knows: one if that is open, none before its pick.

    The original program left revealed colonists in its lists about other seats; whoever is to move has the same lists
    either way.
    """
    if s.colonist[seat] == NONE:
        return 0
    if s.colonist[seat] != UNKNOWN:
        return 1 << s.colonist[seat]
    if seat < observer:
        possible = ALL_COLONISTS & ~s.offered[observer]
    else:
        possible = s.offered[observer] & ~(1 << s.colonist[observer])
    for other in range(SEATS):
        if s.colonist[other] >= 0:
            possible &= ~(1 << s.colonist[other])
    return possible


@rule
def one_of(rng_state: RngState, colonists: int) -> int:
    """A member of a set of colonists, each as likely."""
    skip = rng.below(rng_state, HOW_MANY[colonists])
    for colonist in range(len(COLONISTS)):
        if colonists >> colonist & 1:
            if skip == 0:
                return colonist
            skip -= 1
    return NONE


@rule
def observe(s: Record, seat: int) -> None:
    sees_picks = s.leak != 0 and s.phase == COLONIST_PICK and s.turn == seat
    for other in range(SEATS):
        if other != seat:
            s.hand[other, :] = 0
            s.offered[other] = 0
            if s.colonist[other] != NONE and not is_revealed(s, other) and not sees_picks:
                s.colonist[other] = UNKNOWN
    if s.phase == DISCARD and s.turn != seat:
        s.drawn[:] = UNKNOWN
    s.deck[:] = UNKNOWN
    s.top = 0
    s.rng[:] = 0


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    """Picks look alike to others, but for the seat that picks next, who sees what is left. Kept cards look alike unless
    the hand is full and the card ends up in the open."""
    if s.phase == COLONIST_PICK:
        if s.leak and seat > s.turn:
            return action
        if seat == s.turn + 1:
            return PICK_THAT_LEAVES + (s.offered[s.turn] & ~(1 << (action - PICK)))
        return UNSEEN_PICK
    if s.phase == DISCARD and s.hand_size[s.turn] < HAND_CAPACITY:
        return UNSEEN_CARD
    return action


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    """Each way to fill the blanks that fits what the seat has seen is as likely as any other."""
    rng.seed(s.rng, seed)
    deal_colonists(s, seat)
    deal_modules(s, seat)


@rule
def deal_colonists(s: Record, seat: int) -> None:
    before = ALL_COLONISTS & ~s.offered[seat]  # a seat not yet asked has seen nothing: then this is all six
    after = s.offered[seat]
    for holder in range(SEATS):
        if s.colonist[holder] >= 0:
            before &= ~(1 << s.colonist[holder])
            after &= ~(1 << s.colonist[holder])
    for holder in range(SEATS):
        if s.colonist[holder] == UNKNOWN:
            if holder < seat:
                s.colonist[holder] = one_of(s.rng, before)
                before &= ~(1 << s.colonist[holder])
            else:
                s.colonist[holder] = one_of(s.rng, after)
                after &= ~(1 << s.colonist[holder])
    on_offer = ALL_COLONISTS & ~(1 << one_of(s.rng, before))
    for picker in range(SEATS):
        s.offered[picker] = on_offer
        if s.colonist[picker] == NONE:
            break
        on_offer &= ~(1 << s.colonist[picker])


@rule
def deal_modules(s: Record, seat: int) -> None:
    """All cards the seat does not see, shuffled; from the end of the heap to the other hands, the rest is the deck."""
    size = 0
    for kind in range(KINDS):
        unseen = COPIES[kind] - s.hand[seat, kind] - s.removed[kind]
        for holder in range(SEATS):
            unseen -= s.colony[holder, kind]
        for place in range(CARDS_DRAWN):
            if s.drawn[place] == kind:
                unseen -= 1
        for _ in range(unseen):
            s.deck[size] = kind
            size += 1
    rng.shuffle(s.rng, s.deck, size)
    for holder in range(SEATS):
        if holder != seat:
            for _ in range(s.hand_size[holder]):
                size -= 1
                s.hand[holder, s.deck[size]] += 1
                s.deck[size] = NONE
    for place in range(CARDS_DRAWN):
        if s.drawn[place] == UNKNOWN:
            size -= 1
            s.drawn[place] = s.deck[size]
            s.deck[size] = NONE
    for place in range(size, CARDS):
        s.deck[place] = NONE


@rule
def hidden_colonist(s: Record) -> int:
    """The colonist out of this round, as a set of one."""
    return ALL_COLONISTS & ~s.offered[0]


@rule
def on_offer(s: Record) -> int:
    """The colonists nobody has picked yet; after the last pick, the one left over."""
    if s.phase == COLONIST_PICK:
        return s.offered[s.turn]
    return s.offered[SEATS - 1] & ~(1 << s.colonist[SEATS - 1])


@rule
def piece_counts(s: Record, out: Actions) -> None:
    """52 modules by kind, then the six colonists."""
    out[:] = 0
    for kind in range(KINDS):
        out[kind] += s.removed[kind]
        for seat in range(SEATS):
            out[kind] += s.hand[seat, kind] + s.colony[seat, kind]
    for place in range(s.deck_size):
        out[s.deck[(s.top + place) % CARDS]] += 1
    for place in range(CARDS_DRAWN):
        if s.drawn[place] >= 0:
            out[s.drawn[place]] += 1
    for colonist in range(len(COLONISTS)):
        out[KINDS + colonist] = (on_offer(s) >> colonist & 1) + (hidden_colonist(s) >> colonist & 1)
        for seat in range(SEATS):
            out[KINDS + colonist] += s.colonist[seat] == colonist
