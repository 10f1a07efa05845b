"""Experiments that are a grid of matches: one agent and one opponent per cell, the published share beside ours.

Every cell is a match of its own, recorded and resumable. A claim looks at some of the cells (grid_claims.py): these are
played first, and played on while a claim is open and can be decided by a few times as many games as the others get. One
may look after any game, because all intervals are confidence sequences (sequential.py).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.standings import Standings
from boardwright.experiments import tables
from boardwright.experiments.grid_claims import CellResult, GridClaim, Results, WatchedResults, plan
from boardwright.experiments.grid_figures import Drawing, draw_grid
from boardwright.experiments.model import Conditions, Experiment, Part, Verdict, as_stored, show_table, show_verdicts
from boardwright.experiments.sequential import ALPHA
from boardwright.experiments.tables import Stored, TableOf
from boardwright.files import make_folder, write_json

MOST = 4
"""Cells of open claims get at most so many times as many games as the others."""
FIRST_LOOK = 4
"""All cells get a fourth of their games before any gets more."""


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
    def place(self) -> tuple[str, str]:
        return self.row, self.column

    @property
    def match_key(self) -> str:
        """The same for cells with the same agents, whatever they are called."""
        return hashlib.sha256(f"{self.spec} {self.opponent}".encode()).hexdigest()[:16]

    def scaled(self, factor: float) -> Cell:
        """The same with other budgets: so many times as many iterations for both."""
        return replace(self, spec=scaled(self.spec, factor), opponent=scaled(self.opponent, factor))


def scaled(spec: str, factor: float) -> str:
    """A spec with so many times as many iterations, or seconds."""
    spec = re.sub(r"\biterations=(\d+)", lambda found: f"iterations={max(1, round(int(found[1]) * factor))}", spec)
    return re.sub(r"\bseconds=([\d.]+)", lambda found: f"seconds={float(found[1]) * factor:g}", spec)


Look = Callable[[Mapping[tuple[str, str], list[GameRecord]]], dict[str, Any]]
"""Something else to find out from the games: figures for result.json."""


@dataclass(frozen=True)
class Grid:
    """How an experiment of this kind is conducted."""

    cells: Sequence[Cell]
    claims: Sequence[GridClaim]
    options: Mapping[str, Any] = field(default_factory=dict)
    look: Look | None = None
    looks_for: tuple[str, ...] = ()
    """The claims that `look` judges."""
    games_in: str = ""
    """A folder for the games, beside those of the experiments: for cells that several experiments have."""
    iterations: int | None = None
    """The budget of the agents in question, which `--iterations` replaces; that of opponents goes with it."""
    seconds: float | None = None
    """The same where it is time, for `--seconds`."""
    drawing: Drawing | None = None
    """How the figure of the publication is drawn; default: bars."""
    picture: Callable[[Mapping[str, Any], Path], None] | None = None
    """Draws what `look` found instead."""
    shown: Mapping[str, TableOf] = field(default_factory=lambda: {"": tables.won})
    """Its tables, in the terminal and in the documentation, but that of the claims."""

    @property
    def tables(self) -> Mapping[str, TableOf]:
        return {**self.shown, "claims": tables.claims}

    def claim_texts(self) -> list[str]:
        return [*(claim.text for claim in self.claims), *self.looks_for]

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
        grid = self.at(conditions.iterations, conditions.seconds)
        games, folder, console = conditions.games, conditions.folder, conditions.console
        played = grid.played_before(folder)
        results = {cell.place: cell_result(cell, played[cell.place]) for cell in grid.cells if cell.place in played}
        complete = True
        for cell, wanted in grid.schedule(games, results, conditions.only, conditions.claims):
            if _games(results, cell.place) >= wanted:
                continue  # nothing to go on with, so no game is played again to see whether that is possible
            records = grid.play(cell, wanted, experiment, conditions)
            if records is None:
                complete = False
                break
            played[cell.place] = records
            results[cell.place] = cell_result(cell, records)
            write_json(folder / "result.json", grid.as_json(experiment, games, results))
        seen = self.look(played) if self.look is not None and complete else {}
        result = {**grid.as_json(experiment, games, results), "claims": grid.judge(results), **seen}
        write_json(folder / "result.json", result)
        grid.show(experiment, result, complete, console)
        if complete or self.picture is None:
            self.draw_stored([result], folder / "result.png")
        where = f"Games are in {self.games_folder(folder)}, result.json and result.png in {folder}"
        console.print(f"[dim]{where}[/]", highlight=False, soft_wrap=True)
        return complete

    def draw_stored(self, results: Sequence[Mapping[str, Any]], file: Path) -> None:
        first, *others = results
        if self.picture is not None:
            self.picture(first, file)
            return
        draw_grid(first, file, self.drawing, others, self.published)

    def played_before(self, folder: Path) -> dict[tuple[str, str], list[GameRecord]]:
        """The games that there are."""
        files = {cell.place: self.file(cell, folder) for cell in self.cells}
        games = {place: _unbroken(read_records(file)) for place, file in files.items() if file.exists()}
        return {place: records for place, records in games.items() if records}

    def with_all_games(self, stored: Mapping[str, Any], experiment: Experiment, folder: Path) -> dict[str, Any] | None:
        """A stored result with all games that its cells have by now, since experiments that share a match play it on;
        None if it has them already."""
        played = self.played_before(folder)
        results = results_of(stored)
        cells = [cell for cell in self.cells if _games(results, cell.place) < len(played.get(cell.place, ()))]
        newer = {cell.place: cell_result(cell, played[cell.place]) for cell in cells if cell.place in results}
        if not newer:
            return None
        results.update(newer)
        seen = self.look(played) if self.look is not None else {}
        return {**self.as_json(experiment, stored["games"], results), "claims": self.judge(results), **seen}

    def at(self, iterations: int | None = None, seconds: float | None = None) -> Grid:
        """The grid with another budget; None: as declared."""
        if iterations is not None and self.iterations is not None:
            cells = [cell.scaled(iterations / self.iterations) for cell in self.cells]
            return replace(self, cells=cells, iterations=iterations)
        if seconds is not None and self.seconds is not None:
            return replace(self, cells=[cell.scaled(seconds / self.seconds) for cell in self.cells], seconds=seconds)
        return self

    def schedule(
        self, games: int, results: Results, only: str | None = None, claims_only: bool = False
    ) -> Iterator[tuple[Cell, int]]:
        """Which cell is to have how many games next. First come a few games of every cell that claims look at; then
        open claims, those first that the fewest further games would decide, until all are decided, or hopeless within
        `MOST` times as many games; then all cells, or with `claims_only` those of claims that are still open, since a
        few games can look hopeless by chance; then the claims that are open after that."""
        few = max(1, games // FIRST_LOOK)
        yield from ((cell, few) for cell in self.claimed_cells if only in (None, cell.name))
        yield from self.open_cells(games, results, only)
        rest = self.cells_of(self.open_claims(results)) if claims_only else self.cells
        for wanted in (few, games):
            yield from ((cell, wanted) for cell in rest if only in (None, cell.name))
        yield from self.open_cells(games, results, only)

    def open_claims(self, results: Results) -> list[GridClaim]:
        return [claim for claim in self.claims if claim.judge(WatchedResults(results), ALPHA)[0] is Verdict.OPEN]

    @cached_property
    def claimed_cells(self) -> list[Cell]:
        """Those that claims look at, in the order of the claims."""
        return self.cells_of(self.claims)

    def cells_of(self, claims: Sequence[GridClaim]) -> list[Cell]:
        looked_at = WatchedResults({})
        for claim in claims:
            claim.judge(looked_at, ALPHA)
        cells = {cell.place: cell for cell in self.cells}
        return [cells[place] for place in looked_at.seen if place in cells]

    def play(self, cell: Cell, games: int, experiment: Experiment, conditions: Conditions) -> list[GameRecord] | None:
        """The games of a cell, all that there are; None if somebody stops it. (A match has one figure, whichever
        experiment played more of it.)"""
        file = self.file(cell, conditions.folder)
        make_folder(file.parent, "games")
        match = Match(experiment.game, (cell.spec, cell.opponent), experiment.seed, dict(self.options))
        outcome = conditions.play(match, file, games)
        return None if outcome.interrupted else _unbroken(read_records(file))

    def file(self, cell: Cell, folder: Path) -> Path:
        """Where the games of a cell are."""
        return self.games_folder(folder) / f"{cell.match_key if self.games_in else cell.key}.jsonl"

    @property
    def published(self) -> dict[tuple[str, str], float]:
        return {cell.place: cell.published for cell in self.cells if cell.published is not None}

    def games_folder(self, folder: Path) -> Path:
        return folder.parent / self.games_in if self.games_in else folder

    def open_cells(self, games: int, results: Results, only: str | None) -> Iterator[tuple[Cell, int]]:
        """The cells that open claims need, a few games at a time, because each game can change the plan."""
        cells = {cell.place: cell for cell in self.cells if only in (None, cell.name)}
        few = max(1, games // FIRST_LOOK)
        while True:
            plans = [plan(claim.judge, results, MOST * games, max(1, few // 5)) for claim in self.claims]
            wanted = [{place: n for place, n in one.items() if place in cells} for one in plans]
            further = {i: sum(n - _games(results, place) for place, n in one.items()) for i, one in enumerate(wanted)}
            quickest = min((i for i, n in further.items() if n > 0), key=lambda i: further[i], default=None)
            if quickest is None:
                return
            for place, n in wanted[quickest].items():
                yield cells[place], min(n, _games(results, place) + few)

    def show(self, experiment: Experiment, result: Mapping[str, Any], complete: bool, console: Console) -> None:
        """The tables, which need all games, or what has been won so far; and the claims."""
        budget = f", {self.iterations:,} iterations" if self.iterations else ""
        budget += f", {self.seconds:g} s" if self.seconds else ""
        title = f"{experiment.name}, {experiment.title}{budget}"
        for table_of in self.shown.values() if complete else [tables.won]:
            show_table(table_of(Stored([result])), title, console)
        show_verdicts(result["claims"], console)

    def judge(self, results: Results) -> list[dict[str, str]]:
        return as_stored((claim.text, *claim.judge(WatchedResults(results), ALPHA)) for claim in self.claims)

    def as_json(self, experiment: Experiment, games: int, results: Results) -> dict[str, Any]:
        return {
            "experiment": experiment.name,
            "game": experiment.game,
            "seed": experiment.seed,
            "games": games,
            "iterations": self.iterations,
            "seconds": self.seconds,
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
                    "results": "".join(MARKS[result] for result in found.results),
                }
                for cell in self.cells
                if (found := results.get(cell.place)) is not None
            ],
        }


def _games(results: Results, place: tuple[str, str]) -> int:
    return results[place].games if place in results else 0


MARKS = {1.0: "1", 0.0: "0", 0.5: "="}
"""How the result of a game is stored."""


def results_of(stored: Mapping[str, Any]) -> dict[tuple[str, str], CellResult]:
    """What a result.json says of the cells."""
    results = {mark: result for result, mark in MARKS.items()}
    return {
        (cell["row"], cell["column"]): CellResult(
            cell["games"],
            cell["points"],
            cell["best_move_rate"],
            tuple(results[mark] for mark in cell.get("results", "")),
        )
        for cell in stored["cells"]
    }


def _unbroken(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The first games of a match up to the first that is missing: quick games are no more likely among them."""
    indices = {record.index for record in records}
    return first_games(records, next(number for number in range(len(indices) + 1) if number not in indices))


def cell_result(cell: Cell, records: Sequence[GameRecord]) -> CellResult:
    """How the first entrant fared."""
    entrant = Standings.of((cell.spec, cell.opponent), records).entrants[0]
    results = [(record.returns[record.order.index(0)], record.returns[record.order.index(1)]) for record in records]
    by_game = tuple((1 + (mine > other) - (mine < other)) / 2 for mine, other in results)
    return CellResult(entrant.games, entrant.wins + entrant.draws / 2, entrant.best_move_rate, by_game)
