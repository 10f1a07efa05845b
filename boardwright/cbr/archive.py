"""A library at the end of an era as few bytes: what is known of its cases and classes. Records stay in the store."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from boardwright.cbr.store import Registry, Row

_ARCHIVED = np.dtype(
    [
        ("id", "<i8"),
        ("status", "u1"),
        ("usefulness", "<f8"),
        ("retrievals", "<i8"),
        ("wins", "<i8"),
        ("similarity", "<f8"),
        ("born", "<i8"),
    ]
)
_ARCHIVED_CLASS = np.dtype([("base", "<i8"), ("class", "<i8"), ("retrievals", "<i8"), ("wins", "<i8")])


def write_archive(rows: Iterable[Row], classes: Registry) -> bytes:
    entries = [(r.id, r.status, r.usefulness, r.retrievals, r.wins, r.similarity, r.born) for r in rows]
    registry = [(*key, *counts) for key, counts in classes.items()]
    cases, counts = np.array(entries, _ARCHIVED), np.array(registry, _ARCHIVED_CLASS)
    return zlib.compress(len(cases).to_bytes(8, "little") + cases.tobytes() + counts.tobytes())


def read_archive(blob: bytes) -> tuple[list[Row], Registry]:
    """The cases, without their records and bases, and the registry of the classes."""
    data = zlib.decompress(blob)
    n = int.from_bytes(data[:8], "little")
    cases = np.frombuffer(data, _ARCHIVED, n, 8)
    classes = np.frombuffer(data, _ARCHIVED_CLASS, -1, 8 + cases.nbytes)
    rows = [Row(i, 0, 0, 0, b"", s, u, r, w, near, b) for i, s, u, r, w, near, b in cases.tolist()]
    return rows, {(base, cls): (retrievals, wins) for base, cls, retrievals, wins in classes.tolist()}
