"""The clocks of a table: how much time everybody has left, and what happens when it is up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence


class Clocks:
    """One per seat. `time_is_up(seat)` is called when a clock that runs has come to its end."""

    def __init__(self, left: Sequence[float], time_is_up: Callable[[int], None]) -> None:
        self.left = list(left)
        """Seconds, without what has passed since a clock was started."""
        self._time_is_up = time_is_up
        self._since: dict[int, float] = {}
        self._alarms: dict[int, asyncio.TimerHandle] = {}

    @property
    def running(self) -> bool:
        return bool(self._since)

    def start(self, seats: Iterable[int]) -> None:
        """Those of these seats that do not run yet."""
        for seat in seats:
            if seat not in self._since:
                self._since[seat] = time.monotonic()
                left = max(0.0, self.left[seat])
                self._alarms[seat] = asyncio.get_running_loop().call_later(left, self._ring, seat)

    def stop(self, seat: int | None = None) -> None:
        """One, or all."""
        for running in [seat] if seat is not None else list(self._since):
            if (since := self._since.pop(running, None)) is not None:
                self.left[running] -= time.monotonic() - since
            if (alarm := self._alarms.pop(running, None)) is not None:
                alarm.cancel()

    def now(self, seat: int) -> float:
        """What a seat has left at this moment."""
        since = self._since.get(seat)
        return self.left[seat] - (time.monotonic() - since if since is not None else 0.0)

    def _ring(self, seat: int) -> None:
        self._alarms.pop(seat, None)
        self._time_is_up(seat)
