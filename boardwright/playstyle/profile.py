"""What an agent does in its games, counted game by game, for any game.

Every game has: how many decisions a seat makes and how many are forced, how long the game is, which groups of actions
it chooses in the first, second and last third of its decisions, how varied that is (entropy), how complex the positions
are that it has to decide in (Sephton 2016, section 5.3.6), its points and their parts, and how they scatter. What
else is worth counting the game declares (`Metrics.style`, `SeatMetrics.figures`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from boardwright.agents import Agent, Decision
from boardwright.arena.accumulators import Accumulator
from boardwright.arena.record import GameRecord
from boardwright.kernel import Observation, State
from boardwright.search.width import complexities

PHASES = ("early", "middle", "late")
Z = 1.96
"""Of a 95 % interval."""
RISK = "risk (points off the mean)"
"""How far a game's points are from the agent's mean: who dares more, scatters more. It needs all games of an agent, and
so is part of profiles alone."""
RARE = 0.05
"""A feature that is known in a smaller share of the games is left out of profiles."""


@dataclass(frozen=True)
class GameRow:
    """One seat of one game."""

    agent: str
    game: int
    """Its seed: who sat at the same table has the same number."""
    features: dict[str, float]


@dataclass
class _Seat:
    """What one seat has done so far in a game."""

    groups: list[tuple[str, str] | None] = field(default_factory=list)
    forced: int = 0
    counts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


class StyleGames(Accumulator):
    """Counts what every seat does in every game; `rows` has one entry per seat and game."""

    def __init__(self) -> None:
        self.rows: list[GameRow] = []
        self._seats: list[_Seat] = []

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self._seats = [_Seat() for _ in range(state.seats)]

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        own = self._seats[seat]
        legal = observation.legal_actions()
        if len(legal) < 2:
            own.forced += 1
            return
        metrics, action = state.game.metrics, int(decision.action)
        own.groups.append(metrics.action_group(state.record, action) if metrics.action_group else None)
        for name, measure in complexities(state.game).items():
            own.counts[f"complexity {name}"].append(measure(observation))
        if metrics.style is not None:
            for name, value in metrics.style(state.record, action).items():
                own.counts[name].append(value)

    def finished(self, record: GameRecord, final: State) -> None:
        if record.forfeit is not None:
            return
        for seat, own in enumerate(self._seats):
            features = _features(own)
            features["length"] = float(len(record.actions))
            features["points"] = float(record.scores[seat])
            if final.game.metrics.seat_metrics is not None:
                metrics = final.game.metrics.seat_metrics(final.record, seat)
                features |= {f"points: {name}": float(value) for name, value in metrics.score_parts.items()}
                features |= metrics.figures
            self.rows.append(GameRow(record.agents[seat], record.seed, features))

    def merge(self, other: Self) -> None:
        self.rows += other.rows


def _features(own: _Seat) -> dict[str, float]:
    decisions = len(own.groups)
    found = {"decisions": float(decisions), "forced": own.forced / max(decisions + own.forced, 1)}
    found |= {name: math.fsum(values) / len(values) for name, values in own.counts.items()}
    named = [group for group in own.groups if group is not None]
    by_category: dict[str, Counter[str]] = defaultdict(Counter)
    for category, name in named:
        by_category[category][name] += 1
    for category, names in by_category.items():
        total = names.total()
        found |= {f"{category}: {name}": count / total for name, count in names.items()}
    found["variety"] = _entropy(Counter(named))
    for place, phase in enumerate(PHASES):
        part = own.groups[place * decisions // 3 : (place + 1) * decisions // 3]
        chosen = Counter(group[0] for group in part if group is not None)
        found |= {f"{phase}: {category}": count / len(part) for category, count in chosen.items()}
    return found


def _entropy(counts: Counter[tuple[str, str]]) -> float:
    """In bits."""
    total = counts.total()
    return -math.fsum(n / total * math.log2(n / total) for n in counts.values()) if total else 0.0


@dataclass(frozen=True)
class Figure:
    """The mean of a feature over games, and its 95 % interval."""

    mean: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class StyleProfile:
    """How an agent plays."""

    agent: str
    games: int
    figures: dict[str, Figure]


@dataclass(frozen=True)
class Matrix:
    """Games as numbers: one row per game and seat, one column per feature."""

    agents: list[str]
    features: list[str]
    values: np.ndarray[tuple[int, int], np.dtype[np.float64]]

    def of(self, agent: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        chosen = [place for place, name in enumerate(self.agents) if name == agent]
        return self.values[chosen]


def matrix(rows: Sequence[GameRow], like: Matrix | None = None) -> Matrix:
    """The features that are known in enough games. A share that is not mentioned is 0; a mean that nothing was counted
    for is unknown, and takes the mean of all games. `like`: with the features and the means of these games instead."""
    known = Counter(name for row in rows for name in row.features)
    features = like.features if like else sorted(name for name, count in known.items() if count >= RARE * len(rows))
    shares = {name for name in features if ": " in name and not name.startswith("points")}
    values = np.full((len(rows), len(features)), np.nan)
    for place, row in enumerate(rows):
        for column, name in enumerate(features):
            values[place, column] = row.features.get(name, 0.0 if name in shares else np.nan)
    if like:
        means = like.values.mean(axis=0)
    else:
        means = np.nanmean(values, axis=0) if len(rows) else np.zeros(len(features))
    unknown = np.isnan(values)
    values[unknown] = np.take(means, np.nonzero(unknown)[1])
    return Matrix([row.agent for row in rows], features, values)


def profiles(rows: Sequence[GameRow], agents: Iterable[str] | None = None) -> list[StyleProfile]:
    """A profile of each agent, in the order given or as they appear."""
    table = matrix(rows)
    order = list(dict.fromkeys(table.agents)) if agents is None else list(agents)
    found = []
    for agent in order:
        values = table.of(agent)
        figures = {name: _figure(values[:, column]) for column, name in enumerate(table.features) if len(values)}
        if "points" in figures:
            points = values[:, table.features.index("points")]
            figures[RISK] = _figure(np.abs(points - points.mean()))
        found.append(StyleProfile(agent, len(values), figures))
    return found


def _figure(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Figure:
    mean = float(values.mean())
    margin = Z * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Figure(mean, mean - margin, mean + margin, len(values))
