"""The search for characters: MAP-Elites (Mouret and Clune 2015) over tilts, at a wanted strength.

A map has two axes, two features of a style profile, and a few steps along each. A candidate is a set of tilts for one
base agent. It plays an anchor; its mean style says in which cell it belongs, and its share of wins how near it is to
the wanted strength. Each cell keeps the candidate that is nearest. New candidates are elites with one tilt changed, or
have, at first, tilts at random. Every trial is a line of a file: a search that was stopped goes on, to the same map.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pydantic

from boardwright.agents import Spec
from boardwright.errors import BadRecord, UnknownName
from boardwright.executors import Executor
from boardwright.files import open_alone, write_all
from boardwright.kernel import Game, rng
from boardwright.playstyle.calibration import play_against, share_before
from boardwright.playstyle.profile import StyleGames, profiles
from boardwright.playstyle.tilted import vocabulary

STEPS = 5
"""Of the map along each axis."""
FIRST_TRIALS = 8
"""With tilts at random, before elites are changed."""
LARGEST = 0.2
"""Tilt."""


class Trial(pydantic.BaseModel):
    """One candidate and what it did."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    number: int
    spec: str
    share: float
    games: int
    behaviour: tuple[float, float]
    """The means of the two features."""


@dataclass(frozen=True)
class StyleSearch:
    """Over tilts of a base agent."""

    game: Game
    base: str
    """The spec of a `tilted` agent without likes."""
    anchor: str
    names: Sequence[str]
    """What tilts can be by."""
    axes: tuple[str, str]
    seats: int
    games: int
    target: float
    seed: int
    folder: Path
    executor: Executor

    def check(self) -> None:
        known = vocabulary(self.game.source or self.game.name)
        for name in self.names:
            if name not in known:
                raise UnknownName("tilt", name, known, f" of {self.game.name}")

    def run(self, trials: int, file: Path) -> Iterator[Trial]:
        """All trials, those first that are in the file already."""
        with open_alone(file, f"{file} is being written by another search") as stream:
            stream.seek(0)
            text = stream.read()
            whole = text[: text.rfind(b"\n") + 1]
            stream.truncate(len(whole))  # a line that a crash has cut off
            done = _read(whole.decode(), file)
            for number in range(trials):
                if number >= len(done):
                    done.append(self.trial(number, done))
                    write_all(stream, f"{done[-1].model_dump_json()}\n".encode())
                yield done[number]

    def trial(self, number: int, done: Sequence[Trial]) -> Trial:
        spec = self._candidate(number, done)
        records = play_against(
            self.game, spec, self.anchor, self.seats, self.games, self.seed, self.folder, self.executor
        )
        rows = [row for row in StyleGames.over(records).rows if row.agent == spec]
        figures = profiles(rows)[0].figures
        for axis in self.axes:
            if axis not in figures:
                raise UnknownName("feature", axis, figures, f" of a style in {self.game.name}")
        share = math.fsum(map(share_before, records)) / len(records)
        behaviour = (figures[self.axes[0]].mean, figures[self.axes[1]].mean)
        return Trial(number=number, spec=spec, share=share, games=len(records), behaviour=behaviour)

    def _candidate(self, number: int, done: Sequence[Trial]) -> str:
        """Random numbers of its own for each trial: what comes of it depends on the trials before, not on when."""
        chance = random.Random(rng.derive(self.seed, number))
        if number < FIRST_TRIALS:
            likes = {name: _tilt(chance) for name in chance.sample(list(self.names), min(2, len(self.names)))}
        else:
            elite = chance.choice(sorted(elites(done, self.target).values(), key=lambda one: one.number))
            likes = tilts_in(elite.spec)
            likes[chance.choice(list(self.names))] = _tilt(chance)
        written = "/".join(f"{name}{weight:+.3g}" for name, weight in likes.items() if weight)
        base = Spec.parse(self.base)
        return str(Spec(base.name, {**base.params, "likes": written}))


def _tilt(chance: random.Random) -> float:
    return round(chance.uniform(-LARGEST / 2, LARGEST), 3)


def likes_in(spec: str) -> str:
    return Spec.parse(spec).params.get("likes", "")


def tilts_in(spec: str) -> dict[str, float]:
    """The tilts of a spec, by name."""
    found = {}
    for part in filter(None, likes_in(spec).split("/")):
        place = max(part.rfind("+"), part.rfind("-"))
        found[part[:place]] = float(part[place:])
    return found


def elites(trials: Sequence[Trial], target: float) -> dict[tuple[int, int], Trial]:
    """The map: by cell, the trial whose share is nearest to the target. The cells part the range that was seen."""
    found: dict[tuple[int, int], Trial] = {}
    bounds = [_bounds([trial.behaviour[axis] for trial in trials]) for axis in (0, 1)]
    for trial in trials:
        x, y = (_step(trial.behaviour[axis], *bounds[axis]) for axis in (0, 1))
        if (x, y) not in found or abs(trial.share - target) < abs(found[x, y].share - target):
            found[x, y] = trial
    return found


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 0.0)


def _step(value: float, low: float, high: float) -> int:
    return min(int(STEPS * (value - low) / (high - low)), STEPS - 1) if high > low else 0


def _read(text: str, file: Path) -> list[Trial]:
    found: list[Trial] = []
    for number, line in enumerate(text.split("\n")[:-1]):
        try:
            found.append(Trial.model_validate_json(line))
        except pydantic.ValidationError:
            raise BadRecord(f"{file}, line {number + 1}: not a trial of a search; move the file away") from None
    return found
