"""Training by self-play, a generation after the other.

A generation is a number of games the network plays against itself and the lessons learned from them. It depends on the
seed and the weights it begins with alone, so training that was stopped, or killed, goes on from the last whole
generation and ends with the same weights, whatever the number of threads.
"""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from boardwright.errors import BadGame, BadRecord, BadSpec
from boardwright.files import atomic_output
from boardwright.kernel import Game, rng
from boardwright.learn import self_play
from boardwright.learn.descent import Learner, Losses
from boardwright.learn.lessons import collect
from boardwright.learn.network import UNREADABLE, Network, Weights, untrained
from boardwright.learn.self_play import FULL, MOST_ROWS, Diary
from boardwright.learn.turn_search import Desk, Settings

_TOO_MANY = 2**16  # diaries number features and actions with 16 bits


@dataclass(frozen=True)
class Course:
    """All that decides how the weights come out."""

    game: str
    seats: int
    games: int
    seed: int = 0
    worlds: int = 4
    breadth: int = 1
    width: int = 16
    generation: int = 512
    """Games between two rounds of learning."""
    passes: int = 2
    """How often each lesson is gone through."""
    rate: float = 1e-3
    """The step size at the beginning; it falls to a tenth."""
    trust: float = 0.03
    """How much the network's first impression counts against what a search found, in chance to win."""
    fade: float = 0.95
    """λ: how much the result counts against what the seat's own later searches said."""


@dataclass(frozen=True)
class Milestone:
    """One generation's entry in the learning curve."""

    games: int
    value_loss: float
    choice_loss: float
    games_per_second: float
    choices: float
    """Choices a game, all seats together."""
    score: float | None = None
    """The mean payoff against the reference, from 0 to 1, where it was tried: in most games the share won."""


@dataclass
class Training:
    course: Course
    game: Game
    adam: Learner
    reference: str = ""
    """Who it is tried against."""
    curve: list[Milestone] = field(default_factory=list)

    @classmethod
    def begin(cls, course: Course, game: Game, reference: str = "") -> Training:
        if game.learning.features is None:
            raise BadSpec(f"{game.name} declares no features, so nothing can be learned about it")
        if max(len(game.learning.feature_names), game.num_actions) >= _TOO_MANY:
            raise BadSpec(f"{game.name} has more features or actions than diaries can number ({_TOO_MANY:,})")
        random = np.random.default_rng(course.seed)
        return cls(
            course, game, Learner(untrained(len(game.learning.feature_names), game.num_actions, random)), reference
        )

    @property
    def games(self) -> int:
        return min(len(self.curve) * self.course.generation, self.course.games)

    @property
    def finished(self) -> bool:
        return self.games >= self.course.games

    def network(self) -> Network:
        history = {"course": asdict(self.course), "games": self.games, "curve": [asdict(m) for m in self.curve]}
        return Network(self.game.name, self.course.seats, self.adam.weights, history)

    def note_score(self, score: float) -> None:
        """How the last generation fared against the reference."""
        self.curve[-1] = replace(self.curve[-1], score=score)

    def advance(self, jobs: int) -> Milestone:
        """One generation."""
        began = time.perf_counter()
        number = len(self.curve)
        count = min(self.course.generation, self.course.games - self.games)
        diaries, results = _play(self.course, self.game, self.adam.weights, number, count, jobs)
        seconds = time.perf_counter() - began
        rate = self.course.rate * (1.0 - 0.9 * self.games / self.course.games)
        random = np.random.default_rng([self.course.seed, number])
        with threadpool_limits(1):  # sums of several threads come out in other orders
            losses: Losses = self.adam.learn(
                collect(diaries, results, self.course.fade), rate, self.course.passes, random
            )
        if not np.isfinite(losses).all():
            raise BadGame(f"{self.game.name}: what is to be learned is not a number; see `boardwright check`")
        milestone = Milestone(
            games=self.games + count,
            value_loss=losses.value,
            choice_loss=losses.choice,
            games_per_second=count / seconds,
            choices=float(np.mean([diary.choices for diary in diaries])),
        )
        self.curve.append(milestone)
        return milestone

    def save(self, file: Path) -> None:
        """All that is needed to go on."""
        about = {
            "course": asdict(self.course),
            "reference": self.reference,
            "steps": self.adam.steps,
            "curve": [asdict(m) for m in self.curve],
        }
        arrays = {
            f"{kind}.{name}": array
            for kind in ("weights", "mean", "square")
            for name, array in getattr(self.adam, kind)._asdict().items()
        }
        with atomic_output(file) as temporary, temporary.open("wb") as out:
            np.savez(out, about=np.array(json.dumps(about)), **arrays)

    @classmethod
    def resume(cls, file: Path, course: Course, game: Game, reference: str = "") -> Training:
        """Go on from a checkpoint of the same course."""
        try:
            with np.load(file, allow_pickle=False) as stored:
                about = json.loads(str(stored["about"]))
                arrays = {
                    kind: Weights(*(stored[f"{kind}.{name}"] for name in Weights._fields))
                    for kind in ("weights", "mean", "square")
                }
            before = {**about["course"], "reference": about["reference"]}
        except UNREADABLE as error:
            raise BadRecord(f"{file} is not a checkpoint: {error}") from None
        for name, value in {**asdict(course), "reference": reference}.items():
            if before.get(name) != value:
                raise BadSpec(
                    f"{file} was begun with {name}={before.get(name)}, not {value}; give the same settings to go on,"
                    " or another --out to begin anew"
                )
        training = cls.begin(course, game, reference)
        for kind, weights in arrays.items():
            for target, array in zip(getattr(training.adam, kind), weights, strict=True):
                if target.shape != array.shape:
                    raise BadRecord(f"{file} was written by another version of {game.name}; begin anew")
                target[:] = array
        training.adam.steps = about["steps"]
        training.curve = [Milestone(**entry) for entry in about["curve"]]
        return training


def _play(
    course: Course, game: Game, weights: Weights, generation: int, count: int, jobs: int
) -> tuple[list[Diary], list[list[float]]]:
    """The games of a generation, in order, and their results from 0 to 1."""
    kernel, rules = self_play.kernel(), game.entries.learning_rules
    settings = Settings(course.worlds, course.width, course.breadth, course.trust, turns=1)
    low, high = game.min_utility, game.max_utility
    benches: SimpleQueue[tuple[Desk, Diary]] = SimpleQueue()
    for _ in range(jobs):
        benches.put((Desk.for_game(game), Diary.blank()))

    def play(number: int) -> tuple[Diary, list[float]]:
        desk, diary = benches.get()
        try:
            while True:
                state = game.new(seed=rng.derive(course.seed, generation, number, 0), seats=course.seats)
                rng_state = rng.generator(rng.derive(course.seed, generation, number, 1))
                rows: Any = kernel(rules, weights, state.memory, course.seats, settings, rng_state, desk, diary)
                if rows != FULL:
                    return diary.written(rows), [(x - low) / (high - low) for x in state.returns]
                if diary.room >= MOST_ROWS:
                    raise BadGame(f"{game.name}: a game gives more than {MOST_ROWS:,} lessons; does it end?")
                diary = Diary.blank(2 * diary.room)
        finally:
            benches.put((desk, diary))

    with ThreadPoolExecutor(jobs) as pool:
        played = list(pool.map(play, range(count)))
    return [diary for diary, _ in played], [result for _, result in played]
