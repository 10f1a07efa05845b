"""What other seats see of an action in 7 Wonders (docs/rules/wonders.md, section 11).

A choice shows nothing before all have chosen. Then builds lie open. Of a card tucked under a board others see the stage
and what was paid, of a discard that there was one. Two seats see more: whoever gets the packet next sees the cards that
are left in it, and Halikarnassos, if it looks through the pile now, sees the discard, and after the sixth turn the
cards that are left.
"""

from __future__ import annotations

from boardwright.games.wonders.cards import (
    AGE_TWO,
    AGES,
    BABYLON,
    FROM_DISCARDS,
    HAND,
    KINDS,
    SEVENTH_CARD,
    STAGE_POWER,
)
from boardwright.games.wonders.slips import LATE_DIGGING
from boardwright.games.wonders.state import (
    CHOOSE,
    DEFERRED,
    DIG,
    DISCARD,
    DISCARDED,
    EMPTY,
    LOOKED_AT,
    MOST_TO_LEFT,
    NOT_YET,
    STAGE,
    UNSEEN_CHOICE,
    UNSEEN_DISCARD,
    UNSEEN_DISCARD_LEAVES,
    UNSEEN_STAGE,
    UNSEEN_STAGE_LEAVES,
    kind_in,
    left_of,
    packet_of,
    right_of,
    to_left,
    use_of,
)
from boardwright.games.wonders.turns import LAST_TURN
from boardwright.kernel import Record, rule


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    if s.phase == DIG:
        return action
    if s.phase == CHOOSE and others_yet_to_choose(s):
        return UNSEEN_CHOICE
    use = use_of(action)
    if use != STAGE and use != DISCARD:
        return action
    digger = looks_through_pile(s, action)
    if use == DISCARD and seat == digger:
        return action
    if s.turn < LAST_TURN:
        sees_rest = digger == EMPTY and seat == next_holder(s, s.mover)
    else:
        sees_rest = seat == digger and not s.slips & LATE_DIGGING
    if use == DISCARD:
        return UNSEEN_DISCARD_LEAVES + leaves(s, kind_in(action)) if sees_rest else UNSEEN_DISCARD
    if sees_rest:
        return UNSEEN_STAGE_LEAVES + leaves(s, kind_in(action)) * MOST_TO_LEFT + to_left(action)
    return UNSEEN_STAGE + to_left(action)


@rule
def others_yet_to_choose(s: Record) -> bool:
    for other in range(s.seats):
        if other != s.mover and (s.chosen[other] == NOT_YET or s.chosen[other] == DEFERRED):
            return True
    return False


@rule
def next_holder(s: Record, seat: int) -> int:
    """Who gets the packet that a seat holds."""
    return right_of(s, seat) if s.age == AGE_TWO else left_of(s, seat)


@rule
def leaves(s: Record, kind: int) -> int:
    """A number below KINDS for the cards that stay in the mover's packet: it depends on nothing else, and taking out
    another kind gives another number."""
    packet = packet_of(s, s.mover)
    total = -kind
    for place in range(HAND):
        if s.hand[packet, place] != EMPTY:
            total += s.hand[packet, place]
    return total % KINDS


@rule
def looks_through_pile(s: Record, action: int) -> int:
    """The seat that looks through the discards right after this action, which is the last before that; or EMPTY."""
    digger = s.digger
    discards = use_of(action) == DISCARD
    if s.phase == CHOOSE:
        for seat in range(s.seats):
            choice = action if seat == s.mover else s.chosen[seat]
            if use_of(choice) == DISCARD:
                discards = True
            elif use_of(choice) == STAGE and next_power(s, seat) == FROM_DISCARDS:
                digger = seat
        if s.turn == LAST_TURN and seventh_follows(s, action):
            return EMPTY
    if digger == EMPTY:
        return EMPTY
    rest_discarded = s.turn == LAST_TURN and not s.slips & LATE_DIGGING
    return digger if discards or rest_discarded or has_discards(s) else EMPTY


@rule
def next_power(s: Record, seat: int) -> int:
    city = s.city[seat]
    return STAGE_POWER[city.board, city.side, city.stages]


@rule
def seventh_follows(s: Record, action: int) -> bool:
    """Whether Babylon B has its second stage once this turn's choices are resolved."""
    for seat in range(s.seats):
        city = s.city[seat]
        if city.board == BABYLON:
            choice = action if seat == s.mover else s.chosen[seat]
            stages = city.stages + (1 if use_of(choice) == STAGE else 0)
            for stage in range(stages):
                if STAGE_POWER[city.board, city.side, stage] == SEVENTH_CARD:
                    return True
    return False


@rule
def has_discards(s: Record) -> bool:
    for age in range(AGES):
        for packet in range(s.seats):
            for turn in range(HAND):
                if DISCARDED <= s.fate[age, packet, turn] <= LOOKED_AT:
                    return True
    return False
