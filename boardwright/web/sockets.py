"""The socket of a table: a page joins, hears what changes, and sends what its person does.

Positions are sent when the connection is ready for them: a slow page skips some and is never behind. Nothing that the
seat may not know is ever put into a message (views.py).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from boardwright.errors import BoardwrightError
from boardwright.kernel import SPECTATOR
from boardwright.web import messages
from boardwright.web.limits import Limits
from boardwright.web.messages import BadMessage
from boardwright.web.specs import check_spec
from boardwright.web.table import Refused, Table
from boardwright.web.tables import Tables
from boardwright.web.views import EVERYTHING, View

_TO_JOIN = 20.0
"""Seconds within which a page must say who it is."""
_WAITING_MESSAGES = 200
_THOUGHTS_AT_ONCE = 2
REFUSED, TOO_MANY = 4400, 4429
"""Codes with which the server closes a socket: a first message that is none; a limit."""


class Connection:
    """One open page at a table."""

    def __init__(self, socket: WebSocket, table: Table, limits: Limits) -> None:
        self.socket = socket
        self.table = table
        self.limits = limits
        self.client = socket.client.host if socket.client else ""
        self.seat = SPECTATOR
        self.view: View = SPECTATOR
        self._wants_chances = False
        self._dirty = True
        self._wake = asyncio.Event()
        self._queue: deque[dict[str, Any]] = deque(maxlen=_WAITING_MESSAGES)
        self._log_sent = 0
        self._thoughts: set[asyncio.Task[None]] = set()

    # What the table calls

    def changed(self) -> None:
        self._dirty = True
        self._wake.set()

    def tell(self, message: dict[str, Any]) -> None:
        self._queue.append(message)
        self._wake.set()

    def unseat(self, seat: int) -> None:
        """An agent has taken that seat."""
        if self.seat == seat:
            self.seat = SPECTATOR
            self.view = self.table.view_of(SPECTATOR)
            self._log_sent = 0

    # Life

    async def run(self) -> None:
        self._join(await asyncio.wait_for(self._receive(), _TO_JOIN))
        self.table.come_or_go(self, here=True)
        if self._wants_chances:
            self.tell({"type": "chances", "points": self.table.curve(self.view)})
        both = {asyncio.create_task(self._write()), asyncio.create_task(self._read())}
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.table.come_or_go(self, here=False)
            for task in (*both, *self._thoughts):
                task.cancel()

    async def _receive(self) -> str:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise BadMessage("messages are text")
        return str(text)

    def _join(self, text: str) -> None:
        first = messages.from_page(text)
        if not isinstance(first, messages.Join):
            raise BadMessage("the first message must be a join")
        self._wants_chances = first.chances
        self.seat = self.table.seat_of(first.token)
        self.view = self.table.view_of(self.seat)

    async def _read(self) -> None:
        allowed, last = float(self.limits.message_burst), time.monotonic()
        while True:
            text = await self._receive()
            now = time.monotonic()
            allowed = min(self.limits.message_burst, allowed + (now - last) * self.limits.messages_per_second)
            last = now
            if allowed < 1:
                self.tell({"type": "refused", "reason": "too many messages; wait a moment"})
                await asyncio.sleep(0.05)
                continue
            allowed -= 1
            try:
                self._hear(messages.from_page(text))
            except BoardwrightError as error:
                self.tell({"type": "refused", "reason": str(error)})

    def _hear(self, message: messages.FromPage) -> None:
        table, seat = self.table, self.seat
        match message:
            case messages.Move(action=action, version=version):
                table.move(seat, action, version)
            case messages.MoveSet():
                self.table.move_set(self.seat, message.places, message.version)
            case messages.TakeBack():
                table.take_back(seat)
            case messages.Resign():
                table.resign(seat)
            case messages.Pause(paused=paused):
                table.pause(seat, paused)
            case messages.Pace(seconds=seconds):
                table.set_pace(seat, seconds)
            case messages.Think(agent=agent):
                self._think(agent)
            case messages.Look(seat=wanted):
                self._look(wanted)
            case messages.Ping():
                self.tell({"type": "pong"})
            case messages.Join():
                raise Refused("you are here already")

    def _look(self, wanted: int | None) -> None:
        if not self.table.is_open:
            raise Refused("while people play, everybody sees their own side only")
        if wanted is not None and wanted not in range(self.table.state.seats):
            raise Refused(f"there is no seat {wanted}")
        self.view = wanted
        self._log_sent = 0
        self.tell({"type": "chances", "points": self.table.curve(wanted)})
        self.changed()

    def _think(self, agent: str) -> None:
        if len(self._thoughts) >= _THOUGHTS_AT_ONCE:
            raise Refused("agents are thinking for you already; wait for them")
        table = self.table
        spec = check_spec(agent, table.game, table.state.seats, self.limits, table.setup.options)
        task = asyncio.create_task(self._thought(str(spec)))
        self._thoughts.add(task)
        task.add_done_callback(self._thoughts.discard)

    async def _thought(self, agent: str) -> None:
        try:
            self.tell(await self.table.think(self.view, agent, self.client, self._compiles))
        except BoardwrightError as error:
            self.tell({"type": "refused", "reason": str(error)})

    def _compiles(self, share: float) -> None:
        self.tell({"type": "compiling", "share": share})

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._dirty:
                self._dirty = False
                await self._send(self._snapshot())
                self._want_curve()
            while self._queue:
                await self._send(self._queue.popleft())

    def _want_curve(self) -> None:
        """Chances are estimated where somebody thinks about them: at one's own turn, at the end, and while watching."""
        state = self.table.state
        if self._wants_chances and (state.is_terminal or self.view is EVERYTHING or state.player == self.view):
            self.table.want_curve(self.view)

    def _snapshot(self) -> dict[str, Any]:
        table = self.table
        self._log_sent = min(self._log_sent, len(table.log))
        message = table.snapshot(self.view)
        message["seat"] = self.seat
        message["log_from"] = self._log_sent
        message["log"] = table.told(self.view, self._log_sent)
        self._log_sent = len(table.log)
        return message

    async def _send(self, message: dict[str, Any]) -> None:
        await _send(self.socket, json.dumps(message, ensure_ascii=False, separators=(",", ":")))


class Sockets:
    """All connections, counted."""

    def __init__(self, tables: Tables, limits: Limits) -> None:
        self.tables = tables
        self.limits = limits
        self.open = 0

    async def serve(self, socket: WebSocket) -> None:
        try:
            await socket.accept()
        except (RuntimeError, OSError):
            return  # it has gone before it was here
        if self.open >= self.limits.connections:
            await _close(socket, TOO_MANY, f"there are {self.limits.connections} open pages already")
            return
        self.open += 1
        try:
            table = await self.tables.get(socket.path_params["table"])
            await Connection(socket, table, self.limits).run()
        except BoardwrightError as error:
            await _close(socket, REFUSED, str(error))
        except TimeoutError:
            await _close(socket, REFUSED, f"no join within {_TO_JOIN:g} seconds")
        except WebSocketDisconnect:
            pass  # a page that is closed says no more than this
        finally:
            self.open -= 1


async def _send(socket: WebSocket, text: str) -> None:
    """WebSocketDisconnect if the other side has gone, however it went."""
    try:
        await socket.send_text(text)
    except (RuntimeError, OSError):  # what Starlette and the transport say of a socket that is closed already
        raise WebSocketDisconnect from None


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state == WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await _send(socket, json.dumps({"type": "refused", "reason": reason, "final": True}))
            await socket.close(code, reason[:100])
