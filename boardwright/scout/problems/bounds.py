"""How many a problem's question wants, for an engine that does not say."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.games.race import cards as tables
from boardwright.games.race.develop import develop_discount
from boardwright.games.race.state import STATE
from boardwright.kernel.records import plain_record
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems.rebuild_power_question import power_in_use
from boardwright.scout.problems.rebuild_question import discard_stage, discards
from boardwright.scout.problems.rebuild_table import rebuild_table
from boardwright.scout.problems.translation import settle_ways


def bounds(problem: problems.Problem) -> tuple[int, int]:
    """The least and the most that the rules let a seat choose."""
    s = plain_record(np.zeros(STATE.itemsize, np.uint8), STATE)
    rebuild_table(s, problem)
    seat, options = problem.me.seat, len(problem.options)
    wanted = 1
    if problem.type in (problems.TYPE_DEVELOP, problems.TYPE_SETTLE):
        return 0, min(1, options)
    if problem.type == problems.TYPE_DISCARD:
        wanted = discards(s, seat, discard_stage(problem))
    elif problem.type == problems.TYPE_PAYMENT and tables.IS_WORLD[s.placing[seat] - 1]:
        counts = [price + mask.bit_count() for mask, price in settle_ways(s, seat).items()]
        return min(counts, default=0), max(counts, default=0)
    elif problem.type == problems.TYPE_PAYMENT:
        wanted = max(0, tables.COST[s.placing[seat] - 1] - develop_discount(s, seat))
    elif problem.type in (problems.TYPE_HAND, problems.TYPE_GOODS):
        power = tables.CONSUME_POWERS[power_in_use(s, problem, seat)[0]]
        if problem.type == problems.TYPE_HAND:
            return 0, min(power.times, options)
        fixed = {tables.CONSUME_TWO: 2, tables.CONSUME_THREE_KINDS: 3, tables.CONSUME_ALL: options}
        wanted = fixed.get(power.effect, power.times)
    elif problem.type == problems.TYPE_POWER and all(_optional(option) for option in problem.options):
        return 0, min(1, options)
    return min(wanted, options), min(wanted, options)


def _optional(option: Any) -> bool:
    design, position = problems.DESIGN_OF_ID[option[0]], option[1]
    return any((p.design, p.position, p.effect) == (design, position, tables.FROM_HAND) for p in tables.CONSUME_POWERS)
