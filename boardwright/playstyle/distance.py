"""How far two styles are apart, whether that is more than chance, and whether an agent is known by its games.

The distance is the root mean square, over all features, of the difference of two agents' means in standard deviations
of a game. It is tested by permutation: who played a game is shuffled, and the distance counts as chance as often as the
shuffled one is as large. Whether an agent is recognised from a few games is told by a linear discriminant with
shrinkage, on games that it was not fitted to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.arena.standings import wilson_interval
from boardwright.playstyle.profile import GameRow, Matrix, matrix

PERMUTATIONS = 2000
GAMES = 5
"""From so many games of one agent it is recognised."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class StyleDistance:
    """Between two agents."""

    first: str
    second: str
    distance: float
    p_value: float
    """How often games that were dealt to the two at random are as far apart."""
    differing: tuple[tuple[str, float], ...]
    """The features in which they differ most, with the difference in standard deviations."""


def distances(rows: Sequence[GameRow], *, seed: int = 0, permutations: int = PERMUTATIONS) -> list[StyleDistance]:
    """Between all pairs of agents."""
    table = matrix(rows)
    agents = list(dict.fromkeys(table.agents))
    chance = np.random.default_rng(seed)
    return [_distance(table, first, second, chance, permutations) for first, second in combinations(agents, 2)]


def _distance(table: Matrix, first: str, second: str, chance: np.random.Generator, permutations: int) -> StyleDistance:
    values, others = table.of(first), table.of(second)
    both = np.concatenate((values, others))
    spread = both.std(axis=0)
    kept = spread > 0
    scaled = (both[:, kept] - both[:, kept].mean(axis=0)) / spread[kept]
    labels = np.zeros(len(both), bool)
    labels[: len(values)] = True
    difference = scaled[labels].mean(axis=0) - scaled[~labels].mean(axis=0)
    found = _size(difference)
    as_far = 0
    for _ in range(permutations):
        shuffled = chance.permutation(labels)
        as_far += _size(scaled[shuffled].mean(axis=0) - scaled[~shuffled].mean(axis=0)) >= found
    names = [name for name, used in zip(table.features, kept, strict=True) if used]
    largest = sorted(zip(names, difference.tolist(), strict=True), key=lambda pair: -abs(pair[1]))
    return StyleDistance(first, second, found, (1 + as_far) / (1 + permutations), tuple(largest[:5]))


def _size(difference: Floats) -> float:
    return float(np.sqrt(np.mean(difference**2))) if difference.size else 0.0


@dataclass(frozen=True)
class Recognition:
    """How often agents are recognised from a few games that the classifier has not seen."""

    agents: tuple[str, ...]
    games: int
    """The number of games from which one is recognised."""
    confusion: tuple[tuple[int, ...], ...]
    """How often the agent of the row was taken for that of the column."""

    @property
    def right(self) -> int:
        return sum(row[place] for place, row in enumerate(self.confusion))

    @property
    def samples(self) -> int:
        return sum(map(sum, self.confusion))

    @property
    def accuracy(self) -> float:
        return self.right / max(self.samples, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """At 95 %: no seat of a game is in two samples."""
        return wilson_interval(self.right, max(self.samples, 1))


def recognition(rows: Sequence[GameRow], *, seed: int = 0) -> Recognition:
    """Fit to one half of the games, chosen at random, and tell who played in the other half, so many games of one agent
    at a time; then the other way round. Which features there are is found in the half that is fitted to."""
    agents = list(dict.fromkeys(row.agent for row in rows))
    played = np.random.default_rng(seed).permutation(sorted({row.game for row in rows})).tolist()
    place_of = {game: place for place, game in enumerate(played)}
    shuffled = sorted(rows, key=lambda row: place_of[row.game])
    halves = [[row for row in shuffled if 2 * place_of[row.game] // len(played) == half] for half in (0, 1)]
    confusion = np.zeros((len(agents), len(agents)), int)
    for fitted, held_out in (halves, halves[::-1]):
        known = matrix(fitted)
        centres, whiten = _discriminant([known.of(agent) for agent in agents])
        tested = matrix(held_out, like=known)
        for place, agent in enumerate(agents):
            values = tested.of(agent)
            for first in range(0, len(values) - GAMES + 1, GAMES):
                drawn = values[first : first + GAMES].mean(axis=0)
                confusion[place, int(np.argmin((((drawn - centres) @ whiten) ** 2).sum(axis=1)))] += 1
    return Recognition(tuple(agents), GAMES, tuple(tuple(row) for row in confusion.tolist()))


def _discriminant(groups: Sequence[Floats]) -> tuple[Floats, Any]:
    """The means of the groups, and a matrix that makes what varies within them alike in all directions."""
    centres = np.array([group.mean(axis=0) for group in groups])
    within = np.concatenate([group - group.mean(axis=0) for group in groups])
    covariance = within.T @ within / max(len(within) - len(groups), 1)
    diagonal = np.diag(np.diag(covariance))
    shrinkage = len(diagonal) / (len(diagonal) + len(within))  # the more, the more features there are for a game
    mixed = (1 - shrinkage) * covariance + shrinkage * diagonal
    values, vectors = np.linalg.eigh(mixed)
    kept = values > values.max() * 1e-9
    return centres, vectors[:, kept] / np.sqrt(values[kept])
