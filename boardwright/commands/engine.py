"""Engines without Python: a game and an agent as a library for another machine, or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.common import named_game
from boardwright.commands.options import GameArgument, SeatsOption
from boardwright.settings import option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.engine import Exported


class ExportEngine(GameArgument, SeatsOption):
    """Export a game's rules and an agent, to be used without Python: WebAssembly, or a library for C.

    Examples:

      boardwright engine race --page --out site

      boardwright engine connect_four --agent uct:iterations=5000 --target native --out lib

      boardwright engine my_game.py --target wasm
    """

    agent: str | None = option(None, "Who plays; default: the strongest.", "-a", metavar="SPEC")
    target: str = option("wasm", "wasm, native, or another machine, as aarch64-android or x86_64-windows.")
    out: Path = option(Path("engine"), "Where to write the library and what belongs to it.", metavar="FOLDER")
    page: bool = option(False, "Also write a page to play on, which needs no server (with target wasm).", "--page")

    def run(self, console: Console) -> Exported:
        """The files that were written, and what is in them."""
        from boardwright.engine import export_engine

        exported = export_engine(
            named_game(self.game), self.agent, target=self.target, folder=self.out, seats=self.seats, page=self.page
        )
        for file in exported.files:
            console.out(f"{file}  {file.stat().st_size / 1000:,.0f} KB", highlight=False)
        return exported


COMMANDS = {"engine": ExportEngine}
