"""What a bench says, as a table that can be pasted, with the command that repeats it."""

from __future__ import annotations

from boardwright.arena.ladder import Rating
from boardwright.bench.calibration import points
from boardwright.bench.ladders import RatedLadder
from boardwright.bench.rating import Measured, Met
from boardwright.bench.references import RatedSet
from boardwright.kernel import Game
from boardwright.reports.report import Metric, Report, Section, percent

ROWS = (
    Metric("spec", lambda row: row.anchor.spec, "opponent", left=True),
    Metric(
        "elo",
        lambda row: row.anchor.elo,
        "its rating",
        lambda row: row.anchor.shown,
    ),
    Metric("games", lambda row: row.games, "games"),
    Metric("share", lambda row: row.share, "ahead of it", lambda row: percent(row.share)),
    Metric("expected", lambda row: row.expected, "expected", lambda row: percent(row.expected)),
)
"""The columns for each reference that was met."""
RATED = (
    Metric("spec", lambda row: row.spec, "agent", left=True),
    Metric("elo", lambda row: row.elo, "rating (95 %)", lambda row: row.shown),
    Metric("games", lambda row: row.games, "games", lambda row: f"{row.games:,}"),
    Metric("milliseconds", lambda row: row.milliseconds, "ms per decision"),
)
"""The columns for each agent with a rating."""


def bench_report(game: Game, references: RatedSet, measured: Measured, command: str) -> Report:
    rating = f"{measured.elo:+.0f} (95 %: {measured.low:+.0f} to {measured.high:+.0f})"
    title = f"{game.title}, {references.seats} seats: {measured.spec} is rated {rating} after {measured.games} games"
    opponents: list[Met] = sorted(measured.met, key=lambda met: -met.anchor.elo)
    section = Section(title, ROWS, opponents)
    data = {
        "game": game.name,
        "seats": references.seats,
        "spec": measured.spec,
        "elo": measured.elo,
        "low": measured.low,
        "high": measured.high,
        "games": measured.games,
        "opponents": section.as_json(),
        "seeds": {name: value for name, value in measured.seeds.items() if name != "hidden_seed"},
        "references": {"version": references.version, "games": references.games, "trace": references.trace},
        "command": command,
    }
    return Report([section, f"Again: `{command}`"], data)


def references_report(game: Game, references: RatedSet) -> Report:
    """The references of a game."""
    title = f"{game.title}, {references.seats} seats: {references.games:,} games, seed {references.seed}"
    rows = sorted(references.anchors, key=lambda anchor: -anchor.elo)
    again = f"Again: `{references.command}` (Boardwright {references.version})"
    return Report([Section(title, RATED, rows), again], {"references": [row.model_dump() for row in rows]})


def widest(ratings: list[Rating]) -> str:
    """Who is known least, in one line."""
    worst = max(ratings, key=points)
    return f"widest interval: {worst.spec} {worst.elo:+.0f} ± {points(worst):.0f}"


def ladder_report(game: Game, ladder: RatedLadder) -> Report:
    """All families and the references of a game."""
    title = f"{game.title}, {ladder.seats} seats: {ladder.games:,} games, seed {ladder.seed}"
    again = f"Again: `{ladder.command}` (Boardwright {ladder.version})"
    return Report([Section(title, RATED, ladder.agents), again], ladder.model_dump())
