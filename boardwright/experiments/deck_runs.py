"""Experiments about decks: predictors measured on a file of decks, published figures beside ours.

The deck lists are not ours to pass on, so the file is given by `--decks` or the environment variable BOARDWRIGHT_DECKS.
A run measures several predictors in one reading of the protocol with one minimum support. What was measured is kept,
split by split, in the folder deck-runs beside those of the experiments, which so share their runs and go on where they
were stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rich.progress import Progress

from boardwright.decks import BadDeck, DeckGame
from boardwright.decks.collection import Collection, read_collection
from boardwright.decks.evaluation import LEARNED, Protocol, Score, evaluate_splits
from boardwright.decks.games import deck_game
from boardwright.decks.mining import Weight
from boardwright.decks.model import ModelSettings
from boardwright.decks.rule_base import RuleSettings
from boardwright.experiments.deck_report import comparison, plot_decks, show_decks
from boardwright.experiments.model import Conditions, Experiment, Part, Verdict, as_stored
from boardwright.experiments.tables import TableOf
from boardwright.files import alone, make_folder, read_json, write_json

VARIABLE = "BOARDWRIGHT_DECKS"
DECKS, FOLDS = 6000, 30
"""As in the thesis: so many decks, drawn at random, in so many folds."""
PER_FOLD = 50
"""Decks of each fold that are predicted, drawn at random: 1,500 in all, which leaves half a point either way."""
OBSERVED = tuple(range(11))
"""Numbers of seen cards in the thesis. Who learns for a long time is measured with all of them at once."""
MEASURED = "deck-runs"


class Reading(NamedTuple):
    """A reading of the thesis's protocol."""

    key: str
    title: str
    learn_from: Literal["rest", "fold"]
    weight: Weight = "count"
    """What an active rule adds to its card's score."""


REST = Reading("rest", "rules mined from 29 folds", "rest")
CONFIDENCE = Reading("confidence", "the same, a rule counts with its confidence", "rest", "confidence")
FOLD = Reading("fold", "rules mined from one fold", "fold")


@dataclass(frozen=True)
class PublishedAccuracy:
    """What the text of the thesis says about an algorithm with five seen cards, at its best minimum support."""

    predictor: str
    low: float
    high: float
    """The range that the text leaves; a figure that is stated has both ends the same."""
    text: str


class Sums(NamedTuple):
    """What is kept of a split: how many decks, and their accuracies and the squares of these added up."""

    decks: int
    accuracy: float
    square: float

    @classmethod
    def of(cls, score: Score) -> Sums:
        found = score.accuracies
        return cls(len(found), sum(found), sum(accuracy**2 for accuracy in found))


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
    def of(cls, run: _Run, observed: int, predictor: str, splits: Sequence[Sums]) -> Cell:
        decks = sum(split.decks for split in splits)
        mean = sum(split.accuracy for split in splits) / decks
        variance = sum(split.square for split in splits) / decks - mean**2
        margin = 1.96 * (max(variance, 0.0) / decks) ** 0.5
        return cls(run.reading.key, run.support, observed, predictor, decks, mean, mean - margin, mean + margin)


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
    readings: tuple[Reading, ...] = (REST, CONFIDENCE, FOLD)


class _Run(NamedTuple):
    """Predictors that are measured together."""

    reading: Reading
    support: float | None
    observed: tuple[int, ...]
    predictors: tuple[str, ...]
    per_fold: int
    """How many decks of a fold are predicted by default."""
    rules: RuleSettings | None = None


