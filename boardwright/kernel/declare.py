"""Declaring what is compiled: rules, machine instructions, types and signatures. Nothing here loads a compiler.

A game can be imported and described without Numba, and with NUMBA_DISABLE_JIT=1 also drawn and played: functions are
then left as they are, for a debugger. Numba is loaded when something is compiled (compile.py, machine_code.py).
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

import numpy as np

from boardwright.kernel.records import PlainRecord

UNCOMPILED: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether rules run as plain Python in this process."""

F = TypeVar("F", bound=Callable[..., Any])


class Rule:
    """A function of the rules, which is compiled into whatever calls it.

    Called from Python with a PlainRecord or plain numbers it runs as Python: descriptions of a position can use the
    rules without waiting for a compiler. With arrays it is compiled for that call.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.in_python = function
        """What runs in Python."""
        self.options = options
        self.made: Any = None
        """What Numba knows it as, once it was compiled: Numba's types hold that weakly."""

    def __call__(self, *arguments: Any) -> Any:
        if arguments and isinstance(arguments[0], (PlainRecord, int, np.integer)):
            return self.in_python(*arguments)
        from boardwright.kernel import machine_code

        return machine_code.called_from_python(self.py_func)(*arguments)

    def __repr__(self) -> str:
        return f"<rule {self.__name__}>"  # type: ignore[attr-defined]

    def __reduce__(self) -> str:
        return str(self.__qualname__)  # type: ignore[attr-defined]

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """Numba asks for this when compiled code names the rule."""
        from boardwright.kernel import machine_code

        return machine_code.type_of_rule(self)


class Instruction:
    """A function that only compiled code can call; a function of that name in instructions.py says how it is compiled.

    With parameters, that function is called with them first.
    """

    def __init__(self, name: str, *parameters: Any) -> None:
        self.name, self.parameters = name, parameters
        self.made: Any = None

    def __call__(self, *arguments: Any) -> Any:
        raise NotImplementedError(f"only compiled code can call {self.name}")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from boardwright.kernel import machine_code

        return machine_code.type_of_instruction(self)


def rule(function: F) -> F:
    """Mark a function of the rules: compiled, without the GIL, into everything that calls it."""
    return _rule(function, {})


def rule_for(plain: F) -> Callable[[Callable[..., Any]], F]:
    """A rule that computes the same as `plain` by what only compiled code can do: a machine instruction."""

    def mark(function: Callable[..., Any]) -> F:
        if UNCOMPILED:
            return plain
        marked = Rule(function, {})
        marked.in_python = plain
        return cast(F, marked)

    return mark


def instruction_for(plain: F, name: str, *parameters: Any) -> F:
    """A machine instruction, and what stands for it uncompiled."""
    return plain if UNCOMPILED else cast(F, Instruction(name, *parameters))


def sums_in_any_order(function: F) -> F:
    """A rule whose sums of floats may be added up in any order, several terms at a time. Faster, and the last
    digit of a result then depends on the machine: for networks, not for rules of a game."""
    return _rule(function, {"fastmath": {"reassoc", "contract"}})


def _rule(function: F, options: dict[str, Any]) -> F:
    return function if UNCOMPILED else cast(F, Rule(function, options))


class TypeExpression:
    """A type or a signature of compiled code, written as with `numba.types` and made when the compiler asks for it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @functools.cached_property
    def _made(self) -> Any:
        return self._make()

    def __getattr__(self, name: str) -> TypeExpression:
        if name.startswith("_"):
            raise AttributeError(name)
        return TypeExpression(lambda: getattr(self._made, name))

    def __call__(self, *arguments: Any) -> TypeExpression:
        return TypeExpression(lambda: self._made(*map(resolved, arguments)))

    def __getitem__(self, key: Any) -> TypeExpression:
        return TypeExpression(lambda: self._made[key])

    def __iter__(self) -> Iterator[Any]:
        """For `*signature.args`, which asks now; by `__getitem__` it would never end."""
        return iter(self._made)

    def __repr__(self) -> str:
        return repr(self._made)


def resolved(value: Any) -> Any:
    """Numba's own type or signature for a TypeExpression; anything else as it is."""
    if isinstance(value, TypeExpression):
        return value._made
    return type(value)(map(resolved, value)) if type(value) in (tuple, list) else value


def _numba() -> Any:
    import numba

    return numba


types: Any = TypeExpression(lambda: _numba().types)
"""Stands for `numba.types`."""


def typeof(value: Any) -> Any:
    """The type of a value like this one."""
    return TypeExpression(lambda: _numba().typeof(value))


def from_dtype(dtype: np.dtype[Any]) -> Any:
    """The type of elements of such arrays."""
    return TypeExpression(lambda: _numba().from_dtype(dtype))
