"""The hybrid that the dissertation proposes: cases propose and weigh options, a search with a value network checks.

The search says how likely each option is to win. The cases say how often winners took it in situations like this. An
option's merit is the first, corrected by the logarithm of the second: where the search sees little difference,
experience decides.
"""

from __future__ import annotations

import math

from boardwright.agents import Decision, Reason, param
from boardwright.errors import IllegalAction
from boardwright.games.race.scout.agents import Scout2
from boardwright.games.race.scout.problems.from_view import problem_of
from boardwright.games.race.scout.problems.model import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.games.race.scout.problems.steps import next_step
from boardwright.games.race.scout.reasoners.thought import Asked
from boardwright.kernel import View

WEIGHED = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The decisions that both have a say in; all others are the search's."""
SMALLEST_SHARE = 0.02
"""Options without a vote are not ruled out."""


class ScoutHybrid(Scout2):
    """Cases propose and weigh options, a search with the value network checks them."""

    search: str = param("netsearch:worlds=24", "who looks ahead: an agent that gives a value for each option")
    trust: float = param(0.03, "how much experience counts, in chance to win, where it is e times as frequent", ge=0)

    def decide(self, view: View) -> Decision:
        looked = self.partner("search", self.search).decide(view)
        if len(view.legal_actions()) == 1:
            return looked
        problem = problem_of(view)
        if problem.type not in WEIGHED or not problem.options:
            return looked
        thought = self.head.think(Asked(problem))
        shares: dict[int, float] = {}
        for choice, share in thought.votes:
            try:
                shares[next_step(view, choice)] = share
            except IllegalAction:
                continue
        ranked = sorted(
            (reason for reason in looked.reasons if reason.value is not None),
            key=lambda reason: -self._merit(reason, shares),
        )
        if not ranked:
            return looked
        reasons = tuple(
            Reason(reason.action, reason.value, shares.get(reason.action, 0.0), reason.visits) for reason in ranked
        )
        return Decision(ranked[0].action, reasons, f"{looked.summary}, weighed by {thought.note}")

    def _merit(self, reason: Reason, shares: dict[int, float]) -> float:
        experience = math.log(max(shares.get(reason.action, 0.0), SMALLEST_SHARE))
        first_impression = math.log(max(reason.weight or 0.0, SMALLEST_SHARE))
        return (reason.value or 0.0) + self.trust * (experience + first_impression) / 2

    @classmethod
    def label(cls) -> str:
        return "scout-hybrid"
