"""The connections of a server: how many there may be, and who has to go when there are too many.

A newcomer gets the place of the engine that has been silent for longest: first of those that have never said anything,
then of those that have not for a while. Who is waiting for an answer stays.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

MAX_ENGINES = 64
"""Engines that are connected at once."""
MAX_PER_ADDRESS = 32
"""Engines that are connected from one address."""
SAFE_SECONDS = 60.0
"""An engine that has asked a question is not dropped for a newcomer before it has been silent for so long."""
SAFE_SECONDS_AT_FIRST = 2.0
"""An engine that has just connected has so long to ask its first question."""


@dataclass(eq=False)
class Link:
    """A connection, and when its last message came."""

    connection: socket.socket
    address: str
    last_message: float = field(default_factory=time.monotonic)
    """When its last question came in."""
    silent_since: float = field(default_factory=time.monotonic)
    """When its last answer went out."""
    has_asked: bool = False
    is_answered: bool = False
    """Whether an answer to it is under way."""
    dropped: bool = False
    """Whether it had to go for another."""

    @contextmanager
    def answering(self) -> Iterator[None]:
        self.has_asked = self.is_answered = True
        self.last_message = time.monotonic()
        try:
            yield
        finally:
            self.silent_since, self.is_answered = time.monotonic(), False

    def can_go(self, now: float) -> bool:
        safe = SAFE_SECONDS if self.has_asked else SAFE_SECONDS_AT_FIRST
        return not self.is_answered and not self.dropped and now - self.silent_since >= safe

    def shut_down(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


class Connections:
    """All links of a server; safe to use from several threads."""

    def __init__(self) -> None:
        self._links: set[Link] = set()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._links)

    def add(self, connection: socket.socket, address: str) -> Link | None:
        """A link for a newcomer; None if there is no room for it."""
        with self._lock:
            neighbours = {link for link in self._links if link.address == address}
            for links, most in ((neighbours, MAX_PER_ADDRESS), (self._links, MAX_ENGINES)):
                if len(links) >= most and not self._drop_idlest(links):
                    return None
            link = Link(connection, address)
            self._links.add(link)
            return link

    def _drop_idlest(self, links: set[Link]) -> bool:
        """Disconnect the one that has been silent for longest; whether there is one that can go."""
        now = time.monotonic()
        idle = [link for link in links if link.can_go(now)]
        if not idle:
            return False
        idlest = min(idle, key=lambda link: (link.has_asked, link.last_message))
        idlest.dropped = True
        self._links.discard(idlest)
        idlest.shut_down()
        return True

    def remove(self, link: Link) -> None:
        with self._lock:
            self._links.discard(link)

    def close_all(self) -> None:
        with self._lock:
            for link in self._links:
                link.shut_down()
