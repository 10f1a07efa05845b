"""How many a problem's question wants, for an engine that does not say."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.games.race.cards import (
    CONSUME_ALL,
    CONSUME_POWERS,
    CONSUME_THREE_KINDS,
    CONSUME_TWO,
    COST,
    FROM_HAND,
    IS_WORLD,
)
from boardwright.games.race.develop import develop_discount
from boardwright.games.race.state import STATE
from boardwright.kernel.records import plain_record
from boardwright.scout.problems.problem import (
    DESIGN_OF_ID,
    TYPE_DEVELOP,
    TYPE_DISCARD,
    TYPE_GOODS,
    TYPE_HAND,
    TYPE_PAYMENT,
    TYPE_POWER,
    TYPE_SETTLE,
    Problem,
)
from boardwright.scout.problems.rebuild_power_question import power_in_use
from boardwright.scout.problems.rebuild_question import discard_stage, discards
from boardwright.scout.problems.rebuild_table import rebuild_table
from boardwright.scout.problems.translation import settle_ways


def bounds(problem: Problem) -> tuple[int, int]:
    """The least and the most that the rules let a seat choose."""
    s = plain_record(np.zeros(STATE.itemsize, np.uint8), STATE)
    rebuild_table(s, problem)
    seat, options = problem.me.seat, len(problem.options)
    wanted = 1
    if problem.type in (TYPE_DEVELOP, TYPE_SETTLE):
        return 0, min(1, options)
    if problem.type == TYPE_DISCARD:
        wanted = discards(s, seat, discard_stage(problem))
    elif problem.type == TYPE_PAYMENT and IS_WORLD[s.placing[seat] - 1]:
        counts = [price + mask.bit_count() for mask, price in settle_ways(s, seat).items()]
        return min(counts, default=0), max(counts, default=0)
    elif problem.type == TYPE_PAYMENT:
        wanted = max(0, COST[s.placing[seat] - 1] - develop_discount(s, seat))
    elif problem.type in (TYPE_HAND, TYPE_GOODS):
        power = CONSUME_POWERS[power_in_use(s, problem, seat)[0]]
        if problem.type == TYPE_HAND:
            return 0, min(power.times, options)
        fixed = {CONSUME_TWO: 2, CONSUME_THREE_KINDS: 3, CONSUME_ALL: options}
        wanted = fixed.get(power.effect, power.times)
    elif problem.type == TYPE_POWER and all(_optional(option) for option in problem.options):
        return 0, min(1, options)
    return min(wanted, options), min(wanted, options)


def _optional(option: Any) -> bool:
    design, position = DESIGN_OF_ID[option[0]], option[1]
    return any((p.design, p.position, p.effect) == (design, position, FROM_HAND) for p in CONSUME_POWERS)
