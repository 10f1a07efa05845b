"""Compiling ahead of time: what a command needs is compiled once, before it starts, and by nobody else.

`make_ready(code)` compiles what is not in the cache yet, in two other processes. Each takes the next unit when it is
free, and Ctrl-C ends them at once. Afterwards all of it is loaded here, and `--jobs` find it on disk. `show_progress`
is where a front end puts its progress bar.

Nothing is imported here that compiles, so that commands which need no game start quickly.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import selectors
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from boardwright.errors import BadGame
from boardwright.processes import end_python, start_python

if TYPE_CHECKING:
    from boardwright.kernel import Code, Unit

AHEAD = "ahead"
"""With BOARDWRIGHT_COMPILE=ahead nothing is compiled but what was made ready: to find out what was forgotten."""
_PROCESSES = 2
_MUCH = 1 << 16
_FAILED = "failed "
_FREE = "free"


_announced: set[str] = set()


def announce(group: str) -> None:
    """One line, once per process and game, so that nobody wonders why the first start takes seconds."""
    if group not in _announced:
        _announced.add(group)
        print(
            f"boardwright: compiling {group} for this machine; later starts load it from disk",
            file=sys.stderr,
            flush=True,
        )


@contextmanager
def announce_all(groups: Sequence[str], total: float) -> Iterator[Callable[[float], None]]:
    """Progress for where there is no terminal."""
    for group in groups:
        announce(group)
    yield lambda done: None


show_progress: Callable[[Sequence[str], float], AbstractContextManager[Callable[[float], None]]] = announce_all
"""A context manager over the names of what is compiled and how much work it is; it gives a function that is called
with how much has been done."""


def make_ready(code: Iterable[Code]) -> None:
    """Compile what is missing and load everything."""
    units: dict[str, tuple[Code, Unit]] = {}
    for make in code:
        unit = make()
        units.setdefault(unit.file, (make, unit))
    missing = {file: pair for file, pair in units.items() if not pair[1].on_disk}
    if missing:
        groups = list(dict.fromkeys(unit.group for _, unit in missing.values()))
        total = float(sum(unit.size for _, unit in missing.values()))
        with show_progress(groups, total) as progress:
            _announced.update(groups)
            _compile_elsewhere(missing, progress)
            for _, unit in missing.values():
                unit.make()
    for _, unit in units.values():
        unit.make()


def _compile_elsewhere(missing: dict[str, tuple[Code, Unit]], progress: Callable[[float], None]) -> None:
    """In processes of their own. What cannot be sent there, or kept by them, is left."""
    work: list[tuple[int, str, bytes]] = []
    for file, (make, unit) in missing.items():
        try:
            work.append((unit.size, unit.group, pickle.dumps((make, file))))
        except Exception:  # a game made on the fly, which no other process can find
            continue
    if not work or not next(iter(missing.values()))[1].can_be_kept:
        return
    parts = _Queue(work)
    running = [_start() for _ in range(min(_PROCESSES, os.cpu_count() or 1, len(work)))]
    try:
        _listen(running, parts, progress)
    finally:
        for process in running:
            end_python(process)


class _Queue:
    """The work that nobody has taken yet. Each part is size, group and request. Whoever has compiled a part of a group
    has translated most functions of the others."""

    def __init__(self, work: Iterable[tuple[int, str, bytes]]) -> None:
        self._left = sorted(work, key=lambda part: -part[0])
        self._begun: dict[str, set[int]] = {}

    def take(self, worker: int) -> bytes | None:
        """The next request for a worker that is free: of its own groups, then of one that nobody has begun, then of
        any; the largest first. None if nothing is left."""
        if not self._left:
            return None
        part = min(self._left, key=lambda part: self._distance(part[1], worker))
        self._left.remove(part)
        self._begun.setdefault(part[1], set()).add(worker)
        return part[2]

    def _distance(self, group: str, worker: int) -> int:
        workers = self._begun.get(group, set())
        return 0 if worker in workers else 2 if workers else 1


def _start() -> subprocess.Popen[bytes]:
    return start_python("-c", "from boardwright.kernel import ready; ready.serve()", stdin=subprocess.PIPE)


def _request(process: subprocess.Popen[bytes], request: bytes | None) -> None:
    """Ask for a unit; with None, for nothing more."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):  # it has died: its output ends too
        pickle.dump(request, process.stdin)
        process.stdin.flush()


def _listen(running: Sequence[subprocess.Popen[bytes]], parts: _Queue, progress: Callable[[float], None]) -> None:
    """Give out work and hear how it goes on until all is done; BadGame if something cannot be compiled."""
    done = 0.0
    unfinished = [""] * len(running)
    with selectors.DefaultSelector() as selector:
        for worker, process in enumerate(running):
            _request(process, parts.take(worker))
            selector.register(process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
        while selector.get_map():
            for key, _ in selector.select():
                data, worker = os.read(key.fd, _MUCH), key.data
                if not data:
                    selector.unregister(key.fileobj)
                *lines, unfinished[worker] = (unfinished[worker] + data.decode()).split("\n")
                for line in lines:
                    if line.startswith(_FAILED):
                        raise BadGame(line.removeprefix(_FAILED).replace("\\n", "\n"))
                    if line == _FREE:
                        _request(running[worker], parts.take(worker))
                    else:
                        done += float(line)
                progress(done)


def serve() -> None:
    """What such a process does: compile what it is asked for, and tell how far it is. It ends with the one that asked:
    that one keeps the requests' pipe open as long as it lives."""
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while (request := requests.get()) is not None:
        make, file = pickle.loads(request)
        unit = make()
        _announced.add(unit.group)
        try:
            if unit.file == file:  # otherwise another version of it is asked for, which this process does not have
                unit.make(progress=partial(print, file=answers))
        except BadGame as error:
            print(_FAILED + str(error).replace("\n", "\\n"), file=answers)
        else:
            print(_FREE, file=answers)


def _read_requests(requests: queue.SimpleQueue[bytes | None]) -> None:
    """Until there are no more, or until nobody is there to ask."""
    request: bytes | None = b""
    pipe = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - sys.stdin is locked while somebody reads it
    while request is not None:
        try:
            request = pickle.load(pipe)
        except EOFError:
            os._exit(1)
        requests.put(request)
