"""The client: what an engine has to do, on one page; and the agent `remote`, which plays by asking a server."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Any, ClassVar

from boardwright.agents import param
from boardwright.errors import BoardwrightError
from boardwright.kernel import Observation
from boardwright.scout.documents.writing import document_text, game_over_text
from boardwright.scout.problems.answering import ProblemAgent
from boardwright.scout.problems.problem import Choice, Problem
from boardwright.scout.remote.frames import Timeouts, receive_frame, send_frame
from boardwright.scout.remote.messages import read_choice


class Connection:
    """A connection to a server: ask it problems, report how games end."""

    def __init__(self, host: str, port: int, timeouts: Timeouts | None = None) -> None:
        self.timeouts = timeouts or Timeouts(idle=600)
        try:
            self.socket = socket.create_connection((host, port), timeout=self.timeouts.frame)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise BoardwrightError(f"nobody answers at {host}, port {port}: {error.strerror or error}") from None

    def request(self, text: str) -> bytes:
        """Send a document and wait for the answer."""
        try:
            send_frame(self.socket, text, self.timeouts)
            reply = receive_frame(self.socket, self.timeouts)
        except OSError as error:
            raise BoardwrightError(f"the server does not answer: {error}") from None
        if reply is None:
            raise BoardwrightError("the server has closed the connection")
        return reply

    def ask(self, problem: Problem) -> Choice:
        return read_choice(self.request(document_text(problem)))

    def game_over(self, won: bool | None, score: int, opponent: int) -> None:
        """`won` is None for a tie."""
        self.request(game_over_text(won, score, opponent))

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Remote(ProblemAgent):
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

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        if self._connection is not None:
            (mine, other), (my_return, other_return) = (
                (values[self.seat], values[1 - self.seat]) for values in (scores, returns)
            )
            won = None if my_return == other_return else my_return > other_return
            self._connection.game_over(won, int(mine), int(other))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
