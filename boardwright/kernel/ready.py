"""Compiling ahead of time: what a command needs is compiled once, before it starts, and by nobody else.

`make_ready(code)` compiles what is not in the cache yet, in other processes: two at a time, each with a share of the
work, and Ctrl-C ends them at once. Afterwards all of it is loaded here, and `--jobs` find it on disk. `show_progress`
is where a front end puts its progress bar.

Nothing is imported here that compiles, so that commands which need no game start quickly.
"""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
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
_AGAIN = 0.5
"""What a further unit of a game costs, where the first costs 1."""


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
    running = [_start(share) for share in _shares(work, min(_PROCESSES, os.cpu_count() or 1))]
    try:
        _listen(running, progress)
    finally:
        for process in running:
            end_python(process)


def _shares(work: list[tuple[int, str, bytes]], most: int) -> list[list[bytes]]:
    """The work divided evenly, the largest parts first. Each part is size, group and request. Whoever has compiled a
    part of a group has translated most functions of the others."""
    shares = [_Share() for _ in range(min(most, len(work)))]
    for size, group, request in sorted(work, key=lambda part: -part[0]):
        share = min(shares, key=lambda share: share.until(size, group))
        share.work = share.until(size, group)
        share.groups.add(group)
        share.requests.append(request)
    return [share.requests for share in shares]


@dataclass
class _Share:
    work: float = 0.0
    groups: set[str] = field(default_factory=set)
    requests: list[bytes] = field(default_factory=list)

    def until(self, size: int, group: str) -> float:
        """How much work it is with a part more."""
        return self.work + (size * _AGAIN if group in self.groups else size)


def _start(requests: list[bytes]) -> subprocess.Popen[bytes]:
    process = start_python("-c", "from boardwright.kernel import ready; ready.serve()", stdin=subprocess.PIPE)
    assert process.stdin is not None
    pickle.dump(requests, process.stdin)
    process.stdin.flush()
    return process


def _listen(running: Sequence[subprocess.Popen[bytes]], progress: Callable[[float], None]) -> None:
    """Hear how the work goes on until all is done; BadGame if something cannot be compiled."""
    done = 0.0
    unfinished: dict[int, str] = {}
    with selectors.DefaultSelector() as selector:
        for process in running:
            selector.register(process.stdout, selectors.EVENT_READ)  # type: ignore[arg-type]
        while selector.get_map():
            for key, _ in selector.select():
                data = os.read(key.fd, _MUCH)
                if not data:
                    selector.unregister(key.fileobj)
                *lines, unfinished[key.fd] = (unfinished.get(key.fd, "") + data.decode()).split("\n")
                for line in lines:
                    if line.startswith(_FAILED):
                        raise BadGame(line.removeprefix(_FAILED).replace("\\n", "\n"))
                    done += float(line)
                progress(done)


def serve() -> None:
    """What such a process does: compile what it is asked for, and tell how far it is. It ends with the one that asked:
    that one keeps the requests' pipe open as long as it lives."""
    requests = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_leave_with, args=(sys.stdin.fileno(),), daemon=True).start()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for request in requests:
        make, file = pickle.loads(request)
        unit = make()
        _announced.add(unit.group)
        if unit.file != file:
            continue  # another version of it is asked for, which this process does not have
        try:
            unit.make(progress=partial(print, file=answers))
        except BadGame as error:
            print(_FAILED + str(error).replace("\n", "\\n"), file=answers)
            return


def _leave_with(pipe: int) -> None:
    while os.read(pipe, _MUCH):
        pass
    os._exit(1)
