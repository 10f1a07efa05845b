"""Sets as the bits of one word, for rules: how many members, and which is the lowest. And several numbers in one.

Keep words positive (at most 63 bits), so that the same arithmetic holds compiled and uncompiled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from boardwright.kernel.declare import Instruction, rule, rule_for

_population, _trailing_zeros, _spread = Instruction("population"), Instruction("trailing_zeros"), Instruction("spread")
_bytes_above, _add_bytes = Instruction("bytes_above"), Instruction("add_bytes")


def _count(word: int) -> int:
    return int(word).bit_count()


def _lowest(word: int) -> int:
    return (int(word) & -int(word)).bit_length() - 1


@rule_for(_count)
def count_bits(word: int) -> int:
    """How many bits are set."""
    return _population(np.int64(word))


@rule_for(_lowest)
def lowest_bit(word: int) -> int:
    """The place of the lowest bit that is set; the word is not 0."""
    return _trailing_zeros(np.int64(word))


@rule
def unsigned(byte: Any) -> int:
    """A byte without its sign as a number: as an index it is known not to be negative, which spares a test."""
    value: Any = np.int64(np.uint8(byte))
    return value


def _nth(word: int, n: int) -> int:
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)


def _nth_by_spreading(word: int, n: int) -> int:
    return _trailing_zeros(_spread(np.int64(1) << np.int64(n), np.int64(word)))


def _has_bmi2() -> bool:
    try:
        return " bmi2" in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


HAS_BMI2 = _has_bmi2()
nth_bit = rule_for(_nth)(_nth_by_spreading if HAS_BMI2 else _nth)
"""A rule, `nth_bit(word, n)`: the place of the n-th bit that is set, counted from 0; the word has more bits than that.
(Where the processor can, without a loop: how often it runs cannot be predicted.)"""


def _above(values: Any, bounds: Any) -> int:
    limits = [bounds] * len(values) if isinstance(bounds, int) else bounds.tolist()
    return sum(1 << place for place, value in enumerate(values.tolist()) if value > limits[place])


@rule_for(_above)
def bytes_above(values: Any, bounds: Any) -> int:
    """The places of a row of 32 to 63 one-byte numbers at which the number is above a bound, as a set; or above that of
    another row."""
    return _bytes_above(values, bounds)


def _add_bytes_plain(values: Any, start: int, word: int, times: int) -> None:
    for place in range(8):
        if byte := int(word) >> 8 * place & 0xFF:
            values[start + place] += times * byte


@rule_for(_add_bytes_plain)
def add_bytes(values: Any, start: int, word: int, times: int) -> None:
    """Add the eight bytes of a word, or with -1 for `times` take them away, to eight successive one-byte numbers of a
    row, from `start` on. No number may leave 0 to 127 by it. Where the row is a field of a record, some of the eight
    may lie beyond it, in the fields beside it: the word has zeros there."""
    _add_bytes(values, np.int64(start), np.int64(word), np.int64(times))


def members(word: int) -> list[int]:
    """The places of the bits that are set, for Python code."""
    return [place for place in range(int(word).bit_length()) if int(word) >> place & 1]


_HALF = 31
_LOW = (1 << _HALF) - 1
_PRIME = 16777619  # of the hash FNV-1a


@rule
def mix(mixed: int, number: int) -> int:
    """A number below 2^31 for all that was mixed before and one more number; begin with 0, which comes out only for
    nothing. Different numbers seldom come out alike, and not on purpose."""
    mixed = ((mixed + 1 ^ number & _LOW) * _PRIME & _LOW) ^ mixed >> 15
    mixed = ((mixed + 1 ^ number >> _HALF) * _PRIME & _LOW) ^ mixed >> 15
    return mixed if mixed else 1
