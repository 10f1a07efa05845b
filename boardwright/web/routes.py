"""What the server answers over HTTP: pages, and the API that scripts can use too (docs/web.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import pydantic
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from boardwright.errors import BoardwrightError
from boardwright.kernel import rng
from boardwright.web import catalogue, messages, study
from boardwright.web.limits import Limits
from boardwright.web.matches import Matches
from boardwright.web.messages import BadMessage
from boardwright.web.specs import check_spec
from boardwright.web.table import Refused
from boardwright.web.tables import Busy, NoTable, Tables, registered_game
from boardwright.web.thinking import ESTIMATES, QUESTIONS
from boardwright.web.worker import Decide, Estimate, ExplainedDecision

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "lobby.html", "/table/{table}": "table.html", "/study": "study.html", "/match": "match.html"}

M = TypeVar("M", bound=messages.Message)
Handler = Callable[[Request], Awaitable[Response]]


class TooLarge(BoardwrightError):
    """A request with more than the server takes."""


STATUS: dict[type[BoardwrightError], int] = {NoTable: 404, Busy: 429, Refused: 409, TooLarge: 413}


class Api:
    def __init__(self, tables: Tables, matches: Matches, limits: Limits, shows_records: bool, address: str) -> None:
        self.tables = tables
        self.matches = matches
        self.limits = limits
        self.shows_records = shows_records
        self.address = address
        """Where others in the network reach the server; empty: they do not."""

    def routes(self) -> list[BaseRoute]:
        pages = [Route(path, _page(name)) for path, name in PAGES.items()]
        return [
            *pages,
            Mount("/static", StaticFiles(directory=STATIC)),
            self._route("/api/games", self.games),
            self._route("/api/games/{game}/picture.svg", self.picture),
            self._route("/api/server", self.server),
            self._route("/api/tables", self.list_tables),
            self._route("/api/tables", self.create_table, "POST"),
            self._route("/api/tables/{table}", self.about_table),
            self._route("/api/tables/{table}/record", self.record),
            self._route("/api/tables/{table}/game", self.finished_game),
            self._route("/api/position", self.position, "POST"),
            self._route("/api/log", self.log, "POST"),
            self._route("/api/steps", self.steps, "POST"),
            self._route("/api/think", self.think, "POST"),
            self._route("/api/curve", self.curve, "POST"),
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
                return Response(status_code=400)  # nobody hears it
            except TimeoutError:
                return JSONResponse(
                    {"error": f"the request was not complete within {self.limits.request_seconds:g} seconds"}, 408
                )
            except BoardwrightError as error:
                status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
                return JSONResponse({"error": str(error)}, status)

        return Route(path, answer, methods=[method])

    async def _read(self, request: Request, kind: type[M]) -> M:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise BadMessage("the content type must be application/json")
        most = self.limits.upload_bytes if "actions" in kind.model_fields else self.limits.message_bytes
        data = await _body(request, most, self.limits.request_seconds)
        try:
            return kind.model_validate_json(data)
        except pydantic.ValidationError as error:
            raise BadMessage(messages.complaint(error)) from None

    # The lobby

    async def games(self, request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(catalogue.catalogue, self.limits))

    async def picture(self, request: Request) -> Response:
        name = registered_game(request.path_params["game"]).name
        return _svg(await asyncio.to_thread(catalogue.picture, name))

    async def server(self, request: Request) -> Response:
        return JSONResponse({"address": self.address})

    async def list_tables(self, request: Request) -> Response:
        return JSONResponse(self.tables.listed())

    async def create_table(self, request: Request) -> Response:
        table, tokens = await self.tables.create(await self._read(request, messages.NewTable), _client(request))
        return JSONResponse({"id": table.id, "tokens": {str(seat): token for seat, token in tokens.items()}}, 201)

    async def about_table(self, request: Request) -> Response:
        return JSONResponse((await self.tables.get(request.path_params["table"])).about())

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
                "game": line.game,
                "title": table.game.title,
                "seats": line.seats,
                "seed": str(line.seed),
                "options": dict(line.options),
                "actions": list(line.actions),
                "agents": table.names(),
            }
        )

    # Study

    async def position(self, request: Request) -> Response:
        wanted = await self._read(request, messages.PositionWanted)
        return JSONResponse(await asyncio.to_thread(study.position, wanted, self.limits))

    async def log(self, request: Request) -> Response:
        wanted = await self._read(request, messages.PositionWanted)
        return JSONResponse(await asyncio.to_thread(study.game_log, wanted.start, wanted.actions, self.limits))

    async def steps(self, request: Request) -> Response:
        wanted = await self._read(request, messages.StepsWanted)
        return JSONResponse(await asyncio.to_thread(study.set_steps, wanted, self.limits))

    async def think(self, request: Request) -> Response:
        wanted = await self._read(request, messages.ThoughtWanted)
        line = study.line_of(wanted.start, wanted.actions, self.limits)
        game = registered_game(line.game)
        spec = await asyncio.to_thread(check_spec, wanted.agent, game, line.seats, self.limits, dict(line.options))
        state = await asyncio.to_thread(line.position)
        if state.is_terminal:
            raise Refused("the game is over there; there is nothing to decide")
        job = Decide(line, str(spec), rng.derive(line.seed, rng.Stream.STUDY, state.player))
        decision: ExplainedDecision = await self.tables.thinkers.run(job, priority=QUESTIONS, client=_client(request))
        return JSONResponse(asdict(decision))

    async def curve(self, request: Request) -> Response:
        wanted = await self._read(request, messages.CurveWanted)
        line = study.line_of(wanted.start, wanted.actions, self.limits)
        at = tuple(sorted({number for number in wanted.at if number <= len(line.actions)}))
        job = Estimate(line, at, None, seconds=0.1)
        chances = await self.tables.thinkers.run(job, priority=ESTIMATES, client=_client(request))
        return JSONResponse({"points": [list(point) for point in zip(at, chances, strict=True)]})

    async def upload(self, request: Request) -> Response:
        data = await _body(request, self.limits.upload_bytes, self.limits.request_seconds)
        return JSONResponse(await asyncio.to_thread(study.uploaded, data))

    async def files(self, request: Request) -> Response:
        return JSONResponse({"files": await asyncio.to_thread(study.record_files) if self.shows_records else []})

    async def file(self, request: Request) -> Response:
        if not self.shows_records:
            raise Refused("the records folder is not shared; start the server with --share-records to share it")
        return JSONResponse(await asyncio.to_thread(study.record_file, request.path_params["file"]))

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
