"""Agents with a trained network: `netsearch` searches turns with it, `netpolicy` plays what it expects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import BadSpec, IllegalAction
from boardwright.kernel import Code, Game, Observation, RngState, rng
from boardwright.kernel.automatic_features import learning_rules
from boardwright.learn import turn_search
from boardwright.learn.network import Network
from boardwright.learn.network_files import WEIGHTS_HELP, find_network, may_have_network, network_in_file
from boardwright.learn.turn_search import MIN_PRIOR, Models, Settings
from boardwright.learn.workspace import MAX_BREADTH, Workspace
from boardwright.search.budget import CLOCKS, MOST_DETERMINIZATIONS, MOST_ITERATIONS, MOST_SECONDS, Clock


class Table(NamedTuple):
    """A network, the game as kernels get it with the network's features, and scratch buffers."""

    network: Network
    rules: Any
    workspace: Workspace


FIRST_ROLLOUTS, MOST_ROLLOUTS = 16, 1_000_000
"""With a budget of time: rollouts that show how long one takes, and the most that a decision has."""
LEAST_RELATIVE_TIME = 0.3
"""The least that a rollout is expected to take, relative to one of the first: chance must not make a decision late."""
STEP_OF_RELATIVE_TIME = 0.2
"""How far the expectation goes towards what the last decision took."""


class NetworkAgent(Agent):
    """An agent with a network, which it loads when it knows how many seats there are."""

    weights: str = param("", WEIGHTS_HELP)

    def prepare(self) -> None:
        self.networks: dict[int, Network] = {}
        self._tables: dict[int, Table] = {}
        self.check_network(self.weights)

    def check_network(self, weights: str) -> None:
        """What is no network is refused at once."""
        if weights and weights not in self.game.learning.named_networks:
            network_in_file(self.game, weights)

    def needs(self) -> list[Code]:
        return [*self.game.entries.learning_code, turn_search.code]

    def network(self, seats: int) -> Network:
        if seats not in self.networks:
            self.networks[seats] = find_network(self.label(), self.game, self.weights, seats)
        return self.networks[seats]

    def table(self, seats: int) -> Table:
        """What a search with the network for so many seats works on."""
        network = self.network(seats)
        if seats not in self._tables or self._tables[seats].network is not network:
            features = network.features(self.game)
            workspace = Workspace.for_game(self.game, features, seats, network.first_places)
            self._tables[seats] = Table(network, learning_rules(self.game, features), workspace)
        return self._tables[seats]

    def models(self, seats: int) -> Models:
        """The networks that a search takes for the seat and for the others."""
        weights = self.network(seats).weights
        return Models(weights, weights)

    def check_seats(self, seats: int) -> None:
        self.models(seats)

    def policy(self, observation: Observation) -> dict[int, float]:
        """The policy prior of every legal action."""
        _, rules, workspace = self.table(observation.seats)
        workspace.observation[:] = observation.memory
        n = turn_search.kernel("policy_priors")(rules, self.models(observation.seats), observation.seat, workspace)
        return dict(zip(workspace.actions[:n].tolist(), workspace.prior[:n].tolist(), strict=True))

    @classmethod
    def plays(cls, game: Game) -> bool:
        return may_have_network(game)


class NetPolicy(NetworkAgent):
    """Plays the action that a trained network expects most, without looking ahead."""

    def decide(self, observation: Observation) -> Decision:
        priors = self.policy(observation)
        ranked = sorted(priors, key=lambda action: -priors[action])

        def reasons() -> tuple[Reason, ...]:
            return tuple(Reason(action, weight=priors[action]) for action in ranked)

        return Decision(ranked[0], reasons, "the policy of a network")

    @classmethod
    def label(cls) -> str:
        return "netpolicy"


