"""The analysis of one decision: what each option is worth for what the seat knew, with standard errors.

The options are first compared in `selection` determinizations. The best of them is the better option, unless it is the
one that was played: then nothing was lost. What the played option has lost against the better one is measured
afterwards, in other determinizations, so that an option which was lucky in the first ones gains nothing by that. More
are added until the standard error of the loss is small enough, or there are `most` of them.

A loss is a mistake if its interval (99 %) excludes zero and it is at least a point: a hundredth of the way from losing
to winning.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardwright.coach.evaluators import POINT, Budget, Evaluator
from boardwright.kernel import Observation, rng

Z99 = 2.5758293035489004
CLEAR = 3.0
"""A loss that is surely below a point is not measured more exactly; surely: by so many standard errors."""


@dataclass(frozen=True)
class OptionValue:
    action: int
    value: float
    """What it is worth to the seat, from 0 to 1."""
    standard_error: float
    """The standard error of its difference to the played option."""
    determinizations: int


@dataclass(frozen=True)
class Analysis:
    """One decision, judged."""

    played: int
    better: int | None
    """The option that is better, as far as the first determinizations tell; None if it is the played one."""
    value: float
    """What the played option is worth to the seat, from 0 to 1."""
    value_error: float
    """The standard error of that value."""
    loss: float
    """How much more the better option is worth; measured in other determinizations, so it can come out below 0."""
    standard_error: float
    determinizations: int
    """In which that was measured."""
    options: tuple[OptionValue, ...]
    """What the first determinizations say of all, best first."""

    @property
    def interval(self) -> tuple[float, float]:
        return self.loss - Z99 * self.standard_error, self.loss + Z99 * self.standard_error

    @property
    def is_mistake(self) -> bool:
        return self.better is not None and self.interval[0] > 0 and self.loss >= POINT

    @property
    def proven_loss(self) -> float:
        return self.loss if self.is_mistake else 0.0


def _ends_the_game(observation: Observation, action: int) -> bool:
    """Of options that are worth the same, people want to hear of the one that wins at once."""
    state = observation.determinize(seed=0)
    state.apply(action)
    return state.is_terminal


def analyse(evaluator: Evaluator, observation: Observation, played: int, budget: Budget, seed: int = 0) -> Analysis:
    """Judge one decision."""
    legal = observation.legal_actions()
    if len(legal) > budget.width:
        looked_at = evaluator.candidates(observation, budget.width)
        legal = [action for action in legal if action in looked_at]
    actions = [played, *(action for action in legal if action != played)]
    seeds = DeterminizationSeeds(observation, seed)
    first = evaluator.values(observation, actions, seeds.take(budget.selection))
    means = first.mean(axis=0)
    best = int(np.argmax(means))
    if best and len(equals := np.flatnonzero(means == means[best])) > 1:
        best = int(next((i for i in equals if _ends_the_game(observation, actions[i])), best))
    options = sorted(
        (
            OptionValue(action, float(means[i]), error_of(first[:, i] - first[:, 0]), len(first))
            for i, action in enumerate(actions)
        ),
        key=lambda option: -option.value,
    )
    compared = [played] if best == 0 else [played, actions[best]]
    found = np.zeros((0, len(compared)))
    while True:
        more = budget.least if not len(found) else min(len(found), budget.most - len(found))
        found = np.concatenate((found, evaluator.values(observation, compared, seeds.take(more))))
        lost = found[:, -1] - found[:, 0]
        loss, error = float(lost.mean()), error_of(lost)
        unimportant = loss + CLEAR * error < POINT
        if len(found) >= budget.most or (budget.standard_error and (unimportant or error <= budget.standard_error)):
            break
    return Analysis(
        played=played,
        better=None if best == 0 else actions[best],
        value=float(found[:, 0].mean()),
        value_error=error_of(found[:, 0]),
        loss=loss,
        standard_error=error,
        determinizations=len(found),
        options=tuple(options),
    )


class DeterminizationSeeds:
    """Seeds of determinizations, one after the other: the same for the same observation and seed."""

    def __init__(self, observation: Observation, seed: int) -> None:
        digest = zlib.crc32(bytes(observation)[: observation.game.seed_bytes])
        self._base = rng.derive(seed, digest, observation.seat)
        self._next = 0

    def take(self, count: int) -> list[int]:
        first, self._next = self._next, self._next + count
        return [rng.derive(self._base, number) >> 1 for number in range(first, self._next)]


def error_of(values: Any) -> float:
    """The standard error of a mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
