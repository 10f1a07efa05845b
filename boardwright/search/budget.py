"""How long to think, and running searches side by side for that long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Literal

from boardwright.kernel.interrupts import interrupts_wait

SLICE = 0.02
"""Seconds between two looks at the clock; also how soon Ctrl-C is heeded."""
_FIRST_SLICE = 64
_SMALLEST_SLICE = 4
"""The first turn of each search under a time limit."""

MOST_ITERATIONS = 1_000_000_000
MOST_DETERMINIZATIONS = 10_000
MOST_SECONDS = 1_000_000
"""What a decision can be given at most: more is a slip of the hand, and would never come to an end."""

Advance = Callable[[int], None]
"""`advance(n)` adds n iterations to a search."""
Clock = Literal["wall", "cpu"]

CLOCKS: dict[Clock, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}


@dataclass(frozen=True)
class Budget:
    """A number of iterations, or a time."""

    iterations: int
    seconds: float | None = None
    clock: Clock = "wall"

    def share(self, parts: int) -> list[Budget]:
        """This budget divided among several searches. Those of a budget of time run in turns for all of it."""
        if self.seconds is not None:
            return [self] * parts
        even, rest = divmod(self.iterations, parts)
        return [Budget(even + (part < rest)) for part in range(parts)]


Work = tuple[Budget, Advance]


def spend(budget: Budget, searches: Sequence[Advance]) -> int:
    """Advance the searches, one after the other or in turns, until the budget of each is used up."""
    if budget.seconds is not None:
        return _spend_time(budget.seconds, CLOCKS[budget.clock], searches)
    return sum(_spend_iterations(budget.iterations, advance) for advance in searches)


def _spend_iterations(iterations: int, advance: Advance) -> int:
    """In slices that measure themselves, so that Ctrl-C is heeded between them."""
    done, slice_size = 0, _FIRST_SLICE
    while done < iterations:
        n = min(slice_size, iterations - done)
        before = time.perf_counter()
        advance(n)
        pace = n / max(time.perf_counter() - before, 1e-9)
        done += n
        slice_size = max(1, min(int(pace * SLICE), slice_size * 16))
    return done


def _spend_time(seconds: float, clock: Callable[[], float], searches: Sequence[Advance]) -> int:
    """The searches take turns, so that all get their share however short the time; the first turns are small, since
    nobody knows yet how long an iteration takes."""
    start, done, turn = clock(), 0, _SMALLEST_SLICE
    while True:
        before = clock()
        for advance in searches:
            advance(turn)
            done += turn
            now = clock()
            if now - start >= seconds:
                return done
        pace = len(searches) * turn / max(now - before, 1e-9)
        length = min(SLICE, start + seconds - now)
        turn = max(1, min(int(pace * length / len(searches)), 4 * turn))


def spend_together(searches: Sequence[Sequence[Work]], at_once: int) -> int:
    """Run searches on threads (compiled search holds no lock); returns all iterations done. A search is what each of
    its threads does; so many of them run side by side."""
    threads_of_search = list(zip(*searches, strict=True))
    groups = [work[first::at_once] for work in threads_of_search for first in range(min(at_once, len(work)))]
    if len(groups) == 1:
        return _spend_group(groups[0])
    stopped = threading.Event()

    def unless_stopped(advance: Advance) -> Advance:
        def step(n: int) -> None:
            if stopped.is_set():
                raise Stopped
            advance(n)

        return step

    pool = thread_pool(len(groups), os.getpid())
    guarded = [[(budget, unless_stopped(advance)) for budget, advance in group] for group in groups]
    running = []
    try:
        with interrupts_wait():  # a thread whose start is interrupted would keep the process from ending
            running += [pool.submit(_spend_group, group) for group in guarded]
        return sum(future.result() for future in running)
    except BaseException:  # Ctrl-C: the threads must not search on
        stopped.set()
        for future in running:
            future.cancel()
        raise


def _spend_group(work: Sequence[Work]) -> int:
    """What one thread does."""
    if work[0][0].seconds is not None:
        return spend(work[0][0], [advance for _, advance in work])
    return sum(spend(budget, [advance]) for budget, advance in work)


class Stopped(Exception):
    """Another search, or the user, has put an end to this one."""


@cache
def thread_pool(threads: int, process: int) -> ThreadPoolExecutor:
    """`process` keeps a forked child from using its parent's threads."""
    return ThreadPoolExecutor(threads, thread_name_prefix="search")
