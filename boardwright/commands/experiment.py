"""Published experiments: list, show, run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.commands.common import check_games, check_outputs, executor_given
from boardwright.commands.declared import group
from boardwright.commands.options import WorkerOptions
from boardwright.files import read_json
from boardwright.settings import Checked, argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.experiments.model import Experiment


class ListExperiments(Checked):
    """List the experiments.

    Example: boardwright experiment list
    """

    def run(self, console: Console) -> list[str]:
        """Their names."""
        from boardwright.experiments import experiments, load_experiment

        for name in experiments():
            experiment = load_experiment(name)
            console.print(f"[bold]{name}[/]  {experiment.title}. {experiment.question}", highlight=False)
        return list(experiments())


class ExperimentArgument(Checked):
    name: str = argument("As `boardwright experiment list` shows it.", "NAME")


class ShowExperiment(ExperimentArgument):
    """Show an experiment: agents, options, published figures, claims.

    Example: boardwright experiment show colonizers-3
    """

    def run(self, console: Console) -> Experiment:
        """Its declaration."""
        from boardwright.experiments import load_experiment
        from boardwright.experiments.report import show_declaration

        experiment = load_experiment(self.name)
        show_declaration(experiment, console)
        return experiment


class RunExperiment(ExperimentArgument, WorkerOptions):
    """Run an experiment and print our figures beside the published ones. Games already played are kept.

    Example: boardwright experiment run colonizers-3 --jobs 2
    """

    games: int | None = option(None, "Games of each arrangement, or decks to predict; default: as declared.", "-n")
    iterations: int | None = option(
        None, "Iterations for a decision, for sephton-…; default: as declared. Opponents' go along.", minimum=1
    )
    seconds: float | None = option(
        None, "Seconds for a decision, for sephton-a3 and -a4; default: as declared.", minimum=0.0001
    )
    out: Path = option(Path("experiments"), "The folder for games, result.json and result.png.")
    store: Path | None = option(
        None,
        "Also store the result in this folder under the experiment's name; docs/results is where `make docs` finds it.",
    )
    only: str | None = option(None, "Run one part only, as `show` names it.")
    claims: bool = option(
        False, "Of a grid of matches, play what claims need and stop when they are decided, or hopeless with all games."
    )
    decks: Path | None = option(None, "The file of decks, for netrunner-…; default: BOARDWRIGHT_DECKS.")

    def run(self, console: Console) -> dict[str, Any]:
        """The figures, as in result.json."""
        from boardwright.experiments import load_experiment
        from boardwright.experiments.run import folder_of, run_experiment, store_result

        experiment = load_experiment(self.name)
        if self.games is not None:
            check_games(self.games)
        folder = folder_of(experiment, self.out, self.iterations, self.seconds)
        stored = None if self.store is None else self.store / f"{folder.name}.json"
        check_outputs(stored)
        complete = run_experiment(
            experiment,
            console,
            games=self.games,
            executor=executor_given(self.jobs, self.on),
            folder=self.out,
            only=self.only,
            claims=self.claims,
            decks=self.decks,
            iterations=self.iterations,
            seconds=self.seconds,
        )
        if not complete:
            raise KeyboardInterrupt
        if self.only is not None and not (folder / "result.json").exists():
            return {}  # some results need all parts
        found: dict[str, Any] = read_json(folder / "result.json")
        if stored is not None:
            store_result(experiment, found, self.out, stored, console)
        return found


app = group({"list": ListExperiments, "show": ShowExperiment, "run": RunExperiment})
