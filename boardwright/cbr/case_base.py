"""The case base: cases as columns, one per feature, the form that a scan over all cases wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.schema import WORD_BITS, CaseSchema, elements_of

Codes = NDArray[np.uint8]
Words = NDArray[np.int64]
Ids = NDArray[np.int64]


@dataclass
class CaseBase:
    """The cases of one kind of decision. `groups` says which game each case comes from."""

    schema: CaseSchema
    codes: Codes
    """Each number minus its lowest value, of shape (numbers, cases)."""
    sets: Words
    """(words of all sets, cases)"""
    classes: Codes
    """The solution of each case."""
    groups: Ids
    ids: Ids

    @classmethod
    def empty(cls, schema: CaseSchema) -> CaseBase:
        none = np.zeros(0, np.int64)
        return cls(
            schema,
            np.zeros((len(schema.numbers), 0), np.uint8),
            np.zeros((schema.words, 0), np.int64),
            np.zeros(0, np.uint8),
            none,
            none.copy(),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def subset(self, keep: NDArray[np.bool_] | Ids) -> CaseBase:
        """The cases of a mask, or at the given positions."""
        return CaseBase(
            self.schema,
            np.ascontiguousarray(self.codes[:, keep]),
            np.ascontiguousarray(self.sets[:, keep]),
            self.classes[keep],
            self.groups[keep],
            self.ids[keep],
        )

    def joined(self, other: CaseBase) -> CaseBase:
        return CaseBase(
            self.schema,
            np.concatenate((self.codes, other.codes), axis=1),
            np.concatenate((self.sets, other.sets), axis=1),
            np.concatenate((self.classes, other.classes)),
            np.concatenate((self.groups, other.groups)),
            np.concatenate((self.ids, other.ids)),
        )

    def number(self, name: str) -> NDArray[np.int64]:
        """A number feature of all cases, as it was before coding."""
        row = self.schema.number_row(name)
        return self.codes[row].astype(np.int64) + self.schema.numbers[row].low

    def membership(self, name: str) -> NDArray[np.bool_]:
        """(cases, elements): what each case's set contains."""
        position = self.schema.set_position(name)
        first, last = self.schema.first_words[position : position + 2]
        words = np.ascontiguousarray(self.sets[first:last].T, "<i8")
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").reshape(*words.shape, 64)
        spread = bits[:, :, :WORD_BITS].reshape(len(words), (last - first) * WORD_BITS)
        return spread[:, : self.schema.sets[position].elements].astype(bool)

    def members(self, name: str, case: int) -> list[int]:
        """The elements of one case's set."""
        position = self.schema.set_position(name)
        first, last = self.schema.first_words[position : position + 2]
        return elements_of(int(word) for word in self.sets[first:last, case])


def packed_sets(schema: CaseSchema, memberships: Sequence[NDArray[np.bool_]]) -> Words:
    """The sets of many cases as words, from one table (cases, elements) per set; what `membership` takes apart."""
    rows = []
    for feature, present in zip(schema.sets, memberships, strict=True):
        padded = np.zeros((len(present), feature.words * WORD_BITS), np.bool_)
        padded[:, : feature.elements] = present
        bits = np.zeros((len(present), feature.words, 64), np.bool_)
        bits[:, :, :WORD_BITS] = padded.reshape(len(present), feature.words, WORD_BITS)
        packed = np.packbits(bits, axis=2, bitorder="little")
        rows.append(np.ascontiguousarray(packed).view("<i8").reshape(len(present), feature.words).T)
    return np.ascontiguousarray(np.concatenate(rows), np.int64)


def count_by_label(labels: NDArray[np.integer], present: NDArray[np.bool_], count: int) -> NDArray[np.int64]:
    """(labels up to `count`, elements): in how many cases with that label each element is present."""
    table = np.zeros((count, present.shape[1]), np.int64)
    order = np.argsort(labels, kind="stable")
    found, starts = np.unique(labels[order], return_index=True)
    table[found] = np.add.reduceat(present[order], starts, axis=0, dtype=np.int64)
    return table
