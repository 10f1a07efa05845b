"""Matches and ladders that are run from a page, each in a process of its own, with the standings so far."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import time
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from boardwright.arena.ladder import Ladder, Results, ratings
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, read_records
from boardwright.arena.runner import RECORDS_FOLDER, MatchListener, Outcome, run_match
from boardwright.arena.seeds import choose_seed
from boardwright.arena.standings import Standings
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.processes import Child
from boardwright.reports.ladder import ladder_report
from boardwright.reports.report import Report, Section
from boardwright.reports.standings import match_report
from boardwright.web.limits import Limits
from boardwright.web.messages import NewMatch
from boardwright.web.own_files import registered_game
from boardwright.web.specs import check_spec
from boardwright.web.tables import Busy, NoTable
from boardwright.wording import counted

_KEPT = 50
_REPORT_EVERY = 0.4  # seconds


class MatchRun:
    """A match under way, as pages see it."""

    def __init__(self, wanted: NewMatch, title: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.wanted = wanted
        self.title = title
        self.played = 0
        self.status = "running"
        self.note = ""
        self.report: dict[str, Any] | None = None
        self.plot = ""
        self.process: Any = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.wanted.kind,
            "game": self.wanted.game,
            "title": self.title,
            "agents": self.wanted.agents,
            "games": self.wanted.games,
            "played": self.played,
            "status": self.status,
            "note": self.note,
            "report": self.report,
            "has_plot": bool(self.plot),
        }


class Matches:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._runs: OrderedDict[str, MatchRun] = OrderedDict()
        self._followers: set[asyncio.Task[None]] = set()

    async def create(self, wanted: NewMatch) -> MatchRun:
        if wanted.games > self.limits.match_games:
            raise BadSpec(f"a match from the page has at most {self.limits.match_games:,} games, not {wanted.games:,}")
        if sum(run.status == "running" for run in self._runs.values()) >= self.limits.matches:
            raise Busy("a match is running already; wait for it or stop it")
        checked, title = await asyncio.to_thread(_checked, wanted, self.limits)
        run = MatchRun(checked, title)
        self._runs[run.id] = run
        while len(self._runs) > _KEPT:
            self._runs.popitem(last=False)
        run.process = Child(_play, checked, run.id)
        follower = asyncio.get_running_loop().create_task(self._follow(run, run.process.connection))
        self._followers.add(follower)
        follower.add_done_callback(self._followers.discard)
        return run

    def get(self, name: str) -> MatchRun:
        if name not in self._runs:
            raise NoTable("there is no such match")
        return self._runs[name]

    def listed(self) -> list[dict[str, Any]]:
        return [{**run.as_json(), "report": None} for run in reversed(self._runs.values())]

    def stop(self, name: str) -> None:
        run = self.get(name)
        if run.status == "running":
            run.status, run.note = "stopped", f"stopped after {counted(run.played, 'game')}"
            run.process.terminate()

    def close(self) -> None:
        for run in self._runs.values():
            if run.status == "running":
                run.process.terminate()

    async def _follow(self, run: MatchRun, connection: Connection) -> None:
        while True:
            try:
                news = await asyncio.to_thread(connection.recv)
            except (EOFError, OSError):
                break
            for name, value in news.items():
                setattr(run, name, value)
        if run.status == "running":
            run.status, run.note = "failed", "the process of the match has died"


def _checked(wanted: NewMatch, limits: Limits) -> tuple[NewMatch, str]:
    """The match with specs in place of levels."""
    game = registered_game(wanted.game)
    seats = len(wanted.agents) if wanted.kind == "match" else game.seats[0]
    game.check_seats(seats)
    options = game.all_options(wanted.options, seats)
    specs = [str(check_spec(agent, game, seats, limits, options)) for agent in wanted.agents]
    if wanted.kind == "ladder":
        if wanted.options:
            raise BadSpec("a ladder is played with the game's default options")
        Ladder(game, tuple(specs), seats).check()
    return wanted.model_copy(update={"agents": specs, "options": options}), game.title


class _Reporter(MatchListener):
    """Sends the standings every now and then."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.played = 0
        self.last = 0.0
        self.match: Match | None = None

    def started(self, match: Match, standings: Standings, games: int) -> None:
        self.match, self.games = match, games

    def finished_game(self, record: GameRecord, standings: Standings) -> None:
        self.played += 1
        if self.match is not None and time.monotonic() - self.last > _REPORT_EVERY:
            self.last = time.monotonic()
            outcome = Outcome(standings, Path(), self.games)
            self.connection.send({"played": self.played, "report": report_as_json(match_report(self.match, outcome))})


def _play(connection: Connection, wanted: NewMatch, name: str) -> None:
    """In the process of the match."""
    with suppress(BrokenPipeError):  # nobody listens any more: the server has gone
        try:
            report, note = (_match if wanted.kind == "match" else _ladder)(wanted, name, _Reporter(connection))
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "plot.svg"
                assert report.plot is not None
                report.plot(file)
                plot = file.read_text("utf-8")
            connection.send({"report": report_as_json(report), "plot": plot, "status": "finished", "note": note})
        except BoardwrightError as error:
            connection.send({"status": "failed", "note": str(error)})


def _match(wanted: NewMatch, name: str, reporter: _Reporter) -> tuple[Report, str]:
    seeds = choose_seed(wanted.seed, wanted.agents)
    match = Match(wanted.game, tuple(wanted.agents), options=dict(wanted.options), **seeds)
    file = RECORDS_FOLDER / f"page-{wanted.game}-{name}.jsonl"
    outcome = run_match(match, wanted.games, file=file, listeners=[reporter])
    reporter.connection.send({"played": reporter.played})
    return match_report(match, outcome), f"games recorded in {file}"


def _ladder(wanted: NewMatch, name: str, reporter: _Reporter) -> tuple[Report, str]:
    game = registered_game(wanted.game)
    ladder = Ladder(game, tuple(wanted.agents), game.seats[0], **choose_seed(wanted.seed, wanted.agents))
    results, tables = Results(wanted.agents), ladder.tables()
    report = None
    for number, table in enumerate(tables):
        games = wanted.games // len(tables) + (number < wanted.games % len(tables))
        if not games:
            continue
        file = RECORDS_FOLDER / f"page-{wanted.game}-{name}-{number}.jsonl"
        run_match(ladder.match(table), games, file=file, listeners=[_Counter(reporter)])
        results.add(table, read_records(file))
        report = ladder_report(game, results, ratings(results))
        reporter.connection.send({"played": reporter.played, "report": report_as_json(report)})
    assert report is not None
    return report, f"games recorded in {RECORDS_FOLDER}"


class _Counter(MatchListener):
    """In a ladder the standings of one table say little: just count."""

    def __init__(self, reporter: _Reporter) -> None:
        self.reporter = reporter

    def finished_game(self, record: GameRecord, standings: Standings) -> None:
        self.reporter.played += 1
        if time.monotonic() - self.reporter.last > _REPORT_EVERY:
            self.reporter.last = time.monotonic()
            self.reporter.connection.send({"played": self.reporter.played})


def report_as_json(report: Report) -> dict[str, Any]:
    """A report's tables as cells, in the order of the command line."""
    return {"sections": [_section(part) for part in report.sections]}


def _section(part: Section | str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"line": part}
    shown = [metric for metric in part.metrics if metric.heading is not None]
    return {
        "title": part.title,
        "headings": [{"text": metric.heading, "left": metric.left} for metric in shown],
        "rows": [[metric.cell(row) for metric in shown] for row in part.rows],
    }
