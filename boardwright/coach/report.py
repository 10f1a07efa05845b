"""A review as tables, plain data and a curve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardwright.coach.luck import Account
from boardwright.coach.review import Decision, Review, SeatReview, mean_accuracy, to_dict
from boardwright.reports.plots import figure
from boardwright.reports.report import Metric, Report, Section

SWINGS = 3
"""So many turns of luck are listed."""


def review_report(reviewed: Review) -> Report:
    budget = reviewed.budget
    sections: list[Section | str] = [
        f"{reviewed.title}, game {reviewed.record.index + 1}: judged by {reviewed.evaluator}, every decision from what"
        f" its seat knew, in {budget.selection} determinizations and {budget.least} to {budget.most} more."
    ]
    for part in reviewed.seats:
        sections += _seat_sections(part, len(reviewed.record.actions))
    return Report(sections, to_dict(reviewed), lambda file: plot_curve(file, reviewed))


def _seat_sections(part: SeatReview, moves: int) -> list[Section | str]:
    if not part.decisions:
        return [f"\n{part.name} ({part.agent}) had nothing to decide."]
    found: list[Section | str] = [
        f"\n{part.name} ({part.agent}): accuracy {part.accuracy:.1f}, {len(part.mistakes)} mistakes in"
        f" {len(part.decisions)} decisions"
    ]
    if part.mistakes:
        found.append(_mistakes_section(part))
        for decision in part.mattered:
            found += [f"Move {decision.move} ({decision.kind}, {decision.phase})", *_indented(decision.sentences)]
    else:
        found.append("No decision is known to have cost anything.")
    found += [_accuracy_section(part), *account_lines(part.account, moves)]
    return found


def _indented(sentences: tuple[str, ...]) -> list[str]:
    return [f"  {sentence}" for sentence in sentences]


def points(value: float) -> str:
    return f"{100 * value:.1f}"


def _mistakes_section(part: SeatReview) -> Section:
    def with_error(decision: Decision) -> str:
        return f"{points(decision.analysis.loss)} ± {points(decision.analysis.standard_error)}"

    metrics = (
        Metric("move", lambda d: d.move, "move"),
        Metric("played", lambda d: d.text, "played", left=True),
        Metric("better", lambda d: d.better, "better", left=True),
        Metric("loss", lambda d: d.analysis.loss, "lost points", with_error),
    )
    return Section("Mistakes, the largest first", metrics, part.mistakes)


def _accuracy_section(part: SeatReview) -> Section:
    rows = [(name, found) for name, found in (*part.by_phase().items(), *part.by_kind().items()) if found]
    metrics = (
        Metric("part", lambda row: row[0], "part of the game, kind of decision", left=True),
        Metric("decisions", lambda row: len(row[1]), "decisions"),
        Metric("accuracy", lambda row: mean_accuracy(row[1]), "accuracy", lambda row: f"{mean_accuracy(row[1]):.1f}"),
        Metric(
            "lost",
            lambda row: sum(d.analysis.proven_loss for d in row[1]),
            "lost points",
            lambda row: points(sum(d.analysis.proven_loss for d in row[1])),
        ),
    )
    return Section("", metrics, rows)


def account_lines(account: Account, moves: int) -> list[str]:
    """The account of luck, as a sum that can be checked."""
    others = "chance" if account.given is not None else "chance and the others"
    given = "" if account.given is None else f" {_signed(account.given)} the other's mistakes"
    lines = [
        f"Luck: {points(account.start)} an even share {_signed(account.luck)} {others}{given}"
        f" {_signed(-account.lost)} own decisions = {points(account.result)} the result"
        f" (standard errors: luck {points(account.luck_error)}, decisions {points(account.lost_error)})."
    ]
    clear = sorted((swing for swing in account.swings if swing.is_clear), key=lambda swing: -abs(swing.change))
    for swing in clear[:SWINGS]:
        when = f"up to move {swing.before}" if not swing.after else f"from move {swing.after} to {swing.before}"
        lines.append(f"  {_signed(swing.change)} {when}{' (the end)' if swing.before == moves else ''}")
    return lines


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '−'} {points(abs(value))}"


def plot_curve(file: Path, reviewed: Review) -> None:
    """The value of every reviewed seat over the moves, with the mistakes."""
    with figure(file, (8.0, 4.0)) as (_, axes):
        draw_curve(axes, reviewed)


def draw_curve(axes: Any, reviewed: Review) -> None:
    for part in reviewed.seats:
        moves = [decision.move for decision in part.decisions]
        line = axes.plot(moves, [100 * d.analysis.value for d in part.decisions], label=f"{part.name} ({part.agent})")
        worst = part.mattered
        axes.scatter(
            [d.move for d in worst], [100 * d.analysis.value for d in worst], color=line[0].get_color(), zorder=3
        )
    axes.set_xlabel("move")
    axes.set_ylabel("chance to win, %")
    axes.set_ylim(0, 100)
    axes.legend()
