"""A companion: plays so that the others keep a chosen chance to win, instead of playing to win.

It searches like `ismcts`. Where its own chance is no better than it aims at, it plays the best action it has found.
Where it is better, it chooses among the root's actions by what they are worth to itself: the one nearest to the aim or,
if the aim lies between two, one of both at random, so that the mean is the aim. (Choosing by outcome is ROSAS, Demediuk
et al. 2017; drawing between two actions is ours. It keeps the aim where only wins and losses are left.)
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from boardwright.agents import Decision, param
from boardwright.kernel import Observation
from boardwright.search.ismcts import ISMCTS
from boardwright.search.root_choice import Candidate, RootChoice
from boardwright.search.statistics import Statistics

ENOUGH_VISITS = 0.03
"""The share of all visits that an action needs for its mean to be believed."""


class Companion(ISMCTS):
    """Aims at a chosen win chance of the others by playing no better than needed."""

    win_chance: float | None = param(
        None, "the chance to win that each of the others is to have; default: the same for all seats", gt=0, lt=1
    )

    def conclude(
        self, statistics: Statistics, observation: Observation, chance: random.Random, summary: str
    ) -> Decision:
        ranked = RootChoice("robust").rank(statistics.candidates(self.game.min_utility, self.game.max_utility))
        visits = max(sum(candidate.visits for candidate in ranked), 1)
        here = sum(candidate.visits * candidate.mean for candidate in ranked) / visits
        others = observation.seats - 1
        aim = 1 - others * (self.win_chance or 1 / observation.seats)
        judged = [candidate for candidate in ranked if candidate.visits >= ENOUGH_VISITS * visits] or ranked
        chosen = ranked[0] if here <= aim else nearest(judged, aim, chance)
        decision = Decision(
            chosen.action, statistics.reasons(ranked), f"{summary}; aims at {aim:.2f} for itself, has {here:.2f}"
        )
        decision.best = chosen == ranked[0]
        return decision


def nearest(candidates: Sequence[Candidate], aim: float, chance: random.Random) -> Candidate:
    """The candidate whose mean is the aim, or one of the two next to it, at random so that the mean is the aim."""
    below = max((c for c in candidates if c.mean <= aim), key=lambda c: (c.mean, c.visits), default=None)
    above = min((c for c in candidates if c.mean > aim), key=lambda c: (c.mean, -c.visits), default=None)
    if below is None or above is None:
        found = below or above
        assert found is not None, "a search has at least one action"
        return found
    return above if chance.random() < (aim - below.mean) / (above.mean - below.mean) else below
