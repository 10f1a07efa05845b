"""Files that are written whole or not at all, and by one process at a time."""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from boardwright.errors import CannotWrite


@contextmanager
def atomic_write(file: Path, *, private: bool = False) -> Iterator[Path]:
    """A temporary file beside `file` that takes its place if the block succeeds; `private`: nobody else can read it."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o600 if private else 0o666 & ~_umask())
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_output(file: Path) -> Iterator[Path]:
    """The same for a file the user asked for: what goes wrong is said as CannotWrite."""
    try:
        with atomic_write(file) as temporary:
            yield temporary
    except OSError as error:
        raise CannotWrite(f"cannot write {file}: {error.strerror}") from None


def check_writable(file: Path) -> None:
    """Refuse an output file before hours of work rather than after."""
    if file.is_dir():
        raise CannotWrite(f"cannot write {file}: it is a folder")
    if file.exists() and not file.is_file():
        raise CannotWrite(f"cannot write {file}: it is not an ordinary file")
    if not file.parent.is_dir():
        raise CannotWrite(f"cannot write {file}: there is no folder {file.parent}")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
    os.close(handle)
    os.unlink(name)


def claim(stream: IO[Any], busy: str) -> None:
    """From now on, and until it is closed, the open file is this process's; CannotWrite if it is another's."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise CannotWrite(busy) from None


@contextmanager
def alone(file: Path, busy: str) -> Iterator[None]:
    """What is done in the block is done by one process at a time; `file` is the sign of it, and goes with it."""
    while True:
        try:
            stream = file.open("a")
        except OSError as error:
            raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
        with stream:
            claim(stream, busy)
            if not _is_there(file, stream):  # another process has just ended, and taken it away
                continue
            try:
                yield
            finally:
                file.unlink(missing_ok=True)
            return


def _is_there(file: Path, stream: IO[Any]) -> bool:
    try:
        return os.path.samestat(file.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def digest(file: Path) -> str:
    """What tells a file's content from any other; read again only when the file has changed."""
    now = file.stat()
    return _digest(file, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=256)
def _digest(file: Path, _changed: int, _size: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


def write_json(file: Path, content: Any) -> None:
    """What is not a finite number becomes null: JSON has no other word for it."""
    with atomic_output(file) as temporary:
        temporary.write_text(json.dumps(_finite(content), indent=2, allow_nan=False) + "\n")


def _finite(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
