"""Sets as the bits of one word, for rules: how many members, and which is the lowest. And several numbers in one.

Keep words positive (at most 63 bits), so that the same arithmetic holds compiled and uncompiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import cgutils
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


def _nth(word: int, n: int) -> int:
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)


@intrinsic  # type: ignore[untyped-decorator]
def _spread(context: Any, bits: Any, word: Any) -> Any:
    """The lowest bits of one word, spread over the places that are set in another (an instruction of BMI2)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), arguments)

    return types.int64(types.int64, types.int64), generate


def _nth_by_spreading(word: int, n: int) -> int:
    return _trailing_zeros(_spread(np.int64(1) << np.int64(n), np.int64(word)))


HAS_BMI2 = bool(get_host_cpu_features().get("bmi2"))
nth_bit = rule_for(_nth)(_nth_by_spreading if HAS_BMI2 else _nth)
"""A rule, `nth_bit(word, n)`: the place of the n-th bit that is set, counted from 0; the word has more bits than that.
(Where the processor can, without a loop: how often it runs cannot be predicted.)"""


_LANES = 32


@intrinsic  # type: ignore[untyped-decorator]
def _bytes_above(context: Any, values: Any, bounds: Any) -> Any:
    """The first 32 bytes are compared at once, and the last 32; where these overlap they agree."""
    row = types.Array(types.int8, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, word, index = ir.IntType(8), ir.IntType(64), ir.IntType(32)
        vector = ir.VectorType(byte, _LANES)
        shape = context.make_array(row)(context, builder, arguments[0]).shape
        start = builder.sub(builder.extract_value(shape, 0), ir.Constant(word, _LANES))

        def loaded(place: int, first: Any) -> Any:
            if signature.args[place] != row:  # one bound for all
                nothing = ir.Constant(vector, ir.Undefined)
                one = builder.insert_element(nothing, builder.trunc(arguments[place], byte), ir.Constant(index, 0))
                return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(index, _LANES), [0] * _LANES))
            pointer = builder.gep(context.make_array(row)(context, builder, arguments[place]).data, [first])
            return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=1)

        def compared(first: Any) -> Any:
            is_above = builder.icmp_signed(">", loaded(0, first), loaded(1, first))
            return builder.zext(builder.bitcast(is_above, ir.IntType(_LANES)), word)

        return builder.or_(compared(ir.Constant(word, 0)), builder.shl(compared(start), start))

    return types.int64(row, row if isinstance(bounds, types.Array) else types.int64), generate


def _above(values: Any, bounds: Any) -> int:
    limits = [bounds] * len(values) if isinstance(bounds, int) else bounds.tolist()
    return sum(1 << place for place, value in enumerate(values.tolist()) if value > limits[place])


@rule_for(_above)
def bytes_above(values: Any, bounds: Any) -> int:
    """The places of a row of 32 to 63 one-byte numbers at which the number is above a bound, as a set; or above that of
    another row."""
    return _bytes_above(values, bounds)


@intrinsic  # type: ignore[untyped-decorator]
def _add_bytes(context: Any, values: Any, start: Any, word: Any, times: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, start, word, times = arguments
        data = context.make_array(signature.args[0])(context, builder, values).data
        pointer = builder.bitcast(builder.gep(data, [start]), ir.IntType(64).as_pointer())
        total = builder.add(builder.load(pointer, align=1), builder.mul(word, times))
        builder.store(total, pointer, align=1)
        return context.get_dummy_value()

    return types.void(types.Array(types.int8, 1, "C"), types.int64, types.int64, types.int64), generate


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
