"""The course of the game: turns, the sixth turn's extras, conflicts, the next Age.

docs/rules/wonders.md, sections 2, 6, 8 and 9.
"""

from __future__ import annotations

from boardwright.games.wonders import state
from boardwright.games.wonders.building import commit, earn, pay_out, place, stand, take_effect, take_in
from boardwright.games.wonders.cards import (
    AGES,
    BABYLON,
    HAND,
    SEVENTH_CARD,
    STAGE_POWER,
    TURNS,
)
from boardwright.games.wonders.setup import begin_turn, deal, forget_choices
from boardwright.games.wonders.slips import BABYLON_UNPAID, LATE_DIGGING
from boardwright.kernel import TERMINAL, Record, rule

LAST_TURN = TURNS - 1
REMAINING = HAND - 1  # in `left`, the turn of the card that remains


@rule
def next_to_choose(s: Record) -> int:
    for seat in range(s.seats):
        if s.chosen[seat] == state.NOT_YET:
            return seat
    for seat in range(s.seats):
        if s.chosen[seat] == state.DEFERRED:
            return seat
    return state.EMPTY


@rule
def resolve(s: Record) -> None:
    """All have chosen: pay, place, take in, in this order for everybody, so that seats do not matter."""
    for seat in range(s.seats):
        pay_out(s, seat)
    for seat in range(s.seats):
        place(s, seat, s.turn)
    for seat in range(s.seats):
        take_in(s, seat)
    forget_choices(s)
    if s.owed != state.EMPTY:
        take_effect(s, s.owed_to, s.owed)
        earn(s, s.owed_to, s.owed)
        s.owed = state.EMPTY
    if s.turn == LAST_TURN:
        for seat in range(s.seats):
            if plays_seventh(s, seat):
                s.phase = state.SEVENTH
                s.mover = seat
                return
    dig_or_finish(s)


@rule
def plays_seventh(s: Record, seat: int) -> bool:
    """Babylon B with its second stage plays its last card of an Age too."""
    city = s.city[seat]
    if city.board != BABYLON:
        return False
    has_power = False
    for stage in range(city.stages):
        has_power |= STAGE_POWER[city.board, city.side, stage] == SEVENTH_CARD
    return has_power


@rule
def play_seventh(s: Record, seat: int, action: int) -> None:
    commit(s, seat, action)
    if s.slips & BABYLON_UNPAID:
        s.pay[seat, 0] = s.pay[seat, 1] = 0
    else:
        pay_out(s, seat)
    place(s, seat, REMAINING)
    take_in(s, seat)
    forget_choices(s)
    dig_or_finish(s)


@rule
def discard_remaining(s: Record) -> None:
    """The cards left after the sixth turn go to the pile, for no coins."""
    for packet in range(s.seats):
        if s.hand[packet, 0] != state.EMPTY:
            s.left[s.age, packet, REMAINING] = s.hand[packet, 0]
            s.fate[s.age, packet, REMAINING] = state.DISCARDED
            s.hand[packet, 0] = state.EMPTY


@rule
def dig_or_finish(s: Record) -> None:
    """Halikarnassos looks through the pile, if a stage with that power was built this turn and the pile has cards."""
    if s.turn == LAST_TURN and not s.slips & LATE_DIGGING:
        discard_remaining(s)
    if s.digger != state.EMPTY and look_through_pile(s):
        s.phase = state.DIG
        s.mover = s.digger
    else:
        finish_turn(s)


@rule
def look_through_pile(s: Record) -> bool:
    found = False
    for age in range(AGES):
        for packet in range(s.seats):
            for turn in range(HAND):
                if s.fate[age, packet, turn] == state.DISCARDED:
                    s.fate[age, packet, turn] = state.LOOKED_AT
                if s.fate[age, packet, turn] == state.LOOKED_AT:
                    found = True
    return found


@rule
def build_from_pile(s: Record, seat: int, action: int) -> None:
    """Build a card of the pile for nothing. Of several copies the oldest goes; all see which one it was."""
    if action == state.NOTHING:
        return
    kind = state.kind_in(action)
    for age in range(AGES):
        for packet in range(s.seats):
            for turn in range(HAND):
                if s.fate[age, packet, turn] == state.LOOKED_AT and s.left[age, packet, turn] == kind:
                    s.fate[age, packet, turn] = state.TAKEN
                    stand(s, seat, kind)
                    if s.slips & LATE_DIGGING:
                        s.owed, s.owed_to = kind, seat
                    else:
                        take_effect(s, seat, kind)
                        earn(s, seat, kind)
                    return


@rule
def finish_turn(s: Record) -> None:
    """Pass the packets on, or fight and begin the next Age."""
    s.digger = state.EMPTY
    if s.turn < LAST_TURN:
        s.turn += 1
        begin_turn(s)
        return
    if s.slips & LATE_DIGGING:
        discard_remaining(s)
    fight(s)
    if s.age + 1 < AGES:
        s.age += 1
        deal(s)
    else:
        begin_turn(s)
        s.phase = state.FINISHED
        s.mover = TERMINAL


@rule
def fight(s: Record) -> None:
    """Every pair of neighbours compares shields."""
    token = 1 + 2 * s.age
    for seat in range(s.seats):
        one, other = s.city[seat], s.city[state.left_of(s, seat)]
        if one.shields > other.shields:
            one.victory += token
            other.defeats += 1
        elif one.shields < other.shields:
            other.victory += token
            one.defeats += 1
