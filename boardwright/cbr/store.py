"""The store: a case base on disk, one SQLite file that is whole after any crash. This is the only module with SQL.

Cases are opaque records with what maintenance needs to know: base, class, source game, status, and usage. Nothing is
ever deleted: a case that left the case base stays for the archive. Each finished game is one transaction, which is on
the disk (fsync) when it ends. The log only grows.

SQLite keeps a rollback journal beside the file while a transaction is under way, and no other file: where the disk is
full, the transaction is undone and the journal goes, which a write-ahead log would not.

A store may come from anywhere. Its tables must be ours, to the letter, and what is read from them is checked before it
is used: types, ranges, and a checksum for each case. Whoever writes to a store holds its lock (files.alone).
"""

from __future__ import annotations

import json
import math
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from boardwright import files
from boardwright.blame import printable
from boardwright.errors import BoardwrightError, CannotWrite

FORMAT = 3
WITHOUT_CHECKSUMS = 2
"""The format before, which is still read and gone on with: its records have no checksum."""
LARGEST = 1 << 40
"""Ids and counts are below this."""
_CHECKSUM = 4
"""Bytes behind each record."""
_BUSY_SECONDS = 20
"""How long to wait while another process reads."""
_LARGEST_META = 16 << 20
_LONGEST_QUOTE = 200
_SIDE_FILES = ("-journal", "-wal", "-shm")
ACTIVE, CANDIDATE, REMOVED = 0, 1, 2
"""The status of a case: in the case base, waiting to come in, out of use."""
Registry = dict[tuple[int, int], tuple[int, int]]
"""By base and class: how often cases of the class were retrieved, and how often in games that were won."""

_SCHEMA = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
_CASE = "id, base, class, source, record, status, usefulness, retrievals, wins, similarity, era"
_CASE_TYPES = (int, int, int, int, bytes, int, float, int, int, float, int)


class BadCaseBase(BoardwrightError):
    """A store or case file that cannot be read or used."""


@dataclass
class StoredCase:
    """A case as it is stored."""

    id: int
    base: int
    cls: int
    source: int
    record: bytes
    status: int = ACTIVE
    usefulness: float = 0.0
    retrievals: int = 0
    wins: int = 0
    similarity: float = 0.0
    """The sum over its retrievals."""
    era: int = 0
    """When it came into the case base."""

    @property
    def checksum(self) -> bytes:
        about = b"%d %d %d %d " % (self.id, self.base, self.cls, self.source)
        return zlib.crc32(about + self.record).to_bytes(_CHECKSUM, "big")

    def check(self) -> None:
        """ValueError says what is wrong with its numbers."""
        if not (0 < self.id < LARGEST and self.status in (ACTIVE, CANDIDATE, REMOVED)):
            raise ValueError(f"its id is {self.id} and its status {self.status}")
        if not (0 <= self.base <= 255 and 0 <= self.cls <= 255 and 0 <= self.source < LARGEST):
            raise ValueError(f"its base is {self.base}, its class {self.cls} and its source {self.source}")
        if not (0 <= self.wins <= self.retrievals < LARGEST and 0 <= self.era < LARGEST):
            raise ValueError(f"{self.wins} wins in {self.retrievals} retrievals since era {self.era}")
        if not (math.isfinite(self.usefulness) and math.isfinite(self.similarity)):
            raise ValueError("its usefulness or similarity is not a finite number")


