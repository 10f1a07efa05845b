"""A web server for tests: a process of its own, as users start it, in a folder of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from boardwright.commands.web import ServePages
from boardwright.files import TABLES
from boardwright.web.messages import Patch
from boardwright.web.patches import pieces
from boardwright.web.server import make_app

T = TypeVar("T")
ONE_WORKER = ("--workers", "1")
"""For servers of which nobody wants two things at once: each worker takes most of a second."""
ROOT = Path(__file__).parent.parent


class Server:
    """`boardwright web` on a free port; `kill` and `start` again as you like."""

    def __init__(self, folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.options = options
        self.environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder)} | (environment or {})
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "boardwright", "web", "--no-open", "--port", str(self.port), *self.options]
        with (self.folder / "errors.txt").open("a") as errors:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=self.environment,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "Boardwright is at http://127.0.0.1:" in line, line + self.errors()
        self.port = int(line.split(":")[2].split("/")[0])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def errors(self) -> str:
        return (self.folder / "errors.txt").read_text()

    def kill(self) -> None:
        """As a crash would end it."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        finally:
            self.process.kill()

    def get(self, path: str, **more: Any) -> httpx.Response:
        return httpx.get(self.address + path, timeout=60, **more)

    def post(self, path: str, content: Any, **more: Any) -> httpx.Response:
        return httpx.post(self.address + path, json=content, timeout=60, **more)

    def table(self, game: str, *seats: str | None, **more: Any) -> tuple[str, dict[str, str]]:
        """A new table: agents by spec or level, None for a person."""
        wanted = {"game": game, "seats": [{"agent": agent} for agent in seats], "pace": 0, **more}
        answer = self.post("/api/tables", wanted)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"], answer.json()["tokens"]

    @contextmanager
    def joined(self, table: str, token: str | None) -> Iterator[Player]:
        with connect(f"ws://127.0.0.1:{self.port}/ws/{table}", max_size=None) as socket:
            player = Player(socket)
            with suppress(ConnectionClosed):  # a table that is not there is said at once
                player.send(type="join", token=token, chances=True)
            yield player

    def finished(self, table: str) -> dict[str, Any]:
        """What the lobby says of a table once it is over."""
        for _ in range(6000):  # agents may have to be compiled first
            about = self.get(f"/api/tables/{table}").json()
            if about["status"] != "running":
                return about
            time.sleep(0.05)
        raise AssertionError(f"table {table} is still under way: {about}")


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, which refuses to work in a thread in which the browser's driver does."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class App:
    """What `boardwright web` answers with these options, in this process and with nobody to think: for claims about
    requests alone. Its tables are kept in the folder `matches`."""

    def __init__(self, **options: Any) -> None:
        Path("matches").mkdir()
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv(TABLES, "")  # set for workers, and put back
            self.app = make_app(ServePages(**options)._settings())

    def get(self, path: str) -> httpx.Response:
        return run_async(self._ask("GET", path))

    def post(self, path: str, content: Any) -> httpx.Response:
        return run_async(self._ask("POST", path, json=content))

    async def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **more)


class Player:
    """A script at a table."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.moved_at = -1  # the version of the position it has moved in
        self.sent: dict[str, Any] = {}  # its last move

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, kind: str | None = None, timeout: float = 300) -> dict[str, Any]:
        """The next message, or the next of a kind."""
        while True:
            message = json.loads(self.socket.recv(timeout))
            self.frames.append(message)
            if kind in (None, message["type"]):
                return message

    def turn(self) -> dict[str, Any]:
        """The table when it is this player's turn, or when the game is over. Who moves faster than the server allows
        waits and sends the move again."""
        while True:
            message = self.next()
            if message["type"] == "refused" and message["reason"].startswith("too many messages"):
                time.sleep(1.0)
                self.send(**self.sent)
            if message["type"] != "table":
                continue
            if message["status"] != "running" or (message["choices"] and message["version"] != self.moved_at):
                return message

    def move(self, table: dict[str, Any], action: int | None = None) -> None:
        chosen = table["choices"][0]["action"] if action is None else action
        self.moved_at = table["version"]
        self.sent = {"type": "move", "action": chosen, "version": table["version"]}
        self.send(**self.sent)


def patched(before: str, change: Patch) -> str:
    """What `patch` describes, as pages make it (static/patches.js)."""
    old, made = pieces(before), []
    for part in change:
        if isinstance(part, str):
            made.append(part)
        elif isinstance(part[1], str):
            made.append(part[1] + "\n" + old[part[0]].partition("\n")[2])
        else:
            made += old[part[0] : part[0] + part[1]]
    return "\n".join(made)
