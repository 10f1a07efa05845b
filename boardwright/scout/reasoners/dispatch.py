"""The head: it looks at what is asked and hands it to the reasoner in charge."""

from __future__ import annotations

import hashlib
import random

from boardwright.kernel import rng
from boardwright.scout.problems.problem import (
    TYPE_ACTION,
    TYPE_DEVELOP,
    TYPE_DISCARD,
    TYPE_PAYMENT,
    TYPE_SETTLE,
    Problem,
)
from boardwright.scout.reasoners.all_reasoners import Reasoning
from boardwright.scout.reasoners.recommendation import Asked, Thought

MODULE_OF_TYPE = {
    TYPE_ACTION: "phase",
    TYPE_DEVELOP: "placement",
    TYPE_SETTLE: "placement",
    TYPE_PAYMENT: "payment",
    TYPE_DISCARD: "discard",
}
REST = "rest"
"""The module for all other decisions: trading, consuming, gambling, windfall worlds."""


def module_of(problem: Problem) -> str:
    return MODULE_OF_TYPE.get(problem.type, REST)


class Head:
    """One player's mind during a game. Chance comes from its seed, the problem, and how often it met the problem."""

    def __init__(self, reasoning: Reasoning, seed: int) -> None:
        self.reasoning = reasoning
        self.seed = seed
        self._met: dict[int, int] = {}

    def think(self, asked: Asked) -> Thought:
        problem = asked.problem
        if problem.minimum == problem.maximum == len(problem.options):
            return Thought(problem.options, note="the only possible choice")
        if problem.type == TYPE_PAYMENT:
            return self.reasoning.payment.think(asked)
        if problem.type == TYPE_DISCARD:
            return self.reasoning.discards.think(asked)
        if not problem.options:
            return Thought((), note="nothing can be placed")
        return self.reasoning.choose(asked, self.chance(asked))

    def chance(self, asked: Asked) -> random.Random:
        return chance_for(self.seed, asked, self._met)


def chance_for(seed: int, asked: Asked, met: dict[int, int]) -> random.Random:
    """Chance for one decision: the same problem gives the same, the next time it is met another."""
    digest = int.from_bytes(hashlib.blake2b(asked.record.tobytes(), digest_size=8).digest(), "little")
    met[digest] = met.get(digest, 0) + 1
    return random.Random(rng.derive(seed, digest, met[digest]))
