"""Who judges options: an agent, in determinizations that all options share.

`values(observation, actions, seeds)` is a table with a row per determinization and a column per option: what the option
is worth there to the seat, its return scaled to 0 to 1. In a determinization all options meet the same hidden cards and
the same random numbers, so the differences between columns vary much less than the columns (common random numbers).

Which evaluator is used follows from the strongest agent of the game:

- `netsearch`: turn search. The option is played, a rollout with the network's policy carries the turns on, and the
  value head evaluates where that leads.
- agents that search, two seats and a constant sum: the option is played, and a short search says what the position is
  worth to whoever is to move.
- `flat`: the option is played, and its rollout follows.
- agents that search, more seats: the option is played, and a rollout with the game's own policy goes on to the end.
- others: the agent itself plays all seats to the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.agents import Agent, Spec, ask
from boardwright.agents.levels import strongest
from boardwright.errors import BadSpec
from boardwright.kernel import Code, Game, Observation, State, rng
from boardwright.kernel.entries import RULES
from boardwright.learn import turn_search
from boardwright.learn.agents import NetSearch
from boardwright.learn.turn_search import Settings
from boardwright.registry import make_agent
from boardwright.search import flat
from boardwright.search.agent import SearchAgent
from boardwright.search.workspace import Workspace

Values = NDArray[np.float64]

POINT = 0.01
"""The unit of losses: from losing for certain to winning for certain are a hundred points."""
SHORT_SEARCH = {"ismcts": {"iterations": "200"}, "uct": {"iterations": "1000"}, "nettree": {"simulations": "400"}}
"""What a search after an option may spend in each determinization."""
SPENDING = {"iterations", "simulations", "seconds", "clock", "determinizations", "rollouts"}
"""Parameters of agents that say what a whole decision may spend."""
LONGEST_ROLLOUT = 5_000
"""Decisions of a rollout before it is given up."""
NO_PRIOR = 1e-9
"""Weight of the policy prior: options are compared by their values alone."""


@dataclass(frozen=True)
class Budget:
    """What may be spent on a decision."""

    selection: int = 64
    """Determinizations in which all options are compared."""
    least: int = 64
    """Determinizations in which the loss is measured at first."""
    most: int = 512
    """The most determinizations in which the loss is measured."""
    standard_error: float = 1.5 * POINT
    """With this standard error a loss is known well enough."""
    width: int = 24
    """The most options that are compared; the played one is among them."""

    def times(self, factor: int) -> Budget:
        """So many times as many determinizations, all of them."""
        return Budget(self.selection * factor, self.most * factor, self.most * factor, 0.0, self.width)


class Evaluator(ABC):
    """Judges options for one thread: what it works on is its own."""

    def __init__(self, spec: str, game: Game, seats: int) -> None:
        self.spec, self.game, self.seats = spec, game, seats
        self.spread = game.max_utility - game.min_utility
        self.agents: list[Agent] = []
        """Those that it asks."""

    @property
    def budget(self) -> Budget:
        """What suits it, unless somebody asks for more or less."""
        return Budget()

    def needs(self) -> list[Code]:
        return [code for agent in self.agents for code in agent.needs()]

    @abstractmethod
    def values(self, observation: Observation, actions: Sequence[int], seeds: Sequence[int]) -> Values:
        """A row per determinization, a column per action, from 0 to 1."""

    def candidates(self, observation: Observation, most: int) -> list[int]:
        """Where there are more options than can be judged: those that look best at a glance."""
        return observation.legal_actions()[:most]

    def share(self, value: float) -> float:
        """A return, scaled to 0 to 1."""
        return (value - self.game.min_utility) / self.spread

    def close(self) -> None:
        for agent in self.agents:
            agent.close()


class TurnSearchValues(Evaluator):
    """By a network: turns are played to their end, and the value head evaluates."""

    def __init__(self, spec: str, game: Game, seats: int) -> None:
        super().__init__(spec, game, seats)
        agent = make_agent(spec, game, 0)
        assert isinstance(agent, NetSearch)
        self.agent, self.agents = agent, [agent]
        agent.check_seats(seats)

    def values(self, observation: Observation, actions: Sequence[int], seeds: Sequence[int]) -> Values:
        n = len(actions)
        found = np.zeros((len(seeds), n))
        models, (_, rules, workspace) = self.agent.models(self.seats), self.agent.table(self.seats)
        search = turn_search.kernel("sequential_halving")
        settings = Settings(1, n, self.agent.breadth, NO_PRIOR, self.agent.turns)
        workspace.observation[:] = observation.memory
        for row, seed in enumerate(seeds):
            workspace.actions[:n], workspace.prior[:n] = actions, 1.0
            search(rules, models, observation.seat, n, settings, rng.generator(seed), workspace)
            found[row] = workspace.value_sum[:n]
        return found

    def candidates(self, observation: Observation, most: int) -> list[int]:
        priors = self.agent.policy(observation)
        return sorted(priors, key=lambda action: -priors[action])[:most]


class AfterOption(Evaluator):
    """By what agents make of the states that the options lead to."""

    def __init__(self, spec: str, game: Game, seats: int) -> None:
        super().__init__(spec, game, seats)
        self.agents = [make_agent(spec, game, seat) for seat in range(seats)]
        for agent in self.agents:
            agent.check_seats(seats)

    def values(self, observation: Observation, actions: Sequence[int], seeds: Sequence[int]) -> Values:
        found = np.zeros((len(seeds), len(actions)))
        for row, seed in enumerate(seeds):
            before = observation.determinize(seed=seed)
            for column, action in enumerate(actions):
                state = before.copy()
                state.apply(action)
                found[row, column] = self.share(self.worth(state, observation.seat, seed))
        return found

    @abstractmethod
    def worth(self, state: State, seat: int, seed: int) -> float:
        """What a state is worth to a seat, in units of the game's returns. The state may be played on."""


