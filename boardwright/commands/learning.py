"""Training networks, and the ladder on which they and all others are rated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import (
    GameName,
    Jobs,
    JsonFile,
    PlotFile,
    Seats,
    Seed,
    check_outputs,
    check_plot,
    jobs_given,
    named_game,
    play_match,
    publish,
    terminal,
)
from boardwright.errors import BadSpec, CannotWrite

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.kernel import Game
    from boardwright.learn.network import Network
    from boardwright.learn.training import Course, Training


def train(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="Games of self-play.", min=1)] = 20_000,
    out: Annotated[Path, typer.Option(help="The file for the network; the learning curve goes beside it.")] = Path(
        "network.npz"
    ),
    seats: Seats = None,
    seed: Seed = 0,
    worlds: Annotated[int, typer.Option(help="Sampled worlds a decision in self-play.", min=1)] = 4,
    breadth: Annotated[int, typer.Option(help="Ways to go on that are tried.", min=1, max=16)] = 1,
    generation: Annotated[int, typer.Option(help="Games between two rounds of learning.", min=1)] = 512,
    passes: Annotated[int, typer.Option(help="How often each lesson is gone through.", min=1)] = 2,
    rate: Annotated[float, typer.Option(help="Step size at the beginning; it falls to a tenth.", min=1e-6)] = 1e-3,
    trust: Annotated[
        float, typer.Option(help="How much first impressions count against searches, in chance to win.", min=1e-6)
    ] = 0.03,
    fade: Annotated[
        float, typer.Option(help="How much the result counts against later estimates (λ).", min=0.0, max=1.0)
    ] = 0.95,
    reference: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who the network is tried against; default: heuristic or random.")
    ] = None,
    reference_games: Annotated[int, typer.Option(help="Games of each trial; 0: none.", min=0)] = 100,
    every: Annotated[int, typer.Option(help="A trial after so many generations.", min=1)] = 4,
    jobs: Jobs = 1,
) -> None:
    """Train a network by self-play. Stopped or killed, the same command goes on from the last generation.

    Example: boardwright train race --games 20000 --seed 1 --out race.npz --jobs 2

    Then: boardwright match race netsearch:weights=race.npz heuristic --games 200
    """
    from boardwright.files import alone
    from boardwright.kernel.position import check_seed
    from boardwright.learn.training import Course

    if out.suffix != ".npz":
        raise BadSpec(f"--out {out}: a network's file ends in .npz")
    check_outputs(out)
    check_seed(seed)
    loaded = named_game(game)
    course = Course(
        game, loaded.check_seats(seats), games, seed, worlds, breadth, 16, generation, passes, rate, trust, fade
    )  # fmt: skip
    opponent = reference or ("heuristic" if "heuristic" in loaded.agents else "random")
    if reference_games:
        _check_reference(loaded, opponent, course.seats)
    with alone(out.with_suffix(".lock"), f"another process is training {out}; wait for it or choose another --out"):
        _train(course, loaded, opponent, out, reference_games, every, jobs_given(jobs))


def _train(course: Course, game: Game, opponent: str, out: Path, trial_games: int, every: int, jobs: int) -> None:
    """From the first generation, or the last that was kept, to the network in its file."""
    from boardwright.learn.curve import write_curve
    from boardwright.learn.training import Training

    console, checkpoint = terminal(), out.with_suffix(".checkpoint")
    if checkpoint.exists():
        training = Training.resume(checkpoint, course, game, opponent)
        console.print(f"going on after {training.games:,} games, from {checkpoint}")
    else:
        training = Training.begin(course, game, opponent)
    try:
        while not training.finished:
            training.advance(jobs)
            training.save(checkpoint)
            if trial_games and (training.finished or len(training.curve) % every == 0):
                training.note_score(_trial(training.network(), game, opponent, trial_games))
                training.save(checkpoint)
            _report(console, course, training, opponent)
    except KeyboardInterrupt:
        kept = f"kept in {checkpoint}; the same command goes on" if checkpoint.exists() else "not enough to keep"
        console.print(f"stopped; {training.games:,} games are learned, {kept}", soft_wrap=True)
        raise typer.Exit(130) from None
    training.network().save(out)
    write_curve(out.with_suffix(".png"), f"{game.title}, {course.seats} seats", opponent, training.curve)
    checkpoint.unlink(missing_ok=True)
    console.print(f"{out}: {course.games:,} games; {out.with_suffix('.png')}: the learning curve")


def _check_reference(game: Game, spec: str, seats: int) -> None:
    """It must be able to play at all, before hours of training."""
    from boardwright.registry import make_agent

    state = game.new(seed=0, seats=seats)
    make_agent(spec, game, state.player).decide(state.observation(state.player))


def _report(console: Console, course: Course, training: Training, opponent: str) -> None:
    entry = training.curve[-1]
    line = (
        f"{entry.games:>9,} of {course.games:,} games  loss: value {entry.value_loss:.4f}, choices"
        f" {entry.choice_loss:.4f}  {entry.games_per_second:.1f} games/s"
    )
    if entry.score is not None:
        line += f"  scores {entry.score:.1%} against {opponent}"
    console.print(line, highlight=False, soft_wrap=True)


def _trial(network: Network, game: Game, opponent: str, games: int) -> float:
    """What one seat with the network gets against others of the reference agent, on average: of payoffs from 0 to 1."""
    from boardwright.kernel import rng
    from boardwright.learn.agents import NetSearch
    from boardwright.registry import make_agent

    low, high = game.min_utility, game.max_utility
    total = 0.0
    for number in range(games):
        seat = number % network.seats
        state = game.new(seed=rng.derive(number, 0), seats=network.seats)
        mine = NetSearch(game, seat, seed=rng.derive(number, 1))
        mine.networks[network.seats] = network
        others = [
            make_agent(opponent, game, other, seed=rng.derive(number, 2, other)) for other in range(network.seats)
        ]
        while not state.is_terminal:
            agent = mine if state.player == seat else others[state.player]
            state.apply(agent.decide(state.observation(state.player)).action)
        total += (state.returns[seat] - low) / (high - low)
    return total / games


def ladder(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="SPEC...", help="The agents to rate.")],
    games: Annotated[int, typer.Option("--games", "-n", help="Games at each table.", min=1)] = 100,
    seats: Seats = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    out: Annotated[Path, typer.Option(help="The folder for the games; those already played there are kept.")] = Path(
        "ladders"
    ),
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Rate agents: everybody meets everybody in all seat orders; ratings on Elo's scale, with intervals.

    Example: boardwright ladder race random heuristic ismcts:iterations=100 netsearch --games 200 --plot ladder.png
    """
    from boardwright.arena import ladder as rating
    from boardwright.arena.record import first_games, read_records
    from boardwright.arena.runner import default_record_file
    from boardwright.reports.ladder import ladder_report

    check_plot(plot)
    check_outputs(json, plot)
    loaded, console = named_game(game), terminal()
    planned = rating.Ladder(loaded, tuple(agents), loaded.check_seats(seats), seed, game)
    planned.check()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot keep games in {out}: {error.strerror}; choose another folder with --out") from None
    results = rating.Results(planned.specs)
    tables = planned.tables()
    for number, table in enumerate(tables, 1):
        match = planned.match(table)
        file = out / default_record_file(match).name
        console.print(f"[dim]table {number} of {len(tables)}: {', '.join(match.entrants)}[/]", highlight=False)
        outcome = play_match(match, games, record=file, resume=True, jobs=jobs, console=console)
        if outcome.interrupted:
            console.print(f"stopped; the games are kept in {out}, the same command goes on")
            raise typer.Exit(130)
        results.add(table, first_games(read_records(file), games))
    publish(ladder_report(loaded, results, rating.ratings(results)), console, json, plot)


COMMANDS = (train, ladder)
