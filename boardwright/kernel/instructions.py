"""What compiled code does beyond Python: how each `Instruction` (declare.py) is compiled.

Every function here types its arguments and returns a signature and a function that writes LLVM's code, as
`numba.extending.intrinsic` wants it; those that make such a function have parameters. Loaded with the compiler only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils

from boardwright.kernel.declare import resolved

_WORD, _BYTE, _INDEX = ir.IntType(64), ir.IntType(8), ir.IntType(32)
_ROW = types.Array(types.int8, 1, "C")
_LANES = 32
_FLOATS, _REGISTERS = 8, 8

# Calls through a table of addresses, and bytes as a record (pointers.py)


def call_slot(slot: int, signature: Any) -> Callable[..., Any]:
    """`call(table, arguments)` for the function of that signature at `table[slot]`."""
    signature = resolved(signature)

    def call(typing_context: Any, table: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            return _call_address(context, builder, table[0], values[0], slot, signature, values[1])

        return signature.return_type(table, types.Tuple(signature.args)), generate

    return call


def call_any_slot(signature: Any) -> Callable[..., Any]:
    """`call(table, slot, arguments)`."""
    signature = resolved(signature)

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


def open_record(dtype: Any) -> Callable[..., Any]:
    record = from_dtype(dtype)

    def open_(typing_context: Any, state: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, values[0])
            return builder.bitcast(array.data, context.get_value_type(record))

        return record(state), generate

    return open_


def borrowed(typing_context: Any, arrays: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        result = values[0]
        for place, kind in enumerate(signature.args[0].types):
            array = context.make_array(kind)(context, builder, builder.extract_value(values[0], place))
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            result = builder.insert_value(result, array._getvalue(), place)
        return result

    return arrays(arrays), generate


# Atomic operations (atomics.py)


def _element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    made = context.make_array(array_type)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, array_type, made, [index])


def atomic_add(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _element(context, builder, signature.args[0], values[0], values[1])
        operation = "fadd" if isinstance(array.dtype, types.Float) else "add"
        return builder.atomic_rmw(operation, place, values[2], "seq_cst")

    return array.dtype(array, types.intp, array.dtype), generate


def compare_and_swap(typing_context: Any, array: Any, index: Any, expected: Any, new: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _element(context, builder, signature.args[0], values[0], values[1])
        swapped = builder.cmpxchg(place, values[2], values[3], "seq_cst", "seq_cst")
        return builder.extract_value(swapped, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


def prepare_to_add(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _element(context, builder, signature.args[0], values[0], values[1])
        address = builder.bitcast(place, _BYTE.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [address.type, _INDEX, _INDEX, _INDEX])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        builder.call(prefetch, [address, _INDEX(1), _INDEX(3), _INDEX(1)])  # to write, kept close, data
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def yield_processor(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(_INDEX, [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), generate


def is_instance(kind: type) -> Callable[..., Any]:
    """Whether a named tuple is of a class, which is known when it is compiled (search/sharing.py)."""

    def is_of_kind(typing_context: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return context.get_constant(types.boolean, issubclass(value.instance_class, kind))

        return types.boolean(value), generate

    return is_of_kind


# Random numbers (rng.py)


def numbers_on_stack(count: int) -> Callable[..., Any]:
    """`make()`: an array of so many 64-bit numbers, for as long as the function runs that asks for it."""
    array = types.Array(types.uint64, 1, "C")

    def make(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            numbers = cgutils.alloca_once(builder, ir.ArrayType(_WORD, count))
            made, size = context.make_array(array)(context, builder), context.get_constant(types.intp, count)
            context.populate_array(
                made,
                data=builder.bitcast(numbers, made.data.type),
                shape=[size],
                strides=[context.get_constant(types.intp, array.dtype.bitwidth // 8)],
                itemsize=context.get_constant(types.intp, array.dtype.bitwidth // 8),
                meminfo=None,
            )
            return made._getvalue()

        return array(), generate

    return make


# Sets as bits (bits.py)


def population(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def trailing_zeros(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


def spread(context: Any, bits: Any, word: Any) -> Any:
    """The lowest bits of one word, spread over the places that are set in another (an instruction of BMI2)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_WORD, [_WORD, _WORD])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), arguments)

    return types.int64(types.int64, types.int64), generate


