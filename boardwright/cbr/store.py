"""The store: a case base on disk, one SQLite file that is whole after any crash. This is the only module with SQL.

Cases are opaque records with what maintenance needs to know: base, class, source game, status, and usage. Nothing is
ever deleted: a case that left the case base stays for the archive. Each finished game is one transaction. The log only
grows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardwright.errors import BoardwrightError

FORMAT = 2
ACTIVE, CANDIDATE, REMOVED = 0, 1, 2
"""The status of a case: in the case base, waiting to come in, out of use."""
Registry = dict[tuple[int, int], tuple[int, int]]
"""By base and class: how often cases of the class were retrieved, and how often in games that were won."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE cases (
    id INTEGER PRIMARY KEY, base INTEGER NOT NULL, class INTEGER NOT NULL, source INTEGER NOT NULL,
    record BLOB NOT NULL, status INTEGER NOT NULL DEFAULT 0, usefulness REAL NOT NULL DEFAULT 0,
    retrievals INTEGER NOT NULL DEFAULT 0, wins INTEGER NOT NULL DEFAULT 0, similarity REAL NOT NULL DEFAULT 0,
    era INTEGER NOT NULL DEFAULT 0);
CREATE TABLE classes (
    base INTEGER NOT NULL, class INTEGER NOT NULL, retrievals INTEGER NOT NULL, wins INTEGER NOT NULL,
    PRIMARY KEY (base, class));
CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, era INTEGER NOT NULL, won INTEGER NOT NULL, score REAL NOT NULL,
    opponent REAL NOT NULL);
CREATE TABLE eras (era INTEGER PRIMARY KEY, games INTEGER NOT NULL, wins INTEGER NOT NULL, archive BLOB NOT NULL);
CREATE TABLE log (number INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL, text TEXT NOT NULL);
"""
_CASE = "id, base, class, source, record, status, usefulness, retrievals, wins, similarity, era"


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


class Store:
    """An open store."""

    def __init__(self, file: Path, *, create: bool = False) -> None:
        self.file = file
        if not create and not file.is_file():
            raise BadCaseBase(f"there is no case base {file}")
        try:
            self.connection = sqlite3.connect(file, isolation_level=None, timeout=5, check_same_thread=False)
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA synchronous=NORMAL")
            self._open(create)
        except sqlite3.Error as error:
            raise BadCaseBase(f"{file} cannot be used as a case base: {error}") from None

    def _open(self, create: bool) -> None:
        tables = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        if not tables and create:
            with self.transaction():
                for statement in _SCHEMA.split(";\n"):
                    if statement.strip():
                        self.connection.execute(statement)
                self.set_meta("format", FORMAT)
            return
        if "cases" not in tables or "meta" not in tables:
            raise BadCaseBase(f"{self.file} is not a case base")
        if self.meta("format") != FORMAT:
            raise BadCaseBase(
                f"{self.file} is a store of format {self.meta('format')}; this version reads {FORMAT}: make a new one"
            )

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; only one process at a time can be in one."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise BadCaseBase(f"{self.file} is in use by another process: {error}") from None
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def merge_into_one_file(self) -> None:
        """Write SQLite's side files back and close, so that the file can be moved."""
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.execute("PRAGMA journal_mode=DELETE")
        self.close()
        for suffix in ("-wal", "-shm"):
            Path(f"{self.file}{suffix}").unlink(missing_ok=True)

    def meta(self, key: str, default: Any = None) -> Any:
        found = self.connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return json.loads(found[0]) if found else default

    def set_meta(self, key: str, value: Any) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    # Cases

    def add_source(self, name: str) -> int:
        """A game that cases come from."""
        return int(self.connection.execute("INSERT INTO sources (name) VALUES (?)", (name,)).lastrowid or 0)

    def sources(self) -> dict[int, str]:
        return dict(self.connection.execute("SELECT id, name FROM sources"))

    def next_id(self) -> int:
        (last,) = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM cases").fetchone()
        return int(last) + 1

    def add(self, cases: Iterable[StoredCase]) -> None:
        marks = ", ".join("?" * len(_CASE.split(", ")))
        self.connection.executemany(
            f"INSERT INTO cases ({_CASE}) VALUES ({marks})", (tuple(vars(case).values()) for case in cases)
        )

    def update(self, cases: Iterable[StoredCase]) -> None:
        """The status of cases, and their usage."""
        self.connection.executemany(
            "UPDATE cases SET status=?, usefulness=?, retrievals=?, wins=?, similarity=?, era=? WHERE id=?",
            ((c.status, c.usefulness, c.retrievals, c.wins, c.similarity, c.era, c.id) for c in cases),
        )

    def cases(self, *statuses: int) -> list[StoredCase]:
        """The cases of these statuses, in the order of their ids."""
        marks = ",".join("?" * len(statuses))
        found = self.connection.execute(f"SELECT {_CASE} FROM cases WHERE status IN ({marks}) ORDER BY id", statuses)
        return [StoredCase(*case) for case in found]

    def class_registry(self) -> Registry:
        """Retrievals and wins of every class."""
        found = self.connection.execute("SELECT base, class, retrievals, wins FROM classes")
        return {(base, cls): (retrievals, wins) for base, cls, retrievals, wins in found}

    def set_classes(self, registry: Registry) -> None:
        self.connection.executemany(
            "INSERT OR REPLACE INTO classes VALUES (?, ?, ?, ?)", ((*key, *entry) for key, entry in registry.items())
        )

    # Games and eras

    def game_count(self) -> int:
        (games,) = self.connection.execute("SELECT COUNT(*) FROM games").fetchone()
        return int(games)

    def add_game(self, number: int, era: int, won: bool, score: float, opponent: float) -> None:
        self.connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (number, era, int(won), score, opponent))

    def games_of_era(self, era: int) -> tuple[int, int]:
        """How many games of an era were played and won."""
        games, wins = self.connection.execute(
            "SELECT COUNT(*), COALESCE(SUM(won), 0) FROM games WHERE era=?", (era,)
        ).fetchone()
        return int(games), int(wins)

    def add_era(self, era: int, games: int, wins: int, archive: bytes) -> None:
        self.connection.execute("INSERT INTO eras VALUES (?, ?, ?, ?)", (era, games, wins, archive))

    def last_era(self) -> int:
        (era,) = self.connection.execute("SELECT MAX(era) FROM eras").fetchone()
        return int(era)

    def era_results(self) -> list[tuple[int, int]]:
        """Wins and games of every finished era."""
        found = self.connection.execute("SELECT wins, games FROM eras WHERE era>0 ORDER BY era")
        return [(wins, games) for wins, games in found]

    def archive(self, era: int) -> bytes | None:
        """What was archived at the end of an era."""
        found = self.connection.execute("SELECT archive FROM eras WHERE era=?", (era,)).fetchone()
        return bytes(found[0]) if found else None

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
        return [(game, text) for game, text in self.connection.execute("SELECT game, text FROM log ORDER BY number")]
