"""Tables: of games and results for other programs, and of card values learned from watched games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.commands.common import check_games, check_outputs, named_game
from boardwright.commands.options import GameArgument, SeedOption
from boardwright.errors import BadSpec
from boardwright.settings import Checked, argument, option

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

_MOST_ROUNDS = 1000


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
        from boardwright.wording import counted

        kind, frames, written = self._kind(), self._frames(), []
        for name, frame in frames.items():
            target = self.out or self.file.with_name(f"{self.file.stem}{'-' if name else ''}{name}.{kind}")
            check_outputs(target)
            write_frame(frame, target, kind)
            rows = f"{counted(len(frame), 'row')} of {', '.join(frame.columns)}" if len(frame) else "no rows"
            about = f"{target}: {rows}"
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


COMMANDS = {"learn": LearnValues, "export": ExportTables}
