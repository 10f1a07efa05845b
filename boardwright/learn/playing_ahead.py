"""A generation that is played on a thread of its own, elsewhere or here, while the learner is at work.

Its games are played with the weights that the learner had when it began, so they are one update old when they are
learned from, never more. That makes asynchronous training as repeatable as any other.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from boardwright.executors import Executor, ManyRuns
from boardwright.learn.generation import Generation

T = TypeVar("T")
R = TypeVar("R")


class GenerationAhead:
    """Begins to play when it is made; `result` waits for the games."""

    def __init__(self, play: Callable[[Executor], Generation], executor: Executor) -> None:
        if isinstance(executor, ManyRuns):
            executor.begin()
        self._executor = _UntilStopped(executor)
        self._results: queue.SimpleQueue[Generation | BaseException] = queue.SimpleQueue()
        threading.Thread(target=self._run, args=(play,), daemon=True).start()

    def result(self) -> Generation:
        played = self._results.get()
        if isinstance(played, BaseException):
            raise played
        return played

    def stop(self) -> None:
        """Nobody waits for the games any more: those under way are the last."""
        self._executor.stop()

    def _run(self, play: Callable[[Executor], Generation]) -> None:
        try:
            self._results.put(play(self._executor))
        except BaseException as error:
            self._results.put(error)


class _UntilStopped:
    """An executor whose runs can be ended from another thread."""

    def __init__(self, executor: Executor) -> None:
        self._executor, self._stopped = executor, threading.Event()

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        for result in self._executor.run(function, items):
            if self._stopped.is_set():
                return
            yield result

    def stop(self) -> None:
        self._stopped.set()
        if isinstance(self._executor, ManyRuns):
            self._executor.stop()
