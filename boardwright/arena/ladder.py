"""A ladder: everybody meets everybody, and every result goes into one rating.

Ratings follow the model of Bradley and Terry (1952): the odds that one beats another are the ratio of their strengths.
They are printed on Elo's scale, where 400 points more make the odds ten to one, around a mean of 0. To each
entrant's results one drawn game against an average player is added, so that somebody who never lost has a rating
too. Intervals come from the curvature of the likelihood.

In a game for more than two, each game counts as one result for every pair at the table: who came before whom. These are
not independent: who is lucky against one is lucky against all. So the scatter of whole games is looked at, too (the
"sandwich" of Huber, 1967), and the wider of the two intervals is given.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boardwright.agents import Agent
from boardwright.agents.levels import in_full
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95
from boardwright.errors import BadSpec
from boardwright.kernel import Game, rng

ELO = 400 / math.log(10)
_CLOSE_ENOUGH, _STEPS = 1e-10, 200  # rounding may keep huge numbers of games from ever coming so close

Square = NDArray[np.float64]
Floats = NDArray[np.float64]
Outcome = tuple[tuple[int, float], ...]
"""What a game says: everybody at the table with how many others they came before."""


@dataclass(frozen=True)
class Ladder:
    """The tables of a ladder."""

    game: Game
    specs: tuple[str, ...]
    seats: int
    seed: int = 0
    game_name: str = ""
    on_failure: str | None = None
    """See Match.on_failure."""
    hidden_seed: bool = False
    """See Match.hidden_seed."""
    salt: int = 0
    """See Match.salt."""
    objects: Mapping[str, Agent] = field(default_factory=dict)
    """See Match.objects."""
    seeds_by_spec: bool = False
    """Whether the seed of a table follows from who sits there, not from their places on the ladder: the games that were
    played stay valid when others come to the ladder."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "specs", tuple(in_full(spec, self.game, self.seats) for spec in self.specs))

    def check(self) -> None:
        for spec, times in Counter(self.specs).items():
            if times > 1:
                raise BadSpec(f"{spec} is named twice, perhaps by a level; each can be on the ladder once")
        if len(self.specs) < self.seats:
            raise BadSpec(f"a ladder of {self.game.name} needs at least {self.seats} agents; {len(self.specs)} given")
        for table in self.tables():
            self.match(table).check()

    def tables(self) -> list[tuple[int, ...]]:
        """Who sits together: every choice of as many entrants as there are seats. A match permutes their seats."""
        return list(itertools.combinations(range(len(self.specs)), self.seats))

    def match(self, table: tuple[int, ...]) -> Match:
        name = self.game_name or self.game.name
        entrants = tuple(self.specs[i] for i in table)
        key = tuple(_digest(spec) for spec in entrants) if self.seeds_by_spec else table
        seed = rng.derive(self.seed, *key) >> 1
        salt = rng.derive(self.salt, *key) >> 1 if self.salt else 0  # a table tells its own when it is done
        return Match(
            name,
            entrants,
            seed,
            on_failure=self.on_failure,
            hidden_seed=self.hidden_seed,
            salt=salt,
            objects=self.objects,
        )


def _digest(spec: str) -> int:
    return int.from_bytes(hashlib.sha256(spec.encode()).digest()[:8], "little")


class Results:
    """Who came before whom how often; a tie counts half for both."""

    def __init__(self, specs: Sequence[str]) -> None:
        self.specs = tuple(specs)
        self.before: Square = np.zeros((len(specs), len(specs)))
        self.games = np.zeros(len(specs), np.int64)
        self.outcomes: Counter[Outcome] = Counter()
        """Of games for more than two, whose results hang together."""

    def add(self, table: tuple[int, ...], records: Iterable[GameRecord]) -> None:
        for record in records:
            who = [table[entrant] for entrant in record.order]
            beaten = dict.fromkeys(who, 0.0)
            for a, b in itertools.permutations(range(len(who)), 2):
                ahead = record.returns[a] - record.returns[b]
                point = 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
                self.before[who[a], who[b]] += point
                beaten[who[a]] += point
            self.games[who] += 1
            if len(who) > 2:
                self.outcomes[tuple(sorted(beaten.items()))] += 1

    def share(self, i: int, j: int) -> float | None:
        """How often i came before j."""
        met = self.before[i, j] + self.before[j, i]
        return float(self.before[i, j] / met) if met else None