@dataclass(frozen=True)
class DeckExperiment:
    by: Literal["support", "observed", "all"]
    """What the figure's axis is: the minimum support, the number of seen cards, or nothing: all runs together."""
    predictors: tuple[str, ...]
    supports: tuple[int, ...] = ()
    observed: tuple[int, ...] = ()
    per_fold: int = PER_FOLD
    readings: tuple[Reading, ...] = (REST, FOLD)
    rules: RuleSettings = field(default_factory=RuleSettings)
    accuracies: tuple[PublishedAccuracy, ...] = ()
    claims: tuple[DeckClaim, ...] = ()
    total: tuple[DeckExperiment, ...] = ()
    """The experiments whose runs it adds up, instead of having its own."""

    @property
    def tables(self) -> Mapping[str, TableOf]:
        """One for each reading."""
        return {one.key: lambda stored, key=one.key: comparison(stored.first, key) for one in self.readings}  # type: ignore[misc]

    def runs(self) -> Iterator[tuple[_Run, tuple[int, ...]]]:
        """What is measured, and with which numbers of seen cards it is asked for."""
        if self.total:
            for part in self.total:
                yield from ((run, observed) for run, observed in part.runs() if run.reading in self.readings)
            return
        rules = tuple(name for name in self.predictors if name not in LEARNED)
        learned = tuple(name for name in self.predictors if name in LEARNED)
        for reading in self.readings:
            for support in self.supports:
                settings = replace(self.rules, min_support=support, weight=reading.weight)
                yield _Run(reading, support, self.observed, rules, self.per_fold, settings), self.observed
        if learned:
            yield _Run(REST, None, OBSERVED, learned, PER_FOLD), self.observed

    def parts(self) -> list[Part]:
        return [Part(_name(run, observed), ", ".join(run.predictors)) for run, observed in self.runs()]

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        """Measure what is missing, show and write the result."""
        game = deck_game(experiment.game)
        collection = read_collection([deck_file(conditions.decks, experiment.name)], game, only_dated=True)
        console = conditions.console
        if collection.summary:
            console.print(f"[dim]{collection.summary}[/]", highlight=False)
        limit = None if conditions.games == experiment.games else max(conditions.games // FOLDS, 1)
        cells: list[Cell] = []
        try:
            for run, observed in self.runs():
                if conditions.only not in (None, _name(run, observed)):
                    continue
                measured = _measured(game, collection, experiment.seed, run, limit or run.per_fold, conditions)
                cells += [cell for cell in measured if cell.observed in observed]
        except KeyboardInterrupt:
            console.print("Stopped; what was measured is kept.")
            return False
        if conditions.only is not None:
            console.print("Measured, and kept for the result of all parts.")
            return True
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
        found = {reading: Cells([cell for cell in cells if cell.reading == reading.key]) for reading in self.readings}
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
                    "cells": [asdict(cell) for cell in own.cells],
                    "claims": as_stored(
                        (claim.text, *claim.judge(own)) for claim in self.claims if reading in claim.readings
                    ),
                }
                for reading, own in found.items()
            },
        }


def _name(run: _Run, observed: tuple[int, ...]) -> str:
    support = [] if run.support is None else [f"support {run.support:g}"]
    return ", ".join([run.reading.key, *support, f"{'/'.join(map(str, observed))} cards seen"])


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
    game: DeckGame, collection: Collection, seed: int, run: _Run, per_fold: int, conditions: Conditions
) -> list[Cell]:
    """The cells of a run. Its splits are kept in a file of their own as they come."""
    protocol = Protocol(
        observed=run.observed,
        folds=FOLDS,
        learn_from=run.reading.learn_from,
        decks=min(DECKS, len(collection.table)),
        per_fold=per_fold,
        seed=seed,
    )
    setting = {
        "collection": collection.digest,
        "drawn": "at random",  # what was measured on the oldest decks of each fold is not taken for it
        "predictors": list(run.predictors),
        "protocol": asdict(protocol),
        "rules": asdict(run.rules) if run.rules else None,
    }
    if run.rules is None:
        setting["model"] = asdict(ModelSettings())
    name = hashlib.sha256(json.dumps(setting).encode()).hexdigest()[:16]
    file = conditions.folder.parent / MEASURED / f"{name}.json"
    make_folder(file.parent, "what is measured")
    with alone(file.with_suffix(".lock"), f"another process measures the same; it writes {file}"):
        sums = _read_sums(file)
        found = evaluate_splits(
            game,
            collection.table,
            run.predictors,
            protocol,
            rules=run.rules,
            executor=conditions.executor,
            known=sums,
        )
        console = conditions.console
        with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
            title = run.reading.key + ("" if run.support is None else f", support {run.support:g}")
            task = bar.add_task(title, total=FOLDS, completed=len(sums))
            for number, scores in found:
                sums[number] = [Sums.of(score) for score in scores]
                write_json(file, {"setting": setting, "splits": {str(split): sums[split] for split in sums}})
                bar.advance(task)
    rows = [(observed, predictor) for observed in run.observed for predictor in run.predictors]
    return [
        Cell.of(run, observed, predictor, [split[place] for split in sums.values()])
        for place, (observed, predictor) in enumerate(rows)
    ]


def _read_sums(file: Path) -> dict[int, list[Sums]]:
    if not file.exists():
        return {}
    try:
        splits = read_json(file)["splits"]
        return {int(number): [Sums(*row) for row in rows] for number, rows in splits.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadDeck(f"{file} cannot be read: {error}; move it away to measure again") from None
