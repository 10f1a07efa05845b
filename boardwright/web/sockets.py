"""The socket of a table: a page joins, receives what changes, and sends what its person does.

Positions are sent when the connection is ready for them: a slow page skips some and is never behind. Nothing that the
seat may not know is ever put into a message (views.py).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any, assert_never

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from boardwright.drawing import WIDE
from boardwright.errors import BoardwrightError
from boardwright.kernel import SPECTATOR
from boardwright.web import messages
from boardwright.web.limits import Limits
from boardwright.web.messages import BadMessage, Refused
from boardwright.web.own_files import FileBroken
from boardwright.web.patches import patch
from boardwright.web.specs import check_spec
from boardwright.web.table import Table
from boardwright.web.tables import Tables
from boardwright.web.views import EVERYTHING, View, layout_for

_CHAT_BURST, _CHAT_SECONDS = 5, 3.0
"""Lines of the chat at once, and seconds per line after that."""
_TO_JOIN = 20.0
"""Seconds within which a page must say who it is."""
_WAITING_MESSAGES = 200
_SPECTATORS_EVERY = 0.1
"""Seconds between what spectators are shown: quick answers of agents come with the moves that they answer."""
_DECISIONS_AT_ONCE = 2
REFUSED, TOO_MANY = 4400, 4429
"""Codes with which the server closes a socket: a first message that is none; a limit."""


class Connection:
    """One open page at a table."""

    def __init__(self, socket: WebSocket, table: Table, tables: Tables, limits: Limits) -> None:
        self.socket = socket
        self.table = table
        self.tables = tables
        self.limits = limits
        self.client = socket.client.host if socket.client else ""
        self.seat = SPECTATOR
        self.view: View = SPECTATOR
        self._wants_chances = False
        self._wants_patches = False
        self._wants_tips = False
        self._layout = WIDE
        self._picture_sent = self._text_sent = ""
        self._chat_allowed, self._chat_last = float(_CHAT_BURST), time.monotonic()
        self._dirty = True
        self._wake = asyncio.Event()
        self._queue: deque[messages.ToPage] = deque(maxlen=_WAITING_MESSAGES)
        self._log_sent = 0
        self._pending: set[asyncio.Task[None]] = set()

    # What the table calls

    def changed(self) -> None:
        self._dirty = True
        self._wake.set()

    def send(self, message: messages.ToPage) -> None:
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
        self.table.room.come_or_go(self, here=True)
        if self._wants_chances:
            self.send(messages.Chances(points=self.table.estimates.curve(self.view)))
        if self.table.room.chat:
            self.send(messages.Chat(lines=list(self.table.room.chat)))
        both = {asyncio.create_task(self._write()), asyncio.create_task(self._read())}
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.table.room.come_or_go(self, here=False)
            for task in (*both, *self._pending):
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
        self._wants_patches = first.patches
        self._wants_tips = first.tips
        self._layout = layout_for(first.width, first.touch, ())
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
                self.send(messages.Refusal(reason="too many messages; wait a moment"))
                await asyncio.sleep(0.05)
                continue
            allowed -= 1
            try:
                self._handle(messages.from_page(text))
            except BoardwrightError as error:
                self.send(messages.Refusal(reason=str(error)))

    def _handle(self, message: messages.FromPage) -> None:
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
                table.room.pause(seat, paused)
            case messages.Pace(seconds=seconds):
                table.set_pace(seat, seconds)
            case messages.Think(agent=agent):
                self._think(agent)
            case messages.Look(seat=wanted):
                self._look(wanted)
            case messages.Room():
                self._wants_tips = message.tips
                self._layout = layout_for(message.width, message.touch, message.toggled)
                self.changed()
            case messages.Ready():
                table.room.is_ready(seat)
            case messages.Sit():
                self._sit(message.seat, message.name)
            case messages.Fill():
                self._fill(message.seat, message.agent)
            case messages.Say(text=text):
                self._say(text)
            case messages.Rematch():
                if table.room.rematch:  # which has begun without them, or they have come back from it
                    self.follow(table.room.rematch, table.room.rematch_tokens)
                elif table.room.want_rematch(seat):
                    self._later(self._rematch())
            case messages.Answers():
                table.answer(seat, message)
            case messages.Ping():
                self.send(messages.Pong())
            case messages.Join():
                raise Refused("you are here already")
            case _:
                assert_never(message)

    def _sit(self, seat: int, name: str) -> None:
        if self.seat != SPECTATOR:
            raise Refused("you have a seat already")
        token = self.table.room.sit(seat, name)
        self.seat = self.view = seat
        self._log_sent = 0
        self.send(messages.Seated(table=self.table.id, seat=seat, token=token))
        self.table.room.come_or_go(self, here=True)

    def _fill(self, seat: int, agent: str) -> None:
        table = self.table
        spec = str(check_spec(agent, table.game, table.state.seats, self.limits, table.setup.options))
        table.room.fill(self.seat, seat, f"{agent.partition(':')[0]} {seat + 1}", spec)

    def _say(self, text: str) -> None:
        """A few lines at once, then one every few seconds."""
        now = time.monotonic()
        self._chat_allowed = min(_CHAT_BURST, self._chat_allowed + (now - self._chat_last) / _CHAT_SECONDS)
        self._chat_last = now
        if self._chat_allowed < 1:
            raise Refused("you say a lot; wait a moment")
        self._chat_allowed -= 1
        self.table.room.say(self.seat, text)

    async def _rematch(self) -> None:
        try:
            table, tokens = await self.tables.create_rematch(self.table)
        except BoardwrightError as error:
            self.send(messages.Refusal(reason=str(error)))
            return
        for viewer in list(self.table.room.viewers):
            viewer.follow(table.id, tokens)

    def follow(self, table: str, tokens: Mapping[int, str]) -> None:
        """The next game is at another table."""
        self.send(messages.Seated(table=table, seat=self.seat, token=tokens.get(self.seat, "")))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    def _look(self, wanted: int | None) -> None:
        if not self.table.is_open:
            raise Refused("while people play, everybody sees their own side only")
        if wanted is not None and wanted not in range(self.table.state.seats):
            raise Refused(f"there is no seat {wanted}")
        self.view = wanted
        self._log_sent = 0
        self.send(messages.Chances(points=self.table.estimates.curve(wanted)))
        self.changed()

    def _think(self, agent: str) -> None:
        if len(self._pending) >= _DECISIONS_AT_ONCE:
            raise Refused("agents are thinking for you already; wait for them")
        table = self.table
        spec = check_spec(agent, table.game, table.state.seats, self.limits, table.setup.options)
        self._later(self._decide(str(spec)))

    async def _decide(self, agent: str) -> None:
        try:
            self.send(await self.table.estimates.think(self.view, agent, self.client, self._compiles))
        except BoardwrightError as error:
            self.send(messages.Refusal(reason=str(error)))

    def _compiles(self, share: float) -> None:
        self.send(messages.Compiling(share=share))

    async def _write(self) -> None:
        shown_at = 0.0
        while True:
            await self._wake.wait()
            if self.seat == SPECTATOR and (early := shown_at + _SPECTATORS_EVERY - time.monotonic()) > 0:
                await asyncio.sleep(early)
            self._wake.clear()
            shown_at = time.monotonic()
            if self._dirty:
                self._dirty = False
                await _send(self.socket, self._snapshot())
                self._want_curve()
            while self._queue:
                await _send(self.socket, self._queue.popleft())

    def _want_curve(self) -> None:
        """Chances are estimated where somebody thinks about them: at one's own turn, at the end, and while watching."""
        state = self.table.state
        if self._wants_chances and (state.is_terminal or self.view is EVERYTHING or state.player == self.view):
            self.table.estimates.want_curve(self.view)

    def _snapshot(self) -> messages.TableShown:
        first = min(self._log_sent, len(self.table.log))
        self._log_sent = len(self.table.log)
        shown = self.table.shows.table(self.view, self.seat, first, self._layout, tips=self._wants_tips)
        return self._with_patches(shown) if self._wants_patches else shown

    def _with_patches(self, shown: messages.TableShown) -> messages.TableShown:
        """With what has changed of the picture and the text since the last message."""
        changes: dict[str, Any] = {}
        if (change := patch(self._picture_sent, shown.picture)) is not None:
            changes |= {"picture": "", "picture_patch": change}
        if (change := patch(self._text_sent, shown.text)) is not None:
            changes |= {"text": "", "text_patch": change}
        self._picture_sent, self._text_sent = shown.picture, shown.text
        return shown.model_copy(update=changes)


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
            await Connection(socket, table, self.tables, self.limits).run()
        except FileBroken as error:
            await _close(socket, REFUSED, str(error), final=False)  # the page tries again until the file is mended
        except BoardwrightError as error:
            await _close(socket, REFUSED, str(error))
        except TimeoutError:
            await _close(socket, REFUSED, f"no join within {_TO_JOIN:g} seconds")
        except WebSocketDisconnect:
            pass  # a page that is closed says no more than this
        finally:
            self.open -= 1


async def _send(socket: WebSocket, message: messages.ToPage) -> None:
    """WebSocketDisconnect if the other side has gone, however it went."""
    try:
        await socket.send_text(message.model_dump_json())
    except (RuntimeError, OSError):  # what Starlette and the transport say of a socket that is closed already
        raise WebSocketDisconnect from None


async def _close(socket: WebSocket, code: int, reason: str, *, final: bool = True) -> None:
    if socket.application_state == WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await _send(socket, messages.Refusal(reason=reason, final=final))
            await socket.close(code, reason[:100])
