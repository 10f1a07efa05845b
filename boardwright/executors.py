"""Executors: where work is done. In this process, on threads, in several processes, on Ray (ray_executor.py).

An executor applies a function to items and yields results as they come. Which results there are does not depend on the
executor, only their order may.
"""

from __future__ import annotations

import multiprocessing.connection
import pickle
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Protocol, TypeVar, runtime_checkable

from boardwright.errors import AgentFailed, BadSpec, BoardwrightError
from boardwright.processes import Child, end_all

T = TypeVar("T")
R = TypeVar("R")

_BATCH_SECONDS = 0.1
"""Batches grow until they take about this long: then handing them over costs little."""
_LARGEST_BATCH = 512
_RUNS_AT_ONCE = 32
_IN_FLIGHT = 2
"""Batches per process that are handed out: one is worked on while the next waits."""


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


@runtime_checkable
class ManyRuns(Executor, Protocol):
    """An executor that does several runs at the same time, each asked for by a thread of its own."""

    def begin(self) -> None:
        """Get ready for them, in the thread that waits for all."""
        ...

    def stop(self) -> None:
        """Interrupt all of them, as Ctrl-C would."""
        ...


def together(function: Callable[[T], R], items: Sequence[T], executor: Executor) -> Iterator[tuple[T, R]]:
    """`function(item)` for runs of an executor: all at once if it can do several, else one after the other."""
    if not isinstance(executor, ManyRuns):
        yield from ((item, function(item)) for item in items)
        return
    executor.begin()
    with ThreadPoolExecutor(min(_RUNS_AT_ONCE, max(1, len(items)))) as pool:
        running = {pool.submit(function, item): item for item in items}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        except BaseException:
            for future in running:
                future.cancel()
            executor.stop()
            raise


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
        packed, waiting = _packed(function), iter(items)
        children: list[Child] = []
        running: dict[Child, list[list[T]]] = {}
        batch = 1
        failure: BoardwrightError | None = None
        try:
            while True:
                while failure is None and sum(map(len, running.values())) < _IN_FLIGHT * self.count:
                    chunk = list(islice(waiting, batch))
                    if not chunk:
                        break
                    if len(children) < self.count:
                        children.append(Child(_work, packed, daemon=False))
                        running[children[-1]] = []
                    child = min(children, key=lambda child: len(running[child]))
                    running[child].append(chunk)
                    with suppress(OSError):  # it is dead, which is seen below
                        child.connection.send(chunk)
                busy = [child for child in children if running[child]]
                if not busy:
                    if failure is not None:
                        raise failure
                    return
                connections = {child.connection: child for child in busy}
                for connection in multiprocessing.connection.wait(list(connections)):
                    child = connections[connection]  # type: ignore[index]
                    results, seconds, error = self._answer(child, running)
                    running[child].pop(0)
                    yield from results
                    failure = failure or error
                    batch = next_batch_size(len(results), seconds)
        finally:
            end_all(children)

    def _answer(self, child: Child, running: dict[Child, list[list[T]]]) -> Any:
        try:
            answer = child.connection.recv()
        except (EOFError, OSError):
            if child.lacks_guard():
                raise BoardwrightError(
                    "every process imports your script, and so plays the games again; put what the script does"
                    ' under `if __name__ == "__main__":`'
                ) from None
            items = [item for chunk in running[child] for item in chunk]
            raise WorkerDied(f"a process that played games {child.how_it_ended()}", items) from None
        if isinstance(answer, BaseException):
            raise answer
        return answer


def _packed(function: Callable[..., Any]) -> bytes:
    """A function as bytes. What was defined in a notebook is in no file that another process could import."""
    try:
        packed = pickle.dumps(function)
        if hasattr(sys.modules["__main__"], "__file__") or b"__main__" not in packed:
            return packed
        import cloudpickle  # Ray and Gymnasium bring it

        return bytes(cloudpickle.dumps(function))
    except ImportError:
        why = "it was defined in a notebook or at a prompt, and cloudpickle is not installed"
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    raise BadSpec(f"an agent or a listener cannot be sent to other processes ({why}); put it into a module, or jobs=1")


def _work(connection: Connection, packed: bytes) -> None:
    """What a process does: batches of items, until the connection closes. A thread takes them in, so that neither side
    waits for the other to read."""
    try:
        function = pickle.loads(packed)
    except Exception as error:
        connection.send(BadSpec(f"it cannot be loaded in another process: {type(error).__name__}: {error}"))
        return
    batches: queue.SimpleQueue[list[Any] | None] = queue.SimpleQueue()
    threading.Thread(target=_take_in, args=(connection, batches), daemon=True).start()
    while (batch := batches.get()) is not None:
        try:
            answer: Any = pickle.dumps(run_batch(function, batch))
        except Exception as error:
            answer = pickle.dumps(_picklable(error))
        connection.send_bytes(answer)


def _take_in(connection: Connection, batches: queue.SimpleQueue[Any]) -> None:
    with suppress(EOFError, OSError):
        while True:
            batches.put(connection.recv())
    batches.put(None)


def _picklable(error: Exception) -> Exception:
    """An error that can travel."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(traceback.format_exc())
    return error


def local_executor(jobs: int) -> Executor:
    """As many local processes as wanted; one is this process."""
    return InProcess() if jobs == 1 else Processes(jobs)


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
