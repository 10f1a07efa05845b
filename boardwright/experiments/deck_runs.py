"""Experiments about decks: predictors measured on a file of decks, published figures beside ours.

The deck lists are not ours to pass on, so the file is given by `--decks` or the environment variable BOARDWRIGHT_DECKS.
A run measures several predictors in one reading of the protocol with one minimum support. What was measured is kept in
a file beside the experiments' folders, so that experiments share their runs and go on where they were stopped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rich.progress import Progress

from boardwright.decks import BadDeck, DeckGame
from boardwright.decks.collection import Collection, read_collection
from boardwright.decks.evaluation import LEARNED, Protocol, Score, evaluate
from boardwright.decks.games import deck_game
from boardwright.decks.rule_base import RuleSettings
from boardwright.experiments.deck_report import plot_decks, show_decks
from boardwright.experiments.model import Conditions, Experiment, Verdict
from boardwright.files import alone, write_json

VARIABLE = "BOARDWRIGHT_DECKS"
DECKS, FOLDS = 6000, 30
"""As in the thesis: so many decks, drawn at random, in so many folds."""
MEASURED = "deck-runs.json"


class Reading(NamedTuple):
    """A reading of the thesis's protocol."""

    key: str
    title: str
    learn_from: Literal["rest", "fold"]


REST = Reading("rest", "rules mined from 29 folds, tested on the other", "rest")
FOLD = Reading("fold", "rules mined from one fold, tested on another", "fold")
READINGS = (REST, FOLD)


@dataclass(frozen=True)
class PublishedAccuracy:
    """What the text of the thesis says about an algorithm with five seen cards, at its best minimum support."""

    predictor: str
    low: float
    high: float
    """The range that the text leaves; a figure that is stated has both ends the same."""
    text: str


@dataclass(frozen=True)
class Cell:
    """One predictor, measured."""

    reading: str
    support: float | None
    """None: it has none."""
    observed: int
    predictor: str
    decks: int
    accuracy: float
    low: float
    high: float
    """The 95 % interval."""

    @classmethod
    def of(cls, reading: Reading, support: float | None, score: Score) -> Cell:
        low, high = score.interval
        return cls(reading.key, support, score.observed, score.name, len(score.accuracies), score.mean, low, high)


