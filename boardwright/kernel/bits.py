"""Sets as the bits of one word, for rules: how many members, and which is the lowest. And several numbers in one.

Keep words positive (at most 63 bits), so that the same arithmetic holds compiled and uncompiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from boardwright.kernel.compile import rule, rule_for


@intrinsic  # type: ignore[untyped-decorator]
def _population(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


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
