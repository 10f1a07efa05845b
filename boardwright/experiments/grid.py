"""Experiments that are a grid of matches: one agent and one opponent per cell, the published share beside ours.

Every cell is a match of its own, recorded and resumable. A claim looks at some of the cells. While the games so far
leave it open, its cells are played on, up to a few times as many games as the others get.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.arena.standings import Standings, wilson_interval
from boardwright.experiments.model import Conditions, Experiment, Part, Verdict, with_iterations
from boardwright.files import write_json
from boardwright.terminal.progress import MatchProgress

MOST = 4
"""Cells of open claims get at most so many times as many games as the others."""


@dataclass(frozen=True)
class Cell:
    """One match: the agent in question against an opponent."""

    row: str
    column: str
    spec: str
    opponent: str
    published: float | None = None
    """The share of games won, from 0 to 1, if it was printed."""

    @property
    def name(self) -> str:
        return f"{self.row}, {self.column}"

    @property
    def key(self) -> str:
        return re.sub(r"[^\w.]+", "_", f"{self.row}-{self.column}")

    @property
    def match_key(self) -> str:
        """The same for cells with the same agents, whatever they are called."""
        return hashlib.sha256(f"{self.spec} {self.opponent}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Found:
    """What a cell's games gave. A draw is half a win."""

    games: int
    points: float
    best_move_rate: float | None = None

    @property
    def share(self) -> float:
        return self.points / max(self.games, 1)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.points, self.games)

    @property
    def text(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.0f} ({100 * low:.0f}–{100 * high:.0f})"


Results = Mapping[tuple[str, str], Found]
"""By row and column."""
Judge = Callable[[Results], tuple[Verdict, str]]


@dataclass(frozen=True)
class GridClaim:
    """What the publication concluded, and how to judge it from the cells."""

    text: str
    judge: Judge


Look = Callable[[Mapping[tuple[str, str], list[GameRecord]], Console], dict[str, Any]]
"""Something else to find out from the games: shows it, and gives figures for result.json."""


@dataclass(frozen=True)
class Grid:
    """How an experiment of this kind is conducted."""

    cells: Sequence[Cell]
    claims: Sequence[GridClaim]
    rows_are: str
    columns_are: str
    options: Mapping[str, Any] = field(default_factory=dict)
    shows_best_move: bool = False
    look: Look | None = None
    games_in: str = ""
    """A folder for the games, beside those of the experiments: for cells that several experiments have."""
    runs_parts_alone: ClassVar[bool] = True

    def with_iterations(self, iterations: int) -> Grid:
        def changed(cell: Cell) -> Cell:
            spec, opponent = (with_iterations(spec, iterations) for spec in (cell.spec, cell.opponent))
            return replace(cell, spec=spec, opponent=opponent, published=None)

        return replace(self, cells=[changed(cell) for cell in self.cells])

    def parts(self) -> list[Part]:
        return [
            Part(
                cell.name,
                f"{cell.spec} against {cell.opponent}",
                "" if cell.published is None else f"won {100 * cell.published:.0f} %",
            )
            for cell in self.cells
        ]

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        games, folder, console = conditions.games, conditions.folder, conditions.console
        played: dict[tuple[str, str], list[GameRecord]] = {}
        results: dict[tuple[str, str], Found] = {}
        to_play, wanted = list(self.cells), games
        if conditions.only is not None:  # the others' games are kept, and told of
            to_play = [cell for cell in to_play if cell.name == conditions.only]
            others = {cell: self.kept(cell, games, folder) for cell in self.cells if cell not in to_play}
            played = {(cell.row, cell.column): records for cell, records in others.items() if records}
            results = {(cell.row, cell.column): found(cell, records) for cell, records in others.items() if records}
        complete, whole = True, False
        while to_play and complete:
            for cell in to_play:
                records = self.play(cell, wanted, experiment, conditions)
                if records is None:
                    complete = False
                    break
                played[cell.row, cell.column] = records
                results[cell.row, cell.column] = found(cell, records)
            wanted *= 2
            whole = complete and len(results) == len(self.cells)
            to_play = self.open_cells(results) if whole and wanted <= MOST * games else []
        self.show(experiment, results, console)
        verdicts = self.judge(results, console) if whole else []
        seen = self.look(played, console) if self.look is not None and whole else {}
        write_json(folder / "result.json", {**self.as_json(experiment, games, results), "claims": verdicts, **seen})
        where = f"Games are in {self.games_folder(folder)}, result.json in {folder}"
        console.print(f"[dim]{where}[/]", highlight=False, soft_wrap=True)
        return complete

    def play(self, cell: Cell, games: int, experiment: Experiment, conditions: Conditions) -> list[GameRecord] | None:
        """The games of a cell; None if somebody stops it."""
        file = self.file(cell, conditions.folder)
        file.parent.mkdir(parents=True, exist_ok=True)
        outcome = run_match(
            Match(experiment.game, (cell.spec, cell.opponent), experiment.seed, dict(self.options)),
            games,
            file=file,
            resume=file.exists(),
            executor=conditions.executor,
            listeners=[MatchProgress(conditions.console)],
        )
        return None if outcome.interrupted else first_games(read_records(file), games)

    def kept(self, cell: Cell, games: int, folder: Path) -> list[GameRecord]:
        """The games of a cell that were played before; none if they are too few."""
        file = self.file(cell, folder)
        records = read_records(file) if file.exists() else []
        return first_games(records, len(records)) if len(records) >= games else []

    def file(self, cell: Cell, folder: Path) -> Path:
        return self.games_folder(folder) / f"{cell.match_key if self.games_in else cell.key}.jsonl"

    def games_folder(self, folder: Path) -> Path:
        return folder.parent / self.games_in if self.games_in else folder

    def open_cells(self, results: Results) -> list[Cell]:
        """Those that undecided claims look at."""
        wanted: set[tuple[str, str]] = set()
        for claim in self.claims:
            looked_at = Noted(results)
            verdict, _ = claim.judge(looked_at)
            if verdict is Verdict.OPEN:
                wanted |= looked_at.seen
        return [cell for cell in self.cells if (cell.row, cell.column) in wanted]

    def show(self, experiment: Experiment, results: Results, console: Console) -> None:
        published = "; published / " if any(cell.published is not None for cell in self.cells) else "; "
        title = f"{experiment.name}, {experiment.title}: won in %{published}ours (95 %)"
        console.print(self.table(title, results, lambda cell: _beside(cell, results[cell.row, cell.column])))
        if self.shows_best_move:
            console.print(
                self.table("best move in %", results, lambda cell: _best_move(results[cell.row, cell.column]))
            )

    def table(self, title: str, results: Results, text: Callable[[Cell], str]) -> Table:
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
        columns = list(dict.fromkeys(cell.column for cell in self.cells))
        table.add_column(f"{self.rows_are} \\ {self.columns_are}" if len(columns) > 1 else self.rows_are)
        for column in columns:
            table.add_column(column, justify="right")
        for row in dict.fromkeys(cell.row for cell in self.cells):
            cells = {cell.column: cell for cell in self.cells if cell.row == row and (row, cell.column) in results}
            table.add_row(row, *(text(cells[column]) if column in cells else "" for column in columns))
        return table

    def judge(self, results: Results, console: Console) -> list[dict[str, str]]:
        verdicts = []
        for claim in self.claims:
            verdict, figures = claim.judge(results)
            console.print(f"{verdict.value:>13}  {claim.text}: {figures}", highlight=False)
            verdicts.append({"claim": claim.text, "verdict": verdict.value, "figures": figures})
        return verdicts

    def as_json(self, experiment: Experiment, games: int, results: Results) -> dict[str, Any]:
        return {
            "experiment": experiment.name,
            "game": experiment.game,
            "seed": experiment.seed,
            "games": games,
            "options": dict(self.options),
            "published": experiment.published.source,
            "cells": [
                {
                    "row": cell.row,
                    "column": cell.column,
                    "spec": cell.spec,
                    "opponent": cell.opponent,
                    "published": cell.published,
                    "games": found.games,
                    "points": found.points,
                    "interval": found.interval,
                    "best_move_rate": found.best_move_rate,
                }
                for cell in self.cells
                if (found := results.get((cell.row, cell.column))) is not None
            ],
        }


