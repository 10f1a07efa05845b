"""Case bases in cbrkit's form, and back; with the real package where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

from boardwright.cbr.case_base import CaseBase, packed_sets
from boardwright.cbr.cbrkit_bridge import GROUP, SOLUTION, as_casebase, from_casebase, similarity_of
from boardwright.cbr.index import CaseIndex, IndexProfile
from boardwright.cbr.schema import CaseSchema, NumberFeature, SetFeature
from boardwright.cbr.similarity import similarity
from boardwright.errors import BadRecord

SCHEMA = CaseSchema((NumberFeature("round"), NumberFeature("lead", -20)), (SetFeature("hand", 70),), 5)
CLASSES = [1, 3, 4]


@pytest.fixture(scope="module")
def index() -> CaseIndex:
    random = np.random.default_rng(4)
    n = 300
    case_base = CaseBase(
        SCHEMA,
        random.integers(0, 40, (2, n)).astype(np.uint8),
        packed_sets(SCHEMA, [random.random((n, 70)) < 0.1]),
        random.integers(0, 5, n).astype(np.uint8),
        np.arange(n) // 10,
        np.arange(100, 100 + n),
    )
    return CaseIndex(case_base, IndexProfile(8, {"round": 4.0, "lead": 1.0}, {"hand": 6.0}, exponents={"lead": 0.5}))


def test_cases_come_back_as_they_went(index: CaseIndex) -> None:
    casebase = as_casebase(index.case_base)
    again = from_casebase(casebase, SCHEMA)
    for name in ("codes", "sets", "classes", "groups", "ids"):
        np.testing.assert_array_equal(getattr(again, name), getattr(index.case_base, name))
    assert casebase[100]["lead"] == int(index.case_base.codes[1, 0]) - 20


def test_similarities_are_those_of_the_compiled_retrieval(index: CaseIndex) -> None:
    casebase, compare = as_casebase(index.case_base), similarity_of(index, CLASSES)
    for case in (0, 17, 255):
        found = index.retrieve(index.case_base, CLASSES, case=case)
        query = casebase[int(index.case_base.ids[case])]
        theirs = [compare(casebase[int(index.case_base.ids[at])], query) for at in found.positions]
        assert theirs == pytest.approx([similarity(distance) for distance in found.distances])


def test_cbrkit_retrieves_the_same_cases(index: CaseIndex) -> None:
    cbrkit = pytest.importorskip("cbrkit")
    casebase = as_casebase(index.case_base)
    retriever = cbrkit.retrieval.build(similarity_of(index, CLASSES), limit=8)
    for case in (0, 17, 255):
        found = index.retrieve(index.case_base, CLASSES, case=case)
        result = cbrkit.retrieval.apply(casebase, casebase[int(index.case_base.ids[case])], retriever)
        assert result.ranking == index.case_base.ids[found.positions].tolist()
    both = from_casebase(result.casebase, SCHEMA)  # what cbrkit has retrieved is a case base again
    assert sorted(both.ids) == sorted(result.ranking)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"round": "two"}, "its round is 'two'"),
        ({"round": True}, "not a whole number"),
        ({"hand": (3, 70)}, "hand has 70"),
        ({SOLUTION: 5}, "from 0 to 4"),
        ({SOLUTION: None}, "its solution is None"),
        ({GROUP: 1.5}, "its group is 1.5"),
    ],
)
def test_cases_that_do_not_fit_are_refused(change: dict[str, object], message: str) -> None:
    case = {"round": 1, "lead": 0, "hand": (3, 4), SOLUTION: 2, **change}
    with pytest.raises(BadRecord, match=message):
        from_casebase({1: case}, SCHEMA)
