"""Tables on disk: an SQLite file that is written with every move, so that nothing is lost when the server dies.

Of the secret links only digests are stored: the file does not let anybody sit down.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pydantic

from boardwright.blame import printable
from boardwright.errors import BadRecord, CannotWrite
from boardwright.files import parse_json

FORMAT = 2
"""Format 1 did not say who forfeited a game."""
STATES = RUNNING, FINISHED, RESIGNED, OUT_OF_TIME, FAILED = "running", "finished", "resigned", "out of time", "failed"
"""The states of a table; all but the first are final, and FINISHED alone has a result by the rules."""

_SCHEMA = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person with a secret link, or an agent."""

    name: str
    spec: str = ""
    """The agent's; empty: a person."""
    token_digest: str = ""
    advises: bool = False
    """Whether it also tells people what it would do in their place."""

    open: bool = False
    """Of a person's seat: whether anybody with the table's address may take it."""

    real_name: str = ""
    """Of an agent at a blind table: what it would be called elsewhere."""

    @property
    def is_person(self) -> bool:
        return not self.spec

    @property
    def is_free(self) -> bool:
        """Whether nobody has taken it yet."""
        return self.is_person and self.open and not self.token_digest


@dataclass(frozen=True)
class Setup:
    """A table as it was set up; it changes only when somebody takes a seat or leaves it to an agent."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    seed: int
    seats: tuple[Seat, ...]
    pace: float
    clock: tuple[float, float] | None
    """Seconds for each person, and what every decision adds."""
    branched: int
    """So many moves came from another game."""
    salt: int = 0
    """What the agents' seeds are salted with, where agents take part that are not our own; else 0."""
    ready_check: bool = False
    """Whether the game begins only when all people are ready."""
    position: str = ""
    """What the game begins with, if that is no fresh deal: a position as JSON."""
    blind: bool = False
    """Whether the agents' names are hidden until the game is over and the questions are answered."""
    created: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Saved:
    """A table as it is on disk."""

    setup: Setup
    status: str
    note: str
    clocks: list[float]
    moves: list[tuple[int, bool]]
    """Actions, and whether somebody chose them (rather than had no choice)."""
    changed: float
    forfeited_by: int | None = None


_SAVED: pydantic.TypeAdapter[Saved] = pydantic.TypeAdapter(Saved)