class Store:
    """An open store."""

    def __init__(self, file: Path, *, create: bool = False) -> None:
        self.file = file
        if not create and not file.is_file():
            raise BadCaseBase(f"there is no case base {file}")
        self.connection = _connect(file)
        try:
            for setting in ("trusted_schema=OFF", "cell_size_check=ON", "journal_mode=DELETE", "synchronous=EXTRA"):
                self.connection.execute(f"PRAGMA {setting}")
            self.format = self._open(create)
        except sqlite3.Error as error:
            self.close()
            raise BadCaseBase(f"{file} cannot be used as a case base: {one_line(error)}") from None
        except BaseException:
            self.close()
            raise

    def _open(self, create: bool) -> int:
        """Its format."""
        if create and not _tables(self.connection):
            with self.transaction():
                _make_tables(self.connection)
                self.set_meta("format", FORMAT)
            return FORMAT
        (state,) = self.connection.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise BadCaseBase(f"{self.file} is damaged: {one_line(state)}")
        if _tables(self.connection) != _our_tables():
            raise BadCaseBase(f"{self.file} is not a case base: its tables are others")
        found = self.meta("format")
        if found not in (WITHOUT_CHECKSUMS, FORMAT):
            raise BadCaseBase(
                f"{self.file} is a store of format {one_line(found)}; this version reads {FORMAT}: make a new one"
            )
        return int(found)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and on the disk when it ends; only one process at a time can be in one."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if error.sqlite_errorname == "SQLITE_BUSY":
                raise BadCaseBase(f"{self.file} is in use by another process: {one_line(error)}") from None
            raise CannotWrite(f"cannot write {self.file}: {one_line(error)}") from None
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException as error:
            if self.connection.in_transaction:
                with suppress(sqlite3.Error):
                    self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise CannotWrite(f"cannot write {self.file}: {one_line(error)}") from None
            raise

    def _rows(self, kinds: tuple[type, ...], query: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """What a query finds. SQLite lets any column hold anything, so that types are checked."""
        try:
            rows = self.connection.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise BadCaseBase(f"{self.file} cannot be read: {one_line(error)}") from None
        for row in rows:
            if tuple(map(type, row)) != kinds:
                found = ", ".join(type(value).__name__ for value in row)
                wanted = ", ".join(kind.__name__ for kind in kinds)
                raise BadCaseBase(f"{self.file} has a row of {found} where {wanted} is expected")
        return rows

    def _whole(self, query: str, values: Iterable[Any] = ()) -> int:
        """The one number that a query finds."""
        ((number,),) = self._rows((int,), query, values)
        if not 0 <= number < LARGEST:
            raise BadCaseBase(f"{self.file} has the number {number} where a count is expected")
        return int(number)

    def meta(self, key: str, default: Any = None) -> Any:
        """What was stored under a name; its shape is for the caller to check."""
        found = self._rows((str,), "SELECT value FROM meta WHERE key=?", (key,))
        if not found:
            return default
        try:
            return parse_json(found[0][0])
        except ValueError as error:
            raise BadCaseBase(f"{self.file}: {key} cannot be read: {error}") from None

    def set_meta(self, key: str, value: Any) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    # Cases

    def add_source(self, name: str) -> int:
        """A game that cases come from."""
        return int(self.connection.execute("INSERT INTO sources (name) VALUES (?)", (name,)).lastrowid or 0)

    def sources(self) -> dict[int, str]:
        return dict(self._rows((int, str), "SELECT id, name FROM sources"))

    def next_id(self) -> int:
        return self._whole("SELECT COALESCE(MAX(id), 0) FROM cases") + 1

    def add(self, cases: Iterable[StoredCase]) -> None:
        marks = ", ".join("?" * len(_CASE.split(", ")))
        self.connection.executemany(
            f"INSERT INTO cases ({_CASE}) VALUES ({marks})",
            (tuple({**vars(case), "record": self._sealed(case)}.values()) for case in cases),
        )

    def _sealed(self, case: StoredCase) -> bytes:
        return case.record if self.format == WITHOUT_CHECKSUMS else case.record + case.checksum

    def _opened(self, row: tuple[Any, ...]) -> StoredCase:
        case = StoredCase(*row)
        try:
            case.check()
            if self.format != WITHOUT_CHECKSUMS:
                seal = case.record[-_CHECKSUM:]
                case.record = case.record[:-_CHECKSUM]
                if seal != case.checksum:
                    raise ValueError("its checksum is wrong")
        except ValueError as error:
            raise BadCaseBase(f"{self.file}: case {case.id} is damaged: {error}") from None
        return case

    def update(self, cases: Iterable[StoredCase]) -> None:
        """The status of cases, and their usage."""
        self.connection.executemany(
            "UPDATE cases SET status=?, usefulness=?, retrievals=?, wins=?, similarity=?, era=? WHERE id=?",
            ((c.status, c.usefulness, c.retrievals, c.wins, c.similarity, c.era, c.id) for c in cases),
        )

    def cases(self, *statuses: int) -> list[StoredCase]:
        """The cases of these statuses, in the order of their ids."""
        marks = ",".join("?" * len(statuses))
        found = self._rows(_CASE_TYPES, f"SELECT {_CASE} FROM cases WHERE status IN ({marks}) ORDER BY id", statuses)
        return [self._opened(row) for row in found]

    def class_registry(self) -> Registry:
        """Retrievals and wins of every class."""
        found = self._rows((int,) * 4, "SELECT base, class, retrievals, wins FROM classes")
        if not all(0 <= wins <= retrievals < LARGEST for _, _, retrievals, wins in found):
            raise BadCaseBase(f"{self.file}: the counts of its classes are damaged")
        return {(base, cls): (retrievals, wins) for base, cls, retrievals, wins in found}

    def set_classes(self, registry: Registry) -> None:
        self.connection.executemany(
            "INSERT OR REPLACE INTO classes VALUES (?, ?, ?, ?)", ((*key, *entry) for key, entry in registry.items())
        )

    # Games and eras

    def game_count(self) -> int:
        return self._whole("SELECT COUNT(*) FROM games")

    def add_game(self, number: int, era: int, won: bool, score: float, opponent: float) -> None:
        self.connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (number, era, int(won), score, opponent))

    def games_of_era(self, era: int) -> tuple[int, int]:
        """How many games of an era were played and won."""
        wins = self._whole("SELECT COALESCE(SUM(won), 0) FROM games WHERE era=?", (era,))
        return self._whole("SELECT COUNT(*) FROM games WHERE era=?", (era,)), wins

    def add_era(self, era: int, games: int, wins: int, archive: bytes) -> None:
        self.connection.execute("INSERT INTO eras VALUES (?, ?, ?, ?)", (era, games, wins, archive))

    def last_era(self) -> int:
        return self._whole("SELECT MAX(era) FROM eras")

    def era_results(self) -> list[tuple[int, int]]:
        """Wins and games of every finished era."""
        found = self._rows((int, int), "SELECT wins, games FROM eras WHERE era>0 ORDER BY era")
        return [(wins, games) for wins, games in found]

    def archive(self, era: int) -> bytes | None:
        """What was archived at the end of an era."""
        found = self._rows((bytes,), "SELECT archive FROM eras WHERE era=?", (era,))
        return bytes(found[0][0]) if found else None

    def forget_after(self, era: int, bases: Iterable[int]) -> None:
        """Forget games and eras after this one, the registry, and which cases of these bases are in use."""
        of_bases = tuple(bases)
        marks = ",".join("?" * len(of_bases))
        self.connection.execute(f"UPDATE cases SET status=? WHERE base IN ({marks})", (REMOVED, *of_bases))
        self.connection.execute("DELETE FROM classes")
        self.connection.execute("DELETE FROM games WHERE era>?", (era,))
        self.connection.execute("DELETE FROM eras WHERE era>?", (era,))

    # The log

    def note(self, game: int, text: str) -> None:
        """A line of the permanent log."""
        self.connection.execute("INSERT INTO log (game, text) VALUES (?, ?)", (game, text))

    def log(self) -> list[tuple[int, str]]:
        found = self._rows((int, str), "SELECT game, text FROM log ORDER BY number")
        return [(game, one_line(text)) for game, text in found]


