"""Rebuilding the questions that powers ask, in consume and produce phases; rebuild_question.py has the others."""

from __future__ import annotations

from boardwright.games.race import cards as tables
from boardwright.games.race import state
from boardwright.games.race.consume import NO_POWER, usable
from boardwright.games.race.picks import ask, ask_cards, ask_up_to
from boardwright.kernel import Record
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems.rebuild_table import order
from boardwright.scout.problems.translation import WINDFALL_ANY_ID, ids

_EFFECTS = {
    problems.TYPE_TRADE: (tables.EXTRA_TRADE,),
    problems.TYPE_HAND: (tables.FROM_HAND,),
    problems.TYPE_GAMBLE: (tables.GAMBLE,),
    problems.TYPE_GOODS: (tables.CONSUME_GOODS, tables.CONSUME_TWO, tables.CONSUME_THREE_KINDS, tables.CONSUME_ALL),
}
"""What the power in use can be, by the question it asks."""


def power_in_use(s: Record, problem: problems.Problem, seat: int) -> tuple[int, int]:
    """The consume power that asks, and the tableau place of its card."""
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        for power in range(tables.FIRST_POWER[card], tables.FIRST_POWER[card] + tables.POWERS[card]):
            named = problem.subject in (problems.NO_SUBJECT, *ids([card]))
            if named and tables.CONSUME_POWERS[power].effect in _EFFECTS[problem.type]:
                return power, place
    of = (
        ""
        if problem.subject == problems.NO_SUBJECT
        else f" of {tables.DESIGNS[problems.DESIGN_OF_ID[problem.subject]].name}"
    )
    raise problems.BadDocument(f"no power{of} in the tableau asks a question of type {problem.type}")


def _use(s: Record, problem: problems.Problem, seat: int) -> None:
    s.power, place = power_in_use(s, problem, seat)
    s.used = 1 << (tables.POWERS_PER_CARD * place + s.power - tables.FIRST_POWER[s.tableau[seat, place]])
    s.turn = order(s, seat)
    s.stage = state.CONSUME_CHOSEN


def ask_trade(s: Record, problem: problems.Problem, seat: int) -> None:
    s.power, s.turn = NO_POWER, order(s, seat)
    if problem.subject != problems.NO_SUBJECT:
        _use(s, problem, seat)
    s.stage, s.place = state.CONSUME_TRADED, NO_POWER
    ask(s, state.TRADE_GOOD, seat)


def ask_use_power(s: Record, problem: problems.Problem, seat: int) -> None:
    s.turn, s.stage = order(s, seat), state.CONSUME_USE
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        for i in range(tables.POWERS[card]):
            power = tables.FIRST_POWER[card] + i
            offered = (*ids([card]), tables.CONSUME_POWERS[power].position) in problem.options
            if not offered and usable(s, seat, power):
                s.used |= 1 << (tables.POWERS_PER_CARD * place + i)
    ask(s, state.USE_POWER, seat)


def ask_hand(s: Record, problem: problems.Problem, seat: int) -> None:
    _use(s, problem, seat)
    ask_up_to(s, state.FOR_VP, seat, problem.maximum)


def ask_goods(s: Record, problem: problems.Problem, seat: int) -> None:
    _use(s, problem, seat)
    power = tables.CONSUME_POWERS[s.power]
    if power.effect == tables.CONSUME_THREE_KINDS:
        s.picks[seat] = s.left = 3
        ask(s, state.CONSUME, seat)
    else:
        ask_cards(s, state.CONSUME, seat, s.goods[seat, power.kind], problem.minimum, 1)


def ask_gamble(s: Record, problem: problems.Problem, seat: int) -> None:
    _use(s, problem, seat)
    ask(s, state.GUESS, seat)


def ask_windfall(s: Record, problem: problems.Problem, seat: int) -> None:
    s.turn, s.wanted = order(s, seat), tables.NO_KIND
    if problem.subject == problems.NO_SUBJECT:
        s.stage = state.PRODUCE_ANY
    elif problem.subject == WINDFALL_ANY_ID:
        s.stage = state.PRODUCE_COUNT
    else:
        s.stage = state.PRODUCE_SCAN
        s.place = _place_in_tableau(s, problem, seat)
        s.wanted = tables.SCAN_KIND[s.tableau[seat, s.place]]
    ask(s, state.WINDFALL, seat)


def _place_in_tableau(s: Record, problem: problems.Problem, seat: int) -> int:
    if problem.subject not in problem.me.tableau:
        raise problems.BadDocument(
            f"{tables.DESIGNS[problems.DESIGN_OF_ID[problem.subject]].name} is not in the tableau"
        )
    return problem.me.tableau.index(problem.subject)
