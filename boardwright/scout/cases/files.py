"""Cases in files. A *case file* (`.cases`) is small and read-only; a *store* (SQLite) can grow and be maintained."""

from __future__ import annotations

import json
import lzma
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from boardwright.cbr.store import ACTIVE, BadCaseBase, Store, StoredCase
from boardwright.files import atomic_output
from boardwright.scout.cases.collection import POLICY_NETWORK, CaseCollection, from_stored
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import CASE

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
_FORMAT_1 = b"SCOUT1\n"


def from_store(store: Store) -> CaseCollection:
    """The cases in use, without candidates; with the policy network of the last era, if a run has trained any."""
    meta, trained = store.meta(COLLECTION, {}), store.meta(ERA_POLICY_NETWORK)
    if trained is not None:
        _, meta[POLICY_NETWORK] = trained
    return from_stored(store.cases(ACTIVE), store.sources(), meta)


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
        return unpack(file.read_bytes(), name)
    with Store(file) as store:
        return from_store(store)


def _start() -> bytes:
    return _MAGIC + b"%d\n" % FORMAT


def pack(cases: CaseCollection) -> bytes:
    """A case file: the columns of all records, compressed."""
    header = json.dumps({"cases": len(cases), "meta": cases.meta}).encode()
    columns = np.frombuffer(cases.records.tobytes(), np.uint8).reshape(-1, CASE.itemsize).T
    _, groups = np.unique(cases.groups, return_inverse=True)
    steps = np.diff(groups, prepend=0).astype("<i4")
    body = len(header).to_bytes(4, "big") + header + steps.tobytes() + columns.tobytes()
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    return _start() + lzma.compress(body, filters=filters)


def unpack(data: bytes, name: str) -> CaseCollection:
    start = _start()
    if not data.startswith(start):
        found = "1" if data.startswith(_FORMAT_1) else data[len(_MAGIC) :].partition(b"\n")[0].decode(errors="replace")
        raise BadCaseBase(f"{name} is a case file of format {found}; this version reads {FORMAT}: build it again")
    try:
        body = lzma.decompress(data[len(start) :])
        size = int.from_bytes(body[:4], "big")
        header = json.loads(body[4 : 4 + size])
        n = int(header["cases"])
        steps = np.frombuffer(body, "<i4", n, 4 + size)
        columns = np.frombuffer(body, np.uint8, n * CASE.itemsize, 4 + size + steps.nbytes)
    except (lzma.LZMAError, ValueError, KeyError, EOFError) as error:
        raise BadCaseBase(f"{name} is not a whole case file: {error}") from None
    records = np.frombuffer(columns.reshape(CASE.itemsize, n).T.tobytes(), CASE)
    return CaseCollection(records, np.cumsum(steps, dtype=np.int64), np.arange(1, n + 1), {}, header["meta"])


def write_cases(cases: CaseCollection, file: Path) -> None:
    """As a case file or a store, by the file's suffix."""
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
        with Store(temporary, create=True) as store:
            with store.transaction():
                given = {group: store.add_source(name) for group, name in names.items()}
                store.add(
                    StoredCase(number, int(record["type"]), int(cls), given[int(group)], record.tobytes())
                    for number, (record, cls, group) in enumerate(
                        zip(cases.records, classes, cases.groups, strict=True), 1
                    )
                )
                store.set_meta(COLLECTION, cases.meta)
            store.merge_into_one_file()
