"""Training networks, and the ladder on which they and all others are rated."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import (
    GameClock,
    GameName,
    Jobs,
    JsonFile,
    MatchSeed,
    On,
    OnFailure,
    PlotFile,
    Sandbox,
    Seats,
    Seed,
    check_games,
    check_outputs,
    check_plot,
    executor_given,
    named_game,
    play_match,
    publish,
    seeds_given,
    terminal,
    timed,
    training_executor,
    walled,
)
from boardwright.errors import BadSpec, CannotWrite

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.ladder import Ladder, Results
    from boardwright.arena.reference_ladders import StrengthLadder
    from boardwright.arena.runner import Outcome
    from boardwright.executors import Executor
    from boardwright.kernel import Game
    from boardwright.kernel.automatic_features import FeatureMap
    from boardwright.learn.config import Strength, TrainingConfig
    from boardwright.learn.imitation import Agreement, Examples
    from boardwright.learn.network import Network
    from boardwright.learn.training import Training


def train(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="Games of self-play.")] = 20_000,
    out: Annotated[Path, typer.Option(help="The file for the network; the learning curve goes beside it.")] = Path(
        "network.npz"
    ),
    seats: Seats = None,
    seed: Seed = 0,
    determinizations: Annotated[int, typer.Option(help="Determinizations per decision of self-play.", min=1)] = 4,
    breadth: Annotated[
        int, typer.Option(help="Actions tried at a seat's first decision after a candidate.", min=1, max=16)
    ] = 1,
    generation_size: Annotated[int, typer.Option(help="Games between two updates of the weights.", min=1)] = 512,
    epochs: Annotated[int, typer.Option(help="How often each row of the training set is used.", min=1)] = 2,
    learning_rate: Annotated[float, typer.Option(help="At the beginning; it falls to a tenth.", min=1e-6)] = 1e-3,
    prior_weight: Annotated[
        float, typer.Option(help="Weight of the policy prior in searches and policy targets.", min=1e-6)
    ] = 0.03,
    td_lambda: Annotated[
        float, typer.Option(help="λ of TD(λ): how much results count against later searches.", min=0.0, max=1.0)
    ] = 0.95,
    turns: Annotated[int, typer.Option(help="Turns that searches of self-play look ahead.", min=1)] = 1,
    search: Annotated[
        str,
        typer.Option(
            metavar="turns|tree",
            help="The search of self-play: turns, or a tree, which is the default where turns are single actions.",
        ),
    ] = "",
    simulations: Annotated[int, typer.Option(help="Simulations of tree search per decision of self-play.", min=1)] = 32,
    opening: Annotated[
        int | None,
        typer.Option(
            help="With tree search: games begin with 0 to so many actions at random; default: 8 where nothing is left"
            " to chance, else 0.",
            min=0,
        ),
    ] = None,
    features: Annotated[
        str,
        typer.Option(
            metavar="automatic",
            help="Automatic features also for a game that declares its own; others have them anyway.",
        ),
    ] = "",
    begin_with: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Train this network further: a file, or one of the game's by name, as `default`."
        ),
    ] = "",
    hidden_units: Annotated[
        int,
        typer.Option(help="Units of the hidden layer; 0: 128, or those of the network to begin with.", min=0),
    ] = 0,
    averaging: Annotated[
        float,
        typer.Option(
            help="Keep a moving average of the weights, in which each generation counts so much; 0: none.",
            min=0.0,
            max=1.0,
        ),
    ] = 0.0,
    imitate: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Learn from these recorded games instead of self-play; repeat for more. The last tenth of each file is"
            " held out.",
        ),
    ] = None,
    imitate_agent: Annotated[
        str, typer.Option(metavar="SPEC", help="Imitate only the seats of this agent, as the records name it.")
    ] = "",
    reference: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Whom the network is measured against; default: heuristic or random."),
    ] = None,
    reference_games: Annotated[int, typer.Option(help="Games of each measurement; 0: none.", min=0)] = 100,
    reference_every: Annotated[int, typer.Option(help="Generations between two measurements.", min=1)] = 4,
    jobs: Jobs = 1,
    on: On = None,
) -> None:
    """Train a network by self-play, or to play as in recorded games. Stopped or killed, the same command goes on.

    Example: boardwright train race --games 20000 --seed 1 --out race.npz --jobs 2

    Recorded games: boardwright train race --imitate games.jsonl --epochs 1 --out clone.npz

    Then: boardwright match race netsearch:weights=race.npz heuristic --games 200
    """
    from boardwright.agents.levels import in_full
    from boardwright.files import alone
    from boardwright.kernel.position import check_seed
    from boardwright.kernel.ready import make_ready
    from boardwright.learn import imitation, self_play
    from boardwright.learn.config import RANDOM_OPENING, TrainingConfig
    from boardwright.learn.network import feature_map
    from boardwright.learn.training import training_ranges

    check_games(games)
    if out.suffix != ".npz":
        raise BadSpec(f"--out {out}: a network's file ends in .npz")
    check_outputs(out)
    check_seed(seed)
    loaded = named_game(game)
    count = loaded.check_seats(seats)
    if imitate_agent and not imitate:
        raise BadSpec("--imitate-agent says whom to imitate in the files of --imitate; give at least one")
    if search not in ("", "turns", "tree"):
        raise BadSpec(f"--search is turns or tree, not {search}")
    if features not in ("", "automatic"):
        raise BadSpec(f"--features can only be automatic, not {features}; a game's own are the default")
    config = TrainingConfig(
        game=game,
        seats=count,
        games=games,
        seed=seed,
        determinizations=determinizations,
        breadth=breadth,
        generation_size=generation_size,
        epochs=epochs,
        learning_rate=learning_rate,
        prior_weight=prior_weight,
        td_lambda=td_lambda,
        turns=turns,
        search="tree" if search == "tree" or (not search and loaded.learning.turn is None) else "turns",
        simulations=simulations,
        opening=opening if opening is not None else 0 if loaded.has_hidden_information else RANDOM_OPENING,
        features="automatic" if features else "",
        begin_with=begin_with,
        hidden_units=hidden_units,
        averaging=averaging,
    )
    terminal()  # which shows what is compiled
    make_ready([*loaded.entries.learning_code, imitation.code if imitate else self_play.code])
    examples = None
    if imitate:
        used = feature_map(loaded, count, training_ranges(config, loaded))
        examples = _examples(imitate, imitate_agent, loaded, used, count)
        config = replace(config, imitate=", ".join([*examples.files, *([imitate_agent] if imitate_agent else [])]))
    opponent = in_full(reference or ("heuristic" if "heuristic" in loaded.agents else "random"), loaded, config.seats)
    if reference_games:
        _check_reference(loaded, opponent, config.seats)
    with alone(out.with_suffix(".lock"), f"another process is training {out}; wait for it or choose another --out"):
        _train(config, loaded, opponent, out, reference_games, reference_every, training_executor(jobs, on), examples)


def _examples(files: list[Path], agent: str, game: Game, features: FeatureMap, seats: int) -> Examples:
    """Recorded games, our own or those that another program has saved."""
    from boardwright.arena.record import read_records
    from boardwright.kernel.contract import SavedGame
    from boardwright.learn.imitation import Examples, RecordedGame
    from boardwright.registry import saved_games

    examples = Examples(game, features)
    for file in files:
        games: list[RecordedGame] = []
        saves = saved_games(file)
        if saves is not None and agent:
            raise BadSpec(f"{file}: games of another program name no agents, so --imitate-agent {agent} finds none")
        if saves is not None:
            games += [RecordedGame(one, (True,) * one.seats) for one in saves.games(file)]
        else:
            for record in read_records(file):
                if record.load_game() is not game:
                    raise BadSpec(f"{file}: its games are of {record.game}, not of {game.name}")
                if record.forfeit is None:
                    one = SavedGame(record.seed, record.seats, record.options, record.actions)
                    games.append(RecordedGame(one, tuple(not agent or spec == agent for spec in record.agents)))
        examples.add_file(file, games, seats)
    if not any(any(one.imitated) for one in examples.learned):
        whose = f" in which {agent} plays" if agent else ""
        raise BadSpec(f"there are no games of {game.name} with {seats} seats{whose} in {', '.join(map(str, files))}")
    return examples


def _train(
    config: TrainingConfig,
    game: Game,
    opponent: str,
    out: Path,
    reference_games: int,
    every: int,
    executor: Executor,
    examples: Examples | None,
) -> None:
    """From the first generation, or the last checkpoint, to the network in its file."""
    from functools import partial

    from rich.markup import escape

    from boardwright.arena.strength import entrants, player_of, strength
    from boardwright.learn.training import Training
    from boardwright.reports.learning_curve import write_curve

    console, checkpoint = terminal(), out.with_suffix(".checkpoint")
    if checkpoint.exists():
        training = Training.resume(checkpoint, config, game, opponent, examples)
        console.print(f"going on after {training.games:,} games, from {checkpoint}")
    else:
        training = Training.begin(config, game, opponent, examples)
    measure = partial(strength, game=config.game, opponent=opponent, games=reference_games)
    try:
        if not training.games and reference_games:
            training.start = measure(training.network())
            console.print(
                f"{'before training':>25}  {_won(training.start, reference_games, opponent)}", highlight=False
            )
        while not training.finished:
            training.advance(executor)
            training.save(checkpoint)
            if training.finished or len(training.curve) % every == 0:
                _measure(training, measure if reference_games else None)
                training.save(checkpoint)
            _report(console, config, training, opponent, reference_games)
    except KeyboardInterrupt:
        kept = f"kept in {checkpoint}; the same command goes on" if checkpoint.exists() else "not enough to keep"
        console.print(f"stopped; {training.games:,} games were learned from, {kept}", soft_wrap=True)
        raise typer.Exit(130) from None
    network = training.network()
    if examples is not None:
        agreement = examples.agreement(network.weights)
        network.history["held_out"] = agreement._asdict() | {"games": len(examples.held_out)}
        _report_agreement(console, agreement, len(examples.held_out))
    network.save(out)
    title = f"{game.title}, {config.seats} seats"
    write_curve(out.with_suffix(".png"), title, opponent, training.curve, training.start, config.seats)
    checkpoint.unlink(missing_ok=True)
    console.print(f"{out}: {config.games:,} games; {out.with_suffix('.png')}: the learning curve")
    if reference_games:
        again = " ".join(
            ["boardwright match", config.game, *entrants(str(out), opponent, config.seats, player_of(network))]
        )
        console.print(f"[dim]The last measurement: {escape(again)} --games {reference_games}[/]", soft_wrap=True)


def _measure(training: Training, measure: Callable[[Network], Strength] | None) -> None:
    """The network of the last generation: against the reference, and in the games held out."""
    network, examples = training.network(), training.examples
    training.measured(
        measure(network) if measure is not None else None,
        examples.agreement(network.weights).share if examples is not None and examples.held_out else None,
    )


def _report_agreement(console: Console, agreement: Agreement, games: int) -> None:
    """How often the network names the action chosen, by what was asked."""
    from rich.table import Table

    table = Table("question", "decisions", "named", title=f"{games:,} games held out", title_justify="left")
    for question, asked in sorted(agreement.asked.items(), key=lambda entry: -entry[1]):
        table.add_row(question, f"{asked:,}", f"{agreement.named[question] / asked:.1%}")
    table.add_row("all", f"{sum(agreement.asked.values()):,}", f"{agreement.share:.1%}")
    console.print(table)


def _check_reference(game: Game, spec: str, seats: int) -> None:
    """It must be able to play at all, before hours of training."""
    from boardwright.kernel.ready import make_ready
    from boardwright.learn import tree_search, turn_search
    from boardwright.registry import make_agent

    state = game.new(seed=0, seats=seats)
    with closing(make_agent(spec, game, state.player)) as agent:
        make_ready([*agent.needs(), turn_search.code, tree_search.code])
        agent.decide(state.observation(state.player))


def _won(strength: Strength, games: int, opponent: str) -> str:
    from boardwright.reports.report import percent_with_interval

    return f"won {percent_with_interval(strength.score, strength.interval)} of {games} against {opponent}"


def _report(console: Console, config: TrainingConfig, training: Training, opponent: str, games: int) -> None:
    entry = training.curve[-1]
    line = (
        f"{entry.games:>9,} of {config.games:,} games  loss: value {entry.value_loss:.4f}, policy"
        f" {entry.policy_loss:.4f}  {entry.games_per_second:.1f} games/s"
    )
    if (strength := training.strength) is not None:
        line += f"  {_won(strength, games, opponent)}"
    if entry.agreement is not None:
        line += f"  names {entry.agreement:.1%} of the actions held out"
    console.print(line, highlight=False, soft_wrap=True)


def ladder(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="SPEC...", help="The agents to rate.")],
    games: Annotated[int, typer.Option("--games", "-n", help="Games at each table.")] = 100,
    seats: Seats = None,
    seed: MatchSeed = None,
    jobs: Jobs = 1,
    on: On = None,
    clock: GameClock = None,
    on_failure: OnFailure = None,
    sandbox: Sandbox = False,
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
    from boardwright.reports.ladder import ladder_report

    check_games(games)
    check_plot(plot)
    check_outputs(json, plot)
    loaded, console = named_game(game), terminal()
    count, seeds = loaded.check_seats(seats), seeds_given(seed, agents)
    entrants = walled(timed(agents, clock, game, count), sandbox)
    planned = rating.Ladder(loaded, entrants, count, game_name=game, on_failure=on_failure, **seeds)
    planned.check()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot keep games in {out}: {error.strerror}; choose another folder with --out") from None
    results = _play_ladder(planned, games, out, jobs, on, console)
    publish(ladder_report(loaded, results, rating.ratings(results)), console, json, plot)


def _play_ladder(planned: Ladder, games: int, out: Path, jobs: int, on: str | None, console: Console) -> Results:
    """All tables of a ladder, whose games are kept in a folder."""
    from boardwright.arena.ladder import Results
    from boardwright.arena.record import first_games, read_records
    from boardwright.arena.runner import default_record_file, run_match
    from boardwright.executors import InProcess, together

    results = Results(planned.specs)
    tables = planned.tables()
    files = {table: out / default_record_file(planned.match(table)).name for table in tables}
    executor = None if on is None else executor_given(jobs, on)

    def play(table: tuple[int, ...]) -> Outcome:
        """With a progress bar; on a cluster all tables are played at once, and without."""
        match, file = planned.match(table), files[table]
        begun = file.exists() and file.stat().st_size > 0
        if executor is not None:
            return run_match(match, games, file=file, resume=begun, executor=executor)
        number = tables.index(table) + 1
        console.print(f"[dim]table {number} of {len(tables)}: {', '.join(match.entrants)}[/]", highlight=False)
        return play_match(match, games, record=file, resume=begun, jobs=jobs, console=console)

    try:
        for number, (table, outcome) in enumerate(together(play, tables, executor or InProcess()), 1):
            if outcome.interrupted:
                raise KeyboardInterrupt
            if executor is not None:
                names = ", ".join(planned.match(table).entrants)
                console.print(f"[dim]{number} of {len(tables)} tables are over: {names}[/]", highlight=False)
    except KeyboardInterrupt:
        console.print(f"stopped; the games are kept in {out}, the same command goes on")
        raise typer.Exit(130) from None
    for table in tables:
        results.add(table, first_games(read_records(files[table]), games))
    return results


def strength(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="The games; default: all that have a ladder.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Games at each table.")] = 40,
    seconds: Annotated[
        float, typer.Option(help="Processor time per decision for agents that take a time.", min=0.001)
    ] = 0.01,
    seed: Seed = 1,
    jobs: Jobs = 1,
    on: On = None,
    out: Annotated[Path, typer.Option(help="The folder for the games; those already played there are kept.")] = Path(
        "ladders"
    ),
    results: Annotated[Path, typer.Option(help="The folder for the ratings, one file per ladder.")] = Path(
        "docs/matches"
    ),
) -> None:
    """Rate all families of agents, one ladder per game and seat count. Stopped, the same command goes on.

    Example: boardwright strength connect_four --games 40 --jobs 2
    """
    from boardwright.arena.reference_ladders import LADDERS

    check_games(games)
    known = sorted({ladder.game for ladder in LADDERS})
    for name in names or []:
        if name not in known:
            raise BadSpec(f"there is no ladder for {name}; there are ladders for {', '.join(known)}")
    chosen = [ladder for ladder in LADDERS if not names or ladder.game in names]
    for folder in (out, results):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"cannot write to {folder}: {error.strerror}") from None
    for ladder in chosen:
        _rate(ladder, games, seconds, seed, jobs, on, out, results)


def _rate(
    ladder: StrengthLadder, games: int, seconds: float, seed: int, jobs: int, on: str | None, out: Path, results: Path
) -> None:
    """Play a ladder, and write its ratings with the time that decisions take."""
    from boardwright.arena import ladder as rating
    from boardwright.arena.reference_ladders import milliseconds_per_decision
    from boardwright.reports.console import save, show
    from boardwright.reports.ladder import ladder_report

    console, game = terminal(), named_game(ladder.game)
    planned = rating.Ladder(game, ladder.with_time(seconds), ladder.seats, seed, ladder.game)
    planned.check()
    found = _play_ladder(planned, games, out, jobs, on, console)
    report = ladder_report(game, found, rating.ratings(found))
    for rated in report.data["ratings"]:
        rated["milliseconds"] = milliseconds_per_decision(ladder.game, ladder.seats, rated["spec"])
    milliseconds = round(1000 * seconds)
    command = f"boardwright strength {ladder.game} --games {games} --seconds {seconds:g} --seed {seed}"
    report.data.update({"seats": ladder.seats, "games_per_table": games, "seed": seed, "command": command})
    show(report, console)
    save(report, json=results / f"{ladder.name}-{milliseconds}ms.json", plot=None)


COMMANDS = (train, ladder, strength)
