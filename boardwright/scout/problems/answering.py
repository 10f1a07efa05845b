"""Letting an agent answer a problem: from the problem a view, from the agent's steps a whole choice."""

from __future__ import annotations

from boardwright.agents import Agent, Decision
from boardwright.errors import AgentFailed
from boardwright.games.race.declaration import game
from boardwright.kernel import Observation
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE, Choice, Option, Problem
from boardwright.scout.problems.steps import begins, choice_made, next_step
from boardwright.scout.problems.to_observation import after_step, view_or_choice


def forced_choice(problem: Problem) -> Choice | None:
    """The only choice there is by the number of options, in questions that our rules would not ask then."""
    if problem.type in (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE):
        return None
    if problem.maximum == 0:
        return ()
    return problem.options if problem.minimum == len(problem.options) else None


def answer(agent: Agent, problem: Problem) -> Choice:
    """The agent's choice. It may be limited to what is offered; see `fitted`."""
    forced = forced_choice(problem)
    if forced is not None:
        return forced
    observation = view_or_choice(problem)
    if not isinstance(observation, Observation):
        return fitted(problem, observation)
    while True:
        decision = agent.decide(observation)
        if not isinstance(decision, Decision) or decision.action not in observation.legal_actions():
            raise AgentFailed(f"{agent.label()} decides {decision!r}, which is not legal")
        choice = choice_made(observation, decision.action)
        if choice is not None:
            return fitted(problem, choice)
        observation = after_step(observation, decision.action)


def fitted(problem: Problem, choice: Choice) -> Choice:
    """The offered part of a choice, filled up with the first options as far as the question demands."""
    left = list(problem.options)
    kept: list[Option] = []
    for option in choice:
        if isinstance(option, tuple) and option not in left:
            option = option[0]  # an engine may name a special card by its design alone
        if option in left and len(kept) < problem.maximum:
            left.remove(option)
            kept.append(option)
    return (*kept, *left[: max(0, problem.minimum - len(kept))])


class _First(Agent):
    """Takes the first legal action."""

    def decide(self, observation: Observation) -> Decision:
        return Decision(observation.legal_actions()[0])


def fallback(problem: Problem) -> Choice:
    """An answer without thinking: the first that the rules allow."""
    return answer(_First(game, problem.me.seat), problem)


class ByProblems(Agent):
    """An agent that makes whole choices: `choose` is asked once a question, and its choice followed step by step."""

    def prepare(self) -> None:
        self._choice: Choice = ()

    def choose(self, problem: Problem) -> Choice:
        raise NotImplementedError

    def decide(self, observation: Observation) -> Decision:
        if begins(observation):
            self._choice = self.choose(problem_of(observation, game_id=str(self.seed)))
        return Decision(next_step(observation, self._choice))
