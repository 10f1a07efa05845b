"""What commands share: the arguments that many take, and reading them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.errors import BadSpec

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.match import Match
    from boardwright.arena.record import GameRecord
    from boardwright.arena.runner import Outcome
    from boardwright.arena.seeds import Seeds
    from boardwright.executors import Executor
    from boardwright.kernel import Game
    from boardwright.reports import Report

MOST_GAMES = 100_000_000
MOST_JOBS = 256
"""More is a slip of the hand."""
GUESSED = (
    "--seed: agents that are not our own take part, and whoever guesses this number knows all deals; leave --seed out"
    " for one that nobody can guess"
)

ON_RAY = "Play on Ray: on this machine, or on the cluster at an address. --jobs above 1 limits its workers."
HELP = {"help_option_names": ["-h", "--help"]}


def terminal() -> Console:
    from rich.console import Console

    from boardwright.kernel import ready
    from boardwright.terminal.compiling import compile_progress

    console = Console()
    ready.show_progress = partial(compile_progress, console)
    return console


def in_sandbox(specs: Sequence[str], sandbox: bool) -> tuple[str, ...]:
    """The specs as they are played: with --sandbox, all that is not ours is in one."""
    if not sandbox:
        return tuple(specs)
    from boardwright.scripts.sandbox import in_sandbox

    return tuple(map(in_sandbox, specs))


def timed(
    specs: Sequence[str], clock: float | None, game: str, seats: int, options: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """The specs with this time for a game, where an agent takes one (`game_seconds`) and was given none."""
    if clock is None:
        return tuple(specs)
    from boardwright.agents import Spec
    from boardwright.agents.levels import in_full
    from boardwright.registry import agent_class

    loaded, found, takers = named_game(game), [], 0
    for text in specs:
        spec = Spec.parse(in_full(text, loaded, seats, options))
        takes = "game_seconds" in agent_class(spec.name, loaded).parameters()
        takers += takes
        params = {"game_seconds": f"{clock:g}"} if takes else {}
        found.append(str(Spec(spec.name, {**params, **spec.params})))
    if not takers:
        raise BadSpec("--clock: none of these agents keeps a clock for a game; agents that search do, and scripts")
    return tuple(found)


def seeds_given(seed: int | None, specs: Sequence[str], salt: int | None = None) -> Seeds:
    """The seeds of a match between these agents, with a warning where others could guess them."""
    from boardwright.arena.seeds import choose_seed

    seeds = choose_seed(seed, specs, salt=salt)
    if seed is not None and salt is None and seeds["hidden_seed"]:
        print(f"boardwright: {GUESSED}", file=sys.stderr)
    return seeds


def named_game(name: str) -> Game:
    from boardwright.registry import load_game

    return load_game(name)


def position_given(file: Path | None, game: Game) -> dict[str, Any]:
    """The position in the file of --from, which can be dealt; nothing if there is none."""
    from boardwright.errors import BadPosition
    from boardwright.positions import deal, read_position

    if file is None:
        return {}
    given = read_position(file)
    try:
        deal(game, given, 0)
    except BadPosition as error:
        raise BadPosition(f"{file}: {error}") from None
    return given


def check_plot(file: Path | None) -> None:
    kinds = (".png", ".svg", ".pdf", ".jpg")
    if file is not None and file.suffix not in kinds:
        raise BadSpec(f"--plot {file}: a picture is one of {', '.join(kinds)}")


def jobs_given(jobs: int) -> int:
    if not 0 <= jobs <= MOST_JOBS:
        raise BadSpec(f"--jobs must be from 0 to {MOST_JOBS}, not {jobs}")
    return jobs or os.cpu_count() or 1


def executor_given(jobs: int, on: str | None = None) -> Executor:
    """Where the work is done."""
    from boardwright.executors import local_executor

    return local_executor(jobs_given(jobs)) if on is None else _cluster(jobs, on)


def training_executor(jobs: int, on: str | None) -> Executor:
    """The same for compiled work that threads can share."""
    from boardwright.executors import Threads

    return Threads(jobs_given(jobs)) if on is None else _cluster(jobs, on)


def _cluster(jobs: int, on: str) -> Executor:
    from boardwright.ray_executor import cluster_at

    return cluster_at(on, jobs_given(jobs))


def executor_for(match: Match, jobs: int, on: str | None = None) -> Executor:
    """Foreign code plays in a process of its own even where one is enough: if it crashes, this one can say so. With
    BOARDWRIGHT_DEBUG, or under a debugger, it stays here."""
    from boardwright.executors import Processes

    if on is not None:
        if match.has_people:
            raise BadSpec("--on: somebody plays at this terminal; leave it out")
        return executor_given(jobs, on)
    debugging = os.environ.get("BOARDWRIGHT_DEBUG") or sys.gettrace() is not None
    if jobs_given(jobs) == 1 and match.has_foreign_code and not match.has_people and not debugging:
        return Processes(1)
    return executor_given(jobs)


def play_match(
    match: Match,
    games: int,
    *,
    record: Path | None,
    resume: bool,
    jobs: int,
    console: Console,
    on: str | None = None,
) -> Outcome:
    """Play a match, with progress on the terminal and notes on what was found of an earlier run."""
    from boardwright.arena.runner import run_match
    from boardwright.terminal.progress import MatchProgress

    outcome = run_match(
        match,
        games,
        file=record,
        resume=resume,
        executor=executor_for(match, jobs, on),
        listeners=[MatchProgress(console)],
    )
    for note in outcome.notes:
        console.print(f"[dim]{note}[/]", highlight=False)
    return outcome


def publish(report: Report, console: Console, json: Path | None, plot: Path | None) -> None:
    """A report on the terminal, and into the files that are wanted."""
    from boardwright.reports.console import save, show

    show(report, console)
    save(report, json=json, plot=plot)


def options_given(given: list[str] | None) -> dict[str, str]:
    options = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise BadSpec(f"--option {text!r} should be name=value")
        options[name] = value
    return options


def check_games(games: int, option: str = "--games") -> None:
    if not 1 <= games <= MOST_GAMES:
        raise BadSpec(f"{option} must be from 1 to {MOST_GAMES:,}, not {games}")


def records_in(file: Path, game_file: str | None = None, trust: bool = False) -> list[GameRecord]:
    """The games of a record file; one that a crash has cut off is named on stderr and left out. Those of a game in a
    Python file can be replayed if the user has named that file, or trusts the records."""
    from boardwright.arena.record import playable, read_records

    records = read_records(file, warn=lambda what: print(f"boardwright: {what}", file=sys.stderr))
    return playable(records, game_file, trust)


def check_outputs(*files: Path | None) -> None:
    """CannotWrite before the work, not after it, if a file cannot be written."""
    from boardwright.files import check_writable

    for file in files:
        if file is not None:
            check_writable(file)
