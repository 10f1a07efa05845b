"""Makes this process see what a program sees on Windows, as far as that can be done on another system.

POSIX's modules and names are missing, `msvcrt` is there, a file that is open can be neither replaced nor removed, some
characters are not allowed in names of files, text files are not UTF-8 unless one says so, and standard output knows few
characters. Run as `python -m tests.windows ARGUMENTS`, it runs the command line that way; `sitecustomize` does the same
for the processes that it starts.
"""

from __future__ import annotations

import builtins
import fcntl
import io
import multiprocessing.connection  # noqa: F401  (imported before `msvcrt` is there, by which it knows Windows)
import os
import re
import shutil
import signal
import subprocess  # noqa: F401
import sys
import types
from pathlib import Path
from typing import Any

POSIX_MODULES = ("fcntl", "grp", "posix_ipc", "pty", "pwd", "resource", "syslog", "termios", "tty")
POSIX_OS = ("O_NOFOLLOW", "fchmod", "fork", "geteuid", "getpgid", "getuid", "killpg", "setsid")
POSIX_SIGNALS = ("ITIMER_PROF", "ITIMER_REAL", "SIGALRM", "SIGHUP", "SIGPROF", "SIGUSR1", "SIGXFSZ", "setitimer")
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$')
_OWN = ("/proc/", "/dev/", "/sys/")


def pretend() -> None:
    """From now on; once is enough."""
    for name in POSIX_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in POSIX_OS:
        if hasattr(os, name):
            delattr(os, name)
    for name in POSIX_SIGNALS:
        delattr(signal, name)
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    sys.modules["msvcrt"] = _msvcrt()
    _guard(os, "replace", _free_target)
    _guard(os, "rename", _free_target)
    _guard(os, "unlink", _free)
    _guard(os, "remove", _free)
    _guard(os, "mkdir", _allowed)
    _guard(os, "open", _openable)
    builtins.open = io.open = _open(builtins.open)  # type: ignore[assignment,misc]


def _msvcrt() -> types.ModuleType:
    """Windows's `locking`, made of the locks of this system."""
    module = types.ModuleType("msvcrt")

    def locking(handle: int, mode: int, size: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    module.locking, module.LK_NBLCK = locking, 2  # type: ignore[attr-defined]
    return module


def _guard(module: Any, name: str, check: Any) -> None:
    before = getattr(module, name)

    def guarded(*arguments: Any, **named: Any) -> Any:
        check(*arguments, **named)
        return before(*arguments, **named)

    setattr(module, name, guarded)


def _free(place: Any, *_: Any, **__: Any) -> None:
    """PermissionError if this process has the file open."""
    wanted = os.path.realpath(place)
    for handle in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{handle}") == wanted:
                raise PermissionError(13, "The process cannot access the file because it is being used", str(place))
        except FileNotFoundError:
            pass


def _free_target(source: Any, target: Any, *_: Any, **__: Any) -> None:
    _free(source)
    _free(target)
    _allowed(target)


def _allowed(place: Any, *_: Any, **__: Any) -> None:
    if isinstance(place, int) or str(place).startswith(_OWN):
        return
    for part in Path(os.fsdecode(place)).parts:
        if part not in ("/", ".", "..") and _FORBIDDEN.search(part):
            raise OSError(22, "The filename, directory name, or volume label syntax is incorrect", str(place))


def _openable(place: Any, *_: Any, **__: Any) -> None:
    _allowed(place)
    if os.path.isdir(place):
        raise PermissionError(13, "Permission denied", str(place))


def _open(before: Any) -> Any:
    """Text is what Western Europe used to write, unless one says otherwise; lines end as they do there."""

    def opened(file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, *rest: Any, **named: Any) -> Any:
        _allowed(file)
        if "b" not in mode and encoding in (None, "locale"):
            encoding = "cp1252"
        return before(file, mode, buffering, encoding, *rest, **named)

    return opened


if __name__ == "__main__":
    pretend()
    from boardwright.cli import main

    main()
