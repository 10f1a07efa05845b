"""What an expert thinks of decisions that a learner came to, and the targets that the policy network learns from that.

DAgger (Ross, Gordon and Bagnell, 2011): an expert's own games do not show what to do after the learner's mistakes. So
the learner plays, and the expert labels the positions that the learner came to.

An expert that searches gives each option a value and a prior. They become soft targets: the prior, times e to the
power of the value over a temperature. Options that are worth about the same share the probability, and one that is
worth much less gets none. Where an expert gives no values, its choice is the target.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from boardwright.agents import Agent
from boardwright.arena.record import GameRecord
from boardwright.cbr.case_base import CaseBase
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.kernel import Observation
from boardwright.learn.perceptron import Schedule, softmax
from boardwright.scout.cases.building import decisions, has_choice
from boardwright.scout.cases.features import CLASSES
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import CASE, Records, encode
from boardwright.scout.problems.problem import TYPE_ACTION, Choice
from boardwright.scout.problems.steps import completed_choice
from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.policy_network import CORE_HEADS, SOLUTIONS, Bins, PolicyNetwork, Reals
from boardwright.scout.reasoners.policy_training import BATCH_SIZE, TrainingSet, choices_as_targets, train, train_on

LOWEST_PRIOR = 1e-4
"""A lower one counts as this, so that a value can bring up any option."""
WITH_LABELS = Schedule(4, 1e-3, BATCH_SIZE, dropout=0.2)
"""Labels say more than choices do, and can be learned from faster."""


class Labels(NamedTuple):
    """The labels of some decisions. Solutions are numbered as in the policy head of their type."""

    records: Records
    """The decisions, with the expert's choices."""
    values: Reals
    """(decisions, solutions): what the expert expects of each; NaN if it did not look, or gives no values."""
    priors: Reals
    """(decisions, solutions): how likely each was to the expert before it looked."""

    @classmethod
    def none(cls, n: int = 0) -> Labels:
        return cls(np.zeros(n, CASE), np.full((n, CLASSES), np.nan, np.float32), np.zeros((n, CLASSES), np.float32))

    @classmethod
    def joined(cls, parts: Iterable[Labels]) -> Labels:
        records, values, priors = zip(cls.none(), *parts, strict=True)
        return cls(np.concatenate(records), np.concatenate(values), np.concatenate(priors))

    def of_type(self, kind: int) -> Labels:
        these = self.records["type"] == kind
        return Labels(*(column[these] for column in self))


def label_game(record: GameRecord, seat: int, expert: Agent) -> Labels:
    """The expert's labels for the actions and placements that a seat had to choose."""
    found = []
    for state, problem, _ in decisions(record, seat):
        if problem.type in CORE_HEADS and has_choice(problem):
            label = Labels.none(1)
            choice = _ask(expert, state.observation(seat), problem.type, label)
            found.append(label._replace(records=encode(problem, choice)))
    return Labels.joined(found)


def _ask(expert: Agent, observation: Observation, kind: int, label: Labels) -> Choice:
    """The expert's choice in a decision of one step. What it thinks of the options goes into the label."""
    decision = expert.decide(observation)
    for reason in decision.reasons:
        column = _head_column(kind, _whole_choice(observation, reason.action))
        label.priors[0, column] = reason.policy
        if reason.value is not None:
            label.values[0, column] = reason.value
    return _whole_choice(observation, decision.action)


def _whole_choice(observation: Observation, action: int) -> Choice:
    choice = completed_choice(observation, action)
    assert choice is not None, "actions and placements are decided in one step"
    return choice


def _head_column(kind: int, choice: Choice) -> int:
    solution = solution_of(kind, choice)
    return ROUND_ACTIONS.index(solution) if kind == TYPE_ACTION else solution


def training_sets(labels: Labels, bins: Bins, temperature: float) -> dict[int, TrainingSet]:
    """By type: what the policy heads learn from these labels."""
    by_type = {kind: labels.of_type(kind) for kind in CORE_HEADS}
    return {
        kind: TrainingSet.of(kind, index_cases(of_type.records), bins, soft_targets(kind, of_type, temperature))
        for kind, of_type in by_type.items()
    }


def train_with_labels(
    examples: Mapping[int, CaseBase], labels: Labels, temperature: float, start: PolicyNetwork
) -> PolicyNetwork:
    """The network trained further on choices and labels together."""
    if not labels.records.size:
        return train(examples, start)
    sets = training_sets(labels, start.bins, temperature)
    for kind, case_base in examples.items():
        mine = TrainingSet.of(kind, case_base, start.bins)
        sets[kind] = mine.joined(sets[kind]) if kind in sets else mine
    return train_on(sets, start, WITH_LABELS, np.random.default_rng(0))


def soft_targets(kind: int, labels: Labels, temperature: float) -> csr_array:
    """(decisions, solutions): how probable each should be, by the expert's values or, if it gave none, its choice."""
    values, priors = (column[:, : SOLUTIONS[kind]] for column in (labels.values, labels.priors))
    seen = ~np.isnan(values)
    merits = np.where(seen, np.log(np.maximum(priors, LOWEST_PRIOR)) + values / temperature, -np.inf)
    valued = seen.any(1)
    targets = choices_as_targets(kind, index_cases(labels.records)).toarray()
    targets[valued] = softmax(merits[valued].astype(np.float32))
    return csr_array(targets)
