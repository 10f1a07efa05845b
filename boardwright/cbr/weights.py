"""Feature weights: what matters to a decision, computed from the cases.

Elements of sets are weighed for each class: how much more often, or more rarely, is the element found in cases of that
class than in all cases? A problem takes, for each element, the largest weight among the classes it may belong to (6.5).
Numeric features are judged by how far their distribution in each class is from that in all cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase, count_by_label

Weights = NDArray[np.float64]

PRIOR = 8.0
"""Cases of usual frequency added to every class, so that rare classes do not exaggerate."""
MAX_WEIGHT = 8.0
"""No element weighs more than this many times the neutral weight 1."""
SIGNIFICANT = 0.01
SEVERAL = 0.25
"""A feature is relevant if it differs significantly in this share of the classes."""
SMALL_CLASS = 10


def class_weights(case_base: CaseBase, name: str) -> Weights:
    """(classes, elements): the ratio of the frequency within the class to the overall one, or its inverse where the
    element is rarer there; 1 is neutral."""
    present = case_base.membership(name)
    overall = (present.sum(0) + 0.5) / (len(case_base) + 1.0)
    sizes = np.bincount(case_base.classes, minlength=case_base.schema.classes)
    own = count_by_label(case_base.classes, present, case_base.schema.classes)
    within = (own + PRIOR * overall) / (sizes[:, None] + PRIOR)
    ratio = within / overall
    weights = np.minimum(np.maximum(ratio, 1.0 / ratio), MAX_WEIGHT)
    weights[sizes == 0] = 1.0
    return weights


def max_over_classes(weights: Weights, classes: Sequence[int]) -> Weights:
    """The weight of each element for a problem that may belong to any of these classes (6.5)."""
    return weights[list(classes)].max(axis=0)


@dataclass(frozen=True)
class FeatureRelevance:
    """How much a numeric feature tells about the class."""

    name: str
    deviation: float
    """Its standard deviation over all cases."""
    distance: float
    """How far the distribution within a class is from the overall one: the mean over the classes of the largest gap
    between the two cumulative distributions."""
    classes: int
    """Classes with enough cases to judge."""
    significant: int
    """The classes among them where the distributions differ by more than chance would part them."""

    @property
    def relevant(self) -> bool:
        return self.classes > 0 and self.significant >= SEVERAL * self.classes


def feature_relevance(case_base: CaseBase) -> list[FeatureRelevance]:
    """Every numeric feature, the most telling first."""
    found = []
    labels = [number for number in np.unique(case_base.classes) if np.sum(case_base.classes == number) >= SMALL_CLASS]
    for row, feature in enumerate(case_base.schema.numbers):
        values = case_base.codes[row]
        overall = np.bincount(values, minlength=256).astype(float)
        gaps, significant = [], 0
        for number in labels:
            own = np.bincount(values[case_base.classes == number], minlength=256)
            rest = overall - own
            if rest.sum() == 0:
                continue
            gap = float(np.abs(np.cumsum(own) / own.sum() - np.cumsum(rest) / rest.sum()).max())
            gaps.append(gap)
            critical = np.sqrt(-0.5 * np.log(SIGNIFICANT / 2)) * np.sqrt(1 / own.sum() + 1 / rest.sum())
            significant += bool(gap > critical)
        deviation = float(values.std()) if len(values) else 0.0
        found.append(
            FeatureRelevance(feature.name, deviation, float(np.mean(gaps)) if gaps else 0.0, len(gaps), significant)
        )
    return sorted(found, key=lambda relevance: -relevance.distance)
