"""Transpositions: nodes with the same position share their children.

A table from positions to the node that was expanded there first. Another node with the same position takes over its
children, with all that was counted below (Childs, Brodeur and Kocsis, 2008, call it UCT2). Positions are compared by a
62-bit digest of their bytes, so a game whose record counts moves or remembers an order has no transpositions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel import rule

UNKNOWN = -1


class Positions(NamedTuple):
    """Open addressing: the digest of a position, 0 if the place is free, and the node that has its children."""

    digest: Any
    node: Any

    @classmethod
    def with_room_for(cls, nodes: int) -> Positions:
        size = 1 << max(4, nodes.bit_length())
        return cls(np.zeros(size, np.int64), np.zeros(size, np.int32))


@rule
def digest_of(state: Any) -> int:
    """FNV-1a with two primes, 32 bits each, of which 62 are kept; never 0."""
    first, second = 0x811C9DC5, 0x050C5D1F
    for i in range(state.size):
        byte = int(state[i])
        first = ((first ^ byte) * 0x01000193) & 0xFFFFFFFF
        second = ((second ^ byte) * 0x00FFFFFD) & 0xFFFFFFFF
    return ((first << 30) ^ second) | 1


@rule
def place_of(positions: Any, digest: int) -> int:
    """Where a position is, or would be."""
    last = positions.digest.size - 1
    place = (digest >> 20) & last
    while positions.digest[place] != 0 and positions.digest[place] != digest:
        place = (place + 1) & last
    return place
