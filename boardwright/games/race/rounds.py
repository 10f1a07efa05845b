"""The frame of a round: choosing actions, discarding at its end, and whether the game ends.

docs/rules/race.md, sections 6, 7.6 and 8.1.
"""

from __future__ import annotations

from boardwright.games.race import state
from boardwright.games.race.picks import ask, ask_cards, clear_picks
from boardwright.games.race.piles import discard_picked
from boardwright.games.race.tableau import seat_at
from boardwright.kernel import Record, rule


@rule
def round_start(s: Record) -> None:
    s.round += 1
    for seat in range(s.seats):
        s.chosen[seat] = 0
        clear_picks(s, seat)
    s.phases = 0
    s.turn = 0
    s.stage = state.ROUND_CHOOSE


@rule
def round_choose(s: Record) -> None:
    """Everybody chooses in secret; then the chosen phases are known."""
    if s.turn < s.seats:
        ask(s, state.CHOOSE_ACTION, seat_at(s, s.turn))
        s.turn += 1
        return
    for seat in range(s.seats):
        s.phases |= state.PHASE_OF_ACTION[s.chosen[seat]]
    s.stage = state.EXPLORE


@rule
def choose_action(s: Record, action: int) -> None:
    s.chosen[s.asked] = action
    s.question = state.NOTHING


@rule
def round_discard(s: Record) -> None:
    """Who holds more than ten cards discards down to ten."""
    if s.turn < s.seats:
        seat = seat_at(s, s.turn)
        s.turn += 1
        clear_picks(s, seat)
        if s.hand_size[seat] > state.HAND_LIMIT:
            ask_cards(s, state.DISCARD, seat, s.hand_size[seat], s.hand_size[seat] - state.HAND_LIMIT, 1)
        return
    for turn in range(s.seats):
        discard_picked(s, seat_at(s, turn))
    s.stage = state.ROUND_END


@rule
def round_end(s: Record) -> None:
    ends = s.pool <= 0 or s.round >= state.ROUNDS
    for seat in range(s.seats):
        if s.size[seat] >= state.TABLEAU_END:
            ends = True
    if ends:
        s.stage = state.END
        s.question = state.GAME_OVER
    else:
        s.stage = state.ROUND_START
