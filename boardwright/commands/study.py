"""What many games say: about a game's balance, its boards and cards; and tables learned from them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.commands.common import (
    check_games,
    check_outputs,
    executor_given,
    in_sandbox,
    named_game,
    options_given,
    publish,
    records_in,
    seeds_given,
)
from boardwright.commands.declared import command
from boardwright.commands.options import (
    GameArgument,
    ResultOptions,
    SeatsOption,
    SeedOption,
    VariantOption,
    WorkerOptions,
)
from boardwright.commands.played import RecordOptions, StudyBalance
from boardwright.errors import BadSpec
from boardwright.settings import Checked, argument, option

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from boardwright.arena.match import Match
    from boardwright.reports import Report


_MOST_ROUNDS = 1000
_REPORT_SEATS = 5
"""The seats of a report whose agents are not given, where the game allows it."""


@dataclass(frozen=True, kw_only=True)
class StudyCompanion(GameArgument, SeatsOption, SeedOption, WorkerOptions, VariantOption, ResultOptions):
    """How well does `companion` hold the win chance that it aims at? It plays opponents of fixed strength.

    Example: boardwright companion connect_four -a random -a uct:iterations=50 -c 0.3 -c 0.5 --games 100
    """

    against: list[str] | None = option(None, "An opponent of fixed strength; repeatable.", "-a", metavar="SPEC")
    chance: list[float] | None = option(None, "The win chance that each opponent is to have; repeatable.", "-c")
    companion: str = option("", "Further parameters of the companion.", metavar="PARAM=VALUE,…")
    games: int = option(100, "How many games.", "-n")

    def run(self, console: Console) -> Report:
        """The chances aimed at, and what the opponents won."""
        from boardwright.arena.holding import HoldingStudy
        from boardwright.reports.holding import holding_report

        check_games(self.games)
        self.check_result_files()
        loaded = named_game(self.game)
        filled = loaded.check_seats(self.seats)
        if filled < 2:
            raise BadSpec(f"{loaded.name} is played alone; a companion needs somebody to play with")
        opponents = self.against or ["random", *(f"ismcts:iterations={n}" for n in (30, 300))]
        aims, options = self.chance or [1 / filled], options_given(self.options)
        study = HoldingStudy(self.game, aims, opponents, self.companion, filled, self.seed, options)
        study.check()
        with console.status(f"{len(study.aimed())} pairings, {self.games} games each"):
            results = study.run(self.games, executor_given(self.jobs, self.on))
        report = holding_report(loaded, study, results)
        publish(report, console, self.json, self.plot)
        return report


@dataclass(frozen=True, kw_only=True)
class LearnValues(GameArgument, SeedOption):
    """Learn a value for every card of a game from watched games, and show the table.

    Example: boardwright learn wonders --rule win_share --games 10000 --out values.json
    """

    rule: str = option("win_share", "How games become values; `list` shows all.", "-r")
    games: int = option(10_000, "Games to watch.", "-n")
    seats: int = option(5, "How many seats.")
    rounds: int = option(1, "Rounds; later ones watch the learner of the round before.")
    out: Path | None = option(None, "Where the table goes, as JSON.")

    def run(self, console: Console) -> dict[str, float]:
        """Every card with its value, the highest first; with the rule `list`, nothing."""
        import importlib

        from boardwright.errors import UnknownName

        check_outputs(self.out)
        loaded = named_game(self.game)
        try:
            trainer = importlib.import_module(f"boardwright.games.{loaded.name}.learn")
        except ModuleNotFoundError:
            raise BadSpec(f"{loaded.name} has nothing to learn this way") from None
        if self.rule == "list":
            for name, (_, meaning) in trainer.RULES.items():
                console.print(f"[bold]{name}[/]  {meaning}", highlight=False)
            return {}
        if self.rule not in trainer.RULES:
            raise UnknownName("rule", self.rule, trainer.RULES)
        check_games(self.games)
        if not 1 <= self.rounds <= _MOST_ROUNDS:
            raise BadSpec(f"--rounds must be from 1 to {_MOST_ROUNDS}, not {self.rounds}")
        seats = loaded.check_seats(self.seats)
        values = trainer.train(self.rule, self.games, self.seed, seats=seats, rounds=self.rounds)
        ordered = dict(trainer.best_first(values))
        _show_values(f"{loaded.title}: {trainer.RULES[self.rule][1]}, {self.games:,} games", ordered, console)
        if self.out is not None:
            about = {"games": self.games, "seed": self.seed, "seats": self.seats, "rounds": self.rounds}
            trainer.save(self.out, self.rule, values, **about)
            console.print(
                f"[dim]Table written to {self.out}; play it with learner:table={self.out}[/]", highlight=False
            )
        return ordered


def _show_values(title: str, values: dict[str, float], console: Console) -> None:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    table.add_column("card")
    table.add_column("value", justify="right")
    for name, value in values.items():
        table.add_row(name, f"{value:.4g}")
    console.print(table)


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
            if len(games := {record.game for record in records}) > 1:
                raise BadSpec(
                    f"{self.game} has records of several games ({', '.join(sorted(games))}); a report is of one"
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


@dataclass(frozen=True, kw_only=True)
class ExportTables(Checked):
    """Write games or results as tables for other programs.

    Records become one table, with a row for every seat of every game. Needs pandas, which comes with the extra `data`.

    Example: boardwright export matches/connect_four-uct-random-seed0.jsonl --to parquet
    """

    file: Path = argument("A record file (.jsonl), or a result as --json or an experiment writes it.", "FILE")
    to: str | None = option(None, "The kind of file to write; default: as --out ends, else csv.", metavar="csv|parquet")
    table: str | None = option(None, "One table only; default: all, a file for each.")
    out: Path | None = option(None, "The file to write; default: beside FILE, named after it.")

    def run(self, console: Console) -> list[Path]:
        """The files that were written."""
        from boardwright.frames import write_frame

        kind, frames, written = self._kind(), self._frames(), []
        for name, frame in frames.items():
            target = self.out or self.file.with_name(f"{self.file.stem}{'-' if name else ''}{name}.{kind}")
            check_outputs(target)
            write_frame(frame, target, kind)
            about = f"{target}: {len(frame):,} rows of {', '.join(frame.columns)}"
            console.print(about, highlight=False, markup=False)
            written.append(target)
        return written

    def _frames(self) -> dict[str, pandas.DataFrame]:
        """The tables that are wanted, by name."""
        from functools import partial

        from boardwright.arena.frames import records_to_frame
        from boardwright.arena.record import read_records
        from boardwright.errors import UnknownName
        from boardwright.frames import tables, to_frame

        file = self.file
        if file.suffix == ".jsonl":
            warn = partial(print, "boardwright:", file=sys.stderr)
            frames = {"": records_to_frame(read_records(file, warn=warn))}
        else:
            frames = {name: to_frame(rows) for name, rows in tables(_result_in(file)).items()}
        if self.table is not None:
            if self.table not in frames:
                raise UnknownName("table", self.table, frames, f" in {file}")
            frames = {self.table: frames[self.table]}
        if self.out is not None and len(frames) > 1:
            raise BadSpec(f"{file} has several tables ({', '.join(frames)}); name one with --table, or leave --out out")
        return frames

    def _kind(self) -> str:
        """The kind of file that is asked for, by name or by the ending of the file."""
        from boardwright.frames import FILE_KINDS

        kinds = ", ".join(FILE_KINDS)
        if self.to is not None and self.to not in FILE_KINDS:
            raise BadSpec(f"--to {self.to}: it is one of {kinds}")
        if self.out is None:
            return self.to or FILE_KINDS[0]
        ending = self.out.suffix.removeprefix(".").lower()
        if ending not in FILE_KINDS:
            endings = ", ".join(f".{kind}" for kind in FILE_KINDS)
            raise BadSpec(f"--out {self.out}: a table's file ends in one of {endings}")
        if self.to not in (None, ending):
            raise BadSpec(f"--out {self.out} is not a file of --to {self.to}; leave one of them out")
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


balance = command(StudyBalance, "balance")
report = command(ReportGames, "report")
companion = command(StudyCompanion, "companion")
learn = command(LearnValues, "learn")
export = command(ExportTables, "export")
COMMANDS = (balance, report, companion, learn, export)
