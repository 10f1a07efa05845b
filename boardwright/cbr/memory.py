"""Cases as columns.

A case is seen through features of two sorts: numbers, small whole ones that fit a byte once their lowest value is taken
off, and sets, kept as bits. It belongs to a class, which is its solution, and to a group, the game it comes from. A
`Memory` holds one column a feature, the form a scan over all cases wants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8]
Bits = NDArray[np.int64]
Ids = NDArray[np.int64]

WIDTH = 60
"""Bits of a word: fewer than 63, so that every word is a positive int64, compiled or not."""


@dataclass(frozen=True)
class Number:
    """A feature that is a whole number from `low` to at most `low` + 255; values outside count as the nearest."""

    name: str
    low: int = 0


@dataclass(frozen=True)
class Set:
    """A feature that is a set of elements numbered from 0."""

    name: str
    elements: int

    @property
    def words(self) -> int:
        return -(-self.elements // WIDTH)


@dataclass(frozen=True)
class Layout:
    """The features of a kind of case."""

    numbers: tuple[Number, ...]
    sets: tuple[Set, ...]
    classes: int

    def row(self, name: str) -> int:
        """The row of a numeric feature."""
        return [number.name for number in self.numbers].index(name)

    def place(self, name: str) -> int:
        """The position of a set feature."""
        return [feature.name for feature in self.sets].index(name)

    @cached_property
    def first_words(self) -> tuple[int, ...]:
        """The first column of words of each set, and behind the last how many there are."""
        starts = [0]
        for feature in self.sets:
            starts.append(starts[-1] + feature.words)
        return tuple(starts)

    @property
    def words(self) -> int:
        return self.first_words[-1]


@dataclass
class Memory:
    """The cases of one case base."""

    layout: Layout
    codes: Codes
    """(numbers, cases)"""
    sets: Bits
    """(words of all sets, cases)"""
    classes: Codes
    groups: Ids
    ids: Ids

    @classmethod
    def empty(cls, layout: Layout) -> Memory:
        none = np.zeros(0, np.int64)
        return cls(
            layout,
            np.zeros((len(layout.numbers), 0), np.uint8),
            np.zeros((layout.words, 0), np.int64),
            np.zeros(0, np.uint8),
            none,
            none.copy(),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def kept(self, keep: NDArray[np.bool_] | Ids) -> Memory:
        """The cases of a mask, or at the given places."""
        return Memory(
            self.layout,
            np.ascontiguousarray(self.codes[:, keep]),
            np.ascontiguousarray(self.sets[:, keep]),
            self.classes[keep],
            self.groups[keep],
            self.ids[keep],
        )

    def joined(self, other: Memory) -> Memory:
        return Memory(
            self.layout,
            np.concatenate((self.codes, other.codes), axis=1),
            np.concatenate((self.sets, other.sets), axis=1),
            np.concatenate((self.classes, other.classes)),
            np.concatenate((self.groups, other.groups)),
            np.concatenate((self.ids, other.ids)),
        )

    def number(self, name: str) -> NDArray[np.int64]:
        """A numeric feature of all cases, as it was before coding."""
        row = self.layout.row(name)
        return self.codes[row].astype(np.int64) + self.layout.numbers[row].low

    def has(self, name: str) -> NDArray[np.bool_]:
        """(cases, elements): what each case's set contains."""
        place = self.layout.place(name)
        first, last = self.layout.first_words[place : place + 2]
        words = np.ascontiguousarray(self.sets[first:last].T, "<i8")
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").reshape(*words.shape, 64)
        spread = bits[:, :, :WIDTH].reshape(len(words), (last - first) * WIDTH)
        return spread[:, : self.layout.sets[place].elements].astype(bool)

    def members(self, name: str, case: int) -> list[int]:
        """The elements of one case's set."""
        first = self.layout.first_words[self.layout.place(name)]
        last = self.layout.first_words[self.layout.place(name) + 1]
        return elements_of(int(word) for word in self.sets[first:last, case])


def counted(labels: NDArray[np.integer], present: NDArray[np.bool_], count: int) -> NDArray[np.int64]:
    """(labels up to `count`, elements): in how many cases with that label each element is present."""
    table = np.zeros((count, present.shape[1]), np.int64)
    order = np.argsort(labels, kind="stable")
    found, starts = np.unique(labels[order], return_index=True)
    table[found] = np.add.reduceat(present[order], starts, axis=0, dtype=np.int64)
    return table


def elements_of(words: Iterable[int]) -> list[int]:
    """The elements of a set given as words."""
    found = []
    for number, word in enumerate(words):
        while word:
            low = word & -word
            found.append(WIDTH * number + low.bit_length() - 1)
            word ^= low
    return found


def words_of(elements: Iterable[int], count: int) -> list[int]:
    """A set as `count` words."""
    words = [0] * count
    for element in elements:
        words[element // WIDTH] |= 1 << element % WIDTH
    return words
