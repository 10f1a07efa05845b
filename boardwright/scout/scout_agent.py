"""What all versions of SCOUT share as agents: a choice is made once per problem, and modules can be given to others.

Other agents that decide in a module ("partners") get the observation that SCOUT itself was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from boardwright.agents import Agent, ComparedFeature, Decision, RememberedCase
from boardwright.cbr import retrieval
from boardwright.errors import BadSpec, IllegalAction
from boardwright.kernel import Code, Observation
from boardwright.kernel.ready import make_ready
from boardwright.registry import make_agent
from boardwright.scout.cases import indexing
from boardwright.scout.problems.answering import answer, decide_steps
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import SEATS, Choice
from boardwright.scout.problems.steps import is_first_step, next_step
from boardwright.scout.reasoners import policy_network
from boardwright.scout.reasoners.dispatch import MODULE_OF_TYPE, REST, module_of
from boardwright.scout.reasoners.explanation import decision_of, nearest_cases, solution_name
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase

OWN = "cases"
PARTNER = "netsearch"
"""Who decides what SCOUT does not; the dissertation asked its opponent's program."""


def choice_of_partner(partner: Agent, indexed: IndexedProblem) -> Choice:
    """What another agent chooses, given the observation that the problem was found in, if there is one."""
    if indexed.observation is None:
        return answer(partner, indexed.problem)
    return decide_steps(partner, indexed.problem, indexed.observation)


class ScoutAgent(Agent):
    """Base class of SCOUT's versions."""

    games: ClassVar[tuple[str, ...]] = ("race",)
    seat_counts: ClassVar[tuple[int, ...]] = SEATS

    def prepare(self) -> None:
        make_ready([indexing.code, policy_network.code])  # they index the cases and read the network
        self._partners: dict[str, Agent] = {}
        self.last_problem: IndexedProblem | None = None
        """The last problem it met."""
        self.last_recommendation = Recommendation(())
        """Its recommendation for that problem."""

    def close(self) -> None:
        for partner in self._partners.values():
            partner.close()

    def source_of(self, case: RetrievedCase) -> str:
        """The game a retrieved case comes from."""
        return f"game {case.group}"

    def spec_for(self, module: str) -> str:
        """Who decides in a module: OWN, or the spec of another agent."""
        raise NotImplementedError

    def reason(self, indexed: IndexedProblem) -> Recommendation:
        """Its recommendation for a problem of its own modules."""
        raise NotImplementedError

    def decide(self, observation: Observation) -> Decision:
        problem = problem_of(observation)
        last = self.last_problem
        if last is None or last.problem != problem or is_first_step(observation):
            self.last_problem = last = IndexedProblem(problem, observation)
            self.last_recommendation = self._recommend(last)
        try:
            step = next_step(observation, self.last_recommendation.choice)
        except IllegalAction:  # somebody else has taken the first steps, and others
            return self.partner(REST, PARTNER).decide(observation)
        recommendation = self.last_recommendation
        return decision_of(observation, step, problem, recommendation, lambda: self._remembered(last, recommendation))

    def _remembered(self, indexed: IndexedProblem, recommendation: Recommendation) -> tuple[RememberedCase, ...]:
        return tuple(
            RememberedCase(
                f"case {case.id}, {self.source_of(case)}, round {case.round}",
                case.distance,
                solution_name(case.kind, case.solution),
                solution_name(case.kind, case.adapted),
                self.compare(indexed, case),
            )
            for case in nearest_cases(indexed, recommendation)
        )

    def compare(self, indexed: IndexedProblem, case: RetrievedCase) -> tuple[ComparedFeature, ...]:
        """A retrieved case beside the problem, feature by feature."""
        return ()

    def _recommend(self, indexed: IndexedProblem) -> Recommendation:
        module = module_of(indexed.problem)
        spec = self.spec_for(module)
        if spec == OWN:
            return self.reason(indexed)
        return Recommendation(choice_of_partner(self.partner(module, spec), indexed), note=f"left to {spec}")

    def needs(self) -> Sequence[Code]:
        code: list[Code] = [indexing.code, policy_network.code, retrieval.code]
        specs = {self.spec_for(module) for module in {*MODULE_OF_TYPE.values(), REST}} - {OWN} | {PARTNER}
        for spec in sorted(specs):
            code += make_agent(spec, self.game, self.seat).needs()
        return code

    def check_seats(self, seats: int) -> None:
        if seats not in self.seat_counts:
            known = " or ".join(map(str, self.seat_counts))
            raise BadSpec(f"agent {type(self).label()!r} plays race with {known} players, not {seats}")
        for module in {*MODULE_OF_TYPE.values(), REST}:
            if (spec := self.spec_for(module)) != OWN:
                self.partner(module, spec).check_seats(seats)

    def partner(self, module: str, spec: str) -> Agent:
        """The agent that decides in a module."""
        if module not in self._partners:
            if spec.partition(":")[0] == type(self).label():
                raise BadSpec(f"agent {type(self).label()!r}: {module}={spec} would ask itself")
            self._partners[module] = make_agent(spec, self.game, self.seat, seed=self.seed)
        return self._partners[module]
