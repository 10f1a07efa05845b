"""Linear discriminants: one linear map of the features for each type of decision, learned from the cases alone.

A solution's score is a weighted sum of the bins and elements of a problem, fitted to the choices of the case base by
softmax regression. There is no hidden layer and nothing but the cases is learned from: like the weights of cards for
each class (6.5), which are counted, they are made when the case base is read. A card's weights are its own and those
of what is printed on it, so that cards of which there are few cases learn from cards like them.

What they are used for is what a policy network is used for (policy_network.py): for actions, seven more features by
which cases are near; for cards, priors that are multiplied with the rates of the nearest cases.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from boardwright.cbr.case_base import CaseBase
from boardwright.games.race.cards import DESIGNS, Design
from boardwright.learn.adam import Adam
from boardwright.learn.perceptron import Rows, Schedule, Task, softmax
from boardwright.learn.perceptron import train as train_perceptron
from boardwright.scout.cases.collection import CaseCollection
from boardwright.scout.cases.features import CLASSES
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_PAYMENT
from boardwright.scout.reasoners import policy_network
from boardwright.scout.reasoners.card_similarity import facts_of
from boardwright.scout.reasoners.policy_training import TrainingSet

SCHEDULE = Schedule(epochs=10, learning_rate=1e-2, batch_size=512)
SHRINKAGE = {TYPE_ACTION: 1e-4}
"""How much weights are held near 0, by type: there are many cases of actions, and few solutions."""
_USUAL_SHRINKAGE = 3e-3
_COSTS = 7


class Discriminant(NamedTuple):
    """From the features to the scores of the solutions of one type."""

    weights: policy_network.Reals
    bias: policy_network.Reals


@dataclass(frozen=True)
class Discriminants(policy_network.PolicyPriors):
    bins: policy_network.Bins
    of_types: Mapping[int, Discriminant]

    @property
    def kinds(self) -> Collection[int]:
        return self.of_types.keys()

    def probabilities(
        self, kind: int, case_base: CaseBase, offered: policy_network.Mask | None = None
    ) -> policy_network.Reals:
        weights, bias = self.of_types[kind]
        return softmax(policy_network.weighted_inputs(case_base, self.bins, weights) + bias, offered)


def learn_discriminants(cases: CaseCollection) -> Discriminants:
    """Of all types that priors are used for; where there is no case, all solutions are as likely."""
    bases = {kind: cases.case_base(kind) for kind in policy_network.POLICY_TYPES}
    for kind in policy_network.GIVING_HEADS:
        given = np.flatnonzero(bases[kind].membership("taken").any(1))  # a power alone may pay
        bases[kind] = bases[kind].subset(given)
    bins = policy_network.Bins.over(bases[TYPE_ACTION])
    with threadpool_limits(1):  # sums of several threads come out in other orders
        return Discriminants(bins, {kind: _learned(kind, bins, base) for kind, base in bases.items()})


def _learned(kind: int, bins: policy_network.Bins, case_base: CaseBase) -> Discriminant:
    examples, properties = TrainingSet.of(kind, case_base, bins), solution_properties(kind)
    shrinkage = np.float32(SHRINKAGE.get(kind, _USUAL_SHRINKAGE))
    units = properties.shape[1]
    weights = Discriminant(np.zeros((policy_network.INPUTS, units), np.float32), np.zeros(units, np.float32))

    def gradient(rows: Rows) -> Discriminant:
        inputs = examples.inputs[rows]
        error = examples.loss_gradient(rows, (inputs @ weights.weights + weights.bias) @ properties.T) @ properties
        return Discriminant(inputs.T @ error + shrinkage * weights.weights, error.sum(0))

    task = Task(Adam(weights), examples.size, gradient)
    for _ in train_perceptron([task], SCHEDULE, np.random.default_rng(0)):
        pass
    return Discriminant(weights.weights @ properties.T, weights.bias @ properties.T)


def solution_properties(kind: int) -> policy_network.Reals:
    """(solutions, properties): what solutions share weights by. Each has one of its own; cards also have what is
    printed on them. What is paid with is worth little by what is printed on it, and has its own alone."""
    own = np.eye(policy_network.SOLUTIONS[kind], dtype=np.float32)
    if kind in (TYPE_ACTION, TYPE_PAYMENT):
        return own
    printed = np.array([_printed(design) for design in DESIGNS], np.float32)
    nothing = np.zeros((CLASSES - len(printed), printed.shape[1]), np.float32)
    return np.hstack((own, np.vstack((printed, nothing))))


def _printed(design: Design) -> list[float]:
    costs = [float(design.cost == cost) for cost in range(_COSTS)]
    military = [float(design.has("military")) * cost for cost in costs]
    return [1.0, float(design.world), *facts_of(design).values(), *costs, *military]
