"""Negative cases: what losers did in situations like this counts against an option.

This goes beyond the dissertation, which keeps cases of won games only. An option that winners took as often as losers
is left as it was; what losers took more often loses.
"""

from __future__ import annotations

import random

from boardwright.scout.reasoners.placement import solution_of
from boardwright.scout.reasoners.recommendation import Picking, Thought

SMALLEST_SHARE = 0.02
"""Options without a vote are neither certain to win nor to lose."""


def weighed_against(
    kind: int, thought: Thought, losers: Thought, weight: float, picking: Picking, chance: random.Random
) -> Thought:
    """A thought whose votes are corrected by how much more often winners took an option than losers did."""
    lost = dict(losers.votes)
    corrected = []
    for choice, share in thought.votes:
        ratio = (share + SMALLEST_SHARE) / (lost.get(choice, 0.0) + SMALLEST_SHARE)
        corrected.append((choice, share * ratio**weight))
    total = sum(merit for _, merit in corrected)
    if not total:
        return thought
    votes = sorted(((choice, merit / total) for choice, merit in corrected), key=lambda vote: -vote[1])
    chosen = votes[0][0]
    if picking == "proportional":
        chosen = chance.choices([choice for choice, _ in votes], [share for _, share in votes])[0]
    return Thought(
        chosen,
        tuple(votes),
        lambda: thought.retrieved,
        solution_of(kind, chosen),
        lambda: f"{thought.note}; weighed against what losers did",
    )
