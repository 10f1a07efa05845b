"""What other seats see of an action in 7 Wonders (docs/rules/wonders.md, section 11).

A choice shows nothing before all have chosen. Then builds lie open. Of a card tucked under a board others see the stage
and what was paid, of a discard that there was one. Two seats see more: whoever gets the packet next sees the cards that
are left in it, and Halikarnassos, if it looks through the pile now, sees the discard, and after the sixth turn the
cards that are left.
"""

from __future__ import annotations

from boardwright.games.wonders import cards, state
from boardwright.games.wonders.slips import LATE_DIGGING
from boardwright.games.wonders.turns import LAST_TURN
from boardwright.kernel import Record, rule


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    if s.phase == state.DIG:
        return action
    if s.phase == state.CHOOSE and others_yet_to_choose(s):
        return state.UNSEEN_CHOICE
    use = state.use_of(action)
    if use != state.STAGE and use != state.DISCARD:
        return action
    digger = looks_through_pile(s, action)
    if use == state.DISCARD and seat == digger:
        return action
    if s.turn < LAST_TURN:
        sees_rest = digger == state.EMPTY and seat == next_holder(s, s.mover)
    else:
        sees_rest = seat == digger and not s.slips & LATE_DIGGING
    if use == state.DISCARD:
        return state.UNSEEN_DISCARD_LEAVES + leaves(s, state.kind_in(action)) if sees_rest else state.UNSEEN_DISCARD
    if sees_rest:
        return state.UNSEEN_STAGE_LEAVES + leaves(s, state.kind_in(action)) * state.MOST_TO_LEFT + state.to_left(action)
    return state.UNSEEN_STAGE + state.to_left(action)


@rule
def others_yet_to_choose(s: Record) -> bool:
    for other in range(s.seats):
        if other != s.mover and (s.chosen[other] == state.NOT_YET or s.chosen[other] == state.DEFERRED):
            return True
    return False


@rule
def next_holder(s: Record, seat: int) -> int:
    """Who gets the packet that a seat holds."""
    return state.right_of(s, seat) if s.age == cards.AGE_TWO else state.left_of(s, seat)


@rule
def leaves(s: Record, kind: int) -> int:
    """A number below KINDS for the cards that stay in the mover's packet: it depends on nothing else, and taking out
    another kind gives another number."""
    packet = state.packet_of(s, s.mover)
    total = -kind
    for place in range(cards.HAND):
        if s.hand[packet, place] != state.EMPTY:
            total += s.hand[packet, place]
    return total % cards.KINDS


@rule
def looks_through_pile(s: Record, action: int) -> int:
    """The seat that looks through the discards right after this action, which is the last before that; or EMPTY."""
    digger = s.digger
    discards = state.use_of(action) == state.DISCARD
    if s.phase == state.CHOOSE:
        for seat in range(s.seats):
            choice = action if seat == s.mover else s.chosen[seat]
            if state.use_of(choice) == state.DISCARD:
                discards = True
            elif state.use_of(choice) == state.STAGE and next_power(s, seat) == cards.FROM_DISCARDS:
                digger = seat
        if s.turn == LAST_TURN and seventh_follows(s, action):
            return state.EMPTY
    if digger == state.EMPTY:
        return state.EMPTY
    rest_discarded = s.turn == LAST_TURN and not s.slips & LATE_DIGGING
    return digger if discards or rest_discarded or has_discards(s) else state.EMPTY


@rule
def next_power(s: Record, seat: int) -> int:
    city = s.city[seat]
    return cards.STAGE_POWER[city.board, city.side, city.stages]


@rule
def seventh_follows(s: Record, action: int) -> bool:
    """Whether Babylon B has its second stage once this turn's choices are resolved."""
    for seat in range(s.seats):
        city = s.city[seat]
        if city.board == cards.BABYLON:
            choice = action if seat == s.mover else s.chosen[seat]
            stages = city.stages + (1 if state.use_of(choice) == state.STAGE else 0)
            for stage in range(stages):
                if cards.STAGE_POWER[city.board, city.side, stage] == cards.SEVENTH_CARD:
                    return True
    return False


@rule
def has_discards(s: Record) -> bool:
    for age in range(cards.AGES):
        for packet in range(s.seats):
            for turn in range(cards.HAND):
                if state.DISCARDED <= s.fate[age, packet, turn] <= state.LOOKED_AT:
                    return True
    return False
