"""A companion: plays so that the others keep a chosen chance to win, instead of playing to win.

It searches like `ismcts`, and either plays its best action or yields: plays the worst that it knows enough of. A number
that is drawn once per game decides which, so that it does not win a game in the end that it had begun to give away.

It yields the more, the weaker the others are: against strong ones it loses by itself, and very weak ones miss most of
what they are offered. How weak they are it tells by what they give away: the value of its best action now, less that of
the action it played last. Against an equal that is nothing on average.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from boardwright.agents import Decision, param
from boardwright.kernel import Code, Observation
from boardwright.search.game_clock import decisions_code, decisions_left
from boardwright.search.ismcts import ISMCTS
from boardwright.search.root_choice import Candidate, RootChoice
from boardwright.search.statistics import Statistics

ENOUGH_VISITS = 0.03
"""The share of all visits that an action needs for its mean to be believed."""
DOUBT = 0.05
"""As if the others had given away nothing in so large a part of the game before."""


@dataclass
class Gifts:
    """What the others have given away in a game, in chances to win."""

    total: float = 0.0
    decisions: int = 0
    played: float | None = None
    """The value of the action that was played last."""

    def notice(self, best: float) -> None:
        """The best action is worth this now."""
        if self.played is not None:
            self.total += best - self.played
            self.decisions += 1

    def in_whole_game(self, decisions_left: float) -> float:
        """If the others go on like this."""
        decisions = self.decisions + decisions_left
        return self.total / (self.decisions + DOUBT * decisions) * decisions


def pressure(gifts: float, even: float) -> float:
    """What it has to give away: the chance to win of an even game, and what the others give it, up to twice as much as
    leads to a won game."""
    return even + min(max(gifts, 0.0), 2 * (1 - even))


class Companion(ISMCTS):
    """Aims at a chosen win chance of the others by playing no better than needed."""

    win_chance: float | None = param(
        None, "the chance to win that each of the others is to have; default: the same for all seats", gt=0, lt=1
    )

    def prepare(self) -> None:
        super().prepare()
        self._begin()

    def start_game(self, observation: Observation) -> None:
        super().start_game(observation)
        self._begin()

    def _begin(self) -> None:
        self._gifts = Gifts()
        self._drawn = random.Random(self.seed).random()

    def needs(self) -> list[Code]:
        return [*super().needs(), *decisions_code(self.game)]

    def conclude(
        self, statistics: Statistics, observation: Observation, chance: random.Random, summary: str
    ) -> Decision:
        ranked = RootChoice("robust").rank(statistics.candidates(self.game.min_utility, self.game.max_utility))
        best = ranked[0]
        self._gifts.notice(best.mean)
        gifts = self._gifts.in_whole_game(decisions_left(self.game, observation, self.rng_state(observation)))
        even = 1 / observation.seats
        aim = 1 - (observation.seats - 1) * (self.win_chance or even)
        yields = self._drawn * pressure(gifts, even) > aim
        chosen = yielding(ranked) if yields else best
        self._gifts.played = chosen.mean
        decision = Decision(
            chosen.action,
            statistics.reasons(ranked),
            f"{summary}; aims at {aim:.2f} for itself, has {best.mean:.2f}, {'yields' if yields else 'plays to win'}",
        )
        decision.best = chosen == best
        return decision


def yielding(ranked: Sequence[Candidate]) -> Candidate:
    """The worst of the actions that the search knows enough of."""
    visits = sum(candidate.visits for candidate in ranked)
    judged = [candidate for candidate in ranked if candidate.visits >= ENOUGH_VISITS * visits]
    return min(judged or ranked, key=lambda candidate: candidate.mean)
