"""Is a game balanced? What copies of one agent, playing against each other, say about seats and choices.

A choice's advantage is measured by the share of its uses that were made by the eventual winner. If a choice helped
nobody and hurt nobody, winners would have made their usual share of the uses; the difference, with an interval that
treats the uses within one game as one observation, is the advantage.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from boardwright.agents import Decision
from boardwright.arena.accumulators import Accumulator
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95, ChiSquare, chi_square_of_equal_chances, ranks, wilson_interval
from boardwright.kernel import Game, Observation, State


@dataclass(frozen=True)
class SeatAdvantage:
    seat: str
    games: int
    wins: int
    win_rate: float
    interval: tuple[float, float]
    mean_rank: float
    mean_score: float


@dataclass(frozen=True)
class ChoiceAdvantage:
    """A choice within its group: how often it was made, and how much more often by winners than other choices."""

    group: str
    name: str
    uses: int
    games: int
    """Games in which anybody made it."""
    by_winner: float
    usual: float
    """The winners' share of all uses in the group."""
    margin: float
    """Half the 95 % interval of the difference."""

    @property
    def advantage(self) -> float:
        return self.by_winner - self.usual


class Balance(Accumulator):
    """What finished games say. Forfeited ones say something about an agent, not about the game, and are left out."""

    def __init__(self) -> None:
        self.draws = 0
        self._game: Game | None = None
        self._places: list[list[float]] = []
        self._scores: list[list[float]] = []
        self._uses: dict[str, dict[str, list[tuple[int, int]]]] = {}
        """By group and choice: how often it was made in each game with a winner, and how often by that winner."""
        self._made: Counter[tuple[str, str, int]] = Counter()  # choices in the game under way, by seat

    @classmethod
    def of(cls, game: Game, records: Iterable[GameRecord]) -> Balance:
        return cls.over(records)

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        group_of = state.game.metrics.action_group
        if group_of is not None and (named := group_of(state.record, decision.action)) is not None:
            self._made[*named, seat] += 1

    def finished(self, record: GameRecord, final: State) -> None:
        made, self._made = self._made, Counter()
        if record.forfeit is not None:
            return
        self._game = final.game
        placed = ranks(record.returns)
        self._places.append(placed)
        self._scores.append(record.scores)
        if 1 not in placed:
            self.draws += 1
            return
        by_choice: dict[tuple[str, str], tuple[int, int]] = {}
        for (group, name, seat), times in made.items():
            uses, by_winner = by_choice.get((group, name), (0, 0))
            by_choice[group, name] = uses + times, by_winner + (times if seat == placed.index(1) else 0)
        for (group, name), used in by_choice.items():
            self._uses.setdefault(group, {}).setdefault(name, []).append(used)

    def merge(self, other: Balance) -> None:
        self.draws += other.draws
        self._game = self._game or other._game
        self._places += other._places
        self._scores += other._scores
        for group, by_name in other._uses.items():
            for name, used in by_name.items():
                self._uses.setdefault(group, {}).setdefault(name, []).extend(used)

    @property
    def games(self) -> int:
        return len(self._places)

    @cached_property
    def seats(self) -> list[SeatAdvantage]:
        game, places = self._game, self._places
        if game is None:
            return []
        return [_seat(game, seat, places, self._scores) for seat in range(len(places[0]))]

    @cached_property
    def seat_test(self) -> ChiSquare | None:
        return chi_square_of_equal_chances([seat.wins for seat in self.seats])

    @cached_property
    def choices(self) -> list[ChoiceAdvantage]:
        return [choice for group, by_name in self._uses.items() for choice in _choices(group, by_name)]


def _seat(game: Game, seat: int, places: list[list[float]], scores: list[list[float]]) -> SeatAdvantage:
    games = len(places)
    wins = sum(placed[seat] == 1 for placed in places)
    return SeatAdvantage(
        seat=game.seat_name(seat),
        games=games,
        wins=wins,
        win_rate=wins / games,
        interval=wilson_interval(wins, games),
        mean_rank=sum(placed[seat] for placed in places) / games,
        mean_score=sum(scored[seat] for scored in scores) / games,
    )


def _choices(group: str, by_name: dict[str, list[tuple[int, int]]]) -> list[ChoiceAdvantage]:
    totals = {name: (sum(u for u, _ in games), sum(w for _, w in games)) for name, games in by_name.items()}
    usual = sum(w for _, w in totals.values()) / sum(u for u, _ in totals.values())
    found = []
    for name, games in by_name.items():
        uses, by_winner = totals[name]
        rate = by_winner / uses
        spread = math.sqrt(sum((w - rate * u) ** 2 for u, w in games)) / uses
        found.append(ChoiceAdvantage(group, name, uses, len(games), rate, usual, Z95 * spread))
    return sorted(found, key=lambda choice: -choice.advantage)
