"""Rebuilding the questions that powers ask, in consume and produce phases; rebuild_question.py has the others."""

from __future__ import annotations

from boardwright.games.race.cards import (
    CONSUME_ALL,
    CONSUME_GOODS,
    CONSUME_POWERS,
    CONSUME_THREE_KINDS,
    CONSUME_TWO,
    DESIGNS,
    EXTRA_TRADE,
    FIRST_POWER,
    FROM_HAND,
    GAMBLE,
    NO_KIND,
    POWERS,
    POWERS_PER_CARD,
    SCAN_KIND,
)
from boardwright.games.race.consume import NO_POWER, usable
from boardwright.games.race.picks import ask, ask_cards, ask_up_to
from boardwright.games.race.state import (
    CONSUME,
    CONSUME_CHOSEN,
    CONSUME_TRADED,
    CONSUME_USE,
    FOR_VP,
    GUESS,
    PRODUCE_ANY,
    PRODUCE_COUNT,
    PRODUCE_SCAN,
    TRADE_GOOD,
    USE_POWER,
    WINDFALL,
)
from boardwright.kernel import Record
from boardwright.scout.problems.problem import (
    DESIGN_OF_ID,
    NO_SUBJECT,
    TYPE_GAMBLE,
    TYPE_GOODS,
    TYPE_HAND,
    TYPE_TRADE,
    BadDocument,
    Problem,
)
from boardwright.scout.problems.rebuild_table import order
from boardwright.scout.problems.translation import WINDFALL_ANY_ID, ids

_EFFECTS = {
    TYPE_TRADE: (EXTRA_TRADE,),
    TYPE_HAND: (FROM_HAND,),
    TYPE_GAMBLE: (GAMBLE,),
    TYPE_GOODS: (CONSUME_GOODS, CONSUME_TWO, CONSUME_THREE_KINDS, CONSUME_ALL),
}
"""What the power in use can be, by the question it asks."""


def power_in_use(s: Record, problem: Problem, seat: int) -> tuple[int, int]:
    """The consume power that asks, and the tableau place of its card."""
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        for power in range(FIRST_POWER[card], FIRST_POWER[card] + POWERS[card]):
            named = problem.subject in (NO_SUBJECT, *ids([card]))
            if named and CONSUME_POWERS[power].effect in _EFFECTS[problem.type]:
                return power, place
    of = "" if problem.subject == NO_SUBJECT else f" of {DESIGNS[DESIGN_OF_ID[problem.subject]].name}"
    raise BadDocument(f"no power{of} in the tableau asks a question of type {problem.type}")


def _use(s: Record, problem: Problem, seat: int) -> None:
    s.power, place = power_in_use(s, problem, seat)
    s.used = 1 << (POWERS_PER_CARD * place + s.power - FIRST_POWER[s.tableau[seat, place]])
    s.turn = order(s, seat)
    s.stage = CONSUME_CHOSEN


def ask_trade(s: Record, problem: Problem, seat: int) -> None:
    s.power, s.turn = NO_POWER, order(s, seat)
    if problem.subject != NO_SUBJECT:
        _use(s, problem, seat)
    s.stage, s.place = CONSUME_TRADED, NO_POWER
    ask(s, TRADE_GOOD, seat)


def ask_use_power(s: Record, problem: Problem, seat: int) -> None:
    s.turn, s.stage = order(s, seat), CONSUME_USE
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        for i in range(POWERS[card]):
            power = FIRST_POWER[card] + i
            offered = (*ids([card]), CONSUME_POWERS[power].position) in problem.options
            if not offered and usable(s, seat, power):
                s.used |= 1 << (POWERS_PER_CARD * place + i)
    ask(s, USE_POWER, seat)


def ask_hand(s: Record, problem: Problem, seat: int) -> None:
    _use(s, problem, seat)
    ask_up_to(s, FOR_VP, seat, problem.maximum)


def ask_goods(s: Record, problem: Problem, seat: int) -> None:
    _use(s, problem, seat)
    power = CONSUME_POWERS[s.power]
    if power.effect == CONSUME_THREE_KINDS:
        s.picks[seat] = s.left = 3
        ask(s, CONSUME, seat)
    else:
        ask_cards(s, CONSUME, seat, s.goods[seat, power.kind], problem.minimum, 1)


def ask_gamble(s: Record, problem: Problem, seat: int) -> None:
    _use(s, problem, seat)
    ask(s, GUESS, seat)


def ask_windfall(s: Record, problem: Problem, seat: int) -> None:
    s.turn, s.wanted = order(s, seat), NO_KIND
    if problem.subject == NO_SUBJECT:
        s.stage = PRODUCE_ANY
    elif problem.subject == WINDFALL_ANY_ID:
        s.stage = PRODUCE_COUNT
    else:
        s.stage = PRODUCE_SCAN
        s.place = _place_in_tableau(s, problem, seat)
        s.wanted = SCAN_KIND[s.tableau[seat, s.place]]
    ask(s, WINDFALL, seat)


def _place_in_tableau(s: Record, problem: Problem, seat: int) -> int:
    if problem.subject not in problem.me.tableau:
        raise BadDocument(f"{DESIGNS[DESIGN_OF_ID[problem.subject]].name} is not in the tableau")
    return problem.me.tableau.index(problem.subject)
