"""Agents and people at the table: matches, single games, single positions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import (
    FromFile,
    GameClock,
    GameFile,
    GameName,
    OnFailure,
    Options,
    Sandbox,
    Seats,
    Seed,
    Trust,
    check_outputs,
    in_sandbox,
    named_game,
    options_given,
    position_given,
    records_in,
    seeds_given,
    terminal,
    timed,
)
from boardwright.commands.declared import command
from boardwright.commands.played import PlayMatch
from boardwright.errors import BadRecord, BadSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from boardwright.arena.loop import Listener
    from boardwright.arena.match import Match
    from boardwright.arena.record import GameRecord
    from boardwright.kernel import Game


match = command(PlayMatch, "match")


def replay(
    file: Annotated[Path, typer.Argument(help="A record file, or saved games of another program that a game knows.")],
    game: Annotated[int, typer.Option("--game", "-g", help="Which game of the match, from 1.")] = 1,
    step: Annotated[
        bool | None, typer.Option("--step/--all", help="Stop at each move; default: on a terminal.")
    ] = None,
    game_file: GameFile = None,
    trust: Trust = False,
) -> None:
    """Step through a recorded game in words.

    Example: boardwright replay matches/connect_four-uct-random-seed0.jsonl --game 3
    """
    from boardwright.registry import saved_games
    from boardwright.terminal.replaying import record_number, replay

    console = terminal()
    try:
        records = records_in(file, game_file, trust)
    except BadRecord:
        saves = saved_games(file)
        if saves is None:
            raise
        for line in saves.narrate(file, game):
            print(line)
        return
    chosen = record_number(records, game)
    replay(chosen, console, step=console.is_terminal and sys.stdin.isatty() if step is None else step)


def play(
    game: GameName,
    vs: Annotated[
        list[str] | None,
        typer.Option("--vs", metavar="SPEC", help="An opponent; repeat for more. Default: ismcts."),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat, from 1. Default: 1.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="The same seed deals the same game.")] = None,
    option: Options = None,
    from_: FromFile = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what the opponents think.")] = False,
    coach: Annotated[
        bool, typer.Option("--coach", help="After each of your decisions, say what it cost; w at a question says why.")
    ] = False,
    hints: Annotated[
        str, typer.Option(metavar="SPEC", help="Who gives you hints; default: the strongest agent of the game.")
    ] = "",
    record: Annotated[
        Path | None, typer.Option(help="Add the finished game to this record file; default: games/GAME.jsonl.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game you left last, or with the one of --seed.")
    ] = False,
    teach: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Put the winner's decisions into this case base: .cases for the agent `cases`, .db for SCOUT.",
        ),
    ] = None,
    teach_seat: Annotated[int | None, typer.Option(help="With --teach: this seat's, from 1, won or lost.")] = None,
    clock: GameClock = None,
    on_failure: OnFailure = None,
    sandbox: Sandbox = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="With --resume: run agents in Python files, and scripts, again.")
    ] = False,
) -> None:
    """Play against agents in the terminal. A game can be left with q and continued with --resume.

    With fewer opponents than the game has seats, the last one takes the remaining seats too.

    Example: boardwright play connect_four --vs uct:iterations=2000 --seat 2 --explain
    """
    import secrets
    from dataclasses import replace

    from boardwright.arena.match import Match
    from boardwright.positions import deal
    from boardwright.terminal.playing import match_of, play
    from boardwright.terminal.unfinished import find_unfinished, read_unfinished

    check_outputs(record)
    loaded = named_game(game)
    if resume:
        if vs or seat is not None or option or clock or from_:
            raise BadSpec("--resume goes on with the agents, seat and options of that game; leave out those given here")
        file = find_unfinished(game, seed)
        left = read_unfinished(file)
        again = replace(match_of(game, left, trust), on_failure=on_failure)
        teacher = _teacher(loaded, again, teach, teach_seat)
        finished = play(
            again, terminal(), explain=explain, record=record, resumed=left, file=file, coach=_coach(coach),
            teach=teacher,
        )  # fmt: skip
    else:
        position = position_given(from_, loaded)
        options = options_given(option)
        seated = _entrants(loaded, vs or ["ismcts"], seat, hints, deal(loaded, position).seats if position else 0)
        entrants = in_sandbox(timed(seated, clock, game, len(seated), options), sandbox)
        seeds = seeds_given(seed, entrants)
        if seed is None and not seeds["hidden_seed"]:
            seeds["seed"] = secrets.randbits(31)  # a short one is easier to type
        planned = Match(game, entrants, options=options, on_failure=on_failure, position=position, **seeds)
        teacher = _teacher(loaded, planned, teach, teach_seat)
        finished = play(planned, terminal(), explain=explain, record=record, coach=_coach(coach), teach=teacher)
    if not finished:
        raise typer.Exit(130)


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


def _coach(wanted: bool) -> Callable[[Callable[[], bool]], Listener] | None:
    """Who makes the coach at the table, if there is to be one."""
    if not wanted:
        return None
    from boardwright.coach.live import LiveCoach

    return lambda known: LiveCoach(terminal(), known)


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


def explain(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="SPEC", help="The agent to ask.")] = "the strongest",
    moves: Annotated[
        str, typer.Option(help="Moves to play first, as `play` numbers or names them: '4 4 3', 'column 4, column 4'.")
    ] = "",
    random_moves: Annotated[int, typer.Option("--random-moves", help="Random moves to play first.")] = 0,
    seats: Seats = None,
    seed: Seed = 0,
    option: Options = None,
    from_: FromFile = None,
) -> None:
    """Show a position and what an agent thinks of it.

    Example: boardwright explain connect_four uct:iterations=20000 --moves "4 4 3"
    """
    from boardwright.agents.levels import in_full
    from boardwright.terminal.answers import moves_in
    from boardwright.terminal.explain import explain_position, position_after

    loaded, options = named_game(game), options_given(option)
    position = position_given(from_, loaded)
    if position and (seats or options):
        raise BadSpec("--from: the position says how many seats there are, and with which options")
    state = position_after(loaded, seats, seed, options, moves_in(moves), random_moves, position)
    explain_position(state, in_full(agent, loaded, state.seats, options), seed, terminal())


def demo() -> None:
    """A live match, then one decision explained.

    Example: boardwright demo
    """
    from boardwright.demo import demo

    demo(terminal())


COMMANDS = (match, replay, play, explain, demo)
