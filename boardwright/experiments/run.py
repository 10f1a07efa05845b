"""Running an experiment: its matches, each resumable, then the comparison."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.errors import BadSpec, CannotWrite
from boardwright.executors import Executor, InProcess
from boardwright.experiments import experiments, load_experiment
from boardwright.experiments.grid import Grid
from boardwright.experiments.model import Conditions, Experiment
from boardwright.experiments.report import plot_result, result_as_json, show_result
from boardwright.experiments.tally import Tally
from boardwright.files import read_json, write_json

DEFAULT_FOLDER = Path("experiments")


def folder_of(experiment: Experiment, folder: Path, iterations: int | None, seconds: float | None) -> Path:
    """Where an experiment keeps its games and its result: each budget has a folder of its own."""
    budget = f"-{iterations}" if iterations is not None else f"-{seconds:g}s" if seconds is not None else ""
    return folder / f"{experiment.name}{budget}"


def run_experiment(
    experiment: Experiment,
    console: Console,
    *,
    games: int | None = None,
    executor: Executor | None = None,
    folder: Path = DEFAULT_FOLDER,
    only: str | None = None,
    decks: Path | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    claims: bool = False,
) -> bool:
    """Play what is missing, show and write the result. Returns whether all games were played. With another budget of
    iterations than declared, result and games are in a folder of their own. With `claims`, a grid of matches stops when
    its claims are decided, or hopeless."""
    wanted = games or experiment.games
    if only is not None:
        experiment.check_part(only)
    for option, given, declared in (
        ("--iterations", iterations, experiment.iterations),
        ("--seconds", seconds, experiment.seconds),
    ):
        if given is not None and declared is None:
            raise BadSpec(f"{experiment.name} has no such budget to change; leave {option} out")
    target = folder_of(experiment, folder, iterations, seconds)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot write to {target}: {error.strerror}") from None
    budget = (decks, iterations, seconds, only, claims)
    conditions = Conditions(wanted, target, console, executor or InProcess(), *budget)
    if experiment.conduct is not None:
        return experiment.conduct(experiment, conditions)
    tallies: dict[str, Tally] = {}
    played: dict[str, list[GameRecord]] = {}
    complete = True
    for arrangement in experiment.arrangements:
        if only not in (None, arrangement.key):
            continue
        file = target / f"{arrangement.key}.jsonl"
        outcome = conditions.play(arrangement.match(experiment.game, experiment.seed), file)
        played[arrangement.key] = first_games(read_records(file), wanted)
        tallies[arrangement.key] = Tally.of(
            arrangement.labels, played[arrangement.key], ties_by_seat=experiment.ties_by_seat
        )
        show_result(experiment, arrangement, tallies[arrangement.key], console)
        if outcome.interrupted:
            complete = False
            break
    result = result_as_json(experiment, tallies)
    for analysis in experiment.analyses:
        result |= analysis(played, target, console)
    write_json(target / "result.json", result)
    if experiment.published.rows:
        plot_result(target / "result.png", experiment, tallies)
    console.print(f"[dim]Games, result.json and pictures are in {target}[/]", highlight=False, soft_wrap=True)
    return complete


def store_result(experiment: Experiment, result: object, out: Path, stored: Path, console: Console) -> None:
    """Store a result, and what other stored results say of the matches that they share with it: one match has one
    figure wherever it is shown."""
    write_json(stored, result)
    grid = experiment.conductor
    if not isinstance(grid, Grid) or not grid.games_in:
        return
    for name in experiments():
        other = load_experiment(name)
        if not isinstance(other.conductor, Grid) or other.conductor.games_in != grid.games_in:
            continue
        for file in sorted(stored.parent.glob(f"{name}*.json")):
            earlier = read_json(file)
            if file == stored or earlier.get("experiment") != name:
                continue
            cells = other.conductor.at(earlier["iterations"], earlier["seconds"])
            newer = cells.with_all_games(earlier, other, out / name)
            if newer is not None:
                write_json(file, newer)
                console.print(f"[dim]{file} has games of the same matches, which it shows now, too[/]", soft_wrap=True)
