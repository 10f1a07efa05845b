"""An expert's labels in a file: a line of JSON for each game, appended as soon as the game is labelled.

A line holds the decisions as case records, and for each what the expert thought of the options. A last line that a
crash has cut off is removed when labelling goes on.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import numpy as np
import pydantic

from boardwright.arena.record import GameRecord
from boardwright.cbr.store import BadCaseBase
from boardwright.files import open_alone, write_all
from boardwright.platforms import flush_to_disk
from boardwright.scout.cases.features import CLASSES
from boardwright.scout.cases.representation import CASE
from boardwright.scout.cases.validation import check_records
from boardwright.scout.reasoners.expert_labels import Labels

FORMAT = 1
_DIGITS = 4

Column = Annotated[int, pydantic.Field(ge=0, lt=CLASSES)]
Share = Annotated[float, pydantic.Field(ge=0, le=1)]
Value = Annotated[float, pydantic.Field(allow_inf_nan=False)]


class GameLabels(pydantic.BaseModel):
    """The labels of one game, as a line of the file."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    expert: str
    """The spec of the expert."""
    seed: int
    """The seed of the game."""
    index: int
    """The number of the game in the match."""
    records: str
    """The decisions with the expert's choices, in base64."""
    options: list[list[tuple[Column, Share, Value | None]]]
    """The options that the expert looked at for each decision: solution, prior, value."""

    @classmethod
    def of(cls, game: GameRecord, expert: str, labels: Labels) -> GameLabels:
        options = []
        for values, priors in zip(labels.values, labels.priors, strict=True):
            seen = np.flatnonzero((priors > 0) | ~np.isnan(values)).tolist()
            options.append([(i, _rounded(priors[i]), _value(values[i])) for i in seen])
        records = base64.b64encode(labels.records.tobytes()).decode()
        return cls(expert=expert, seed=game.seed, index=game.index, records=records, options=options)

    def labels(self, name: str) -> Labels:
        """The labels, checked; `name` is that of the file."""
        try:
            records = np.frombuffer(base64.b64decode(self.records, validate=True), CASE)
        except (binascii.Error, ValueError):
            raise _damaged(name, self.index) from None
        if len(records) != len(self.options):
            raise _damaged(name, self.index)
        check_records(records, np.arange(len(records)), name)
        found = Labels.none(len(records))
        for row, options in enumerate(self.options):
            for column, prior, value in options:
                found.priors[row, column] = prior
                found.values[row, column] = np.nan if value is None else value
        return found._replace(records=records)


def _rounded(number: float) -> float:
    return round(float(number), _DIGITS)


def _value(number: float) -> float | None:
    return None if np.isnan(number) else _rounded(number)


def _damaged(name: str, index: int) -> BadCaseBase:
    return BadCaseBase(f"{name}: the labels of game {index} are damaged; delete the file and label again")


class LabelFile:
    """A label file that no other process writes to."""

    def __init__(self, file: Path, stream: IO[bytes]) -> None:
        self.file = file
        self._stream = stream
        self.games = self._recovered()
        """What was labelled, by the number of the game in the match."""

    def _recovered(self) -> dict[int, GameLabels]:
        data = self.file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self.file, whole)
        found = [parse_line(line, self.file, number) for number, line in enumerate(data[:whole].splitlines(), 1)]
        return {labels.index: labels for labels in found}

    def check(self, games: Iterable[GameRecord], expert: str) -> None:
        """Refuse to go on with labels of other games, or of another expert."""
        seeds = {game.index: game.seed for game in games}
        for index, labels in self.games.items():
            if labels.expert != expert or seeds.get(index, labels.seed) != labels.seed:
                raise BadCaseBase(f"{self.file} has labels of other games, or by another expert: choose another --out")

    def append(self, labels: GameLabels) -> None:
        write_all(self._stream, labels.model_dump_json().encode() + b"\n")
        self.games[labels.index] = labels

    def flush(self) -> None:
        os.fsync(self._stream.fileno())
        flush_to_disk(self.file.parent)


def read_labels(file: Path) -> tuple[Labels, int]:
    """The labels in a file, and of how many games they are."""
    try:
        lines = file.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise BadCaseBase(f"cannot read {file}: {error.strerror}") from None
    if lines and not lines[-1].endswith(b"\n"):
        raise BadCaseBase(f"{file}: its last game is cut off; `cases label` with the same --out goes on")
    games = [parse_line(line, file, number) for number, line in enumerate(lines, 1)]
    return Labels.joined(game.labels(str(file)) for game in games), len(games)


def parse_line(line: bytes, file: Path, number: int) -> GameLabels:
    try:
        return GameLabels.model_validate_json(line)
    except pydantic.ValidationError as error:
        what = error.errors()[0]["msg"]
        raise BadCaseBase(f"{file}, line {number}: no labels of a game: {what}") from None


@contextmanager
def open_label_file(file: Path) -> Iterator[LabelFile]:
    """Lock a label file, which is made if need be."""
    with open_alone(file, f"another process is labelling into {file}; wait for it or choose another --out") as stream:
        opened = LabelFile(file, stream)
        try:
            yield opened
        finally:
            opened.flush()
