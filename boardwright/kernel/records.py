"""State records: one fixed-size NumPy record holds a whole position.

`record(...)` declares one. Compiled rules see it as a Numba record; uncompiled rules and everything that
puts a position into words see the same bytes through `PlainRecord`, which hands out Python integers, so
that `s.coins - 3` never wraps around at the width of the stored field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
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
        if type(index) is int and self.ndim == 1:  # what text and uncompiled rules do most
            if self.dtype.names is None:
                return self.item(index)
            records: dict[Any, Any] = self.__dict__
            if index not in records:
                records[index] = _plain(_element(self, index))
            return records[index]
        if type(index) is tuple and len(index) == self.ndim and self.dtype.names is None:
            try:
                return self.item(index)
            except TypeError:  # a slice is among them
                pass
        return _plain(_element(self, index))


class PlainRecord:
    """A record over the state's own memory, for code that runs uncompiled.

    Numbers are properties of a subclass per dtype; arrays and records within are kept once they were asked for, since
    they lie over the same memory. Either way is several times as fast as `__getattr__`.
    """

    def __init__(self, void: np.void) -> None:
        self.__dict__["_void"] = void

    def __getattr__(self, name: str) -> Any:
        try:
            value = _plain(self._void[name])
        except ValueError:
            raise AttributeError(f"the state has no field {name!r}; it has {self._void.dtype.names}") from None
        if isinstance(value, (PlainArray, PlainRecord)):  # over the same memory: made once, true for ever
            self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self._void.dtype.names or ()):
            raise AttributeError(f"the state has no field {name!r}; it has {self._void.dtype.names}")
        self._void[name] = value

    def __repr__(self) -> str:
        return f"PlainRecord({self._void!r})"


_NUMBERS = {"b": bool, "i": int, "u": int, "f": float}
"""By the kind of a dtype: as `item` gives them, in a quarter of the time."""


@cache
def _class_for(dtype: np.dtype[Any]) -> type[PlainRecord]:
    fields: Mapping[str, Any] = dtype.fields or {}
    numbers = {name: _NUMBERS[field[0].kind] for name, field in fields.items() if field[0].kind in _NUMBERS}
    return type("PlainRecord", (PlainRecord,), {name: _number(name, kind) for name, kind in numbers.items()})


def _number(name: str, kind: Callable[[Any], Any]) -> property:
    return property(lambda record: kind(record.__dict__["_void"][name]))


_element = np.ndarray.__getitem__


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is np.ndarray or kind is PlainArray:
        return value.view(PlainArray)
    if kind is np.void:
        return _class_for(value.dtype)(value)
    return value.item() if isinstance(value, np.generic) else value


def plain_record(memory: Bytes, dtype: np.dtype[Any]) -> PlainRecord:
    """The record that lives in `memory`; writing to it writes there."""
    return _class_for(dtype)(memory.view(dtype)[0])


def as_json(value: Any) -> Any:
    """A record, array or scalar as lists, dicts and numbers."""
    if isinstance(value, PlainRecord):
        value = value._void
    if isinstance(value, np.void):
        return {name: as_json(value[name]) for name in value.dtype.names or ()}
    if isinstance(value, np.ndarray):
        return [as_json(element) for element in value] if value.dtype.names else value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def fill_from_json(target: np.void, values: Any, path: str = "") -> None:
    """The inverse of `as_json`; ValueError names the field where the values do not fit."""
    if not isinstance(values, Mapping):
        raise ValueError(f"{path or 'fields'} should be an object with names, not {_short(values)}")
    names = target.dtype.names or ()
    inside = f"{path}." if path else ""
    for name in values:
        if name not in names:
            raise ValueError(f"field '{inside}{name}' is missing or unknown: the state has no such field")
    for name in names:
        where = f"{inside}{name}"
        if name not in values:
            raise ValueError(f"field '{where}' is missing or unknown: it is not given")
        field, value = target[name], values[name]
        if isinstance(field, np.void):
            fill_from_json(field, value, where)
        elif isinstance(field, np.ndarray) and field.dtype.names:
            if not isinstance(value, list) or len(field) != len(value):
                raise ValueError(f"{where} needs {len(field)} entries, got {_short(value)}")
            for number, (element, entry) in enumerate(zip(field, value, strict=True)):
                fill_from_json(element, entry, f"{where}[{number}]")
        else:
            target[name] = _numbers(value, target.dtype[name].base, np.shape(field), where)


def _numbers(value: Any, kind: np.dtype[Any], shape: tuple[int, ...], where: str) -> Any:
    """A field's values, each of which must fit."""
    if shape:
        if not isinstance(value, list) or len(value) != shape[0]:
            raise ValueError(f"{where} has shape {shape}: it needs {shape[0]} entries, got {_short(value)}")
        return [_numbers(entry, kind, shape[1:], f"{where}[{i}]") for i, entry in enumerate(value)]
    if kind.kind in "iu":
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        if type(value) is not int or not low <= value <= high:
            raise ValueError(
                f"{where} does not fit {kind}: it should be a whole number from {low} to {high}, got {_short(value)}"
            )
    elif kind.kind == "b":
        if type(value) is not bool:
            raise ValueError(f"{where} should be true or false, got {_short(value)}")
    elif type(value) not in (int, float) or np.array(value, kind).item() != value:
        raise ValueError(f"{where} should be a number that fits {kind}, got {_short(value)}")
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
