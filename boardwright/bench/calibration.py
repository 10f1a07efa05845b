"""The ratings of reference opponents, from games among themselves.

Everybody is rated as on a ladder. Who meets whom next follows from what is known so far: the table is chosen that
leaves the least uncertainty about the reference of which least is known. Far apart, two agents say little about each
other, so most games are between neighbours. When all intervals are within ± `wanted` the set is done. All blocks are
recorded: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from boardwright import __version__
from boardwright.arena.ladder import ELO, Floats, Ladder, Rating, Square, bradley_terry, ratings
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95
from boardwright.bench.references import Anchor, RatedSet, References
from boardwright.bench.tables import BlockRun, Table
from boardwright.bench.timing import milliseconds_per_decision
from boardwright.executors import Executor
from boardwright.registry import load_game

SEED = 36
"""Of the games among the references. Newcomers play others."""
PAIR_DEVIATION = 60 / ELO
"""How far two agents' results are from what their ratings say, as a standard deviation: some styles suit each other
badly. However many games two play, they tell a rating no better than this, so others must be met, too."""
Progress = Callable[[int, list[Rating]], None]


def calibrate(references: References, folder: Path, executor: Executor, wanted: float, progress: Progress) -> RatedSet:
    """Play until all ratings are known well enough; `progress` is called with the games and the ratings after each
    block."""
    game = load_game(references.game)
    ladder = Ladder(game, references.specs, references.seats, SEED, references.game)
    ladder.check()
    run = BlockRun(ladder, folder, executor)
    found: list[Rating] = []
    while not found or max(rating.high - rating.low for rating in found) > 2 * wanted:
        run.play(next_table(run.results.before, ladder.tables(), run.block))
        found = ratings(run.results)
        progress(run.games, found)
    found.sort(key=lambda rating: rating.elo)
    return RatedSet(
        game=references.game,
        seats=references.seats,
        seed=SEED,
        games=run.games,
        within=wanted,
        version=__version__,
        command=f"boardwright bench {references.game} --calibrate --within {wanted:g}",
        anchors=tuple(
            Anchor(
                spec=rating.spec,
                elo=round(rating.elo, 1),
                error=round((rating.high - rating.low) / (2 * Z95), 1),
                games=rating.games,
                milliseconds=round(milliseconds_per_decision(references.game, references.seats, rating.spec), 2),
            )
            for rating in found
        ),
        trace=trace(references, [rating.spec for rating in found]),
    )


def next_table(before: Square, tables: list[Table], games: int) -> Table:
    """Where so many games would leave the least variance of the rating that is known least; if it is the same wherever
    they are played, the least variance of all together."""
    strength, _ = bradley_terry(before)

    def left(table: Table) -> tuple[float, float]:
        variance = variances(before, strength, games, table)
        return round(float(variance.max()), 9), float(variance.sum())

    return min(tables, key=left)


def cheapest_table(
    before: Square, tables: list[Table], games: int, sought: int, costs: Floats, fixed: Floats | None = None
) -> Table:
    """Where so many games tell most about one rating for what they cost. `costs` has the time that everybody takes for
    a game, `fixed` is as for `bradley_terry`. Whom a newcomer has met often tells little more (`PAIR_DEVIATION`)."""
    strength, _ = bradley_terry(before, fixed=fixed)
    now = variances(before, strength, 0, tables[0], fixed, PAIR_DEVIATION)[sought]

    def gain(table: Table) -> float:
        left = variances(before, strength, games, table, fixed, PAIR_DEVIATION)[sought]
        return float((now - left) / costs[list(table)].sum())

    return max((table for table in tables if sought in table), key=gain)


def variances(
    before: Square,
    strength: Floats,
    games: int,
    table: Table,
    fixed: Floats | None = None,
    pair_deviation: float = 0.0,
) -> Floats:
    """The variance of every rating, if so many more games are played at a table; 0 for those that are known."""
    wins = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    information = wins * (1 - wins)
    n = len(before)
    free = np.ones(n, bool) if fixed is None else np.isnan(fixed)
    sought = np.ix_(free, free)
    centred = np.eye(n) - 1 / n if fixed is None else np.eye(int(free.sum()))
    average = 1 / (1 + np.exp(-strength))
    weight, pairs = (before + before.T) * information, np.ix_(table, table)
    weight[pairs] += games * information[pairs]
    weight /= 1 + pair_deviation**2 * weight
    np.fill_diagonal(weight, 0.0)
    curvature = np.diag(weight.sum(1) + average * (1 - average)) - weight
    found = np.zeros(n)
    found[free] = np.diag(centred @ np.linalg.inv(curvature[sought]) @ centred)
    return found


def trace(references: References, weakest_first: list[str]) -> str:
    """A digest of the first game among the strongest."""
    strongest = tuple(weakest_first[-references.seats :])
    game = load_game(references.game)
    record: GameRecord = (
        Ladder(game, strongest, references.seats, SEED, references.game).match(tuple(range(references.seats))).play(0)
    )
    return hashlib.sha256(json.dumps([record.actions, record.returns]).encode()).hexdigest()[:16]


def points(rating: Rating) -> float:
    """Half of its interval, on Elo's scale."""
    return (rating.high - rating.low) / 2
