"""The games of a generation. Where they are played changes nothing: each game has its own seeds."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from boardwright.errors import BadGame
from boardwright.executors import Executor
from boardwright.kernel import Code, Game, RngState, State, rng
from boardwright.kernel.automatic_features import FeatureMap, learning_rules
from boardwright.learn import self_play
from boardwright.learn.config import TrainingConfig
from boardwright.learn.network import Weights
from boardwright.learn.self_play import TRAJECTORY_FULL
from boardwright.learn.trajectory import MAX_ROWS, Trajectory
from boardwright.learn.tree import MOST_NODES, Tree, TreeSettings
from boardwright.learn.tree_search import VALUE_SCALE, VISIT_OFFSET, Search, has_constant_sum
from boardwright.learn.turn_search import Models, Settings
from boardwright.learn.workspace import Workspace
from boardwright.registry import is_file_name


def play_generation(
    config: TrainingConfig,
    game: Game,
    features: FeatureMap,
    weights: Weights,
    generation: int,
    games: int,
    executor: Executor,
    kind: type[SelfPlayGame] | None = None,
) -> Generation:
    """Games are of self-play, or of another kind."""
    play = (kind or SelfPlayGame)(config, game, features, weights, generation)
    began = time.perf_counter()
    played = sorted(executor.run(play, range(games)), key=lambda result: result.number)
    trajectories, returns, scores = (list(column) for column in list(zip(*played, strict=True))[1:])
    return Generation(trajectories, returns, scores, time.perf_counter() - began)


def scaled_returns(game: Game, returns: Sequence[float], first_places: bool) -> list[float]:
    """What a finished game was worth to each seat, from 0 to 1, as searches count it (`scale_returns`)."""
    low, high, best = game.min_utility, game.max_utility, max(returns)
    if first_places:
        return [(x == best) / list(returns).count(best) for x in returns]
    return [(x - low) / (high - low) for x in returns]


class PlayedGame(NamedTuple):
    number: int
    trajectory: Trajectory
    returns: list[float]
    """Of each seat, scaled to 0 to 1."""
    scores: list[float]
    """Of each seat, at the end."""


class Generation(NamedTuple):
    """Games in their order."""

    trajectories: list[Trajectory]
    returns: list[list[float]]
    """Of each game's seats, scaled to 0 to 1."""
    scores: list[list[float]] | None = None
    """Of each game's seats, at the end, where they are known."""
    seconds: float = 0.0
    """How long it took to play them."""


class SelfPlayGame:
    """Called with a number, plays that game of a generation. It can be pickled, and called on several threads."""

    def __init__(
        self, config: TrainingConfig, game: Game, features: FeatureMap, weights: Weights, generation: int
    ) -> None:
        self.config = config
        self.game = game
        self.features = features
        self.constant_sum = config.search == "tree" and has_constant_sum(game, config.seats)
        self.weights = weights
        self.generation = generation

    def files(self) -> list[str]:
        """The files that it needs elsewhere,"""
        return [self.game.source] if is_file_name(self.game.source) else []

    def needs(self) -> list[Code]:
        """and the compiled code."""
        return [*self.game.entries.learning_code, self_play.code]

    def __call__(self, number: int) -> PlayedGame:
        config, game, buffers = self.config, self.game, self.buffers()
        while True:
            seed = rng.derive(config.seed, self.generation, number, 0)
            state = game.new(seed=seed, seats=self.seats_of(number))
            rng_state = rng.generator(rng.derive(config.seed, self.generation, number, 1))
            rows = self._play(state, rng_state, buffers)
            if rows != TRAJECTORY_FULL:
                return self.played(number, rows, state)
            self.make_room()

    def seats_of(self, number: int) -> int:
        counts = self.config.seat_counts(self.game)
        return counts[number % len(counts)]

    def buffers(self) -> Any:
        """Rules, workspace, tree and trajectory, made once for a thread and a training."""
        return _buffers_of_this_thread(self)

    def played(self, number: int, rows: int, final: State) -> PlayedGame:
        """The game whose rows are in the buffers."""
        returns = scaled_returns(self.game, final.returns, self.config.first_places)
        return PlayedGame(number, self.buffers().trajectory.first_rows(rows), returns, list(final.scores))

    def make_room(self) -> None:
        """A larger trajectory, after TRAJECTORY_FULL."""
        buffers = self.buffers()
        if buffers.trajectory.capacity >= MAX_ROWS:
            raise BadGame(f"{self.game.name}: a game has more than {MAX_ROWS:,} rows of training data; does it end?")
        buffers.trajectory = Trajectory.with_capacity(2 * buffers.trajectory.capacity)

    def _play(self, state: State, rng_state: RngState, buffers: Any) -> int:
        """One game, into the trajectory of the buffers; how many rows it has, or TRAJECTORY_FULL."""
        config, seats = self.config, state.seats
        buffers.workspace.seats[0] = seats
        where = buffers.workspace, buffers.trajectory
        if config.search == "tree":
            search = Search(buffers.rules, self.weights, self.tree_settings, buffers.tree, buffers.workspace)
            played = self_play.kernel("tree_self_play")(
                search, state.memory, seats, config.opening, config.searched, rng_state, buffers.trajectory
            )
        else:
            played = self_play.kernel()(
                buffers.rules, self.models, state.memory, seats, config.searched, self.settings, rng_state, *where
            )
        return int(played)

    @property
    def models(self) -> Models:
        return Models(self.weights, self.weights)

    @property
    def settings(self) -> Settings:
        config = self.config
        return Settings(config.determinizations, config.width, config.breadth, config.prior_weight, config.turns)

    @property
    def tree_settings(self) -> TreeSettings:
        config = self.config
        proves = self.constant_sum and not self.game.has_hidden_information
        return TreeSettings(config.simulations, config.width, VISIT_OFFSET, VALUE_SCALE, 1.0, self.constant_sum, proves)


_local = threading.local()


def _buffers_of_this_thread(play: SelfPlayGame) -> Any:
    game, config = play.game, play.config
    if (getattr(_local, "game", None), getattr(_local, "config", None)) != (game, config):
        _local.game, _local.config = game, config
        _local.rules = learning_rules(game, play.features)
        _local.workspace = Workspace.for_game(game, play.features, config.seats, config.first_places)
        nodes = 1 + (config.simulations + 1) * game.max_legal if config.search == "tree" else 1
        _local.tree = Tree.with_room_for(min(nodes, MOST_NODES), game.max_legal)
        _local.trajectory = Trajectory.with_capacity()
    return _local
