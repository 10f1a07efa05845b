"""What `boardwright cases test` does: SCOUT is asked about decisions whose answers are known.

Cases alone answer by default. The policy network of a case base was trained on the games that are asked about, so that
it would know the answers; with `--policy-network` it is trained anew, twice, each time on one half of the games, and
asked about the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from boardwright.agents import Spec
from boardwright.agents.base import checked_params
from boardwright.arena.standings import wilson_interval
from boardwright.cbr.evaluation import EvaluationReport
from boardwright.files import check_writable, write_json
from boardwright.scout.cases.collection import POLICY_NETWORK, CaseCollection
from boardwright.scout.cases.files import load_cases
from boardwright.scout.commands.case_reports import plain_table
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.evaluation import TESTED_TYPES, ask_about
from boardwright.scout.reasoners.explanation import solution_name
from boardwright.scout.reasoners.policy_training import train_policy
from boardwright.scout.reasoners.settings import Settings
from boardwright.scout.scout2 import Scout2


@dataclass(frozen=True)
class Test:
    """What is tested, and on what."""

    case_base: str
    limit: int
    """The most cases of each type."""
    asked: str = ""
    """Another case base that the questions come from."""
    leave_in: bool = False
    """Whether the case itself, and its game, stay in the case base."""
    policy_network: bool = False

    def runs(self, settings: Settings) -> Iterator[tuple[Reasoners, CaseCollection]]:
        """Reasoners, and the cases to ask them about."""
        cases = load_cases(self.case_base)
        asked = load_cases(self.asked) if self.asked else cases
        if not self.policy_network or self.asked:
            yield Reasoners(cases, replace(settings, policy_network=self.policy_network)), asked
            return
        for half in (0, 1):
            theirs = cases.groups % 2 == half
            trained = train_policy(cases.records[~theirs])
            known = replace(cases, meta={**cases.meta, POLICY_NETWORK: trained})
            yield Reasoners(known, replace(settings, policy_network=True)), cases.subset(np.flatnonzero(theirs))


def settings_of(scout: str, given: dict[str, Any]) -> Settings:
    """Settings by parameters of scout2. A number of stages means adaptation, so without option rates."""
    params: dict[str, Any] = dict(Spec.parse(f"scout2:{scout}" if scout else "scout2").params)
    params |= {name: value for name, value in given.items() if value}
    if given.get("stages"):
        params["option_rates"] = False
    return Settings.of(checked_params(Scout2, params))


def show_tests(test: Test, scout: str, given: dict[str, Any], json: Path | None, console: Console) -> dict[str, Any]:
    """The figures by type of decision."""
    if json is not None:
        check_writable(json)
    settings, figures = settings_of(scout, given), {}
    reports = {name: EvaluationReport(0) for name in TESTED_TYPES}
    for reasoners, asked in test.runs(settings):
        for name in TESTED_TYPES:
            found = ask_about(reasoners, asked, name, test.limit, same=not test.asked, leave_in=test.leave_in)
            reports[name] = found if not reports[name].classes else reports[name].joined(found)
    for name, report in reports.items():
        figures[name] = as_figures(report)
        _show_report(name, report, console)
    if json is not None:
        write_json(json, {**vars(test), "settings": vars(settings), "tests": figures})
    return figures


def as_figures(report: EvaluationReport) -> dict[str, Any]:
    return {
        "cases": report.cases,
        "accuracy": report.accuracy,
        "guessing": report.guessing,
        "levels": {str(options): {"cases": n, "right": right} for options, n, right in report.levels()},
        "confusions": np.argwhere(report.confusions).tolist() and [
            [int(true), int(predicted), int(report.confusions[true, predicted])]
            for true, predicted in np.argwhere(report.confusions)
        ],
    }  # fmt: skip


def _show_report(tested: str, report: EvaluationReport, console: Console) -> None:
    low, high = wilson_interval(sum(report.right.values()), report.cases)
    title = (
        f"{tested}: {report.accuracy:.1%} ({100 * low:.1f}–{100 * high:.1f}) of {report.cases:,} right; guessing would"
        f" get {report.guessing:.1%}"
    )
    table = plain_table("options", "cases", "right (95 %)", "guessing", title=title)
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
            f"{solution_name(kind, true)} mistaken for {solution_name(kind, predicted)} {wrong[true, predicted]}×"
            for true, predicted in pairs
        )
        console.print(f"[dim]most confused: {summary}[/]\n", highlight=False)
