"""Case libraries in memory, whether they come from a library file or ship with the package."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.memory import Memory
from boardwright.cbr.store import MAIN, BadLibrary, Row, Store
from boardwright.files import atomic_output
from boardwright.scout.cases.indexing import index
from boardwright.scout.cases.representation import CASE, Records

END = 255
"""The type of a case that is the end of a game: the winner's tableau, as SCOUT1 wants it."""
IMPRESSIONS = "impressions"
"""Where a library keeps its learned first impressions."""
LEARNED = "learned"
"""Where the library of a run keeps those that an era ended with, and which era that was."""
DEFAULT = "default"
_PACKED = "default.cases"
_MAGIC = b"SCOUT1\n"


@dataclass
class Library:
    """Cases with the games they come from."""

    records: Records
    groups: NDArray[np.int64]
    ids: NDArray[np.int64]
    sources: dict[int, str] = field(default_factory=dict)
    """The name of each game, where it has one."""
    meta: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.records["type"])

    def of_type(self, kind: int) -> NDArray[np.int64]:
        """Where the cases of a type are."""
        return np.flatnonzero(self.kinds == kind)

    def memory(self, kind: int) -> Memory:
        """The case base of a type, indexed."""
        places = self.of_type(kind)
        return index(self.records[places], self.groups[places], self.ids[places])

    def source(self, group: int) -> str:
        return self.sources.get(group) or f"game {group}"

    @property
    def games(self) -> int:
        return len(np.unique(self.groups))

    def part(self, places: NDArray[np.int64]) -> Library:
        return Library(self.records[places], self.groups[places], self.ids[places], self.sources, self.meta)


def from_rows(rows: list[Row], sources: dict[int, str], meta: dict[str, Any]) -> Library:
    for row in rows:
        if len(row.record) != CASE.itemsize:
            raise BadLibrary(f"case {row.id} has {len(row.record)} bytes where {CASE.itemsize} are expected")
    records = np.frombuffer(b"".join(row.record for row in rows), CASE)
    groups = np.array([row.source for row in rows], np.int64)
    return Library(records, groups, np.array([row.id for row in rows], np.int64), sources, meta)


def from_store(store: Store) -> Library:
    """The case bases proper, without wings; with the first impressions of its last era, if a run has learned any."""
    meta, learned = store.meta("library", {}), store.meta(LEARNED)
    if learned is not None:
        _, meta[IMPRESSIONS] = learned
    return from_rows(store.rows(MAIN), store.sources(), meta)


def load_library(name: str) -> Library:
    """The library of a file, or "default": the one that comes with the package. Loaded once, as long as it does not
    change."""
    if name == DEFAULT:
        return _load(str(files(__package__).joinpath(_PACKED)), 0, 0)
    try:
        status = Path(name).stat()
    except OSError:
        raise BadLibrary(f"there is no case library {name}; `boardwright cases build` makes one") from None
    return _load(name, status.st_mtime_ns, status.st_size)


@cache
def _load(name: str, _modified: int, _size: int) -> Library:
    file = Path(name)
    try:
        with file.open("rb") as stream:
            packed = stream.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise BadLibrary(f"{file} cannot be read: {error.strerror}") from None
    if packed:
        return unpack(file.read_bytes(), name)
    with Store(file) as store:
        return from_store(store)


def pack(library: Library) -> bytes:
    """A library as few bytes: columns, compressed."""
    header = json.dumps({"cases": len(library), "meta": library.meta}).encode()
    columns = np.frombuffer(library.records.tobytes(), np.uint8).reshape(-1, CASE.itemsize).T
    _, groups = np.unique(library.groups, return_inverse=True)
    steps = np.diff(groups, prepend=0).astype("<i4")
    body = len(header).to_bytes(4, "big") + header + steps.tobytes() + columns.tobytes()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    return _MAGIC + lzma.compress(body, filters=filters)


def unpack(data: bytes, name: str) -> Library:
    try:
        body = lzma.decompress(data[len(_MAGIC) :])
        size = int.from_bytes(body[:4], "big")
        header = json.loads(body[4 : 4 + size])
        n = int(header["cases"])
        steps = np.frombuffer(body, "<i4", n, 4 + size)
        columns = np.frombuffer(body, np.uint8, n * CASE.itemsize, 4 + size + steps.nbytes)
    except (lzma.LZMAError, ValueError, KeyError, EOFError) as error:
        raise BadLibrary(f"{name} is not a whole case library: {error}") from None
    records = np.frombuffer(columns.reshape(CASE.itemsize, n).T.tobytes(), CASE)
    return Library(records, np.cumsum(steps, dtype=np.int64), np.arange(1, n + 1), {}, header["meta"])


def write_packed(library: Library, file: Path) -> None:
    with atomic_output(file) as temporary:
        temporary.write_bytes(pack(library))


def write_store(library: Library, file: Path) -> None:
    """A library as a new file, in which upkeep can work."""
    names = {int(group): library.source(int(group)) for group in np.unique(library.groups)}
    memory = index(library.records)
    with atomic_output(file) as temporary:
        temporary.unlink()
        with Store(temporary, create=True) as store, store.transaction():
            given = {group: store.add_source(name) for group, name in names.items()}
            store.add(
                Row(number, int(record["type"]), int(cls), given[int(group)], record.tobytes())
                for number, (record, cls, group) in enumerate(
                    zip(library.records, memory.classes, library.groups, strict=True), 1
                )
            )
            store.set_meta("library", library.meta)
        _checkpoint(temporary)


def _checkpoint(file: Path) -> None:
    """Everything into the one file, so that it can be moved."""
    with Store(file) as store:
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.connection.execute("PRAGMA journal_mode=DELETE")
    for suffix in ("-wal", "-shm"):
        Path(f"{file}{suffix}").unlink(missing_ok=True)
