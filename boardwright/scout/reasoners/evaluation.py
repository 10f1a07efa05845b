"""Leave-one-game-out tests of SCOUT's reasoners, and feature weights learned from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.evaluation import EvaluationReport, leave_one_group_out, spread_evenly
from boardwright.cbr.index import CaseIndex, IndexProfile
from boardwright.cbr.metric_learning import learn_metric
from boardwright.cbr.retrieval import NO_GROUP
from boardwright.cbr.reuse import most_similar, vote_shares
from boardwright.cbr.weight_search import Comparison, cbl4, coordinate_search, genetic_search
from boardwright.games.race.state import ROUND_ACTIONS
from boardwright.scout.cases.collection import CaseCollection
from boardwright.scout.cases.features import AUXILIARY_NUMBERS, CLASSES, PASS, SCHEMA
from boardwright.scout.cases.representation import decode
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import Reasoners, similarity_matrix
from boardwright.scout.reasoners.placement import solution_of, solutions_of
from boardwright.scout.reasoners.recommendation import IndexedProblem
from boardwright.scout.reasoners.settings import Settings

CONFUSED_AMONG = 7
"""How many neighbours of a case show what it is confused with."""
MOST_CONFUSED = 2000
"""The most cases of each type that are asked for confusions."""
MODERATE = 4.0
"""The importance that learning begins with for derived numbers which a profile does not weigh."""
Method = Literal["coordinate", "genetic", "cbl4", "gradient"]
TESTED_TYPES = {"phase": TYPE_ACTION, "develop": TYPE_DEVELOP, "settle": TYPE_SETTLE}


def ask_about(
    reasoners: Reasoners, cases: CaseCollection, name: str, limit: int, *, same: bool, leave_in: bool = False
) -> EvaluationReport:
    """Ask the reasoner in charge about some cases. `same`: they are in its own case base, so that the game of each is
    left out, unless everything is left in."""
    kind = TESTED_TYPES[name]
    positions = cases.positions_of(kind)
    if kind != TYPE_ACTION and reasoners.settings.passing == "never":
        positions = positions[cases.records["choice"][positions].any(1)]  # there is no class for placing nothing
    case_base = cases.subset(positions).case_base(kind)
    rng = random.Random(0)

    def answer(case: int, group: int) -> list[tuple[int, float]]:
        indexed = IndexedProblem(decode(cases.records[positions[case]])[0])
        left_out = group if same and not leave_in else NO_GROUP
        recommendation = reasoners.reason(indexed, rng, exclude_group=left_out)
        return [(solution_of(kind, choice), share) for choice, share in recommendation.votes]

    options = case_base.codes[SCHEMA.number_row("options")]
    if kind != TYPE_ACTION:
        options = options + np.uint8(1)  # placing nothing is one more
    asked = spread_evenly(len(case_base), limit)
    return leave_one_group_out(answer, case_base.classes, case_base.groups, options, CLASSES, asked)


def find_confusions(cases: CaseCollection, settings: Settings) -> dict[str, list[list[int]]]:
    """Which cards retrieval confuses, for the similarity matrices: by type, (true, predicted, how often)."""
    found = {}
    for kind in (TYPE_DEVELOP, TYPE_SETTLE):
        index = CaseIndex(cases.case_base(kind), settings.profile("placement"))
        case_base = index.case_base
        everything = sorted({int(cls) for cls in np.unique(case_base.classes)})
        table = Counter[tuple[int, int]]()
        for case in spread_evenly(len(case_base), MOST_CONFUSED):
            if case_base.classes[case] == PASS:
                continue
            group = int(case_base.groups[case])
            near = index.retrieve(case_base, everything, case=case, k=CONFUSED_AMONG, exclude_group=group)
            predicted = Counter(int(cls) for cls in case_base.classes[near.positions] if cls != PASS)
            for cls, number in predicted.items():
                table[int(case_base.classes[case]), cls] += number
        found[str(kind)] = [[true, predicted, number] for (true, predicted), number in sorted(table.items())]
    return found


class WeightLearner:
    """Learns the feature weights of one kind of decision."""

    def __init__(self, cases: CaseCollection, kind: str, start: IndexProfile, *, limit: int = 1500) -> None:
        self.start = start
        types = [TYPE_ACTION] if kind == "phase" else [TYPE_DEVELOP, TYPE_SETTLE]
        self.tests = [_Test(cases, number, limit // len(types)) for number in types]

    def score(self, weights: dict[str, float]) -> float:
        profile = self.profile(weights)
        return float(np.mean([test.score(profile) for test in self.tests]))

    def profile(self, weights: dict[str, float]) -> IndexProfile:
        sets = {feature.name for feature in SCHEMA.sets}
        return IndexProfile(
            self.start.k,
            {name: weight for name, weight in weights.items() if name not in sets and weight},
            {name: weight for name, weight in weights.items() if name in sets and weight},
            self.start.exponents,
            self.start.windows,
        )

    def learn(
        self,
        passes: int,
        progress: Callable[[str, float], None],
        method: Method = "coordinate",
        features: Mapping[str, float] | None = None,
    ) -> tuple[IndexProfile, float]:
        """`passes`: how often every weight is tried, or how many generations or steps of the gradient there are.
        `features`: those to weigh, and the weights to begin with; default: all of them."""
        weights = dict.fromkeys(SCHEMA.names, 0.0) | self.start.numbers | self.start.sets
        if features is not None:
            weights = dict(features)
        for name in _NOT_COMPARED:
            weights.pop(name, None)
        if method == "coordinate":
            best, score = coordinate_search(weights, self.score, passes=passes, progress=progress)
        elif method == "genetic":
            rng = random.Random(0)
            best, score = genetic_search(weights, self.score, generations=passes, rng=rng, progress=progress)
        else:
            best = self._by_gradient(weights, passes) if method == "gradient" else self._by_cbl4(weights, passes)
            score = self.score(best)
        return self.profile(best), score

    def _by_cbl4(self, weights: dict[str, float], passes: int) -> dict[str, float]:
        return cbl4(weights, self.comparisons, passes=passes)

    def _by_gradient(self, weights: dict[str, float], steps: int) -> dict[str, float]:
        """The mean of what the case bases of the kind learn, from all their cases. Features that cases get from the
        policy network stay as they are."""
        rng = np.random.default_rng(0)
        fixed = {name: weight for name, weight in weights.items() if name not in SCHEMA.names}
        weights = {name: weight for name, weight in weights.items() if name not in fixed}
        found = [learn_metric(test.case_base, weights, test.options_of, steps=steps, rng=rng) for test in self.tests]
        return {name: float(np.mean([learned[name] for learned in found])) for name in weights} | fixed

    def comparisons(self, weights: dict[str, float]) -> Iterator[Comparison]:
        """Every case that is asked, beside its nearest neighbour by these weights."""
        for test in self.tests:
            yield from test.comparisons(self.profile(weights), list(weights))


def indexed_features(profile: IndexProfile) -> dict[str, float]:
    """What a profile indexes, with its importances: its numbers and sets, the coarser sets that can stand for them, and
    all derived numbers if it has any."""
    derived = dict.fromkeys(AUXILIARY_NUMBERS, MODERATE) if profile.auxiliary else {}
    coarser = {
        profile.generalised[name]: weight for name, weight in profile.sets.items() if name in profile.generalised
    }
    return profile.numbers | derived | profile.auxiliary | profile.sets | coarser


def _difference(mine: CaseBase, case: int, theirs: CaseBase, at: int, name: str, spread: float | None) -> float:
    """How far two cases are apart in one feature, from 0 to 1: numbers in parts of four standard deviations."""
    if spread is None:
        own = set(mine.members(name, case))
        return 1.0 - len(own & set(theirs.members(name, at))) / len(own) if own else 0.0
    row = SCHEMA.number_row(name)
    return min(1.0, abs(int(mine.codes[row, case]) - int(theirs.codes[row, at])) / spread)


_NOT_COMPARED = ("options", "offered", "taken")
"""The question itself, which says what was chosen rather than when."""


class _Test:
    """The cases of one type that are asked in every test."""

    def __init__(self, cases: CaseCollection, kind: int, limit: int) -> None:
        self.case_base = cases.case_base(kind)
        self.matrix = similarity_matrix(cases, kind, "facts") if kind != TYPE_ACTION else None
        self.asked = spread_evenly(len(self.case_base), limit)
        self._records = cases.records[cases.positions_of(kind)]
        self.kind = kind
        self.options = [self.options_of(case) for case in self.asked]

    def options_of(self, case: int) -> Sequence[int]:
        """The classes that a case may belong to."""
        return ROUND_ACTIONS if self.kind == TYPE_ACTION else solutions_of(decode(self._records[case])[0])

    def comparisons(self, profile: IndexProfile, names: list[str]) -> Iterator[Comparison]:
        index = CaseIndex(self.case_base, profile)
        base, shares = index.case_base, np.bincount(self.case_base.classes) / max(len(self.case_base), 1)
        spreads = {number.name: 4.0 * max(float(base.number(number.name).std()), 0.25) for number in SCHEMA.numbers}
        for case, options in zip(self.asked, self.options, strict=True):
            group = int(self.case_base.groups[case])
            near = index.retrieve(self.case_base, options, case=case, k=1, exclude_group=group)
            for at in near.positions.tolist():
                classes = int(self.case_base.classes[case]), int(base.classes[at])
                differences = {
                    name: _difference(self.case_base, case, base, at, name, spreads.get(name)) for name in names
                }
                frequency = float(max(shares[list(classes)]))
                yield Comparison(differences, classes[0] == classes[1], frequency)

    def score(self, profile: IndexProfile) -> float:
        """The mean share of votes for what was chosen, which moves more smoothly than the right answers."""
        index, total = CaseIndex(self.case_base, profile), 0.0
        for case, options in zip(self.asked, self.options, strict=True):
            group = int(self.case_base.groups[case])
            near = index.retrieve(self.case_base, options, case=case, exclude_group=group)
            classes = index.case_base.classes[near.positions].tolist()
            if self.matrix is not None:
                classes = [most_similar(self.matrix, cls, options) for cls in classes]
            total += dict(vote_shares(Counter(classes))).get(int(self.case_base.classes[case]), 0.0)
        return total / max(len(self.asked), 1)
