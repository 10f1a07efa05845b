"""The processes in which agents think, so that pages are answered meanwhile.

A process that takes too long, or dies, is replaced; whoever waits for it is told.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from boardwright.errors import AgentFailed, BoardwrightError
from boardwright.processes import Child
from boardwright.web.worker import Job, serve

MOVES, QUESTIONS, ESTIMATES = range(3)
"""Who goes first: agents at tables, then what people ask, then curves. Of curves one is estimated at a time, so that
agents find a free process."""
_REMEMBERED = 4096


class Thinkers:
    """A few worker processes, each with one job at a time."""

    def __init__(self, count: int, *, patience: float, memory_mb: int) -> None:
        self._idle = [_Worker(patience, memory_mb) for _ in range(count)]
        self._all = list(self._idle)
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._ticket = itertools.count()
        self._estimating = asyncio.Lock()
        self._last: OrderedDict[str, _Worker] = OrderedDict()  # who has served a table before, and knows its agents

    def start(self) -> None:
        """Begin before anybody waits: a process needs a second until it can think."""
        for worker in self._all:
            worker.thread.submit(worker.begin)

    async def run(self, job: Job, *, table: str = "", priority: int = MOVES) -> Any:
        """A job's result; AgentFailed if it fails, takes too long or kills its process."""
        if priority == ESTIMATES:
            async with self._estimating:
                return await self._run(job, table, priority)
        return await self._run(job, table, priority)

    async def _run(self, job: Job, table: str, priority: int) -> Any:
        worker = await self._worker(table, priority)
        try:
            return await asyncio.get_running_loop().run_in_executor(worker.thread, worker.run, job)
        finally:
            self._idle.append(worker)
            self._wake_next()

    async def _worker(self, table: str, priority: int) -> _Worker:
        while not self._idle:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (priority, next(self._ticket), turn))
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

    def _wake_next(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return

    def forget(self, table: str) -> bool:
        """The table's agents are not needed any more; returns whether a worker knows them."""
        return self._last.pop(table, None) is not None

    def close(self) -> None:
        for worker in self._all:
            worker.end()
            worker.thread.shutdown(wait=False, cancel_futures=True)


class _Worker:
    """A process and the thread that waits for it."""

    def __init__(self, patience: float, memory_mb: int) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="thinking")
        self._patience = patience
        self._memory_mb = memory_mb
        self._child: Child | None = None

    def begin(self) -> Child:
        if self._child is None or not self._child.is_alive:
            self._child = Child(serve, memory_mb=self._memory_mb)
        return self._child

    def run(self, job: Job) -> Any:
        connection = self.begin().connection
        try:
            connection.send(job)
            if not connection.poll(self._patience):
                self.end()
                raise AgentFailed(f"no decision within {self._patience:g} seconds")
            well, result = connection.recv()
        except (EOFError, OSError):
            self.end()
            raise AgentFailed("the process in which the agent thought has died (killed, or out of memory)") from None
        if not well:
            raise BoardwrightError(result)
        return result

    def end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None
