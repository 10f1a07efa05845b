"""What many games say: about a game's balance, its boards and cards; and tables learned from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardwright.commands.common import (
    GameName,
    Games,
    Jobs,
    JsonFile,
    Options,
    PlotFile,
    Seats,
    Seed,
    check_games,
    check_outputs,
    check_plot,
    executor_given,
    in_sandbox,
    named_game,
    options_given,
    publish,
    records_in,
    seeds_given,
    terminal,
)
from boardwright.commands.declared import command
from boardwright.commands.played import RecordOptions, StudyBalance
from boardwright.errors import BadSpec
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.match import Match
    from boardwright.reports import Report


_MOST_ROUNDS = 1000
_REPORT_SEATS = 5
"""As many seats as reports have that are not told, where the game allows it."""


balance = command(StudyBalance, "balance")


def companion(
    game: GameName,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", "-a", metavar="SPEC", help="An opponent of fixed strength; repeatable."),
    ] = None,
    chance: Annotated[
        list[float] | None,
        typer.Option("--chance", "-c", help="The win chance that each opponent is to have; repeatable."),
    ] = None,
    parameters: Annotated[
        str, typer.Option("--companion", metavar="PARAM=VALUE,…", help="Further parameters of the companion.")
    ] = "",
    games: Games = 100,
    seats: Seats = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    option: Options = None,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """How well does `companion` hold the win chance that it aims at? It plays opponents of fixed strength.

    Example: boardwright companion connect_four -a random -a uct:iterations=50 -c 0.3 -c 0.5 --games 100
    """
    from boardwright.arena.holding import HoldingStudy
    from boardwright.reports.holding import holding_report

    check_games(games)
    check_plot(plot)
    check_outputs(json, plot)
    loaded = named_game(game)
    filled = loaded.check_seats(seats)
    if filled < 2:
        raise BadSpec(f"{loaded.name} is played alone; a companion needs somebody to play with")
    opponents = against or ["random", *(f"ismcts:iterations={n}" for n in (30, 300))]
    study = HoldingStudy(game, chance or [1 / filled], opponents, parameters, filled, seed, options_given(option))
    study.check()
    console = terminal()
    with console.status(f"{len(study.aimed())} pairings, {games} games each"):
        found = study.run(games, executor_given(jobs))
    publish(holding_report(loaded, study, found), console, json, plot)


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
    import importlib

    from rich.table import Table

    from boardwright.errors import UnknownName

    check_outputs(out)
    loaded = named_game(game)
    try:
        trainer = importlib.import_module(f"boardwright.games.{loaded.name}.learn")
    except ModuleNotFoundError:
        raise BadSpec(f"{loaded.name} has nothing to learn this way") from None
    console = terminal()
    if rule == "list":
        for name, (_, meaning) in trainer.RULES.items():
            console.print(f"[bold]{name}[/]  {meaning}", highlight=False)
        return
    if rule not in trainer.RULES:
        raise UnknownName("rule", rule, trainer.RULES)
    check_games(games)
    if not 1 <= rounds <= _MOST_ROUNDS:
        raise BadSpec(f"--rounds must be from 1 to {_MOST_ROUNDS}, not {rounds}")
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


@dataclass(frozen=True, kw_only=True)
class ReportGames(RecordOptions):
    """Where points come from, and what winners had: boards, cards and the like, over a run of games.

    Examples:

      boardwright report wonders heuristic heuristic heuristic rbai1 --games 2000 --plot cards.png

      boardwright report matches/wonders-heuristic-random-seed0.jsonl --json report.json
    """

    game: str = argument("A game to play, or the record file of games already played.", "GAME|FILE")
    specs: list[str] | None = argument(
        "The agents, one per seat; default: five easy ones, or as fits.", "[SPEC]...", default=None
    )
    games: int = option(1000, "How many games.", "-n")
    game_file: str | None = option(
        None, "The Python file of the game, for records of a game that has one.", metavar="FILE"
    )
    trust: bool = option(False, "Run the Python file that the records name as their game.", "--trust")

    def run(self, console: Console) -> Report:
        """What was counted; KeyboardInterrupt if not all games were played."""
        from boardwright.arena.metrics import MetricsOverGames
        from boardwright.reports.metrics import metrics_report

        self.check(self.games)
        interrupted = False
        if self.game.endswith(".jsonl"):
            records = records_in(Path(self.game), self.game_file, self.trust)
            if not records:
                raise BadSpec(f"{self.game} has no games")
            if len(found := {record.game for record in records}) > 1:
                raise BadSpec(
                    f"{self.game} has records of several games ({', '.join(sorted(found))}); a report is of one"
                )
            loaded, title = records[0].load_game(), self.game
        else:
            loaded, planned = named_game(self.game), self.planned()
            outcome, records = self.play(planned, self.games, console)
            interrupted = outcome.interrupted
            title = f"{', '.join(planned.entrants)}, seed {outcome.seed}, recorded in {outcome.file}"
        metrics = MetricsOverGames.of(loaded, records)
        about = f"{loaded.title}: {metrics.games:,} games of {title}"
        console.print(about, highlight=False, soft_wrap=True, markup=False)
        report = metrics_report(loaded, metrics)
        publish(report, console, self.json, self.plot)
        if interrupted:
            console.print("Stopped; the same command with --resume goes on.")
            raise KeyboardInterrupt
        return report

    def planned(self) -> Match:
        from boardwright.agents.levels import EASY, in_full
        from boardwright.arena.match import Match

        loaded = named_game(self.game)
        count = _REPORT_SEATS if _REPORT_SEATS in loaded.seats else max(loaded.seats)
        seated = in_sandbox(self.specs or [in_full(EASY, loaded, count)] * count, self.sandbox)
        if loaded.metrics.seat_metrics is None:
            raise BadSpec(f"{loaded.name} has no report of its own; see `boardwright balance`")
        seeds = seeds_given(self.seed, seated)
        return Match(self.game, seated, options=options_given(self.options), on_failure=self.on_failure, **seeds)


report = command(ReportGames, "report")


def export(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A record file (.jsonl), or a result as --json or an experiment writes it."
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(metavar="csv|parquet", help="The kind of file to write; default: as --out ends, else csv."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="One table only; default: all, a file for each.")] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write; default: beside FILE, named after it.")] = None,
) -> None:
    """Write games or results as tables for other programs.

    Records become one table, with a row for every seat of every game. Needs pandas, which comes with the extra `data`.

    Example: boardwright export matches/connect_four-uct-random-seed0.jsonl --to parquet
    """
    import sys
    from functools import partial

    from boardwright.arena.frames import records_to_frame
    from boardwright.arena.record import read_records
    from boardwright.errors import UnknownName
    from boardwright.frames import tables, to_frame, write_frame

    to = _kind_of_table(to, out)
    if file.suffix == ".jsonl":
        warn = partial(print, "boardwright:", file=sys.stderr)
        frames = {"": records_to_frame(read_records(file, warn=warn))}
    else:
        frames = {name: to_frame(rows) for name, rows in tables(_result_in(file)).items()}
    if table is not None:
        if table not in frames:
            raise UnknownName("table", table, frames, f" in {file}")
        frames = {table: frames[table]}
    if out is not None and len(frames) > 1:
        raise BadSpec(f"{file} has several tables ({', '.join(frames)}); name one with --table, or leave --out out")
    console = terminal()
    for name, frame in frames.items():
        target = out or file.with_name(f"{file.stem}{'-' if name else ''}{name}.{to}")
        check_outputs(target)
        write_frame(frame, target, to)
        console.print(f"{target}: {len(frame):,} rows of {', '.join(frame.columns)}", highlight=False, markup=False)


def _kind_of_table(to: str | None, out: Path | None) -> str:
    """The kind of file that is asked for, by name or by the ending of the file."""
    from boardwright.frames import FILE_KINDS

    kinds = ", ".join(FILE_KINDS)
    if to is not None and to not in FILE_KINDS:
        raise BadSpec(f"--to {to}: it is one of {kinds}")
    if out is None:
        return to or FILE_KINDS[0]
    ending = out.suffix.removeprefix(".").lower()
    if ending not in FILE_KINDS:
        raise BadSpec(f"--out {out}: a table's file ends in one of {', '.join(f'.{kind}' for kind in FILE_KINDS)}")
    if to not in (None, ending):
        raise BadSpec(f"--out {out} is not a file of --to {to}; leave one of them out")
    return ending


def _result_in(file: Path) -> dict[str, Any]:
    from boardwright.errors import BadRecord
    from boardwright.files import read_json

    try:
        result = read_json(file)
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise BadRecord(f"{file} is not JSON: {error}") from None
    if not isinstance(result, dict):
        raise BadRecord(f"{file} is not a result: it should be an object")
    return result


COMMANDS = (balance, report, companion, learn, export)
