"""The files of the compile cache. They are code: what is read here is run.

So the folder must belong to the user and nobody else may write to it, and the same goes for every file; otherwise
the cache is not used, and one line says why. A file begins with a digest of its own name and its content: one that is
damaged, or lies under another's name, counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path

from boardwright.files import atomic_write
from boardwright.platforms import is_mine_alone, open_no_link

_DIGEST_SIZE = 32


def cache_folder() -> Path | None:
    """BOARDWRIGHT_CACHE, or a folder in the user's cache folder; None for a user without a home."""
    chosen = os.environ.get("BOARDWRIGHT_CACHE")
    if chosen:
        return Path(chosen).absolute()
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    if not base.is_absolute():
        base = Path(os.path.expanduser("~"), ".cache")
    return base / "boardwright" if base.is_absolute() else None


def safe_folder() -> Path | None:
    """The cache folder, if what is in it can only be the user's own."""
    folder = cache_folder()
    if folder is None:
        warn_once("compiled code cannot be kept: this user has no home folder; set BOARDWRIGHT_CACHE to a folder")
        return None
    try:
        status = folder.stat()
    except OSError:  # not there yet, or it cannot be: writing will tell
        return folder
    if stat.S_ISDIR(status.st_mode) and not is_mine_alone(status):
        warn_once(
            f"compiled code in {folder} is not used: the folder belongs to somebody else, or others can write to it;"
            " set BOARDWRIGHT_CACHE to a folder of your own, or see chmod go-w"
        )
        return None
    return folder


def read(name: str) -> bytes:
    """The content of a file of the cache; nothing if there is none that can be used."""
    folder = safe_folder()
    if folder is None:
        return b""
    try:
        handle = open_no_link(folder / name)
        with open(handle, "rb") as stream:
            status = os.fstat(handle)
            stored = stream.read() if stat.S_ISREG(status.st_mode) and is_mine_alone(status) else b""
    except OSError:
        return b""
    content = stored[_DIGEST_SIZE:]
    return content if stored[:_DIGEST_SIZE] == _digest(name, content) else b""


def write(name: str, content: bytes) -> Path | None:
    """Keep a file for later processes; where that cannot be done, one line says so. Returns where it is."""
    folder = safe_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic_write(folder / name, private=True) as temporary:
            temporary.write_bytes(_digest(name, content) + content)
    except OSError as error:
        warn_once(
            f"compiled code cannot be kept in {folder} ({error.strerror}); every start will compile again."
            " Set BOARDWRIGHT_CACHE to a writable folder."
        )
        return None
    return folder / name


def can_write() -> bool:
    """Whether what is written can be found again."""
    folder = safe_folder()
    if folder is None:
        return False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


_warned: set[str] = set()


def warn_once(what: str) -> None:
    if what not in _warned:
        _warned.add(what)
        print(f"boardwright: {what}", file=sys.stderr)
