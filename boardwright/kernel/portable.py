"""Functions as one LLVM module for any machine: lowered by Numba and linked, but not yet optimised.

`Unit` (compile.py) makes machine code for this machine. An export to another one starts here, before LLVM has chosen
instructions of this machine. Exported functions take addresses and numbers only. They are called as Numba calls
functions: with a place for the result, a place for an error, and the arguments; they return 0, or not if a rule raised
an error.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from boardwright.kernel import cache_files, machine_code
from boardwright.kernel.declare import resolved
from boardwright.kernel.fingerprint import fingerprint
from boardwright.kernel.interrupts import interrupts_wait

ADDRESS = types.CPointer(types.uint8)
"""The type of an argument that is an address."""
PREFIX = "boardwright_"
"""Of the exported functions' names in the module."""

LLVM = Path(__file__).parent / "llvm"
"""Functions that are written in LLVM's own language."""

_ALIGNMENT = 64
_FORMAT = 2  # of the modules in the cache
_RUNTIME = re.compile(r"^define .*@(NRT_incref|NRT_decref)\(")
"""Numba's own counting of references is written for this machine, and for several threads; an export has another."""
_DECLARED = re.compile(r"^declare .*@(NRT_incref|NRT_decref)\(")
_COUNTING = "\n" + (LLVM / "counting.ll").read_text(encoding="utf-8")
"""To be inlined: arrays of an engine's memory have no block, which the optimiser sees."""


def portable_module(functions: Mapping[str, tuple[Callable[..., Any], Any]]) -> str:
    """These functions, and all that they call, as LLVM's language; kept in the compile cache."""
    parts = (part for function, signature in functions.values() for part in (function, repr(signature)))
    key = fingerprint(_FORMAT, *parts)
    file = f"portable-{key}.ll"
    if kept := cache_files.read(file):
        return zlib.decompress(kept).decode()
    text = _lower(functions, key)
    cache_files.write(file, zlib.compress(text.encode(), 1))
    return text


_SPREAD = "\n" + (LLVM / "spread_bits.ll").read_text(encoding="utf-8")
"""What one instruction of some processors does, for all others (`nth_bit` in bits.py)."""


def _without_instructions(text: str) -> str:
    """Without what only the processor here may have."""
    name = "@llvm.x86.bmi.pdep.64"
    if name not in text:
        return text
    declared = re.compile(rf"^declare [^\n]*{re.escape(name)}\([^\n]*\n", re.MULTILINE)
    return declared.sub("", text).replace(name, "@boardwright_spread_bits") + _SPREAD


def _lower(functions: Mapping[str, tuple[Callable[..., Any], Any]], key: str) -> str:
    target = machine_code._target()
    with interrupts_wait():
        target.refresh()
    with machine_code.deferred_linking(target.codegen()):
        results = {}
        for name, (function, signature) in functions.items():
            named = machine_code._named(function, f"portable.{name}", key)
            results[name] = machine_code.lowered(named, signature, name, machine_code._NO_WRAPPERS)
        module = llvm.parse_assembly("")
        for library in machine_code._closure([result.library for result in results.values()]):
            if isinstance(library, machine_code.DeferredLibrary):
                module.link_in(machine_code._copy_to_link(library._final_module))
            else:
                module.link_in(library._get_module_for_linking(), preserve=True)
    exported = {result.fndesc.llvm_func_name: name for name, result in results.items()}
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = llvm.Linkage.internal
    text = _without_instructions(_without_runtime(str(machine_code._without_counting(module))))
    for symbol, name in exported.items():
        text = re.sub(rf'@"?{re.escape(symbol)}"?(?=[(,\s)])', f"@{PREFIX}{name}", text)
    return text


def _without_runtime(text: str) -> str:
    """The module with another counting of references, and without what says which machine it is for."""
    lines, declared = [], False
    for line in text.splitlines():
        if declared:
            declared = line != "}"
        elif _RUNTIME.match(line):
            declared = True
        elif not line.startswith("target "):
            lines.append(line.replace(" = common ", " = internal ", 1))
    text = "\n".join(line for line in lines if not _DECLARED.match(line))
    if "@NRT_incref" not in text and "@NRT_decref" not in text:
        return text
    return text + _COUNTING + ("" if "declare void @NRT_Free(" in text else "declare void @NRT_Free(ptr)\n")


def this_processor() -> tuple[str, str]:
    """What the processor here is and can do, as LLVM names it."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def optimised_object(text: str, triple: str, *, features: str = "", cpu: str = "") -> bytes:
    """Object code of a portable module for a machine."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="pic" if "wasm" not in triple else "static", codemodel="default"
    )
    module = llvm.parse_assembly(text)
    module.triple = triple
    module.data_layout = str(machine.target_data)
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes = builder.getModulePassManager()
    passes.run(module, builder)
    return bytes(machine.emit_object(module))


