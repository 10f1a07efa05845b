"""What compiled code does with bare memory: call rules through a table of addresses, see bytes as a record.

A search kernel is compiled once, for all games. It gets a game as an array of addresses, one per slot of the
contract, and calls `player(rules, state)` and so on. (Numba's own first-class functions would do the same
at 50 µs an argument and call; an array of addresses costs nothing to pass.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic

from boardwright.kernel.compile import UNCOMPILED, rule


def caller(slot: int, signature: Any) -> Callable[..., Any]:
    """A rule `call(table, arguments)` for the function of that signature at `table[slot]`."""
    if UNCOMPILED:
        return lambda table, arguments: table.addresses[slot](*map(_plain, arguments))

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, table: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            return _call_address(context, builder, table[0], values[0], slot, signature, values[1])

        return signature.return_type(table, types.Tuple(signature.args)), generate

    return call


def _plain(argument: Any) -> Any:
    """What a compiled call would be given: a wide integer. NumPy's narrow ones overflow in plain Python."""
    return int(argument) if isinstance(argument, np.integer) else argument


def indexed_caller(signature: Any) -> Callable[..., Any]:
    """A rule `call(table, slot, arguments)`, for slots that are known only when it runs."""
    if UNCOMPILED:
        return lambda table, slot, arguments: table.addresses[slot](*map(_plain, arguments))

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, table: Any, slot: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            return _call_address(context, builder, table[0], values[0], values[1], signature, values[2])

        return signature.return_type(table, types.int64, types.Tuple(signature.args)), generate

    return call


def _call_address(
    context: Any, builder: Any, array_type: Any, table: Any, slot: Any, signature: Any, arguments: Any
) -> Any:
    convention = context.call_conv
    function_type = convention.get_function_type(signature.return_type, signature.args)
    array = context.make_array(array_type)(context, builder, builder.extract_value(table, 0))
    target = builder.load(cgutils.gep_inbounds(builder, array.data, slot))
    pointer = builder.inttoptr(target, function_type.as_pointer())
    status, result = convention.call_function(
        builder, pointer, signature.return_type, signature.args, cgutils.unpack_tuple(builder, arguments)
    )
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result


def record_opener(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """A rule `open_(state)` that gives the record living in a state's bytes.

    `state.view(dtype)[0]` does the same but checks sizes and counts references, several times in every call.
    """
    record = from_dtype(dtype)

    @intrinsic  # type: ignore[untyped-decorator]
    def open_(typing_context: Any, state: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, values[0])
            return builder.bitcast(array.data, context.get_value_type(record))

        return record(state), generate

    return open_


def _borrowed_plain(arrays: Any) -> Any:
    return arrays


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(typing_context: Any, arrays: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        result = values[0]
        for place, kind in enumerate(signature.args[0].types):
            array = context.make_array(kind)(context, builder, builder.extract_value(values[0], place))
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            result = builder.insert_value(result, array._getvalue(), place)
        return result

    return arrays(arrays), generate


borrowed = _borrowed_plain if UNCOMPILED else _borrowed
"""A rule: the same tuple of arrays, whose references nobody counts, while somebody else holds them. Passing twenty
arrays to a helper in a loop takes longer than a step of Connect Four if each is counted up and down."""


@rule
def copy_into(target: Any, source: Any, n: int) -> None:
    """The first n elements. As `target[:n] = source[:n]`, which would compile text formatting for its error message:
    over a second for every kernel that copies a state."""
    for i in range(n):
        target[i] = source[i]
