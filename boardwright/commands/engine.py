"""Engines without Python: a game and an agent as a library for another machine, or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.commands.common import GameName, Seats


def engine(
    game: GameName,
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", metavar="SPEC", help="Who plays; default: the strongest.")
    ] = None,
    target: Annotated[
        str, typer.Option(help="wasm, native, or another machine, as aarch64-android or x86_64-windows.")
    ] = "wasm",
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where to write the library and what belongs to it.")] = (
        Path("engine")
    ),
    seats: Seats = None,
    page: Annotated[
        bool, typer.Option("--page", help="Also write a page to play on, which needs no server (with target wasm).")
    ] = False,
) -> None:
    """Export a game's rules and an agent, to be used without Python: WebAssembly, or a library for C.

    Examples:

      boardwright engine race --page --out site

      boardwright engine connect_four --agent uct:iterations=5000 --target native --out lib

      boardwright engine my_game.py --target wasm
    """
    from boardwright.commands.common import named_game
    from boardwright.engine import export_engine

    exported = export_engine(named_game(game), agent, target=target, folder=out, seats=seats, page=page)
    for file in exported.files:
        print(f"{file}  {file.stat().st_size / 1000:,.0f} KB")


COMMANDS = (engine,)
