"""The network: plain arrays in one file, evaluated by compiled code.

    sparse features ── hidden layer ─┬─ value head: one more hidden layer, then the value
                                     └─ policy head: one logit per action, softmax over the legal ones

Hidden layers are rectified (ReLU). The value is the return that the observing seat can expect, scaled to 0 to 1: its
win probability, where games are won or lost. It can be the chance to come first instead, in a game whose returns also
count the other places. The policy says what the seat is likely to choose. It also predicts
opponents: with the features that an opponent has in a determinization it says what the opponent will do there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.errors import BadRecord
from boardwright.kernel import Actions, Game, rule, typeof
from boardwright.kernel.arrays import Float32s
from boardwright.kernel.automatic_features import FeatureMap, Range, automatic_features, own_features
from boardwright.kernel.declare import sums_in_any_order
from boardwright.learn.archive import byte_planes, open_archive, write_archive

if TYPE_CHECKING:
    from boardwright.kernel import SparseFeatures

FORMAT = 2
HIDDEN, VALUE_HIDDEN = 128, 32
"""Units of the hidden layer, unless a network has another number, and of the value head's own. Chosen at the
beginning; the network `large` of `race` has 256, no other sizes were tried."""
MANTISSA_BITS = 5
"""Of every weight that is stored. `race`'s network `large` so rounded won 1,486 of 3,000 games against itself with ten
bits, which won 1,487 (seed 34001; `netsearch`)."""
MAX_HIDDEN = 1024
"""Buffers have room for a hidden layer of so many units."""
SPLIT_NOISE = 0.25
"""When units are split: by how many standard deviations of all weights the two halves are moved apart. Not varied."""
ACTIVE_FEATURES = 80.0
"""So many features of a position are taken to be nonzero, which sets the scale of the first layer's initial weights.
An early estimate. Games of self-play have 54 on average in `race` with two seats, 70 with three, 36 in `colonizers`.
It stays, because another number would change the weights that a seed gives."""

Floats = NDArray[np.float32]


class Weights(NamedTuple):
    """The arrays of a network, as compiled code gets them."""

    hidden: Floats
    """One row per feature, so that sparse features add up few rows; in the other matrices, one row per output."""
    hidden_bias: Floats
    value_hidden: Floats
    value_hidden_bias: Floats
    value: Floats
    value_bias: Floats
    policy: Floats
    policy_bias: Floats


def initial_weights(features: int, actions: int, random: np.random.Generator, hidden: int = HIDDEN) -> Weights:
    """Hidden layers as He et al. (2015) draw them, scaled to the number of nonzero inputs; both heads zero, so that
    every position is even and every action equally likely."""

    def layer(inputs: int, outputs: int) -> Floats:
        return random.normal(0.0, np.sqrt(2.0 / inputs), (inputs, outputs)).astype(np.float32)

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape, np.float32)

    return Weights(
        hidden=layer(features, hidden) * np.float32(np.sqrt(features / ACTIVE_FEATURES)),
        hidden_bias=zeros(hidden),
        value_hidden=np.ascontiguousarray(layer(hidden, VALUE_HIDDEN).T),
        value_hidden_bias=zeros(VALUE_HIDDEN),
        value=zeros(VALUE_HIDDEN),
        value_bias=zeros(1),
        policy=zeros(actions, hidden),
        policy_bias=zeros(actions),
    )


def split_units(weights: Weights, random: np.random.Generator) -> Weights:
    """A network with twice as many hidden units that knows what this one does (Chen, Goodfellow and Shlens, 2016).
    Every unit becomes two with half of its say; noise of opposite signs sets them apart, so that they can learn
    different things."""
    noise = random.normal(0.0, SPLIT_NOISE * weights.hidden.std(), weights.hidden.shape).astype(np.float32)
    return weights._replace(
        hidden=np.concatenate((weights.hidden + noise, weights.hidden - noise), axis=1),
        hidden_bias=np.tile(weights.hidden_bias, 2),
        value_hidden=np.tile(weights.value_hidden / 2, 2),
        policy=np.tile(weights.policy / 2, 2),
    )


def shapes(features: int, actions: int, hidden: int = HIDDEN) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a network."""
    return {
        "hidden": (features, hidden),
        "hidden_bias": (hidden,),
        "value_hidden": (VALUE_HIDDEN, hidden),
        "value_hidden_bias": (VALUE_HIDDEN,),
        "value": (VALUE_HIDDEN,),
        "value_bias": (1,),
        "policy": (actions, hidden),
        "policy_bias": (actions,),
    }


WEIGHTS = typeof(initial_weights(1, 1, np.random.default_rng(0)))


