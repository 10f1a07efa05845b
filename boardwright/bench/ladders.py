"""One ladder per game: the references, whose ratings stay, and the strong agents of all families among them.

`boardwright strength` plays, and docs/strength.md shows what comes out. Agents with a budget of time get the same time
per decision; the others say how long they take. The levels that people are offered are on the ladder too, unless they
take more time than that.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pydantic

from boardwright import __version__
from boardwright.agents.levels import COMPANION, in_full, levels
from boardwright.agents.spec import Spec
from boardwright.arena.ladder import ELO, Ladder, bradley_terry
from boardwright.arena.standings import Z95
from boardwright.bench.calibration import cheapest_table
from boardwright.bench.references import DATA, SETS, Anchor, Data, rated
from boardwright.bench.tables import BlockRun
from boardwright.bench.timing import milliseconds_per_decision
from boardwright.executors import Executor
from boardwright.files import atomic_output, read_json
from boardwright.kernel import Game
from boardwright.registry import load_game

LEAST_BLOCK = 10
"""Games of a block, at least: fewer than of references, since newcomers can be far from those whom they meet first."""
TIME = "{time}"
"""Stands for the time per decision in a spec."""


class StrengthLadder(NamedTuple):
    game: str
    seats: int
    specs: tuple[str, ...]
    """Who is rated besides the references and the levels."""

    def file_name(self, seconds: float) -> str:
        return f"strength-{self.game}-{self.seats}-{round(1000 * seconds)}ms.json"

    def anchors(self, seconds: float = 0.0, *, add: bool = False) -> tuple[Anchor, ...]:
        """Whose ratings stay: the references of this game and seat count, and all on its ladder with less time; with
        `add`, also those on its ladder with as much."""
        return known(self.game, self.seats, math.nextafter(seconds, math.inf) if add else seconds)

    def newcomers(self, seconds: float, *, add: bool = False) -> tuple[str, ...]:
        """Who is rated, with so much processor time per decision; with `add`, only who is not yet on the ladder."""
        game = load_game(self.game)
        offered = [spec for level, spec in levels(game, self.seats).items() if level != COMPANION]
        named = [spec.replace(TIME, f"seconds={seconds:g},clock=cpu") for spec in self.specs]
        specs = [*named, *(spec for spec in offered if not has_time(spec))]
        anchors = {anchor.spec for anchor in self.anchors(seconds, add=add)}
        return tuple(sorted({in_full(spec, game, self.seats) for spec in specs} - anchors))


LADDERS = tuple(
    StrengthLadder(one["game"], one["seats"], tuple(one["specs"]))
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["ladders"]
)


class RatedLadder(Data):
    """A ladder after its games."""

    game: str
    seats: int
    seconds: float
    """Processor time per decision of agents with a budget of time."""
    seed: int
    games: int
    version: str
    command: str
    agents: tuple[Anchor, ...] = pydantic.Field(min_length=2)
    """The strongest first, the anchors among them."""


def rate(
    ladder: StrengthLadder,
    seconds: float,
    seed: int,
    games: int,
    within: float,
    folder: Path,
    executor: Executor,
    progress: Callable[[int, str, float], None],
    *,
    add: bool = False,
) -> RatedLadder:
    """Play until all newcomers are known within so many points (95 %), or so many games are played. The next block is
    played where it tells most for its time about the newcomer of whom least is known; the anchors' ratings stay.
    `progress` is called with the games played, the newcomer that is known least, and its interval.
    With `add`, who is on the ladder already keeps its rating, too."""
    anchors, newcomers = ladder.anchors(seconds, add=add), ladder.newcomers(seconds, add=add)
    specs = (*newcomers, *(anchor.spec for anchor in anchors))
    planned = Ladder(load_game(ladder.game), specs, ladder.seats, seed, ladder.game, seeds_by_spec=True)
    planned.check()
    tables = [table for table in planned.tables() if min(table) < len(newcomers)]
    run = BlockRun(planned, folder, executor, LEAST_BLOCK)
    run.read(tables)  # which tables come next hangs on times, and these are never the same
    times = [round(milliseconds_per_decision(ladder.game, ladder.seats, spec), 2) for spec in newcomers]
    costs = np.array([*times, *(anchor.milliseconds for anchor in anchors)])
    fixed = np.array([*[np.nan] * len(newcomers), *(anchor.elo / ELO for anchor in anchors)]) if anchors else None
    known = np.array([*[0.0] * len(newcomers), *(anchor.error / ELO for anchor in anchors)]) if anchors else None
    strengths, errors = bradley_terry(run.results.before, run.results.outcomes, fixed, known)
    while run.games < games and Z95 * ELO * errors[: len(newcomers)].max() > within:
        worst = int(errors[: len(newcomers)].argmax())
        run.play(cheapest_table(run.results.before, tables, run.block, worst, costs, fixed))
        strengths, errors = bradley_terry(run.results.before, run.results.outcomes, fixed, known)
        progress(run.games, newcomers[worst], Z95 * ELO * errors[worst])
    found = [
        Anchor(
            spec=spec,
            elo=round(ELO * strengths[place], 1),
            error=round(ELO * errors[place], 1),
            games=int(run.results.games[place]),
            milliseconds=times[place],
        )
        for place, spec in enumerate(newcomers)
    ]
    return RatedLadder(
        game=ladder.game,
        seats=ladder.seats,
        seconds=seconds,
        seed=seed,
        games=run.games,
        version=__version__,
        command=f"boardwright strength {ladder.game} --seats {ladder.seats} --games {games} --within {within:g}"
        f" --seconds {seconds:g} --seed {seed}{' --add' * add}",
        agents=tuple(sorted((*found, *anchors), key=lambda anchor: -anchor.elo)),
    )


def write(ladder: StrengthLadder, rated: RatedLadder, folder: Path = DATA) -> None:
    with atomic_output(folder / ladder.file_name(rated.seconds)) as temporary:
        temporary.write_text(f"{rated.model_dump_json(indent=1)}\n", encoding="utf-8")


def known(game: str, seats: int, less_than: float = math.inf) -> tuple[Anchor, ...]:
    """All agents of a game with a rating, the strongest first: those of its ladder, of that with the most time (less
    than so many seconds) if there are several, or the references alone."""
    files = DATA.glob(f"strength-{game}-{seats}-*ms.json")
    found = sorted((RatedLadder.model_validate(read_json(file)) for file in files), key=lambda one: one.seconds)
    found = [one for one in found if one.seconds < less_than]
    if found:
        return found[-1].agents
    references = [one for one in SETS if (one.game, one.seats) == (game, seats) and one.file.is_file()]
    return rated(references[0]).anchors[::-1] if references else ()


def level_ratings(game: Game, seats: int) -> dict[str, Anchor]:
    """The rating of each level, as far as it has one. One with a budget of time has that of the same agent with the
    most time that a ladder gives, which is less."""
    by_spec = {anchor.spec: anchor for anchor in known(game.name, seats)}
    with_time = sorted((anchor for anchor in by_spec.values() if has_time(anchor.spec)), key=_time)
    by_agent = {_without_time(anchor.spec): anchor for anchor in with_time}  # of each agent that with the most
    found = {}
    for level, spec in levels(game, seats).items():
        anchor = by_agent.get(_without_time(spec)) if has_time(spec) else by_spec.get(spec)
        if anchor is not None:
            found[level] = anchor
    return found


def has_time(spec: str) -> bool:
    return "seconds" in Spec.parse(spec).params


def _without_time(spec: str) -> str:
    parsed = Spec.parse(spec)
    kept = {name: value for name, value in parsed.params.items() if name not in ("seconds", "clock")}
    return str(Spec(parsed.name, kept))


def _time(anchor: Anchor) -> float:
    return float(Spec.parse(anchor.spec).params["seconds"])


def rating_shown(anchor: Anchor) -> str:
    """A level's rating, as people see it."""
    return f"{anchor.shown} with {1000 * _time(anchor):g} ms" if has_time(anchor.spec) else anchor.shown
