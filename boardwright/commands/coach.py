"""The coach: reviews of games, puzzles, and how strong a person is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands import options
from boardwright.commands.common import jobs_given, named_game, publish, records_in
from boardwright.errors import BadSpec
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.coach.review import Review
    from boardwright.reports import Report

MOST_DETERMINIZATIONS = 1_000_000
MOST_PUZZLES = 1000


class ReviewGame(
    options.RecordedGameOption, options.SeedOption, options.JudgeOption, options.ResultOptions, options.TrustOptions
):
    """Where was the game lost? Every decision is judged from what its seat knew then.

    Losses are in points of the chance to win, with standard errors; nothing is called a mistake whose interval contains
    zero. A review that was stopped goes on where it was.

    Example: boardwright review games/race.jsonl --game 3
    """

    file: Path = argument("A record file.", "RECORD")
    seat: int | None = option(None, "Review this seat alone, from 1. Default: the person's, or all seats.")
    agent: str | None = option(None, "Who judges; default: the strongest agent of the game.", metavar="SPEC")
    times: int = option(1, "Judge in so many times as many determinizations.", minimum=1, maximum=MOST_DETERMINIZATIONS)

    def run(self, console: Console) -> Review:
        from boardwright.coach.report import review_report
        from boardwright.coach.review import review, reviewed_seats, reviews_folder
        from boardwright.terminal.progress import review_progress
        from boardwright.terminal.replaying import record_number

        self.check_result_files()
        if self.file.name.endswith(".unfinished.json"):
            raise BadSpec(f"{self.file}: that game is not over; games are reviewed when they are finished")
        record = record_number(records_in(self.file, self.game_file, self.trust), self.game)
        with review_progress(console) as progress:
            reviewed = review(
                record,
                seats=reviewed_seats(record, None if self.seat is None else self.seat - 1),
                agent=self.agent,
                times=self.times,
                seed=self.seed,
                jobs=jobs_given(self.jobs),
                progress=progress,
                store=reviews_folder(),
            )
        publish(review_report(reviewed), console, self.json, self.plot)
        return reviewed


class SolvePuzzles(options.GameArgument):
    """Solve positions in which one option is clearly better than all others.

    Each comes again after some time: soon if it was not solved, later and later if it was. `?` asks for a hint.

    Example: boardwright puzzles race
    """

    count: int = option(10, "How many to solve now.", "-n", minimum=1, maximum=MOST_PUZZLES)
    mine: Path | None = option(None, "First look for puzzles in these games of your own.", metavar="RECORD")
    own: bool = option(False, "Only those from your own games.", "--own")
    forget: bool = option(False, "Delete your progress with all puzzles, and stop.", "--forget")

    def run(self, console: Console) -> int:
        """How many were solved."""
        from boardwright.coach.drill import drill
        from boardwright.coach.mining import mine_own, own_file
        from boardwright.coach.puzzles import read_puzzles, shipped
        from boardwright.coach.repetition import Repetition, exclusive

        game = named_game(self.game)
        with exclusive("puzzles are being solved in another terminal") as file:
            if self.forget:
                file.unlink(missing_ok=True)
                console.print("Your progress is deleted.")
                return 0
            if self.mine is not None:
                with console.status(f"looking for puzzles in {self.mine}"):
                    added = mine_own(game, records_in(self.mine))
                console.print(f"{added} new puzzles from {self.mine}", highlight=False, markup=False)
            yours = read_puzzles(own_file(game.name)) if own_file(game.name).exists() else []
            every = yours if self.own else [*yours, *shipped(game.name)]
            if not every:
                raise BadSpec(f"there are no puzzles of {game.name}; --mine RECORD looks for some in your games")
            return drill(every, Repetition.load(file), console, self.count)


class RatePerson(options.GameArgument, options.SeatsOption, options.JudgeOption, options.ResultOptions):
    """How strong are you? Your recorded games against agents whose ratings are known.

    Example: boardwright rating race
    """

    records: list[Path] | None = argument(
        "Records of your games; default: games/GAME.jsonl.", "[RECORD]...", default=None
    )
    reviewed: bool = option(False, "Review all of these games, and say which decisions cost most.", "--review")
    forget: bool = option(False, "Delete all that the coach has kept of you, and stop. Records stay.", "--forget")

    def run(self, console: Console) -> Report | None:
        """The rating and its curve; nothing, if all was to be deleted."""
        import shutil

        from boardwright.coach.person import person_report_of
        from boardwright.files import state_folder
        from boardwright.terminal.unfinished import finished_file

        self.check_result_files()
        if self.forget:
            shutil.rmtree(state_folder("coach"), ignore_errors=True)
            console.print(
                "Kept reviews, puzzles of your own and progress are deleted. Your records are where they were."
            )
            return None
        game = named_game(self.game)
        played = [record for file in self.records or [finished_file(self.game)] for record in records_in(file)]
        threads = jobs_given(self.jobs)
        report = person_report_of(game, played, game.check_seats(self.seats), threads if self.reviewed else 0)
        publish(report, console, self.json, self.plot)
        return report


COMMANDS = {"review": ReviewGame, "puzzles": SolvePuzzles, "rating": RatePerson}
