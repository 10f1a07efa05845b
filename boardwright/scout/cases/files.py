"""Cases in files. A *case file* (`.cases`) is small and read-only; a *store* (SQLite) can grow and be maintained.

Both may come from anywhere: what they hold is checked before it is used (validation.py), and a case file is unpacked
only as far as one of its size may go. Whoever makes, replaces or goes on with one takes its lock first (`exclusive`).
"""

from __future__ import annotations

import json
import lzma
from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from boardwright.cbr.store import ACTIVE, BadCaseBase, Store, StoredCase, parse_json, remove_side_files
from boardwright.files import alone, atomic_output, check_writable
from boardwright.scout.cases.collection import POLICY_NETWORK, CaseCollection
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.cases.validation import check_meta, check_records

DEFAULT = "default"
"""The name of the case file that comes with the package."""
SUFFIX = ".cases"
COLLECTION = "collection"
"""Where a store keeps the `meta` of its collection."""
ERA_POLICY_NETWORK = "era_policy_network"
"""Where the store of a run keeps the policy network that was trained for an era, and which era that was."""
_DEFAULT_FILE = f"default{SUFFIX}"
_MAGIC = b"SCOUT CASES "
FORMAT = 2
_STEP = np.dtype("<i4")
_FORMAT_1 = b"SCOUT1\n"
LARGEST_RATIO = 100
"""How many times its size a case file may unpack to. What comes with the package has a ratio of 8."""
_ALWAYS_ALLOWED = 4 << 20
_DECOMPRESSOR_MEMORY = 128 << 20
"""Twice what the files that we write need."""


def exclusive(file: Path) -> AbstractContextManager[None]:
    """A case file, store or file of weights is made, replaced and maintained by one process at a time."""
    check_writable(file)
    true = file.resolve()
    busy = f"another process is at work on {file}; wait for it or choose another file"
    return alone(true.with_name(f"{true.name}.lock"), busy)


def from_store(store: Store) -> CaseCollection:
    """The cases in use, without candidates; with the policy network of the last era, if a run has trained any."""
    name, trained = str(store.file), era_policy_network(store)
    cases = from_stored(store.cases(ACTIVE), store.sources(), store.meta(COLLECTION, {}), name)
    if trained is not None:
        _, cases.meta[POLICY_NETWORK] = trained
    return cases


def from_stored(cases: list[StoredCase], sources: dict[int, str], meta: Any, name: str) -> CaseCollection:
    """The cases of a store, checked; `name` is that of its file."""
    records = stored_records(cases, name)
    ids, groups = (np.array([getattr(case, of) for case in cases], np.int64) for of in ("id", "source"))
    return CaseCollection(records, groups, ids, sources, check_meta(meta, name))


def stored_records(cases: list[StoredCase], name: str) -> Records:
    """The records of stored cases, checked."""
    for case in cases:
        if len(case.record) != CASE.itemsize:
            raise BadCaseBase(f"{name}: case {case.id} has {len(case.record)} bytes where {CASE.itemsize} are expected")
    records = np.frombuffer(b"".join(case.record for case in cases), CASE)
    check_records(records, np.array([case.id for case in cases], np.int64), name)
    wrong = records["type"] != np.array([case.base for case in cases], np.int64)
    if wrong.any():
        case = cases[int(wrong.argmax())]
        raise BadCaseBase(f"{name}: case {case.id} is in base {case.base}, but of another type")
    return records


def era_policy_network(store: Store) -> tuple[int, dict[str, Any]] | None:
    """The policy network that a run has trained last, and for which era."""
    found = store.meta(ERA_POLICY_NETWORK)
    if found is None:
        return None
    if not isinstance(found, list) or list(map(type, found)) != [int, dict]:
        raise BadCaseBase(f"{store.file}: the policy network of its era cannot be read")
    era, network = found
    return era, network


def load_cases(name: str) -> CaseCollection:
    """The cases of a case file or store, or "default": those that come with the package. Loaded once, as long as the
    file does not change."""
    if name == DEFAULT:
        return _load(str(files(__package__).joinpath(_DEFAULT_FILE)), 0, 0)
    try:
        status = Path(name).stat()
    except OSError:
        raise BadCaseBase(f"there is no case base {name}; `boardwright cases build` makes one") from None
    return _load(name, status.st_mtime_ns, status.st_size)