@dataclass(frozen=True)
class Rating:
    spec: str
    elo: float
    low: float
    high: float
    games: int
    share: float
    """Of all its pairings, how many it came out ahead in."""


def ratings(results: Results) -> list[Rating]:
    """Everybody's rating, the best first."""
    strength, error = bradley_terry(results.before, results.outcomes)
    met = (results.before + results.before.T).sum(1)
    shares = results.before.sum(1) / np.maximum(met, 1)
    found = [
        Rating(
            spec,
            ELO * strength[i],
            ELO * (strength[i] - Z95 * error[i]),
            ELO * (strength[i] + Z95 * error[i]),
            int(results.games[i]),
            float(shares[i]),
        )
        for i, spec in enumerate(results.specs)
    ]
    return sorted(found, key=lambda rating: -rating.elo)


def bradley_terry(
    before: Square,
    outcomes: Mapping[Outcome, int] | None = None,
    fixed: Floats | None = None,
    fixed_errors: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Logarithms of the strengths and their standard errors. Found by Newton's method.

    Without `outcomes`, every result is taken to be of a game of its own. `fixed` has the strengths that are known, and
    NaN for those that are looked for; without it all are looked for, and their mean is 0. `fixed_errors` are the
    standard errors of the known ones, on which the others' depend too.
    """
    n = len(before)
    met = before + before.T
    free = np.ones(n, bool) if fixed is None else np.isnan(fixed)
    strength = np.zeros(n) if fixed is None else np.where(free, 0.0, fixed)
    sought = np.ix_(free, free)
    for _ in range(_STEPS):
        wins = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        average = 1 / (1 + np.exp(-strength))
        slope = (before - met * wins).sum(1) + 0.5 - average
        weight = met * wins * (1 - wins)
        curvature = np.diag(weight.sum(1) + average * (1 - average)) - weight
        change = np.linalg.solve(curvature[sought], slope[free])
        strength[free] += change / max(1.0, float(np.abs(change).max()))
        if np.abs(change).max() < _CLOSE_ENOUGH:
            break
    centred = np.eye(n) - 1 / n if fixed is None else np.eye(int(free.sum()))
    reach = np.linalg.inv(curvature[sought]) @ centred
    variance = np.zeros(n)
    variance[free] = np.diag(centred @ reach)
    if outcomes:
        scatter = (_scatter(wins, outcomes) + np.diag(average * (1 - average)))[sought]
        variance[free] = np.maximum(variance[free], np.diag(reach.T @ scatter @ reach))
    if fixed_errors is not None:
        variance[free] += (reach @ weight[np.ix_(free, ~free)]) ** 2 @ fixed_errors[~free] ** 2
        variance[~free] = fixed_errors[~free] ** 2
    return strength - (strength.mean() if fixed is None else 0.0), np.sqrt(variance)


def _scatter(wins: Square, outcomes: Mapping[Outcome, int]) -> Square:
    """How far games fell from what was expected, squared and added up: for each entrant, and for two together."""
    total = np.zeros(wins.shape)
    for outcome, games in outcomes.items():
        who = [entrant for entrant, _ in outcome]
        expected = wins[np.ix_(who, who)].sum(1) - 0.5  # nobody meets themselves
        off = np.array([beaten for _, beaten in outcome]) - expected
        total[np.ix_(who, who)] += games * np.outer(off, off)
    return total
