"""Case representation: the features by which the cases of one kind are described and compared.

There are two sorts of features: numbers, small integers that fit into a byte once their lowest value is subtracted, and
sets, kept as bits in words. A case also has a class, which is its solution.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

WORD_BITS = 60
"""Bits used of a word: fewer than 63, so that every word is a positive int64, compiled or not."""


@dataclass(frozen=True)
class NumberFeature:
    """An integer from `low` to at most `low` + 255; values outside count as the nearest."""

    name: str
    low: int = 0


@dataclass(frozen=True)
class SetFeature:
    """A set of elements numbered from 0."""

    name: str
    elements: int

    @property
    def words(self) -> int:
        return -(-self.elements // WORD_BITS)


@dataclass(frozen=True)
class CaseSchema:
    """The features of a kind of case, and how many classes there are."""

    numbers: tuple[NumberFeature, ...]
    sets: tuple[SetFeature, ...]
    classes: int

    @property
    def names(self) -> tuple[str, ...]:
        """Of all features."""
        return (*(feature.name for feature in self.numbers), *(feature.name for feature in self.sets))

    def number_row(self, name: str) -> int:
        """Which of the numbers a feature is."""
        return [feature.name for feature in self.numbers].index(name)

    def set_position(self, name: str) -> int:
        """Which of the sets a feature is."""
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


def elements_of(words: Iterable[int]) -> list[int]:
    """The elements of a set given as words."""
    found = []
    for number, word in enumerate(words):
        while word:
            low = word & -word
            found.append(WORD_BITS * number + low.bit_length() - 1)
            word ^= low
    return found


def words_of(elements: Iterable[int], count: int) -> list[int]:
    """A set as `count` words."""
    words = [0] * count
    for element in elements:
        words[element // WORD_BITS] |= 1 << element % WORD_BITS
    return words
