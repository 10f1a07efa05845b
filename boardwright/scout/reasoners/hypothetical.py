"""Placement problems as they would come up if Develop or Settle were chosen now."""

from __future__ import annotations

from dataclasses import replace

from boardwright.games.race.cards import FIRST_CARD, IS_WORLD, STANDING
from boardwright.games.race.state import DEVELOP_ACTION, SETTLE_ACTION
from boardwright.scout.cases.hand_features import affordable
from boardwright.scout.problems.problem import DESIGN_OF_ID, TYPE_DEVELOP, TYPE_SETTLE, Problem

_PHASE = {TYPE_DEVELOP: DEVELOP_ACTION, TYPE_SETTLE: SETTLE_ACTION}


def placement_problem(problem: Problem, kind: int) -> Problem | None:
    """What would be asked in that phase; None if nothing could be placed."""
    me = problem.me
    designs = [DESIGN_OF_ID[card] for card in me.tableau]
    standing = STANDING[FIRST_CARD[designs]].sum(0)
    options = tuple(
        card
        for card in sorted(set(me.hand))
        if bool(IS_WORLD[FIRST_CARD[DESIGN_OF_ID[card]]]) == (kind == TYPE_SETTLE)
        and (kind == TYPE_SETTLE or card not in me.tableau)
        and affordable(int(FIRST_CARD[DESIGN_OF_ID[card]]), standing, me.hand_size)
    )
    if not options:
        return None
    action = _PHASE[kind]
    return replace(
        problem,
        type=kind,
        options=options,
        minimum=0,
        maximum=1,
        phases=(action,),
        phase=action,
        me=replace(me, action=action),
    )
