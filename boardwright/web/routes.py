"""What the server answers over HTTP: pages, and the API that scripts can use too (docs/web.md)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pydantic
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from boardwright.agents.levels import STRONGEST
from boardwright.errors import BoardwrightError
from boardwright.kernel import rng
from boardwright.positions import check_position, position_in
from boardwright.web import catalogue, editor, messages, puzzles, questions, rules, study, study_files
from boardwright.web.limits import Limits
from boardwright.web.matches import Matches
from boardwright.web.messages import BadMessage, Refused
from boardwright.web.own_files import registered_game
from boardwright.web.specs import check_spec
from boardwright.web.store import RUNNING
from boardwright.web.tables import Busy, NoTable, Tables
from boardwright.web.teaching import Teaching
from boardwright.web.worker import Decide, Estimate, ExplainPuzzle, ReviewMoves
from boardwright.web.worker_pool import ESTIMATES, QUESTIONS

STATIC = Path(__file__).parent / "static"
PAGES = {
    "/": "lobby.html",
    "/table/{table}": "table.html",
    "/rules/{game}": "rules.html",
    "/study": "study.html",
    "/match": "match.html",
    "/puzzles": "puzzles.html",
    "/editor": "editor.html",
}

M = TypeVar("M", bound=messages.Message)
Handler = Callable[[Request], Awaitable[Response]]


class TooLarge(BoardwrightError):
    """A request with more than the server takes."""


STATUS: dict[type[BoardwrightError], int] = {NoTable: 404, Busy: 429, Refused: 409, TooLarge: 413}


@dataclass
class Api:
    tables: Tables
    matches: Matches
    limits: Limits
    shows_records: bool
    address: str
    """Where others in the network reach the server; empty: they do not."""
    is_local: bool
    """Whether only this machine's users can come in."""
    teaching: Teaching

    def __post_init__(self) -> None:
        self._answering = asyncio.Lock()
        self._listing = asyncio.Lock()  # the first time takes seconds: once, and not in every thread there is
        self._solving = puzzles.Solving()
        self._dealing = asyncio.Lock()  # a position is checked in a process of its own: one at a time

    def routes(self) -> list[BaseRoute]:
        limits, keeps = self.limits, self.is_local
        pages = [Route(path, _page(name)) for path, name in PAGES.items()]
        return [
            *pages,
            Mount("/static", StaticFiles(directory=STATIC)),
            self._route("/api/games", self.games),
            self._route("/api/games/{game}/picture.svg", self.picture),
            self._route("/api/games/{game}/guide", self.guide),
            self._route("/api/server", self.server),
            self._route("/api/answers", self.answers),
            self._route("/api/tables", self.list_tables),
            self._route("/api/tables", self.create_table, "POST"),
            self._route("/api/tables/{table}", self.about_table),
            self._route("/api/tables/{table}/record", self.record),
            self._route("/api/tables/{table}/game", self.finished_game),
            self._route("/api/tables/{table}/teach", self.teach, "POST"),
            self._asked("/api/position", messages.PositionWanted, lambda it: study.position(it, limits)),
            self._asked("/api/log", messages.PositionWanted, lambda it: study.game_log(it.start, it.actions, limits)),
            self._asked("/api/steps", messages.StepsWanted, lambda it: study.set_steps(it, limits)),
            self._route("/api/think", self.think, "POST"),
            self._route("/api/curve", self.curve, "POST"),
            self._route("/api/review", self.review, "POST"),
            self._route("/api/deal", self.deal, "POST"),
            self._asked("/api/study", messages.StudyKept, lambda it: study_files.study_file(it, limits)),
            self._asked("/api/position.json", messages.PositionWanted, lambda it: study.position_file(it, limits)),
            self._asked("/api/fields", messages.FieldsWanted, editor.fields),
            self._route("/api/edit", self.edited, "POST"),
            self._route("/api/puzzles", self.puzzle_sets),
            self._asked("/api/puzzles/next", messages.PuzzleWanted, lambda it: puzzles.next_puzzle(it, keeps=keeps)),
            self._route("/api/puzzles/hint", self.puzzle_hint, "POST"),
            self._route("/api/puzzles/answer", self.puzzle_answer, "POST"),
            self._route("/api/puzzles/why", self.puzzle_why, "POST"),
            self._route("/api/puzzles/forget", self.forget_puzzles, "POST"),
            self._route("/api/records", self.upload, "POST"),
            self._route("/api/files", self.files),
            self._route("/api/files/{file}", self.file),
            self._route("/api/matches", self.list_matches),
            self._route("/api/matches", self.create_match, "POST"),
            self._route("/api/matches/{match}", self.match),
            self._route("/api/matches/{match}/plot.svg", self.plot),
            self._route("/api/matches/{match}/stop", self.stop_match, "POST"),
        ]

    def _route(self, path: str, handler: Handler, method: str = "GET") -> Route:
        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody is there to read it
            except asyncio.CancelledError:
                return Response(status_code=503)  # the server ends, or begins again with a file that was saved
            except TimeoutError:
                return JSONResponse(
                    {"error": f"the request was not complete within {self.limits.request_seconds:g} seconds"}, 408
                )
            except BoardwrightError as error:
                status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
                return JSONResponse({"error": str(error)}, status)

        return Route(path, answer, methods=[method])

    def _asked(self, path: str, kind: type[M], answer: Callable[[M], dict[str, Any]]) -> Route:
        """For a request that a function answers, on another thread."""

        async def handler(request: Request) -> Response:
            return JSONResponse(await asyncio.to_thread(answer, await self._read(request, kind)))

        return self._route(path, handler, "POST")

    async def _read(self, request: Request, kind: type[M]) -> M:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise BadMessage("the content type must be application/json")
        is_large = not kind.model_fields.keys().isdisjoint(("actions", "text"))
        most = self.limits.upload_bytes if is_large else self.limits.message_bytes
        data = await _body(request, most, self.limits.request_seconds)
        try:
            message = kind.model_validate_json(data)
        except pydantic.ValidationError as error:
            raise BadMessage(messages.complaint(error)) from None
        await self._check_position(getattr(message, "start", message))
        return message

    async def _check_position(self, start: Any) -> None:
        """The position that a request begins with, if it has one: whoever deals it later need not check it again."""
        if text := getattr(start, "position", ""):
            game, given = registered_game(start.game), position_in(text)
            async with self._dealing:
                await asyncio.to_thread(check_position, game, given)

    # The lobby

    async def games(self, request: Request) -> Response:
        async with self._listing:
            return JSONResponse(await asyncio.to_thread(catalogue.catalogue, self.limits))

    async def picture(self, request: Request) -> Response:
        name = registered_game(request.path_params["game"]).name
        return _svg(await asyncio.to_thread(catalogue.picture, name))

    async def guide(self, request: Request) -> Response:
        game = registered_game(request.path_params["game"])
        return JSONResponse(await asyncio.to_thread(rules.guide, game))

    async def server(self, request: Request) -> Response:
        return JSONResponse({"address": self.address, "asks": self.tables.asks, "local": self.is_local})

    async def answers(self, request: Request) -> Response:
        if not self.is_local:
            raise Refused("answers belong to whoever runs the server; they are read on their own machine")
        lines = await asyncio.to_thread(questions.answers, self.tables.store)
        return Response(
            "".join(f"{json.dumps(line)}\n" for line in lines),
            media_type="application/x-ndjson",
            headers={"content-disposition": 'attachment; filename="answers.jsonl"'},
        )

    async def list_tables(self, request: Request) -> Response:
        return JSONResponse(self.tables.listed())

    async def create_table(self, request: Request) -> Response:
        table, tokens = await self.tables.create(await self._read(request, messages.NewTable), _client(request))
        return JSONResponse({"id": table.id, "tokens": {str(seat): token for seat, token in tokens.items()}}, 201)

    async def about_table(self, request: Request) -> Response:
        return JSONResponse((await self.tables.get(request.path_params["table"])).shows.about())

    # Finished tables

    async def record(self, request: Request) -> Response:
        table = await self.tables.get(request.path_params["table"])
        name = f"{table.game.name}-{table.id}.jsonl"
        return Response(
            table.record().line(),
            media_type="application/x-ndjson",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    async def finished_game(self, request: Request) -> Response:
        table = await self.tables.get(request.path_params["table"])
        if table.people and not table.is_open:
            raise Refused("the game is still being played; it can be studied when it is over")
        line = table.line()
        return JSONResponse(
            {
                "game": table.game.name,
                "title": table.game.title,
                "seats": line.seats,
                "seed": str(line.seed),
                "options": dict(line.options),
                "actions": list(line.actions),
                "position": line.dealt,
                "agents": table.names(),
                "notes": [],
                "forfeited_by": table.forfeited_by,
                "forfeit": "" if table.forfeited_by is None else table.note,
                "over": table.status != RUNNING,
                "teaches": await self.teaching.offered(table),
            }
        )

    async def teach(self, request: Request) -> Response:
        table = await self.tables.get(request.path_params["table"])
        taught = await self._read(request, messages.Taught)
        return JSONResponse({"done": await self.teaching.teach(table, taught.seat)})

    # Study

    async def think(self, request: Request) -> Response:
        wanted = await self._read(request, messages.DecisionWanted)
        line = study.line_of(wanted.start, wanted.actions, self.limits)
        game = registered_game(wanted.start.game)
        spec = await asyncio.to_thread(check_spec, wanted.agent, game, line.seats, self.limits, dict(line.options))
        state = await asyncio.to_thread(line.position)
        if state.is_terminal:
            raise Refused("the game is over there; there is nothing to decide")
        job = Decide(line, str(spec), rng.derive(line.seed, rng.Stream.STUDY, state.player))
        decision: messages.Decision = await self.tables.workers.run(job, priority=QUESTIONS, client=_client(request))
        return JSONResponse(decision.model_dump())

    async def curve(self, request: Request) -> Response:
        wanted = await self._read(request, messages.CurveWanted)
        line = study.line_of(wanted.start, wanted.actions, self.limits)
        at = tuple(sorted({number for number in wanted.at if number <= len(line.actions)}))
        job = Estimate(line, at, None, seconds=0.1)
        chances = await self.tables.workers.run(job, priority=ESTIMATES, client=_client(request))
        return JSONResponse({"points": [list(point) for point in zip(at, chances, strict=True)]})

    async def review(self, request: Request) -> Response:
        wanted = await self._read(request, messages.ReviewWanted)
        line = study.line_of(wanted.start, wanted.actions, self.limits)
        if not wanted.forfeited and not (await asyncio.to_thread(line.position)).is_terminal:
            raise Refused("the game is not over there; games are reviewed when they are finished")
        job = ReviewMoves(line, tuple(wanted.moves), wanted.explain)
        found = await self.tables.workers.run(job, priority=ESTIMATES, client=_client(request))
        return JSONResponse({"decisions": found})

    async def upload(self, request: Request) -> Response:
        data = await _body(request, self.limits.upload_bytes, self.limits.request_seconds)
        return JSONResponse(await asyncio.to_thread(study_files.uploaded, data))

    async def deal(self, request: Request) -> Response:
        given = await self._read(request, messages.PositionGiven)
        async with self._dealing:
            return JSONResponse(await asyncio.to_thread(study_files.written, given.text, given.seed))

    async def edited(self, request: Request) -> Response:
        given = await self._read(request, messages.PositionEdited)
        async with self._dealing:
            return JSONResponse(await asyncio.to_thread(editor.edited, given))

    # Puzzles

    async def puzzle_sets(self, request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(puzzles.overview, keeps=self.is_local))

    async def puzzle_hint(self, request: Request) -> Response:
        wanted = await self._read(request, messages.PuzzleNamed)
        asked = await asyncio.to_thread(puzzles.puzzle, wanted.game, wanted.id, own=self.is_local)
        line, game = puzzles.line_of(asked), registered_game(wanted.game)
        spec = await asyncio.to_thread(check_spec, STRONGEST, game, line.seats, self.limits, dict(line.options))
        job = Decide(line, str(spec), rng.derive(line.seed, rng.Stream.STUDY, asked.seat))
        self._solving.hint(_client(request), wanted)
        decision: messages.Decision = await self.tables.workers.run(job, priority=QUESTIONS, client=_client(request))
        return JSONResponse(decision.model_dump())

    async def puzzle_answer(self, request: Request) -> Response:
        given = self._solving.with_hint(_client(request), await self._read(request, messages.PuzzleAnswer))
        async with self._answering:
            found = await asyncio.to_thread(puzzles.answer, given, keeps=self.is_local)
        self._solving.answered(_client(request), given)
        return JSONResponse(found)

    async def puzzle_why(self, request: Request) -> Response:
        given = await self._read(request, messages.PuzzleAnswer)
        self._solving.check_answered(_client(request), given)
        asked = await asyncio.to_thread(puzzles.puzzle, given.game, given.id, own=self.is_local)
        if given.action not in (await asyncio.to_thread(asked.observation)).legal_actions():
            raise Refused(f"action {given.action} is not legal in this puzzle")
        job = ExplainPuzzle(puzzles.line_of(asked), asked.model_dump_json(), given.action)
        sentences = await self.tables.workers.run(job, priority=QUESTIONS, client=_client(request))
        return JSONResponse({"sentences": sentences})

    async def forget_puzzles(self, request: Request) -> Response:
        if not self.is_local:
            raise Refused("progress belongs to whoever runs the server")
        await asyncio.to_thread(puzzles.forget)
        return JSONResponse({})

    async def files(self, request: Request) -> Response:
        return JSONResponse({"files": await asyncio.to_thread(study_files.record_files) if self.shows_records else []})

    async def file(self, request: Request) -> Response:
        if not self.shows_records:
            raise Refused("the records folder is not shared; start the server with --share-records to share it")
        return JSONResponse(await asyncio.to_thread(study_files.record_file, request.path_params["file"]))

    # Matches

    async def list_matches(self, request: Request) -> Response:
        return JSONResponse({"matches": self.matches.listed()})

    async def create_match(self, request: Request) -> Response:
        run = await self.matches.create(await self._read(request, messages.NewMatch))
        return JSONResponse(run.as_json(), 201)

    async def match(self, request: Request) -> Response:
        return JSONResponse(self.matches.get(request.path_params["match"]).as_json())

    async def plot(self, request: Request) -> Response:
        return _svg(self.matches.get(request.path_params["match"]).plot)

    async def stop_match(self, request: Request) -> Response:
        self.matches.stop(request.path_params["match"])
        return JSONResponse({})


def _page(name: str) -> Handler:
    async def page(request: Request) -> Response:
        return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})

    return page


def nothing_there(request: Request, error: Exception) -> Response:
    """For addresses that lead nowhere: a page for people, JSON for scripts."""
    if request.url.path.startswith(("/api/", "/static/")):
        return JSONResponse({"error": "there is nothing at this address"}, 404)
    return FileResponse(STATIC / "nothing.html", 404, headers={"cache-control": "no-cache"})


def _svg(text: str) -> Response:
    return Response(text, media_type="image/svg+xml", headers={"cache-control": "no-cache"})


def _client(request: Request) -> str:
    """Who asks, for a fair turn."""
    return request.client.host if request.client else ""


async def _body(request: Request, most: int, seconds: float) -> bytes:
    parts, size = [], 0
    async with asyncio.timeout(seconds):
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise TooLarge(f"a request of this kind has at most {most:,} bytes")
            parts.append(part)
    return b"".join(parts)
