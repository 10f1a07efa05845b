"""Agents and people at the table: matches, single games, single positions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardwright.commands.common import (
    GameClock,
    GameFile,
    GameName,
    Games,
    Jobs,
    JsonFile,
    MatchSeed,
    On,
    OnFailure,
    Options,
    PlotFile,
    RecordFile,
    Resume,
    Sandbox,
    Seats,
    Seed,
    Trust,
    check_games,
    check_outputs,
    check_plot,
    named_game,
    options_given,
    play_match,
    publish,
    records_in,
    seeds_given,
    terminal,
    timed,
    walled,
)
from boardwright.errors import BadRecord, BadSpec

if TYPE_CHECKING:
    from boardwright.kernel import Game


def match(
    game: GameName,
    specs: Annotated[list[str], typer.Argument(metavar="SPEC SPEC ...", help="The agents, one per seat.")],
    games: Games = 100,
    seed: MatchSeed = None,
    salt: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="With --seed: play a match again, with the salt that it told when it was over.",
        ),
    ] = None,
    jobs: Jobs = 1,
    on: On = None,
    option: Options = None,
    clock: GameClock = None,
    on_failure: OnFailure = None,
    sandbox: Sandbox = False,
    record: RecordFile = None,
    resume: Resume = False,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Play agents against each other, seats permuted fairly, and judge the result.

    Examples:

      boardwright match connect_four uct:iterations=500 flat:iterations=500 --games 200 --jobs 2

      boardwright match kuhn_poker ismcts optimal --games 1000 --json result.json --plot result.png
    """
    from boardwright.arena.match import Match
    from boardwright.reports.standings import match_report

    check_games(games)
    check_plot(plot)
    check_outputs(json, plot, record)
    console = terminal()
    options, seeds = options_given(option), seeds_given(seed, specs, salt)
    entrants = walled(timed(specs, clock, game, len(specs), options), sandbox)
    planned = Match(game, entrants, options=options, on_failure=on_failure, **seeds)
    outcome = play_match(planned, games, record=record, resume=resume, jobs=jobs, on=on, console=console)
    publish(match_report(planned, outcome), console, json, plot)
    console.print(f"[dim]Games recorded in {outcome.file}[/]", highlight=False, soft_wrap=True)
    if outcome.interrupted:
        left = games - outcome.standings.games
        console.print(f"Stopped with {left:,} games to play; the same command with --resume goes on.")
        raise typer.Exit(130)


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
        for line in saves.tell(file, game):
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
    explain: Annotated[bool, typer.Option("--explain", help="Show what the opponents think.")] = False,
    hints: Annotated[
        str, typer.Option(metavar="SPEC", help="Who gives you hints; default: the strongest agent of the game.")
    ] = "",
    record: Annotated[
        Path | None, typer.Option(help="Add the finished game to this record file; default: games/GAME.jsonl.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game you left last, or with the one of --seed.")
    ] = False,
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
    from boardwright.terminal.playing import match_of, play
    from boardwright.terminal.unfinished import find_unfinished, read_unfinished

    check_outputs(record)
    loaded = named_game(game)
    if resume:
        if vs or seat is not None or option or clock:
            raise BadSpec("--resume goes on with the agents, seat and options of that game; leave out those given here")
        file = find_unfinished(game, seed)
        left = read_unfinished(file)
        again = replace(match_of(game, left, trust), on_failure=on_failure)
        finished = play(again, terminal(), explain=explain, record=record, resumed=left, file=file)
    else:
        options, seated = options_given(option), _entrants(loaded, vs or ["ismcts"], seat, hints)
        entrants = walled(timed(seated, clock, game, len(seated), options), sandbox)
        seeds = seeds_given(seed, entrants)
        if seed is None and not seeds["hidden_seed"]:
            seeds["seed"] = secrets.randbits(31)  # a short one is easier to type
        planned = Match(game, entrants, options=options, on_failure=on_failure, **seeds)
        finished = play(planned, terminal(), explain=explain, record=record)
    if not finished:
        raise typer.Exit(130)


def _entrants(game: Game, opponents: list[str], seat: int | None, hints: str) -> tuple[str, ...]:
    """Who sits where: a person in one seat, the opponents in the others."""
    from boardwright.agents import Spec

    seats = next((n for n in game.seats if n >= len(opponents) + 1), None)
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
) -> None:
    """Show a position and what an agent thinks of it.

    Example: boardwright explain connect_four uct:iterations=20000 --moves "4 4 3"
    """
    from boardwright.agents.levels import in_full
    from boardwright.terminal.answers import moves_in
    from boardwright.terminal.explain import explain_position, position_after

    loaded, options = named_game(game), options_given(option)
    state = position_after(loaded, seats, seed, options, moves_in(moves), random_moves)
    explain_position(state, in_full(agent, loaded, state.seats, options), seed, terminal())


def demo() -> None:
    """A live match, then one decision explained.

    Example: boardwright demo
    """
    from boardwright.demo import demo

    demo(terminal())


COMMANDS = (match, replay, play, explain, demo)
