"""`boardwright scout`: the commands. The command line loads this module when one of them is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.games.race.scout import run_commands

scout = typer.Typer(name="scout")


@scout.callback()
def _scout() -> None:
    """SCOUT: case-based reasoning for Race for the Galaxy, and an interface to other engines."""


@scout.command()
def serve(
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port; 0 takes a free one.")] = 4711,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", help="Who answers; scout2, or else heuristic, by default.")
    ] = None,
    library: Annotated[Path | None, typer.Option("--library", "-l", help="The case library it reasons from.")] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same answers.")] = 0,
    silence: Annotated[
        float, typer.Option("--silence", min=0.1, help="Seconds without a word until an engine is let go.")
    ] = 3600.0,
) -> None:
    """Let an agent play the games of other engines, which connect by TCP and ask in XML documents.

    Prints the port, then a line for each event, until Ctrl-C. docs/scout.md describes the protocol.

    Example: boardwright scout serve --port 4711 --agent ismcts:seconds=0.5
    """
    from boardwright.games.race.scout.serving import serve_until_stopped, spec_for

    serve_until_stopped(spec_for(agent, library), host, port, seed, silence)


for command in (run_commands.run, run_commands.rollback, run_commands.log, run_commands.explain):
    scout.command()(command)
