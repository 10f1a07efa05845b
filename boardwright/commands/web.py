"""The table in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.common import check_outputs
from boardwright.errors import BadSpec
from boardwright.settings import Checked, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.web.limits import Limits
    from boardwright.web.server import Settings

_LAST_PORT = 65_535


class ServePages(Checked):
    """Play, watch, replay and study any game in a browser.

    Examples:

      boardwright web

      boardwright web --host 0.0.0.0 --no-open

      boardwright web --game my_game.py --agent my_agent.py
    """

    host: str = option("127.0.0.1", "The address to listen on; 0.0.0.0 lets others in your network join.")
    port: int = option(8420, "The port; 0: any that is free.")
    open_: bool = option(True, "Open the page in your browser.", "--open/--no-open")
    store: Path | None = option(None, "The SQLite file that keeps the tables; default: matches/tables.sqlite.")
    workers: int = option(2, "Processes in which agents think.", minimum=1)
    name: list[str] | None = option(None, "A further host name under which people reach the server; repeatable.")
    share_records: bool = option(
        False, "With --host or --name: let others read the record files in matches/.", "--share-records"
    )
    game: list[Path] | None = option(None, "A game of your own, in a Python file; pages see what you save. Repeatable.")
    agent: list[Path] | None = option(None, "An agent of your own, in a Python file; repeatable.")
    ask: bool = option(False, "After each game, ask people for strength, fun and style; kept on this machine.", "--ask")
    teach: Path | None = option(
        None,
        "A case base that finished games can be put into: .cases for the agent `cases`, .db for SCOUT.",
        metavar="FILE",
    )
    limit: list[str] | None = option(
        None, "Change a limit, as tables=50 or seconds=5; repeatable.", metavar="NAME=VALUE"
    )

    def run(self, console: Console) -> None:
        """Serve until Ctrl-C. When files of --game or --agent have changed, the program begins anew with them."""
        from boardwright.web.own_files import offer_files
        from boardwright.web.server import serve

        settings = self._settings()
        offer_files(self.game or (), self.agent or ())

        def ready(address: str) -> None:
            print(f"Boardwright is at {address} (Ctrl-C stops it)", flush=True)
            if self.host in ("0.0.0.0", "::"):
                print("Others reach it under this machine's own address.", flush=True)

        if (changed_at := serve(settings, ready, open_browser=self.open_)) is not None:
            again = [*sys.orig_argv[1:], "--port", str(changed_at), "--no-open"]
            os.execv(sys.executable, [sys.executable, *again])  # with the files as they are now

    def _settings(self) -> Settings:
        from boardwright.web.server import DEFAULT_STORE, Settings

        if not 0 <= self.port <= _LAST_PORT:
            raise BadSpec(f"--port must be from 0 (any that is free) to {_LAST_PORT}, not {self.port}")
        check_outputs(self.store, self.teach)
        settings = Settings(
            self.host,
            self.port,
            self.store or DEFAULT_STORE,
            self.workers,
            tuple(self.name or ()),
            _limits(self.limit),
            self.share_records,
            self.ask,
            self.teach,
        )
        if self.teach is not None and not settings.is_local:
            raise BadSpec("--teach is for games on this machine; leave out --host and --name, or --teach")
        return settings


def _limits(given: list[str] | None) -> Limits:
    from dataclasses import fields, replace

    from boardwright.errors import UnknownName
    from boardwright.web.limits import Limits

    limits = Limits()
    known = {entry.name: type(getattr(limits, entry.name)) for entry in fields(Limits)}
    for text in given or []:
        key, _, value = text.partition("=")
        if key not in known:
            raise UnknownName("limit", key, known)
        try:
            limits = replace(limits, **{key: known[key](value)})
        except ValueError:
            raise BadSpec(f"--limit {text!r}: {value!r} is not a number") from None
    return limits


COMMANDS = {"web": ServePages}
