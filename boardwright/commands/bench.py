"""How strong is an agent? A rating against reference opponents that stay as they are."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.common import (
    check_games,
    check_outputs,
    executor_for,
    executor_given,
    in_sandbox,
    named_game,
    seeds_given,
)
from boardwright.commands.declared import command
from boardwright.commands.options import GameArgument, JobsOption, JsonOption, SandboxOption
from boardwright.errors import BadSpec
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.ladder import Rating
    from boardwright.bench.rating import Measured
    from boardwright.bench.references import RatedSet, References
    from boardwright.reports import Report


@dataclass(frozen=True, kw_only=True)
class RateAgainstReferences(GameArgument, JobsOption, SandboxOption, JsonOption):
    """Rate an agent, a script or a language model against graded opponents. Stopped, the same command goes on.

    Examples:

      boardwright bench connect_four

      boardwright bench connect_four uct:iterations=300 --games 400

      boardwright bench race script:./bot.py --sandbox
    """

    agent: str | None = argument("Whom to rate; without one, the references are shown.", "[AGENT]", default=None)
    games: int = option(400, "At least so many, in whole blocks.", "-n")
    seats: int | None = option(None, "How many seats; default: those of the game's references.")
    seed: int | None = option(None, "Repeats a run. Default: for an agent of ours one of its own, else hidden.", "-s")
    salt: int | None = option(None, "Repeats a run whose salt was shown when it was over.")
    out: Path = option(Path("bench"), "The folder for the games; those already played there are kept.")
    calibrate: bool = option(False, "Play the references' own games, and write their ratings.", "--calibrate")
    within: float = option(25.0, "With --calibrate: until every rating is known within so many points.", minimum=5)

    def run(self, console: Console) -> Report:
        """The agent's rating, or those of the references."""
        from boardwright.bench.references import declared, rated
        from boardwright.bench.report import references_report
        from boardwright.reports.console import as_markdown, save

        check_games(self.games)
        check_outputs(self.json)
        loaded, references = named_game(self.game), declared(self.game, self.seats)
        if self.calibrate:
            if self.agent is not None:
                raise BadSpec("--calibrate rates the references themselves; leave the agent out")
            report = references_report(loaded, self._calibrate(references, console))
        elif self.agent is None:
            report = references_report(loaded, rated(references))
        else:
            report = self._rate(self.agent, rated(references), console)
        console.print(as_markdown(report), highlight=False, markup=False, soft_wrap=True)
        save(report, json=self.json, plot=None)
        return report

    def _rate(self, agent: str, references: RatedSet, console: Console) -> Report:
        from boardwright.arena.match import Match
        from boardwright.bench.rating import measure
        from boardwright.bench.report import bench_report
        from boardwright.terminal.progress import progress_bar

        loaded = named_game(self.game)
        (spec,) = in_sandbox([agent], self.sandbox)
        if self.salt is None:
            seeds_given(self.seed, [spec])  # warns of a seed that others could guess
        executor = executor_for(Match(self.game, (spec, *["random"] * (references.seats - 1))), self.jobs)
        with progress_bar(console) as bar:
            task = bar.add_task("games", total=self.games)
            measured = measure(
                loaded,
                references,
                spec,
                self.games,
                self.out,
                executor,
                lambda played: bar.update(task, completed=played),
                seed=self.seed,
                salt=self.salt,
            )
        return bench_report(loaded, references, measured, shlex.join(self._again(agent, measured)))

    def _again(self, agent: str, measured: Measured) -> list[str]:
        """The command that repeats a run."""
        seeds = measured.seeds
        again = ["boardwright", "bench", self.game, agent, "--games", str(self.games), "--seed", str(seeds["seed"])]
        again += ["--salt", str(seeds["salt"])] if seeds["salt"] or seeds["hidden_seed"] else []
        return again + (["--sandbox"] if self.sandbox else [])

    def _calibrate(self, references: References, console: Console) -> RatedSet:
        from boardwright.bench.calibration import calibrate
        from boardwright.bench.references import write
        from boardwright.bench.report import widest

        check_outputs(references.file)

        def show(games: int, ratings: list[Rating]) -> None:
            console.print(f"{games} games; {widest(ratings)}", highlight=False, markup=False)

        folder = self.out / f"references-{references.game}-{references.seats}"
        calibrated = calibrate(references, folder, executor_given(self.jobs), self.within, show)
        write(references, calibrated)
        return calibrated


bench = command(RateAgainstReferences, "bench")
COMMANDS = (bench,)
