"""Agents and people at the table: matches, single games, single positions."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands import common
from boardwright.commands import options as shared
from boardwright.commands.played import PlayMatch
from boardwright.errors import BadRecord, BadSpec
from boardwright.settings import Checked, argument, option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from boardwright.agents import Decision
    from boardwright.arena.loop import Listener
    from boardwright.arena.match import Match
    from boardwright.arena.record import GameRecord
    from boardwright.kernel import Game


class ReplayGame(shared.RecordedGameOption, shared.TrustOptions):
    """Step through a recorded game in words.

    Example: boardwright replay matches/connect_four-uct-random-seed0.jsonl --game 3
    """

    file: Path = argument("A record file, or saved games of another program that a game knows.")
    step: bool | None = option(None, "Stop at each move; default: on a terminal.", "--step/--all")

    def run(self, console: Console) -> None:
        from boardwright.registry import saved_games
        from boardwright.terminal.replaying import record_number, replay

        try:
            records = common.records_in(self.file, self.game_file, self.trust)
        except BadRecord:
            saves = saved_games(self.file)
            if saves is None:
                raise
            for line in saves.narrate(self.file, self.game):
                console.out(line, highlight=False)
            return
        step = console.is_terminal and sys.stdin.isatty() if self.step is None else self.step
        replay(record_number(records, self.game), console, step=step)


class PlayGame(
    shared.GameArgument, shared.VariantOption, shared.PositionOption, shared.ClockOption, shared.FailureOptions
):
    """Play against agents in the terminal. A game can be left with q and continued with --resume.

    With fewer opponents than the game has seats, the last one takes the remaining seats too.

    Example: boardwright play connect_four --vs uct:iterations=2000 --seat 2 --explain
    """

    vs: list[str] | None = option(None, "An opponent; repeat for more. Default: ismcts.", metavar="SPEC")
    seat: int | None = option(None, "Your seat, from 1. Default: 1.")
    seed: int | None = option(None, "The same seed deals the same game.", "-s")
    explain: bool = option(False, "Show what the opponents think.", "--explain")
    coach: bool = option(False, "After each of your decisions, say what it cost; w at a question says why.", "--coach")
    hints: str = option("", "Who gives you hints; default: the strongest agent of the game.", metavar="SPEC")
    record: Path | None = option(None, "Add the finished game to this record file; default: games/GAME.jsonl.")
    resume: bool = option(False, "Go on with the game you left last, or with the one of --seed.", "--resume")
    teach: Path | None = option(
        None,
        "Put the winner's decisions into this case base: .cases for the agent `cases`, .db for SCOUT.",
        metavar="FILE",
    )
    teach_seat: int | None = option(None, "With --teach: this seat's, from 1, won or lost.")
    trust: bool = option(False, "With --resume: run agents in Python files, and scripts, again.", "--trust")

    def run(self, console: Console) -> GameRecord | None:
        """The finished game; None if it was left, and KeyboardInterrupt if it was stopped by Ctrl-C."""
        from boardwright.terminal.playing import match_of, play
        from boardwright.terminal.unfinished import find_unfinished, read_unfinished

        common.check_outputs(self.record)
        left = file = None
        if self.resume:
            if self.vs or self.seat is not None or self.options or self.clock or self.from_:
                raise BadSpec(
                    "--resume goes on with the agents, seat and options of that game; leave out those given here"
                )
            file = find_unfinished(self.game, self.seed)
            left = read_unfinished(file)
            planned = replace(match_of(self.game, left, self.trust), on_failure=self.on_failure)
        else:
            planned = self.planned()
        finished = play(
            planned,
            console,
            explain=self.explain,
            record=self.record,
            resumed=left,
            file=file,
            coach=_coach(console) if self.coach else None,
            teach=_teacher(common.named_game(self.game), planned, self.teach, self.teach_seat),
        )
        if finished is None:
            return None
        for line in _next_of_series(common.named_game(self.game), finished):
            console.print(line, highlight=False, soft_wrap=True, markup=False)
        return finished

    def planned(self) -> Match:
        """A new game."""
        import secrets

        from boardwright.arena.match import Match
        from boardwright.positions import deal

        loaded = common.named_game(self.game)
        position, options = common.position_given(self.from_, loaded), common.options_given(self.options)
        table = deal(loaded, position).seats if position else 0
        seated = _entrants(loaded, self.vs or ["ismcts"], self.seat, self.hints, table)
        entrants = common.in_sandbox(common.timed(seated, self.clock, self.game, len(seated), options), self.sandbox)
        seeds = common.seeds_given(self.seed, entrants)
        if self.seed is None and not seeds["hidden_seed"]:
            seeds["seed"] = secrets.randbits(31)  # a short one is easier to type
        return Match(self.game, entrants, options=options, on_failure=self.on_failure, position=position, **seeds)


def _next_of_series(game: Game, record: GameRecord) -> Iterator[str]:
    """How to go on with agents that play a series differently from a single game, as a companion does."""
    from boardwright.registry import spec_after

    for seat, spec in enumerate(record.agents):
        following = spec_after(spec, game, seat, record.returns)
        if following != spec:
            yield f'The next game of this series: --vs "{following}"'


def _teacher(game: Game, match: Match, file: Path | None, seat: int | None) -> Callable[[GameRecord], str] | None:
    """Who learns from the finished game, if anybody does."""
    if file is None:
        if seat is not None:
            raise BadSpec("--teach-seat says whose decisions go into the file of --teach; give both")
        return None
    from boardwright.scout.teaching import check_teachable, teach

    place = None if seat is None else seat - 1
    check_teachable(file, game, len(match.entrants), place, options=match.options, dealt=bool(match.position))
    return lambda record: teach(file, game, record, place)


def _coach(console: Console) -> Callable[[Callable[[], bool]], Listener]:
    """Who makes the coach at the table."""
    from boardwright.coach.live import LiveCoach

    return lambda known: LiveCoach(console, known)


def _entrants(game: Game, opponents: list[str], seat: int | None, hints: str, table: int = 0) -> tuple[str, ...]:
    """Who sits where: a person in one seat, the opponents in the others; `table`: at a table of so many."""
    from boardwright.agents import Spec

    seats = next((n for n in ([table] if table else game.seats) if n >= len(opponents) + 1), None)
    if seats is None:
        raise BadSpec(f"{game.name} has at most {max(game.seats)} seats; {len(opponents)} opponents are too many")
    seat = 1 if seat is None else seat
    if not 1 <= seat <= seats:
        raise BadSpec(f"--seat must be from 1 to {seats}, not {seat}")
    others = opponents + [opponents[-1]] * (seats - 1 - len(opponents))
    person = str(Spec("human", {"hints": hints} if hints else {}))
    return (*others[: seat - 1], person, *others[seat - 1 :])


class ExplainPosition(
    shared.GameArgument, shared.SeatsOption, shared.SeedOption, shared.VariantOption, shared.PositionOption
):
    """Show a position and what an agent thinks of it.

    Example: boardwright explain connect_four uct:iterations=20000 --moves "4 4 3"
    """

    agent: str = argument("The agent to ask.", "SPEC", default="the strongest")
    moves: str = option("", "Moves to play first, as `play` numbers or names them: '4 4 3', 'column 4, column 4'.")
    random_moves: int = option(0, "Random moves to play first.")

    def run(self, console: Console) -> Decision:
        """What the agent chooses, with its reasons."""
        from boardwright.agents.levels import in_full
        from boardwright.terminal.answers import moves_in
        from boardwright.terminal.explain import explain_position, position_after

        game, variant = common.named_game(self.game), common.options_given(self.options)
        position = common.position_given(self.from_, game)
        if position and (self.seats or variant):
            raise BadSpec("--from: the position says how many seats there are, and with which options")
        state = position_after(game, self.seats, self.seed, variant, moves_in(self.moves), self.random_moves, position)
        return explain_position(state, in_full(self.agent, game, state.seats, variant), self.seed, console)


class ShowDemo(Checked):
    """A live match, then one decision explained.

    Example: boardwright demo
    """

    def run(self, console: Console) -> None:
        from boardwright.demo import demo

        demo(console)


COMMANDS = {
    "match": PlayMatch,
    "replay": ReplayGame,
    "play": PlayGame,
    "explain": ExplainPosition,
    "demo": ShowDemo,
}
