"""The processes in which agents think, so that pages are answered meanwhile.

A process that takes too long, or dies, is replaced, and its job fails. Time that is needed to compile an agent's code
does not count; whoever waits can follow how far that is.

Whoever waits for a process is served in turn: of equal priority, the client who has had the fewest jobs goes first.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any

from boardwright.errors import AgentFailed, BoardwrightError
from boardwright.processes import Child
from boardwright.web.worker import Answer, Begun, Compiling, Failure, Job, serve

MOVES, QUESTIONS, ESTIMATES = range(3)
"""Who goes first: agents at tables, then what people ask, then curves. Of curves one is estimated at a time, so that
agents find a free process."""
_REMEMBERED = 4096
_LONGEST_SILENCE = 900.0
"""Seconds without a message from a process that compiles or loads."""
Progress = Callable[[float], None]


class WorkerPool:
    """A few worker processes, each with one job at a time."""

    def __init__(self, count: int, *, patience: float, memory_mb: int) -> None:
        self._idle = [_Worker(patience, memory_mb) for _ in range(count)]
        self._all = list(self._idle)
        self._waiting: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._ticket = itertools.count()
        self._round = 0  # of serving everybody who waits once
        self._rounds: OrderedDict[str, int] = OrderedDict()  # the one in which each client's last job is served
        self._estimating = asyncio.Lock()
        self._last: OrderedDict[str, _Worker] = OrderedDict()  # who has served a table before, and knows its agents

    def start(self) -> None:
        """Begin before anybody waits: a process needs a second until it can think."""
        for worker in self._all:
            worker.thread.submit(worker.begin)

    async def run(
        self,
        job: Job,
        *,
        table: str = "",
        priority: int = MOVES,
        client: str = "",
        compiling: Progress = lambda share: None,
    ) -> Any:
        """A job's result; AgentFailed if it fails, takes too long or kills its process. `client`: who wants it;
        `compiling` is called with how much of its code is compiled, if that has to be done first."""
        if priority == ESTIMATES:
            async with self._estimating:
                return await self._run(job, table, priority, client, compiling)
        return await self._run(job, table, priority, client, compiling)

    async def _run(self, job: Job, table: str, priority: int, client: str, compiling: Progress) -> Any:
        worker = await self._worker(table, priority, client)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(worker.thread, worker.run, job, partial(_report, loop, compiling))
        finally:
            self._idle.append(worker)
            self._wake_next()

    async def _worker(self, table: str, priority: int, client: str) -> _Worker:
        while not self._idle:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (priority, self._next_round(client), next(self._ticket), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._wake_next()
                raise
        known = self._last.get(table)
        worker = known if known in self._idle and known is not None else self._idle[0]
        self._idle.remove(worker)
        if table:
            self._last[table] = worker
            self._last.move_to_end(table)
            if len(self._last) > _REMEMBERED:
                self._last.popitem(last=False)
        return worker

    def _next_round(self, client: str) -> int:
        """The round in which a client's next job is served: the one after their last job, or the one under way."""
        mine = max(self._round, self._rounds.get(client, -1) + 1)
        self._rounds[client] = mine
        self._rounds.move_to_end(client)
        if len(self._rounds) > _REMEMBERED:
            self._rounds.popitem(last=False)
        return mine

    def _wake_next(self) -> None:
        while self._waiting:
            _, turn_round, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._round = max(self._round, turn_round)
                turn.set_result(None)
                return

    def forget(self, table: str) -> bool:
        """The table's agents are not needed any more; returns whether a worker knows them."""
        return self._last.pop(table, None) is not None

    def close(self) -> None:
        for worker in self._all:
            worker.end()
            worker.thread.shutdown(wait=False, cancel_futures=True)


def _report(loop: asyncio.AbstractEventLoop, progress: Progress, share: float) -> None:
    """From the thread that waits for a process."""
    loop.call_soon_threadsafe(progress, share)


class _Worker:
    """A process and the thread that waits for it."""

    def __init__(self, patience: float, memory_mb: int) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="thinking")
        self._patience = patience
        self._memory_mb = memory_mb
        self._child: Child | None = None
        self._ending = Lock()

    def begin(self) -> Child:
        if self._child is None or not self._child.is_alive:
            self._child = Child(serve, memory_mb=self._memory_mb)
        return self._child

    def run(self, job: Job, compiling: Progress) -> Any:
        connection = self.begin().connection
        try:
            connection.send(job)
            left = _LONGEST_SILENCE
            while True:
                if not connection.poll(left):
                    self.end()
                    raise AgentFailed(f"no decision within {left:g} seconds")
                match connection.recv():
                    case Compiling(share):
                        compiling(share)
                    case Begun():
                        left = self._patience
                    case Answer(result):
                        return result
                    case Failure(reason):
                        raise BoardwrightError(reason)
        except (EOFError, OSError):
            self.end()
            raise AgentFailed("the process in which the agent thought has died (killed, or out of memory)") from None

    def end(self) -> None:
        """Called by the thread that waits, when the process dies, and by the event loop when the server stops."""
        with self._ending:
            child, self._child = self._child, None
        if child is not None:
            child.kill()
