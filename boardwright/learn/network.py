"""The network: plain arrays, one file, evaluated by compiled code.

    features ── hidden (ReLU) ─┬─ second (ReLU) ── chance to win, for the seat that looks
                               └─ one number per action ── how likely that seat is to choose it

The second answer is what predicts opponents: asked as they would see a sampled world, it says what they will do.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numba import typeof
from numpy.typing import NDArray

from boardwright.errors import BadRecord
from boardwright.files import atomic_output
from boardwright.kernel import Game, rule
from boardwright.kernel.compile import sums_in_any_order

FORMAT = 1
UNREADABLE = (OSError, ValueError, KeyError, EOFError, TypeError, AttributeError, BadZipFile, zlib.error)
"""What reading a file that is no archive of arrays, or a damaged one, can raise."""
HIDDEN, SECOND = 128, 32

Floats = NDArray[np.float32]


class Weights(NamedTuple):
    """What compiled code gets."""

    hidden: Floats
    hidden_bias: Floats
    second: Floats
    second_bias: Floats
    value: Floats
    value_bias: Floats
    choice: Floats
    """One row per action."""
    choice_bias: Floats


def untrained(features: int, actions: int, random: np.random.Generator) -> Weights:
    """Small random weights; every position even, every action as likely."""

    def layer(rows: int, columns: int) -> Floats:
        return random.normal(0.0, np.sqrt(2.0 / rows), (rows, columns)).astype(np.float32)

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape, np.float32)

    first = layer(features, HIDDEN) * np.float32(np.sqrt(features / 80.0))  # about 80 features are not zero
    return Weights(
        first,
        zeros(HIDDEN),
        np.ascontiguousarray(layer(HIDDEN, SECOND).T),
        zeros(SECOND),
        zeros(SECOND),
        zeros(1),
        zeros(actions, HIDDEN),
        zeros(actions),
    )


WEIGHTS = typeof(untrained(1, 1, np.random.default_rng(0)))


class Network(NamedTuple):
    """Weights, what game they are for, and how they came about."""

    game: str
    seats: int
    weights: Weights
    history: dict[str, Any]

    def save(self, file: Path) -> None:
        """Half precision is plenty for playing, and half the size."""
        about = {"format": FORMAT, "game": self.game, "seats": self.seats, "history": self.history}
        arrays = {name: array.astype(np.float16) for name, array in self.weights._asdict().items()}
        with atomic_output(file) as temporary, temporary.open("wb") as out:
            np.savez_compressed(out, about=np.array(json.dumps(about)), **arrays)


def load(file: Path, game: Game) -> Network:
    """The network in a file, checked against the game it is to play."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            arrays = {name: np.ascontiguousarray(stored[name].astype(np.float32)) for name in Weights._fields}
            seats = int(about["seats"])
    except FileNotFoundError:
        raise BadRecord(f"there is no network {file}") from None
    except UNREADABLE as error:
        raise BadRecord(f"{file} is not a network: {error}") from None
    weights = Weights(**arrays)
    expected = {"format": FORMAT, "game": game.name}
    for name, value in expected.items():
        if about.get(name) != value:
            raise BadRecord(f"{file}: its {name} is {about.get(name)!r}, not {value!r}")
    right = untrained(len(game.learning.feature_names), game.num_actions, np.random.default_rng(0))
    for name, array in weights._asdict().items():
        if array.shape != getattr(right, name).shape:
            raise BadRecord(
                f"{file}: {name} has the shape {array.shape}, this version of {game.name} needs"
                f" {getattr(right, name).shape}; train it again"
            )
    return Network(game.name, seats, weights, about.get("history", {}))


@rule
def see(weights: Any, sparse: Any, hidden: Any) -> None:
    """The hidden layer, from the features that were told."""
    for j in range(HIDDEN):
        hidden[j] = weights.hidden_bias[j]
    matrix = weights.hidden
    for k in range(sparse.count[0]):
        i, x = sparse.index[k], sparse.value[k]
        for j in range(HIDDEN):
            hidden[j] += x * matrix[i, j]
    for j in range(HIDDEN):
        hidden[j] = max(hidden[j], np.float32(0.0))


@sums_in_any_order
def product(matrix: Any, row: int, hidden: Any) -> Any:
    """A row of a matrix times the hidden layer."""
    total = np.float32(0.0)
    for j in range(HIDDEN):
        total += hidden[j] * matrix[row, j]
    return total


@rule
def chance_to_win(weights: Any, hidden: Any) -> float:
    logit = float(weights.value_bias[0])
    for i in range(SECOND):
        second = product(weights.second, i, hidden) + weights.second_bias[i]
        logit += max(second, np.float32(0.0)) * weights.value[i]
    return 1.0 / (1.0 + np.exp(-logit))


@rule
def weigh_choices(weights: Any, hidden: Any, actions: Any, n: int, out: Any) -> None:
    """How likely each of the first n actions is to be chosen."""
    highest = -1e30
    for i in range(n):
        action = actions[i]
        logit = float(weights.choice_bias[action] + product(weights.choice, action, hidden))
        out[i] = logit
        highest = max(highest, logit)
    total = 0.0
    for i in range(n):
        out[i] = np.exp(out[i] - highest)
        total += out[i]
    for i in range(n):
        out[i] /= total
