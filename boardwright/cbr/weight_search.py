"""Searching for feature weights: coordinate search, a genetic algorithm, and CBL4.

The first two try weights and ask for a score, which comes from leave-one-group-out tests; the retrieval kernel makes
them cheap enough to run hundreds of times. CBL4 (Aha, 1989) needs no score: a feature gains weight where a case and its
nearest neighbour are of one class and agree in it, or of two and differ in it. The dissertation tried the last two
before it set its weights by hand.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from typing import NamedTuple

Weights = dict[str, float]
Score = Callable[[Weights], float]
Progress = Callable[[str, float], None]

STEPS = (0.0, 0.5, 2.0)
SMALLEST = 0.5
"""What a weight of 0 is tried at."""
WORTHWHILE = 1e-4
POPULATION = 12
_PARENTS = 4
_MUTATED = 0.2
"""The chance of a weight to change in a child."""
_SPREAD = 0.8
"""By how much a weight changes: the standard deviation of its logarithm."""
_CBL4_SCALE = 32.0
"""Weights of CBL4 are below one half; times this they are of the size that importances have."""


def _silent(name: str, best: float) -> None:
    pass


def coordinate_search(
    weights: Weights, score: Score, *, passes: int = 2, progress: Progress = _silent
) -> tuple[Weights, float]:
    """Each weight in turn is tried larger and smaller, and what helps is kept. The best weights and their score."""
    best, value = dict(weights), score(weights)
    for _ in range(passes):
        before = value
        for name in weights:
            tried = {best[name] * step for step in STEPS} if best[name] else {SMALLEST, 4 * SMALLEST, 16 * SMALLEST}
            for candidate in sorted(tried - {best[name]}):
                changed = {**best, name: candidate}
                if not any(changed.values()):
                    continue
                found = score(changed)
                if found > value + WORTHWHILE:
                    best, value = changed, found
            progress(name, value)
        if value - before < WORTHWHILE:
            break
    return best, value


def genetic_search(
    weights: Weights, score: Score, *, generations: int, rng: random.Random, progress: Progress = _silent
) -> tuple[Weights, float]:
    """The best of a population of weights live on and have children, whose weights come from either parent and change
    now and then. The best weights and their score."""
    population = [(score(weights), dict(weights))]
    population += [(score(child), child) for child in (_mutant(weights, rng) for _ in range(POPULATION - 1))]
    for generation in range(1, generations + 1):
        population.sort(key=lambda member: -member[0])
        parents = [member for _, member in population[:_PARENTS]]
        pairs = [rng.sample(parents, 2) for _ in range(POPULATION - _PARENTS)]
        children = [_mutant(_crossed(one, other, rng), rng) for one, other in pairs]
        population = population[:_PARENTS] + [(score(child), child) for child in children]
        progress(f"generation {generation}", max(population, key=lambda member: member[0])[0])
    value, best = max(population, key=lambda member: member[0])
    return best, value


def _crossed(one: Weights, other: Weights, rng: random.Random) -> Weights:
    return {name: rng.choice((one, other))[name] for name in one}


def _mutant(weights: Weights, rng: random.Random) -> Weights:
    changed = dict(weights)
    for name, weight in weights.items():
        if rng.random() < _MUTATED:
            changed[name] = (weight or SMALLEST) * math.exp(rng.gauss(0.0, _SPREAD)) if rng.random() < 0.8 else 0.0
    return changed if any(changed.values()) else dict(weights)


class Comparison(NamedTuple):
    """A case and its nearest neighbour."""

    differences: Weights
    """By feature, from 0 to 1."""
    same_class: bool
    frequency: float
    """The share of the more frequent of their classes among all cases: the rarer both are, the more it tells."""


def cbl4(weights: Weights, compare: Callable[[Weights], Iterable[Comparison]], *, passes: int = 2) -> Weights:
    """Weights learned from comparisons, each pass with the neighbours that the weights before it have found."""
    found = dict(weights)
    for _ in range(passes):
        gained, possible = dict.fromkeys(weights, 0.0), 0.0
        for comparison in compare(found):
            rate = 1.0 - comparison.frequency
            possible += rate
            for name, difference in comparison.differences.items():
                gained[name] += rate * (1.0 - difference if comparison.same_class else difference)
        if not possible:
            break
        found = {name: _CBL4_SCALE * max(0.0, gain / possible - 0.5) for name, gain in gained.items()}
    return found
