"""Evaluation by leave-one-out tests: each case is asked as if unknown, with its whole group left out.

Cases of one game are alike, and a game under way has none of its own in the case base; so all of them stay out, not
just the one that is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

EASIEST, HARDEST = 2, 10
"""Tests are grouped by the number of options, from 2 to 10."""


@dataclass
class EvaluationReport:
    """What a test has shown."""

    classes: int
    tested: dict[int, int] = field(default_factory=dict)
    """How many cases were asked, by the number of options."""
    right: dict[int, int] = field(default_factory=dict)
    """How many answers were the choice that was made, by the number of options."""
    shares: float = 0.0
    """The sum of the shares of votes that went to the right answer."""
    confusions: NDArray[np.int64] = field(init=False)
    """(true, answered)"""

    def __post_init__(self) -> None:
        self.confusions = np.zeros((self.classes, self.classes), np.int64)

    def add(self, options: int, true: int, votes: Sequence[tuple[int, float]]) -> None:
        """An answer, as solutions with their shares of votes, the largest first."""
        if not votes:
            return
        answered = votes[0][0]
        self.tested[options] = self.tested.get(options, 0) + 1
        self.right[options] = self.right.get(options, 0) + (answered == true)
        self.shares += dict(votes).get(true, 0.0)
        self.confusions[true, answered] += 1

    def joined(self, other: EvaluationReport) -> EvaluationReport:
        """Both tests together."""
        both = EvaluationReport(self.classes)
        for report in (self, other):
            for options, number in report.tested.items():
                both.tested[options] = both.tested.get(options, 0) + number
                both.right[options] = both.right.get(options, 0) + report.right[options]
            both.shares += report.shares
            both.confusions += report.confusions
        return both

    @property
    def cases(self) -> int:
        return sum(self.tested.values())

    @property
    def accuracy(self) -> float:
        return sum(self.right.values()) / max(self.cases, 1)

    @property
    def guessing(self) -> float:
        """What share guessing would get right."""
        return sum(number / options for options, number in self.tested.items()) / max(self.cases, 1)

    def levels(self) -> Iterable[tuple[int, int, int]]:
        """Number of options, cases and right answers, for every level of difficulty that was tested."""
        for options in range(EASIEST, HARDEST + 1):
            if options in self.tested:
                yield options, self.tested[options], self.right[options]


Answer = Callable[[int, int], Sequence[tuple[int, float]]]
"""From a case's position and the group to leave out to the answer, as solutions with shares."""


def leave_one_group_out(
    answer: Answer,
    truth: NDArray[np.uint8],
    groups: NDArray[np.int64],
    options: NDArray[np.uint8],
    classes: int,
    cases: Iterable[int],
) -> EvaluationReport:
    """Ask the given cases one after the other."""
    report = EvaluationReport(classes)
    for case in cases:
        report.add(int(options[case]), int(truth[case]), answer(case, int(groups[case])))
    return report


def spread_evenly(total: int, wanted: int) -> list[int]:
    """At most `wanted` positions, evenly spread over `total`."""
    if total <= wanted:
        return list(range(total))
    return [i * total // wanted for i in range(wanted)]
