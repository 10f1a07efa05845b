"""Published experiments: list, show, run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardwright.commands.common import HELP, Jobs, On, check_games, executor_given, terminal

app = typer.Typer(
    name="experiment",
    help="Rerun published experiments and compare.",
    no_args_is_help=True,
    context_settings=HELP,
)
ExperimentName = Annotated[str, typer.Argument(metavar="NAME", help="As `boardwright experiment list` shows it.")]


@app.command("list")
def list_() -> None:
    """List the experiments.

    Example: boardwright experiment list
    """
    from boardwright.experiments import experiments, load_experiment

    console = terminal()
    for name in experiments():
        experiment = load_experiment(name)
        console.print(f"[bold]{name}[/]  {experiment.title}. {experiment.question}", highlight=False)


@app.command("show")
def show(name: ExperimentName) -> None:
    """Show an experiment: agents, options, published figures, claims.

    Example: boardwright experiment show colonizers-3
    """
    from boardwright.experiments import load_experiment
    from boardwright.experiments.report import show_declaration

    show_declaration(load_experiment(name), terminal())


@app.command("run")
def run(
    name: ExperimentName,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", help="Games of each arrangement, or decks to predict; default: as declared."),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            min=1, help="Iterations for a decision, for sephton-…; default: as declared. Opponents' go along."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.0001, help="Seconds for a decision, for sephton-a3 and -a4; default: as declared."),
    ] = None,
    jobs: Jobs = 1,
    on: On = None,
    out: Annotated[Path, typer.Option(help="The folder for games, result.json and result.png.")] = Path("experiments"),
    only: Annotated[str | None, typer.Option(help="Run one arrangement only, as `show` names it.")] = None,
    decks: Annotated[
        Path | None, typer.Option(help="The file of decks, for netrunner-…; default: BOARDWRIGHT_DECKS.")
    ] = None,
) -> None:
    """Run an experiment and print our figures beside the published ones. Games already played are kept.

    Example: boardwright experiment run colonizers-3 --jobs 2
    """
    from boardwright.errors import UnknownName
    from boardwright.experiments import load_experiment
    from boardwright.experiments.run import run_experiment

    experiment = load_experiment(name)
    if games is not None:
        check_games(games)
    keys = [arrangement.key for arrangement in experiment.arrangements]
    if only is not None and only not in keys:
        raise UnknownName("arrangement", only, keys, f" of {name}")
    executor = executor_given(jobs, on)
    complete = run_experiment(
        experiment,
        terminal(),
        games=games,
        executor=executor,
        folder=out,
        only=only,
        decks=decks,
        iterations=iterations,
        seconds=seconds,
    )
    if not complete:
        raise typer.Exit(130)
