"""The server: engines connect, each gets a thread and a session; slow, silent and broken ones are let go."""

from __future__ import annotations

import socket
import socketserver
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from boardwright.errors import BoardwrightError
from boardwright.scout.documents.writing import error_text
from boardwright.scout.remote.frames import Patience, TooLarge, receive_frame, send_frame, skip
from boardwright.scout.remote.session import Log, Player, Session, Tally

MOST_ENGINES = 64
"""Connected at once."""
_GOODBYE = 2.0
"""Seconds for threads to end in; one that is in the middle of a search may not."""


class _Handler(socketserver.BaseRequestHandler):
    server: Server

    def handle(self) -> None:
        name = ":".join(map(str, self.client_address[:2]))
        server, link = self.server, self.request

        def log(line: str) -> None:
            server.log(f"{name}: {line}")

        if not server.enter(link):
            log(f"refused: {MOST_ENGINES} engines are connected already")
            send_frame(link, error_text("too many engines are connected"), server.patience)
            return
        session = Session(server.player, log, server.tally)
        log("connected")
        try:
            self._converse(session)
            log("hung up")
        except TimeoutError as error:
            log(f"let go: {error}")
        except OSError as error:
            log(f"lost: {error}")
        finally:
            server.leave(link)

    def _converse(self, session: Session) -> None:
        link, patience = self.request, self.server.patience
        while True:
            try:
                data = receive_frame(link, patience)
            except TooLarge as error:
                session.log(f"refused a document: {error}")
                send_frame(link, error_text(str(error)), patience)
                skip(link, error.length, patience)
                continue
            if data is None:
                return
            send_frame(link, session.reply(data), patience)


class Server(socketserver.ThreadingTCPServer):
    """Answers engines on a port until it is stopped."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self, player: Player, host: str, port: int, *, log: Log = print, patience: Patience | None = None
    ) -> None:
        self.player = player
        self.log = log
        self.patience = patience or Patience()
        self.tally = Tally()
        self._links: set[socket.socket] = set()
        self._lock = threading.Lock()
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise BoardwrightError(f"cannot listen on {host}, port {port}: {error.strerror}") from None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def enter(self, link: socket.socket) -> bool:
        with self._lock:
            if len(self._links) >= MOST_ENGINES:
                return False
            self._links.add(link)
            return True

    def leave(self, link: socket.socket) -> None:
        with self._lock:
            self._links.discard(link)

    @property
    def engines(self) -> int:
        """How many are connected."""
        return len(self._links)

    def hang_up(self) -> None:
        """End all conversations, and wait a moment for their threads."""
        with self._lock:
            for link in self._links:
                with suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)
        patience = time.monotonic() + _GOODBYE
        while self.engines and time.monotonic() < patience:
            time.sleep(0.01)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that fails in some other way ends alone, with a line."""
        self.log(f"{client_address}: {sys.exc_info()[1]!r}")
