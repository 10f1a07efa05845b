"""A case library on disk: one SQLite file, which is whole after any crash.

Cases are kept as opaque records with what upkeep needs to know: base, class, group, where in its life a case is, and
its registry entry. Nothing is ever removed: a case that left the case base stays for the archive. Each finished game
is one transaction. The log only grows.
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

FORMAT = 1
MAIN, WING, GONE = 0, 1, 2
"""Where a case stands: in the case base, waiting in the wing, out of use."""
Registry = dict[tuple[int, int], tuple[int, int]]
"""By base and class: how often cases of the class were retrieved, and how often in games that were won."""

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE cases (
    id INTEGER PRIMARY KEY, base INTEGER NOT NULL, class INTEGER NOT NULL, source INTEGER NOT NULL,
    record BLOB NOT NULL, status INTEGER NOT NULL DEFAULT 0, usefulness REAL NOT NULL DEFAULT 0,
    retrievals INTEGER NOT NULL DEFAULT 0, wins INTEGER NOT NULL DEFAULT 0, similarity REAL NOT NULL DEFAULT 0,
    born INTEGER NOT NULL DEFAULT 0);
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


class BadLibrary(BoardwrightError):
    """A case library that cannot be read or used."""


@dataclass
class Row:
    """A case as it is stored."""

    id: int
    base: int
    cls: int
    source: int
    record: bytes
    status: int = MAIN
    usefulness: float = 0.0
    retrievals: int = 0
    wins: int = 0
    similarity: float = 0.0
    """The sum over its retrievals."""
    born: int = 0
    """The era in which it came into the case base."""


class Store:
    """An open library file."""

    def __init__(self, file: Path, *, create: bool = False) -> None:
        self.file = file
        if not create and not file.is_file():
            raise BadLibrary(f"there is no case library {file}")
        try:
            self.connection = sqlite3.connect(file, isolation_level=None, timeout=5, check_same_thread=False)
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA synchronous=NORMAL")
            self._open(create)
        except sqlite3.Error as error:
            raise BadLibrary(f"{file} cannot be used as a case library: {error}") from None

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
            raise BadLibrary(f"{self.file} is not a case library")
        if self.meta("format") != FORMAT:
            raise BadLibrary(f"{self.file} has format {self.meta('format')}; this version reads {FORMAT}")

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
            raise BadLibrary(f"{self.file} is in use by another process: {error}") from None
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def meta(self, key: str, default: Any = None) -> Any:
        found = self.connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return json.loads(found[0]) if found else default

    def set_meta(self, key: str, value: Any) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def add_source(self, name: str) -> int:
        """A game that cases come from."""
        return int(self.connection.execute("INSERT INTO sources (name) VALUES (?)", (name,)).lastrowid or 0)

    def sources(self) -> dict[int, str]:
        return dict(self.connection.execute("SELECT id, name FROM sources"))

    def next_id(self) -> int:
        (last,) = self.connection.execute("SELECT COALESCE(MAX(id), 0) FROM cases").fetchone()
        return int(last) + 1

    def add(self, rows: Iterable[Row]) -> None:
        self.connection.executemany(
            "INSERT INTO cases (id, base, class, source, record, status, usefulness, retrievals, wins, similarity,"
            " born) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    r.id,
                    r.base,
                    r.cls,
                    r.source,
                    r.record,
                    r.status,
                    r.usefulness,
                    r.retrievals,
                    r.wins,
                    r.similarity,
                    r.born,
                )
                for r in rows
            ),
        )

    def update(self, rows: Iterable[Row]) -> None:
        """Where cases stand, and their registry entries."""
        self.connection.executemany(
            "UPDATE cases SET status=?, usefulness=?, retrievals=?, wins=?, similarity=?, born=? WHERE id=?",
            ((r.status, r.usefulness, r.retrievals, r.wins, r.similarity, r.born, r.id) for r in rows),
        )

    def rows(self, *statuses: int) -> list[Row]:
        """The cases that stand so, in the order of their ids."""
        marks = ",".join("?" * len(statuses))
        found = self.connection.execute(
            "SELECT id, base, class, source, record, status, usefulness, retrievals, wins, similarity, born"
            f" FROM cases WHERE status IN ({marks}) ORDER BY id",
            statuses,
        )
        return [Row(*row) for row in found]

    def class_registry(self) -> Registry:
        """Retrievals and wins of every class."""
        found = self.connection.execute("SELECT base, class, retrievals, wins FROM classes")
        return {(base, cls): (retrievals, wins) for base, cls, retrievals, wins in found}

    def set_classes(self, registry: Registry) -> None:
        self.connection.executemany(
            "INSERT OR REPLACE INTO classes VALUES (?, ?, ?, ?)", ((*key, *entry) for key, entry in registry.items())
        )

    def note(self, game: int, text: str) -> None:
        """A line of the permanent log."""
        self.connection.execute("INSERT INTO log (game, text) VALUES (?, ?)", (game, text))

    def log(self) -> list[tuple[int, str]]:
        return [(game, text) for game, text in self.connection.execute("SELECT game, text FROM log ORDER BY number")]
