"""What `boardwright cases stats` and `weights` show."""

from __future__ import annotations

from collections import Counter

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from boardwright.cbr.weights import class_weights, feature_relevance
from boardwright.errors import UnknownName
from boardwright.games.race.cards import DESIGNS
from boardwright.scout.cases.collection import CONFUSIONS, POLICY_NETWORK, CaseCollection
from boardwright.scout.cases.files import load_cases
from boardwright.scout.documents.xml_parsing import printable
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE
from boardwright.scout.reasoners.evaluation import TESTED_TYPES
from boardwright.scout.reasoners.explanation import TYPE_NAMES, solution_name

_TOP = 10


def plain_table(*columns: str, title: str = "") -> Table:
    table = Table(title=title or None, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        words = column == "most frequent"
        table.add_column(column, justify="right" if number and not words else "left", no_wrap=not words)
    return table


def show_stats(name: str, console: Console) -> CaseCollection:
    cases = load_cases(name)
    described = ", ".join(
        printable(f"{key} {value}") for key, value in cases.meta.items() if key not in (CONFUSIONS, POLICY_NETWORK)
    )
    console.print(f"{len(cases):,} cases of {cases.games:,} games ({described})", highlight=False, markup=False)
    table = plain_table("type", "cases", "a game", "classes", "most frequent")
    for kind in np.unique(cases.types).tolist():
        case_base = cases.case_base(kind)
        classes = Counter(case_base.classes.tolist())
        frequent = ", ".join(
            f"{solution_name(kind, cls)} {number / len(case_base):.0%}" for cls, number in classes.most_common(3)
        )
        summary = frequent if kind in (TYPE_ACTION, TYPE_DEVELOP, TYPE_SETTLE) else ""
        per_game = f"{len(case_base) / max(cases.games, 1):.1f}"
        table.add_row(TYPE_NAMES.get(kind, str(kind)), f"{len(case_base):,}", per_game, str(len(classes)), summary)
    console.print(table)
    return cases


def show_weights(name: str, card: str, console: Console) -> None:
    cases = load_cases(name)
    if card:
        _show_card(name, card, console)
        return
    for tested, kind in TESTED_TYPES.items():
        case_base = cases.case_base(kind)
        title = f"{tested}: distributions within each class against all others, {len(case_base):,} cases"
        table = plain_table("feature", "largest gap", "classes that differ", "relevant", title=title)
        for relevance in feature_relevance(case_base):
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
    case_base = load_cases(name).case_base(kind)
    cases = int((case_base.classes == number).sum())
    weights = class_weights(case_base, "player_tableau")[number]
    present = case_base.membership("player_tableau")
    within, overall = present[case_base.classes == number].mean(0) if cases else np.zeros(len(weights)), present.mean(0)
    table = plain_table("card in the tableau", "weight", "when placed", "always", title=f"{card}: {cases:,} placements")
    for other in np.argsort(-weights, kind="stable")[:_TOP].tolist():
        shares = f"{within[other]:.1%}", f"{overall[other]:.1%}"
        table.add_row(DESIGNS[other].name, f"{weights[other]:.2f}", *shares)
    console.print(table)
