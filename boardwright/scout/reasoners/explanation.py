"""Explanations for people: the votes of a recommendation, and the cases behind it."""

from __future__ import annotations

import numpy as np

from boardwright.agents import Decision, Reason
from boardwright.errors import IllegalAction
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.text import ACTION_NAMES
from boardwright.kernel import Observation
from boardwright.scout.cases.collection import END
from boardwright.scout.cases.features import PASS
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


def decision_of(observation: Observation, action: int, problem: Problem, recommendation: Recommendation) -> Decision:
    """The step that carries out a recommendation, with reasons when somebody asks."""

    def reasons() -> tuple[Reason, ...]:
        found = []
        for choice, share in recommendation.votes:
            step = _step(observation, choice)
            if step is not None:
                found.append(Reason(step, weight=share, note=_cases_for(problem, recommendation, choice)))
        if not any(reason.action == action for reason in found):
            found.insert(0, Reason(action))
        return tuple(sorted(found, key=lambda reason: -(reason.weight or 0)))

    return Decision(action, reasons, recommendation.note)


def _step(observation: Observation, choice: Choice) -> int | None:
    """The action of a choice, if it is one that can be taken now."""
    try:
        return next_step(observation, choice)
    except IllegalAction:
        first = choice[0] if choice else None
        step = DESIGN_OF_ID.get(first) if isinstance(first, int) else None
        return step if step in observation.legal_actions() else None


def _cases_for(problem: Problem, recommendation: Recommendation, choice: Choice) -> str:
    def votes_for(case: RetrievedCase) -> Choice:
        if case.kind == TYPE_ACTION:
            return (case.adapted,)
        return () if case.adapted == PASS else (ID_OF_DESIGN[case.adapted],)

    mine = [case for case in recommendation.retrieved if case.kind == problem.type and votes_for(case) == choice]
    return "; ".join(case_line(case) for case in mine[:_MOST_CASES])


def feature_notes(reasoners: Reasoners, indexed: IndexedProblem, recommendation: Recommendation) -> list[str]:
    """For the nearest case: which features agree, and what each of the others adds to the distance."""
    kind = indexed.problem.type
    own = [case for case in recommendation.retrieved if case.kind == kind]
    index = reasoners.indexes.get(kind)
    if not own or index is None or reasoners.settings.space == "learned":
        return []
    case_base, distance = index.case_base, index.distance
    at = int(np.flatnonzero(case_base.ids == own[0].id)[0])
    features = reasoners.phase.features(indexed) if kind == TYPE_ACTION else indexed.features
    parts: list[tuple[float, str]] = []
    for number, table in zip(distance.numbers, distance.number_tables.tables, strict=True):
        name = case_base.schema.numbers[number.row].name
        mine, theirs = int(features.number(name)[0]), int(case_base.number(name)[at])
        middle = len(table) // 2
        parts.append((float(table[middle + theirs - mine]), f"{name} {mine} here, {theirs} there"))
    for feature in distance.sets:
        name = case_base.schema.sets[feature.position].name
        mine_set, theirs_set = features.members(name, 0), case_base.members(name, at)
        shared = len(set(mine_set) & set(theirs_set))
        parts.append(
            (feature.weight * (1 - shared / max(len(mine_set), 1)), f"{name}: {shared} of {len(mine_set)} shared")
        )
    parts.sort(key=lambda part: -part[0])
    lines = [f"the nearest case, {own[0].distance:.2f} away, feature by feature (sets counted without weights):"]
    return lines + [f"  {cost:6.2f}  {what}" for cost, what in parts]
