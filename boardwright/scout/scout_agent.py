"""What all versions of SCOUT share as agents: the whole choice is made once, and modules can be given to others."""

from __future__ import annotations

from typing import ClassVar

from boardwright.agents import Agent, Decision, Reason
from boardwright.errors import BadSpec, IllegalAction
from boardwright.kernel import Observation
from boardwright.registry import make_agent
from boardwright.scout.problems.answering import answer
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import SEATS, Problem
from boardwright.scout.problems.steps import begins, next_step
from boardwright.scout.reasoners.dispatch import MODULE_OF_TYPE, REST, module_of
from boardwright.scout.reasoners.explanation import decision_of
from boardwright.scout.reasoners.recommendation import Asked, Retrieved, Thought

OWN = "cases"
PARTNER = "netsearch"
"""Who decides what SCOUT does not; the dissertation asked its opponent's program."""


class ScoutAgent(Agent):
    """What all versions share: the whole choice is made once, and modules can be given to other agents."""

    games: ClassVar[tuple[str, ...]] = ("race",)

    def prepare(self) -> None:
        self._partners: dict[str, Agent] = {}
        self._last: tuple[Problem, Thought] | None = None
        self.asked: Asked | None = None

    @property
    def last_thought(self) -> Thought | None:
        """What it thought of the last decision that was its own."""
        return self._last[1] if self._last else None

    def source_of(self, case: Retrieved) -> str:
        """The game a retrieved case comes from."""
        return f"game {case.group}"

    def spec_for(self, module: str) -> str:
        """Who decides in a module: OWN, or the spec of another agent."""
        raise NotImplementedError

    def think(self, asked: Asked) -> Thought:
        raise NotImplementedError

    def decide(self, observation: Observation) -> Decision:
        legal = observation.legal_actions()
        if len(legal) == 1:
            return Decision(legal[0], (Reason(legal[0]),), "the only legal action")
        problem = problem_of(observation)
        module = module_of(problem)
        spec = self.spec_for(module)
        if self._last is None or self._last[0] != problem or begins(observation):
            self.asked = Asked(problem)
            if spec == OWN:
                thought = self.think(self.asked)
            else:  # asked by the problem, as over the wire: the same game in process and through a socket
                thought = Thought(answer(self.partner(module, spec), problem), note=f"left to {spec}")
            self._last = problem, thought
        thought = self._last[1]
        try:
            step = next_step(observation, thought.choice)
        except IllegalAction:  # somebody else has taken the first steps, and others
            return self.partner(REST, PARTNER).decide(observation)
        return decision_of(observation, step, problem, thought)

    def check_seats(self, seats: int) -> None:
        if seats != SEATS:
            raise BadSpec(f"agent {type(self).label()!r}: SCOUT plays race with {SEATS} players, not {seats}")
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
