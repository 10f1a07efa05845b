"""How strong is an agent? A rating against reference opponents that stay as they are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import (
    GameName,
    Jobs,
    JsonFile,
    Sandbox,
    check_games,
    check_outputs,
    executor_for,
    executor_given,
    in_sandbox,
    named_game,
    seeds_given,
    terminal,
)
from boardwright.errors import BadSpec

if TYPE_CHECKING:
    from boardwright.bench.references import RatedSet, References


def bench(
    game: GameName,
    agent: Annotated[
        str | None, typer.Argument(metavar="AGENT", help="Whom to rate; without one, the references are shown.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="At least so many, in whole blocks.")] = 400,
    seats: Annotated[int | None, typer.Option(help="How many seats; default: those of the game's references.")] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", "-s", help="Repeats a run. Default: for an agent of ours one of its own, else hidden."),
    ] = None,
    salt: Annotated[int | None, typer.Option(help="Repeats a run that has told its salt.")] = None,
    jobs: Jobs = 1,
    sandbox: Sandbox = False,
    out: Annotated[Path, typer.Option(help="The folder for the games; those already played there are kept.")] = Path(
        "bench"
    ),
    json: JsonFile = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Play the references' own games, and write their ratings.")
    ] = False,
    within: Annotated[
        float, typer.Option(help="With --calibrate: until every rating is known within so many points.", min=5)
    ] = 25.0,
) -> None:
    """Rate an agent, a script or a language model against graded opponents. Stopped, the same command goes on.

    Examples:

      boardwright bench connect_four

      boardwright bench connect_four uct:iterations=300 --games 400

      boardwright bench race script:./bot.py --sandbox
    """
    from boardwright.arena.match import Match
    from boardwright.bench.rating import measure
    from boardwright.bench.references import declared, rated
    from boardwright.bench.report import bench_report, references_report
    from boardwright.reports.console import as_markdown, save
    from boardwright.terminal.progress import progress_bar

    check_games(games)
    check_outputs(json)
    console, loaded, references = terminal(), named_game(game), declared(game, seats)
    if calibrate:
        if agent is not None:
            raise BadSpec("--calibrate rates the references themselves; leave the agent out")
        report = references_report(loaded, _calibrate(references, out, jobs, within))
    elif agent is None:
        report = references_report(loaded, rated(references))
    else:
        known = rated(references)
        (spec,) = in_sandbox([agent], sandbox)
        if salt is None:
            seeds_given(seed, [spec])  # warns of a seed that others could guess
        executor = executor_for(Match(game, (spec, *["random"] * (known.seats - 1))), jobs)
        with progress_bar(console) as bar:
            task = bar.add_task("games", total=games)
            found = measure(
                loaded,
                known,
                spec,
                games,
                out,
                executor,
                lambda played: bar.update(task, completed=played),
                seed=seed,
                salt=salt,
            )
        again = ["boardwright", "bench", game, agent, "--games", str(games), "--seed", str(found.seeds["seed"])]
        again += ["--salt", str(found.seeds["salt"])] if found.seeds["salt"] or found.seeds["hidden_seed"] else []
        again += ["--sandbox"] if sandbox else []
        report = bench_report(loaded, known, found, shlex.join(again))
    console.print(as_markdown(report), highlight=False, markup=False, soft_wrap=True)
    save(report, json=json, plot=None)


def _calibrate(references: References, out: Path, jobs: int, within: float) -> RatedSet:
    from boardwright.arena.ladder import Rating
    from boardwright.bench.calibration import calibrate
    from boardwright.bench.references import write
    from boardwright.bench.report import widest

    check_outputs(references.file)
    console = terminal()

    def told(games: int, found: list[Rating]) -> None:
        console.print(f"{games} games; {widest(found)}", highlight=False, markup=False)

    folder = out / f"references-{references.game}-{references.seats}"
    found = calibrate(references, folder, executor_given(jobs), within, told)
    write(references, found)
    return found


COMMANDS = (bench,)
