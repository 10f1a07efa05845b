"""Where games are played: in this process, or in several."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.errors import AgentFailed, BoardwrightError

_BATCH_SECONDS = 0.1
_LARGEST_BATCH = 512


def play_games(match: Match, indices: Sequence[int], jobs: int = 1) -> Iterator[GameRecord]:
    """The games of a match, as they finish. Which ones, and how they go, does not depend on `jobs`."""
    if jobs == 1 or len(indices) <= 1:
        for index in indices:
            yield match.play(index)
    else:
        yield from _play_in_processes(match, indices, min(jobs, len(indices)))


def _play_in_processes(match: Match, indices: Sequence[int], jobs: int) -> Iterator[GameRecord]:
    executor = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_follow_parent)
    waiting = iter(indices)
    running: set[Future[tuple[list[GameRecord], float, BoardwrightError | None]]] = set()
    batch = 1
    failure: BoardwrightError | None = None
    try:
        while True:
            while failure is None and len(running) < 2 * jobs and (chunk := list(islice(waiting, batch))):
                running.add(executor.submit(_play_batch, match, chunk))
            if not running:
                if failure is not None:
                    raise failure
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                records, seconds, error = future.result()
                yield from records
                failure = failure or error
                batch = max(1, min(_LARGEST_BATCH, int(len(records) * _BATCH_SECONDS / max(seconds, 1e-6))))
    except BrokenProcessPool:
        raise AgentFailed("a worker process died in the middle of a game (killed, or out of memory)") from None
    finally:
        for process in list((executor._processes or {}).values()):
            process.terminate()
        executor.shutdown(wait=True, cancel_futures=True)


def _follow_parent() -> None:
    """Ctrl-C is the parent's to handle; and when the parent is gone, so is the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def _play_batch(match: Match, indices: list[int]) -> tuple[list[GameRecord], float, BoardwrightError | None]:
    """The games up to the first that fails, how long they took, and the failure."""
    start = time.perf_counter()
    records = []
    for index in indices:
        try:
            records.append(match.play(index))
        except BoardwrightError as error:
            return records, time.perf_counter() - start, error
    return records, time.perf_counter() - start, None
