"""What many games say: about a game's balance, its boards and cards, and about a companion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.commands import common
from boardwright.commands.options import StudyOptions, TrustOptions
from boardwright.commands.played import RecordOptions, StudyBalance
from boardwright.errors import BadSpec
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.arena.match import Match
    from boardwright.reports import Report


_REPORT_SEATS = 5
"""The seats of a report whose agents are not given, where the game allows it."""


class StudyCompanion(StudyOptions):
    """How well does `companion` hold the win chance that it aims at? It plays opponents of fixed strength.

    Example: boardwright companion connect_four -a random -a uct:iterations=50 -c 0.3 -c 0.5 --games 100
    """

    against: list[str] | None = option(None, "An opponent of fixed strength; repeatable.", "-a", metavar="SPEC")
    chance: list[float] | None = option(None, "The win chance that each opponent is to have; repeatable.", "-c")
    companion: str = option("", "Further parameters of the companion.", metavar="PARAM=VALUE,…")
    games: int = option(100, "How many games.", "-n")

    def run(self, console: Console) -> Report:
        """The chances aimed at, and what the opponents won."""
        from boardwright.arena.holding import HoldingStudy
        from boardwright.reports.holding import holding_report

        common.check_games(self.games)
        self.check_result_files()
        loaded = common.named_game(self.game)
        filled = loaded.check_seats(self.seats)
        if filled < 2:
            raise BadSpec(f"{loaded.name} is played alone; a companion needs somebody to play with")
        opponents = self.against or ["random", *(f"ismcts:iterations={n}" for n in (30, 300))]
        aims, options = self.chance or [1 / filled], common.options_given(self.options)
        study = HoldingStudy(self.game, aims, opponents, self.companion, filled, self.seed, options)
        study.check()
        with console.status(f"{len(study.aimed())} pairings, {self.games} games each"):
            results = study.run(self.games, common.executor_given(self.jobs, self.on))
        report = holding_report(loaded, study, results)
        common.publish(report, console, self.json, self.plot)
        return report


class ReportGames(RecordOptions, TrustOptions):
    """Where points come from, and what winners had: boards, cards and the like, over a run of games.

    Examples:

      boardwright report wonders heuristic heuristic heuristic rbai1 --games 2000 --plot cards.png

      boardwright report matches/wonders-heuristic-random-seed0.jsonl --json report.json
    """

    game: str = argument("A game to play, or the record file of games already played.", "GAME|FILE")
    specs: list[str] | None = argument(
        "The agents, one per seat; default: five easy ones, or as fits.", "[SPEC]...", default=None
    )
    games: int = option(1000, "How many games.", "-n")

    def run(self, console: Console) -> Report:
        """What was counted; KeyboardInterrupt if not all games were played."""
        from boardwright.arena.metrics import MetricsOverGames
        from boardwright.reports.metrics import metrics_report

        self.check(self.games)
        interrupted = False
        if self.game.endswith(".jsonl"):
            records = common.records_in(Path(self.game), self.game_file, self.trust)
            if not records:
                raise BadSpec(f"{self.game} has no games")
            if len(games := {record.game for record in records}) > 1:
                raise BadSpec(
                    f"{self.game} has records of several games ({', '.join(sorted(games))}); a report is of one"
                )
            loaded, title = records[0].load_game(), self.game
        else:
            loaded, planned = common.named_game(self.game), self.planned()
            outcome, records = self.play(planned, self.games, console)
            interrupted = outcome.interrupted
            title = f"{', '.join(planned.entrants)}, seed {outcome.seed}, recorded in {outcome.file}"
        metrics = MetricsOverGames.of(loaded, records)
        about = f"{loaded.title}: {metrics.games:,} games of {title}"
        console.print(about, highlight=False, soft_wrap=True, markup=False)
        report = metrics_report(loaded, metrics)
        common.publish(report, console, self.json, self.plot)
        if interrupted:
            console.print("Stopped; the same command with --resume goes on.")
            raise KeyboardInterrupt
        return report

    def planned(self) -> Match:
        from boardwright.agents.levels import EASY, in_full
        from boardwright.arena.match import Match

        loaded = common.named_game(self.game)
        count = _REPORT_SEATS if _REPORT_SEATS in loaded.seats else max(loaded.seats)
        seated = common.in_sandbox(self.specs or [in_full(EASY, loaded, count)] * count, self.sandbox)
        if loaded.metrics.seat_metrics is None:
            raise BadSpec(f"{loaded.name} has no report of its own; see `boardwright balance`")
        seeds = common.seeds_given(self.seed, seated)
        return Match(self.game, seated, options=common.options_given(self.options), on_failure=self.on_failure, **seeds)


COMMANDS = {"balance": StudyBalance, "report": ReportGames, "companion": StudyCompanion}
