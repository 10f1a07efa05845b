"""Atomic operations on array elements, for trees that several threads share."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_item_pointer
from numba.extending import intrinsic

from boardwright.kernel.compile import UNCOMPILED, rule


def _element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    made = context.make_array(array_type)(context, builder, array)
    return get_item_pointer(context, builder, array_type, made, [index])


def _plain_atomic_add(array: Any, index: int, amount: Any) -> Any:
    before = array[index]
    array[index] = before + amount
    return before


def _plain_compare_and_swap(array: Any, index: int, expected: Any, new: Any) -> bool:
    if array[index] != expected:
        return False
    array[index] = new
    return True


@intrinsic  # type: ignore[untyped-decorator]
def _atomic_add(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add to array[index] in one step; returns the value before."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _element(context, builder, signature.args[0], values[0], values[1])
        operation = "fadd" if isinstance(array.dtype, types.Float) else "add"
        return builder.atomic_rmw(operation, place, values[2], "seq_cst")

    return array.dtype(array, types.intp, array.dtype), generate


@intrinsic  # type: ignore[untyped-decorator]
def _compare_and_swap(typing_context: Any, array: Any, index: Any, expected: Any, new: Any) -> Any:
    """Set array[index] to `new` if it is `expected`; returns whether it was."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _element(context, builder, signature.args[0], values[0], values[1])
        swapped = builder.cmpxchg(place, values[2], values[3], "seq_cst", "seq_cst")
        return builder.extract_value(swapped, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


def _plain_prepare(array: Any, index: int) -> None:
    pass


@intrinsic  # type: ignore[untyped-decorator]
def _prepare(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask the memory for array[index], which is about to be changed; does not wait for it."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _element(context, builder, signature.args[0], values[0], values[1])
        address = builder.bitcast(place, ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        builder.call(prefetch, [address, number(1), number(3), number(1)])  # to write, kept close, data
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


_sched_yield = types.ExternalFunction("sched_yield", types.int32())


def _plain_yield() -> None:
    pass


def _yield() -> None:
    _sched_yield()


yield_processor = _plain_yield if UNCOMPILED else rule(_yield)
"""Let another thread run, while waiting for a lock."""
atomic_add = _plain_atomic_add if UNCOMPILED else _atomic_add
prepare_to_add = _plain_prepare if UNCOMPILED else _prepare
compare_and_swap = _plain_compare_and_swap if UNCOMPILED else _compare_and_swap
