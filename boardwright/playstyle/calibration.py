"""Characters at equal strength: their handicaps are set, and their ratings measured, in games with each other.

All characters of a strength and its anchor, an agent that stays as it is, meet at all tables there can be, so that
every game tells of everybody in it. Ratings are fitted to all results at once (Bradley and Terry).

Handicaps are set in rounds. Each character's rating is taken to fall with the logarithm of `variety`, the temperature
of its choice: a line for each, with slopes that are nearly alike, is fitted to the games of all rounds together, and
the next round is played where the lines meet the target. Ratings come from other games, with another seed, so that luck
in the tuning does not count. All games are recorded: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from boardwright.agents import Spec
from boardwright.agents.characters import STRENGTHS, Cast, Character, Rating, Strength, Version
from boardwright.arena.ladder import ELO, Floats, Ladder, Results, bradley_terry
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import default_record_file, run_match
from boardwright.arena.standings import Z95
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.files import make_folder
from boardwright.kernel import Game
from boardwright.playstyle.profile import GameRow, StyleGames

TUNED = "variety"
LEAST, MOST = 0.001, 2.0
LARGEST_STEP = 1.0
"""In logarithms of `variety`, between two rounds."""
SPREAD = 0.25
"""So far above or below, in turn, a round is played: to see the slope."""
SLOPE, SLOPE_SPREAD, OWN_SPREAD = -0.6, 0.4, 0.2
"""Expected of ratings (logits) over handicaps (logarithms): the mean slope, how uncertain it is, and how much
characters differ in it."""
GENTLEST = -0.15
"""Slope that is believed."""
TUNING_SEED = 1
"""Added to the seed of the games that ratings are measured in."""


@dataclass
class Calibrated:
    """A character at one strength, after its games."""

    character: str
    strength: Strength
    version: Version
    share: float
    """Of the others at its tables, how many it came before."""
    rows: list[GameRow]
    """Its style, game by game."""


@dataclass(frozen=True)
class Round:
    """Games of all characters of a strength and their anchor, who is the last."""

    handicaps: tuple[float, ...]
    """Logarithms; of the characters alone."""
    results: Results


@dataclass(frozen=True)
class Calibration:
    """Of a cast, with all games recorded in a folder."""

    game: Game
    cast: Cast
    folder: Path
    executor: Executor
    games: int
    """For each rating."""
    seed: int = 0
    targets: Mapping[Strength, float] = field(default_factory=dict)
    """The share of games against the anchor that characters of a strength are tuned to."""
    batch: int = 120
    """Games of each character in a round."""

    def anchors(self) -> dict[Strength, Version]:
        """The first is 0; each of the others is rated against the one before."""
        found: dict[Strength, Version] = {}
        before: Version | None = None
        for strength in (one for one in STRENGTHS if one in self.cast.anchors):
            spec = self.cast.anchors[strength].spec
            if before is None or before.rating is None:
                rating = Rating(elo=0.0, low=0.0, high=0.0, games=self.games)
            else:
                records = play_against(
                    self.game, spec, before.spec, self.cast.seats, self.games, self.seed, self.folder, self.executor
                )
                rating = _raised(rated([share_before(record) for record in records]), before.rating.elo)
            before = found[strength] = Version(spec=spec, rating=rating)
        return found

    def run(
        self, anchors: Mapping[Strength, Version], rounds: int = 0, only: Sequence[str] = ()
    ) -> Iterator[list[Calibrated]]:
        """The characters of one strength after the other, tuned before if that is wanted."""
        for strength, anchor in anchors.items():
            own = [character for character in self.cast.characters if strength in character.strengths]
            if own and (not only or strength in only):
                specs = self.tuned(own, strength, anchor.spec, rounds)
                yield self.rate(own, strength, specs, anchor)

    def tuned(self, own: Sequence[Character], strength: Strength, anchor: str, rounds: int) -> list[str]:
        """The specs with the handicaps that bring all of them near the target; only `tilted` agents have one."""
        specs = [Spec.parse(character.strengths[strength].spec) for character in own]
        first = tuple(math.log(max(float(spec.params.get(TUNED, "0.02")), LEAST)) for spec in specs)
        handicaps, played = first, list[Round]()
        target = self.targets.get(strength, 0.5)
        for number in range(rounds):
            tried = tuple(x + SPREAD * (-1) ** (place + number) for place, x in enumerate(handicaps))
            results, _ = self.meet([*map(_with, specs, tried), anchor], self.batch, self.seed + TUNING_SEED + number)
            played.append(Round(tried, results))
            wanted = next_handicaps(played, math.log(target / (1 - target)))
            nearer = np.clip(wanted, np.subtract(handicaps, LARGEST_STEP), np.add(handicaps, LARGEST_STEP))
            handicaps = tuple(np.clip(nearer, math.log(LEAST), math.log(MOST)).tolist())
        return [*map(_with, specs, handicaps)] if rounds else [*map(str, specs)]

    def rate(
        self, own: Sequence[Character], strength: Strength, specs: Sequence[str], anchor: Version
    ) -> list[Calibrated]:
        """Ratings and styles. Intervals are those of the distance from the mean of all at the tables."""
        results, records = self.meet([*specs, anchor.spec], self.games, self.seed)
        elo, error = (ELO * values for values in bradley_terry(results.before, results.outcomes))
        base = 0.0 if anchor.rating is None else anchor.rating.elo
        met = results.before + results.before.T
        shares = results.before.sum(1) / met.sum(1)
        rows = StyleGames.over(records).rows
        found = []
        for place, (character, spec) in enumerate(zip(own, specs, strict=True)):
            off = elo[place] - elo[-1]
            margin = Z95 * error[place]
            rating = Rating(elo=off, low=off - margin, high=off + margin, games=int(results.games[place]))
            label = f"{character.name}, {strength}"
            styles = [GameRow(label, row.game, row.features) for row in rows if row.agent == spec]
            version = Version(spec=spec, rating=_raised(rating, base))
            found.append(Calibrated(character.name, strength, version, float(shares[place]), styles))
        return found

    def meet(self, specs: Sequence[str], games: int, seed: int) -> tuple[Results, list[GameRecord]]:
        """Games of everybody with everybody, at least so many of each."""
        ladder = Ladder(self.game, tuple(specs), self.cast.seats, seed, self.game.source or self.game.name)
        ladder.check()
        results, records = Results(ladder.specs), list[GameRecord]()
        planned = ladder.tables()
        at_table = -(-games // sum(0 in table for table in planned))
        for table in planned:
            played = play(ladder.match(table), at_table, self.folder, self.executor)
            results.add(table, played)
            records += played
        return results, records


def next_handicaps(played: Sequence[Round], target: float) -> Floats:
    """Where each character's rating above the anchor, in logits, should be the target.

    The rating of each is a line over its handicap. Priors keep the slopes near a common one: few games do not tell them
    apart. Newton's method finds the most likely lines.
    """
    count = len(played[0].handicaps)
    middle = np.mean([one.handicaps for one in played], axis=0)
    expected = np.concatenate((np.zeros(count), [SLOPE], np.zeros(count)))
    spread = np.concatenate((np.full(count, 2.0), [SLOPE_SPREAD], np.full(count, OWN_SPREAD)))
    found = expected.copy()
    for _ in range(50):
        slope, curvature = (expected - found) / spread**2, np.diag(1 / spread**2)
        for one in played:
            off = np.diag(np.asarray(one.handicaps) - middle)
            lines = np.vstack((np.hstack((np.eye(count), off.sum(1)[:, None], off)), np.zeros(2 * count + 1)))
            strength = lines @ found
            wins = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
            met = one.results.before + one.results.before.T
            weight = met * wins * (1 - wins)
            slope += lines.T @ (one.results.before - met * wins).sum(1)
            curvature += lines.T @ (np.diag(weight.sum(1)) - weight) @ lines
        change = np.linalg.solve(curvature, slope)
        found += change / max(1.0, float(np.abs(change).max()))
    slopes = np.minimum(found[count] + found[count + 1 :], GENTLEST)
    return np.asarray(middle + (target - found[:count]) / slopes)


def play(match: Match, games: int, folder: Path, executor: Executor) -> list[GameRecord]:
    """The games of a match; those that were played before are read."""
    make_folder(folder, "games")
    file = folder / default_record_file(match).name
    outcome = run_match(match, games, file=file, resume=file.exists(), executor=executor)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return first_games(read_records(file), games)


def play_against(
    game: Game, spec: str, anchor: str, seats: int, games: int, seed: int, folder: Path, executor: Executor
) -> list[GameRecord]:
    """The games of an agent with an anchor in all other seats."""
    if spec == anchor:
        raise BadSpec(f"{spec} is the anchor itself; take another one")
    return play(Match(game.source or game.name, (spec, *[anchor] * (seats - 1)), seed), games, folder, executor)


def _with(spec: Spec, handicap: float) -> str:
    if spec.name != "tilted":
        return str(spec)
    return str(Spec(spec.name, {**spec.params, TUNED: f"{math.exp(handicap):.3g}"}))


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


def _raised(rating: Rating, base: float) -> Rating:
    """By the rating of the anchor, and rounded."""
    return Rating(
        elo=round(rating.elo + base), low=round(rating.low + base), high=round(rating.high + base), games=rating.games
    )
