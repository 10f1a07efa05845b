"""The coach: reviews of games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from boardwright.commands.common import (
    GameFile,
    GameName,
    JsonFile,
    PlotFile,
    Seats,
    Seed,
    Trust,
    check_outputs,
    check_plot,
    jobs_given,
    named_game,
    publish,
    records_in,
    terminal,
)
from boardwright.errors import BadSpec

MOST_WORLDS = 1_000_000
MOST_PUZZLES = 1000


def review(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record file.")],
    game: Annotated[int, typer.Option("--game", "-g", help="Which game of the file, from 1.")] = 1,
    seat: Annotated[
        int | None, typer.Option(help="Review this seat alone, from 1. Default: the person's, or all seats.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who judges; default: the strongest agent of the game.")
    ] = None,
    times: Annotated[int, typer.Option(help="Judge in so many times as many determinizations.")] = 1,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Threads to judge with; 0: one for each core.")] = 0,
    json: JsonFile = None,
    plot: PlotFile = None,
    game_file: GameFile = None,
    trust: Trust = False,
) -> None:
    """Where was the game lost? Every decision is judged from what its seat knew then.

    Losses are in points of the chance to win, with standard errors; nothing is called a mistake whose interval contains
    zero. A review that was stopped goes on where it was.

    Example: boardwright review games/race.jsonl --game 3
    """
    from boardwright.coach.report import review_report
    from boardwright.coach.review import review as review_game
    from boardwright.coach.review import reviewed_seats, reviews_folder
    from boardwright.terminal.replaying import record_number
    from boardwright.terminal.reviewing import ReviewProgress

    check_plot(plot)
    check_outputs(json, plot)
    if not 1 <= times <= MOST_WORLDS:
        raise BadSpec(f"--times must be from 1 to {MOST_WORLDS:,}, not {times}")
    if file.name.endswith(".unfinished.json"):
        raise BadSpec(f"{file}: that game is not over; games are reviewed when they are finished")
    record = record_number(records_in(file, game_file, trust), game)
    console = terminal()
    with ReviewProgress(console) as progress:
        found = review_game(
            record,
            seats=reviewed_seats(record, None if seat is None else seat - 1),
            agent=agent,
            times=times,
            seed=seed,
            jobs=jobs_given(jobs) if jobs else os.cpu_count() or 1,
            progress=progress,
            store=reviews_folder(),
        )
    publish(review_report(found), console, json, plot)


def puzzles(
    game: GameName,
    count: Annotated[int, typer.Option("--count", "-n", help="How many to solve now.")] = 10,
    mine: Annotated[
        Path | None, typer.Option(metavar="RECORD", help="First look for puzzles in these games of your own.")
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="Only those from your own games.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete your progress with all puzzles, and stop.")] = False,
) -> None:
    """Solve positions in which one option is clearly better than all others.

    Each comes again after some time: soon if it was not solved, later and later if it was. `?` asks for a hint.

    Example: boardwright puzzles race
    """
    from boardwright.coach.drill import drill
    from boardwright.coach.mining import mine_own, own_file
    from boardwright.coach.puzzles import read_puzzles, shipped
    from boardwright.coach.repetition import Repetition, exclusive

    loaded, console = named_game(game), terminal()
    if not 1 <= count <= MOST_PUZZLES:
        raise BadSpec(f"--count must be from 1 to {MOST_PUZZLES}, not {count}")
    with exclusive("puzzles are being solved in another terminal") as file:
        if forget:
            file.unlink(missing_ok=True)
            console.print("Your progress is deleted.")
            return
        if mine is not None:
            with console.status(f"looking for puzzles in {mine}"):
                found = mine_own(loaded, records_in(mine))
            console.print(f"{found} new puzzles from {mine}", highlight=False, markup=False)
        yours = read_puzzles(own_file(loaded.name)) if own_file(loaded.name).exists() else []
        every = yours if own else [*yours, *shipped(loaded.name)]
        if not every:
            raise BadSpec(f"there are no puzzles of {loaded.name}; --mine RECORD looks for some in your games")
        drill(every, Repetition.load(file), console, count)


def rating(
    game: GameName,
    records: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RECORD]...", help="Records of your games; default: games/GAME.jsonl."),
    ] = None,
    seats: Seats = None,
    reviewed: Annotated[
        bool, typer.Option("--review", help="Review all of these games, and say which decisions cost most.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Threads to judge with; 0: one for each core.")] = 0,
    json: JsonFile = None,
    plot: PlotFile = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete all that the coach has kept of you, and stop. Records stay.")
    ] = False,
) -> None:
    """How strong are you? Your recorded games against agents whose ratings are known.

    Example: boardwright rating race
    """
    import shutil

    from boardwright.coach.person import person_report_of
    from boardwright.files import state_folder
    from boardwright.terminal.unfinished import finished_file

    check_plot(plot)
    check_outputs(json, plot)
    console = terminal()
    if forget:
        shutil.rmtree(state_folder("coach"), ignore_errors=True)
        console.print("Kept reviews, puzzles of your own and progress are deleted. Your records are where they were.")
        return
    loaded = named_game(game)
    files = records or [finished_file(game)]
    played = [record for file in files for record in records_in(file)]
    threads = jobs_given(jobs) if jobs else os.cpu_count() or 1
    report = person_report_of(loaded, played, loaded.check_seats(seats), threads if reviewed else 0)
    publish(report, console, json, plot)


COMMANDS = (review, puzzles, rating)