@intrinsic  # type: ignore[untyped-decorator]
def address_at(typing_context: Any, base: Any, offset: Any) -> Any:
    """The address so many bytes behind another."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return ADDRESS(base, types.int64), generate


def array_at(kind: Any, length: int) -> Any:
    """A rule `array(address)`: the array of that NumPy type and length which lies there."""
    (place, _) = placed(np.zeros(length, kind))
    return place


class Segment(NamedTuple):
    """An array of a placed value: where it lies, and what it holds at first."""

    offset: int
    content: Any


def placed(value: Any) -> tuple[Any, list[Segment]]:
    """A rule `value(address)` that gives a tuple of arrays which lie in one block of memory, one behind the other, and
    these arrays. Numbers in the tuple become constants of the code."""
    segments: list[Segment] = []
    known: dict[int, int] = {}  # the same array twice lies in one place
    end = 0

    def add(part: Any) -> Any:
        nonlocal end
        if isinstance(part, np.ndarray):
            if id(part) not in known:
                known[id(part)] = end
                segments.append(Segment(end, part))
                end += -(-max(part.nbytes, 1) // _ALIGNMENT) * _ALIGNMENT
            return typeof(part), (known[id(part)], part.shape, part.strides, part.itemsize)
        if isinstance(part, tuple):
            return typeof(part), tuple(add(field) for field in part)
        return typeof(part), part

    kind, plan = add(value)

    @intrinsic  # type: ignore[untyped-decorator]
    def place(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return _build(context, builder, values[0], kind, plan)

        return kind(address), generate

    return place, segments


def _build(context: Any, builder: Any, base: Any, kind: Any, plan: Any) -> Any:
    if isinstance(kind, types.Array):
        offset, shape, strides, itemsize = plan
        array = context.make_array(kind)(context, builder)
        pointer = builder.gep(base, [ir.Constant(ir.IntType(64), offset)])
        words = [[context.get_constant(types.intp, n) for n in numbers] for numbers in (shape, strides)]
        populate_array(
            array,
            data=builder.bitcast(pointer, array.data.type),
            shape=words[0],
            strides=words[1],
            itemsize=context.get_constant(types.intp, itemsize),
            meminfo=None,
        )
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = [_build(context, builder, base, part, inner) for part, inner in plan]
        return context.make_tuple(builder, kind, parts)
    return context.get_constant(kind, plan)


def size_of(segments: list[Segment]) -> int:
    """How much memory a placed value takes."""
    if not segments:
        return _ALIGNMENT
    last = segments[-1]
    return last.offset + -(-max(last.content.nbytes, 1) // _ALIGNMENT) * _ALIGNMENT


def table_of(kind: type, entries: list[tuple[Callable[..., Any], Any] | None], *empty: Any) -> Any:
    """A rule `table()`: the entry points as kernels get a game (calls.py), made of functions with their signatures;
    `empty` are arrays without entries that the tuple has besides.

    It is made anew in each function that uses it, so that LLVM can see through it: calls become direct ones."""
    result = typeof(kind(np.zeros(1, np.int64), *empty))

    @intrinsic  # type: ignore[untyped-decorator]
    def table(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            room = cgutils.alloca_once(builder, ir.ArrayType(word, len(entries)))
            for place, entry in enumerate(entries):
                address: Any = ir.Constant(word, 0)
                if entry is not None:
                    function, entry_signature = entry
                    compiled = context.compile_subroutine(builder, function, resolved(entry_signature))
                    declared = context.declare_function(builder.module, compiled.fndesc)
                    address = builder.ptrtoint(declared, word)
                builder.store(address, cgutils.gep_inbounds(builder, room, 0, place))
            array = context.make_array(result.types[0])(context, builder)
            populate_array(
                array,
                data=builder.bitcast(room, array.data.type),
                shape=[context.get_constant(types.intp, len(entries))],
                strides=[context.get_constant(types.intp, 8)],
                itemsize=context.get_constant(types.intp, 8),
                meminfo=None,
            )
            nowhere = builder.bitcast(room, cgutils.voidptr_t)
            more = [
                _build(context, builder, nowhere, part, (0, other.shape, other.strides, other.itemsize))
                for part, other in zip(result.types[1:], empty, strict=True)
            ]
            return context.make_tuple(builder, result, [array._getvalue(), *more])

        return result(), generate

    return table
