"""The command line. Each command imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from boardwright.commands import experiment, later, learning, race, study
from boardwright.commands.common import HELP, GameName, Options, Seed
from boardwright.commands.common import check_plot as _check_plot
from boardwright.commands.common import jobs_given as _jobs
from boardwright.commands.common import named_game as _game
from boardwright.commands.common import options_given as _options
from boardwright.commands.common import terminal as _console
from boardwright.errors import BadRecord, BadSpec, BoardwrightError

app = typer.Typer(
    name="boardwright",
    help="A workbench for artificial opponents in modern board games.",
    epilog="An agent is a short text: random, uct:iterations=500, ismcts:seconds=0.1,threads=2."
    " `boardwright agents` lists them all. A game or agent can also be the path of a Python file.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)


@app.command()
def games() -> None:
    """List the games.

    Example: boardwright games
    """
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    from boardwright import registry

    console, notes = _console(), []
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in ("name", "game", "seats", "hidden", "agents of its own"):
        table.add_column(column, no_wrap=column == "name")
    for name in registry.games():
        try:
            game = registry.load_game(name)
        except BoardwrightError as error:
            notes.append(f"[red]{escape(str(error))}[/]")
            continue
        seats = f"{min(game.seats)}–{max(game.seats)}" if len(game.seats) > 1 else str(game.seats[0])
        table.add_row(name, game.title, seats, "yes" if game.hidden else "no", ", ".join(game.agents))
        notes += [
            f"[bold]{name}[/] --option {key}={option.default} [dim]({option.allowed})[/]: {escape(option.meaning)}"
            for key, option in game.options.items()
        ]
    console.print(table)
    for note in notes:
        console.print(note, highlight=False)


@app.command()
def agents(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="List the agents that can play this game.")
    ] = None,
) -> None:
    """List the agents with every parameter, its default and meaning.

    Example: boardwright agents kuhn_poker
    """
    from boardwright import registry
    from boardwright.agents.listing import agents_table

    chosen = [registry.load_game(game)] if game else [registry.load_game(name) for name in registry.games()]
    _console().print(agents_table(chosen))


@app.command()
def match(
    game: GameName,
    specs: Annotated[list[str], typer.Argument(metavar="SPEC SPEC ...", help="The agents, one a seat.")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 100,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes to play in; 0: one for each core.")] = 1,
    option: Options = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Where the games are recorded; default: a file in matches/ named after the match."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an earlier run of this match stopped.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the result: .png, .svg or .pdf.")] = None,
) -> None:
    """Play agents against each other, seats permuted fairly, and judge the result.

    Examples:

      boardwright match connect_four uct:iterations=500 flat:iterations=500 --games 200 --jobs 2

      boardwright match kuhn_poker ismcts optimal --games 1000 --json result.json --plot result.png
    """
    from boardwright.arena.match import Match
    from boardwright.arena.report import remarks, standings_table, write_plot
    from boardwright.arena.runner import run_match
    from boardwright.files import check_writable, write_json

    if games < 1:
        raise BadSpec(f"--games must be at least 1, not {games}")
    _check_plot(plot)
    for file in (json, plot, record):
        if file is not None:
            check_writable(file)
    console = _console()
    planned = Match(game, tuple(specs), seed, _options(option))
    outcome = run_match(planned, games, file=record, resume=resume, jobs=_jobs(jobs), console=console)
    for note in outcome.notes:
        console.print(f"[dim]{note}[/]", highlight=False)
    console.print(standings_table(planned.game, outcome.standings))
    for line in remarks(planned.game, outcome.standings):
        console.print(line, highlight=False)
    console.print(f"[dim]Games recorded in {outcome.file}[/]", highlight=False, soft_wrap=True)
    if json is not None:
        write_json(json, outcome.as_json(planned))
    if plot is not None:
        write_plot(plot, planned.game, outcome.standings)
    if outcome.interrupted:
        left = games - outcome.standings.games
        console.print(f"Stopped with {left:,} games to play; the same command with --resume goes on.")
        raise typer.Exit(130)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record file, or saved games of another program that a game knows.")],
    game: Annotated[int, typer.Option("--game", "-g", help="Which game of the match, from 1.")] = 1,
    step: Annotated[
        bool | None, typer.Option("--step/--all", help="Stop at each move; default: on a terminal.")
    ] = None,
) -> None:
    """Step through a recorded game in words.

    Example: boardwright replay matches/connect_four-uct-random-seed0.jsonl --game 3
    """
    from boardwright.arena.record import read_records
    from boardwright.arena.terminal import record_number, replay
    from boardwright.registry import saved_games

    console = _console()
    try:
        records = read_records(file)
    except BadRecord:
        saves = saved_games(file)
        if saves is None:
            raise
        for line in saves.tell(file, game):
            print(line)
        return
    chosen = record_number(records, game)
    replay(chosen, console, step=console.is_terminal and sys.stdin.isatty() if step is None else step)


@app.command()
def play(
    game: GameName,
    vs: Annotated[
        list[str] | None,
        typer.Option("--vs", metavar="SPEC", help="An opponent; repeat for more. Default: ismcts."),
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat, from 1.")] = 1,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="The same seed deals the same game.")] = None,
    option: Options = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what the opponents think.")] = False,
) -> None:
    """Play against agents in the terminal.

    With fewer opponents than the game has seats, the last one takes the remaining seats too.

    Example: boardwright play connect_four --vs uct:iterations=2000 --seat 2 --explain
    """
    import secrets

    from boardwright.arena.match import Match
    from boardwright.arena.terminal import play
    from boardwright.registry import load_game

    opponents = vs or ["ismcts"]
    loaded = load_game(game)
    seats = next((n for n in loaded.seats if n >= len(opponents) + 1), None)
    if seats is None:
        raise BadSpec(f"{loaded.name} has at most {max(loaded.seats)} seats; {len(opponents)} opponents are too many")
    if not 1 <= seat <= seats:
        raise BadSpec(f"--seat must be from 1 to {seats}, not {seat}")
    others = opponents + [opponents[-1]] * (seats - 1 - len(opponents))
    entrants = (*others[: seat - 1], "human", *others[seat - 1 :])
    finished = play(
        Match(game, entrants, secrets.randbits(31) if seed is None else seed, _options(option)),
        _console(),
        explain=explain,
    )
    if not finished:
        raise typer.Exit(130)


@app.command()
def explain(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="SPEC", help="The agent to ask.")] = "ismcts",
    moves: Annotated[str, typer.Option(help="Actions to play first, as numbers: '3 3 4'.")] = "",
    random_moves: Annotated[int, typer.Option("--random-moves", help="Random moves to play first.")] = 0,
    seats: Annotated[int | None, typer.Option(help="How many seats.")] = None,
    seed: Seed = 0,
    option: Options = None,
) -> None:
    """Show a position and what an agent thinks of it.

    Example: boardwright explain connect_four uct:iterations=20000 --moves "3 3 2"
    """
    from boardwright.arena.explain import explain_position, position_after

    loaded = _game(game)
    state = position_after(loaded, seats, seed, _options(option), _numbers(moves), random_moves)
    explain_position(state, agent, seed, _console())


@app.command()
def check(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="Random games for each check.")] = 20,
    seed: Seed = 0,
) -> None:
    """Check that a game keeps the contract: legality, conservation, secrecy, reproducibility, compiled = uncompiled.

    Example: boardwright check my_game.py
    """
    from boardwright.conformance import CHECKS, Failure

    if games < 1:
        raise BadSpec(f"--games must be at least 1, not {games}")
    loaded, console, failed = _game(game), _console(), 0
    for name, run in CHECKS.items():
        try:
            run(loaded, games=games, seed=seed)
            console.print(f"[green]ok[/]     {name}")
        except Failure as failure:
            failed += 1
            console.print(f"[red]FAILED[/] {name}: {failure}", highlight=False, soft_wrap=True)
    if failed:
        raise BoardwrightError(f"{loaded.name} fails {failed} of {len(CHECKS)} checks")


@app.command()
def playthrough(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game to print.")] = None,
    all_: Annotated[Path | None, typer.Option("--all", metavar="FOLDER", help="Write one file per game there.")] = None,
) -> None:
    """Print a random game in full, or write those of all games for the tests.

    Example: boardwright playthrough kuhn_poker
    """
    from boardwright import registry
    from boardwright.files import atomic_output, check_writable
    from boardwright.playthrough import playthrough

    if (game is None) == (all_ is None):
        raise BadSpec("give either a game or --all FOLDER")
    if game is not None:
        print(playthrough(_game(game)), end="")
        return
    assert all_ is not None
    for name in registry.games():
        file = all_ / f"{name}.txt"
        check_writable(file)
        with atomic_output(file) as temporary:
            temporary.write_text(playthrough(registry.load_game(name)))
        print(file)


@app.command("compile")
def compile_(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; default: all.")] = None,
) -> None:
    """Compile games and search ahead of time, as for an image or a class room.

    Example: boardwright compile connect_four
    """
    import time

    from boardwright import registry
    from boardwright.learn import self_play, turn_search
    from boardwright.search import KERNELS

    console = _console()
    for name in names or registry.games():
        loaded, began = _game(name), time.perf_counter()
        loaded.entries.everything()
        console.print(f"{loaded.name}: {time.perf_counter() - began:.1f} s", highlight=False)
    began = time.perf_counter()
    for kernel in (*KERNELS.values(), self_play.kernel, turn_search.kernel):
        kernel()
    console.print(f"search and learning: {time.perf_counter() - began:.1f} s", highlight=False)


@app.command()
def demo() -> None:
    """A live match, then one decision explained.

    Example: boardwright demo
    """
    from boardwright.demo import demo

    demo(_console())


@app.command()
def version() -> None:
    """Print the version."""
    from boardwright import __version__

    print(__version__)


app.add_typer(experiment.app)
app.add_typer(race.app)
for _group in later.APPS:
    app.add_typer(_group)
for _command in (*learning.COMMANDS, *study.COMMANDS):
    app.command()(_command)


def _numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise BadSpec(f"--moves {text!r} should be action numbers, as '3 3 4'") from None


def main(arguments: list[str] | None = None) -> None:
    """Run a command; what the user can mend is one line on stderr and a non-zero exit."""
    try:
        code: Any = app(args=arguments, standalone_mode=False)
    except BoardwrightError as error:
        if os.environ.get("BOARDWRIGHT_DEBUG"):
            raise
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        if not hasattr(error, "format_message"):  # what typer raises for a bad command line has it
            raise
        _fail(f"{error.format_message()} (see {_help_for(error)})", 2)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _help_for(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context else 'boardwright'} --help"


def _fail(message: str, code: int) -> None:
    print(f"boardwright: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
