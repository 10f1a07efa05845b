"""What a compiled function depends on, as one digest.

Numba's own cache looks only at the file a function stands in: a constant imported from elsewhere goes
stale in silence. Here the digest covers the function's bytecode and, through its globals and closure,
the *value* of everything it reaches: constants, tables (wherever they were loaded from), record types and
the functions it calls, recursively. Editing a comment recompiles nothing; editing a card's cost in a data
file recompiles just the rules that use that table.
"""

from __future__ import annotations

import builtins
import enum
import functools
import hashlib
import inspect
import sys
import types
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.types import Type as NumbaType
from numba.core.typing.templates import Signature, builtin_registry
from numba.extending import _Intrinsic
from numba.np.ufunc.dufunc import DUFunc

from boardwright.errors import BadGame
from boardwright.kernel import instructions
from boardwright.kernel.declare import Instruction, Rule, TypeExpression

_LIBRARIES = frozenset({"numpy", "numba", "llvmlite"}) | sys.stdlib_module_names
_VERSIONS = f"python {sys.version_info[:2]} numba {numba.__version__} numpy {np.__version__}"


def fingerprint(*things: object) -> str:
    """A digest that changes whenever the machine code of a function, or of several, might."""
    return fingerprint_and_size(*things)[0]


def fingerprint_and_size(*things: object) -> tuple[str, int]:
    """The digest, and how many compiled functions it covers."""
    walk = _Walk()
    walk.feed(_VERSIONS)
    for thing in things:
        walk.feed(thing)
    return walk.sha.hexdigest()[:32], walk.functions


class _Walk:
    def __init__(self) -> None:
        self.sha = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []  # what `seen` refers to must stay alive while ids are compared
        self.looked_into: set[tuple[int, str]] = set()  # attributes of modules
        self.functions = 0

    def update(self, *parts: object) -> None:
        self.sha.update("\x1f".join(map(str, parts)).encode() + b"\x1e")

    def feed(self, value: Any) -> None:
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
            if isinstance(value, enum.Enum):
                self.update("enum", type(value).__qualname__, value.name, repr(value.value))
            else:
                self.update(type(value).__name__, repr(value))
            return
        if id(value) in self.seen:
            self.update("again", self.seen[id(value)])
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        self._feed_object(value)

    def _feed_object(self, value: Any) -> None:
        if isinstance(value, Rule):
            self.update("rule", sorted((k, sorted(v)) for k, v in value.options.items()))  # sets come in any order
            self.feed(value.py_func)
        elif isinstance(value, Instruction):
            self.update("instruction", value.name, _file_digest(instructions.population))
            self.feed(value.parameters)
        elif isinstance(value, Dispatcher):
            options = value.targetoptions.items()  # sets come in any order
            self.update("compiled", sorted((k, sorted(v) if isinstance(v, set) else v) for k, v in options))
            self.feed(value.py_func)
        elif isinstance(value, _Intrinsic):
            self.update("intrinsic", _file_digest(value._defn))
            self._feed_function(value._defn)
        elif isinstance(value, types.FunctionType):
            self._feed_function(value)
        elif isinstance(value, np.ndarray):
            self.update("array", value.dtype.descr, value.shape)
            self.sha.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, np.generic):
            self.update("scalar", value.dtype, value.tobytes().hex())
        elif isinstance(value, (np.dtype, NumbaType, Signature, TypeExpression)):
            self.update(type(value).__name__, repr(value))
        elif isinstance(value, (tuple, list)):
            self.update("sequence", type(value).__qualname__, getattr(type(value), "_fields", ""), len(value))
            for element in value:
                self.feed(element)
        elif isinstance(value, type):
            self._feed_class(value)
        elif isinstance(value, slice):
            for part in (value.start, value.stop, value.step):
                self.feed(part)
        elif isinstance(value, DUFunc):
            self.update("ufunc", sorted(map(str, value.types)))
            self.feed(value._dispatcher.py_func)
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc)):
            self.update("builtin", getattr(value, "__module__", ""), value.__name__)
        elif isinstance(value, types.ModuleType):
            self.update("module", value.__name__)
        elif isinstance(value, enum.Enum):
            self.update("enum", type(value).__qualname__, value.name, repr(value.value))
        else:
            raise BadGame(
                f"compiled code uses a global of type {type(value).__qualname__}, whose changes cannot be tracked;"
                " use numbers, strings, tuples, NumPy arrays, enums or other rules"
            )

    def _feed_class(self, value: type) -> None:
        self.update("class", value.__module__, value.__qualname__)
        if issubclass(value, enum.Enum):
            self.update([(name, member.value) for name, member in value.__members__.items()])
        elif hasattr(value, "_fields"):
            self.update(value._fields)

    def _feed_function(self, function: types.FunctionType) -> None:
        if _is_library(function.__module__ or ""):
            self.update("library function", function.__module__, function.__qualname__)
            return
        if function in _overloaded(len(builtin_registry.globals)):
            raise BadGame(
                f"compiled code uses {function.__qualname__}, which has a Numba @overload, whose changes cannot be"
                " tracked; make it a rule"
            )
        self.update("function", function.__module__, function.__qualname__)
        self.functions += 1
        self.feed(function.__defaults__)
        names = self._feed_code(function.__code__, function.__doc__)
        for cell in function.__closure__ or ():
            self.feed(cell.cell_contents)
            self._feed_attributes(cell.cell_contents, names)
        for name in names:
            if name in function.__globals__:
                self.update("global", name)
                value = function.__globals__[name]
                self.feed(value)
                self._feed_attributes(value, names)
            elif not hasattr(builtins, name):
                self.update("attribute or unbound", name)

    def _feed_attributes(self, value: Any, names: list[str]) -> None:
        """`cards.COST` in the code: the module's attributes that the code names count too."""
        if isinstance(value, types.ModuleType) and not _is_library(value.__name__):
            for name in names:
                if hasattr(value, name) and (id(value), name) not in self.looked_into:
                    self.looked_into.add((id(value), name))
                    self.update("of", value.__name__, name)
                    self.feed(getattr(value, name))
                    self._feed_attributes(getattr(value, name), names)

    def _feed_code(self, code: types.CodeType, docstring: str | None = None) -> list[str]:
        """The bytecode and constants, docstring aside; returns every name the code looks up."""
        self.sha.update(code.co_code)
        self.update(code.co_varnames, code.co_names, code.co_freevars, code.co_flags)
        names = list(code.co_names)
        for place, constant in enumerate(code.co_consts):
            if isinstance(constant, types.CodeType):
                names += self._feed_code(constant)
            elif not (place == 0 and docstring is not None and constant == docstring):
                self.update(type(constant).__name__, repr(constant))
        return names


@functools.cache
def _overloaded(registered: int) -> set[Any]:
    """Plain functions that stand for compiled code elsewhere: what they are compiled to is out of sight."""
    return {function for function, _ in builtin_registry.globals if isinstance(function, types.FunctionType)}


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in _LIBRARIES


@functools.cache
def _file_digest(function: types.FunctionType) -> str:
    """An intrinsic builds machine code itself, out of sight: its whole file stands for it."""
    return hashlib.sha256(Path(inspect.getfile(function)).read_bytes()).hexdigest()
