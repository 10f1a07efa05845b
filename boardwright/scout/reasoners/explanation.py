"""Explanations for people: the votes of a recommendation, and the cases behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from boardwright.agents import ComparedFeature, Decision, Reason, RememberedCase
from boardwright.errors import IllegalAction
from boardwright.games.race.cards import DESIGNS, KINDS
from boardwright.games.race.text import ACTION_NAMES
from boardwright.kernel import Observation
from boardwright.scout.cases.card_groups import COPIES, group_name
from boardwright.scout.cases.collection import END
from boardwright.scout.cases.features import PASS, Sets
from boardwright.scout.problems.problem import DESIGN_OF_ID, ID_OF_DESIGN, TYPE_ACTION, TYPE_GAMBLE, Choice, Problem
from boardwright.scout.problems.steps import next_step
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation, RetrievedCase

_MOST_CASES = 7
TYPE_NAMES = {
    0: "action",
    2: "discard",
    3: "develop",
    5: "settle",
    6: "payment",
    12: "trade",
    13: "consume power",
    14: "hand cards for points",
    15: "goods",
    16: "gamble",
    19: "windfall",
    END: "end of a game",
}
_CERTAIN = 255  # of the policy network's probabilities, as features


def solution_name(kind: int, solution: int) -> str:
    if kind == TYPE_ACTION:
        return ACTION_NAMES.get(solution, str(solution))
    return "nothing" if solution == PASS else DESIGNS[solution].name


def choice_name(kind: int, choice: Choice) -> str:
    """A choice of at most one option in words."""
    if not choice:
        return "nothing"
    (option,) = choice
    if isinstance(option, tuple):
        return f"{DESIGNS[DESIGN_OF_ID[option[0]]].name}, power {option[1] + 1}"
    if kind == TYPE_GAMBLE:
        return str(option)
    return solution_name(kind, option if kind == TYPE_ACTION else DESIGN_OF_ID[option])


def case_line(case: RetrievedCase) -> str:
    """A retrieved case as text."""
    chosen = solution_name(case.kind, case.solution)
    there = f"case {case.id}, game {case.group}, round {case.round}, distance {case.distance:.2f}: chose {chosen}"
    return there if case.adapted == case.solution else f"{there}, here {solution_name(case.kind, case.adapted)}"


def decision_of(
    observation: Observation,
    action: int,
    problem: Problem,
    recommendation: Recommendation,
    cases: Callable[[], tuple[RememberedCase, ...]] = tuple,
) -> Decision:
    """The step that carries out a recommendation, with reasons and cases when somebody asks."""

    def reasons() -> tuple[Reason, ...]:
        found = []
        for choice, share in recommendation.votes:
            step = _step(observation, choice)
            if step is not None:
                found.append(Reason(step, weight=share, note=cases_for(problem, recommendation, choice)))
        if not any(reason.action == action for reason in found):
            found.insert(0, Reason(action))
        return tuple(sorted(found, key=lambda reason: -(reason.weight or 0)))

    return Decision(action, reasons, recommendation.note, cases)


def _step(observation: Observation, choice: Choice) -> int | None:
    """The action of a choice, if it is one that can be taken now."""
    try:
        return next_step(observation, choice)
    except IllegalAction:
        first = choice[0] if choice else None
        step = DESIGN_OF_ID.get(first) if isinstance(first, int) else None
        return step if step in observation.legal_actions() else None


def cases_for(problem: Problem, recommendation: Recommendation, choice: Choice) -> str:
    """The cases that vote for a choice, each once, the nearest first."""

    def votes_for(case: RetrievedCase) -> Choice:
        if case.kind == TYPE_ACTION:
            return (case.adapted,)
        return () if case.adapted == PASS else (ID_OF_DESIGN[case.adapted],)

    mine = [case for case, _ in recommendation.advice if case.kind == problem.type and votes_for(case) == choice]
    return "; ".join(case_line(case) for case in mine[:_MOST_CASES])


def nearest_cases(indexed: IndexedProblem, recommendation: Recommendation) -> list[RetrievedCase]:
    """The retrieved cases of the same type as the problem, the nearest first."""
    own = [case for case in recommendation.retrieved if case.kind == indexed.problem.type]
    return sorted(own, key=lambda case: case.distance)[:_MOST_CASES]


def compared_features(
    reasoners: Reasoners, indexed: IndexedProblem, case: RetrievedCase
) -> tuple[ComparedFeature, ...]:
    """A case beside the problem: what differs most comes first, what is only shown comes last. What a set adds to the
    distance is counted without the weights of its members."""
    index = reasoners.indexes.get(case.kind)
    if index is None or reasoners.settings.space == "learned":
        return ()
    case_base, distance = index.case_base, index.distance
    at = int(np.flatnonzero(case_base.ids == case.id)[0])
    features = reasoners.phase.features(indexed) if case.kind == TYPE_ACTION else indexed.features
    found = []
    for number, table in zip(distance.numbers, distance.number_tables.tables, strict=True):
        name = case_base.schema.numbers[number.row].name
        mine, theirs = int(features.number(name)[0]), int(case_base.number(name)[at])
        cost = float(table[len(table) // 2 + theirs - mine])
        found.append(ComparedFeature(_title(name), (_number(name, mine),), (_number(name, theirs),), cost))
    weights = {case_base.schema.sets[feature.position].name: feature.weight for feature in distance.sets}
    for name in dict.fromkeys((*weights, *_SHOWN)):
        mine_set, theirs_set = features.members(name, 0), case_base.members(name, at)
        missing = len(set(mine_set) - set(theirs_set)) / max(len(mine_set), 1)  # an empty set costs nothing
        here, there = _members(name, mine_set), _members(name, theirs_set)
        found.append(ComparedFeature(_title(name), here, there, weights[name] * missing if name in weights else None))
    return tuple(sorted(found, key=lambda feature: (feature.distance is None, -(feature.distance or 0.0))))


_SHOWN = tuple(cards.feature for cards in (Sets.PLAYER_TABLEAU, Sets.PLAYER_HAND, Sets.OPPONENT_TABLEAU))
"""Sets that are shown whether or not they are compared."""


def _title(name: str) -> str:
    kind, _, action = name.partition("_")
    if kind == "policy":
        return f"policy network: {ACTION_NAMES[int(action)]}"
    return name.replace("_", " ")


def _number(name: str, value: int) -> str:
    return f"{value / _CERTAIN:.0%}" if name.startswith("policy_") else str(value)


def _members(name: str, elements: Iterable[int]) -> tuple[str, ...]:
    """The elements of a set by name."""
    if name == Sets.PLAYER_GOODS_KINDS.feature:
        return tuple(KINDS[element // COPIES + 1] for element in elements)
    if name.endswith("_groups"):
        return tuple(group_name(element // COPIES) for element in elements)
    return tuple(DESIGNS[element].name for element in elements)


def feature_notes(reasoners: Reasoners, indexed: IndexedProblem, recommendation: Recommendation) -> list[str]:
    """For the nearest case: which features agree, and what each of the others adds to the distance."""
    nearest = nearest_cases(indexed, recommendation)
    features = compared_features(reasoners, indexed, nearest[0]) if nearest else ()
    lines = [f"  {feature.distance:6.2f}  {_note(feature)}" for feature in features if feature.distance is not None]
    head = "the nearest case, {:.2f} away, feature by feature (sets counted without weights):"
    return [head.format(nearest[0].distance), *lines] if lines else []


def _note(feature: ComparedFeature) -> str:
    if feature.here and feature.here[0].rstrip("%").lstrip("-").isdigit():
        return f"{feature.name} {feature.here[0]} here, {feature.there[0]} there"
    shared = (Counter(feature.here) & Counter(feature.there)).total()
    return f"{feature.name}: {shared} of {len(feature.here)} shared"
