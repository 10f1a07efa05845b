"""Training the LEARNER: a value for each structure, from games that were watched.

Madrid's report does not say how a structure built by the winner gains more than one built by others. These are
plausible rules: counts and sums, which reward being common, and averages, which do not. `perceptron` is the player
that he announced and did not build.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.games.wonders.batch import LEARNER, RANDOM, Results, play_many
from boardwright.games.wonders.cards import NAMES

Values = NDArray[np.float64]

_PRIOR_BUILDS = 5.0  # set by hand
_RIDGE = 3.0  # the penalty on squared weights; set by hand
_NEWTON_STEPS, _CONVERGED = 25, 1e-8


def _sum(gain: NDArray[Any], built: NDArray[Any]) -> Values:
    return np.einsum("gs,gsk->k", gain.astype(float), built.astype(float))


def _mean(gain: NDArray[Any], built: NDArray[Any]) -> Values:
    """Per build. Each card starts with some builds of average gain, so that a rare one is not judged by one game."""
    gain = gain.astype(float)
    number = built.sum(axis=(0, 1))
    return (_sum(gain, built) + _PRIOR_BUILDS * gain.mean()) / (number + _PRIOR_BUILDS)


def _rank_points(results: Results) -> NDArray[Any]:
    return results.who.shape[1] + 1 - results.places


def _perceptron(results: Results) -> Values:
    """One layer, trained properly: the weights of a logistic regression from what a city has built to winning, so
    that a card is not praised for the cards that tend to stand beside it. Newton's method finds the optimum."""
    built = results.built.reshape(-1, results.built.shape[2]).astype(float)
    inputs = np.hstack([built, np.ones((len(built), 1))])
    won = (results.wins.reshape(-1) > 0).astype(float)
    weights = np.zeros(inputs.shape[1])
    penalty = np.full(inputs.shape[1], _RIDGE)
    penalty[-1] = 0.0
    for _ in range(_NEWTON_STEPS):
        chance = 1.0 / (1.0 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (won - chance) - penalty * weights
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if np.abs(step).max() < _CONVERGED:
            break
    return weights[:-1]


RULES: dict[str, tuple[Callable[[Results], Values], str]] = {
    "win_count": (lambda r: _sum(r.wins, r.built), "how often a winner built it"),
    "rank_sum": (lambda r: _sum(_rank_points(r), r.built), "rank points (5 for the first of five) of all who built it"),
    "centred_rank_sum": (
        lambda r: _sum(_rank_points(r) - (r.who.shape[1] + 1) / 2, r.built),
        "rank points above the middle, summed",
    ),
    "rank_mean": (lambda r: _mean(_rank_points(r), r.built), "rank points per build"),
    "win_share": (lambda r: _mean(r.wins, r.built), "the share of builds that were a winner's"),
    "score_mean": (
        lambda r: _mean(r.scores - r.scores.mean(axis=1, keepdims=True), r.built),
        "points above the table's mean, per build",
    ),
    "perceptron": (_perceptron, "its weight in a logistic regression from all structures built to winning"),
}


def train(rule: str, games: int, seed: int, *, seats: int = 5, rounds: int = 1) -> Values:
    """Watch RANDOM against itself and value every structure; later rounds watch the earlier round's LEARNER."""
    learn = RULES[rule][0]
    values = np.zeros(len(NAMES))
    for step in range(rounds):
        who = np.full((games, seats), RANDOM, np.int64)
        if step:
            who[:, 0] = LEARNER
        values = learn(play_many(who, seed=seed + step, values=values))
    return values


def best_first(values: Values) -> list[tuple[str, float]]:
    """Every structure with its value, the highest first."""
    return [(NAMES[k], round(float(values[k]), 6)) for k in np.argsort(-values, kind="stable")]


def save(file: Path, rule: str, values: Values, **about: Any) -> None:
    """Write a table that people can read: best structure first."""
    from boardwright.files import write_json

    write_json(file, {"rule": rule, "meaning": RULES[rule][1], **about, "values": dict(best_first(values))})
