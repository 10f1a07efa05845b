"""What operating systems do differently, in one place.

POSIX has `fcntl`, `resource` and `termios`; Windows has `msvcrt`, locks that keep others from reading, and files that
cannot be replaced while they are open. Nothing else in the package asks which system it runs on, but for scripts and
isolated agents, which need Linux and say so.
"""

from __future__ import annotations

import _thread
import io
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

OPEN_FILES_CAN_BE_REMOVED = fcntl is not None
LIMITS_CAN_BE_KEPT = resource is not None and os.path.isdir("/proc/self/task")
"""Whether the processes of a script can be found and limited, as on Linux."""
_LOCKED_BYTE = 0x7FFF_FFF0
"""On Windows one byte is locked, far behind the end of our files: others can still read everything before it."""
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def lock(stream: IO[bytes], *, wait: bool = False) -> None:
    """Lock a file until it is closed. OSError if another process has locked it, unless this one is to wait."""
    if fcntl is not None:
        fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return
    import msvcrt

    place = stream.tell()
    while True:
        stream.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            return
        except OSError:
            if not wait:
                raise
            time.sleep(0.05)
        finally:
            stream.seek(place)


def flush_to_disk(place: str | os.PathLike[str]) -> None:
    """What was written to a file, or the names in a folder, survive a power failure from now on. Windows opens no
    folders, and keeps their names safe itself."""
    if os.path.isdir(place):
        if OPEN_FILES_CAN_BE_REMOVED:
            _fsync(os.open(place, os.O_RDONLY))
    else:
        _fsync(os.open(place, os.O_RDWR | getattr(os, "O_BINARY", 0)))


def _fsync(handle: int) -> None:
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def limit_memory(megabytes: int) -> None:
    """Memory that this process may have. Nothing on Windows, where a process cannot limit itself."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def open_no_link(file: str | os.PathLike[str]) -> int:
    """A descriptor to read a file by. A link is refused, and a pipe that nobody writes to does not block."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(file, flags)


def is_mine_alone(status: os.stat_result) -> bool:
    """Whether a file belongs to this user and nobody else may write to it. Windows has no such bits: what lies in a
    user's own folders is the user's."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE_BY_OTHERS


def without_ctrl_c() -> dict[str, Any]:
    """Arguments for subprocess.Popen: a process that Ctrl-C in this terminal does not reach."""
    if hasattr(subprocess, "CREATE_NEW_PROCESS_GROUP"):
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def name_of_signal(code: int) -> str:
    """The signal that ended a process, by its negative exit code; empty if the process ended by itself. Windows has no
    signals: there a crash is an exit code of 0xC0000000 and above, and a killed process ends with its killer's."""
    if code < 0:
        return signal.Signals(-code).name
    return f"Windows error {code:#x}" if code >= 0xC000_0000 else ""


def was_killed(name: str) -> bool:
    """Whether it was somebody who ended the process by that signal, or the system for want of memory: not a crash."""
    return name in ("SIGKILL", "SIGTERM")


def open_closed_output() -> None:
    """Output that was closed before the program began, as by `>&-`, is dropped."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def replace_unknown_characters() -> None:
    """Print a question mark for a character that the output does not have, as a pipe on Windows has few."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def forget_typed_keys() -> None:
    """Drop what was typed before a question; on a terminal only, so that answers can be piped in."""
    if not sys.stdin.isatty():
        return
    try:
        import termios
    except ImportError:
        import msvcrt

        while msvcrt.kbhit():  # type: ignore[attr-defined,unused-ignore]
            msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
    else:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


@contextmanager
def time_limit(seconds: float, error: Callable[[], BaseException]) -> Iterator[None]:
    """Raise that error in the main thread if the block takes more processor time: between two instructions of Python,
    as Ctrl-C. On Windows it is time by the clock."""
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("only the main thread can be interrupted")
    timed = hasattr(signal, "setitimer")
    number = signal.SIGPROF if timed else signal.SIGINT

    def ring(*_: object) -> None:
        raise error()

    before = signal.signal(number, ring)
    timer = None if timed else threading.Timer(seconds, _thread.interrupt_main)
    if timer is None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    else:
        timer.start()
    try:
        yield
    finally:
        if timer is None:
            signal.setitimer(signal.ITIMER_PROF, 0)
        else:
            timer.cancel()
        signal.signal(number, before)
