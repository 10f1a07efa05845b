"""The table in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import check_outputs
from boardwright.errors import BadSpec

if TYPE_CHECKING:
    from boardwright.web.limits import Limits

_LAST_PORT = 65_535


def web(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in your network join.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0: any that is free.")] = 8420,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in your browser.")] = True,
    store: Annotated[
        Path | None, typer.Option(help="The SQLite file that keeps the tables; default: matches/tables.sqlite.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes in which agents think.")] = 2,
    name: Annotated[
        list[str] | None, typer.Option(help="A further host name under which people reach the server; repeatable.")
    ] = None,
    share_records: Annotated[
        bool,
        typer.Option("--share-records", help="With --host or --name: let others read the record files in matches/."),
    ] = False,
    game: Annotated[
        list[Path] | None,
        typer.Option(help="A game of your own, in a Python file; pages see what you save. Repeatable."),
    ] = None,
    agent: Annotated[
        list[Path] | None, typer.Option(help="An agent of your own, in a Python file; repeatable.")
    ] = None,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="After each game, ask people for strength, fun and style; kept on this machine."),
    ] = False,
    teach: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A case base that finished games can be put into: .cases for the agent `cases`, .db for SCOUT.",
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Change a limit, as tables=50 or seconds=5; repeatable."),
    ] = None,
) -> None:
    """Play, watch, replay and study any game in a browser.

    Examples:

      boardwright web

      boardwright web --host 0.0.0.0 --no-open

      boardwright web --game my_game.py --agent my_agent.py
    """
    from boardwright.web.server import DEFAULT_STORE, Settings, serve

    if workers < 1:
        raise BadSpec(f"--workers must be at least 1, not {workers}")
    if not 0 <= port <= _LAST_PORT:
        raise BadSpec(f"--port must be from 0 (any that is free) to {_LAST_PORT}, not {port}")
    check_outputs(store, teach)
    settings = Settings(
        host, port, store or DEFAULT_STORE, workers, tuple(name or ()), _limits(limit), share_records, ask, teach
    )
    if teach is not None and not settings.is_local:
        raise BadSpec("--teach is for games on this machine; leave out --host and --name, or --teach")

    from boardwright.web.own_files import offer_files

    offer_files(game or (), agent or ())

    def ready(address: str) -> None:
        print(f"Boardwright is at {address} (Ctrl-C stops it)", flush=True)
        if host in ("0.0.0.0", "::"):
            print("Others reach it under this machine's own address.", flush=True)

    if (changed_at := serve(settings, ready, open_browser=open_)) is not None:
        again = [*sys.orig_argv[1:], "--port", str(changed_at), "--no-open"]
        os.execv(sys.executable, [sys.executable, *again])  # with the files as they are now


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


COMMANDS = (web,)
