"""Negative cases: what losers did in similar situations counts against an option.

This goes beyond the dissertation, which keeps cases of won games only. An option that winners took as often as losers
keeps its votes; what losers took more often loses some.
"""

from __future__ import annotations

import random

from boardwright.cbr.reuse import Selection
from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.recommendation import Recommendation

SMALLEST_SHARE = 0.02
"""Options without a vote are neither certain to win nor to lose."""


def corrected_by_negative_cases(
    kind: int,
    recommendation: Recommendation,
    negative: Recommendation,
    weight: float,
    selection: Selection,
    rng: random.Random,
) -> Recommendation:
    """The votes, each times how much more often winners took the option than losers did, to the power of `weight`."""
    lost = dict(negative.votes)
    corrected = []
    for choice, share in recommendation.votes:
        ratio = (share + SMALLEST_SHARE) / (lost.get(choice, 0.0) + SMALLEST_SHARE)
        corrected.append((choice, share * ratio**weight))
    total = sum(merit for _, merit in corrected)
    if not total:
        return recommendation
    votes = sorted(((choice, merit / total) for choice, merit in corrected), key=lambda vote: -vote[1])
    chosen = votes[0][0]
    if selection == "proportional":
        chosen = rng.choices([choice for choice, _ in votes], [share for _, share in votes])[0]
    return Recommendation(
        chosen,
        tuple(votes),
        lambda: recommendation.retrieved,
        solution_of(kind, chosen),
        lambda: f"{recommendation.note}; corrected by what losers did",
    )
