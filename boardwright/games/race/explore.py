"""Explore: everybody draws two cards and keeps one; bonuses and powers add to both.

docs/rules/race.md, section 7.1.
"""

from __future__ import annotations

from boardwright.games.race import state
from boardwright.games.race.bits import WORDS
from boardwright.games.race.cards import EXPLORE_DRAW
from boardwright.games.race.cards import EXPLORE_KEEP as KEEP_POWER
from boardwright.games.race.picks import ask_cards, clear_picks
from boardwright.games.race.piles import discard_picked, draw_to_hand
from boardwright.games.race.recall import notice_exploration, notice_explored
from boardwright.games.race.tableau import seat_at
from boardwright.kernel import Record, rule

DRAWN, KEPT = 2, 1
MORE_WITH_FIVE = 5


@rule
def explore_draws(s: Record, seat: int) -> int:
    cards = DRAWN + s.standing[seat, EXPLORE_DRAW]
    if s.chosen[seat] == state.EXPLORE_FIVE:
        cards += MORE_WITH_FIVE
    elif s.chosen[seat] == state.EXPLORE_ONE:
        cards += 1
    return cards


@rule
def explore_keeps(s: Record, seat: int) -> int:
    return KEPT + s.standing[seat, KEEP_POWER] + (1 if s.chosen[seat] == state.EXPLORE_ONE else 0)


@rule
def explore(s: Record) -> None:
    """All draw before anybody discards."""
    if not s.phases & state.EXPLORE_PHASE:
        s.stage = state.DEVELOP
        return
    notice_exploration(s)
    for turn in range(s.seats):
        seat = seat_at(s, turn)
        before = s.hand_size[seat]
        for w in range(WORDS):
            s.fresh[seat, w] = s.hand[seat, w]
        draw_to_hand(s, seat, explore_draws(s, seat))
        for w in range(WORDS):
            s.fresh[seat, w] ^= s.hand[seat, w]
        s.drawn[seat] = s.hand_size[seat] - before
    notice_explored(s)
    s.turn = 0
    s.stage = state.EXPLORE_KEEP


@rule
def explore_keep(s: Record) -> None:
    """Who does not keep all discards some of the cards drawn in this phase."""
    if s.turn < s.seats:
        seat = seat_at(s, s.turn)
        s.turn += 1
        drawn, kept = explore_draws(s, seat), explore_keeps(s, seat)
        if drawn != kept:
            ask_cards(s, state.DISCARD, seat, s.drawn[seat], drawn - kept, 1)
        return
    s.stage = state.EXPLORE_DISCARD


@rule
def explore_discard(s: Record) -> None:
    for turn in range(s.seats):
        seat = seat_at(s, turn)
        discard_picked(s, seat)
        clear_picks(s, seat)
        s.drawn[seat] = s.drawn_before[seat] = 0
        for w in range(WORDS):
            s.fresh[seat, w] = 0
    s.stage = state.DEVELOP
