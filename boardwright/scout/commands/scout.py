"""`boardwright scout`: the commands. The command line loads this module when one of them is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from boardwright.commands.common import check_games, executor_given
from boardwright.commands.declared import command
from boardwright.errors import BadSpec
from boardwright.settings import Checked, option, required

if TYPE_CHECKING:
    from rich.console import Console

scout = typer.Typer()

StoreFile = Annotated[Path, typer.Option("--case-base", "-c", help="The store of the run, an SQLite file.")]


@scout.callback()
def _scout() -> None:
    """SCOUT: case-based reasoning for Race for the Galaxy, and a server for other engines."""


@scout.command()
def serve(
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port; 0 takes a free one.")] = 4711,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", help="Who answers; scout2, or else heuristic, by default.")
    ] = None,
    case_base: Annotated[
        Path | None, typer.Option("--case-base", "-c", help="The case file or store it reasons from.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same answers.")] = 0,
    idle_timeout: Annotated[
        float, typer.Option("--idle-timeout", min=0.1, help="Seconds until an idle engine is disconnected.")
    ] = 3600.0,
    era: Annotated[int, typer.Option("--era", min=1, help="Games in an era of a scout3 that learns.")] = 200,
) -> None:
    """Let an agent play the games of other engines, which connect by TCP and ask in XML documents.

    Prints the port, then a line for each event, until Ctrl-C. docs/scout-interface.md describes the protocol.

    Example: boardwright scout serve --port 4711 --agent ismcts:seconds=0.5
    """
    from boardwright.scout.commands.serve import serve_until_stopped, spec_for

    serve_until_stopped(spec_for(agent, case_base), host, port, seed, idle_timeout, era)


@scout.command()
def check(
    server: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where a server answers, ours or another.")],
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games whose questions are asked.")] = 5,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same questions.")] = 0,
) -> None:
    """Check that a server keeps the protocol of docs/scout-interface.md: legal answers, errors, whole games.

    Example: boardwright scout check 127.0.0.1:4711 --games 20
    """
    from boardwright.scout.commands.serve import show_checks

    show_checks(server, games, seed)


@dataclass(frozen=True)
class ScoutRun(Checked):
    """Let SCOUT3 play for as long as wanted, maintaining its case base. Goes on where it was stopped or killed.

    Example: boardwright scout run --case-base evolving.db --games 4000 --era 200 --vs heuristic

    Example: boardwright scout run --case-base pupil.db --vs netsearch --initial 50 --observe-opponent
    --scout retrain=true,standard_errors=2
    """

    case_base: Path = required("The store of the run, an SQLite file.", "-c")
    games: int = option(4000, "Play until there are so many.", "-n", minimum=1)
    era: int = option(200, "Games in an era.", minimum=1)
    vs: str = option("heuristic", "The opponent.", metavar="SPEC")
    seed: int = option(0, "The same seed gives the same run.", "-s")
    scout: str = option("", "Parameters of scout3, as k=5,stages=1.")
    source: str = option("default", "The case base to begin with, if the store does not exist yet.", "--from")
    initial: int = option(
        748, "How many of its games to begin with; its policy network is kept. 0: no case.", minimum=0
    )
    observe_opponent: bool = option(
        False, "Learn from the opponent's decisions where it wins, after the game.", "--observe-opponent"
    )
    record: Path | None = option(None, "Also record the games in this file.")
    digest: bool = option(False, "Print a line for every decision, as it is made.", "--digest")
    on: str | None = option(None, "Play each era on a worker of Ray, as for matches.", metavar="ray[:ADDRESS]")

    def run(self, console: Console) -> list[tuple[int, int]]:
        """Of each era, how many games were won and played."""
        from boardwright.cbr.store import Store
        from boardwright.scout.run import Beginning, Plan, play_run
        from boardwright.scout.run_progress import RunProgress

        check_games(self.games)
        check_games(self.era, "--era")
        if self.initial:
            check_games(self.initial, "--initial")
        if self.on is not None and self.digest:
            raise BadSpec("--digest prints decisions as they are made here; leave it or --on out")
        plan = Plan(self.scout, self.vs, self.seed, self.era, self.observe_opponent)
        file, record = Path(self.case_base), None if self.record is None else Path(self.record)
        complete = play_run(
            file,
            plan,
            self.games,
            beginning=Beginning(self.source, self.initial),
            record=record,
            listeners=[RunProgress(console)],
            digest=print if self.digest else None,
            executor=None if self.on is None else executor_given(1, self.on),
        )
        if not complete:
            raise KeyboardInterrupt
        with Store(file) as store:
            return store.era_results()


scout.command()(command(ScoutRun, "run"))


@scout.command()
def rollback(
    case_base: StoreFile, era: Annotated[int, typer.Option("--era", min=0, help="The era to go back to the end of.")]
) -> None:
    """Put a case base back to where it was at the end of an era; 0 is before the first.

    Example: boardwright scout rollback --case-base evolving.db --era 7
    """
    from boardwright.cbr.maintenance import Maintenance
    from boardwright.cbr.store import Store
    from boardwright.scout.cases.files import ERA_POLICY_NETWORK, exclusive
    from boardwright.scout.controller import MAINTAINED

    with exclusive(case_base), Store(case_base) as store:
        maintenance = Maintenance(store, MAINTAINED)
        maintenance.rollback(era)
        with store.transaction():
            store.set_meta(ERA_POLICY_NETWORK, None)  # of a later era; the next run trains it again
        sizes = ", ".join(str(maintenance.size(base)) for base in MAINTAINED)
        print(f"{case_base} is at the end of era {era}, after {maintenance.games:,} games; cases: {sizes}")


@scout.command()
def log(
    case_base: StoreFile, last: Annotated[int, typer.Option("--last", min=1, help="How many of its last lines.")] = 20
) -> None:
    """Show the end of a case base's permanent log.

    Example: boardwright scout log --case-base evolving.db --last 50
    """
    from boardwright.cbr.store import Store

    with Store(case_base) as store:
        for game, text in store.log()[-last:]:
            print(f"{game:>6}  {text}")


@scout.command()
def registry(
    case_base: StoreFile,
    base: Annotated[
        Literal["all", "phase", "develop", "settle"], typer.Option("--base", help="Which of the case bases.")
    ] = "all",
    classes: Annotated[bool, typer.Option("--classes", help="The classes, instead of the cases.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The most cases; those retrieved most come first.")] = 20,
) -> None:
    """Show the case registry: retrievals in won games, all retrievals, mean similarity, era of entry.

    Example: boardwright scout registry --case-base evolving.db --base settle --limit 10
    """
    from boardwright.scout.commands.registry import show_registry

    show_registry(case_base, base, limit, classes=classes)


@scout.command()
def explain(
    record: Annotated[Path, typer.Argument(help="A record file of `boardwright match`.")],
    game: Annotated[int, typer.Option("--game", "-g", min=1, help="Which game of the file.")] = 1,
    move: Annotated[int, typer.Option("--move", "-m", min=1, help="Which move of the game.")] = 1,
    agent: Annotated[str, typer.Option("--agent", "-a", metavar="SPEC", help="Who is asked.")] = "scout2",
) -> None:
    """Show why SCOUT would choose what it chooses in a position of a recorded game: the cases behind it.

    Example: boardwright scout explain scout.jsonl --game 3 --move 25
    """
    from boardwright.scout.commands.explain import explain_move

    explain_move(record, game, move, agent)
