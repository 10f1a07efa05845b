"""Files that are written whole or not at all, and by one process at a time; and the one reader of JSON."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from boardwright import platforms
from boardwright.errors import CannotWrite
from boardwright.platforms import flush_to_disk


@contextmanager
def atomic_write(file: Path, *, private: bool = False, flush: bool = False) -> Iterator[Path]:
    """A temporary file beside `file` that takes its place if the block succeeds. `private`: nobody else can read it.
    `flush`: it is on the disk before it takes the place, so that a power failure leaves the old one or the new one."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o600 if private else 0o666 & ~_umask())
        if flush:
            flush_to_disk(temporary)
        os.replace(temporary, file)
        if flush:
            flush_to_disk(file.parent)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_output(file: Path) -> Iterator[Path]:
    """The same for a file the user asked for: flushed to the disk, and failures are raised as CannotWrite."""
    try:
        with atomic_write(file, flush=True) as temporary:
            yield temporary
    except OSError as error:
        raise CannotWrite(f"cannot write {file}: {error.strerror or error}") from None


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


def make_folder(folder: Path, kept: str) -> None:
    """A folder in which something is kept, as "games"; CannotWrite if there can be none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"cannot keep {kept} in {folder}: {error.strerror}; choose another folder") from None


@contextmanager
def open_alone(file: Path, busy: str) -> Iterator[IO[bytes]]:
    """A file to read and to append to, made if need be, and this process's alone until the block ends. CannotWrite says
    `busy` if it is another's."""
    while True:
        try:
            if file.exists() and not file.is_file():
                raise CannotWrite(f"cannot write {file}: it is not an ordinary file")
            stream = file.open("ab+", buffering=0)
        except OSError as error:
            raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
        with stream:
            try:
                platforms.lock(stream)
            except OSError:
                raise CannotWrite(busy) from None
            if _is_there(file, stream):  # if not, another process has just moved or deleted it: look again
                yield stream
                return


@contextmanager
def alone(file: Path, busy: str) -> Iterator[None]:
    """What is done in the block is done by one process at a time; `file` is the sign of it, and goes with it."""
    try:
        with open_alone(file, busy):
            try:
                yield
            finally:
                if platforms.OPEN_FILES_CAN_BE_REMOVED:
                    file.unlink(missing_ok=True)
    finally:
        if not platforms.OPEN_FILES_CAN_BE_REMOVED:
            with suppress(PermissionError):  # another process has opened it since, or is the one that is busy
                file.unlink(missing_ok=True)


def write_all(stream: IO[bytes], data: bytes) -> None:
    """Write to an unbuffered file, also where the system takes a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) :]


def _is_there(file: Path, stream: IO[Any]) -> bool:
    try:
        return os.path.samestat(file.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def state_folder(name: str) -> Path:
    """Where the user's own data of some kind are kept, by the rules of XDG."""
    base = Path(os.environ.get("XDG_STATE_HOME") or "")
    if not base.is_absolute():
        base = Path(os.path.expanduser("~"), ".local", "state")
    return base / "boardwright" / name


def seeds_folder() -> Path:
    """Where the seeds of matches are kept while they are hidden from the agents; a sandbox does not show it."""
    return state_folder("seeds")


TABLES = "BOARDWRIGHT_TABLES"
"""A variable that tells the processes of a server where it keeps its tables."""


def files_of_tables() -> list[Path]:
    """The files with the tables of the server that this process works for, if there is one; they tell the deals."""
    file = os.environ.get(TABLES)
    return [Path(f"{file}{ending}") for ending in ("", "-wal", "-journal")] if file else []


def digest(file: Path) -> str:
    """What tells a file's content from any other; read again only when the file has changed."""
    now = file.stat()
    return _digest(file, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=256)
def _digest(file: Path, _changed: int, _size: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


_UNUSUAL = re.compile(r"[0-9]{20}|[0-9.][eE][+]?[0-9]{3}")
_LARGEST = 1 << 64


def parse_json(text: str | bytes) -> Any:
    """JSON that may come from anywhere. ValueError says what is wrong with it: also if it is nested deeper than
    anything of ours, has numbers that no field holds, or infinity in one of its disguises."""
    import pydantic_core

    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        found = pydantic_core.from_json(text, allow_inf_nan=False)
    except ValueError as error:
        if "recursion limit" in str(error):
            raise ValueError("it is nested too deeply") from None
        json.loads(text, parse_constant=_refuse)  # says it better, where that is what is wrong
        raise
    if _UNUSUAL.search(text):
        json.loads(text, parse_float=_check_float, parse_int=_check_integer)
    return found


def read_json(file: Path) -> Any:
    """The content of a JSON file; OSError or ValueError."""
    return parse_json(file.read_text(encoding="utf-8-sig"))


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _check_float(text: str) -> float:
    if math.isinf(number := float(text)):
        raise ValueError(f"the number {text[:20]} is too large")
    return number


def _check_integer(text: str) -> int:
    if abs(number := int(text)) >= _LARGEST:
        raise ValueError(f"the number {text[:20]}… is too large")
    return number


def write_json(file: Path, content: Any) -> None:
    """What is not a finite number becomes null: JSON has no other word for it."""
    text = json.dumps(_finite(content), indent=2, allow_nan=False) + "\n"
    with atomic_output(file) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


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