def bytes_above(context: Any, values: Any, bounds: Any) -> Any:
    """The first 32 bytes are compared at once, and the last 32; where these overlap they agree."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(_BYTE, _LANES)
        shape = context.make_array(_ROW)(context, builder, arguments[0]).shape
        start = builder.sub(builder.extract_value(shape, 0), ir.Constant(_WORD, _LANES))

        def loaded(place: int, first: Any) -> Any:
            if signature.args[place] != _ROW:  # one bound for all
                nothing = ir.Constant(vector, ir.Undefined)
                one = builder.insert_element(nothing, builder.trunc(arguments[place], _BYTE), ir.Constant(_INDEX, 0))
                return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_INDEX, _LANES), [0] * _LANES))
            pointer = builder.gep(context.make_array(_ROW)(context, builder, arguments[place]).data, [first])
            return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=1)

        def compared(first: Any) -> Any:
            is_above = builder.icmp_signed(">", loaded(0, first), loaded(1, first))
            return builder.zext(builder.bitcast(is_above, ir.IntType(_LANES)), _WORD)

        return builder.or_(compared(ir.Constant(_WORD, 0)), builder.shl(compared(start), start))

    return types.int64(_ROW, _ROW if isinstance(bounds, types.Array) else types.int64), generate


def add_bytes(context: Any, values: Any, start: Any, word: Any, times: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, start, word, times = arguments
        data = context.make_array(signature.args[0])(context, builder, values).data
        pointer = builder.bitcast(builder.gep(data, [start]), _WORD.as_pointer())
        total = builder.add(builder.load(pointer, align=1), builder.mul(word, times))
        builder.store(total, pointer, align=1)
        return context.get_dummy_value()

    return types.void(_ROW, types.int64, types.int64, types.int64), generate


# Networks (learn/first_layer.py)


def add_scaled_rows(
    context: Any, matrix: Any, index: Any, value: Any, first: Any, end: Any, sums: Any, start: Any
) -> Any:
    return _scaled_rows(matrix, index, value, sums, False)


def sum_scaled_rows(
    context: Any, matrix: Any, index: Any, value: Any, first: Any, end: Any, sums: Any, start: Any
) -> Any:
    return _scaled_rows(matrix, index, value, sums, True)


def _scaled_rows(matrix: Any, index: Any, value: Any, sums: Any, anew: bool) -> Any:
    """A block of the sums stays in registers while all rows are added to it, one after the other."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds, (_, _, _, first_term, end, _, first_sum) = signature.args, arguments
        rows, indices, values, kept = (
            context.make_array(kinds[place])(context, builder, arguments[place]) for place in (0, 1, 2, 5)
        )
        vector = ir.VectorType(ir.FloatType(), _FLOATS)
        units = builder.extract_value(rows.shape, 1)
        width, same = ir.Constant(_WORD, _FLOATS), ir.Constant(ir.VectorType(_INDEX, _FLOATS), [0] * _FLOATS)

        def at(array: Any, place: Any) -> Any:
            return builder.bitcast(builder.gep(array.data, [place]), vector.as_pointer())

        with cgutils.for_range(builder, builder.sdiv(units, ir.Constant(_WORD, _FLOATS * _REGISTERS))) as block:
            start = builder.mul(block.index, ir.Constant(_WORD, _FLOATS * _REGISTERS))
            places = [builder.add(start, builder.mul(width, ir.Constant(_WORD, i))) for i in range(_REGISTERS)]
            totals = [cgutils.alloca_once(builder, vector) for _ in places]
            for total, place in zip(totals, places, strict=True):
                kept_sum = at(kept, builder.add(first_sum, place))
                builder.store(ir.Constant(vector, [0.0] * _FLOATS) if anew else builder.load(kept_sum, align=4), total)
            with cgutils.for_range(builder, builder.sub(end, first_term)) as terms:
                term = builder.add(first_term, terms.index)
                feature = builder.load(builder.gep(indices.data, [term]))
                scale = builder.load(builder.gep(values.data, [term]))
                nothing = ir.Constant(vector, ir.Undefined)
                one = builder.insert_element(nothing, scale, ir.Constant(_INDEX, 0))
                scales = builder.shuffle_vector(one, nothing, same)
                first = builder.mul(feature, units)
                for total, place in zip(totals, places, strict=True):
                    weights = builder.load(at(rows, builder.add(first, place)), align=4)
                    builder.store(builder.fadd(builder.load(total), builder.fmul(scales, weights)), total)
            for total, place in zip(totals, places, strict=True):
                builder.store(builder.load(total), at(kept, builder.add(first_sum, place)), align=4)
        return context.get_dummy_value()

    return types.void(matrix, index, value, types.int64, types.int64, sums, types.int64), generate
