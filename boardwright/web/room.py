"""Who is at a table: open pages, seats that are taken and left, the chat, and what people agree on."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from boardwright.blame import printable
from boardwright.kernel import SPECTATOR
from boardwright.web import messages
from boardwright.web.messages import Refused
from boardwright.web.store import RUNNING, Seat, token_digest
from boardwright.web.views import View

if TYPE_CHECKING:
    from boardwright.web.table import Table

AWAY = 60.0
"""Seconds after which an agent may take the seat of somebody who has gone."""
_CHAT_LINES = 100


class Viewer(Protocol):
    """An open page, of a player or a spectator."""

    seat: int
    view: View

    def changed(self) -> None: ...

    def send(self, message: messages.ToPage) -> None: ...

    def unseat(self, seat: int) -> None: ...

    def follow(self, table: str, tokens: Mapping[int, str]) -> None: ...


class Room:
    def __init__(self, table: Table) -> None:
        self._table = table
        self.viewers: set[Viewer] = set()
        self.touched = self._opened = time.monotonic()
        self.ready: set[int] = set()
        """People who are ready to begin."""
        self.chat: deque[messages.ChatLine] = deque(maxlen=_CHAT_LINES)
        self.wants_pause: set[int] = set()
        """Seats of people, or SPECTATOR where only agents play."""
        self.wants_rematch: set[int] = set()
        self.rematch = ""
        """The table at which the same players play the next game."""
        self.rematch_tokens: Mapping[int, str] = {}
        """The secrets of that table by the seats of this one, for those who come later."""
        self.wants_back: set[int] = set()
        self.back_of: int | None = None
        """Whose move is to be taken back, if those in `wants_back` have their way."""
        self._gone: dict[int, float] = {}  # since when a person is not here

    # Pages

    def changed(self) -> None:
        """Something is to be shown."""
        self.touched = time.monotonic()
        for viewer in self.viewers:
            viewer.changed()

    def come_or_go(self, viewer: Viewer, here: bool) -> None:
        """Somebody opens or closes their page; the others see it."""
        (self.viewers.add if here else self.viewers.discard)(viewer)
        self.touched = time.monotonic()
        for seat in self._table.people:
            if self.is_here(seat):
                self._gone.pop(seat, None)
            else:
                self._gone.setdefault(seat, self.touched)
        for other in self.viewers:
            other.changed()

    def is_here(self, seat: int) -> bool:
        return any(viewer.seat == seat for viewer in self.viewers)

    def say(self, seat: int, text: str) -> None:
        """A line of the chat."""
        name = "a spectator" if seat == SPECTATOR else self._table.name(seat)
        line = messages.ChatLine(seat=seat, name=name, text=printable(" ".join(text.split()), 300))
        self.chat.append(line)
        self.touched = time.monotonic()
        for viewer in self.viewers:
            viewer.send(messages.Chat(lines=[line]))

    # Seats

    def sit(self, seat: int, name: str) -> str:
        """Somebody takes a seat that is open; returns its secret."""
        table = self._table
        if seat not in range(table.state.seats) or not table.setup.seats[seat].is_free:
            raise Refused("that seat is taken; choose another")
        table.check_running()
        token = secrets.token_urlsafe(24)
        name = self._own_name(name.strip() or f"Player {seat + 1}", seat)
        table.reseat(seat, Seat(name, token_digest=token_digest(token), open=True))
        self.changed()
        table.go_on()
        return token

    def fill(self, by: int, seat: int, name: str, spec: str) -> None:
        """An agent takes a seat that nobody has taken, or whose player has been away for a while."""
        table = self._table
        table.check_playing(by)
        if seat not in table.people:
            raise Refused("there is nobody to be replaced")
        gone = time.monotonic() - self._gone.get(seat, self._opened)
        if not table.setup.seats[seat].is_free and (self.is_here(seat) or gone < AWAY):
            raise Refused(f"{table.name(seat)} plays there; after {AWAY:g} seconds without them an agent may")
        self.give_to_agent(seat, Seat(self._own_name(name, seat), spec))

    def give_to_agent(self, seat: int, agent: Seat) -> None:
        table = self._table
        table.clock.stop(seat)
        table.choosing.chosen.pop(seat, None)
        table.reseat(seat, agent)
        self.wants_pause.discard(seat)
        self.ready.discard(seat)
        for viewer in self.viewers:
            viewer.unseat(seat)
        self.changed()
        table.go_on()

    def _own_name(self, name: str, seat: int) -> str:
        """A name that nobody else has."""
        while name in (player.name for other, player in enumerate(self._table.setup.seats) if other != seat):
            name += "′"
        return name

    # What people agree on

    def is_ready(self, seat: int) -> None:
        self._table.check_playing(seat)
        self.ready.add(seat)
        self.changed()
        self._table.go_on()

    @property
    def waiting_for(self) -> list[int]:
        """The seats that the game waits for before it begins: nobody has taken them, or they are not ready."""
        table = self._table
        if table.status != RUNNING or len(table.actions) > table.setup.branched:
            return []
        free = [seat for seat in table.people if table.setup.seats[seat].is_free]
        unready = table.setup.ready_check and len(table.people) > 1
        return sorted({*free, *(seat for seat in table.people if unready and seat not in self.ready)})

    def want_rematch(self, seat: int) -> bool:
        """Whether everybody who is there wants another game now."""
        table = self._table
        if seat == SPECTATOR and table.people:
            raise Refused("only those who play can do that")
        if table.status == RUNNING:
            raise Refused("the game is not over")
        self.wants_rematch.add(seat)
        self.changed()
        return self.wants_rematch >= {seat for seat in table.people if self.is_here(seat)}

    def pause(self, seat: int, paused: bool) -> None:
        """The game pauses when everybody who plays wants that; until then it goes on, and clocks run."""
        table = self._table
        if seat == SPECTATOR and table.people:
            raise Refused("only those who play can pause")
        table.check_running()
        table.clock.stop()
        if paused:
            self.wants_pause.add(seat)
        else:
            self.wants_pause.clear()
        self.changed()
        table.go_on()

    @property
    def paused(self) -> bool:
        return bool(self.wants_pause) and self.wants_pause >= set(self._table.people)

    def want_back(self, seat: int) -> int | None:
        """Whose last decision is taken back now, if all who play want that; None: others have yet to agree."""
        table = self._table
        if table.people == [seat]:
            return seat
        own = self.back_of if self.back_of is not None else seat
        if not any(entry.seat == own and not entry.forced for entry in table.log):
            raise Refused("there is nothing to take back")
        self.back_of = own
        self.wants_back.add(seat)
        if self.wants_back >= set(table.people):
            return own
        self.changed()
        return None

    def nobody_wants_back(self) -> None:
        self.wants_back, self.back_of = set(), None
