"""The hybrid that the dissertation proposes: cases propose and weigh options, a search with a value network checks.

The search says how likely each option is to win. The cases say how often winners took it in situations like this. An
option's merit is the first, corrected by the logarithm of the second: where the search sees little difference,
experience decides.
"""

from __future__ import annotations

import math
from dataclasses import replace

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import IllegalAction
from boardwright.kernel import Observation
from boardwright.scout.problems.answering import answer
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.problems.steps import next_step
from boardwright.scout.reasoners.dispatch import REST
from boardwright.scout.reasoners.recommendation import Asked, Thought
from boardwright.scout.scout2 import Scout2
from boardwright.scout.scout_agent import OWN

WEIGHED = (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE)
"""The decisions that both have a say in; all others are the search's."""
SMALLEST_SHARE = 0.02
"""Options without a vote are not ruled out."""
SEARCH = "search"


class ScoutHybrid(Scout2):
    """Cases propose and weigh options, a search with the value network checks them."""

    search: str = param("netsearch:turns=2,worlds=64", "who looks ahead: an agent that gives a value for each option")
    trust: float = param(
        0.03,
        "how much cases and the search's first impression count, in chance to win, where they are e times as strong",
        ge=0,
    )
    experience: float = param(0.5, "the cases' part in that; the other part is the first impression's", ge=0, le=1)
    rest: str = param(SEARCH, "who trades, consumes, gambles and produces on windfall worlds: `search`, or a spec")

    def prepare(self) -> None:
        super().prepare()
        self._looked: dict[int, Decision] = {}

    def spec_for(self, module: str) -> str:
        return OWN if module == REST and self.rest == SEARCH else super().spec_for(module)

    def check_seats(self, seats: int) -> None:
        super().check_seats(seats)
        self.partner(SEARCH, self.search).check_seats(seats)

    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        looked = self._looked.get(decision.action)
        if looked is None:
            return decision

        def reasons() -> tuple[Reason, ...]:
            cases = {reason.action: reason.note for reason in decision.reasons}
            return tuple(replace(reason, note=cases.get(reason.action, "")) for reason in looked.reasons)

        return Decision(decision.action, reasons, looked.summary)

    def think(self, asked: Asked) -> Thought:
        problem = asked.problem
        weighed = problem.type in WEIGHED and bool(problem.options)
        experience = super().think(asked) if weighed else Thought(())
        adviser = Adviser(self.partner(SEARCH, self.search), experience, self.trust, self.experience)
        choice = answer(adviser, problem)
        self._looked = adviser.decisions
        return Thought(choice, experience.votes, lambda: experience.retrieved, note=f"looked ahead by {self.search}")

    @classmethod
    def label(cls) -> str:
        return "scout-hybrid"


class Adviser(Agent):
    """The search, heard together with the cases, and what it said at every step of a question."""

    def __init__(self, search: Agent, experience: Thought, trust: float, part: float) -> None:
        super().__init__(search.game, search.seat)
        self.search, self.experience = search, experience
        self.trust, self.part = trust, part
        self.decisions: dict[int, Decision] = {}

    def decide(self, observation: Observation) -> Decision:
        decision = self.search.decide(observation)
        if self.experience.votes and len(observation.legal_actions()) > 1:
            decision = self._weighed(observation, decision)
        self.decisions[decision.action] = decision
        return decision

    def _weighed(self, observation: Observation, looked: Decision) -> Decision:
        shares = self._shares(observation)
        ranked = sorted(
            (reason for reason in looked.reasons if reason.value is not None),
            key=lambda reason: -self.merit(reason, shares.get(reason.action, 0.0)),
        )
        if not ranked:
            return looked
        reasons = tuple(replace(reason, weight=shares.get(reason.action, 0.0)) for reason in ranked)
        return Decision(ranked[0].action, reasons, f"{looked.summary}, weighed by {self.experience.note}")

    def _shares(self, observation: Observation) -> dict[int, float]:
        """The votes of the cases, by the actions they are for."""
        shares: dict[int, float] = {}
        for choice, share in self.experience.votes:
            try:
                shares[next_step(observation, choice)] = share
            except IllegalAction:
                continue
        return shares

    def merit(self, reason: Reason, share: float) -> float:
        experience = math.log(max(share, SMALLEST_SHARE))
        first_impression = math.log(max(reason.weight or 0.0, SMALLEST_SHARE))
        return (reason.value or 0.0) + self.trust * (self.part * experience + (1 - self.part) * first_impression)
