"""A newcomer's rating, from games against the references, whose ratings stay as they are.

Games are shared among the tables in proportion to what a game there tells: most go to opponents of about the same
strength, a few to the others. In a game for more than two, the newcomer sits with references that are neighbours. The
interval counts what is uncertain about the references, too.

Nobody can train on the games. For an agent of ours the seed follows from its spec and from what the files hold that it
names: it is fixed, but known only when the agent is finished. For other code it is drawn at random and shown when all
games are over (arena/seeds.py).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from boardwright.agents.levels import in_full
from boardwright.arena.ladder import ELO, Ladder, Results, bradley_terry
from boardwright.arena.match import Match, has_foreign_agents
from boardwright.arena.seeds import HiddenSeed, Seeds, choose_seed
from boardwright.arena.standings import Z95
from boardwright.bench.references import Anchor, RatedSet
from boardwright.bench.tables import BlockRun, Table
from boardwright.errors import BadSpec
from boardwright.executors import Executor
from boardwright.kernel import Game

NEWCOMER = 0
"""The place of the newcomer among the entrants; the references come after, the weakest first."""
LEAST_INFORMATION = 0.02
"""What a game is taken to tell at least, so that nobody is met by a few references alone; the most is 0.25."""


@dataclass(frozen=True)
class Met:
    """The games against one reference."""

    anchor: Anchor
    games: int
    share: float
    """How often the newcomer came before it; a tie counts half."""
    expected: float
    """What the ratings would have let expect."""


@dataclass(frozen=True)
class Measured:
    """A newcomer after its games."""

    spec: str
    elo: float
    low: float
    high: float
    games: int
    met: tuple[Met, ...]
    seeds: Seeds


def bench_seeds(game: Game, seats: int, spec: str, seed: int | None, salt: int | None, unfinished: HiddenSeed) -> Seeds:
    """What all games of the run derive from. A hidden one that was not finished is gone on with."""
    if has_foreign_agents([spec]):
        if seed is None and unfinished.file.exists():
            kept, salted = unfinished.read()
            return Seeds(seed=kept, salt=salted, hidden_seed=True)
        return choose_seed(seed, [spec], salt=salt)
    if seed is None:
        files = Match(game.name, (spec, *["random"] * (seats - 1))).files()
        about = json.dumps([game.name, seats, spec, sorted(files.values())])
        seed = int.from_bytes(hashlib.sha256(about.encode()).digest()[:7], "big")
    return Seeds(seed=seed, salt=salt or 0, hidden_seed=False)


def measure(
    game: Game,
    references: RatedSet,
    newcomer: str,
    games: int,
    folder: Path,
    executor: Executor,
    progress: Callable[[int], None],
    seed: int | None = None,
    salt: int | None = None,
) -> Measured:
    """Play at least so many games, in whole blocks, and rate the newcomer by them; `progress` is called with how many
    there are."""
    seats = references.seats
    spec = in_full(newcomer, game, seats)
    anchors = [anchor for anchor in references.anchors if anchor.spec != spec]
    name = hashlib.sha256(json.dumps([game.name, seats, spec]).encode()).hexdigest()[:12]
    unfinished = HiddenSeed(folder / name)
    seeds = bench_seeds(game, seats, spec, seed, salt, unfinished)
    ladder = Ladder(game, (spec, *(anchor.spec for anchor in anchors)), seats, game_name=references.game, **seeds)
    run_name = hashlib.sha256(f"{name} {seeds['seed']} {seeds['salt']}".encode()).hexdigest()[:12]
    tables = [(NEWCOMER, *range(first, first + seats - 1)) for first in range(1, len(anchors) - seats + 3)]
    if not tables:
        raise BadSpec(f"{spec} has too few references to meet in {game.name}")
    ladder.match(tables[0]).check()
    if seeds["hidden_seed"]:
        unfinished.keep(seeds["seed"], seeds["salt"])
    run = BlockRun(ladder, folder / run_name, executor)
    while run.games < games:
        run.play(next_table(run, anchors, tables))
        progress(run.games)
    unfinished.forget()
    return result(spec, anchors, run.results, run.games, seeds)


def next_table(run: BlockRun, anchors: list[Anchor], tables: list[Table]) -> Table:
    """The table that is most behind its share of the games."""
    _, _, information = _fitted(anchors, run.results)

    def due(table: Table) -> float:
        return math.fsum(information[entrant] + LEAST_INFORMATION for entrant in table[1:]) / (run.played[table] + 1)

    return max(tables, key=due)


def _fitted(anchors: list[Anchor], results: Results) -> tuple[float, float, list[float]]:
    """The newcomer's strength, its standard error, and what one result against each entrant tells."""
    fixed = np.array([np.nan, *(anchor.elo / ELO for anchor in anchors)])
    known = np.array([0.0, *(anchor.error / ELO for anchor in anchors)])
    strengths, errors = bradley_terry(results.before, results.outcomes, fixed, known)
    wins = 1 / (1 + np.exp(strengths - strengths[NEWCOMER]))
    return float(strengths[NEWCOMER]), float(errors[NEWCOMER]), [float(p * (1 - p)) for p in wins]


def result(spec: str, anchors: list[Anchor], results: Results, games: int, seeds: Seeds) -> Measured:
    strength, error, _ = _fitted(anchors, results)
    met = results.before[NEWCOMER] + results.before[:, NEWCOMER]
    rows = tuple(
        Met(
            anchor,
            int(met[place]),
            float(results.before[NEWCOMER, place] / met[place]),
            1 / (1 + math.exp(anchor.elo / ELO - strength)),
        )
        for place, anchor in enumerate(anchors, 1)
        if met[place]
    )
    low, high = strength - Z95 * error, strength + Z95 * error
    return Measured(spec, ELO * strength, ELO * low, ELO * high, games, rows, seeds)
