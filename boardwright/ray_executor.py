"""The executor that works on Ray: on this machine, or on a cluster.

Nothing here changes results: games are numbered, and each is the same wherever it is played. A worker or a node that
dies has its games played again elsewhere; every result is handed over once.

What work needs travels with it. `files()` of whoever owns the function names files, which are put at the same paths on
every node; `needs()` names compiled code, which one worker of each node compiles while the others wait. Clusters other
than this machine get this very package, too.
"""

from __future__ import annotations

import fcntl
import logging
import os
import pickle
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from boardwright.errors import BadSpec, BoardwrightError, MissingExtra
from boardwright.executors import WorkerDied, next_batch_size, run_batch
from boardwright.files import atomic_write
from boardwright.kernel import cache_files
from boardwright.kernel.ready import make_ready

T = TypeVar("T")
R = TypeVar("R")

LOCAL = "local"
_ANSWER_WITHIN = 10.0
"""Seconds for a cluster's first sign of life."""
_RETRIES = 3
"""How often what a dead worker was doing is done again. Whoever kills every worker is to blame for it."""
_IN_FLIGHT = 2
"""Batches per CPU that are handed out: one is worked on while the next waits."""
_LOOK_AGAIN = 5.0
"""Seconds between two looks at how many CPUs there are."""


class OnRay:
    """Workers of Ray. `address` is that of a cluster ("auto": the one on this machine); without it Ray is started here,
    with so many workers, and ends with this process."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address = address or LOCAL
        self.workers = workers
        _ray()

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        ray = _ray()
        self._connect()
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_work)
        work = _Work(uuid4().hex, [ray.put(_packed(function))])
        waiting = iter(items)
        running: dict[Any, list[T]] = {}
        batch, slots = 1, _Slots(self.workers)
        failure: BoardwrightError | None = None
        try:
            while True:
                while failure is None and len(running) < slots.now() and (chunk := list(islice(waiting, batch))):
                    running[task.remote(work, chunk)] = chunk
                if not running:
                    if failure is not None:
                        raise failure
                    return
                done, _ = ray.wait(list(running), num_returns=1, timeout=_LOOK_AGAIN)
                for reference in done:
                    results, seconds, error = _result(reference, running[reference])
                    del running[reference]
                    yield from results
                    failure = failure or error
                    batch = next_batch_size(len(results), seconds)
        finally:
            for reference in running:
                ray.cancel(reference, force=True)

    def _connect(self) -> None:
        ray = _ray()
        if ray.is_initialized():
            return
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody else need know
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if self.address == LOCAL:
                ray.init(address=LOCAL, num_cpus=self.workers, include_dashboard=False, **quiet)
            else:
                package = str(Path(__file__).parent)
                _knock(self.address)
                ray.init(address=self.address, runtime_env={"py_modules": [package]}, **quiet)
        except (OSError, ValueError, RuntimeError) as error:
            raise BadSpec(f"--on ray:{self.address}: no cluster answers there ({_first_line(error)})") from None


class _Slots:
    """How many batches may be handed out."""

    def __init__(self, workers: int | None) -> None:
        self._workers = workers
        self._looked = -_LOOK_AGAIN
        self._found = 1

    def now(self) -> int:
        if time.monotonic() - self._looked >= _LOOK_AGAIN:
            self._looked = time.monotonic()
            cpus = int(_ray().cluster_resources().get("CPU", 1))
            self._found = _IN_FLIGHT * max(1, min(cpus, self._workers or cpus))
        return self._found


def cluster_at(place: str, jobs: int = 1) -> OnRay:
    """The executor for "ray" or "ray:ADDRESS", as options name it; `jobs` above 1 limits its workers."""
    kind, colon, address = place.partition(":")
    if kind != "ray" or (colon and not address):
        raise BadSpec(f"--on {place}: it is ray, or ray:ADDRESS")
    return OnRay(address or None, None if jobs == 1 else jobs)


def _knock(address: str) -> None:
    """OSError if nobody listens there: Ray itself tries for minutes. Addresses that are no host and port are Ray's
    business ("auto", "ray://…")."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_WITHIN).close()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("Ray", "ray") from None
    return ray


def _result(reference: Any, items: list[Any]) -> Any:
    """What a task gave; WorkerDied if it took its worker down every time."""
    ray = _ray()
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.as_instanceof_cause() from None
    except ray.exceptions.RayError as error:
        raise WorkerDied(
            f"a worker on Ray died {_RETRIES + 1} times ({type(error).__name__}: {_first_line(error)})", items
        ) from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# What travels, and what workers do with it.


class _Work:
    """A function on its way: Ray hands over the reference, workers fetch what it stands for once."""

    def __init__(self, key: str, reference: list[Any]) -> None:
        self.key = key
        self.reference = reference  # in a list, or Ray would fetch it for every task


def _packed(function: Callable[..., Any]) -> bytes:
    """A function with the files that it needs and the folder that their names are relative to."""
    cloudpickle: Any = _ray().cloudpickle
    owner = _owner(function)
    names = list(owner.files()) if hasattr(owner, "files") else []
    files = {str(Path(name).resolve()): Path(name).read_bytes() for name in names}
    packed: bytes = cloudpickle.dumps((os.getcwd(), files, cloudpickle.dumps(function)))
    return packed


def _owner(function: Any) -> Any:
    """Who knows what a function needs: the object whose method it is, or itself."""
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__self__", function)


_unpacked: dict[str, Callable[[Any], Any]] = {}
"""In a worker: the function of the run that it works for."""


def _work(work: _Work, items: list[Any]) -> tuple[list[Any], float, BoardwrightError | None]:
    """What a worker does: a batch of items."""
    if work.key not in _unpacked:
        _unpacked.clear()
        try:
            _unpacked[work.key] = _unpack(_ray().get(work.reference[0]))
        except BoardwrightError as error:
            return [], 0.0, error
    return run_batch(_unpacked[work.key], items)


def _unpack(packed: bytes) -> Callable[[Any], Any]:
    folder, files, function_bytes = pickle.loads(packed)
    with _one_at_a_time():
        Path(folder).mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        _put(files)
        function: Callable[[Any], Any] = pickle.loads(function_bytes)
        owner = _owner(function)
        if hasattr(owner, "needs"):
            make_ready(owner.needs())
    return function


def _put(files: Mapping[str, bytes]) -> None:
    """Files at the paths that they have where the run was started."""
    for name, content in files.items():
        file = Path(name)
        if file.exists():
            if file.read_bytes() != content:
                raise BadSpec(f"{name} is another file on {os.uname().nodename}; move one of them")
            continue
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(file) as temporary:
                temporary.write_bytes(content)
        except OSError as error:
            raise BadSpec(f"cannot put {name} on {os.uname().nodename}: {error.strerror}") from None


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """One worker of a node at a time: what the first compiles, the others load. Where nothing can be kept, nobody has
    to wait."""
    with ExitStack() as stack:
        folder = cache_files.safe_folder()
        if folder is not None:
            with suppress(OSError):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                lock = stack.enter_context((folder / "making-ready.lock").open("a"))
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