class Store:
    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._db.text_factory = _text
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):  # 0: a new file
                raise BadRecord(f"{file}: tables of format {version}; this version reads {FORMAT}")
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")
        except sqlite3.DatabaseError as error:
            raise CannotWrite(f"cannot keep tables in {file}: {error}") from None

    def add(self, setup: Setup, moves: Sequence[tuple[int, bool]], clocks: Sequence[float]) -> None:
        with self._transaction():
            self._db.execute(
                "INSERT INTO tables VALUES (?, ?, ?, '', ?, ?, ?, NULL)",
                (setup.id, _as_text(setup), RUNNING, json.dumps(list(clocks)), setup.created, setup.created),
            )
            self._db.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?)",
                [(setup.id, number, action, asked) for number, (action, asked) in enumerate(moves)],
            )

    def add_move(self, table: str, number: int, action: int, asked: bool, clocks: Sequence[float]) -> None:
        with self._transaction():
            self._db.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (table, number, action, asked))
            self._touch(table, clocks)

    def cut(self, table: str, moves: int, clocks: Sequence[float]) -> None:
        """Keep the first moves only."""
        with self._transaction():
            self._db.execute("DELETE FROM moves WHERE table_id = ? AND number >= ?", (table, moves))
            self._touch(table, clocks)

    def reseat(self, setup: Setup) -> None:
        """Somebody else sits there from now on."""
        self._db.execute("UPDATE tables SET setup = ? WHERE id = ?", (_as_text(setup), setup.id))

    def end(self, table: str, status: str, note: str, forfeited_by: int | None) -> None:
        self._db.execute(
            "UPDATE tables SET status = ?, note = ?, changed = ?, forfeited_by = ? WHERE id = ?",
            (status, note, time.time(), forfeited_by, table),
        )

    def add_answers(self, table: str, seat: int, answers: str) -> None:
        """What somebody thought of a game, as JSON."""
        self._db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", (table, seat, time.time(), answers))

    def answered(self, table: str) -> set[int]:
        """The seats that have answered."""
        return {seat for (seat,) in self._db.execute("SELECT seat FROM answers WHERE table_id = ?", (table,))}

    def answers(self) -> list[tuple[str, int, float, str]]:
        """Table, seat, time and JSON of all that are not damaged, in the order of time."""
        found = self._db.execute("SELECT table_id, seat, answered, answers FROM answers ORDER BY answered")
        answers = []
        for table, seat, at, text in found:
            with suppress(ValueError):
                answers.append((str(table), int(seat), float(at), str(text)))
        return answers

    def load(self, table: str) -> Saved | None:
        row = self._db.execute(
            "SELECT setup, status, note, clocks, changed, forfeited_by FROM tables WHERE id = ?", (table,)
        ).fetchone()
        if row is None:
            return None
        moves = self._db.execute("SELECT action, asked FROM moves WHERE table_id = ? ORDER BY number", (table,))
        return _checked(table, row, moves.fetchall())

    def recent(self, running: bool, most: int) -> list[Saved]:
        """Tables under way or over, the last changed first, without their moves. One that is damaged is left out: it
        costs one table, not the list."""
        sign = "=" if running else "!="
        rows = self._db.execute(
            "SELECT id, setup, status, note, clocks, changed, forfeited_by FROM tables"
            f" WHERE status {sign} ? ORDER BY changed DESC",
            (RUNNING,),
        )
        tables: list[Saved] = []
        for table, *row in rows:
            with suppress(BadRecord):
                tables.append(_checked(table, tuple(row), []))
            if len(tables) == most:
                break
        return tables

    def close(self) -> None:
        self._db.close()

    def _touch(self, table: str, clocks: Sequence[float]) -> None:
        self._db.execute(
            "UPDATE tables SET changed = ?, clocks = ? WHERE id = ?",
            (time.time(), json.dumps([round(left, 3) for left in clocks]), table),
        )

    def _transaction(self) -> sqlite3.Connection:
        self._db.execute("BEGIN")
        return self._db


def token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _as_text(setup: Setup) -> str:
    content = asdict(setup)
    content |= {name: str(content[name]) for name in ("seed", "salt")}  # larger than JSON readers elsewhere hold
    return json.dumps(content)


def _text(content: bytes) -> str | bytes:
    """SQLite takes any bytes for text. Those that are none stay bytes: they cost the row that they are in."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def _checked(table: str, row: tuple[Any, ...], moves: list[tuple[Any, ...]]) -> Saved:
    """A row, if it is one that this program could have written; BadRecord if it is not. What it asks for (agents, a
    game, moves) is checked by whoever opens the table."""
    setup, status, note, clocks, changed, forfeited_by = row
    try:
        saved = _SAVED.validate_python(
            {
                "setup": parse_json(setup),
                "status": status,
                "note": note,
                "clocks": parse_json(clocks),
                "moves": moves,
                "changed": changed,
                "forfeited_by": forfeited_by,
            }
        )
    except (pydantic.ValidationError, ValueError, TypeError) as error:
        what = error.errors()[0]["msg"] if isinstance(error, pydantic.ValidationError) else error
        raise BadRecord(f"this table is damaged on disk and cannot be opened: {printable(str(what))}") from None
    seats = range(len(saved.setup.seats))
    if (
        saved.setup.id != table
        or not math.isfinite(saved.changed)
        or len(saved.clocks) != len(seats)
        or saved.status not in STATES
    ):
        raise BadRecord("this table is damaged on disk and cannot be opened: its parts do not fit together")
    if saved.forfeited_by is not None and saved.forfeited_by not in seats:
        raise BadRecord("this table is damaged on disk and cannot be opened: a seat forfeited that does not exist")
    return saved
