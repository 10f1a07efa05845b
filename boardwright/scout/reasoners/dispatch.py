"""Dispatch: which reasoner answers which problem. The dissertation calls this the *Head*."""

from __future__ import annotations

import hashlib
import random

from boardwright.kernel.rng import derive
from boardwright.scout.problems import problem as problems
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.reasoners.rest import REST_TYPES

MODULE_OF_TYPE = {
    problems.TYPE_ACTION: "phase",
    problems.TYPE_DEVELOP: "placement",
    problems.TYPE_SETTLE: "placement",
    problems.TYPE_PAYMENT: "payment",
    problems.TYPE_DISCARD: "discard",
}
REST = "rest"
"""The module for all other decisions: trading, consuming, gambling, windfall worlds."""


def module_of(problem: problems.Problem) -> str:
    return MODULE_OF_TYPE.get(problem.type, REST)


def dispatch(reasoners: Reasoners, indexed: IndexedProblem, rngs: ProblemRngs) -> Recommendation:
    """The recommendation of the reasoner in charge."""
    problem = indexed.problem
    if problem.minimum == problem.maximum == len(problem.options):
        return Recommendation(problem.options, note="the only possible choice")
    if problem.type == problems.TYPE_PAYMENT:
        return reasoners.payment.reason(indexed)
    if problem.type == problems.TYPE_DISCARD:
        return reasoners.discard.reason(indexed)
    if problem.type in REST_TYPES:
        return reasoners.rest.reason(indexed)
    if not problem.options:
        return Recommendation((), note="nothing can be placed")
    return reasoners.reason(indexed, rngs.rng_for(indexed))


class ProblemRngs:
    """Random numbers for decisions, from a seed, the problem, and how often the problem was met in the game."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._met: dict[int, int] = {}

    def rng_for(self, indexed: IndexedProblem) -> random.Random:
        digest = int.from_bytes(hashlib.blake2b(indexed.record.tobytes(), digest_size=8).digest(), "little")
        self._met[digest] = self._met.get(digest, 0) + 1
        return random.Random(derive(self.seed, digest, self._met[digest]))
