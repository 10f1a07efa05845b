"""State records: one fixed-size NumPy record holds a whole position.

`record(...)` declares one. Compiled rules see it as a Numba record; uncompiled rules and everything that
puts a position into words see the same bytes through `PlainRecord`, which hands out Python integers, so
that `s.coins - 3` never wraps around at the width of the stored field.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
"""A state's memory: what rules, search and processes pass around."""

Actions = NDArray[np.int64]
Returns = NDArray[np.float64]


class Record(Protocol):
    """The type of `s` in a rules function: fields are read and written as attributes."""

    def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None: ...


def record(**fields: Any) -> np.dtype[Any]:
    """A record type: `record(board=("i1", 42), turn="i1", city=(CITY, 7))`.

    A field is a NumPy type, or a pair of a type and a length (or shape); the type may be another record.
    """
    members: list[Any] = []
    for name, field in fields.items():
        if isinstance(field, tuple):
            kind, shape = field
            members.append((name, np.dtype(kind), shape if isinstance(shape, tuple) else (shape,)))
        else:
            members.append((name, np.dtype(field)))
    return np.dtype(members, align=True)


class PlainArray(np.ndarray[Any, np.dtype[Any]]):
    """A field's array, giving Python numbers for its elements."""

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and self.ndim == 1 and self.dtype.names is None:
            return self.item(index)  # what text and uncompiled rules do most
        return _plain(super().__getitem__(index))


class PlainRecord:
    """A record over the state's own memory, for code that runs uncompiled."""

    __slots__ = ("_void",)

    def __init__(self, void: np.void) -> None:
        object.__setattr__(self, "_void", void)

    def __getattr__(self, name: str) -> Any:
        try:
            return _plain(self._void[name])
        except ValueError:
            raise AttributeError(f"the state has no field {name!r}; it has {self._void.dtype.names}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self._void.dtype.names or ()):
            raise AttributeError(f"the state has no field {name!r}; it has {self._void.dtype.names}")
        self._void[name] = value

    def __repr__(self) -> str:
        return f"PlainRecord({self._void!r})"


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is np.ndarray or kind is PlainArray:
        return value.view(PlainArray)
    if kind is np.void:
        return PlainRecord(value)
    return value.item() if isinstance(value, np.generic) else value


def plain_record(memory: Bytes, dtype: np.dtype[Any]) -> PlainRecord:
    """The record that lives in `memory`; writing to it writes there."""
    return PlainRecord(memory.view(dtype)[0])


def as_json(value: Any) -> Any:
    """A record, array or scalar as lists, dicts and numbers."""
    if isinstance(value, PlainRecord):
        value = value._void
    if isinstance(value, np.void):
        return {name: as_json(value[name]) for name in value.dtype.names or ()}
    if isinstance(value, np.ndarray):
        return [as_json(element) for element in value] if value.dtype.names else value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def fill_from_json(target: np.void, values: Any) -> None:
    """The inverse of `as_json`; raises KeyError, TypeError or ValueError where the values do not fit."""
    names = target.dtype.names or ()
    unknown = set(values) - set(names)
    if unknown:
        raise KeyError(sorted(unknown)[0])
    for name in names:
        field, value = target[name], values[name]
        if isinstance(field, np.void):
            fill_from_json(field, value)
        elif isinstance(field, np.ndarray) and field.dtype.names:
            if len(field) != len(value):
                raise ValueError(f"{name} needs {len(field)} entries, got {len(value)}")
            for element, entry in zip(field, value, strict=True):
                fill_from_json(element, entry)
        else:
            given = np.array(value, target.dtype[name].base)
            if given.shape != np.shape(field):
                raise ValueError(f"{name} has shape {np.shape(field)}, got {given.shape}")
            if given.tolist() != value:
                raise ValueError(f"{name} holds values that do not fit {given.dtype}")
            target[name] = given
