"""What `boardwright cases stats`, `test` and `weights` show."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from boardwright.arena.standings import wilson_interval
from boardwright.cbr.relevance import class_weights, feature_relevance
from boardwright.cbr.testing import Report
from boardwright.errors import UnknownName
from boardwright.files import check_writable, write_json
from boardwright.games.race.cards import DESIGNS
from boardwright.scout.cases.files import END, IMPRESSIONS, load_library
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import CONFUSIONS, Reasoning, Settings
from boardwright.scout.reasoners.evaluation import TESTED_TYPES, ask_own_cases
from boardwright.scout.reasoners.explanation import solution_name

TYPE_NAMES = {
    0: "action",
    2: "discard",
    3: "develop",
    5: "settle",
    6: "payment",
    12: "trade",
    13: "consume power",
    14: "hand cards for points",
    15: "goods",
    16: "gamble",
    19: "windfall",
    END: "end of a game",
}
_TOP = 10


def _table(*columns: str, title: str = "") -> Table:
    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        words = column == "most frequent"
        table.add_column(column, justify="right" if number and not words else "left", no_wrap=not words)
    return table


def show_stats(name: str) -> None:
    library, console = load_library(name), Console()
    described = ", ".join(
        f"{key} {value}" for key, value in library.meta.items() if key not in (CONFUSIONS, IMPRESSIONS)
    )
    console.print(f"{len(library):,} cases of {library.games:,} games ({described})", highlight=False)
    table = _table("type", "cases", "a game", "classes", "most frequent")
    for kind in np.unique(library.kinds).tolist():
        memory = library.memory(kind)
        classes = Counter(memory.classes.tolist())
        frequent = ", ".join(
            f"{solution_name(kind, cls)} {number / len(memory):.0%}" for cls, number in classes.most_common(3)
        )
        summary = frequent if kind in (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE) else ""
        per_game = f"{len(memory) / max(library.games, 1):.1f}"
        table.add_row(TYPE_NAMES.get(kind, str(kind)), f"{len(memory):,}", per_game, str(len(classes)), summary)
    console.print(table)


def show_tests(name: str, most: int, weights: str, stages: int, k: int, json: Path | None) -> None:
    if json is not None:
        check_writable(json)
    settings = Settings(stages=stages, k=k)
    if weights:
        settings = Settings(stages=stages, k=k, weights=weights)
    reasoning, console, figures = Reasoning(load_library(name), settings), Console(), {}
    for tested in TESTED_TYPES:
        report = ask_own_cases(reasoning, tested, most)
        figures[tested] = as_figures(report)
        _show_report(tested, report, console)
    if json is not None:
        write_json(json, {"library": name, "stages": stages, "weights": settings.weights, "tests": figures})


def as_figures(report: Report) -> dict[str, Any]:
    return {
        "cases": report.cases,
        "accuracy": report.accuracy,
        "chance": report.chance,
        "levels": {str(options): {"cases": n, "right": right} for options, n, right in report.levels()},
        "confusions": np.argwhere(report.confusions).tolist() and [
            [int(true), int(taken), int(report.confusions[true, taken])]
            for true, taken in np.argwhere(report.confusions)
        ],
    }  # fmt: skip


def _show_report(tested: str, report: Report, console: Console) -> None:
    low, high = wilson_interval(sum(report.right.values()), report.cases)
    title = (
        f"{tested}: {report.accuracy:.1%} ({100 * low:.1f}–{100 * high:.1f}) of {report.cases:,} right; guessing would"
        f" get {report.chance:.1%}"
    )
    table = _table("options", "cases", "right (95 %)", "guessing", title=title)
    for options, number, right in report.levels():
        low, high = wilson_interval(right, number)
        share = f"{right / number:.1%} ({100 * low:.1f}–{100 * high:.1f})"
        table.add_row(str(options), f"{number:,}", share, f"{1 / options:.1%}")
    console.print(table)
    kind = TESTED_TYPES[tested]
    wrong = report.confusions.copy()
    np.fill_diagonal(wrong, 0)
    pairs = sorted(np.argwhere(wrong).tolist(), key=lambda pair: -wrong[tuple(pair)])[:5]
    if pairs:
        summary = "; ".join(
            f"{solution_name(kind, true)} taken for {solution_name(kind, taken)} {wrong[true, taken]}×"
            for true, taken in pairs
        )
        console.print(f"[dim]most confused: {summary}[/]\n", highlight=False)


def show_weights(name: str, card: str) -> None:
    library, console = load_library(name), Console()
    if card:
        _show_card(name, card, console)
        return
    for tested, kind in TESTED_TYPES.items():
        memory = library.memory(kind)
        title = f"{tested}: distributions within each class against all others, {len(memory):,} cases"
        table = _table("feature", "largest gap", "classes that differ", "relevant", title=title)
        for relevance in feature_relevance(memory):
            table.add_row(
                relevance.name,
                f"{relevance.distance:.3f}",
                f"{relevance.significant} of {relevance.classes}",
                "yes" if relevance.relevant else "",
            )
        console.print(table)


def _show_card(name: str, card: str, console: Console) -> None:
    names = {design.name: number for number, design in enumerate(DESIGNS)}
    if card not in names:
        raise UnknownName("card", card, names)
    number = names[card]
    kind = TYPE_SETTLE if DESIGNS[number].world else TYPE_DEVELOP
    memory = load_library(name).memory(kind)
    cases = int((memory.classes == number).sum())
    weights = class_weights(memory, "player_tableau")[number]
    present = memory.has("player_tableau")
    within, overall = present[memory.classes == number].mean(0) if cases else np.zeros(len(weights)), present.mean(0)
    table = _table("card in the tableau", "weight", "when placed", "always", title=f"{card}: {cases:,} placements")
    for other in np.argsort(-weights, kind="stable")[:_TOP].tolist():
        shares = f"{within[other]:.1%}", f"{overall[other]:.1%}"
        table.add_row(DESIGNS[other].name, f"{weights[other]:.2f}", *shares)
    console.print(table)