class NetSearch(NetworkAgent):
    """Plays a turn or more to the end in several determinizations; a trained network evaluates where that leads.

    docs/learning.md has the matches that speak for the defaults.
    """

    determinizations: int = param(8, "determinizations per decision", ge=1, le=MOST_DETERMINIZATIONS)
    width: int = param(16, "the most candidates: the actions with the highest policy priors", ge=1, le=10_000)
    breadth: int = param(
        1, "the most actions tried at the seat's first decision after a candidate", ge=1, le=MAX_BREADTH
    )
    prior_weight: float = param(
        0.03,
        "weight of the policy prior: what an action's value (0 to 1) gains if its prior is e times as high",
        gt=0,
    )
    turns: int = param(1, "turns played before the value head evaluates, the current one included", ge=1, le=1000)
    rollouts: int = param(
        0,
        "rollouts per decision, shared among the candidates, instead of a number of determinizations",
        ge=0,
        le=MOST_ITERATIONS,
    )
    seconds: float | None = param(
        None, "time to spend on a decision instead of a number of determinizations", gt=0, le=MOST_SECONDS
    )
    clock: Clock = param("wall", "with a budget of time: time on the wall, or processor time")
    opponent: str = param("", "another network, as for `weights`, that predicts what the others do; default: the same")
    noise: float = param(
        0.0, "standard deviation of an error added to every value (0 to 1): makes a weaker opponent", ge=0
    )

    def prepare(self) -> None:
        super().prepare()
        self.check_network(self.opponent)
        if self.rollouts and "determinizations" in self._given:
            raise BadSpec("netsearch: give determinizations or rollouts, not both")
        if self.seconds is not None and {"determinizations", "rollouts"} & set(self._given):
            raise BadSpec("netsearch: give seconds, or a number of determinizations or rollouts, not both")
        self.settings = Settings(
            self.determinizations,
            self.width,
            self.breadth,
            self.prior_weight,
            self.turns,
            self.rollouts,
        )
        self._relative_time = 1.0

    def models(self, seats: int) -> Models:
        if not self.opponent:
            return super().models(seats)
        return Models(self.network(seats).weights, find_network(self.label(), self.game, self.opponent, seats).weights)

    def decide(self, observation: Observation) -> Decision:
        models = self.models(observation.seats)
        rng_state = self.rng_state(observation)
        _, rules, workspace = self.table(observation.seats)
        workspace.observation[:] = observation.memory

        def search(settings: Settings) -> int:
            return int(turn_search.kernel()(rules, models, observation.seat, settings, rng_state, workspace))

        n = search(self.settings) if self.seconds is None else self._search_for(self.seconds, search)
        return self._decision(workspace, n, rng_state)

    def _search_for(self, seconds: float, search: Callable[[Settings], int]) -> int:
        """A short search shows how long rollouts take here; the next one has as many as fit into the rest of the time,
        and decides. A rollout of a longer search takes less time; how much less is learned from the decisions before.
        Returns how many actions there are."""
        clock = CLOCKS[self.clock]
        began = clock()
        n = search(self.settings._replace(rollouts=FIRST_ROLLOUTS))
        spent = max(clock() - began, 1e-6)
        expected = spent / FIRST_ROLLOUTS * self._relative_time
        rollouts = min(int((seconds - spent) / expected), MOST_ROLLOUTS)
        if rollouts <= FIRST_ROLLOUTS:
            return n
        n = search(self.settings._replace(rollouts=rollouts))
        taken = (clock() - began - spent) / rollouts / (spent / FIRST_ROLLOUTS)
        taken = min(max(taken, LEAST_RELATIVE_TIME), 1.0)
        self._relative_time += STEP_OF_RELATIVE_TIME * (taken - self._relative_time)
        return n

    def decide_among(self, observation: Observation, priors: Mapping[int, float]) -> Decision:
        """Search these actions alone, with these priors instead of the policy's."""
        unknown = set(priors) - set(observation.legal_actions())
        if unknown or not priors:
            raise IllegalAction(f"{self.game.name}: {sorted(unknown)} are not legal, or there is nothing to search")
        n, rng_state = len(priors), self.rng_state(observation)
        _, rules, workspace = self.table(observation.seats)
        workspace.observation[:] = observation.memory
        workspace.actions[:n], workspace.prior[:n] = list(priors), list(priors.values())
        turn_search.kernel("sequential_halving")(
            rules,
            self.models(observation.seats),
            observation.seat,
            n,
            self.settings,
            rng_state,
            workspace,
        )
        return self._decision(workspace, n, rng_state)

    def _decision(self, workspace: Workspace, n: int, rng_state: RngState) -> Decision:
        """What the search left in the workspace about n actions."""
        actions, prior = workspace.actions[:n].tolist(), workspace.prior[:n].tolist()
        visits, ranking = workspace.visits[:n].copy(), workspace.ranking[:n].tolist()
        value = workspace.value_sum[:n] / np.maximum(visits, 1)
        if self.noise:
            value += np.array([self._gaussian_error(rng_state) for _ in range(n)])
            with_prior = value + self.prior_weight * np.log(np.maximum(prior, MIN_PRIOR))
            ranking.sort(key=lambda i: (visits[i] == 0, -with_prior[i]))
        low, high = self.game.min_utility, self.game.max_utility

        def reasons() -> tuple[Reason, ...]:
            return tuple(
                Reason(
                    actions[i],
                    float(low + (high - low) * value[i]) if visits[i] else None,
                    float(visits[i] / max(visits.sum(), 1)),
                    int(visits[i]),
                    prior=prior[i],
                )
                for i in ranking
            )

        rollouts = f"{int(visits.sum())} rollouts of {self.turns} turn{'s' if self.turns > 1 else ''}"
        determinizations = int(visits.max())
        return Decision(actions[ranking[0]], reasons, f"{determinizations} determinizations, {rollouts}")

    def _gaussian_error(self, rng_state: RngState) -> float:
        """By the method of Box and Muller."""
        first, second = ((rng.draw(rng_state) >> 11) / 2**53 for _ in range(2))
        return float(self.noise * np.sqrt(-2 * np.log(1 - first)) * np.cos(2 * np.pi * second))

    @classmethod
    def label(cls) -> str:
        return "netsearch"
