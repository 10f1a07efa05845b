"""How long to think, and running searches side by side for that long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

from boardwright.kernel.interrupts import interrupts_wait

SLICE = 0.02
"""Seconds between two looks at the clock; also how soon Ctrl-C is heeded."""
_FIRST_SLICE = 64


@dataclass(frozen=True)
class Budget:
    """A number of iterations, or a time."""

    iterations: int
    seconds: float | None = None

    def share(self, parts: int, at_once: int) -> list[Budget]:
        """This budget divided among searches of which `at_once` run at the same time."""
        if self.seconds is not None:
            rounds = -(-parts // at_once)
            return [Budget(self.iterations, self.seconds / rounds)] * parts
        even, rest = divmod(self.iterations, parts)
        return [Budget(even + (part < rest)) for part in range(parts)]


def spend(budget: Budget, advance: Callable[[int], None]) -> int:
    """Call `advance(n)` until the budget is used up, in slices that measure themselves."""
    start = time.perf_counter()
    most = budget.iterations if budget.seconds is None else 2**31 - 1
    done, slice_size = 0, _FIRST_SLICE
    while done < most:
        n = min(slice_size, most - done)
        before = time.perf_counter()
        advance(n)
        now = time.perf_counter()
        done += n
        length = SLICE
        if budget.seconds is not None:
            left = start + budget.seconds - now
            if left <= 0:
                break
            length = min(SLICE, left)
        pace = n / max(now - before, 1e-9)
        slice_size = max(1, min(int(pace * length), slice_size * 16))
    return done


def spend_together(work: Sequence[tuple[Budget, Callable[[int], None]]], threads: int) -> int:
    """Run several searches on threads (compiled search holds no lock); returns all iterations done."""
    if threads == 1 or len(work) == 1:
        return sum(spend(budget, advance) for budget, advance in work)
    stopped = threading.Event()

    def unless_stopped(advance: Callable[[int], None]) -> Callable[[int], None]:
        def step(n: int) -> None:
            if stopped.is_set():
                raise Stopped
            advance(n)

        return step

    pool = _pool(threads, os.getpid())
    running = []
    try:
        with interrupts_wait():  # a thread whose start is interrupted would keep the process from ending
            running += [pool.submit(spend, budget, unless_stopped(advance)) for budget, advance in work]
        return sum(future.result() for future in running)
    except BaseException:  # Ctrl-C: the threads must not search on
        stopped.set()
        for future in running:
            future.cancel()
        raise


class Stopped(Exception):
    """Another search, or the user, has put an end to this one."""


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """`process` keeps a forked child from using its parent's threads."""
    return ThreadPoolExecutor(threads, thread_name_prefix="search")
