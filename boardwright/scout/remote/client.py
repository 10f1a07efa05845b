"""The other end of the wire: a client that asks a server, and an agent that plays by it.

This is what an engine has to do, in a page; `remote:port=4711` lets a seat of our own games be played so.
"""

from __future__ import annotations

import socket
from typing import Any, ClassVar

from boardwright.agents import param
from boardwright.errors import BoardwrightError
from boardwright.scout.documents.writing import document_text, game_over_text
from boardwright.scout.problems.answering import ByProblems
from boardwright.scout.problems.problem import Choice, Problem
from boardwright.scout.remote.frames import Patience, receive_frame, send_frame
from boardwright.scout.remote.messages import read_choice


class Connection:
    """A connection to a server: ask it problems, tell it how games end."""

    def __init__(self, host: str, port: int, patience: Patience | None = None) -> None:
        self.patience = patience or Patience(silence=600)
        try:
            self.link = socket.create_connection((host, port), timeout=self.patience.frame)
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise BoardwrightError(f"nobody answers at {host}, port {port}: {error.strerror or error}") from None

    def say(self, text: str) -> bytes:
        """Send a document and wait for the answer."""
        try:
            send_frame(self.link, text, self.patience)
            reply = receive_frame(self.link, self.patience)
        except OSError as error:
            raise BoardwrightError(f"the server does not answer: {error}") from None
        if reply is None:
            raise BoardwrightError("the server has hung up")
        return reply

    def ask(self, problem: Problem) -> Choice:
        return read_choice(self.say(document_text(problem)))

    def game_over(self, won: bool, score: int, opponent: int) -> None:
        self.say(game_over_text(won, score, opponent))

    def close(self) -> None:
        self.link.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Remote(ByProblems):
    """Asks a server (`boardwright scout serve`) what to play, in documents."""

    games: ClassVar[tuple[str, ...]] = ("race",)
    host: str = param("127.0.0.1", "where the server runs")
    port: int = param(4711, "the port it listens on", ge=1, le=65535)

    def prepare(self) -> None:
        super().prepare()
        self._connection: Connection | None = None

    def choose(self, problem: Problem) -> Choice:
        if self._connection is None:
            self._connection = Connection(self.host, self.port)
        return self._connection.ask(problem)

    def game_over(self, won: bool, score: int, opponent: int) -> None:
        if self._connection is not None:
            self._connection.game_over(won, score, opponent)
