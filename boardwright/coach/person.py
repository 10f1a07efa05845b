"""What a person's games say: a rating, its curve, and which kinds of decisions cost most; as tables and plain data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardwright.agents import Spec
from boardwright.arena.record import GameRecord
from boardwright.coach.rating import PersonReport, person_report, to_dict
from boardwright.coach.review import PERSON, Decision, mean_accuracy, review, reviews_folder
from boardwright.kernel import Game
from boardwright.reports.plots import figure
from boardwright.reports.report import Metric, Report, Section


def person_report_of(game: Game, records: Sequence[GameRecord], seats: int, review_jobs: int) -> Report:
    """With `review_jobs`, all games are reviewed by so many threads; what was reviewed before is found again."""
    found = person_report(records, game.name, seats)
    sections: list[Section | str] = [_rating_line(game, found)]
    if found.left_out:
        sections.append(f"Left out, because nobody knows how strong they are: {', '.join(found.left_out)}.")
    data = to_dict(found)
    if review_jobs:
        decisions = _decisions(records, review_jobs)
        sections.append(_kinds_section(decisions))
        data["kinds"] = _kinds_section(decisions).as_json()
    return Report(sections, data, lambda file: plot_curve(file, found))


def _rating_line(game: Game, report: PersonReport) -> str:
    if report.now is None:
        return f"{game.title}: no games with {report.seats} seats of one person against rated agents."
    return (
        f"{game.title}: {report.now.rating:.0f} (95 %: {report.now.low:.0f} to {report.now.high:.0f}) on the scale of"
        f" the agents, from {report.now.games} game{'s' * (report.now.games > 1)}."
    )


def _decisions(records: Sequence[GameRecord], jobs: int) -> list[Decision]:
    found: list[Decision] = []
    for record in records:
        people = [seat for seat, spec in enumerate(record.agents) if Spec.parse(spec).name == PERSON]
        if people:
            reviewed = review(record, seats=people, jobs=jobs, store=reviews_folder(), explain=False)
            found += [decision for part in reviewed.seats for decision in part.decisions]
    return found


def _kinds_section(decisions: Sequence[Decision]) -> Section:
    kinds = dict.fromkeys(decision.kind for decision in decisions)
    rows = [(kind, [decision for decision in decisions if decision.kind == kind]) for kind in kinds]
    rows.sort(key=lambda row: -_lost(row))
    metrics = (
        Metric("kind", lambda row: row[0], "kind of decision", left=True),
        Metric("decisions", lambda row: len(row[1]), "decisions"),
        Metric("accuracy", lambda row: mean_accuracy(row[1]), "accuracy", lambda row: f"{mean_accuracy(row[1]):.1f}"),
        Metric("lost", _lost, "lost points", lambda row: f"{100 * _lost(row):.1f}"),
    )
    return Section("What cost most, over all games", metrics, rows)


def _lost(row: Any) -> float:
    return float(sum(decision.analysis.proven_loss for decision in row[1]))


def plot_curve(file: Path, report: PersonReport) -> None:
    """The rating after each game, with its interval."""
    with figure(file, (8.0, 4.0)) as (_, axes):
        games = [rating.games for rating in report.curve]
        axes.plot(games, [rating.rating for rating in report.curve])
        axes.fill_between(
            games, [rating.low for rating in report.curve], [rating.high for rating in report.curve], alpha=0.2
        )
        axes.set_xlabel("games")
        axes.set_ylabel("rating")
