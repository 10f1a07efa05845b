"""The results of a tournament: ratings by name, games lost by failing, who came before whom; also as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from boardwright.arena.ladder import Rating, Results, ratings
from boardwright.arena.record import GameRecord
from boardwright.kernel import Game
from boardwright.reports.console import as_html
from boardwright.reports.ladder import METRICS, cross_section, plot_ladder
from boardwright.reports.report import Metric, Report, Section
from boardwright.wording import counted


@dataclass(frozen=True)
class Refusal:
    """A submission that does not take part."""

    name: str
    reason: str


def forfeits(records: Sequence[GameRecord]) -> dict[str, list[str]]:
    """By spec, the reasons for which games were lost by failing."""
    found: dict[str, list[str]] = {}
    for record in records:
        if record.forfeit is not None:
            found.setdefault(record.agents[record.forfeit.seat], []).append(record.forfeit.reason)
    return found


def tournament_report(
    game: Game,
    results: Results,
    failed: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
    refused: Sequence[Refusal],
) -> Report:
    named = Results([names[spec] for spec in results.specs])
    named.before, named.games, named.outcomes = results.before, results.games, results.outcomes
    table = ratings(named)
    lost = {names[spec]: len(reasons) for spec, reasons in failed.items()}
    forfeit = Metric("", lambda row: lost.get(row[1].spec, 0), "forfeits")
    sections: list[Section | str] = [
        Section(f"{game.title}: tournament", (*METRICS, forfeit), list(enumerate(table, 1))),
        cross_section(named, table, game),
    ]
    sections += [f"{entry.name} does not take part: {entry.reason}" for entry in refused]
    for spec, reasons in failed.items():
        reason, times = Counter(reasons).most_common(1)[0]
        sections.append(f"{names[spec]} lost {counted(len(reasons), 'game')} by failing, {times} of them so: {reason}")
    data = {
        "game": game.name,
        "ratings": [_rating_data(rating, lost) for rating in table],
        "names": named.specs,
        "before": named.before.tolist(),
        "refused": [vars(entry) for entry in refused],
        "forfeits": {names[spec]: list(reasons) for spec, reasons in failed.items()},
    }
    return Report(sections, data, lambda file: plot_ladder(file, game, table))


def _rating_data(rating: Rating, lost: Mapping[str, int]) -> dict[str, object]:
    entry = vars(replace(rating))
    return {"name": entry.pop("spec"), **entry, "forfeits": lost.get(rating.spec, 0)}


def page(report: Report, title: str) -> str:
    """A report as a page that stands by itself."""
    template = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    return template.format(title=escape(title), body=as_html(report))
