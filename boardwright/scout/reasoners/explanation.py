"""A thought as reasons for people: what was weighed, and the cases behind it."""

from __future__ import annotations

import numpy as np

from boardwright.agents import Decision, Reason
from boardwright.errors import IllegalAction
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.text import ACTION_NAMES
from boardwright.kernel import Observation
from boardwright.scout.cases.features import LAYOUT, PASS
from boardwright.scout.problems.problem import DESIGN_OF_ID, ID_OF_DESIGN, TYPE_ACTION, Choice, Problem
from boardwright.scout.problems.steps import next_step
from boardwright.scout.reasoners.all_reasoners import Reasoning
from boardwright.scout.reasoners.base import CaseBase
from boardwright.scout.reasoners.recommendation import Asked, Retrieved, Thought

_MOST_CASES = 7


def solution_name(kind: int, solution: int) -> str:
    if kind == TYPE_ACTION:
        return ACTION_NAMES.get(solution, str(solution))
    return "nothing" if solution == PASS else DESIGNS[solution].name


def case_line(case: Retrieved) -> str:
    """A retrieved case in words."""
    chosen = solution_name(case.kind, case.solution)
    there = f"case {case.id}, game {case.group}, round {case.round}, distance {case.distance:.2f}: chose {chosen}"
    return there if case.adapted == case.solution else f"{there}, here {solution_name(case.kind, case.adapted)}"


def decision_of(observation: Observation, action: int, problem: Problem, thought: Thought) -> Decision:
    """The step that carries out a thought, with reasons when somebody asks."""

    def reasons() -> tuple[Reason, ...]:
        found = []
        for choice, share in thought.votes:
            step = _step(observation, choice)
            if step is not None:
                found.append(Reason(step, weight=share, note=_cases_for(problem, thought, choice)))
        if not any(reason.action == action for reason in found):
            found.insert(0, Reason(action))
        return tuple(sorted(found, key=lambda reason: -(reason.weight or 0)))

    return Decision(action, reasons, thought.note)


def _step(observation: Observation, choice: Choice) -> int | None:
    """The action of a choice, if it is one that can be taken now."""
    try:
        return next_step(observation, choice)
    except IllegalAction:
        first = choice[0] if choice else None
        step = DESIGN_OF_ID.get(first) if isinstance(first, int) else None
        return step if step in observation.legal_actions() else None


def _cases_for(problem: Problem, thought: Thought, choice: Choice) -> str:
    def stands_for(case: Retrieved) -> Choice:
        if case.kind == TYPE_ACTION:
            return (case.adapted,)
        return () if case.adapted == PASS else (ID_OF_DESIGN[case.adapted],)

    mine = [case for case in thought.retrieved if case.kind == problem.type and stands_for(case) == choice]
    return "; ".join(case_line(case) for case in mine[:_MOST_CASES])


def feature_notes(reasoning: Reasoning, asked: Asked, thought: Thought) -> list[str]:
    """For the nearest case: which features agree, and what each of the others adds to the distance."""
    own = [case for case in thought.retrieved if case.kind == asked.problem.type]
    base = _base_of(reasoning, asked.problem.type)
    if not own or base is None:
        return []
    place = int(np.flatnonzero(base.memory.ids == own[0].id)[0])
    indexed = reasoning.phase.seen(asked) if asked.problem.type == TYPE_ACTION else asked.indexed
    parts: list[tuple[float, str]] = []
    for number, curve in zip(base.metric.numbers, base.metric.compared.curves, strict=True):
        name = base.memory.layout.numbers[number.row].name
        mine, theirs = int(indexed.number(name)[0]), int(base.memory.number(name)[place])
        middle = len(curve) // 2
        parts.append((float(curve[middle + theirs - mine]), f"{name} {mine} here, {theirs} there"))
    for feature in base.metric.sets:
        name = LAYOUT.sets[feature.place].name
        mine_set, theirs_set = asked.indexed.members(name, 0), base.memory.members(name, place)
        shared = len(set(mine_set) & set(theirs_set))
        parts.append(
            (feature.weight * (1 - shared / max(len(mine_set), 1)), f"{name}: {shared} of {len(mine_set)} shared")
        )
    parts.sort(key=lambda part: -part[0])
    lines = [f"the nearest case, {own[0].distance:.2f} away, feature by feature (sets counted without weights):"]
    return lines + [f"  {cost:6.2f}  {what}" for cost, what in parts]


def _base_of(reasoning: Reasoning, kind: int) -> CaseBase | None:
    if kind == TYPE_ACTION:
        return reasoning.phase.base
    return reasoning.bases.get(kind)
