"""Record files as they are written: locked first, whole lines only, flushed to the disk batch by batch.

A game is in the file when it is over, and survives the end of this process. Against a power failure it is flushed to
the disk (fsync) with its batch: the games of a second, and the last ones when the file is closed.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from boardwright.arena.record import GameRecord, recover_records
from boardwright.errors import CannotWrite
from boardwright.files import open_alone, write_all
from boardwright.platforms import flush_to_disk

BATCH_SECONDS = 1.0


class RecordFile:
    """A record file that no other process writes to."""

    def __init__(self, file: Path, stream: IO[bytes]) -> None:
        self.file = file
        self._stream = stream
        self._flushed = time.monotonic()
        self._name_flushed = False

    def append(self, record: GameRecord) -> None:
        """Add a game: its whole line or, if that fails, nothing of it."""
        end = os.fstat(self._stream.fileno()).st_size
        mended = b"" if self.ends_with_a_line else b"\n"  # or two games would become one line
        try:
            write_all(self._stream, mended + record.line().encode())
        except BaseException as error:
            with contextlib.suppress(OSError):
                self._stream.truncate(end)
            if isinstance(error, OSError):
                raise self._failure(error) from None
            raise
        if time.monotonic() - self._flushed >= BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """From now on what was appended survives a power failure; with the first games, the file's name too."""
        try:
            os.fsync(self._stream.fileno())
            if not self._name_flushed:
                flush_to_disk(self.file.parent)
        except OSError as error:
            raise self._failure(error) from None
        self._flushed, self._name_flushed = time.monotonic(), True

    def _failure(self, error: OSError) -> CannotWrite:
        return CannotWrite(f"cannot write {self.file}: {error.strerror or error}")

    @property
    def is_empty(self) -> bool:
        return os.fstat(self._stream.fileno()).st_size == 0

    @property
    def ends_with_a_line(self) -> bool:
        end = os.fstat(self._stream.fileno()).st_size
        return end == 0 or os.pread(self._stream.fileno(), 1, end - 1) == b"\n"

    def recover(self, warn: Callable[[str], None] | None = None) -> list[GameRecord]:
        """The games in it. A last line that a crash has cut off is removed; `warn` is called for games without a
        checksum."""
        return recover_records(self.file, warn)

    def put_aside(self, before: Callable[[Path], None] = lambda aside: None) -> Path:
        """Give the file another name, which is returned; `before` is called with it first."""
        number = 1
        while (aside := self.file.with_name(f"{self.file.stem}.{number}{self.file.suffix}")).exists():
            number += 1
        before(aside)
        try:
            self.file.rename(aside)
        except OSError as error:
            raise CannotWrite(f"cannot move {self.file} out of the way: {error.strerror}") from None
        return aside


@contextmanager
def open_record_file(file: Path) -> Iterator[RecordFile]:
    """Lock a record file, which is made if need be."""
    busy = f"another process is recording games in {file}; wait for it or choose another file with --record"
    with open_alone(file, busy) as stream:
        opened = RecordFile(file, stream)
        try:
            yield opened
        finally:
            opened.flush()


def append_record(file: Path, record: GameRecord) -> None:
    """Add a game to a record file, which is made if need be."""
    with open_record_file(file) as out:
        if not out.ends_with_a_line:
            out.recover()
        out.append(record)
