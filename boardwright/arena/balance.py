"""Is a game balanced? What copies of one agent, playing against each other, say about seats and choices.

A choice's advantage is measured by the share of its uses that were made by the eventual winner. If a choice helped
nobody and hurt nobody, winners would have made their usual share of the uses; the difference, with an interval that
treats the uses within one game as one observation, is the advantage.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95, ChiSquare, chi_square_of_equal_chances, ranks, wilson_interval
from boardwright.kernel import Game
from boardwright.pictures import picture


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
class BalanceReport:
    games: int = 0
    draws: int = 0
    seats: list[SeatAdvantage] = field(default_factory=list)
    seat_test: ChiSquare | None = None
    choices: list[ChoiceAdvantage] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game, records: Iterable[GameRecord]) -> BalanceReport:
        report = cls()
        places: list[list[float]] = []
        scores: list[list[float]] = []
        uses: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
        for record in records:
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

    def as_json(self, match: Match) -> dict[str, Any]:
        return {
            "game": match.game_name,
            "agent": match.entrants[0],
            "seed": match.seed,
            "options": dict(match.options),
            "games": self.games,
            "draws": self.draws,
            "seats": [asdict(seat) for seat in self.seats],
            "seat_test": asdict(self.seat_test) if self.seat_test else None,
            "choices": [{**asdict(choice), "advantage": choice.advantage} for choice in self.choices],
        }


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


def balance_tables(game: Game, agent: str, report: BalanceReport) -> list[Table | str]:
    chance = 1 / max(len(report.seats), 1)
    title = f"{game.title}: {report.games:,} games of {escape(agent)} against itself"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in ("seat", "won (95 %)", "advantage", "mean rank", "mean score"):
        table.add_column(column, justify="left" if column == "seat" else "right", no_wrap=True)
    for seat in report.seats:
        low, high = seat.interval
        table.add_row(
            seat.seat,
            f"{seat.win_rate:.1%} ({100 * low:.1f}–{100 * high:.1f})",
            _signed(100 * (seat.win_rate - chance), low > chance or high < chance),
            f"{seat.mean_rank:.2f}",
            f"{seat.mean_score:.2f}",
        )
    shown: list[Table | str] = [table]
    if report.seat_test:
        test = report.seat_test
        verdict = "the seat matters" if test.p < 0.05 else "no advantage of any seat is shown"
        shown.append(f"Equal chances? χ² = {test.statistic:.2f}, df = {test.df}, p = {test.p:.2g}: {verdict}.")
    for group in dict.fromkeys(choice.group for choice in report.choices):
        shown.append(_choice_table(group, [choice for choice in report.choices if choice.group == group]))
    return shown


def _choice_table(group: str, choices: list[ChoiceAdvantage]) -> Table:
    title = f"by {group}: winners make {choices[0].usual:.1%} of all these choices"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for column in (group, "times", "by the winner", "advantage (95 %)"):
        table.add_column(column, justify="left" if column == group else "right", no_wrap=True)
    for choice in choices:
        real = abs(choice.advantage) > choice.margin
        table.add_row(
            escape(choice.name),
            f"{choice.uses:,}",
            f"{choice.by_winner:.1%}",
            f"{_signed(100 * choice.advantage, real)} ± {100 * choice.margin:.1f}",
        )
    return table


def _signed(points: float, real: bool) -> str:
    text = f"{points:+.1f}"
    return f"[{'green' if points > 0 else 'red'}]{text}[/]" if real else text


def write_balance_plot(file: Path, game: Game, agent: str, report: BalanceReport) -> None:
    """One panel for the seats and one for each group: advantage in percentage points, with 95 % intervals."""
    chance = 1 / max(len(report.seats), 1)
    panels: list[tuple[str, list[tuple[str, float, float, float]]]] = [
        (
            "seat",
            [
                (
                    s.seat,
                    100 * (s.win_rate - chance),
                    100 * (s.win_rate - s.interval[0]),
                    100 * (s.interval[1] - s.win_rate),
                )
                for s in report.seats
            ],
        )
    ]
    for group in dict.fromkeys(choice.group for choice in report.choices):
        chosen = [choice for choice in report.choices if choice.group == group]
        panels.append((group, [(c.name, 100 * c.advantage, 100 * c.margin, 100 * c.margin) for c in chosen]))
    heights = [len(rows) + 1.5 for _, rows in panels]
    size = (8, 0.8 + 0.32 * sum(heights))
    with picture(file, size, len(panels), height_ratios=heights, squeeze=False) as (figure, axes):
        for axis, (group, rows) in zip(axes[:, 0], panels, strict=True):
            rows = rows[::-1]
            values = [value for _, value, _, _ in rows]
            errors = [[below for _, _, below, _ in rows], [above for _, _, _, above in rows]]
            colours = ["#4878a8" if value >= 0 else "#b0643c" for value in values]
            axis.barh(range(len(rows)), values, xerr=errors, color=colours, ecolor="#222222", capsize=3, height=0.65)
            axis.axvline(0, color="#222222", linewidth=0.8)
            axis.set_yticks(range(len(rows)), [name for name, *_ in rows])
            axis.set_title(f"by {group}", loc="left")
        axes[-1, 0].set_xlabel("advantage in percentage points, with 95 % interval")
        figure.suptitle(f"{game.title}: {report.games:,} games of {agent} against itself", x=0.01, ha="left")