def _connect(file: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(file, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False)
    except sqlite3.Error as error:
        raise BadCaseBase(f"{file} cannot be used as a case base: {one_line(error)}") from None


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def _tables(connection: sqlite3.Connection) -> dict[str, str]:
    """Tables, and anything else there is, as views and triggers: by name, how it was made."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {str(name): " ".join(str(sql).split()) for name, sql in found}


@cache
def _our_tables() -> dict[str, str]:
    connection = sqlite3.connect(":memory:")
    try:
        _make_tables(connection)
        return _tables(connection)
    finally:
        connection.close()


def parse_json(text: str | bytes) -> Any:
    """JSON from outside: of limited size, without NaN and infinity. ValueError if it is not."""
    if len(text) > _LARGEST_META:
        raise ValueError(f"{len(text):,} bytes are too many")
    return files.parse_json(text)


def one_line(what: object) -> str:
    """What SQLite, or a store, says, fit for a message: it may quote what it has found in a damaged file."""
    return printable(str(what), _LONGEST_QUOTE)


def remove_side_files(file: Path) -> None:
    """Before another file takes the place of a store: what a killed process has left beside it belongs to the old one.
    SQLite would apply it to the new one."""
    if file.is_file():
        with suppress(BadCaseBase):
            Store(file).close()  # SQLite settles it, so that the old store is whole should this process end here
    for suffix in _SIDE_FILES:
        Path(f"{file}{suffix}").unlink(missing_ok=True)
