"""Sets in machine words: what compiled code does with one instruction is what Python does step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from boardwright.kernel import bits

RANDOM = np.random.default_rng(3)
ROWS = [RANDOM.integers(-3, 9, (2, n)).astype(np.int8) for n in (32, 33, 42, 63) for _ in range(5)]


@njit
def nth_bit(word: int, n: int) -> int:
    return bits.nth_bit(word, n)


@njit
def bytes_above(values: Any, bounds: Any) -> int:
    return bits.bytes_above(values, bounds)


@njit
def add_bytes(values: Any, start: int, word: int, times: int) -> None:
    bits.add_bytes(values, start, word, times)


@pytest.mark.parametrize("word", [1, 0b1011, (1 << 62) | 1, (1 << 63) - 1, 0x2AAAAAAAAAAAAAA])
def test_the_nth_bit_is_the_nth_member(word):
    members = bits.members(word)
    assert [nth_bit(word, n) for n in range(len(members))] == members
    assert [bits._nth(word, n) for n in range(len(members))] == members


@pytest.mark.parametrize("rows", ROWS)
def test_bytes_are_compared_with_a_number_and_with_another_row(rows):
    values, bounds = rows
    for above in (bytes_above, bits._above):
        assert bits.members(above(values, 2)) == [i for i, value in enumerate(values) if value > 2]
        assert bits.members(above(values, bounds)) == [i for i in range(values.size) if values[i] > bounds[i]]


def test_eight_bytes_are_added_and_taken_away_at_once():
    word = sum(value << 8 * place for place, value in enumerate([1, 0, 3, 0, 0, 5, 0, 2]))
    for add in (add_bytes, bits._add_bytes_plain):
        row = np.full(16, 4, np.int8)
        add(row, 5, word, 1)
        assert row.tolist() == [4, 4, 4, 4, 4, 5, 4, 7, 4, 4, 9, 4, 6, 4, 4, 4]
        add(row, 5, word, -1)
        assert row.tolist() == [4] * 16