class Network(NamedTuple):
    """Weights, what game they are for, and how they were trained."""

    game: str
    seats: int
    weights: Weights
    history: dict[str, Any]
    ranges: Mapping[str, Range] | None = None
    """Of automatic features; None: the features that the game declares."""
    more_seats: tuple[int, ...] = ()
    """Other seat counts that it serves too."""
    first_places: bool = False
    """Whether its value is the chance to come first, instead of the game's return."""

    @property
    def seat_counts(self) -> tuple[int, ...]:
        return (self.seats, *self.more_seats)

    def features(self, game: Game) -> FeatureMap:
        return feature_map(game, self.seats, self.ranges)

    def save(self, file: Path) -> None:
        write_archive(file, *self.stored())

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds: metadata and arrays. Weights have half precision with `MANTISSA_BITS`, as byte planes:
        plenty for playing, and a quarter of the size."""
        metadata: dict[str, Any] = {"format": FORMAT, "game": self.game, "seats": self.seats, "history": self.history}
        metadata |= {"more_seats": list(self.more_seats)} if self.more_seats else {}
        metadata |= {"first_places": True} if self.first_places else {}
        if self.ranges is not None:
            metadata["ranges"] = {path: list(span) for path, span in self.ranges.items()}
        return metadata, {name: byte_planes(_rounded(array)) for name, array in self.weights._asdict().items()}


def _rounded(array: Floats) -> NDArray[np.float16]:
    """The nearest numbers with `MANTISSA_BITS` explicit bits of mantissa, which compress well."""
    fraction, exponent = np.frexp(array)
    steps = np.float32(2 << MANTISSA_BITS)
    return np.ldexp(np.round(fraction * steps) / steps, exponent).astype(np.float16)


def load(file: Path, game: Game) -> Network:
    """The network in a file, checked against the game it is to play."""
    with open_archive(file, "network") as stored:
        metadata = stored.metadata("metadata")
        for name, value in (("format", FORMAT), ("game", game.name)):
            if metadata.get(name) != value:
                raise BadRecord(f"{file}: its {name} is {metadata.get(name)!r}, not {value!r}")
        seats, history = metadata.get("seats"), metadata.get("history", {})
        if type(seats) is not int or seats not in game.seats:
            counts = " or ".join(map(str, game.seats))
            raise BadRecord(f"{file}: it is for {seats!r} seats; {game.name} is played with {counts}")
        more_seats = metadata.get("more_seats", [])
        if not isinstance(more_seats, list) or any(type(n) is not int or n not in game.seats for n in more_seats):
            raise BadRecord(f"{file}: its other seat counts are {more_seats!r}; {game.name} has {tuple(game.seats)}")
        if not isinstance(history, dict):
            raise BadRecord(f"{file}: its history is not an object")
        ranges = _stored_ranges(file, metadata["ranges"]) if "ranges" in metadata else None
        if ranges is None and game.learning.features is None:
            raise BadRecord(f"{file}: it is for features that {game.name} no longer declares; train it again")
        features = len(feature_map(game, seats, ranges).names)
        arrays = {}
        units = math.prod(stored.shape("hidden_bias"))
        if not 1 <= units <= MAX_HIDDEN:
            raise BadRecord(f"{file}: its hidden layer has {units} units, not 1 to {MAX_HIDDEN}")
        known = features
        if ranges is None and stored.shape("hidden")[:1] in [(n,) for n in game.learning.earlier_feature_counts]:
            known = stored.shape("hidden")[0]
        for name, shape in shapes(known, game.num_actions, units).items():
            if stored.shape(name) != shape:
                raise BadRecord(
                    f"{file}: {name} has the shape {stored.shape(name)}, this version of {game.name} needs"
                    f" {shape}; train it again"
                )
            arrays[name] = stored.floats(name, shape)
    arrays["hidden"] = np.concatenate((arrays["hidden"], np.zeros((features - known, units), np.float32)))
    first_places = metadata.get("first_places", False) is True
    return Network(game.name, seats, Weights(**arrays), history, ranges, tuple(more_seats), first_places)


def feature_map(game: Game, seats: int, ranges: Mapping[str, Range] | None) -> FeatureMap:
    """Automatic features for ranges, or those that the game declares."""
    return own_features(game) if ranges is None else automatic_features(game, seats, ranges)


def _stored_ranges(file: Path, stored: Any) -> dict[str, Range]:
    """What a file says about automatic features; numbers that can be anything."""
    try:
        ranges = {str(path): Range(*span) for path, span in stored.items()}
        for span in ranges.values():
            if not (span.low <= span.high and all(abs(x) < 2**63 for x in span) and type(span.mask) is int):
                raise ValueError
    except (AttributeError, TypeError, ValueError):
        raise BadRecord(f"{file}: its ranges of features are damaged") from None
    return ranges


@rule
def hidden_layer(weights: Weights, sparse: SparseFeatures, hidden: Float32s) -> None:
    """The hidden layer of a position's sparse features, which both heads start from."""
    matrix, units = weights.hidden, weights.hidden_bias.size
    for j in range(units):
        hidden[j] = weights.hidden_bias[j]
    for k in range(sparse.count[0]):
        i, x = sparse.index[k], sparse.value[k]
        for j in range(units):
            hidden[j] += x * matrix[i, j]
    for j in range(units):
        hidden[j] = max(hidden[j], np.float32(0.0))


@sums_in_any_order
def dot_product(matrix: Any, row: int, hidden: Float32s) -> Any:
    """A row of a matrix times the hidden layer."""
    total = np.float32(0.0)
    for j in range(matrix.shape[1]):
        total += hidden[j] * matrix[row, j]
    return total


@rule
def value_head(weights: Weights, hidden: Float32s) -> float:
    """The value, from 0 to 1."""
    logit = float(weights.value_bias[0])
    for i in range(VALUE_HIDDEN):
        unit = dot_product(weights.value_hidden, i, hidden) + weights.value_hidden_bias[i]
        logit += max(unit, np.float32(0.0)) * weights.value[i]
    return 1.0 / (1.0 + np.exp(-logit))


@rule
def policy_head(weights: Weights, hidden: Float32s, actions: Actions, n: int, out: Any) -> None:
    """The probability of each of the first n actions: a softmax over these alone."""
    highest = -1e30
    for i in range(n):
        action = actions[i]
        logit = float(weights.policy_bias[action] + dot_product(weights.policy, action, hidden))
        out[i] = logit
        highest = max(highest, logit)
    total = 0.0
    for i in range(n):
        out[i] = np.exp(out[i] - highest)
        total += out[i]
    for i in range(n):
        out[i] /= total
