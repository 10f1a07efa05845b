"""How well a companion holds the win chance that it aims at, against opponents of fixed strength."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardwright.arena.match import Match
from boardwright.arena.standings import PointsShare
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.kernel.ready import make_ready

COMPANION = "companion"


@dataclass
class AimResult(PointsShare):
    """What opponents of one strength won, where the companion aimed at a chance for each of them."""

    opponent: str
    aim: float
    games: int = 0
    points: float = 0.0
    """Games won by one of the opponents, as a share of how many they are; a shared first place counts in part."""

    @property
    def off(self) -> float:
        """How far from the aim."""
        return self.share - self.aim


@dataclass(frozen=True)
class HoldingStudy:
    """Every aim against every opponent."""

    game_name: str
    aims: Sequence[float]
    opponents: Sequence[str]
    companion: str = ""
    """Further parameters of the companion, as "iterations=500"."""
    seats: int = 2
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        for aim in self.aims:
            if not 0 < aim < 1 / (self.seats - 1):
                raise BadSpec(f"a chance of {aim:g} for each of {self.seats - 1} opponents cannot be aimed at")
        for number in range(len(self.aims) * len(self.opponents)):
            self.match(number).check()

    def aimed(self) -> list[AimResult]:
        return [AimResult(opponent, aim) for opponent in self.opponents for aim in self.aims]

    def match(self, number: int) -> Match:
        result = self.aimed()[number]
        parameters = ",".join(filter(None, [f"win_chance={result.aim:g}", self.companion]))
        entrants = (f"{COMPANION}:{parameters}", *[result.opponent] * (self.seats - 1))
        return Match(self.game_name, entrants, self.seed, dict(self.options))

    def run(self, games: int, executor: Executor) -> list[AimResult]:
        """Play `games` games for every aim and opponent."""
        results = self.aimed()
        make_ready([code for number in range(len(results)) for code in self.match(number).needs()])
        for number, point in executor.run(_play, self._games(len(results), games)):
            results[number].games += 1
            results[number].points += point / (self.seats - 1)
        return results

    def _games(self, cells: int, games: int) -> Iterator[tuple[Match, int, int]]:
        for index in range(games):
            for number in range(cells):
                yield self.match(number), number, index


def _play(item: tuple[Match, int, int]) -> tuple[int, float]:
    """What the opponents won of one game, together."""
    match, number, index = item
    record = match.play(index)
    best = max(record.returns)
    first = [record.order[seat] for seat, returns in enumerate(record.returns) if returns == best]
    return number, sum(entrant != 0 for entrant in first) / len(first)
