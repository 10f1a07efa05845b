"""Child processes: started, limited, watched and ended in one place.

A child is a fresh Python process that serves a connection. It leaves Ctrl-C to its parent, and ends when its parent is
gone, however that has ended.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

from boardwright.platforms import limit_memory, name_of_signal, was_killed, without_ctrl_c

PATIENCE = 3.0
"""Seconds that a process gets to end when it is asked to."""


NO_GUARD = 79
"""The exit code of a child whose main module, imported anew, would start children itself."""


class Child:
    """A process that runs `serve(connection, *arguments)`."""

    def __init__(
        self, serve: Callable[..., None], *arguments: Any, memory_mb: int | None = None, daemon: bool = True
    ) -> None:
        """A `daemon` cannot have children of Python's multiprocessing."""
        if getattr(multiprocessing.current_process(), "_inheriting", False):  # as multiprocessing itself asks
            os._exit(NO_GUARD)
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(serve, theirs, memory_mb, arguments), daemon=daemon)
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def lacks_guard(self) -> bool:
        """Whether it is gone because it has run the main module, a script, from its top as this process does."""
        self._process.join(PATIENCE)
        return self._process.exitcode == NO_GUARD

    def how_it_ended(self) -> str:
        """In words, of a child that is gone."""
        self._process.join(PATIENCE)
        code = self._process.exitcode
        if code is None:
            return "closed its connection"
        name = name_of_signal(code)
        if not name:
            return f"ended itself with exit code {code} (as os._exit does)"
        why = "killed, or out of memory" if was_killed(name) else "a crash in compiled code"
        return f"was ended by {name} ({why})"

    def terminate(self) -> None:
        """Tell it to end, and do not wait."""
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def end_all(children: Iterable[Child]) -> None:
    """Terminate all; kill survivors after PATIENCE seconds."""
    children = list(children)
    for child in children:
        child.terminate()
    for child in children:
        child._process.join(PATIENCE)
        child.kill()


def _serve(
    serve: Callable[..., None], connection: Connection, memory_mb: int | None, arguments: tuple[Any, ...]
) -> None:
    follow_parent()
    if memory_mb is not None:
        limit_memory(memory_mb)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent needs nothing more
        serve(connection, *arguments)


def follow_parent() -> None:
    """Ctrl-C is the parent's to handle; and when the parent is gone, so is the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def start_python(*arguments: str, **settings: Any) -> subprocess.Popen[Any]:
    """A Python process that does not import the main module, as children of multiprocessing do, with its output in a
    pipe. It finds modules where this process does and nowhere else (`-P`): a `random.py` in the current folder is not
    taken for Python's. Ctrl-C it leaves to this process."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **settings.pop("env", {})}
    return subprocess.Popen(
        [sys.executable, "-P", *arguments], stdout=subprocess.PIPE, env=env, **without_ctrl_c(), **settings
    )


def end_python(process: subprocess.Popen[Any]) -> None:
    """Kill it, unless it has ended."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def lasting_threads() -> set[threading.Thread]:
    """Threads that keep a process from ending: neither daemons nor a pool's, which Python ends itself."""
    running = sys._current_frames()
    lasting = {thread for thread in threading.enumerate() if not thread.daemon} - {threading.main_thread()}
    return {thread for thread in lasting if not _is_of_pool(running.get(thread.ident or 0))}


def _is_of_pool(frame: Any) -> bool:
    """Whether a thread runs a worker of a ThreadPoolExecutor."""
    while frame is not None:
        if frame.f_globals.get("__name__") == "concurrent.futures.thread":
            return True
        frame = frame.f_back
    return False
