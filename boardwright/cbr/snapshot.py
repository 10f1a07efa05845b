"""A case base at the end of an era in few bytes: status and usage of cases and classes. Records stay in the store."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from boardwright.cbr.store import Registry, StoredCase

_CASE = np.dtype(
    [
        ("id", "<i8"),
        ("status", "u1"),
        ("usefulness", "<f8"),
        ("retrievals", "<i8"),
        ("wins", "<i8"),
        ("similarity", "<f8"),
        ("era", "<i8"),
    ]
)
_CLASS = np.dtype([("base", "<i8"), ("class", "<i8"), ("retrievals", "<i8"), ("wins", "<i8")])


def pack_snapshot(cases: Iterable[StoredCase], registry: Registry) -> bytes:
    entries = [(c.id, c.status, c.usefulness, c.retrievals, c.wins, c.similarity, c.era) for c in cases]
    of_classes = [(*key, *counts) for key, counts in registry.items()]
    packed, counts = np.array(entries, _CASE), np.array(of_classes, _CLASS)
    return zlib.compress(len(packed).to_bytes(8, "little") + packed.tobytes() + counts.tobytes())


def unpack_snapshot(blob: bytes) -> tuple[list[StoredCase], Registry]:
    """The cases, without their records and bases, and the registry of the classes."""
    data = zlib.decompress(blob)
    n = int.from_bytes(data[:8], "little")
    packed = np.frombuffer(data, _CASE, n, 8)
    classes = np.frombuffer(data, _CLASS, -1, 8 + packed.nbytes)
    cases = [StoredCase(i, 0, 0, 0, b"", s, u, r, w, near, era) for i, s, u, r, w, near, era in packed.tolist()]
    return cases, {(base, cls): (retrievals, wins) for base, cls, retrievals, wins in classes.tolist()}
