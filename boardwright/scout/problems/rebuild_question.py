"""Rebuilding a position from a problem, second part: the question, in a record that rebuild_table.py has filled.

The engine that asks is the referee: its numbers and offers win over ours wherever our rules have a place for them.
Where it says nothing, the likely is assumed: consume powers that could be used but are not offered have been used, all
others have not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardwright.games.race import cards, state
from boardwright.games.race.bits import bits_of, members
from boardwright.games.race.explore import explore_draws, explore_keeps
from boardwright.games.race.picks import ask, ask_cards
from boardwright.games.race.settle import usable_specials
from boardwright.games.race.setup import FIRST_DISCARDS
from boardwright.kernel import Record
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems import rebuild_power_question
from boardwright.scout.problems.rebuild_table import before, order
from boardwright.scout.problems.translation import ids, settle_ways

_OWNED = {state.USE_COLONY_SHIP: cards.COLONY_SHIP, state.USE_TACTICS: cards.TACTICS, state.USE_CONTACT: cards.CONTACT}


def rebuild_question(s: Record, problem: problems.Problem) -> None:
    """Bring the record to the stage at which our rules ask this; `s.question` stays NOTHING if they would not."""
    _QUESTIONS[problem.type](s, problem, problem.me.seat)


def _choose_action(s: Record, problem: problems.Problem, seat: int) -> None:
    s.stage = state.ROUND_CHOOSE
    s.turn = order(s, seat) + 1
    answered = before(s, seat)
    for other in range(s.seats):
        s.chosen[other] = state.HIDDEN if other in answered else 0
    ask(s, state.CHOOSE_ACTION, seat)


def discard_stage(problem: problems.Problem) -> int:
    """When it is that cards are discarded. Only explorers choose among part of their hand."""
    if problem.round == 0:
        return state.SETUP_DISCARD
    explores = problem.phase == 1 or sorted(problem.options, key=str) != sorted(problem.me.hand, key=str)
    return state.EXPLORE_KEEP if explores else state.ROUND_DISCARD


def discards(s: Record, seat: int, stage: int) -> int:
    """How many cards the rules want a seat to discard."""
    if stage == state.SETUP_DISCARD:
        return FIRST_DISCARDS
    if stage == state.EXPLORE_KEEP:
        return explore_draws(s, seat) - explore_keeps(s, seat)
    return max(0, s.hand_size[seat] - state.HAND_LIMIT)


def _discard(s: Record, problem: problems.Problem, seat: int) -> None:
    s.stage = discard_stage(problem)
    answered = list(range(seat)) if s.stage == state.SETUP_DISCARD else before(s, seat)
    s.turn = len(answered) + 1
    if s.stage == state.EXPLORE_KEEP:
        for other in range(s.seats):
            s.drawn[other] = min(explore_draws(s, other), s.hand_size[other])
        s.drawn[seat] = len(problem.options)
        _mark_fresh(s, problem, seat)
    for other in answered:
        s.picks[other] = min(discards(s, other, s.stage), s.hand_size[other])
    ask_cards(s, state.DISCARD, seat, len(problem.options), problem.minimum, 1)


def _mark_fresh(s: Record, problem: problems.Problem, seat: int) -> None:
    wanted, fresh = list(problem.options), []
    for card in members(s.hand[seat]):
        (card_id,) = ids([card])
        if card_id in wanted:
            wanted.remove(card_id)
            fresh.append(card)
    s.fresh[seat][:] = bits_of(fresh)


def _place(s: Record, problem: problems.Problem, seat: int) -> None:
    s.stage = state.DEVELOP_PLACE if problem.type == problems.TYPE_DEVELOP else state.SETTLE_PLACE
    s.turn = order(s, seat) + 1
    answered = before(s, seat)
    for other in range(s.seats):
        s.placing[other] = state.HIDDEN if other in answered else 0
    ask(s, state.PLACE, seat)


def _payment(s: Record, problem: problems.Problem, seat: int) -> None:
    s.turn = order(s, seat)
    if not cards.IS_WORLD[s.placing[seat] - 1]:
        s.stage = state.DEVELOP_PAID
        ask_cards(s, state.PAY, seat, s.hand_size[seat], problem.minimum, 1)
        return
    _withhold_specials(s, problem, seat)
    ways = settle_ways(s, seat)
    if len(ways) > 1:
        s.stage = state.SETTLE_CARDS
        ask(s, state.SPECIAL, seat)
        return
    s.stage = state.SETTLE_PAID
    s.specials = next(iter(ways), 0)
    ask_cards(s, state.PAY, seat, s.hand_size[seat], max(0, problem.minimum - s.specials.bit_count()), 0)


def specials_offered(problem: problems.Problem) -> int:
    """Which special cards a payment may use. An engine can name them by their design alone, too."""
    plain = [option for option in problem.options if not isinstance(option, tuple)]
    mask = 0
    for bit, power in problems.SPECIAL_POWERS.items():
        if power in problem.options or plain.count(power[0]) > problem.me.hand.count(power[0]):
            mask |= bit
    return mask


def _withhold_specials(s: Record, problem: problems.Problem, seat: int) -> None:
    """Special cards that our rules allow but the engine does not offer: as if they were not there."""
    withheld = usable_specials(s, seat, s.placing[seat] - 1) & ~specials_offered(problem)
    for bit, owned in _OWNED.items():
        if withheld & bit:
            s.standing[seat, owned] = 0


_QUESTIONS: dict[int, Callable[[Any, problems.Problem, int], None]] = {
    problems.TYPE_ACTION: _choose_action,
    problems.TYPE_DISCARD: _discard,
    problems.TYPE_DEVELOP: _place,
    problems.TYPE_SETTLE: _place,
    problems.TYPE_PAYMENT: _payment,
    problems.TYPE_TRADE: rebuild_power_question.ask_trade,
    problems.TYPE_POWER: rebuild_power_question.ask_use_power,
    problems.TYPE_HAND: rebuild_power_question.ask_hand,
    problems.TYPE_GOODS: rebuild_power_question.ask_goods,
    problems.TYPE_GAMBLE: rebuild_power_question.ask_gamble,
    problems.TYPE_WINDFALL: rebuild_power_question.ask_windfall,
}
