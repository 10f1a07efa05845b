"""The command line. Each command imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer
from typer.core import TyperGroup

from boardwright.commands import learning
from boardwright.errors import BadSpec, BoardwrightError

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.kernel import Game

app = typer.Typer(
    name="boardwright",
    help="A workbench for artificial opponents in modern board games.",
    epilog="An agent is a short text: random, uct:iterations=500, ismcts:seconds=0.1,threads=2."
    " `boardwright agents` lists them all. A game or agent can also be the path of a Python file.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a Python file that defines one.")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same games.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A variant of the game; repeatable."),
]


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
    file: Annotated[Path, typer.Argument(help="A record file of `boardwright match`, or a saved game of race.")],
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
    from boardwright.games.race.saves import is_save

    console = _console()
    if is_save(file):
        from boardwright.games.race.commands import tell

        for line in tell(file, game):
            print(line)
        return
    chosen = record_number(read_records(file), game)
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


app.command()(learning.train)
app.command()(learning.ladder)

experiment_app = typer.Typer(
    name="experiment",
    help="Rerun published experiments and compare.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(experiment_app)

ExperimentName = Annotated[str, typer.Argument(metavar="NAME", help="As `boardwright experiment list` shows it.")]


@experiment_app.command("list")
def experiment_list() -> None:
    """List the experiments.

    Example: boardwright experiment list
    """
    from boardwright.experiments import experiments, load_experiment

    console = _console()
    for name in experiments():
        experiment = load_experiment(name)
        console.print(f"[bold]{name}[/]  {experiment.title}. {experiment.question}", highlight=False)


@experiment_app.command("show")
def experiment_show(name: ExperimentName) -> None:
    """Show an experiment: agents, options, published figures, claims.

    Example: boardwright experiment show colonizers-3
    """
    from boardwright.experiments import load_experiment
    from boardwright.experiments.report import show_declaration

    show_declaration(load_experiment(name), _console())


@experiment_app.command("run")
def experiment_run(
    name: ExperimentName,
    games: Annotated[
        int | None, typer.Option("--games", "-n", help="Games of each arrangement; default: as declared.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes to play in; 0: one for each core.")] = 1,
    out: Annotated[Path, typer.Option(help="The folder for games, result.json and result.png.")] = Path("experiments"),
    only: Annotated[str | None, typer.Option(help="Run one arrangement only, as `show` names it.")] = None,
) -> None:
    """Run an experiment and print our figures beside the published ones. Games already played are kept.

    Example: boardwright experiment run colonizers-3 --jobs 2
    """
    from boardwright.errors import UnknownName
    from boardwright.experiments import load_experiment
    from boardwright.experiments.run import run_experiment

    experiment = load_experiment(name)
    if games is not None and games < 1:
        raise BadSpec(f"--games must be at least 1, not {games}")
    keys = [arrangement.key for arrangement in experiment.arrangements]
    if only is not None and only not in keys:
        raise UnknownName("arrangement", only, keys, f" of {name}")
    if not run_experiment(experiment, _console(), games=games, jobs=_jobs(jobs), folder=out, only=only):
        raise typer.Exit(130)


@app.command()
def balance(
    game: GameName,
    agent: Annotated[
        str, typer.Option("--agent", "-a", metavar="SPEC", help="Who plays all the seats.")
    ] = "ismcts:iterations=200",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 500,
    seats: Annotated[int | None, typer.Option(help="How many seats; default: as few as the game allows.")] = None,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes to play in; 0: one for each core.")] = 1,
    option: Options = None,
    record: Annotated[Path | None, typer.Option(help="Where the games are recorded; default: in matches/.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an earlier run stopped.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write the report as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the report: .png, .svg or .pdf.")] = None,
) -> None:
    """Is the game balanced? Copies of one agent play all seats; who wins, from which seat, with which choices?

    Example: boardwright balance colonizers --agent heuristic --games 2000 --plot balance.png
    """
    from boardwright.arena.balance import BalanceReport, balance_tables, write_balance_plot
    from boardwright.arena.match import Match
    from boardwright.arena.record import first_games, read_records
    from boardwright.arena.runner import run_match
    from boardwright.files import check_writable, write_json

    if games < 1:
        raise BadSpec(f"--games must be at least 1, not {games}")
    _check_plot(plot)
    for file in (json, plot, record):
        if file is not None:
            check_writable(file)
    console, loaded = _console(), _game(game)
    planned = Match(game, (agent,) * loaded.check_seats(seats), seed, _options(option))
    outcome = run_match(planned, games, file=record, resume=resume, jobs=_jobs(jobs), console=console)
    report = BalanceReport.of(loaded, first_games(read_records(outcome.file), games))
    for table in balance_tables(loaded, agent, report):
        console.print(table)
    console.print(f"[dim]Games recorded in {outcome.file}[/]", highlight=False, soft_wrap=True)
    if json is not None:
        write_json(json, report.as_json(planned))
    if plot is not None:
        write_balance_plot(plot, loaded, agent, report)
    if outcome.interrupted:
        console.print("Stopped; the same command with --resume goes on.")
        raise typer.Exit(130)


@app.command()
def learn(
    game: GameName,
    rule: Annotated[str, typer.Option("--rule", "-r", help="How games become values; `list` shows all.")] = "win_share",
    games: Annotated[int, typer.Option("--games", "-n", help="Games to watch.")] = 10_000,
    seats: Annotated[int, typer.Option(help="How many seats.")] = 5,
    rounds: Annotated[int, typer.Option(help="Rounds; later ones watch the learner of the round before.")] = 1,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Where the table goes, as JSON.")] = None,
) -> None:
    """Learn a value for every card of a game from watched games, and show the table.

    Example: boardwright learn wonders --rule win_share --games 10000 --out values.json
    """
    from rich.table import Table

    from boardwright.errors import UnknownName

    loaded = _game(game)
    try:
        trainer = importlib.import_module(f"boardwright.games.{loaded.name}.learn")
    except ModuleNotFoundError:
        raise BadSpec(f"{loaded.name} has nothing to learn this way") from None
    console = _console()
    if rule == "list":
        for name, (_, meaning) in trainer.RULES.items():
            console.print(f"[bold]{name}[/]  {meaning}", highlight=False)
        return
    if rule not in trainer.RULES:
        raise UnknownName("rule", rule, trainer.RULES)
    for name, number in (("--games", games), ("--rounds", rounds)):
        if number < 1:
            raise BadSpec(f"{name} must be at least 1, not {number}")
    values = trainer.train(rule, games, seed, seats=loaded.check_seats(seats), rounds=rounds)
    table = Table(title=f"{loaded.title}: {trainer.RULES[rule][1]}, {games:,} games", title_justify="left")
    table.add_column("card")
    table.add_column("value", justify="right")
    for name, value in trainer.best_first(values):
        table.add_row(name, f"{value:.4g}")
    console.print(table)
    if out is not None:
        trainer.save(out, rule, values, games=games, seed=seed, seats=seats, rounds=rounds)
        console.print(f"[dim]Table written to {out}; play it with learner:table={out}[/]", highlight=False)


@app.command()
def report(
    game: GameName,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="One a seat; default: five of heuristic.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 10_000,
    seed: Seed = 0,
    json: Annotated[Path | None, typer.Option(help="Write the report as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the report: .png, .svg or .pdf.")] = None,
) -> None:
    """Where points come from, and which boards and cards win, over a run of games of rule-based players.

    Example: boardwright report wonders heuristic heuristic heuristic rbai1 --games 20000 --plot cards.png
    """
    from boardwright.files import check_writable, write_json

    for file in (json, plot):
        if file is not None:
            check_writable(file)
    loaded = _game(game)
    try:
        reports = importlib.import_module(f"boardwright.games.{loaded.name}.reports")
    except ModuleNotFoundError:
        raise BadSpec(f"{loaded.name} has no report of its own; see `boardwright balance`") from None
    if games < 1:
        raise BadSpec(f"--games must be at least 1, not {games}")
    seated = players or ["heuristic"] * 5
    results = reports.play(seated, games, seed)
    console = _console()
    console.print(f"{loaded.title}: {games:,} games of {', '.join(seated)}, seed {seed}", highlight=False)
    console.print(reports.parts_table(results))
    console.print(reports.rates_table("Win rate by board", reports.by_board(results), len(seated)))
    console.print(reports.rates_table("Win rate by structure built", reports.by_card(results), len(seated)))
    if json is not None:
        write_json(json, reports.as_json(results))
    if plot is not None:
        reports.write_plot(plot, results)


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
    from boardwright.search import KERNELS

    console = _console()
    for name in names or registry.games():
        loaded, began = _game(name), time.perf_counter()
        loaded.entries.everything()
        console.print(f"{loaded.name}: {time.perf_counter() - began:.1f} s", highlight=False)
    began = time.perf_counter()
    for kernel in KERNELS.values():
        kernel()
    console.print(f"search: {time.perf_counter() - began:.1f} s", highlight=False)


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


def _console() -> Console:
    from rich.console import Console

    return Console()


def _game(name: str) -> Game:
    from boardwright.registry import load_game

    return load_game(name)


race_app = typer.Typer(
    name="race",
    help="Race for the Galaxy: saved games of the original program.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(race_app)


@race_app.command("verify")
def race_verify(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Plain saves, XML exports, or .jsonl files of games.")
    ],
) -> None:
    """Replay saved games and compare every placement option and the final state.

    Prints a line for each difference and, last, how many games are identical; the exit code is 0 only if all are.

    Example: boardwright race verify games.jsonl export.xml
    """
    from boardwright.games.race.commands import verify_files

    if not verify_files(files):
        raise typer.Exit(1)


@race_app.command("convert")
def race_convert(
    source: Annotated[Path, typer.Argument(help="A save, an export, or records of games played here.")],
    target: Annotated[Path, typer.Argument(help="Where to write: .jsonl our records, .xml an export, else a save.")],
    game: Annotated[int, typer.Option("--game", "-g", help="Which game of the source, from 1.")] = 1,
) -> None:
    """Turn saved games into our records and back.

    Example: boardwright race convert export.xml game.jsonl
    """
    from boardwright.games.race.commands import convert

    convert(source, target, game)


class _LaterCommands(TyperGroup):
    """Commands that live with their game and are loaded, with all they import, when one of them is asked for."""

    home: ClassVar[tuple[str, str]]
    """Module and name of their Typer."""

    def list_commands(self, ctx: Any) -> list[str]:
        return self._group().list_commands(ctx)

    def get_command(self, ctx: Any, name: str) -> Any:
        return self._group().get_command(ctx, name)

    def _group(self) -> TyperGroup:
        module, name = self.home
        return typer.main.get_group(getattr(importlib.import_module(module), name))


class _ScoutCommands(_LaterCommands):
    home = ("boardwright.games.race.scout.commands", "scout")


class _CasesCommands(_LaterCommands):
    home = ("boardwright.games.race.scout.cases_commands", "cases")


for _name, _help, _commands in (
    (
        "scout",
        "SCOUT: case-based reasoning for Race for the Galaxy, and an interface to other engines.",
        _ScoutCommands,
    ),
    ("cases", "Case libraries: the won games that SCOUT reasons from.", _CasesCommands),
):
    app.add_typer(
        typer.Typer(
            name=_name,
            help=_help,
            cls=_commands,
            no_args_is_help=True,
            context_settings={"help_option_names": ["-h", "--help"]},
        )
    )


def _check_plot(file: Path | None) -> None:
    kinds = (".png", ".svg", ".pdf", ".jpg")
    if file is not None and file.suffix not in kinds:
        raise BadSpec(f"--plot {file}: a picture is one of {', '.join(kinds)}")


def _jobs(jobs: int) -> int:
    if jobs < 0:
        raise BadSpec(f"--jobs must be at least 0, not {jobs}")
    return jobs or os.cpu_count() or 1


def _options(given: list[str] | None) -> dict[str, str]:
    options = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise BadSpec(f"--option {text!r} should be name=value")
        options[name] = value
    return options


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
