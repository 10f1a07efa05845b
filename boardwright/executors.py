"""Executors: where work is done. In this process, on threads, in several processes, on Ray (ray_executor.py).

An executor applies a function to items and yields results as they come. Which results there are does not depend on the
executor, only their order may.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from concurrent.futures.thread import _threads_queues
from itertools import islice
from multiprocessing.process import BaseProcess
from typing import Any, Protocol, TypeVar

from boardwright.errors import AgentFailed, BoardwrightError

T = TypeVar("T")
R = TypeVar("R")

_BATCH_SECONDS = 0.1
"""Batches grow until they take about this long: then handing them over costs little."""
_LARGEST_BATCH = 512
_PATIENCE = 3.0
"""Seconds that a process gets to end when it is told to."""


class WorkerDied(AgentFailed):
    """A process of the executor is gone, and with it one of these items."""

    def __init__(self, message: str, items: list[Any]) -> None:
        super().__init__(message)
        self.items = items


class Executor(Protocol):
    """Where work is done. For another one, such as a batch system, write this one method."""

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield `function(item)` for every item, in any order. Function, items and results can be pickled.

        A BoardwrightError that the function raises is raised here, after the results that were finished before it.
        """
        ...


class InProcess:
    """Everything in this process, one after the other."""

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        return map(function, items)


class Threads:
    """Threads of this process, for compiled work that does not hold Python's lock."""

    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Whoever stops listening, as by Ctrl-C, does not wait: what is under way runs to its end unheard."""
        waiting: queue.SimpleQueue[T] = queue.SimpleQueue()
        results: queue.SimpleQueue[R | BaseException] = queue.SimpleQueue()
        stopped = threading.Event()
        expected = 0
        for item in items:
            waiting.put(item)
            expected += 1

        def work() -> None:
            while not stopped.is_set():
                try:
                    item = waiting.get_nowait()
                except queue.Empty:
                    return
                try:
                    results.put(function(item))
                except BaseException as error:
                    results.put(error)

        for _ in range(min(self.count, expected)):
            threading.Thread(target=work, daemon=True).start()
        try:
            for _ in range(expected):
                result = results.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            stopped.set()


class Processes:
    """Local processes. They end with this one, whatever happens to it."""

    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.count, mp_context=context, initializer=follow_parent)
        waiting = iter(items)
        running: dict[Future[tuple[list[R], float, BoardwrightError | None]], list[T]] = {}
        workers: list[BaseProcess] = []
        batch = 1
        failure: BoardwrightError | None = None
        try:
            while True:
                while failure is None and len(running) < 2 * self.count and (chunk := list(islice(waiting, batch))):
                    running[pool.submit(run_batch, function, chunk)] = chunk
                    workers = list(pool._processes.values())
                if not running:
                    if failure is not None:
                        raise failure
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    results, seconds, error = future.result()
                    del running[future]
                    yield from results
                    failure = failure or error
                    batch = next_batch_size(len(results), seconds)
        except BrokenProcessPool:
            raise WorkerDied(_how_it_ended(workers), [item for chunk in running.values() for item in chunk]) from None
        finally:
            _end(workers)
            pool.shutdown(wait=True, cancel_futures=True)


def _how_it_ended(workers: list[BaseProcess]) -> str:
    """Of processes of which one has died, after which the pool has ended the others."""
    codes = [code for code in map(_exit_code, workers) if code not in (None, -signal.SIGTERM)]
    code = codes[0] if codes else -signal.SIGTERM
    if code is not None and code >= 0:
        return f"a process that played games ended itself with exit code {code} (as os._exit does)"
    name = signal.Signals(-(code or 0)).name
    why = "killed, or out of memory" if code in (-signal.SIGKILL, -signal.SIGTERM) else "a crash in compiled code"
    return f"a process that played games was ended by {name} ({why})"


def _exit_code(worker: BaseProcess) -> int | None:
    """The pool's own thread waits for it, too: while that one has the answer and has not stored it, there is none."""
    deadline = time.monotonic() + _PATIENCE
    worker.join(_PATIENCE)
    while worker.exitcode is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return worker.exitcode


def _end(workers: list[BaseProcess]) -> None:
    """Also those that do not want to."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(_PATIENCE)
        if worker.is_alive():
            worker.kill()


def lasting_threads() -> set[threading.Thread]:
    """Threads that keep a process from ending: neither daemons nor a pool's, which Python ends itself."""
    return {
        thread
        for thread in threading.enumerate()
        if not thread.daemon and thread is not threading.main_thread() and thread not in _threads_queues
    }


def local_executor(jobs: int) -> Executor:
    """As many local processes as wanted; one is this process."""
    return InProcess() if jobs == 1 else Processes(jobs)


def follow_parent() -> None:
    """Ctrl-C is the parent's to handle; and when the parent is gone, so is the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def next_batch_size(done: int, seconds: float) -> int:
    """How many items to hand over at once, after so many took so long."""
    return max(1, min(_LARGEST_BATCH, int(done * _BATCH_SECONDS / max(seconds, 1e-6))))


def run_batch(function: Callable[[T], R], items: list[T]) -> tuple[list[R], float, BoardwrightError | None]:
    """The results up to the first that fails, how long they took, and the failure."""
    start = time.perf_counter()
    results = []
    for item in items:
        try:
            results.append(function(item))
        except BoardwrightError as error:
            return results, time.perf_counter() - start, error
    return results, time.perf_counter() - start, None
