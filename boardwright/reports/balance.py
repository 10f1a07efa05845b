"""The report of a game's balance: what seats and choices are worth."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from boardwright.arena.balance import Balance, ChoiceAdvantage, SeatAdvantage
from boardwright.arena.match import Match
from boardwright.reports.plots import Interval, draw_intervals, figure
from boardwright.reports.report import Metric, Report, Section, percent, percent_with_interval
from boardwright.reports.standings import equal_chances
from boardwright.wording import counted

_BETTER, _WORSE = "#4878a8", "#b0643c"


def balance_report(match: Match, balance: Balance) -> Report:
    agent = match.entrants[0]
    title = f"{match.game.title}: {counted(balance.games, 'game')} of {agent} against itself"
    sections: list[Section | str] = [Section(title, _seat_metrics(len(balance.seats)), balance.seats)]
    wins = [seat.wins for seat in balance.seats]
    sections += equal_chances(wins, "the seat matters", "no advantage of any seat is shown")
    for group, choices in _by_group(balance).items():
        heading = f"by {group}: winners make {choices[0].usual:.1%} of all these choices"
        sections.append(Section(heading, _choice_metrics(group), choices))
    data = {
        "game": match.game_name,
        "agent": agent,
        "seed": match.seed,
        "options": dict(match.options),
        "games": balance.games,
        "draws": balance.draws,
        "seats": [asdict(seat) for seat in balance.seats],
        "seat_test": asdict(balance.seat_test) if balance.seat_test else None,
        "choices": [{**asdict(choice), "advantage": choice.advantage} for choice in balance.choices],
    }
    return Report(sections, data, lambda file: plot_balance(file, title, balance))


def _by_group(balance: Balance) -> dict[str, list[ChoiceAdvantage]]:
    groups: dict[str, list[ChoiceAdvantage]] = {}
    for choice in balance.choices:
        groups.setdefault(choice.group, []).append(choice)
    return groups


def _seat_metrics(seats: int) -> tuple[Metric, ...]:
    fair = 1 / max(seats, 1)

    def style(seat: SeatAdvantage) -> str:
        low, high = seat.interval
        return "" if low <= fair <= high else _sign_style(seat.win_rate - fair)

    return (
        Metric("seat", lambda seat: seat.seat, "seat", left=True),
        Metric(
            "win_rate",
            lambda seat: seat.win_rate,
            "won (95 %)",
            lambda seat: percent_with_interval(seat.win_rate, seat.interval),
        ),
        Metric(
            "advantage",
            lambda seat: seat.win_rate - fair,
            "advantage",
            lambda seat: f"{100 * (seat.win_rate - fair):+.1f}",
            style,
        ),
        Metric("mean_rank", lambda seat: seat.mean_rank, "mean rank", lambda seat: f"{seat.mean_rank:.2f}"),
        Metric("mean_score", lambda seat: seat.mean_score, "mean score", lambda seat: f"{seat.mean_score:.2f}"),
    )


def _choice_metrics(group: str) -> tuple[Metric, ...]:
    return (
        Metric("name", lambda choice: choice.name, group, left=True),
        Metric("uses", lambda choice: choice.uses, "times", lambda choice: f"{choice.uses:,}"),
        Metric("by_winner", lambda choice: choice.by_winner, "by the winner", lambda choice: percent(choice.by_winner)),
        Metric(
            "advantage",
            lambda choice: choice.advantage,
            "advantage (95 %)",
            lambda choice: f"{100 * choice.advantage:+.1f} ± {100 * choice.margin:.1f}",
            lambda choice: _sign_style(choice.advantage) if abs(choice.advantage) > choice.margin else "",
        ),
    )


def _sign_style(advantage: float) -> str:
    return "green" if advantage > 0 else "red"


def plot_balance(file: Path, title: str, balance: Balance) -> None:
    """One panel for the seats and one for each group: advantage in percentage points, with 95 % intervals."""
    fair = 1 / max(len(balance.seats), 1)
    panels = {"seat": [_interval(s.seat, s.win_rate - fair, *(x - fair for x in s.interval)) for s in balance.seats]}
    for group, choices in _by_group(balance).items():
        panels[group] = [
            _interval(c.name, c.advantage, c.advantage - c.margin, c.advantage + c.margin) for c in choices
        ]
    heights = [len(rows) + 1.5 for rows in panels.values()]
    size = (8, 0.8 + 0.32 * sum(heights))
    with figure(file, size, len(panels), height_ratios=heights, squeeze=False) as (drawn, axes):
        for axis, (group, rows) in zip(axes[:, 0], panels.items(), strict=True):
            draw_intervals(axis, rows, bars=True, reference=0)
            axis.set_title(f"by {group}", loc="left")
        axes[-1, 0].set_xlabel("advantage in percentage points, with 95 % interval")
        drawn.suptitle(title, x=0.01, ha="left")


def _interval(label: str, value: float, low: float, high: float) -> Interval:
    return Interval(label, 100 * value, 100 * low, 100 * high, _BETTER if value >= 0 else _WORSE)
