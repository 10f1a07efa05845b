"""Characters at equal strength: their handicaps are set, and their ratings measured, against fixed anchors.

For each strength there is an anchor, an agent that stays as it is. A character plays with the anchor in all other
seats. What share of them it comes before is its rating, on Elo's scale. Handicaps are set by stochastic approximation:
after every batch of games `variety`, the temperature of the character's choice, is raised if it won more than the
target and lowered if it won less, by smaller and smaller steps. Ratings come from other games, with another seed, so
that luck in the tuning does not count. All games are recorded: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from boardwright.agents import Spec
from boardwright.agents.characters import STRENGTHS, Cast, Character, Rating, Strength, Version
from boardwright.arena.ladder import ELO
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import default_record_file, run_match
from boardwright.arena.standings import Z95
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.kernel import Game
from boardwright.playstyle.profile import GameRow, StyleGames

TUNED = "variety"
LEAST, MOST = 0.001, 2.0
FIRST_STEP, STEP_POWER = 5.0, 0.7
TUNING_SEED = 1
"""Added to the seed of the games that ratings are measured in."""


@dataclass
class Calibrated:
    """A character at one strength, after its games."""

    character: str
    strength: Strength
    version: Version
    share: float
    """Of the anchors' seats, how many it came before."""
    rows: list[GameRow]
    """Its style, game by game."""


@dataclass(frozen=True)
class Calibration:
    """Against the anchors of a cast, with all games recorded in a folder."""

    game: Game
    cast: Cast
    folder: Path
    executor: Executor
    games: int
    """For each rating."""
    seed: int = 0
    targets: Mapping[Strength, float] = field(default_factory=dict)
    """The share that characters of a strength are tuned to."""
    batch: int = 30

    def anchors(self) -> dict[Strength, Version]:
        """The first is 0; each of the others is rated against the one before."""
        found: dict[Strength, Version] = {}
        before: Version | None = None
        for strength in (one for one in STRENGTHS if one in self.cast.anchors):
            spec = self.cast.anchors[strength].spec
            if before is None or before.rating is None:
                rating = Rating(elo=0.0, low=0.0, high=0.0, games=self.games)
            else:
                met = rated(self.shares(spec, before.spec, self.games, self.seed))
                base = before.rating.elo
                rating = Rating(elo=base + met.elo, low=base + met.low, high=base + met.high, games=met.games)
            before = found[strength] = Version(spec=spec, rating=_rounded(rating))
        return found

    def tuned(self, version: Version, anchor: str, target: float, batches: int) -> Version:
        """The version with the handicap that brings it near the target."""
        spec = Spec.parse(version.spec)
        variety = max(float(spec.params.get(TUNED, "0.02")), LEAST)
        tried: list[float] = []
        for number in range(batches):
            shares = self.shares(_with(spec, variety), anchor, self.batch, self.seed + TUNING_SEED + number)
            step = FIRST_STEP / (1 + number) ** STEP_POWER
            variety *= math.exp(step * (float(np.mean(shares)) - target))
            variety = min(max(variety, LEAST), MOST)
            tried.append(math.log(variety))
        kept = tried[len(tried) // 2 :]  # the mean of the later ones varies less than the last
        return Version(spec=_with(spec, math.exp(sum(kept) / len(kept)))) if kept else version

    def rate(self, character: Character, strength: Strength, anchor: Version, batches: int = 0) -> Calibrated:
        """Tune it, if that is wanted and it can be, and measure its rating and style."""
        version = character.strengths[strength]
        if batches and Spec.parse(version.spec).name == "tilted":
            version = self.tuned(version, anchor.spec, self.targets.get(strength, 0.5), batches)
        records = self.records(version.spec, anchor.spec, self.games, self.seed)
        shares = [share_before(record) for record in records]
        own, base = rated(shares), 0.0 if anchor.rating is None else anchor.rating.elo
        rating = Rating(elo=base + own.elo, low=base + own.low, high=base + own.high, games=own.games)
        rows = [row for row in StyleGames.over(records).rows if row.agent == version.spec]
        label = f"{character.name}, {strength}"
        rows = [GameRow(label, row.game, row.features) for row in rows]
        rated_version = Version(spec=version.spec, rating=_rounded(rating))
        return Calibrated(character.name, strength, rated_version, float(np.mean(shares)), rows)

    def run(self, batches: int = 0, only: Sequence[str] = ()) -> Iterator[Calibrated]:
        """Of all characters, or those named, at all strengths."""
        anchors = self.anchors()
        for strength, anchor in anchors.items():
            for character in self.cast.characters:
                if strength in character.strengths and (not only or character.name in only):
                    yield self.rate(character, strength, anchor, batches)

    def shares(self, spec: str, anchor: str, games: int, seed: int) -> list[float]:
        return [share_before(record) for record in self.records(spec, anchor, games, seed)]

    def records(self, spec: str, anchor: str, games: int, seed: int) -> list[GameRecord]:
        return play_against(self.game, spec, anchor, self.cast.seats, games, seed, self.folder, self.executor)


def play_against(
    game: Game, spec: str, anchor: str, seats: int, games: int, seed: int, folder: Path, executor: Executor
) -> list[GameRecord]:
    """The games of an agent with an anchor in all other seats; those that were played before are read."""
    if spec == anchor:
        raise BadSpec(f"{spec} is the anchor itself; take another one")
    match = Match(game.source or game.name, (spec, *[anchor] * (seats - 1)), seed)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / default_record_file(match).name
    outcome = run_match(match, games, file=file, resume=file.exists(), executor=executor)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return first_games(read_records(file), games)


def _with(spec: Spec, variety: float) -> str:
    return str(Spec(spec.name, {**spec.params, TUNED: f"{variety:.3g}"}))


def share_before(record: GameRecord) -> float:
    """Of the others at the table, how many the first entrant came before; a tie counts half."""
    seat = record.order.index(0)
    others = [result for place, result in enumerate(record.returns) if place != seat]
    mine = record.returns[seat]
    return math.fsum(1.0 if mine > other else 0.5 if mine == other else 0.0 for other in others) / len(others)


def rated(shares: Sequence[float]) -> Rating:
    """The rating above the anchor, with a 95 % interval from the scatter of whole games. Half a point is added to both
    sides, so that somebody who never lost has a rating, too."""
    games = len(shares)
    mean = (math.fsum(shares) + 0.5) / (games + 1)
    scatter = float(np.var(shares)) if games > 1 else 0.25
    error = math.sqrt(max(scatter, mean * (1 - mean) / (games + 1)) / games) / (mean * (1 - mean))
    logit = math.log(mean / (1 - mean))
    return Rating(elo=ELO * logit, low=ELO * (logit - Z95 * error), high=ELO * (logit + Z95 * error), games=games)


def _rounded(rating: Rating) -> Rating:
    return Rating(elo=round(rating.elo), low=round(rating.low), high=round(rating.high), games=rating.games)