class Cells:
    """What was measured in one reading."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = list(cells)

    def of(self, predictor: str) -> list[Cell]:
        return [cell for cell in self.cells if cell.predictor == predictor]

    def best(self, predictor: str) -> Cell:
        """At the best minimum support."""
        return max(self.of(predictor), key=lambda cell: cell.accuracy)

    def at(self, predictor: str, observed: int) -> Cell:
        return next(cell for cell in self.of(predictor) if cell.observed == observed)

    def mean(self, predictor: str) -> float:
        found = self.of(predictor)
        return sum(cell.accuracy for cell in found) / len(found)


@dataclass(frozen=True)
class DeckClaim:
    """What the thesis concluded, and how to judge it."""

    text: str
    judge: Callable[[Cells], tuple[Verdict, str]]
    readings: tuple[Reading, ...] = READINGS


class _Run(NamedTuple):
    """Predictors that are measured together."""

    reading: Reading
    support: float | None
    observed: tuple[int, ...]
    predictors: tuple[str, ...]
    rules: RuleSettings | None = None


@dataclass(frozen=True)
class DeckExperiment:
    by: Literal["support", "observed", "all"]
    """What the figure's axis is: the minimum support, the number of seen cards, or nothing: all runs together."""
    predictors: tuple[str, ...]
    supports: tuple[int, ...] = ()
    observed: tuple[int, ...] = ()
    rules: RuleSettings = field(default_factory=RuleSettings)
    accuracies: tuple[PublishedAccuracy, ...] = ()
    claims: tuple[DeckClaim, ...] = ()
    total: tuple[DeckExperiment, ...] = ()
    """The experiments whose runs it adds up, instead of having its own."""

    def runs(self) -> Iterator[_Run]:
        if self.total:
            for part in self.total:
                yield from part.runs()
            return
        rules = tuple(name for name in self.predictors if name not in LEARNED)
        learned = tuple(name for name in self.predictors if name in LEARNED)
        for reading in READINGS:
            for support in self.supports:
                settings = replace(self.rules, min_support=support)
                yield _Run(reading, support, self.observed, rules, settings)
        if learned:
            yield _Run(REST, None, self.observed, learned)

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        """Measure what is missing, show and write the result."""
        game = deck_game(experiment.game)
        collection = read_collection([deck_file(conditions.decks, experiment.name)], game, only_dated=True)
        console = conditions.console
        if collection.summary:
            console.print(f"[dim]{collection.summary}[/]", highlight=False)
        per_fold = max(conditions.games // FOLDS, 1)
        cells: list[Cell] = []
        try:
            for run in self.runs():
                cells += _measured(game, collection, experiment, run, per_fold, conditions)
        except KeyboardInterrupt:
            console.print("Stopped; what was measured is kept.")
            return False
        result = self.result(experiment, collection, conditions.games, cells)
        show_decks(result, console)
        write_json(conditions.folder / "result.json", result)
        plot_decks(conditions.folder / "result.png", experiment.title, result)
        console.print(f"[dim]result.json and result.png are in {conditions.folder}[/]", highlight=False, soft_wrap=True)
        return True

    def result(
        self, experiment: Experiment, collection: Collection, games: int, cells: Sequence[Cell]
    ) -> dict[str, Any]:
        """Everything, as plain data."""
        by_reading = {reading: Cells([cell for cell in cells if cell.reading == reading.key]) for reading in READINGS}
        return {
            "experiment": experiment.name,
            "game": experiment.game,
            "seed": experiment.seed,
            "decks": min(DECKS, len(collection.table)),
            "games": games,
            "collection": len(collection.table),
            "folds": FOLDS,
            "by": self.by,
            "rules": asdict(self.rules),
            "published": [asdict(row) for row in self.accuracies],
            "readings": {
                reading.key: {
                    "title": reading.title,
                    "cells": [asdict(cell) for cell in found.cells],
                    "claims": [
                        {"claim": claim.text, "verdict": verdict.value, "figures": figures}
                        for claim in self.claims
                        if reading in claim.readings
                        for verdict, figures in [claim.judge(found)]
                    ],
                }
                for reading, found in by_reading.items()
            },
        }


def deck_file(given: Path | None, experiment: str) -> Path:
    """The file of decks: the option, or the environment variable."""
    chosen = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if chosen is None:
        raise BadDeck(
            f"{experiment} needs a file of dated decklists, which does not ship; name it with --decks FILE or in"
            f" {VARIABLE}"
        )
    return chosen


def _measured(
    game: DeckGame, collection: Collection, experiment: Experiment, run: _Run, per_fold: int, conditions: Conditions
) -> list[Cell]:
    """The cells of a run, from the file of what was measured or anew."""
    protocol = Protocol(
        observed=run.observed,
        folds=FOLDS,
        learn_from=run.reading.learn_from,
        decks=min(DECKS, len(collection.table)),
        per_fold=per_fold,
        dated=False,
        seed=experiment.seed,
    )
    rules = asdict(run.rules) if run.rules else None
    key = json.dumps([collection.digest, asdict(protocol), rules, run.predictors])
    file = conditions.folder.parent / MEASURED
    known = _read_measured(file)
    if key not in known:
        console = conditions.console
        with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
            of = "" if run.support is None else f", support {run.support:g}"
            task = bar.add_task(f"{run.reading.key}{of}", total=None)
            scores = evaluate(
                game,
                collection.table,
                run.predictors,
                protocol,
                rules=run.rules,
                executor=conditions.executor,
                on_split=lambda done, of: bar.update(task, completed=done, total=of),
            )
        with alone(file.with_suffix(".lock"), f"another experiment is writing {file}"):
            known = _read_measured(file) | {key: [Cell.of(run.reading, run.support, score) for score in scores]}
            write_json(file, {name: [asdict(cell) for cell in cells] for name, cells in known.items()})
    return known[key]


def _read_measured(file: Path) -> dict[str, list[Cell]]:
    if not file.exists():
        return {}
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
        return {key: [Cell(**cell) for cell in cells] for key, cells in known.items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise BadDeck(f"{file} cannot be read: {error}; move it away to measure again") from None
