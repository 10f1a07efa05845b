"""Matches, ladders and balance studies: what they are asked with, declared once for the command line and for Python
(results.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.commands import common
from boardwright.commands import options as shared
from boardwright.errors import BadSpec
from boardwright.files import make_folder
from boardwright.settings import argument, option

if TYPE_CHECKING:
    from rich.console import Console

    from boardwright.agents import Agent
    from boardwright.arena.ladder import Ladder, Results
    from boardwright.arena.match import Match
    from boardwright.arena.pairings import Pairings
    from boardwright.arena.record import GameRecord
    from boardwright.arena.runner import Outcome


class PlayOptions(shared.GameArgument, shared.WorkerOptions, shared.FailureOptions, shared.ResultOptions):
    """What everything that plays many games has in common."""

    seed: int | None = option(
        None,
        "The same seed gives the same games. Default: 0 or, where agents take part that are not our own, one that"
        " nobody can guess.",
        "-s",
    )


class RecordOptions(PlayOptions, shared.VariantOption):
    """Those of one match, whose games are recorded."""

    record: Path | None = option(
        None, "Where the games are recorded; default: a file in matches/ named after the match."
    )
    resume: bool = option(False, "Go on where an earlier run stopped.", "--resume")

    def check(self, games: int) -> None:
        common.check_games(games)
        self.check_result_files()
        common.check_outputs(self.record)

    def play(self, match: Match, games: int, console: Console) -> tuple[Outcome, list[GameRecord]]:
        """The games of a match, played as far as they were not yet."""
        from boardwright.arena.record import first_games, read_records

        outcome = common.play_match(
            match, games, record=self.record, resume=self.resume, jobs=self.jobs, on=self.on, console=console
        )
        return outcome, first_games(read_records(outcome.file), games)


class PlayMatch(RecordOptions, shared.PositionOption, shared.ClockOption):
    """Play agents against each other, seats permuted fairly, and judge the result.

    Examples:

      boardwright match connect_four uct:iterations=500 flat:iterations=500 --games 200 --jobs 2

      boardwright match kuhn_poker ismcts optimal --games 1000 --json result.json --plot result.png
    """

    specs: list[str] = argument("The agents, one per seat.", "SPEC SPEC ...")
    games: int = option(100, "How many games.", "-n")
    salt: int | None = option(
        None, "With --seed: play a match again, with the salt that it showed when it was over.", metavar="NUMBER"
    )

    def planned(self, options: Mapping[str, Any], objects: Mapping[str, Agent] | None = None) -> Match:
        """The match, with these options of the game; `objects` are agents that some of the specs stand for."""
        from boardwright.arena.match import Match

        seeds = common.seeds_given(self.seed, self.specs, self.salt)
        entrants = common.in_sandbox(
            common.timed(self.specs, self.clock, self.game, len(self.specs), options), self.sandbox
        )
        position = common.position_given(self.from_, common.named_game(self.game))
        about: dict[str, Any] = {"on_failure": self.on_failure, "position": position, "objects": objects or {}}
        return Match(self.game, entrants, options=options, **about, **seeds)

    def run(self, console: Console) -> Outcome:
        """How the match ended; its games are in a file."""
        from boardwright.reports.standings import match_report

        self.check(self.games)
        planned = self.planned(common.options_given(self.options))
        outcome = common.play_match(
            planned, self.games, record=self.record, resume=self.resume, jobs=self.jobs, on=self.on, console=console
        )
        common.publish(match_report(planned, outcome), console, self.json, self.plot)
        console.print(f"[dim]Games recorded in {outcome.file}[/]", highlight=False, soft_wrap=True)
        if outcome.interrupted:
            left = self.games - outcome.standings.games
            console.print(f"Stopped with {left:,} games to play; the same command with --resume goes on.")
            raise KeyboardInterrupt
        return outcome


class RateAgents(PlayOptions, shared.SeatsOption, shared.ClockOption):
    """Rate agents: everybody meets everybody in all seat orders; ratings on Elo's scale, with intervals.

    Example: boardwright ladder race random heuristic ismcts:iterations=100 netsearch --games 200 --plot ladder.png
    """

    agents: list[str] = argument("The agents to rate.", "SPEC...")
    games: int = option(100, "Games at each table.", "-n")
    out: Path = option(Path("ladders"), "The folder for the games; those already played there are kept.")

    def planned(self, objects: Mapping[str, Agent] | None = None) -> Ladder:
        from boardwright.arena.ladder import Ladder

        loaded = common.named_game(self.game)
        count, seeds = loaded.check_seats(self.seats), common.seeds_given(self.seed, self.agents)
        entrants = common.in_sandbox(common.timed(self.agents, self.clock, self.game, count), self.sandbox)
        about: dict[str, Any] = {"game_name": self.game, "on_failure": self.on_failure, "objects": objects or {}}
        planned = Ladder(loaded, entrants, count, **about, **seeds)
        planned.check()
        return planned

    def run(self, console: Console) -> Results:
        """Who came before whom how often; the games are in the folder."""
        from boardwright.arena.ladder import ratings
        from boardwright.reports.ladder import ladder_report

        common.check_games(self.games)
        self.check_result_files()
        planned = self.planned()
        make_folder(self.out, "games")
        results = play_ladder(planned, self.games, self.out, self.jobs, self.on, console)
        common.publish(ladder_report(planned.game, results, ratings(results)), console, self.json, self.plot)
        return results


def play_ladder(planned: Ladder, games: int, out: Path, jobs: int, on: str | None, console: Console) -> Results:
    """All tables of a ladder, whose games are kept in a folder."""
    from boardwright.arena.ladder import Results
    from boardwright.arena.record import first_games, read_records
    from boardwright.arena.runner import default_record_file, run_match
    from boardwright.executors import InProcess, together

    results = Results(planned.specs)
    tables = planned.tables()
    files = {table: out / default_record_file(planned.match(table)).name for table in tables}
    executor = None if on is None else common.executor_given(jobs, on)

    def play(table: tuple[int, ...]) -> Outcome:
        """With a progress bar; on a cluster all tables are played at once, and without."""
        match, file = planned.match(table), files[table]
        begun = file.exists() and file.stat().st_size > 0
        if executor is not None:
            return run_match(match, games, file=file, resume=begun, executor=executor)
        number = tables.index(table) + 1
        console.print(f"[dim]table {number} of {len(tables)}: {', '.join(match.entrants)}[/]", highlight=False)
        return common.play_match(match, games, record=file, resume=begun, jobs=jobs, console=console)

    try:
        for number, (table, outcome) in enumerate(together(play, tables, executor or InProcess()), 1):
            if outcome.interrupted:
                raise KeyboardInterrupt
            if executor is not None:
                names = ", ".join(planned.match(table).entrants)
                console.print(f"[dim]{number} of {len(tables)} tables are over: {names}[/]", highlight=False)
    except KeyboardInterrupt:
        console.print(f"stopped; the games are kept in {out}, the same command goes on")
        raise
    for table in tables:
        results.add(table, first_games(read_records(files[table]), games))
    return results


class StudyBalance(RecordOptions, shared.SeatsOption):
    """Is the game balanced? Copies of one agent play all seats; who wins, from which seat, with which choices?

    Examples:

      boardwright balance colonizers --agent heuristic --games 2000 --plot balance.png

      boardwright balance lords --across armies --agent heuristic --games 100
    """

    agent: str = option("ismcts:iterations=200", "Who plays all the seats.", "-a", metavar="SPEC")
    games: int = option(500, "How many games.", "-n")
    across: str | None = option(
        None,
        "Play every pairing of an option's values, as armies, --games games each; these are not recorded.",
        metavar="OPTION",
    )

    def planned(self, options: Mapping[str, Any]) -> Match:
        from boardwright.arena.match import Match

        everybody = common.in_sandbox([self.agent] * common.named_game(self.game).check_seats(self.seats), self.sandbox)
        seeds = common.seeds_given(self.seed, everybody)
        return Match(self.game, everybody, options=options, on_failure=self.on_failure, **seeds)

    def pairings(self, across: str) -> Pairings:
        """All pairings of the values of an option."""
        from boardwright.arena.pairings import Pairings

        (agent,) = common.in_sandbox([self.agent], self.sandbox)
        seeds, options = common.seeds_given(self.seed, [agent]), common.options_given(self.options)
        game = common.named_game(self.game)
        return Pairings(self.game, game, across, agent, seeds["seed"], options, seeds["salt"], self.on_failure)

    def run(self, console: Console) -> None:
        from boardwright.arena.balance import Balance
        from boardwright.reports.balance import balance_report

        self.check(self.games)
        if self.across is not None:
            self._run_across(self.across, console)
            return
        planned = self.planned(common.options_given(self.options))
        outcome, records = self.play(planned, self.games, console)
        common.publish(
            balance_report(planned, Balance.of(common.named_game(self.game), records)), console, self.json, self.plot
        )
        console.print(f"[dim]Games recorded in {outcome.file}[/]", highlight=False, soft_wrap=True)
        if outcome.interrupted:
            console.print("Stopped; the same command with --resume goes on.")
            raise KeyboardInterrupt

    def _run_across(self, across: str, console: Console) -> None:
        from boardwright.arena.pairings import PairingResults
        from boardwright.reports.pairings import pairings_report

        if self.record is not None or self.resume:
            raise BadSpec("--across records no games; leave --record and --resume out")
        pairings = self.pairings(across)
        pairings.check()
        with console.status(f"{len(pairings.sides) ** 2} pairings, {self.games} games each"):
            results = PairingResults.of(pairings, self.games, common.executor_given(self.jobs, self.on))
        common.publish(pairings_report(pairings, results), console, self.json, self.plot)