@cache
def _load(name: str, _modified: int, _size: int) -> CaseCollection:
    file = Path(name)
    try:
        with file.open("rb") as stream:
            start = stream.read(len(_MAGIC))
    except OSError as error:
        raise BadCaseBase(f"{file} cannot be read: {error.strerror}") from None
    if start == _MAGIC or start.startswith(_FORMAT_1):
        try:
            return unpack(file.read_bytes(), name)
        except MemoryError:
            raise BadCaseBase(f"{file} needs more memory than there is") from None
    with Store(file) as store:
        return from_store(store)


def _start() -> bytes:
    return _MAGIC + b"%d\n" % FORMAT


def pack(cases: CaseCollection) -> bytes:
    """A case file: the columns of all records, compressed."""
    header = json.dumps({"cases": len(cases), "meta": cases.meta}).encode()
    columns = np.frombuffer(cases.records.tobytes(), np.uint8).reshape(-1, CASE.itemsize).T
    _, groups = np.unique(cases.groups, return_inverse=True)
    steps = np.diff(groups, prepend=0).astype(_STEP)
    body = len(header).to_bytes(4, "big") + header + steps.tobytes() + columns.tobytes()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    return _start() + lzma.compress(body, filters=filters)


def unpack(data: bytes, name: str) -> CaseCollection:
    start = _start()
    if not data.startswith(start):
        found = "1" if data.startswith(_FORMAT_1) else data[len(_MAGIC) :].partition(b"\n")[0].decode(errors="replace")
        raise BadCaseBase(f"{name} is a case file of format {found}; this version reads {FORMAT}: build it again")
    try:
        body = _unpacked(memoryview(data)[len(start) :])
        size = int.from_bytes(body[:4], "big")
        header = parse_json(body[4 : 4 + size])
        if not isinstance(header, dict) or type(n := header.get("cases")) is not int or "meta" not in header:
            raise ValueError("its header is not ours")
        if n < 0 or len(body) != 4 + size + n * (_STEP.itemsize + CASE.itemsize):
            raise ValueError(f"{n:,} cases are not what it holds")
        steps = np.frombuffer(body, _STEP, n, 4 + size)
        columns = np.frombuffer(body, np.uint8, n * CASE.itemsize, 4 + size + steps.nbytes)
        groups = np.cumsum(steps, dtype=np.int64)
        if n and not (groups.min() >= 0 and groups.max() < n):
            raise ValueError("its cases are of games that cannot be")
    except (lzma.LZMAError, ValueError) as error:
        raise BadCaseBase(f"{name} is not a whole case file: {error}") from None
    records, ids = np.frombuffer(columns.reshape(CASE.itemsize, n).T.tobytes(), CASE), np.arange(1, n + 1)
    check_records(records, ids, name)
    return CaseCollection(records, groups, ids, {}, check_meta(header["meta"], name))


def _unpacked(packed: memoryview) -> bytes:
    """The body of a case file, which has a checksum of its own (xz's)."""
    most = max(_ALWAYS_ALLOWED, LARGEST_RATIO * len(packed))
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, _DECOMPRESSOR_MEMORY)
    body = decompressor.decompress(packed, most + 1)
    if len(body) > most:
        raise ValueError(f"it unpacks to more than {most:,} bytes")
    if not decompressor.eof:
        raise ValueError("its end is missing")
    if decompressor.unused_data:
        raise ValueError("there is something behind its end")
    return body


def write_cases(cases: CaseCollection, file: Path) -> None:
    """As a case file or a store, by the file's suffix. The caller has locked the file (`exclusive`)."""
    (write_case_file if file.suffix == SUFFIX else write_store)(cases, file)


def write_case_file(cases: CaseCollection, file: Path) -> None:
    with atomic_output(file) as temporary:
        temporary.write_bytes(pack(cases))


def write_store(cases: CaseCollection, file: Path) -> None:
    """A new store, in which the case base can be maintained."""
    names = {int(group): cases.source(int(group)) for group in np.unique(cases.groups)}
    classes = index_cases(cases.records).classes
    with atomic_output(file) as temporary:
        temporary.unlink()
        with Store(temporary, create=True) as store, store.transaction():
            given = {group: store.add_source(name) for group, name in names.items()}
            store.add(
                StoredCase(number, int(record["type"]), int(cls), given[int(group)], record.tobytes())
                for number, (record, cls, group) in enumerate(zip(cases.records, classes, cases.groups, strict=True), 1)
            )
            store.set_meta(COLLECTION, cases.meta)
        remove_side_files(file)
