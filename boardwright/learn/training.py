"""Training by self-play, or from recorded games, one generation after the other.

A generation is a number of games that the network plays against itself (or that were recorded), and the update of its
weights that follows. It depends on the seed and on the weights before it alone. So training that was stopped, or
killed, goes on from the last whole generation and ends with the same weights, whatever the number of threads.

In asynchronous training a generation is played while the network learns from the one before it (playing_ahead.py). It
then depends on the weights before that one, which a checkpoint keeps, too.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from boardwright.errors import BadGame, BadRecord, BadSpec
from boardwright.executors import Executor
from boardwright.kernel import Game
from boardwright.kernel.automatic_features import FeatureMap, Range, find_ranges
from boardwright.learn.adam import Adam
from boardwright.learn.archive import open_archive, write_archive
from boardwright.learn.auxiliary import Auxiliary, AuxiliaryHead
from boardwright.learn.config import GenerationStats, Strength, TrainingConfig
from boardwright.learn.generation import Generation, SelfPlayGame, play_generation
from boardwright.learn.imitation import Examples
from boardwright.learn.loss import fit
from boardwright.learn.network import (
    HIDDEN,
    MAX_HIDDEN,
    Network,
    Weights,
    feature_map,
    initial_weights,
    load,
    split_units,
)
from boardwright.learn.network_files import network_in_file
from boardwright.learn.perceptron import update_average
from boardwright.learn.playing_ahead import GenerationAhead
from boardwright.learn.training_set import TrainingSet
from boardwright.learn.transfer import weights_for_other_seats

DEFAULT_NETWORK = "default"
"""The name of the network that comes with a game."""
LEARNING_RATE_DECAY = 0.9
"""The part of the learning rate that is gone at the end."""
SYMMETRY_STREAM = 1
"""Sets the random numbers that turn positions apart from those that put rows in order."""
INDEX_LIMIT = 2**16
"""Trajectories store the indices of features and actions in 16 bits."""
OPTIMIZER_ARRAYS = ("weights", "first_moment", "second_moment")
"""What a checkpoint keeps of the optimizer: attributes of Adam, each a set of weights."""
_DEFAULTS = {entry.name: entry.default for entry in fields(TrainingConfig) if entry.default is not MISSING}
"""What a checkpoint of an earlier version does not say."""


@dataclass
class Training:
    config: TrainingConfig
    game: Game
    optimizer: Adam[Weights]
    reference: str = ""
    """The agent that the network's strength is measured against."""
    curve: list[GenerationStats] = field(default_factory=list)
    average: Weights | None = None
    """The moving average of the weights, if there is to be one."""
    examples: Examples | None = None
    """Recorded games to learn from instead of self-play."""
    ranges: Mapping[str, Range] | None = None
    """Those of automatic features; None: the features that the game declares."""
    start: Strength | None = None
    """What was measured before the first generation."""
    auxiliary: Auxiliary | None = None
    """The head of auxiliary targets, if there are some."""
    kind: type[SelfPlayGame] = SelfPlayGame
    """How games are played, where nothing is imitated."""
    behind: Weights | None = None
    """Asynchronous training: the weights that the next generation is played with."""
    ahead: GenerationAhead | None = None
    """Asynchronous training: the next generation, which is being played."""

    @classmethod
    def begin(
        cls, config: TrainingConfig, game: Game, reference: str = "", examples: Examples | None = None
    ) -> Training:
        ranges = training_ranges(config, game)
        if config.all_seats and ranges is not None:
            raise BadSpec(f"automatic features of {game.name} are others for each seat count; train one of them")
        features = len(feature_map(game, config.seats, ranges).names)
        if max(features, game.num_actions) >= INDEX_LIMIT:
            raise BadSpec(f"{game.name} has more features or actions than training can index ({INDEX_LIMIT:,})")
        random, units = np.random.default_rng(config.seed), config.hidden_units
        if not 0 <= units <= MAX_HIDDEN:
            raise BadSpec(f"a hidden layer has 1 to {MAX_HIDDEN} units, not {units}")
        if config.begin_with:
            weights = _with_units(_trained_weights(config, game), units, random)
        else:
            weights = initial_weights(features, game.num_actions, random, units or HIDDEN)
        average = _copied(weights) if config.averaging else None
        if config.symmetric and (ranges is not None or not game.learning.symmetries):
            raise BadSpec(f"{game.name} declares no symmetries of its features; leave --symmetric out")
        if config.auxiliary and examples is not None:
            raise BadSpec("recorded games have no auxiliary targets; leave --auxiliary out")
        if config.first_places and examples is not None:
            raise BadSpec("recorded games are learned from by their returns; leave --first-places out")
        if config.asynchronous and examples is not None:
            raise BadSpec("recorded games need not be waited for; leave --asynchronous out")
        auxiliary = Auxiliary(len(weights.hidden_bias), config.auxiliary) if config.auxiliary else None
        return cls(
            config,
            game,
            Adam(weights),
            reference,
            average=average,
            examples=examples,
            ranges=ranges,
            auxiliary=auxiliary,
            behind=_copied(weights) if config.asynchronous else None,
        )

    @cached_property
    def features(self) -> FeatureMap:
        return feature_map(self.game, self.config.seats, self.ranges)

    @property
    def games(self) -> int:
        """Games of self-play so far."""
        return min(len(self.curve) * self.config.generation_size, self.config.games)

    @property
    def finished(self) -> bool:
        return self.games >= self.config.games

    def network(self) -> Network:
        history = {"config": asdict(self.config), "games": self.games, "curve": [asdict(g) for g in self.curve]}
        history |= {"start": asdict(self.start)} if self.start is not None else {}
        weights = self.average or self.optimizer.weights
        more = tuple(count for count in self.config.seat_counts(self.game) if count != self.config.seats)
        first_places = self.config.first_places
        return Network(self.game.name, self.config.seats, weights, history, self.ranges, more, first_places)

    def measured(self, strength: Strength | None, agreement: float | None = None) -> None:
        """What was measured after the last generation."""
        score, interval = (None, None) if strength is None else (strength.score, strength.interval)
        self.curve[-1] = replace(self.curve[-1], score=score, interval=interval, agreement=agreement)

    @property
    def strength(self) -> Strength | None:
        """What was measured against the reference after the last generation."""
        score, interval = self.curve[-1].score, self.curve[-1].interval
        return None if score is None or interval is None else Strength(score, interval)

    def advance(self, executor: Executor) -> GenerationStats:
        """One generation: self-play, or recorded games, then an update of the weights."""
        config, number = self.config, len(self.curve)
        began = time.perf_counter()
        if self.examples is not None:
            played = Generation(*self.examples.generation(config.seed, self.games, self._size(number)))
        elif config.asynchronous:
            played = self._play_ahead(number, executor)
        else:
            played = self._play(number, self.optimizer.weights, executor)
        waited = time.perf_counter() - began
        games = len(played.trajectories)
        scores = played.scores if self.auxiliary is not None else None
        training_set = TrainingSet.from_trajectories(
            played.trajectories, played.returns, scores, td_lambda=config.td_lambda
        )
        if config.symmetric:
            turns = np.random.default_rng([config.seed, number, SYMMETRY_STREAM])
            training_set = training_set.turned(self.game.learning.symmetries, turns)
        if config.pruned:
            training_set = training_set.pruned(config.pruned)
        learning_rate = config.learning_rate * (1.0 - LEARNING_RATE_DECAY * self.games / config.games)
        random = np.random.default_rng([config.seed, number])
        with threadpool_limits(1):  # sums of several threads come out in other orders
            losses = fit(self.optimizer, training_set, learning_rate, config.epochs, random, self.auxiliary)
        if not np.isfinite(losses).all():
            raise BadGame(f"{self.game.name}: the loss is not a finite number; see `boardwright check`")
        stats = GenerationStats(
            games=self.games + games,
            value_loss=losses.value,
            policy_loss=losses.policy,
            games_per_second=games / (played.seconds or waited),
            decisions_per_game=float(np.mean([trajectory.is_decision.sum() for trajectory in played.trajectories])),
            staleness=int(config.asynchronous and number > 0),
            seconds_waited=waited,
        )
        if self.average is not None:
            update_average(self.average, self.optimizer.weights, config.averaging)
        self.curve.append(stats)
        return stats

    def _size(self, number: int) -> int:
        """How many games a generation has; 0 after the last."""
        size = self.config.generation_size
        return max(0, min(size, self.config.games - number * size))

    def _play(self, number: int, weights: Weights, executor: Executor) -> Generation:
        return play_generation(
            self.config, self.game, self.features, weights, number, self._size(number), executor, self.kind
        )

    def _play_ahead(self, number: int, executor: Executor) -> Generation:
        """A generation that was played while the network learned from the one before; the next one begins, with the
        weights as they are now."""
        assert self.behind is not None
        ahead = self.ahead or GenerationAhead(partial(self._play, number, self.behind), executor)
        played = ahead.result()
        self.behind, self.ahead = _copied(self.optimizer.weights), None
        if self._size(number + 1):
            self.ahead = GenerationAhead(partial(self._play, number + 1, self.behind), executor)
        return played

    def stop(self) -> None:
        """End what is being played for the next generation."""
        if self.ahead is not None:
            self.ahead.stop()
            self.ahead = None

    def save(self, file: Path) -> None:
        """A checkpoint: all that is needed to go on."""
        metadata = {
            "config": asdict(self.config),
            "reference": self.reference,
            "steps": self.optimizer.steps,
            "curve": [asdict(g) for g in self.curve],
            "start": asdict(self.start) if self.start is not None else None,
        }
        arrays = {
            f"{kind}.{name}": array
            for kind, weights in self._stored().items()
            for name, array in weights._asdict().items()
        }
        write_archive(file, metadata, arrays, compress=False)

    def _stored(self) -> dict[str, Weights | AuxiliaryHead]:
        """The sets of weights that a checkpoint keeps, by name."""
        stored = {kind: getattr(self.optimizer, kind) for kind in OPTIMIZER_ARRAYS}
        if self.auxiliary is not None:
            stored |= {f"auxiliary_{kind}": getattr(self.auxiliary.optimizer, kind) for kind in OPTIMIZER_ARRAYS}
        more = {"average": self.average, "behind": self.behind}
        return stored | {name: weights for name, weights in more.items() if weights is not None}

    @classmethod
    def resume(
        cls,
        file: Path,
        config: TrainingConfig,
        game: Game,
        reference: str = "",
        examples: Examples | None = None,
    ) -> Training:
        """Go on from a checkpoint with the same config."""
        training = cls.begin(config, game, reference, examples)
        with open_archive(file, "checkpoint") as stored:
            if "about" in stored:
                raise BadSpec(
                    f"{file} is a checkpoint of an earlier version, from which this one cannot go on; finish with"
                    " that version, or give another --out to begin anew"
                )
            metadata = stored.metadata("metadata")
            try:
                before = {**_DEFAULTS, **metadata["config"], "reference": metadata["reference"]}
                before["pool"] = tuple(before["pool"])
                steps, curve = int(metadata["steps"]), [GenerationStats(**entry) for entry in metadata["curve"]]
                start = Strength(**metadata["start"]) if metadata.get("start") else None
            except (KeyError, TypeError) as error:
                raise BadRecord(f"{file} is not a checkpoint: {error}") from None
            for name, value in {**asdict(config), "reference": reference}.items():
                if before.get(name) != value:
                    raise BadSpec(
                        f"{file} was begun with {name}={before.get(name)}, not {value}; give the same settings to go"
                        " on, or another --out to begin anew"
                    )
            for kind, weights in training._stored().items():
                for name, target in weights._asdict().items():
                    if stored.shape(f"{kind}.{name}") != target.shape:
                        raise BadRecord(f"{file} was written by another version of {game.name}; begin anew")
                    target[:] = stored.floats(f"{kind}.{name}", target.shape)
        training.optimizer.steps, training.curve, training.start = steps, curve, start
        if training.auxiliary is not None:
            training.auxiliary.optimizer.steps = steps
        return training


