"""What each tool of tree search is worth, on five games, at equal time: a tool against the plain search.

Half of the seats of a game have the tool, the others the plain search with the same time for a decision. A share of the
first places above one half speaks for the tool. Every cell is a match of its own that can be resumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.arena.standings import wilson_interval
from boardwright.experiments.model import Conditions, Experiment, Published, Verdict
from boardwright.files import write_json
from boardwright.terminal.progress import MatchProgress

SECONDS = 0.004
"""For a decision."""
GAMES = 100
SEED = 16


@dataclass(frozen=True)
class Ground:
    """A game, the plain search of its kind, and the tools to try."""

    game: str
    seats: int
    base: str
    tools: tuple[str, ...]

    def spec(self, tool: str) -> str:
        given = ",".join(part for part in (f"seconds={SECONDS}", tool) if part)
        return f"{self.base}{',' if ':' in self.base else ':'}{given}"


GROUNDS = (
    Ground(
        "connect_four",
        2,
        "uct",
        (
            "bound=ucb1_tuned",
            "fpu=1",
            "learn=mast",
            "learn=ngram",
            "rave=200",
            "solver=true",
            "transpositions=true",
            "reuse=true",
        ),
    ),
    Ground(
        "lords",
        2,
        "uct",
        (
            "prune=h4,limit=15",
            "prune=h4,limit=5",
            "prune=h4,limit=5,widen=0.5",
            "prune=h4,bias=0.5",
            "bound=ucb1_tuned",
            "fpu=0.6",
            "learn=mast",
            "rave=200",
            "minimax=0.3",
        ),
    ),
    Ground("lords", 2, "ismcts", ("prune=h4,limit=15", "prune=h4,limit=5", "bound=ucb1_tuned", "learn=mast")),
    Ground("colonizers", 4, "ismcts", ("bound=ucb1_tuned", "fpu=0.6", "learn=mast", "learn=ngram")),
    Ground("wonders", 4, "ismcts", ("bound=ucb1_tuned", "fpu=0.6", "learn=mast", "learn=ngram")),
    Ground("race", 2, "ismcts", ("bound=ucb1_tuned", "fpu=0.6", "learn=mast", "learn=ngram", "prune=scores,limit=8")),
)


def first_places(records: list[GameRecord]) -> float:
    """Of the entrants with the tool, who have even numbers; those who share the first place share the win."""
    total = 0.0
    for record in records:
        winners = [record.order[seat] for seat in range(record.seats) if record.returns[seat] == max(record.returns)]
        total += sum(entrant % 2 == 0 for entrant in winners) / len(winners)
    return total


def judge(records: list[GameRecord]) -> dict[str, Any]:
    wins = first_places(records)
    low, high = wilson_interval(wins, len(records))
    verdict = "helps" if low > 0.5 else "harms" if high < 0.5 else Verdict.OPEN.value
    share = wins / max(len(records), 1)
    return {"games": len(records), "share": share, "low": low, "high": high, "verdict": verdict}


def conduct(experiment: Experiment, conditions: Conditions) -> bool:
    games, folder, console = conditions.games, conditions.folder, conditions.console
    cells: list[dict[str, Any]] = []
    complete = True
    for ground in GROUNDS:
        for tool in ground.tools:
            entrants = (ground.spec(tool), ground.spec("")) * (ground.seats // 2)
            name = "".join(c if c.isalnum() else "_" for c in f"{ground.game}_{ground.base}_{tool}")
            file = folder / f"{name}.jsonl"
            match = Match(ground.game, entrants, experiment.seed)
            outcome = run_match(
                match,
                games,
                file=file,
                resume=file.exists(),
                executor=conditions.executor,
                listeners=[MatchProgress(console)],
            )
            records = first_games(read_records(file), games)
            cells.append({"game": ground.game, "base": ground.base, "tool": tool, **judge(records)})
            _show(cells[-1:], console)
            if outcome.interrupted:
                complete = False
                break
        if not complete:
            break
    write_json(
        folder / "result.json",
        {"experiment": experiment.name, "seconds": SECONDS, "seed": experiment.seed, "cells": cells},
    )
    _show(cells, console)
    return complete


def _show(cells: list[dict[str, Any]], console: Console) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in ("game", "plain search", "tool", "games", "share of wins", "95 %", ""):
        table.add_column(column)
    for cell in cells:
        interval = f"{100 * cell['low']:.0f}–{100 * cell['high']:.0f}"
        share = f"{cell['share']:.1%}"
        table.add_row(cell["game"], cell["base"], cell["tool"], str(cell["games"]), share, interval, cell["verdict"])
    console.print(table)


EXPERIMENTS = {
    "toolbox": Experiment(
        name="toolbox",
        game="connect_four",
        title="the toolbox of tree search, tool by tool",
        question="Which tool helps on which game, at equal time?",
        games=GAMES,
        seed=SEED,
        published=Published("", 0, "agent", ()),
        arrangements=(),
        conduct=conduct,
    )
}