class Noted(Mapping[tuple[str, str], Found]):
    """Results that remember which of them were looked at."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.seen: set[tuple[str, str]] = set()

    def __getitem__(self, key: tuple[str, str]) -> Found:
        self.seen.add(key)
        return self.results[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


def found(cell: Cell, records: Sequence[GameRecord]) -> Found:
    """How the first entrant fared."""
    mine = Standings.of((cell.spec, cell.opponent), records).entrants[0]
    return Found(mine.games, mine.wins + mine.draws / 2, mine.best_move_rate)


def _beside(cell: Cell, found: Found) -> str:
    return found.text if cell.published is None else f"{100 * cell.published:.0f} / {found.text}"


def _best_move(found: Found) -> str:
    return "" if found.best_move_rate is None else f"{100 * found.best_move_rate:.0f}"


# Judges


def above(row: str, column: str, level: float) -> Judge:
    """Does this agent win more than a given share?"""

    def judge(results: Results) -> tuple[Verdict, str]:
        cell = results[row, column]
        low, high = cell.interval
        return _decided(low > level, high < level), f"{cell.text} %"

    return judge


def below(row: str, column: str, level: float) -> Judge:
    """Does this agent win less than a given share?"""

    def judge(results: Results) -> tuple[Verdict, str]:
        cell = results[row, column]
        low, high = cell.interval
        return _decided(high < level, low > level), f"{cell.text} %"

    return judge


def near(row: str, column: str, level: float, margin: float) -> Judge:
    """Does this agent win about a given share?"""

    def judge(results: Results) -> tuple[Verdict, str]:
        cell = results[row, column]
        low, high = cell.interval
        inside = level - margin <= low and high <= level + margin
        return _decided(inside, high < level - margin or low > level + margin), f"{cell.text} %"

    return judge


def all_of(judges: Sequence[Judge]) -> Judge:
    """A claim about several cells: it fails if one of them fails, and holds if all hold."""

    def judge(results: Results) -> tuple[Verdict, str]:
        found = [judge(results) for judge in judges]
        verdicts = [verdict for verdict, _ in found]
        whole = _decided(all(v is Verdict.HOLDS for v in verdicts), Verdict.FAILS in verdicts)
        return whole, "; ".join(figures for _, figures in found)

    return judge


def stronger(first: tuple[str, str], second: tuple[str, str]) -> Judge:
    """Does the agent of one cell win a larger share than that of another?"""

    def judge(results: Results) -> tuple[Verdict, str]:
        one, other = results[first], results[second]
        figures = f"{one.text} against {other.text} %"
        return _decided(_differs(one, other), _differs(other, one)), figures

    return judge


def _differs(larger: Found, smaller: Found) -> bool:
    """Whether a share is larger by more than chance would make it (two-sided p < 0.05)."""
    both = (larger.points + smaller.points) / (larger.games + smaller.games)
    spread = (both * (1 - both) * (1 / larger.games + 1 / smaller.games)) ** 0.5
    return spread > 0 and larger.share - smaller.share > 1.96 * spread


def _decided(holds: bool, fails: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.FAILS if fails else Verdict.OPEN
