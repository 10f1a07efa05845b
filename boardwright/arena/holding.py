"""How well a companion holds the win chance that it aims at, in a series of games against opponents of fixed
strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from boardwright.agents import Decision
from boardwright.arena.loop import Listener
from boardwright.arena.match import Match
from boardwright.arena.standings import PointsShare
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.kernel import Observation, State
from boardwright.kernel.ready import make_ready
from boardwright.registry import spec_after

COMPANION = "companion"


@dataclass
class AimResult(PointsShare):
    """What opponents of one strength won, where the companion aimed at a chance for each of them."""

    opponent: str
    aim: float
    games: int = 0
    points: float = 0.0
    """Games won by one of the opponents, as a share of how many they are; a shared first place counts in part."""
    given_away: float = 0.0
    """By the companion in all games, in parts of the range of the returns."""
    most_given_away: float = 0.0
    """At one decision."""

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
        """A series of `games` games for every aim and opponent."""
        results = self.aimed()
        make_ready([code for number in range(len(results)) for code in self.match(number).needs()])
        series = ((self.match(number), number, result, games) for number, result in enumerate(results))
        for number, result in executor.run(_play, series):
            results[number] = result
        return results


class _GivenAway(Listener):
    """What the companion gives away."""

    def __init__(self, seat: int, result: AimResult) -> None:
        self.seat, self.result = seat, result

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        if seat == self.seat and decision.given_away is not None:
            self.result.given_away += decision.given_away
            self.result.most_given_away = max(self.result.most_given_away, decision.given_away)


def _play(item: tuple[Match, int, AimResult, int]) -> tuple[int, AimResult]:
    """A series: the companion knows how the games before it ended."""
    match, number, result, games = item
    for index in range(games):
        seat = match.order(index).index(0)
        record = match.play(index, [_GivenAway(seat, result)])
        first = [place for place, returns in enumerate(record.returns) if returns == max(record.returns)]
        result.games += 1
        result.points += sum(place != seat for place in first) / len(first) / (len(match.entrants) - 1)
        spec = spec_after(match.entrants[0], match.game, seat, record.returns)
        match = replace(match, entrants=(spec, *match.entrants[1:]))
    return number, result
