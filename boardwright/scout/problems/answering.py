"""Letting any agent answer a problem: it gets an observation rebuilt from the problem, and its steps make a choice.

The server answers engines this way. A document does not say which cards a seat has seen earlier, so an agent behind the
socket, its partners and its search know less than in process, where they get the true observation.
"""

from __future__ import annotations

from boardwright.agents import Agent, Decision, ask
from boardwright.games.race.declaration import game
from boardwright.kernel import Observation
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE, Choice, Option, Problem
from boardwright.scout.problems.steps import completed_choice, is_first_step, next_step
from boardwright.scout.problems.to_observation import after_step, observation_or_choice


def forced_choice(problem: Problem) -> Choice | None:
    """The only choice there is by the number of options, in questions that our rules would not ask then."""
    if problem.type in (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE):
        return None
    if problem.maximum == 0:
        return ()
    return problem.options if problem.minimum == len(problem.options) else None


def question_or_answer(problem: Problem) -> Observation | Choice:
    """The observation to decide from; or the answer, where there is nothing to decide."""
    forced = forced_choice(problem)
    if forced is not None:
        return forced
    question = observation_or_choice(problem)
    return question if isinstance(question, Observation) else fit_to_options(problem, question)


def decide_steps(agent: Agent, problem: Problem, observation: Observation) -> Choice:
    """The agent's choice, step by step from the first, restricted to what is offered."""
    while True:
        action = ask(agent, observation).action
        choice = completed_choice(observation, action)
        if choice is not None:
            return fit_to_options(problem, choice)
        observation = after_step(observation, action)


def answer(agent: Agent, problem: Problem) -> Choice:
    question = question_or_answer(problem)
    return decide_steps(agent, problem, question) if isinstance(question, Observation) else question


def fit_to_options(problem: Problem, choice: Choice) -> Choice:
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
    """The first choice that the rules allow."""
    return answer(_First(game, problem.me.seat), problem)


class ProblemAgent(Agent):
    """An agent that decides whole problems: `choose` is called once per problem, and its choice played step by step."""

    def prepare(self) -> None:
        self._problem: Problem | None = None
        self._choice: Choice = ()

    def choose(self, problem: Problem) -> Choice:
        raise NotImplementedError

    def decide(self, observation: Observation) -> Decision:
        problem = problem_of(observation, game_id=str(self.seed))
        if is_first_step(observation) or problem != self._problem:  # the first step may have been forced
            self._problem, self._choice = problem, self.choose(problem)
        return Decision(next_step(observation, self._choice))
