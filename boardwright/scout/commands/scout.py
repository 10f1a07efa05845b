"""`boardwright scout`: the commands. The command line loads this module when one of them is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from boardwright.commands.common import check_games, executor_given
from boardwright.commands.declared import group
from boardwright.commands.options import RecordedGameOption
from boardwright.errors import BadSpec
from boardwright.settings import Checked, argument, option, required

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.agents import Decision
    from boardwright.scout.remote.conformance import Check


class ServeEngines(Checked):
    """Let an agent play the games of other engines, which connect by TCP and ask in XML documents.

    Prints the port, then a line for each event, until Ctrl-C. docs/scout-interface.md describes the protocol.

    Example: boardwright scout serve --port 4711 --agent ismcts:seconds=0.5
    """

    port: int = option(4711, "The port; 0 takes a free one.", "-p", minimum=0, maximum=65535)
    host: str = option("127.0.0.1", "The address to listen on.")
    agent: str | None = option(None, "Who answers; scout2, or else heuristic, by default.", "-a")
    case_base: Path | None = option(None, "The case file or store it reasons from.", "-c")
    seed: int = option(0, "The same seed gives the same answers.", "-s")
    idle_timeout: float = option(3600.0, "Seconds until an idle engine is disconnected.", minimum=0.1)
    era: int = option(200, "Games in an era of a scout3 that learns.", minimum=1)

    def run(self, console: Console) -> None:
        from boardwright.scout.commands.serve import serve_until_stopped, spec_for

        spec = spec_for(self.agent, self.case_base)
        serve_until_stopped(spec, self.host, self.port, self.seed, self.idle_timeout, self.era)


class CheckServer(Checked):
    """Check that a server keeps the protocol of docs/scout-interface.md: legal answers, errors, whole games.

    Example: boardwright scout check 127.0.0.1:4711 --games 20
    """

    server: str = argument("Where a server answers, ours or another.", "HOST:PORT")
    games: int = option(5, "Games whose questions are asked.", "-n", minimum=1)
    seed: int = option(0, "The same seed gives the same questions.", "-s")

    def run(self, console: Console) -> list[Check]:
        """Every promise of the protocol, kept or not."""
        from boardwright.scout.commands.serve import show_checks

        return show_checks(self.server, self.games, self.seed, console)

    def exit_code(self, result: list[Check]) -> int:
        return int(not all(check.passed for check in result))


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
        file = self.case_base
        complete = play_run(
            file,
            plan,
            self.games,
            beginning=Beginning(self.source, self.initial),
            record=self.record,
            listeners=[RunProgress(console)],
            digest=print if self.digest else None,
            executor=None if self.on is None else executor_given(1, self.on),
        )
        if not complete:
            raise KeyboardInterrupt
        with Store(file) as store:
            return store.era_results()


class StoreOption(Checked):
    case_base: Path = required("The store of the run, an SQLite file.", "-c")


class RollBack(StoreOption):
    """Put a case base back to where it was at the end of an era; 0 is before the first.

    Example: boardwright scout rollback --case-base evolving.db --era 7
    """

    era: int = required("The era to go back to the end of.", minimum=0)

    def run(self, console: Console) -> None:
        from boardwright.cbr.maintenance import Maintenance
        from boardwright.cbr.store import Store
        from boardwright.scout.cases.files import ERA_POLICY_NETWORK, exclusive
        from boardwright.scout.controller import MAINTAINED

        with exclusive(self.case_base), Store(self.case_base) as store:
            maintenance = Maintenance(store, MAINTAINED)
            maintenance.rollback(self.era)
            with store.transaction():
                store.set_meta(ERA_POLICY_NETWORK, None)  # of a later era; the next run trains it again
            sizes = ", ".join(str(maintenance.size(base)) for base in MAINTAINED)
            state = f"at the end of era {self.era}, after {maintenance.games:,} games; cases: {sizes}"
            console.out(f"{self.case_base} is {state}", highlight=False)


class ShowLog(StoreOption):
    """Show the end of a case base's permanent log.

    Example: boardwright scout log --case-base evolving.db --last 50
    """

    last: int = option(20, "How many of its last lines.", minimum=1)

    def run(self, console: Console) -> list[tuple[int, str]]:
        """The entries, each with the number of its game."""
        from boardwright.cbr.store import Store

        with Store(self.case_base) as store:
            entries = store.log()[-self.last :]
        for game, text in entries:
            console.out(f"{game:>6}  {text}", highlight=False)
        return entries


class ShowRegistry(StoreOption):
    """Show the case registry: retrievals in won games, all retrievals, mean similarity, era of entry.

    Example: boardwright scout registry --case-base evolving.db --base settle --limit 10
    """

    base: Literal["all", "phase", "develop", "settle"] = option("all", "Which of the case bases.")
    classes: bool = option(False, "The classes, instead of the cases.", "--classes")
    limit: int = option(20, "The most cases; those retrieved most come first.", minimum=1)

    def run(self, console: Console) -> list[str]:
        """The lines, as figure 5.2 of the dissertation has them."""
        from boardwright.scout.commands.registry import registry_lines

        lines = registry_lines(self.case_base, self.base, self.limit, classes=self.classes)
        for line in lines:
            console.out(line, highlight=False)
        return lines


class ExplainMove(RecordedGameOption):
    """Show why SCOUT would choose what it chooses in a position of a recorded game: the cases behind it.

    Example: boardwright scout explain scout.jsonl --game 3 --move 25
    """

    record: Path = argument("A record file of `boardwright match`.")
    move: int = option(1, "Which move of the game.", "-m", minimum=1)
    agent: str = option("scout2", "Who is asked.", "-a", metavar="SPEC")

    def run(self, console: Console) -> Decision:
        """What the agent chooses, with its reasons."""
        from boardwright.scout.commands.explain import explain_move

        return explain_move(self.record, self.game, self.move, self.agent, console)


app = group(
    {
        "serve": ServeEngines,
        "check": CheckServer,
        "run": ScoutRun,
        "rollback": RollBack,
        "log": ShowLog,
        "registry": ShowRegistry,
        "explain": ExplainMove,
    }
)
