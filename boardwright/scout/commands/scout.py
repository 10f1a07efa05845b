"""`boardwright scout`: the commands. The command line loads this module when one of them is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

scout = typer.Typer(name="scout")

Library = Annotated[Path, typer.Option("--library", "-l", help="The library file of the run.")]


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
    from boardwright.scout.commands.serve import serve_until_stopped, spec_for

    serve_until_stopped(spec_for(agent, library), host, port, seed, silence)


@scout.command()
def run(
    library: Library,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Play until there are so many.")] = 4000,
    era: Annotated[int, typer.Option("--era", min=1, help="Games in an era.")] = 200,
    vs: Annotated[str, typer.Option("--vs", metavar="SPEC", help="The opponent.")] = "heuristic",
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same run.")] = 0,
    scout: Annotated[str, typer.Option("--scout", help="Parameters of scout3, as k=5,stages=1.")] = "",
    source: Annotated[str, typer.Option("--from", help="The library to begin with, if there is none yet.")] = "default",
    initial: Annotated[
        int,
        typer.Option("--initial", min=1, help="How many of its games to begin with; what it has learned comes along."),
    ] = 748,
    watch: Annotated[
        bool, typer.Option("--watch", help="Learn from the opponent's decisions where it wins, after the game.")
    ] = False,
) -> None:
    """Let SCOUT3 play for as long as wanted, keeping up its case base. Goes on where it was stopped or killed.

    Example: boardwright scout run --library evolving.db --games 4000 --era 200 --vs heuristic

    Example: boardwright scout run --library pupil.db --vs netsearch --initial 50 --watch --scout relearn=true,sure=2
    """
    from rich.console import Console

    from boardwright.scout.run import Plan, begin_library
    from boardwright.scout.run import run as play

    if not library.exists():
        begin_library(library, source, initial)
    if not play(library, Plan(scout, vs, seed, era, watch), games, Console()):
        raise typer.Exit(130)


@scout.command()
def rollback(
    library: Library, era: Annotated[int, typer.Option("--era", min=0, help="The era to go back to the end of.")]
) -> None:
    """Put a library back to where it was at the end of an era; 0 is before the first.

    Example: boardwright scout rollback --library evolving.db --era 7
    """
    from boardwright.cbr.lifecycle import Keeper
    from boardwright.cbr.store import Store
    from boardwright.scout.cases.files import LEARNED
    from boardwright.scout.controller import KEPT_UP
    from boardwright.scout.run import alone_with

    with alone_with(library), Store(library) as store:
        keeper = Keeper(store, KEPT_UP)
        keeper.rollback(era)
        with store.transaction():
            store.set_meta(LEARNED, None)  # of a later era; the next run finds them anew
        sizes = ", ".join(str(keeper.size(base)) for base in KEPT_UP)
        print(f"{library} is at the end of era {era}, after {keeper.games:,} games; cases: {sizes}")


@scout.command()
def log(
    library: Library, last: Annotated[int, typer.Option("--last", min=1, help="How many of its last lines.")] = 20
) -> None:
    """Show the end of a library's permanent log.

    Example: boardwright scout log --library evolving.db --last 50
    """
    from boardwright.cbr.store import Store

    with Store(library) as store:
        for game, text in store.log()[-last:]:
            print(f"{game:>6}  {text}")


@scout.command()
def explain(
    record: Annotated[Path, typer.Argument(help="A record file of `boardwright match`.")],
    game: Annotated[int, typer.Option("--game", "-g", min=1, help="Which game of the file.")] = 1,
    move: Annotated[int, typer.Option("--move", "-m", min=1, help="Which move of the game.")] = 1,
    agent: Annotated[str, typer.Option("--agent", "-a", metavar="SPEC", help="Who is asked.")] = "scout2",
) -> None:
    """Show why SCOUT would choose what it chooses in a position of a recorded game: the cases behind it.

    Example: boardwright scout explain matches/race.jsonl --game 3 --move 25
    """
    from boardwright.scout.commands.explain import add_feature

    add_feature(record, game, move, agent)
