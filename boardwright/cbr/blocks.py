"""Case blocks: a case base laid out for retrieval, so that most of it need not be looked at.

Cases are sorted by the numbers that make most of a distance, so that those beside each other are alike, and cut into
blocks. Of each block is known between which codes each number lies, and which elements of sets any of its cases has.
That bounds the distances of all its cases from below (retrieval.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.similarity import WeightedDistance

BLOCK = 64
"""Cases that are looked at together."""
NOT_INDEXED = -1
_SORTED_BY = 5
"""By so many numbers; those of the cases that are equal in them are as they come."""


class Blocks(NamedTuple):
    """What a scan reads. The last block is filled up with its last case."""

    positions: NDArray[np.int32]
    """Where each case is in the case base."""
    codes: NDArray[np.uint8]
    """(blocks, indexed numbers, cases of a block)"""
    words: NDArray[np.int64]
    """(blocks, words of indexed sets, cases of a block)"""
    word_at: NDArray[np.int64]
    """For each word of the schema: which of the words here it is, or NOT_INDEXED."""
    lowest: NDArray[np.uint8]
    """(indexed numbers, blocks): the codes between which those of a block lie."""
    highest: NDArray[np.uint8]
    present: NDArray[np.int64]
    """(blocks, words of indexed sets): what any case of a block has."""


class CaseBlocks:
    """The cases of a case base as blocks, for one distance."""

    def __init__(self, case_base: CaseBase, distance: WeightedDistance, sorted_by: Sequence[int] | None = None) -> None:
        """`sorted_by`: rows of numbers, the first before all others; default: those of `sort_rows`."""
        self.case_base = case_base
        self.distance = distance
        self._sorted_by = sort_rows(case_base, distance) if sorted_by is None else sorted_by

    @cached_property
    def blocks(self) -> Blocks:
        """Made when it is first asked for."""
        case_base, distance = self.case_base, self.distance
        rows = distance.number_tables.rows
        keys = [case_base.codes[row] for row in reversed(self._sorted_by)]
        order = np.lexsort(keys) if keys else np.arange(len(case_base))
        count = -(-len(order) // BLOCK)
        filled = np.concatenate([order, np.repeat(order[-1:], count * BLOCK - len(order))])
        indexed = [
            word
            for feature in distance.sets
            for word in range(*distance.schema.first_words[feature.position : feature.position + 2])
        ]
        word_at = np.full(distance.schema.words, NOT_INDEXED, np.int64)
        word_at[indexed] = np.arange(len(indexed))
        codes = np.empty((count, len(rows), BLOCK), np.uint8)
        for at, row in enumerate(rows):
            codes[:, at] = case_base.codes[row, filled].reshape(count, BLOCK)
        words = np.empty((count, len(indexed), BLOCK), np.int64)
        for at, word in enumerate(indexed):
            words[:, at] = case_base.sets[word, filled].reshape(count, BLOCK)
        return Blocks(
            order.astype(np.int32),
            codes,
            words,
            word_at,
            np.ascontiguousarray(codes.min(2, initial=255).T),
            np.ascontiguousarray(codes.max(2, initial=0).T),
            np.bitwise_or.reduce(words, axis=2),
        )

    def __len__(self) -> int:
        return len(self.case_base)


def sort_rows(case_base: CaseBase, distance: WeightedDistance, windows: Sequence[int] = ()) -> list[int]:
    """The rows of numbers that make most of the distance between cases, after those that queries have windows of."""
    spread = {
        number.row: float(number.weight * case_base.codes[number.row].std() ** number.exponent) if len(case_base) else 0
        for number in distance.numbers
    }
    return sorted(spread, key=lambda row: (row not in windows, -spread[row]))[:_SORTED_BY]
