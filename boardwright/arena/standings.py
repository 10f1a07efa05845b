"""What the games of a match say about its entrants."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boardwright.arena.record import GameRecord
from boardwright.frames import to_frame

if TYPE_CHECKING:
    import pandas

Z95 = 1.959963984540054


def wilson_interval(successes: float, trials: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval for a proportion (95 % by default)."""
    if trials == 0:
        return (0.0, 1.0)
    share = successes / trials
    scale = 1 + z * z / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # The interval holds the share itself, whatever rounding does at 0 and 1.
    return (min(share, max(0.0, (centre - spread) / scale)), max(share, min(1.0, (centre + spread) / scale)))


def ranks(returns: Sequence[float]) -> list[float]:
    """The place of each seat, 1 is first; seats with equal returns share the mean of their places."""
    return [
        1 + sum(other > own for other in returns) + (sum(other == own for other in returns) - 1) / 2 for own in returns
    ]


@dataclass(frozen=True)
class ChiSquare:
    statistic: float
    df: int
    p: float


LEAST_EXPECTED = 5
"""With fewer expected in a cell, the distribution of Pearson's statistic is not near enough to χ²."""


def chi_square_of_equal_chances(wins: Sequence[int]) -> ChiSquare | None:
    """Pearson's test of whether all entrants are equally likely to win; None if too few games were won for it."""
    decided = sum(wins)
    if len(wins) < 2 or decided < LEAST_EXPECTED * len(wins):
        return None
    expected = decided / len(wins)
    statistic = sum((observed - expected) ** 2 / expected for observed in wins)
    df = len(wins) - 1
    return ChiSquare(statistic, df, chi_square_tail(df, statistic))


def chi_square_tail(df: int, statistic: float) -> float:
    """The probability that a chi-square variable exceeds this statistic: `scipy.special.chdtrc` for whole degrees of
    freedom, whose import would take a fourth of the time of a short match."""
    half = statistic / 2
    if half == 0:
        return 1.0
    orders = [df % 2 / 2 + step for step in range(df // 2)]
    terms = (math.exp(order * math.log(half) - half - math.lgamma(order + 1)) for order in orders)
    return sum(terms, math.erfc(math.sqrt(half)) if df % 2 else 0.0)


def binomial_of_equal_chances(wins: Sequence[int]) -> float | None:
    """The exact binomial test of whether two entrants are equally likely to win: its two-sided p, for any number of
    games; None if nobody has won, or there are more than two."""
    if len(wins) != 2 or not sum(wins):
        return None
    games, fewer = sum(wins), min(wins)
    if 2 * fewer == games:
        return 1.0
    term = math.exp(
        math.lgamma(games + 1) - math.lgamma(fewer + 1) - math.lgamma(games - fewer + 1) - games * math.log(2)
    )
    tail = 0.0
    while fewer >= 0 and tail + term != tail:  # from the likeliest on, until nothing that counts is left
        tail += term
        term *= fewer / (games - fewer + 1)
        fewer -= 1
    return min(1.0, 2 * tail)


class PointsShare:
    """The share of points in games, for what counts both."""

    games: int
    points: float

    @property
    def share(self) -> float:
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.points, self.games)


@dataclass
class Entrant:
    """The record of one agent in a match."""

    spec: str
    games: int = 0
    wins: int = 0
    """Games in which it alone came first."""
    draws: int = 0
    """Games in which it shared the first place."""
    forfeits: int = 0
    """Games that it lost because it failed."""
    substitutions: int = 0
    """Actions that were played for it because it failed."""
    first_failure: str = ""
    """Why it failed the first time, if it did."""
    rank_sum: float = 0.0
    score_sum: float = 0.0
    decisions: int = 0
    """Decisions with a reported preference."""
    best_moves: int = 0
    """Decisions in which it chose what it preferred."""

    @property
    def win_rate(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.wins, self.games)

    @property
    def best_move_rate(self) -> float | None:
        """BestMove %: the share of decisions for the action it thinks best."""
        return self.best_moves / self.decisions if self.decisions else None

    @property
    def mean_rank(self) -> float:
        return self.rank_sum / self.games if self.games else math.nan

    @property
    def mean_score(self) -> float:
        return self.score_sum / self.games if self.games else math.nan


@dataclass
class Standings:
    """The table of a match; games are added as they finish."""

    entrants: list[Entrant]
    games: int = 0
    draws: int = 0
    seat_wins: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, specs: Iterable[str], records: Iterable[GameRecord] = ()) -> Standings:
        entrants = [Entrant(spec) for spec in specs]
        standings = cls(entrants, seat_wins=[0] * len(entrants))
        for record in records:
            standings.add(record)
        return standings

    def add(self, record: GameRecord) -> None:
        self.games += 1
        places = ranks(record.returns)
        best = min(places)
        self.draws += best != 1
        for seat, entrant_number in enumerate(record.order):
            entrant = self.entrants[entrant_number]
            entrant.games += 1
            entrant.rank_sum += places[seat]
            entrant.score_sum += record.scores[seat]
            if record.best_moves:
                entrant.decisions += len(record.best_moves[seat])
                entrant.best_moves += record.best_moves[seat].count("1")
            if places[seat] == 1:
                entrant.wins += 1
                self.seat_wins[seat] += 1
            elif places[seat] == best:
                entrant.draws += 1
            substitutions = [given for given in record.substitutions if given.seat == seat]
            forfeits = [record.forfeit] if record.forfeit is not None and record.forfeit.seat == seat else []
            entrant.forfeits += len(forfeits)
            entrant.substitutions += len(substitutions)
            if not entrant.first_failure:
                entrant.first_failure = next((failure.reason for failure in (*substitutions, *forfeits)), "")

    def to_frame(self) -> pandas.DataFrame:
        """A row for every entrant."""
        return to_frame(
            {
                "spec": entrant.spec,
                "games": entrant.games,
                "wins": entrant.wins,
                "draws": entrant.draws,
                "win_rate": entrant.win_rate,
                "interval": entrant.interval,
                "mean_rank": entrant.mean_rank,
                "mean_score": entrant.mean_score,
            }
            for entrant in self.entrants
        )

    def chi_square(self) -> ChiSquare | None:
        return chi_square_of_equal_chances([entrant.wins for entrant in self.entrants])
