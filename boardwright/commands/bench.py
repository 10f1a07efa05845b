"""How strong is an agent? A rating against reference opponents that stay as they are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands import common
from boardwright.commands.options import GameArgument, JobsOption, JsonOption, SandboxOption, WorkerOptions
from boardwright.errors import BadSpec
from boardwright.files import make_folder
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.ladder import Rating
    from boardwright.bench.ladders import RatedLadder
    from boardwright.bench.rating import Measured
    from boardwright.bench.references import RatedSet, References
    from boardwright.reports import Report


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

        common.check_games(self.games)
        common.check_outputs(self.json)
        loaded, references = common.named_game(self.game), declared(self.game, self.seats)
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

        loaded = common.named_game(self.game)
        (spec,) = common.in_sandbox([agent], self.sandbox)
        if self.salt is None:
            common.seeds_given(self.seed, [spec])  # warns of a seed that others could guess
        executor = common.executor_for(Match(self.game, (spec, *["random"] * (references.seats - 1))), self.jobs)
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

        common.check_outputs(references.file)

        def show(games: int, ratings: list[Rating]) -> None:
            console.print(f"{games} games; {widest(ratings)}", highlight=False, markup=False)

        folder = self.out / f"references-{references.game}-{references.seats}"
        calibrated = calibrate(references, folder, common.executor_given(self.jobs), self.within, show)
        write(references, calibrated)
        return calibrated


class RateFamilies(WorkerOptions):
    """Rate all families of agents on the scale of the references (`boardwright bench`), one ladder per game and seat
    count. Stopped, the same command goes on.

    Example: boardwright strength connect_four --within 40
    """

    names: list[str] | None = argument("The games; default: all that have a ladder.", "[GAME]...", default=None)
    games: int = option(2000, "At most so many games on each ladder.", "-n")
    within: float = option(25.0, "Until every rating is known within so many points.", minimum=5)
    seconds: float = option(0.01, "Processor time per decision for agents that take a time.", minimum=0.001)
    seats: int | None = option(None, "Ladders with so many seats alone.")
    add: bool = option(
        False, "Rate only who is not on the package's ladder yet; all on it keep their ratings.", "--add"
    )
    seed: int = option(1, "The same seed gives the same games.", "-s")
    out: Path = option(Path("ladders"), "The folder for the games; those already played there are kept.")
    results: Path | None = option(
        None, "The folder for the ratings, one file per ladder; default: that of the games. The package keeps its own."
    )

    def run(self, console: Console) -> list[RatedLadder]:
        """The ladders after their games."""
        from boardwright.bench.ladders import LADDERS, rate, write
        from boardwright.bench.report import ladder_report
        from boardwright.reports.console import show

        common.check_games(self.games)
        known = sorted({ladder.game for ladder in LADDERS})
        for name in self.names or []:
            if name not in known:
                raise BadSpec(f"there is no ladder for {name}; there are ladders for {', '.join(known)}")
        chosen = [
            one for one in LADDERS if (not self.names or one.game in self.names) and self.seats in (None, one.seats)
        ]
        if not chosen:
            offered = sorted({one.seats for one in LADDERS if not self.names or one.game in self.names})
            raise BadSpec(
                f"there is no ladder with {self.seats} seats; there are some with {', '.join(map(str, offered))}"
            )
        results = self.results or self.out
        make_folder(self.out, "games")
        make_folder(results, "ratings")

        def progress(played: int, spec: str, points: float) -> None:
            console.print(f"{played} games; widest interval: {spec} ± {points:.0f}", highlight=False, markup=False)

        executor, rated = common.executor_given(self.jobs, self.on), []
        for ladder in chosen:
            if not ladder.newcomers(self.seconds, add=self.add):
                why = "nobody is new" if self.add else "nobody takes a time"
                console.print(f"{ladder.game}, {ladder.seats} seats: {why}, so all have ratings already")
                continue
            rating = rate(
                ladder, self.seconds, self.seed, self.games, self.within, self.out, executor, progress, add=self.add
            )
            write(ladder, rating, results)
            show(ladder_report(common.named_game(ladder.game), rating), console)
            rated.append(rating)
        return rated


COMMANDS = {"bench": RateAgainstReferences, "strength": RateFamilies}