class SearchValues(AfterOption):
    """By short searches of whoever is to move after the option; for two seats whose returns have a constant sum."""

    @property
    def budget(self) -> Budget:
        """Searches are worth many playouts. Where nothing is hidden and nothing is drawn, one says it all."""
        if not self.game.has_hidden_information and Spec.parse(self.spec).name == "nettree":
            return Budget(selection=1, least=1, most=1, width=12)
        return Budget(selection=8, least=16, most=64, width=12)

    def candidates(self, observation: Observation, most: int) -> list[int]:
        reasons = reseeded(self.agents[observation.seat], 1).decide(observation).reasons
        return [reason.action for reason in reasons][:most]

    def worth(self, state: State, seat: int, seed: int) -> float:
        legal = state.legal_actions()
        while len(legal) == 1:
            state.apply(legal[0])
            legal = state.legal_actions()
        if not legal:
            return state.returns[seat]
        mover, total = state.player, self.game.min_utility + self.game.max_utility
        decision = reseeded(self.agents[mover], seed).decide(state.observation(mover))
        values = [reason.value for reason in decision.reasons if reason.action == decision.action]
        value = values[0] if values and values[0] is not None else total / 2
        return value if mover == seat else total - value


class AgentValues(AfterOption):
    """By an agent that plays all seats to the end: for agents that say no values, and are quick."""

    @property
    def budget(self) -> Budget:
        return Budget(selection=16, least=32, most=128, width=12)

    def worth(self, state: State, seat: int, seed: int) -> float:
        play_out(state, [reseeded(agent, seed) for agent in self.agents])
        return state.returns[seat]


class PlayoutValues(Evaluator):
    """By rollouts: those of a spec of `flat`, else to the end of the game with the game's own rollout policy."""

    def __init__(self, spec: str, game: Game, seats: int) -> None:
        super().__init__(spec, game, seats)
        agent = make_agent(spec if Spec.parse(spec).name == "flat" else "flat:plies=-1", game, 0)
        assert isinstance(agent, flat.Flat)
        self.agent, self.agents = agent, [agent]
        self.workspace = Workspace.for_game(game)

    def values(self, observation: Observation, actions: Sequence[int], seeds: Sequence[int]) -> Values:
        found = np.zeros((len(seeds), len(actions)))
        search, settings = flat.kernel(), flat.Settings(self.agent.playout_plies)
        arms = [flat.Arms.of([action]) for action in actions]
        for row, seed in enumerate(seeds):
            for column, arm in enumerate(arms):
                arm.visits[0] = arm.total[0] = 0
                rng_state = rng.generator(seed)
                search(
                    self.agent.rules, observation.memory, observation.seat, settings, arm, self.workspace, rng_state, 1
                )
                found[row, column] = self.share(float(arm.total[0]))
        return found


def reseeded(agent: Agent, seed: int) -> Agent:
    """The agent with another seed, as if it had met no position yet."""
    agent.seed, agent._met = seed, {}
    return agent


def play_out(state: State, agents: Sequence[Agent]) -> list[tuple[int, int, str]]:
    """Let agents play a state to its end; who chose what, in words, where there was a choice."""
    chosen: list[tuple[int, int, str]] = []
    for _ in range(LONGEST_ROLLOUT):
        if state.is_terminal:
            break
        seat = state.player
        decision = ask(agents[seat], state.observation(seat))
        if not decision.forced:
            chosen.append((seat, decision.action, state.game.describe(state, decision.action)))
        state.game.entries.apply(state.memory, decision.action)
    return chosen


def evaluator_spec(game: Game, seats: int, *, hidden: bool | None = None) -> str:
    """The strongest agent of the game, with what it may spend in each determinization."""
    spec = Spec.parse(strongest(game, seats, hidden=hidden))
    how = {name: value for name, value in spec.params.items() if name not in SPENDING}
    if spec.name == "netsearch":
        return str(Spec(spec.name, {"turns": "2", **how}))
    return str(Spec(spec.name, {**how, **SHORT_SEARCH[spec.name]}) if spec.name in SHORT_SEARCH else spec)


def make_evaluator(spec: str, game: Game, seats: int) -> Evaluator:
    """Who judges options as that agent does; BadSpec if it cannot."""
    agent = make_agent(spec, game, 0)
    try:
        if agent.interactive:
            raise BadSpec(f"{spec} is you; somebody else must judge, as {evaluator_spec(game, seats)}")
        if isinstance(agent, NetSearch):
            return TurnSearchValues(spec, game, seats)
        if isinstance(agent, flat.Flat):
            return PlayoutValues(spec, game, seats)
        searches = isinstance(agent, SearchAgent) or Spec.parse(spec).name == "nettree"
        if searches and seats == 2 and game.constant_sum:
            return SearchValues(spec, game, seats)
        return PlayoutValues(spec, game, seats) if searches else AgentValues(spec, game, seats)
    finally:
        agent.close()


def needs(evaluator: Evaluator) -> list[Any]:
    """The compiled code for judging: the rules, and what the evaluator uses."""
    return [*evaluator.game.entries.code(RULES), *evaluator.needs()]
