"""Leave-one-game-out tests of SCOUT's reasoners, and feature weights learned from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boardwright.cbr.learning import coordinate_search
from boardwright.cbr.similarity import most_alike
from boardwright.cbr.testing import Report, leave_group_out, spread_out
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.scout.cases.features import CLASSES, LAYOUT, PASS
from boardwright.scout.cases.files import Library
from boardwright.scout.cases.indexing import index
from boardwright.scout.cases.profiles import Profile
from boardwright.scout.cases.representation import Records, decode
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import Reasoning, Settings, similarity_matrix
from boardwright.scout.reasoners.base import CaseBase
from boardwright.scout.reasoners.placement import solution_of, solutions_of
from boardwright.scout.reasoners.policy_network import FITTED
from boardwright.scout.reasoners.policy_training import fit
from boardwright.scout.reasoners.recommendation import Asked, shares

TESTED_TYPES = {"phase": TYPE_ACTION, "develop": TYPE_DEVELOP, "settle": TYPE_SETTLE}


def ask_own_cases(reasoning: Reasoning, name: str, most: int = 2000) -> Report:
    """Ask the reasoner in charge about cases of its own base, the whole game of each left out."""
    kind = TESTED_TYPES[name]
    library = reasoning.library
    places = library.of_type(kind)
    memory = library.memory(kind)
    chance = random.Random(0)

    def answer(case: int, group: int) -> list[tuple[int, float]]:
        asked = Asked(decode(library.records[places[case]])[0])
        thought = reasoning.choose(asked, chance, left_out=group)
        return [(solution_of(kind, choice), share) for choice, share in thought.votes]

    options = memory.codes[LAYOUT.row("options")]
    if kind != TYPE_ACTION:
        options = options + np.uint8(1)  # placing nothing is one more
    return leave_group_out(answer, memory.classes, memory.groups, options, CLASSES, spread_out(len(memory), most))


def find_confusions(library: Library, settings: Settings, most: int = 2000) -> dict[str, list[list[int]]]:
    """What retrieval takes for what among all cards, for the similarity matrices."""
    found = {}
    for kind in (TYPE_DEVELOP, TYPE_SETTLE):
        base = CaseBase(library.memory(kind), settings.profile("placement"))
        memory = base.memory
        everything = sorted({int(cls) for cls in np.unique(memory.classes)})
        table = Counter[tuple[int, int]]()
        for case in spread_out(len(memory), most):
            if memory.classes[case] == PASS:
                continue
            near = base.retrieve(memory, everything, case=case, left_out=int(memory.groups[case]))
            taken = Counter(int(cls) for cls in memory.classes[near.places] if cls != PASS)
            for cls, number in taken.items():
                table[int(memory.classes[case]), cls] += number
        found[str(kind)] = [[true, taken, number] for (true, taken), number in sorted(table.items())]
    return found


def find_impressions(examples: Records) -> dict[str, Any]:
    """What fits the choices of examples."""
    return fit({kind: index(examples[examples["type"] == kind]) for kind in FITTED}).as_data()


class WeightLearner:
    """Learns the weights of one kind of decision."""

    def __init__(self, library: Library, kind: str, start: Profile, *, most: int = 1500) -> None:
        self.start = start
        types = [TYPE_ACTION] if kind == "phase" else [TYPE_DEVELOP, TYPE_SETTLE]
        self.parts = [_Part(library, number, most // len(types)) for number in types]

    def score(self, weights: dict[str, float]) -> float:
        profile = self.profile(weights)
        return float(np.mean([part.score(profile) for part in self.parts]))

    def profile(self, weights: dict[str, float]) -> Profile:
        sets = {feature.name for feature in LAYOUT.sets}
        return Profile(
            self.start.k,
            {name: weight for name, weight in weights.items() if name not in sets and weight},
            {name: weight for name, weight in weights.items() if name in sets and weight},
            self.start.exponents,
            self.start.windows,
        )

    def learn(self, passes: int, watch: Callable[[str, float], None]) -> tuple[Profile, float]:
        weights = {number.name: 0.0 for number in LAYOUT.numbers} | {feature.name: 0.0 for feature in LAYOUT.sets}
        weights |= self.start.numbers | self.start.sets
        for name in _NOT_COMPARED:
            weights.pop(name, None)
        best, score = coordinate_search(weights, self.score, passes=passes, watch=watch)
        return self.profile(best), score


_NOT_COMPARED = ("options", "offered", "taken")
"""The question itself, which says what was chosen rather than when."""


class _Part:
    """The cases of one type that are asked in every test."""

    def __init__(self, library: Library, kind: int, most: int) -> None:
        self.kind = kind
        self.memory = library.memory(kind)
        self.matrix = similarity_matrix(library, kind, "facts") if kind != TYPE_ACTION else None
        self.cases = spread_out(len(self.memory), most)
        places = library.of_type(kind)
        self.options: list[Sequence[int]] = [
            ROUND_ACTIONS if kind == TYPE_ACTION else solutions_of(decode(library.records[places[case]])[0])
            for case in self.cases
        ]

    def score(self, profile: Profile) -> float:
        """The mean share of votes for what was chosen, which moves more smoothly than the right answers."""
        base, total = CaseBase(self.memory, profile), 0.0
        for case, options in zip(self.cases, self.options, strict=True):
            near = base.retrieve(self.memory, options, case=case, left_out=int(self.memory.groups[case]))
            classes = base.memory.classes[near.places].tolist()
            if self.matrix is not None:
                classes = [most_alike(self.matrix, cls, options) for cls in classes]
            total += dict(shares(Counter(classes))).get(int(self.memory.classes[case]), 0.0)
        return total / max(len(self.cases), 1)
