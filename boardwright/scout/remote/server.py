"""The server: each engine that connects gets a thread and a session; slow, idle and broken ones are disconnected."""

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
from boardwright.scout.remote.frames import FrameTooLarge, Timeouts, receive_frame, send_frame, skip
from boardwright.scout.remote.session import AgentFactory, Counters, Log, Session

MAX_ENGINES = 64
"""Connected at once."""
_CLOSING_SECONDS = 2.0
"""Seconds for threads to end in; one that is in the middle of a search may not."""


class _Handler(socketserver.BaseRequestHandler):
    server: Server

    def handle(self) -> None:
        name = ":".join(map(str, self.client_address[:2]))
        server, connection = self.server, self.request

        def log(line: str) -> None:
            server.log(f"{name}: {line}")

        if not server.register(connection):
            log(f"refused: {MAX_ENGINES} engines are connected already")
            send_frame(connection, error_text("too many engines are connected"), server.timeouts)
            return
        session = Session(server.factory, log, server.counters)
        log("connected")
        try:
            self._serve(session)
            log("closed")
        except TimeoutError as error:
            log(f"disconnected: {error}")
        except OSError as error:
            log(f"lost: {error}")
        finally:
            session.close()
            server.unregister(connection)

    def _serve(self, session: Session) -> None:
        connection, timeouts = self.request, self.server.timeouts
        while True:
            try:
                data = receive_frame(connection, timeouts)
            except FrameTooLarge as error:
                session.log(f"refused a document: {error}")
                send_frame(connection, error_text(str(error)), timeouts)
                skip(connection, error.length, timeouts)
                continue
            if data is None:
                return
            send_frame(connection, session.reply(data), timeouts)


class Server(socketserver.ThreadingTCPServer):
    """Answers engines on a port until it is stopped."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self, factory: AgentFactory, host: str, port: int, *, log: Log = print, timeouts: Timeouts | None = None
    ) -> None:
        self.factory = factory
        self.log = log
        self.timeouts = timeouts or Timeouts()
        self.counters = Counters()
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise BoardwrightError(f"cannot listen on {host}, port {port}: {error.strerror}") from None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def register(self, connection: socket.socket) -> bool:
        with self._lock:
            if len(self._connections) >= MAX_ENGINES:
                return False
            self._connections.add(connection)
            return True

    def unregister(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)

    @property
    def engines(self) -> int:
        """How many are connected."""
        return len(self._connections)

    def close_connections(self) -> None:
        """Close all connections, and wait a moment for their threads."""
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        deadline = time.monotonic() + _CLOSING_SECONDS
        while self.engines and time.monotonic() < deadline:
            time.sleep(0.01)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that fails in another way ends alone, with a line in the log."""
        self.log(f"{client_address}: {sys.exc_info()[1]!r}")
