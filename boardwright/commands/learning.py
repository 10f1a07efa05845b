"""Training networks, and the ladder on which they and all others are rated."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands.common import check_games, check_outputs, named_game, training_executor
from boardwright.commands.options import GameArgument, SeatsOption, WorkerOptions
from boardwright.commands.played import RateAgents
from boardwright.errors import BadSpec
from boardwright.learn.config import RANDOM_OPENING, TrainingConfig, TrainingOptions
from boardwright.settings import option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.executors import Executor
    from boardwright.kernel import Game
    from boardwright.kernel.automatic_features import FeatureMap
    from boardwright.learn.config import Strength
    from boardwright.learn.imitation import Agreement, Examples
    from boardwright.learn.network import Network
    from boardwright.learn.training import Training


class Train(GameArgument, TrainingOptions, SeatsOption, WorkerOptions):
    """Train a network by self-play, or to play as in recorded games. Stopped or killed, the same command goes on.

    Example: boardwright train race --games 20000 --seed 1 --out race.npz --jobs 2

    Recorded games: boardwright train race --imitate games.jsonl --epochs 1 --out clone.npz

    How far it can be exploited: boardwright train race --exploit netsearch --begin-with default --out exploiter.npz

    Then: boardwright match race netsearch:weights=race.npz heuristic --games 200
    """

    games: int = option(20_000, "Games of self-play.", "-n")
    out: Path = option(Path("network.npz"), "The file for the network; the learning curve goes beside it.")
    search: str = option(
        "",
        "The search of self-play: turns, or a tree, which is the default where turns are single actions.",
        metavar="turns|tree",
    )
    opening: int | None = option(
        None,
        "With tree search: games begin with 0 to so many actions at random; default: 8 where nothing is left to chance,"
        " else 0.",
        minimum=0,
    )
    features: str = option(
        "", "Automatic features also for a game that declares its own; others have them anyway.", metavar="automatic"
    )
    exploit: str = option(
        "",
        "Learn to beat this agent, which sits in all other seats and does not change. It is the reference.",
        metavar="SPEC",
    )
    pool: list[str] | None = option(
        None,
        "Play a part of the games against this agent, which sits in all other seats: an earlier network, or another"
        " style. Repeat for more.",
        metavar="SPEC",
    )
    imitate: list[Path] | None = option(
        None,
        "Learn from these recorded games instead of self-play; repeat for more. The last tenth of each file is held"
        " out.",
        metavar="FILE",
    )
    imitate_agent: str = option("", "Imitate only the seats of this agent, as the records name it.", metavar="SPEC")
    reference: str | None = option(
        None, "Whom the network is measured against; default: heuristic or random.", metavar="SPEC"
    )
    reference_games: int = option(100, "Games of each measurement; 0: none.", minimum=0)
    reference_every: int = option(4, "Generations between two measurements.", minimum=1)

    def run(self, console: Console) -> Network:
        """The trained network, which is also in its file."""
        from boardwright.agents.levels import in_full
        from boardwright.files import alone
        from boardwright.kernel.ready import make_ready
        from boardwright.learn import imitation, self_play
        from boardwright.learn.network import feature_map
        from boardwright.learn.training import training_ranges

        loaded, out = self._checked(), self.out
        config, imitate = self.config(loaded), self.imitate or []
        make_ready([*loaded.entries.learning_code, imitation.code if imitate else self_play.code])
        examples = None
        if imitate:
            used = feature_map(loaded, config.seats, training_ranges(config, loaded))
            examples = _examples(imitate, self.imitate_agent, loaded, used, config.seats)
            config = replace(config, imitate=", ".join(filter(None, [*examples.files, self.imitate_agent])))
        usual = "heuristic" if "heuristic" in loaded.agents else "random"
        opponent = in_full(self.reference or self.exploit or usual, loaded, config.seats)
        if self.reference_games:
            _check_reference(loaded, opponent, config.seats)
        executor = training_executor(self.jobs, self.on)
        with alone(out.with_suffix(".lock"), f"another process is training {out}; wait for it or choose another --out"):
            return self._train(config, loaded, opponent, executor, examples, console)

    def _checked(self) -> Game:
        """The game, if the options make sense."""
        from boardwright.kernel.position import check_seed

        check_games(self.games)
        if self.out.suffix != ".npz":
            raise BadSpec(f"--out {self.out}: a network's file ends in .npz")
        check_outputs(self.out)
        check_seed(self.seed)
        if self.imitate_agent and not self.imitate:
            raise BadSpec("--imitate-agent says whom to imitate in the files of --imitate; give at least one")
        if sum(map(bool, (self.exploit, self.pool, self.imitate))) > 1:
            raise BadSpec(
                "--exploit plays games against an agent, --pool also against itself, --imitate learns from recorded"
                " ones; give one of them"
            )
        if self.search not in ("", "turns", "tree"):
            raise BadSpec(f"--search is turns or tree, not {self.search}")
        if self.features not in ("", "automatic"):
            raise BadSpec(f"--features can only be automatic, not {self.features}; a game's own are the default")
        return named_game(self.game)

    def config(self, game: Game) -> TrainingConfig:
        """All that the weights depend on, defaults of the game filled in."""
        from boardwright.agents.levels import in_full

        seats = game.check_seats(self.seats)
        usual = 0 if game.has_hidden_information else RANDOM_OPENING
        return TrainingConfig(
            game=self.game,
            seats=seats,
            games=self.games,
            search="tree" if self.search == "tree" or (not self.search and game.learning.turn is None) else "turns",
            opening=usual if self.opening is None else self.opening,
            features="automatic" if self.features else "",
            exploit=in_full(self.exploit, game, seats) if self.exploit else "",
            pool=tuple(in_full(spec, game, seats) for spec in self.pool or []),
            **{known.name: getattr(self, known.name) for known in fields(TrainingOptions)},
        )

    def _train(
        self,
        config: TrainingConfig,
        game: Game,
        opponent: str,
        executor: Executor,
        examples: Examples | None,
        console: Console,
    ) -> Network:
        """From the first generation, or the last checkpoint, to the network in its file."""
        from functools import partial

        from rich.markup import escape

        from boardwright.arena.exploiter import OpponentGame
        from boardwright.arena.strength import entrants, player_of, strength
        from boardwright.learn.training import Training
        from boardwright.reports.learning_curve import write_curve

        out, reference_games = self.out, self.reference_games
        checkpoint = out.with_suffix(".checkpoint")
        if checkpoint.exists():
            training = Training.resume(checkpoint, config, game, opponent, examples)
            console.print(f"going on after {training.games:,} games, from {checkpoint}")
        else:
            training = Training.begin(config, game, opponent, examples)
        if config.has_opponents:
            training.kind = OpponentGame
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
                if training.finished or len(training.curve) % self.reference_every == 0:
                    _measure(training, measure if reference_games else None)
                    training.save(checkpoint)
                _report(console, config, training, opponent, reference_games)
        except KeyboardInterrupt:
            kept = f"kept in {checkpoint}; the same command goes on" if checkpoint.exists() else "not enough to keep"
            console.print(f"stopped; {training.games:,} games were learned from, {kept}", soft_wrap=True)
            raise
        finally:
            training.stop()
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
        if config.exploit and training.strength is not None:
            gain = training.strength.score - 1 / config.seats
            console.print(f"{100 * gain:+.1f} points over an even match against {opponent}", highlight=False)
        if reference_games:
            again = " ".join(
                ["boardwright match", config.game, *entrants(str(out), opponent, config.seats, player_of(network))]
            )
            console.print(f"[dim]The last measurement: {escape(again)} --games {reference_games}[/]", soft_wrap=True)
        return network


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
    if config.asynchronous:
        line += f"  updates behind: {entry.staleness}, waited {entry.seconds_waited:.1f} s"
    if (strength := training.strength) is not None:
        line += f"  {_won(strength, games, opponent)}"
    if entry.agreement is not None:
        line += f"  names {entry.agreement:.1%} of the actions held out"
    console.print(line, highlight=False, soft_wrap=True)


COMMANDS = {"train": Train, "ladder": RateAgents}
