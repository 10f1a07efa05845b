"""Transpositions: nodes with the same position share their children.

A table from positions to the node that was expanded there first. Another node with the same position takes over its
children, with all that was counted below (Childs, Brodeur and Kocsis, 2008, call it UCT2). Positions are compared by a
62-bit digest of their bytes, so a game whose record counts moves or remembers an order has no transpositions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boardwright.kernel import Bytes, rule
from boardwright.kernel.arrays import Int32s, Int64s

SMALLEST = 1 << 10
"""Places of a table at first."""


class Positions(NamedTuple):
    """Open addressing: the digest of a position, 0 if the place is free, and the node that has its children.

    The table begins small and doubles when it is half full. Each size has its own part of the arrays, so that a short
    search touches little memory: a page that is touched first has to be cleared, which takes longer than an iteration.
    """

    digest: Int64s
    node: Int32s
    size: Int64s
    """Places in use now; they begin at this index. It is a power of two."""
    known: Int64s
    """How many positions there are."""

    @classmethod
    def with_room_for(cls, nodes: int) -> Positions:
        largest = max(SMALLEST, 1 << (2 * nodes - 1).bit_length())
        return cls(
            np.zeros(2 * largest, np.int64),
            np.zeros(2 * largest, np.int32),
            np.full(1, SMALLEST, np.int64),
            np.zeros(1, np.int64),
        )


@rule
def digest_of(state: Bytes) -> int:
    """FNV-1a with two primes, 32 bits each, of which 62 are kept; never 0."""
    first, second = 0x811C9DC5, 0x050C5D1F
    for i in range(state.size):
        byte = int(state[i])
        first = ((first ^ byte) * 0x01000193) & 0xFFFFFFFF
        second = ((second ^ byte) * 0x00FFFFFD) & 0xFFFFFFFF
    return ((first << 30) ^ second) | 1


@rule
def place_of(positions: Positions, digest: int) -> int:
    """Where a position is, or would be."""
    size = positions.size[0]
    place = (digest >> 20) & (size - 1)
    while positions.digest[size + place] != 0 and positions.digest[size + place] != digest:
        place = (place + 1) & (size - 1)
    return size + place


@rule
def enter(positions: Positions, place: int, digest: int, node: int) -> None:
    """Note a new position at its place."""
    positions.digest[place] = digest
    positions.node[place] = node
    positions.known[0] += 1
    if 2 * positions.known[0] > positions.size[0]:
        double(positions)


@rule
def double(positions: Positions) -> None:
    old = positions.size[0]
    positions.size[0] = 2 * old
    for place in range(old, 2 * old):
        digest = positions.digest[place]
        if digest != 0:
            new = place_of(positions, digest)
            positions.digest[new] = digest
            positions.node[new] = positions.node[place]
