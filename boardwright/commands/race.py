"""Race for the Galaxy: saved games of the original program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.commands.common import HELP

app = typer.Typer(
    name="race",
    help="Race for the Galaxy: saved games of the original program.",
    no_args_is_help=True,
    context_settings=HELP,
)


@app.command("verify")
def verify(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Plain saves, XML exports, or .jsonl files of games.")
    ],
) -> None:
    """Replay saved games and compare every placement option and the final state.

    Prints a line for each difference and, last, how many games are identical; the exit code is 0 only if all are.

    Example: boardwright race verify games.jsonl export.xml
    """
    from boardwright.commands.saved_games import verify_files

    if not verify_files(files):
        raise typer.Exit(1)


@app.command("convert")
def convert(
    source: Annotated[Path, typer.Argument(help="A save, an export, or records of games played here.")],
    target: Annotated[Path, typer.Argument(help="Where to write: .jsonl our records, .xml an export, else a save.")],
    game: Annotated[int, typer.Option("--game", "-g", help="Which game of the source, from 1.")] = 1,
) -> None:
    """Turn saved games into our records and back.

    Example: boardwright race convert export.xml game.jsonl
    """
    from boardwright.commands import saved_games

    saved_games.convert(source, target, game)
