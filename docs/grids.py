"""Tables of the experiments that are grids of matches or of timed decisions, for figures.py."""

from __future__ import annotations

import re
import statistics
from typing import Any

Table = list[tuple[str, ...]]


def won(*results: dict[str, Any], declared: bool = True) -> Table:
    """Games won in %: published / ours (95 %). One column for each opponent or setting. Of several results with other
    budgets the first that has a cell; in italics what is not of the first, or if that is not of the declared budget."""
    cells: dict[tuple[str, str], str] = {}
    for number, result in enumerate(results):
        for cell in result["cells"]:
            cells.setdefault((cell["row"], cell["column"]), _won(cell, "*" if number or not declared else ""))
    columns = sorted(dict.fromkeys(column for _, column in cells), key=_number)
    rows = sorted(dict.fromkeys(row for row, _ in cells), key=_heuristic)
    return [("", *columns), *((row, *(cells.get((row, column), "") for column in columns)) for row in rows)]


def _number(column: str) -> float:
    """Limits and threads in their order; what has no number stays where it is."""
    found = re.search(r"\d[\d,]*(\.\d+)?", column)
    return float(found[0].replace(",", "")) if found and not column.startswith("v. h") else 0.0


def _heuristic(row: str) -> tuple[float, float]:
    """h2 before h10, and readings behind all heuristics; other rows stay where they are."""
    found = re.fullmatch(r"h(\d+)(, .*)?", row)
    return (float(", " in row), float(found[1])) if found and "limit" not in row else (0.0, 0.0)


def _won(cell: dict[str, Any], mark: str = "") -> str:
    low, high = cell["interval"]
    share = f"{100 * cell['points'] / cell['games']:.0f} ({100 * low:.0f}–{100 * high:.0f})"
    few = f" of {cell['games']}" if cell["games"] < FEW else ""
    ours = f"{mark}{share}{few}{mark}"
    return ours if cell["published"] is None else f"{100 * cell['published']:.0f} / {ours}"


FEW = 20
"""Fewer games than this are named in the table."""


def across_budgets(result: dict[str, Any]) -> Table:
    """Figure 5.12: what agents win against all budgets of the opponent, by n."""
    shares: dict[tuple[str, str], list[float]] = {}
    for cell in result["cells"]:
        family, _, n = cell["row"].rpartition("_")
        shares.setdefault((family, n), []).append(100 * cell["points"] / cell["games"])
    widths = sorted({n for _, n in shares}, key=int)
    rows = (
        (family, *(f"{statistics.mean(shares[family, n]):.0f}" if (family, n) in shares else "" for n in widths))
        for family in dict.fromkeys(family for family, _ in shares)
    )
    return [("won in %, mean over all budgets", *(f"n = {n}" for n in widths)), *rows]


def won_and_best_moves(result: dict[str, Any]) -> Table:
    """The same for a single column, with the share of decisions in which the best action was taken."""
    rows = ((cell["row"], _won(cell), f"{100 * cell['best_move_rate']:.0f}") for cell in result["cells"])
    return [("", "won in % (95 %)", "best move in %"), *rows]


def complexity(result: dict[str, Any]) -> Table:
    """Of the largest value that any of the agents met."""
    shares = result["complexity"]
    measures = list(next(iter(shares.values())))
    rows = ((agent, *(f"{found[measure]:.3f}" for measure in measures)) for agent, found in shares.items())
    return [("", *(measure.capitalize() for measure in measures)), *rows]


def claims(*results: dict[str, Any], declared: bool = True) -> Table:
    """The verdicts; of several results with other budgets, the first that decides a claim, or else the last. In italics
    what is not of the declared budget."""
    rows = []
    for number, first in enumerate(results[0]["claims"]):
        told = [result["claims"][number] for result in results]
        place = next((i for i, one in enumerate(told) if one["verdict"] != "undecided"), len(told) - 1)
        mark = "*" if place or not declared else ""
        rows.append((first["claim"], *(f"{mark}{told[place][part]}{mark}" for part in ("verdict", "figures"))))
    return [("claim", "here", "figures"), *rows]


def duplicates(result: dict[str, Any]) -> Table:
    """How many of 15 actions both heuristics of a pair choose."""
    found = result["duplicates"]
    return [("", *found), ("both of 15", *(f"{mean:.1f}" for mean in found.values()))]


def times(result: dict[str, Any]) -> Table:
    """Milliseconds for a decision: published / ours, with efficiency and conflicts."""
    alone = {one["mode"]: one["published"] for one in result["timed"] if one["threads"] == 1}
    rows = (
        (
            one["mode"],
            f"{one['threads']}{' *' if one['threads'] > result['cores'] else ''}",
            f"{one['published']:.0f} / {one['milliseconds']:.1f}",
            f"{alone[one['mode']] / (one['threads'] * one['published']):.2f} / {one['efficiency']:.2f}",
            f"{one['conflicts']:.0f}",
        )
        for one in result["timed"]
    )
    conflicts = f"conflicts, on {result['cores']} cores"
    return [("mode", "threads", "ms, published / ours", "efficiency, published / ours", conflicts), *rows]
