"""Tables of the experiments that are grids of matches or of timed decisions, for figures.py."""

from __future__ import annotations

from typing import Any

Table = list[tuple[str, ...]]


def won(result: dict[str, Any]) -> Table:
    """Games won in %: published / ours (95 %). One column for each opponent or setting."""
    columns = list(dict.fromkeys(cell["column"] for cell in result["cells"]))
    cells = {(cell["row"], cell["column"]): _won(cell) for cell in result["cells"]}
    rows = list(dict.fromkeys(cell["row"] for cell in result["cells"]))
    return [("", *columns), *((row, *(cells.get((row, column), "") for column in columns)) for row in rows)]


def _won(cell: dict[str, Any]) -> str:
    low, high = cell["interval"]
    ours = f"{100 * cell['points'] / cell['games']:.0f} ({100 * low:.0f}–{100 * high:.0f})"
    return ours if cell["published"] is None else f"{100 * cell['published']:.0f} / {ours}"


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


def claims(result: dict[str, Any]) -> Table:
    rows = ((claim["claim"], claim["verdict"], claim["figures"]) for claim in result["claims"])
    return [("claim", "here", "figures"), *rows]


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
    return [("mode", "threads", "ms, published / ours", "efficiency, published / ours", "conflicts"), *rows]