def _with_units(weights: Weights, units: int, random: np.random.Generator) -> Weights:
    """The same network with so many hidden units; 0: as many as it has."""
    had = len(weights.hidden_bias)
    while len(weights.hidden_bias) < units:
        weights = split_units(weights, random)
    if units and len(weights.hidden_bias) != units:
        raise BadSpec(
            f"the network to begin with has {had} hidden units, of which splitting makes {2 * had}, {4 * had} and so"
            f" on, not {units}"
        )
    return weights


def training_ranges(config: TrainingConfig, game: Game) -> Mapping[str, Range] | None:
    """The ranges of automatic features, if the game declares none of its own or the config wants them; those of the
    network to begin with, so that its weights fit."""
    if config.begin_with:
        return _network_to_begin_with(config, game).ranges
    if config.features == "automatic" or game.learning.features is None:
        return find_ranges(game, config.seats)
    return None


def _network_to_begin_with(config: TrainingConfig, game: Game) -> Network:
    named = game.learning.named_networks.get(config.begin_with, {})
    if config.seats in named:
        return load(named[config.seats], game)
    if config.begin_with != DEFAULT_NETWORK:
        return network_in_file(game, config.begin_with)
    if config.seats not in game.learning.networks:
        raise BadSpec(f"{game.name} comes without a network for {config.seats} seats; begin with a file, or anew")
    return load(game.learning.networks[config.seats], game)


def _trained_weights(config: TrainingConfig, game: Game) -> Weights:
    """Those of the network to begin with; a copy."""
    network = _network_to_begin_with(config, game)
    if config.seats not in network.seat_counts:
        return weights_for_other_seats(network, game, config.seats)
    return _copied(network.weights)


def _copied(weights: Weights) -> Weights:
    return Weights(*(array.copy() for array in weights))
