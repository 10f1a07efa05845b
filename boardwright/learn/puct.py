"""PUCT: tree search with a network instead of playouts (Rosin 2011; Silver et al. 2017).

The policy head gives each child a prior, which widens its margin; the value head says what a leaf is worth to each
seat. The tree and its walk are those of UCT (search/uct.py), with parts of its own for expansion, selection and
evaluation. A child without visits has the mean of its parent. Hidden information is met by determinizations, as in UCT.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from boardwright.agents import param
from boardwright.errors import BadSpec
from boardwright.kernel import TERMINAL, Code, Game, Observation, RngState, Unit, calls, rng, rule
from boardwright.kernel.arrays import Float32s, Float64s, Int64s, UInt8s
from boardwright.kernel.automatic_features import learning_rules, read_features
from boardwright.kernel.calls import LEARNING_RULES, RNG_STATE, STATE
from boardwright.kernel.calls import LearningRules as Rules
from boardwright.kernel.declare import typeof, types
from boardwright.kernel.features import SparseFeatures
from boardwright.kernel.records import Bytes
from boardwright.learn.network import MAX_HIDDEN, Network, hidden_layer, initial_weights, policy_head, value_head
from boardwright.learn.network_files import WEIGHTS_HELP, find_network, may_have_network
from boardwright.search.agent import Search, TreeSearchAgent
from boardwright.search.budget import MOST_DETERMINIZATIONS, Budget
from boardwright.search.toolbox import joined
from boardwright.search.uct import PLAIN, searching
from boardwright.search.uct_tree import LEAF, Tree, fill, publish, root_statistics, take
from boardwright.search.workspace import Workspace


class Settings(NamedTuple):
    """What the kernel sees: the weight of the prior, the range of the returns, and the network."""

    exploration: float
    seats: int
    low: float
    high: float
    weights: Any
    virtual_loss: int = 0
    """None: threads do not share the tree."""


class Priors(NamedTuple):
    prior: Any


class Buffers(NamedTuple):
    """For the network."""

    sparse: SparseFeatures
    hidden: Float32s
    policy: Float64s
    observed: UInt8s
    seats: Int64s

    @classmethod
    def sized(cls, features: int, legal: int, state: int = 1, seats: int = 2) -> Buffers:
        return cls(
            SparseFeatures.with_capacity(features),
            np.zeros(MAX_HIDDEN, np.float32),
            np.zeros(legal),
            np.zeros(state, np.uint8),
            np.array([seats], np.int64),
        )


PuctTree = joined(__name__, "PuctTree", Tree, Priors)
PuctWorkspace = joined(__name__, "PuctWorkspace", Workspace, Buffers)


@rule
def look(rules: Rules, state: Bytes, seat: int, workspace: Any, settings: Settings) -> None:
    """The hidden layer of what a seat may know of a position."""
    read_features(rules, state, seat, workspace)
    hidden_layer(settings.weights, workspace.sparse, workspace.hidden)


@rule
def expand(
    rules: Rules, tree: Any, node: int, workspace: Any, n: int, mover: int, settings: Settings, rng_state: RngState
) -> bool:
    """Add a child for each of the n legal actions, with its prior; whether there was room."""
    first = take(tree, node, n)
    if first == LEAF:
        return False
    look(rules, workspace.state, mover, workspace, settings)
    policy_head(settings.weights, workspace.hidden, workspace.legal, n, workspace.policy)
    fill(tree, node, first, workspace.legal, n, mover)
    for i in range(n):
        tree.prior[first + i] = workspace.policy[i]
    publish(tree, node, first)
    return True


@rule
def select(tree: Any, node: int, workspace: Any, settings: Settings) -> int:
    """The child with the highest mean plus margin, which its prior widens."""
    first = tree.first[node]
    visits, total = 0, 0.0
    for child in range(first, first + tree.children[node]):
        visits += tree.visits[child]
        total += tree.total[child]
    parent_mean = total / visits if visits else 0.0
    width = settings.exploration * math.sqrt(max(visits, 1))
    best = first
    best_bound = -math.inf
    for child in range(first, first + tree.children[node]):
        mean = tree.total[child] / tree.visits[child] if tree.visits[child] else parent_mean
        bound = mean + width * tree.prior[child] / (1 + tree.visits[child])
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@rule
def evaluate(
    rules: Rules, tree: Any, node: int, workspace: Any, mover: int, settings: Settings, rng_state: RngState
) -> None:
    """The returns of a finished game, or what the value head expects for each seat."""
    if mover == TERMINAL:
        calls.returns(rules, workspace.state, workspace.returns)
        return
    for seat in range(settings.seats):
        look(rules, workspace.state, seat, workspace, settings)
        value = value_head(settings.weights, workspace.hidden)
        workspace.returns[seat] = settings.low + (settings.high - settings.low) * value


PARTS = PLAIN._replace(expand=expand, select=select, evaluate=evaluate)


@cache
def code() -> Unit:
    settings = Settings(1.0, 1, 0.0, 1.0, initial_weights(1, 1, np.random.default_rng(0)))
    tree = PuctTree(*Tree.with_room_for(1), np.zeros(1))
    workspace = PuctWorkspace(*Workspace.sized(1, 1, 1), *Buffers.sized(1, 1))
    own = typeof(settings), typeof(tree), typeof(workspace)
    return Unit("search", {"puct": (searching(PARTS), types.void(LEARNING_RULES, STATE, *own, RNG_STATE, types.int64))})


class PUCT(TreeSearchAgent):
    """UCT with a network's priors and values instead of playouts."""

    determinizations: int = param(
        10,
        "determinizations to share the iterations among, where information is hidden",
        ge=1,
        le=MOST_DETERMINIZATIONS,
    )
    weights: str = param("", WEIGHTS_HELP)

    def prepare(self) -> None:
        unused = sorted({"playout", "plies", "evaluation", "parallel", "virtual_loss"} & set(self._given))
        if unused:
            raise BadSpec(f"agent {self.label()!r}: {unused[0]} has no meaning, a network evaluates the leaves")
        super().prepare()
        self._code = self.game.entries.learning_code

    def kernel_code(self) -> Code:
        return code

    def check_seats(self, seats: int) -> None:
        self.network(seats)

    def network(self, seats: int) -> Network:
        return find_network(self.label(), self.game, self.weights, seats)

    def searches(self, observation: Observation) -> int:
        return max(self.determinizations, self.threads) if observation.has_hidden_information else self.threads

    def kernel_settings(self, seats: int) -> Settings:
        return Settings(
            self.exploration_weight,
            seats,
            float(self.game.min_utility),
            float(self.game.max_utility),
            self.network(seats).weights,
        )

    def start(self, observation: Observation, rng_state: RngState, budget: Budget) -> Search:
        root = observation.determinize(seed=rng.draw(rng_state)).memory
        nodes = self.room(budget, self.game.max_legal)
        tree = PuctTree(*Tree.with_room_for(nodes), np.empty(nodes))
        network = self.network(observation.seats)
        features = network.features(self.game)
        rules = learning_rules(self.game, features)
        workspace = PuctWorkspace(
            *Workspace.for_game(self.game),
            *Buffers.sized(len(features.names), self.game.max_legal, self.game.state.itemsize, observation.seats),
        )
        settings = self.kernel_settings(observation.seats)
        search = code().entry_points["puct"]
        return Search(
            lambda n: search(rules, root, settings, tree, workspace, rng_state, n), lambda: root_statistics(tree)
        )

    @classmethod
    def plays(cls, game: Game) -> bool:
        return may_have_network(game)
