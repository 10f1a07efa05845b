"""Counting references only where something is owned.

Numba counts references to every array that a function touches. What a function was handed belongs to its caller, so
counting is wasted on it: with it, search kernels are three times as slow. A function owns something if it allocates,
or calls a function that hands it a new reference. All others are left without counting here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_FROM_PYTHON = "_ZN7cpython"  # how Numba names what unpacks the arguments of a call from Python, and owns them
_FROM_C = "cfunc."  # how Numba names what C would call; its own `max` and `int` come with one that nobody calls
_RUNTIME = "NRT_"  # how Numba names what allocates, counts and frees
_DEFINED = re.compile(r'^define .*?@"?([^"(]+)"?\((?:ptr [^,%]*(%[\w.]+))?')
_CALLED = re.compile(r'\bcall [^@]*@"?([^"(]+)"?\(')
_COUNTING = re.compile(r"\s*(tail )?call void @NRT_(incref|decref)\(")
_OWNING = re.compile(r"call .*@NRT_(?!incref|decref)")
_POINTER = re.compile(r"(?<![%\w.])ptr\b(?! null)")


class _Function(NamedTuple):
    counts: bool
    owns: bool
    """Whether it allocates or frees, or is no rule but what stands between rules and Python."""
    returns_references: bool
    calls: frozenset[str]


def without_counting(text: str) -> str:
    """A module, as text, without the calls that count references in functions that own nothing."""
    functions = {name: _read(name, result, lines) for name, result, lines in _bodies(text)}
    owning = _owning(functions)
    kept, inside = [], ""
    for line in text.splitlines():
        if found := _DEFINED.match(line):
            inside = found[1]
        if inside in owning or not _COUNTING.match(line):
            kept.append(line)
    return "\n".join(kept) + "\n"


def _owning(functions: dict[str, _Function]) -> set[str]:
    """The functions that must count. One that hands on a reference counts for callers that do; then all its other
    callers have something to give back as well."""
    owning = {name for name, function in functions.items() if function.owns}
    while True:
        called = frozenset[str]().union(*(functions[name].calls for name in owning))
        giving = {
            name
            for name, function in functions.items()
            if function.returns_references and (name in owning or (function.counts and name in called))
        }
        found = giving | {name for name, function in functions.items() if function.calls & giving}
        if found <= owning:
            return owning
        owning |= found


def _bodies(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Each function's name, the name of the place for its result, and its lines."""
    name, result, lines = "", "", list[str]()
    for line in text.splitlines():
        if found := _DEFINED.match(line):
            name, result, lines = found[1], found[2] or "", []
        elif name and line == "}":
            yield name, result, lines
            name = ""
        elif name:
            lines.append(line)


def _read(name: str, result: str, lines: list[str]) -> _Function:
    is_outside = name.startswith((_RUNTIME, _FROM_PYTHON, _FROM_C))
    return _Function(
        counts=any(map(_COUNTING.match, lines)),
        owns=is_outside or any(map(_OWNING.search, lines)),
        returns_references=not is_outside and bool(result) and any(map(_writer_of_references(result), lines)),
        calls=frozenset(found[1] for line in lines for found in _CALLED.finditer(line)),
    )


def _writer_of_references(place: str) -> Callable[[str], bool]:
    """Whether a line puts something there that is not just numbers."""
    plain = re.compile(rf"\s*store (.*), ptr {re.escape(place)}(?![\w.])")

    def writes(line: str) -> bool:
        if place not in line:
            return False
        stored = plain.match(line)
        return stored is None or bool(_POINTER.search(stored[1]))

    return writes
