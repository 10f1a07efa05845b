"""Requests that are begun and not sent to their end: they do not keep a connection for ever."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol


class ImpatientHTTP(H11Protocol):
    """Closes a connection on which the head of a request does not arrive."""

    seconds: ClassVar[float]
    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_is_missing:
            self._watch()
        else:
            self._calm()

    @property
    def _head_is_missing(self) -> bool:
        """Whether bytes have come, but no request that is being answered."""
        taken_over = self.transport.get_protocol() is not self  # by a socket
        return not taken_over and (self.cycle is None or self.cycle.response_complete)

    def _watch(self) -> None:
        if self._alarm is None:
            self._alarm = self.loop.call_later(self.seconds, self._give_up)

    def _calm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _give_up(self) -> None:
        self._alarm = None
        if not self.transport.is_closing():
            self.transport.close()


def impatient_http(seconds: float) -> type[ImpatientHTTP]:
    """The protocol with so many seconds for the head of a request."""
    return type("ImpatientHTTP", (ImpatientHTTP,), {"seconds": seconds})
