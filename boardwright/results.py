"""Matches, ladders and balance studies from Python, with results as objects.

    result = bw.match("connect_four", "uct:iterations=500", "random", games=100)
    result.agents[0].win_rate     # figures
    result.records[3].final()     # games
    result                        # the table that the command line prints; in a notebook as HTML
    result.to_frame()             # the same as a pandas data frame; to_frame("records"): its games
    result.plot("result.png")

With `jobs` above 1, games are played in processes of their own: a script then needs `if __name__ == "__main__":` around
its calls, as Python's multiprocessing asks for. With `on="ray"` or `on="ray:ADDRESS"` they are played on Ray.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from boardwright.agents import Agent
from boardwright.agents.function import Policy, named_entrants
from boardwright.arena.accumulators import Accumulator
from boardwright.arena.balance import Balance
from boardwright.arena.frames import records_to_frame
from boardwright.arena.ladder import Rating, Results, ratings
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, first_games, read_records
from boardwright.arena.runner import MatchListener, Outcome, default_record_file, run_match
from boardwright.arena.standings import Entrant, Standings
from boardwright.coach.report import review_report
from boardwright.coach.review import Review, SeatReview, reviewed_seats, reviews_folder
from boardwright.coach.review import review as review_game
from boardwright.commands.coach import ReviewGame
from boardwright.commands.common import executor_given, records_in
from boardwright.commands.played import PlayMatch, RateAgents, StudyBalance
from boardwright.errors import BadSpec
from boardwright.executors import Executor, together
from boardwright.files import make_folder
from boardwright.kernel import Game
from boardwright.registry import agents as registered_agents
from boardwright.reports.balance import balance_report
from boardwright.reports.console import as_html, as_text, save
from boardwright.reports.ladder import ladder_report
from boardwright.reports.standings import match_report
from boardwright.terminal.replaying import record_number

if TYPE_CHECKING:
    import pandas

    from boardwright.reports import Report

RECORDS = "records"


class Result:
    """What all results can do."""

    main_table: ClassVar[str]
    """The table that `to_frame` gives if none is named."""

    @property
    def report(self) -> Report:
        """Tables, figures and a plot."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """All figures as plain data, as `--json` writes them."""
        return self.report.data

    def to_frame(self, table: str | None = None) -> pandas.DataFrame:
        """A table of the result as a pandas data frame; "records" are its games, a row for every seat."""
        records: list[GameRecord] | None = getattr(self, "records", None)
        if table == RECORDS and records is not None:
            return records_to_frame(records)
        return self.report.to_frame(table or self.main_table)

    def plot(self, file: str | Path) -> None:
        """Draw it into a file: .png, .svg or .pdf."""
        save(self.report, plot=Path(file))

    def __str__(self) -> str:
        return as_text(self.report)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self.report)


@dataclass(repr=False)
class MatchResult(Result):
    """What a match gave."""

    main_table = "agents"

    match: Match
    outcome: Outcome
    records: list[GameRecord]
    """The games, in order."""

    @property
    def standings(self) -> Standings:
        return self.outcome.standings

    @property
    def agents(self) -> list[Entrant]:
        """How each agent fared, in the order in which they were given."""
        return self.standings.entrants

    @property
    def games(self) -> int:
        return self.standings.games

    @property
    def report(self) -> Report:
        return match_report(self.match, self.outcome)


@dataclass(repr=False)
class LadderResult(Result):
    """What a ladder gave."""

    main_table = "ratings"

    game: Game
    ratings: list[Rating]
    """The best first."""
    results: Results
    """Who came before whom how often."""

    @property
    def report(self) -> Report:
        return ladder_report(self.game, self.results, self.ratings)


@dataclass(repr=False)
class BalanceResult(Result):
    """What copies of one agent in all seats say about a game."""

    main_table = "seats"

    match: Match
    balance: Balance
    records: list[GameRecord]

    @property
    def report(self) -> Report:
        return balance_report(self.match, self.balance)


def match(
    game: str | Game,
    *agents: str | Agent | Policy,
    games: int = PlayMatch.games,
    seed: int | None = PlayMatch.seed,
    salt: int | None = PlayMatch.salt,
    jobs: int = PlayMatch.jobs,
    on: str | None = PlayMatch.on,
    from_: str | Path | None = PlayMatch.from_,
    clock: float | None = PlayMatch.clock,
    on_failure: str | None = PlayMatch.on_failure,
    sandbox: bool = PlayMatch.sandbox,
    record: str | Path | None = PlayMatch.record,
    resume: bool = PlayMatch.resume,
    listeners: Sequence[MatchListener | Accumulator] = (),
    **options: Any,
) -> MatchResult:
    """Play agents against each other, seats permuted fairly; options of the game by name.

    Agents are specs, objects as `MyAgent()`, or functions from an observation to an action. `listeners` are notified
    how the match goes on, or accumulate what happens in its games (`bw.Accumulator`), wherever they are played.

    The games are in the result; with `record` also in that file, from which `resume` goes on. Without a `seed` it is 0
    or, where agents take part that are not our own, one that nobody can guess. With the `seed` and the `salt` that were
    shown when such a match was over, it is played again. `on_failure` says what happens when an agent fails: "stop",
    "forfeit" or "substitute". The other arguments are the options of `boardwright match`.
    """
    names, objects = named_entrants(agents, registered_agents())
    _check_objects(objects, resume)
    shared = {"seed": seed, "salt": salt, "clock": clock, "on_failure": on_failure, "sandbox": sandbox}
    declared = PlayMatch(game=_name(game), specs=list(names), games=games, from_=from_, **shared)  # type: ignore[arg-type]
    planned = declared.planned(options, objects)
    outcome, records = _play(planned, games, record, resume, executor_given(jobs, on), listeners)
    return MatchResult(planned, outcome, records)


def ladder(
    game: str | Game,
    *agents: str | Agent | Policy,
    games: int = RateAgents.games,
    seats: int | None = RateAgents.seats,
    seed: int | None = RateAgents.seed,
    jobs: int = RateAgents.jobs,
    on: str | None = RateAgents.on,
    clock: float | None = RateAgents.clock,
    on_failure: str | None = RateAgents.on_failure,
    sandbox: bool = RateAgents.sandbox,
    out: str | Path | None = None,
) -> LadderResult:
    """Rate agents: everybody meets everybody, `games` games at each table. With `out`, games already played in that
    folder are kept."""
    names, objects = named_entrants(agents, registered_agents())
    _check_objects(objects, out is not None)
    shared = {"seats": seats, "seed": seed, "clock": clock, "on_failure": on_failure, "sandbox": sandbox}
    planned = RateAgents(game=_name(game), agents=list(names), **shared).planned(objects)  # type: ignore[arg-type]
    results = Results(planned.specs)
    executor = executor_given(jobs, on)

    def play(table: tuple[int, ...]) -> list[GameRecord]:
        at_table = planned.match(table)
        file = None if out is None else Path(out) / default_record_file(at_table).name
        if file is not None:
            make_folder(file.parent, "games")
        return _play(at_table, games, file, file is not None, executor)[1]

    played = dict(together(play, planned.tables(), executor))
    for table in planned.tables():
        results.add(table, played[table])
    return LadderResult(planned.game, ratings(results), results)


def balance(
    game: str | Game,
    agent: str = StudyBalance.agent,
    *,
    games: int = StudyBalance.games,
    seats: int | None = StudyBalance.seats,
    seed: int | None = StudyBalance.seed,
    jobs: int = StudyBalance.jobs,
    on: str | None = StudyBalance.on,
    on_failure: str | None = StudyBalance.on_failure,
    sandbox: bool = StudyBalance.sandbox,
    record: str | Path | None = StudyBalance.record,
    resume: bool = StudyBalance.resume,
    **options: Any,
) -> BalanceResult:
    """Copies of one agent in all seats: who wins, from which seat, with which choices?"""
    shared = {"seats": seats, "seed": seed, "on_failure": on_failure, "sandbox": sandbox}
    planned = StudyBalance(game=_name(game), agent=agent, **shared).planned(options)  # type: ignore[arg-type]
    found = Balance()
    _, records = _play(planned, games, record, resume, executor_given(jobs, on), [found])
    return BalanceResult(planned, found, records)


@dataclass(repr=False)
class ReviewResult(Result):
    """What a review found."""

    main_table = "seats"

    review: Review

    @property
    def seats(self) -> tuple[SeatReview, ...]:
        return self.review.seats

    @property
    def report(self) -> Report:
        return review_report(self.review)


def review(
    record: GameRecord | str | Path,
    *,
    game: int = ReviewGame.game,
    seat: int | None = ReviewGame.seat,
    agent: str | None = ReviewGame.agent,
    times: int = ReviewGame.times,
    seed: int = ReviewGame.seed,
    jobs: int = 1,
    game_file: str | None = ReviewGame.game_file,
    trust: bool = ReviewGame.trust,
    keep: bool = False,
) -> ReviewResult:
    """Where was a game lost? Every decision judged from what its seat knew then.

    The game is a record, or number `game` of a file; `seat`: from 1, one seat alone. `agent` judges, by default the
    strongest of the game, in `times` as many determinizations as it takes by default. Games of a game in a Python file
    need `game_file`, or `trust`. With `keep`, what was judged is kept, and read again the next time.
    """
    if not isinstance(record, GameRecord):
        record = record_number(records_in(Path(record), game_file, trust), game)
    seats = reviewed_seats(record, None if seat is None else seat - 1)
    store = reviews_folder() if keep else None
    return ReviewResult(review_game(record, seats=seats, agent=agent, times=times, seed=seed, jobs=jobs, store=store))


def _name(game: str | Game) -> str:
    return game if isinstance(game, str) else game.source or game.name


def _check_objects(objects: Mapping[str, Agent], resume: bool) -> None:
    if objects and resume:
        raise BadSpec(
            f"games with {next(iter(objects))} cannot be resumed: nothing tells whether it is the agent that has played"
            " before; put it into a Python file, and give that"
        )


def _play(
    planned: Match,
    games: int,
    file: str | Path | None,
    resume: bool,
    executor: Executor,
    listeners: Sequence[MatchListener | Accumulator] = (),
) -> tuple[Outcome, list[GameRecord]]:
    """The games of a match. A KeyboardInterrupt ends it, as it ends other Python code."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(file) if file is not None else Path(folder) / "games.jsonl"
        outcome = run_match(planned, games, file=target, resume=resume, executor=executor, listeners=listeners)
        if outcome.interrupted:
            raise KeyboardInterrupt
        return outcome, first_games(read_records(target), games)
