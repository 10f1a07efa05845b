"""A bridge to cbrkit (https://wi2trier.github.io/cbrkit/): case bases and similarities in its form, and back.

cbrkit's casebase is a mapping from keys to cases, and a similarity is a function of two cases. Nothing of it is needed
here, so cbrkit need not be installed:

    casebase = as_casebase(index.case_base)
    retriever = cbrkit.retrieval.build(similarity_of(index, classes), limit=5)
    result = cbrkit.retrieval.apply(casebase, casebase[42], retriever)

and the other way, `from_casebase(casebase, schema)` is a case base for the compiled retrieval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import CaseIndex
from boardwright.cbr.schema import CaseSchema, words_of
from boardwright.cbr.similarity import similarity
from boardwright.cbr.weights import max_over_classes
from boardwright.errors import BadRecord

SOLUTION, GROUP = "solution", "group"
"""Under these names a case has its solution and its game, beside its features."""
_CODES = 256

Case = Mapping[str, Any]
"""Numbers as whole numbers, sets as tuples of their elements."""


def as_casebase(case_base: CaseBase) -> dict[int, Case]:
    """Every case by its id."""
    numbers = {feature.name: case_base.number(feature.name) for feature in case_base.schema.numbers}
    return {
        int(number): {
            **{name: int(column[case]) for name, column in numbers.items()},
            **{feature.name: tuple(case_base.members(feature.name, case)) for feature in case_base.schema.sets},
            SOLUTION: int(case_base.classes[case]),
            GROUP: int(case_base.groups[case]),
        }
        for case, number in enumerate(case_base.ids)
    }


def from_casebase(casebase: Mapping[int, Case], schema: CaseSchema) -> CaseBase:
    """Cases from anywhere, checked; BadRecord names the case and the feature that does not fit the schema. Numbers
    outside their range count as the nearest, as everywhere."""
    codes = np.zeros((len(schema.numbers), len(casebase)), np.uint8)
    sets = np.zeros((schema.words, len(casebase)), np.int64)
    for place, (key, case) in enumerate(casebase.items()):
        for row, number in enumerate(schema.numbers):
            value = _whole(key, case, number.name) - number.low
            codes[row, place] = min(max(value, 0), _CODES - 1)
        for position, feature in enumerate(schema.sets):
            first, last = schema.first_words[position : position + 2]
            elements = [_element(key, feature.name, one, feature.elements) for one in case.get(feature.name, ())]
            sets[first:last, place] = words_of(elements, last - first)
    solutions = [_whole(key, case, SOLUTION) for key, case in casebase.items()]
    if not all(0 <= solution < schema.classes for solution in solutions):
        raise BadRecord(f"solutions are from 0 to {schema.classes - 1}")
    groups = [_whole(key, case, GROUP) if GROUP in case else 0 for key, case in casebase.items()]
    ids = np.array([*casebase], np.int64)
    return CaseBase(schema, codes, sets, np.array(solutions, np.uint8), np.array(groups, np.int64), ids)


def similarity_of(index: CaseIndex, classes: Sequence[int]) -> Callable[[Case, Case], float]:
    """Our distance as cbrkit's similarity of a case and a query that may belong to any of these classes; windows do not
    count."""
    schema = index.case_base.schema
    numbers = [(schema.numbers[one.row].name, one.weight, one.exponent) for one in index.distance.numbers]
    sets = [
        (schema.sets[one.position].name, one.weight, max_over_classes(index.weights[one.position], classes))
        for one in index.distance.sets
    ]

    def compare(x: Case, y: Case) -> float:
        distance = sum(weight * abs(x[name] - y[name]) ** exponent for name, weight, exponent in numbers)
        for name, weight, of_element in sets:
            total = sum(of_element[element] for element in y[name])
            if total > 0:
                there = set(x[name])
                distance += weight * sum(of_element[one] for one in y[name] if one not in there) / total
        return similarity(float(distance))

    return compare


def _whole(key: object, case: Case, name: str) -> int:
    value = case.get(name)
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise BadRecord(f"case {key}: its {name} is {value!r}, not a whole number")
    return int(value)


def _element(key: object, name: str, value: object, elements: int) -> int:
    if not isinstance(value, int | np.integer) or not 0 <= value < elements:
        raise BadRecord(f"case {key}: {name} has {value!r}, which is not from 0 to {elements - 1}")
    return int(value)
