"""Is a game balanced? What copies of one agent, playing against each other, say about seats and choices.

A choice's advantage is measured by the share of its uses that were made by the eventual winner. If a choice helped
nobody and hurt nobody, winners would have made their usual share of the uses; the difference, with an interval that
treats the uses within one game as one observation, is the advantage.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95, ChiSquare, chi_square_of_equal_chances, ranks, wilson_interval
from boardwright.kernel import Game


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


@dataclass
class Balance:
    games: int = 0
    draws: int = 0
    seats: list[SeatAdvantage] = field(default_factory=list)
    seat_test: ChiSquare | None = None
    choices: list[ChoiceAdvantage] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, records: Iterable[GameRecord]) -> Balance:
        report = cls()
        places: list[list[float]] = []
        scores: list[list[float]] = []
        uses: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
        for record in records:
            if record.forfeit is not None:  # it says something about the agent, not about the game
                continue
            report.games += 1
            placed = ranks(record.returns)
            places.append(placed)
            scores.append(record.scores)
            if 1 not in placed:
                report.draws += 1
                continue
            for group, by_name in _uses(game, record, placed.index(1)).items():
                for name, (all_uses, by_winner) in by_name.items():
                    uses[group][name].append((all_uses, by_winner))
        report.seats = [_seat(game, seat, places, scores) for seat in range(len(places[0]) if places else 0)]
        report.seat_test = chi_square_of_equal_chances([seat.wins for seat in report.seats])
        for group, choices in uses.items():
            report.choices += _choices(group, choices)
        return report


def _uses(game: Game, record: GameRecord, winner: int) -> dict[str, dict[str, tuple[int, int]]]:
    """How often each choice of each group was made in a game, and by its winner."""
    found: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    if game.metrics.action_group is None:
        return found
    for state, action in record.replay():
        if action is not None and (named := game.metrics.action_group(state.record, action)) is not None:
            group, name = named
            all_uses, by_winner = found[group].get(name, (0, 0))
            found[group][name] = (all_uses + 1, by_winner + (state.player == winner))
    return found


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
