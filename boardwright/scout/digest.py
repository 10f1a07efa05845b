"""A digest of SCOUT's decisions while it plays: a line for each, with the state of the game, the votes and the nearest
case. The dissertation's Head printed such lines, to analyse decisions as they were made."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.agents import Decision
from boardwright.arena.loop import Listener
from boardwright.kernel import Observation, State
from boardwright.scout.problems.problem import Problem
from boardwright.scout.reasoners.explanation import TYPE_NAMES, choice_name
from boardwright.scout.reasoners.recommendation import Recommendation
from boardwright.scout.scout_agent import ScoutAgent

_VOTES = 3


class DecisionDigest(Listener):
    """Writes a line for every question that SCOUT has answered by itself."""

    def __init__(self, agent: ScoutAgent, write: Callable[[str], None]) -> None:
        self.agent = agent
        self.write = write
        self._last: object = None

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        last = self.agent.last_problem
        if seat == self.agent.seat and last is not None and last is not self._last:
            self._last = last
            if self.agent.last_recommendation.votes:
                self.write(digest_line(last.problem, self.agent.last_recommendation))


def digest_line(problem: Problem, recommendation: Recommendation) -> str:
    me, them = problem.me, problem.opponent
    stage = (
        f"round {problem.round}, score {me.score}:{them.score}, tableau {len(me.tableau)}:{len(them.tableau)},"
        f" hand {me.hand_size}:{them.hand_size}, pool {problem.pool}"
    )
    kind = problem.type
    votes = ", ".join(f"{choice_name(kind, choice)} {share:.0%}" for choice, share in recommendation.votes[:_VOTES])
    chosen = " and ".join(choice_name(kind, (option,)) for option in recommendation.choice) or "nothing"
    line = f"{stage} | {TYPE_NAMES[kind]}: {chosen} | {votes}"
    if recommendation.retrieved:
        near = min(recommendation.retrieved, key=lambda case: case.distance)
        line += f" | nearest: case {near.id}, game {near.group}, round {near.round}, {near.distance:.2f}"
    return line
