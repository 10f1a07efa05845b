"""Sets in machine words: what compiled code does with one instruction is what Python does step by step."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from llvmlite import binding as llvm
from numba import njit

from boardwright.kernel import bits
from boardwright.kernel.portable import _without_instructions

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


def test_exports_spread_bits_without_the_instruction():
    """Exported code runs on processors of all kinds."""
    name = "@llvm.x86.bmi.pdep.64"
    body = f"%x = call i64 {name}(i64 %bit, i64 %word)\n ret i64 %x"
    text = f"declare i64 {name}(i64, i64)\ndefine i64 @nth(i64 %bit, i64 %word) {{\n {body}\n}}\n"
    portable = _without_instructions(text)
    assert "x86" not in portable
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(portable)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    nth = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("nth"))
    word = 0b1011000110
    assert [nth(1 << n, word) for n in range(5)] == [1 << place for place in bits.members(word)]
