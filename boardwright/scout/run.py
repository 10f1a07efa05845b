"""`boardwright scout run`: SCOUT3 plays era after era and keeps up its library. Every finished game is on disk."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from boardwright.agents import Decision, Spec
from boardwright.arena.loop import Listener, play_game
from boardwright.arena.standings import wilson_interval
from boardwright.cbr.store import BadLibrary, Store
from boardwright.errors import BadSpec
from boardwright.files import alone
from boardwright.games.race.declaration import game
from boardwright.kernel import Observation, State, rng
from boardwright.registry import make_agent
from boardwright.scout.cases.building import has_choice
from boardwright.scout.cases.files import load_library, write_store
from boardwright.scout.controller import Controller, controller_for
from boardwright.scout.problems.from_observation import problem_of
from boardwright.scout.problems.steps import choice_made
from boardwright.scout.scout3 import Scout3

INITIAL_GAMES = 748
"""So many won games made up the dissertation's first case base."""
_AGENT_STREAM = 1 << 32


@dataclass(frozen=True)
class Plan:
    """A run: who plays whom, and how long eras are."""

    scout: str
    """Parameters of scout3."""
    opponent: str
    seed: int
    era: int
    watch: bool = False
    """Whether SCOUT learns from the games that its opponent wins, too, once they are over."""

    def as_data(self) -> dict[str, Any]:
        data = {"scout": self.scout, "opponent": self.opponent, "seed": self.seed, "era": self.era}
        return data | ({"watch": True} if self.watch else {})


def begin_library(file: Path, source: str, games: int) -> None:
    """A library of its own for a run, with the first games of another."""
    library = load_library(source)
    if not len(library):
        raise BadLibrary(f"the case library {source} has no cases to begin with")
    first = sorted(set(library.groups.tolist()))[:games]
    write_store(library.part((library.groups <= first[-1]).nonzero()[0]), file)


def _check_plan(file: Path, plan: Plan) -> None:
    """Before anything is learned for it."""
    with Store(file) as store:
        before = store.meta("run", plan.as_data())
    if before != plan.as_data():
        raise BadLibrary(f"{file} belongs to a run of {before}; go on with the same, or begin another library")


class Watching(Listener):
    """Keeps the decisions of one seat."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.decisions: list[tuple[Observation, int]] = []

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        if seat == self.seat:
            self.decisions.append((observation, decision.action))


class Run:
    """A run under way."""

    def __init__(self, file: Path, plan: Plan) -> None:
        self.plan = plan
        parsed = Spec.parse(f"scout3:{plan.scout}" if plan.scout else "scout3")
        if {"library", "learn"} & set(parsed.params):
            raise BadSpec("--scout gives parameters of scout3 other than library and learn")
        _check_plan(file, plan)
        self.params: dict[str, Any] = {**parsed.params, "library": str(file), "learn": "true"}
        probe = Scout3(game, 0, **self.params)
        assert probe.controller is not None
        self.controller: Controller = probe.controller
        if self.controller.store.meta("run") is None:
            with self.controller.store.transaction():
                self.controller.store.set_meta("run", plan.as_data())

    @property
    def games(self) -> int:
        return self.controller.keeper.games

    @property
    def era_is_full(self) -> bool:
        """Whether the era has all its games; after a kill at that moment it is still to be ended."""
        return self.games >= (self.controller.keeper.era + 1) * self.plan.era

    def step(self) -> tuple[int, int] | None:
        """Play the next game; at the end of an era, how many of its games were won and played."""
        if not self.era_is_full:
            self._play(self.games)
        if not self.era_is_full:
            return None
        self.controller.end_era()
        return self.eras()[-1]

    def eras(self) -> list[tuple[int, int]]:
        return eras_of(self.controller.store)

    def _play(self, index: int) -> None:
        seat = index % 2
        state = game.new(seed=rng.derive(self.plan.seed, index) >> 1, seats=2)
        seeds = [rng.derive(self.plan.seed, index, _AGENT_STREAM + who) for who in range(2)]
        scout = Scout3(game, seat, seed=seeds[0], **self.params)
        players = {seat: scout, 1 - seat: make_agent(self.plan.opponent, game, 1 - seat, seed=seeds[1])}
        watching = Watching(1 - seat)
        play_game(state, [players[0], players[1]], [watching])
        watched = watching.decisions if self.plan.watch else []
        won = state.returns[seat] > 0
        if state.returns[1 - seat] > 0:
            _watch(scout, watched)
        scout.game_over(won, state.scores[seat], state.scores[1 - seat], f"run game {index + 1}")


def _watch(scout: Scout3, watched: list[tuple[Observation, int]]) -> None:
    """Show SCOUT the decisions of its opponent."""
    for observation, action in watched:
        problem, choice = problem_of(observation), choice_made(observation, action)
        if choice is not None and has_choice(problem):
            scout.watch(problem, choice)


def eras_of(store: Store) -> list[tuple[int, int]]:
    """Wins and games of every finished era."""
    found = store.connection.execute("SELECT wins, games FROM eras WHERE era>0 ORDER BY era")
    return [(wins, games) for wins, games in found]


def wins_by_era(file: Path) -> list[int]:
    with Store(file) as store:
        return [wins for wins, _ in eras_of(store)]


def run(file: Path, plan: Plan, games: int, console: Console) -> bool:
    """Play until there are so many games; whether it came to that."""
    with alone_with(file):
        return _go_on(file, plan, games, console)


def alone_with(file: Path) -> AbstractContextManager[None]:
    """A library is of one run at a time."""
    busy = f"another process plays a run in {file}; wait for it or choose another library"
    return alone(file.with_name(f"{file.name}.lock"), busy)


def _go_on(file: Path, plan: Plan, games: int, console: Console) -> bool:
    under_way = Run(file, plan)
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]Ctrl-C stops, keeping what was played"),
        console=console,
        disable=not console.is_terminal,
    )
    if under_way.games:
        console.print(f"{under_way.games:,} games kept from earlier", highlight=False)
    try:
        with bar:
            task = bar.add_task("games", total=games, completed=under_way.games)
            while under_way.games < games or under_way.era_is_full:
                ended = under_way.step()
                bar.update(task, completed=under_way.games)
                if ended is not None:
                    console.print(era_line(under_way.controller, *ended), highlight=False)
    except KeyboardInterrupt:
        console.print(f"stopped after {under_way.games:,} games; the same command goes on")
        return False
    finally:
        under_way.controller.close()
        controller_for.cache_clear()
    return True


def era_line(controller: Controller, wins: int, games: int) -> str:
    low, high = wilson_interval(wins, games)
    sizes = ", ".join(f"{controller.keeper.size(base)}" for base in controller.keeper.bases)
    return (
        f"era {controller.keeper.era}: {wins} of {games} won, {wins / max(games, 1):.1%} ({100 * low:.1f}–"
        f"{100 * high:.1f}); cases: {sizes}"
    )
