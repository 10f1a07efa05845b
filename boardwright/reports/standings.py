"""The report of a match: who won how often, and whether the differences are real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from boardwright.agents.characters import called
from boardwright.arena.match import Match
from boardwright.arena.runner import Outcome
from boardwright.arena.standings import (
    LEAST_EXPECTED,
    Standings,
    binomial_of_equal_chances,
    chi_square_of_equal_chances,
)
from boardwright.blame import printable
from boardwright.kernel import Game
from boardwright.reports.plots import Interval, draw_intervals, figure
from boardwright.reports.report import Metric, Report, Section, percent, percent_with_interval
from boardwright.wording import counted

METRICS = (
    Metric("spec", lambda entrant: entrant.spec, "agent", left=True),
    Metric("games", lambda entrant: entrant.games),
    Metric("wins", lambda entrant: entrant.wins, "wins", lambda entrant: f"{entrant.wins:,}"),
    Metric("draws", lambda entrant: entrant.draws, "draws", lambda entrant: f"{entrant.draws:,}"),
    Metric(
        "win_rate",
        lambda entrant: entrant.win_rate,
        "win rate (95 %)",
        lambda entrant: percent_with_interval(entrant.win_rate, entrant.interval) if entrant.games else "",
    ),
    Metric("interval", lambda entrant: list(entrant.interval)),
    Metric(
        "mean_rank",
        lambda entrant: entrant.mean_rank if entrant.games else None,
        "rank",
        lambda entrant: f"{entrant.mean_rank:.2f}" if entrant.games else "",
    ),
    Metric(
        "mean_score",
        lambda entrant: entrant.mean_score if entrant.games else None,
        "score",
        lambda entrant: f"{entrant.mean_score:.2f}" if entrant.games else "",
    ),
)
"""The columns for each agent. For another metric, add it here; it is in the table and in the JSON file then."""

BEST_MOVE = Metric(
    "best_move_rate",
    lambda entrant: entrant.best_move_rate,
    "best move",
    lambda entrant: "" if entrant.best_move_rate is None else percent(entrant.best_move_rate),
)
"""How often an agent chose what it thought best; in the table if some did not always."""


def standings_section(game: Game, standings: Standings) -> Section:
    varied = any(entrant.best_moves < entrant.decisions for entrant in standings.entrants)
    named = (replace(METRICS[0], text=lambda entrant: called(entrant.spec, game)), *METRICS[1:])
    metrics = (*named, BEST_MOVE) if varied else named
    return Section(f"{game.title}: {counted(standings.games, 'game')}", metrics, standings.entrants)


def match_report(match: Match, outcome: Outcome) -> Report:
    game, standings = match.game, outcome.standings
    data = {
        "game": match.game_name,
        "options": dict(match.options),
        "seed": outcome.seed if match.hidden_seed else match.seed,
        **({"salt": outcome.salt} if outcome.salt else {}),
        "wanted": outcome.wanted,
        "interrupted": outcome.interrupted,
        **standings_as_json(standings),
    }
    sections: list[Section | str] = [standings_section(game, standings), *remarks(game, standings)]
    data |= failures_as_json(standings)
    return Report(sections, data, lambda file: plot_standings(file, game, standings))


def standings_as_json(standings: Standings) -> dict[str, Any]:
    test = standings.chi_square()
    return {
        "games": standings.games,
        "draws": standings.draws,
        "agents": Section("", (*METRICS, BEST_MOVE), standings.entrants).as_json(),
        "seat_wins": standings.seat_wins,
        "chi_square": asdict(test) if test else None,
        "exact_p": binomial_of_equal_chances([entrant.wins for entrant in standings.entrants]),
    }


def failures_as_json(standings: Standings) -> dict[str, Any]:
    """Only where there are some: results without failures read as ever."""
    if not any(entrant.forfeits or entrant.substitutions for entrant in standings.entrants):
        return {}
    return {
        "forfeits": [entrant.forfeits for entrant in standings.entrants],
        "substitutions": [entrant.substitutions for entrant in standings.entrants],
    }


def failure_remarks(standings: Standings) -> list[str]:
    """Who lost games, or had actions played for it, because it failed."""
    lines = []
    for entrant in standings.entrants:
        times = "once" if entrant.substitutions == 1 else f"{entrant.substitutions:,} times"
        if entrant.forfeits:
            lines.append(f"Forfeits: {entrant.spec} failed in, and so lost, {counted(entrant.forfeits, 'game')}.")
        if entrant.substitutions:
            lines.append(f"Substitutes: {entrant.spec} failed {times}; the game went on.")
        if entrant.first_failure:
            first = "The first time" if entrant.forfeits + entrant.substitutions > 1 else "Why"
            lines.append(f"{first}: {printable(entrant.first_failure)}")
    return lines


def remarks(game: Game, standings: Standings) -> list[str]:
    """What the table does not say: are the differences real, and does the seat matter?"""
    wins = [entrant.wins for entrant in standings.entrants]
    lines = equal_chances(wins, "the agents differ in strength", "no difference in strength is shown")
    seats = ", ".join(f"{game.seat_name(seat)} {wins:,}" for seat, wins in enumerate(standings.seat_wins))
    lines.append(f"Wins by seat: {seats}; drawn {standings.draws:,}.")
    return lines + failure_remarks(standings)


def equal_chances(wins: Sequence[int], unequal: str, equal: str) -> list[str]:
    """Whether all are equally likely to win, in one line: exactly for two, by χ² for more; nothing if nobody won."""
    exact, test = binomial_of_equal_chances(wins), chi_square_of_equal_chances(wins)
    if exact is not None:
        name, p = "exact binomial test", exact
    elif test is not None:
        name, p = f"χ² = {test.statistic:.2f}, df = {test.df}", test.p
    else:
        few = f"too few games for a test; χ² needs {LEAST_EXPECTED * len(wins)} that somebody won"
        return [f"Equal chances? {few}."] if len(wins) > 1 and any(wins) else []
    shown = f"p = {p:.3g}" if p >= 1e-4 else "p < 0.0001"
    return [f"Equal chances? {name}, {shown}: {unequal if p < 0.05 else equal}."]


def plot_standings(file: Path, game: Game, standings: Standings) -> None:
    """Win rates with their intervals."""
    rows = [
        Interval(entrant.spec, 100 * entrant.win_rate, 100 * entrant.interval[0], 100 * entrant.interval[1])
        for entrant in standings.entrants
    ]
    with figure(file, (8, 1.2 + 0.55 * len(rows))) as (_, axes):
        draw_intervals(axes, rows, bars=True, reference=100 / len(rows))
        axes.set_xlim(0, 100)
        axes.set_xlabel("games won (%), with 95 % Wilson interval; dashed: equal chances")
        axes.set_title(f"{game.title}: {counted(standings.games, 'game')}, {standings.draws:,} drawn", loc="left")
