"""Variants of a game: named options that `setup` gets as integers, in the order of their declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel.records import Actions


class NotAllowed(ValueError):
    """A value that an option cannot have; the text says what is wrong with it."""


@dataclass(frozen=True)
class Option:
    """A switch (bool), a number within bounds, or one of several named choices (passed as its index)."""

    default: bool | int | str
    meaning: str
    low: int = 0
    high: int = 2**31 - 1
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        if self.choices:
            return " or ".join(self.choices)
        if isinstance(self.default, bool):
            return "true or false"
        return f"{self.low} to {self.high}"

    @property
    def others(self) -> tuple[bool | str, ...]:
        """Values other than the default that a check of the game should try."""
        values: tuple[bool | str, ...] = self.choices
        if isinstance(self.default, bool):
            values = (True, False)
        return tuple(value for value in values if value != self.default)

    def encode(self, value: Any) -> int:
        """The integer for `setup`; ValueError if the value is not allowed."""
        if self.choices:
            return self.choices.index(str(value))
        if isinstance(self.default, bool):
            values = {"true": 1, "yes": 1, "on": 1, "1": 1, "false": 0, "no": 0, "off": 0, "0": 0}
            if str(value).lower() not in values:
                raise ValueError(value)
            return values[str(value).lower()]
        number = int(value)
        if not self.low <= number <= self.high:
            raise ValueError(value)
        return number

    def decode(self, code: int) -> bool | int | str:
        if self.choices:
            return self.choices[code]
        return bool(code) if isinstance(self.default, bool) else code

    def check_seats(self, code: int, seats: int) -> None:
        """NotAllowed if the value does not fit that number of seats."""


@dataclass(frozen=True)
class Several(Option):
    """Any number of the named choices, joined by +, or `none` or `all`. Passed as a bit for each choice."""

    @property
    def allowed(self) -> str:
        return f"none, all or some of {', '.join(self.choices)}, joined by +"

    @property
    def others(self) -> tuple[bool | str, ...]:
        return ("all",)

    def bit(self, name: str) -> int:
        return 1 << self.choices.index(name)

    def encode(self, value: Any) -> int:
        if value == "none":
            return 0
        if value == "all":
            return (1 << len(self.choices)) - 1
        code = 0
        for name in str(value).split("+"):
            if name not in self.choices:
                raise NotAllowed(f"has no {name!r}")
            code |= self.bit(name)
        return code

    def decode(self, code: int) -> str:
        if code == (1 << len(self.choices)) - 1:
            return "all"
        return "+".join(name for name in self.choices if code & self.bit(name)) or "none"


@dataclass(frozen=True)
class PerSeat(Option):
    """One of the named choices for each seat, as a list with commas; the first choice, for seats that the list does
    not reach, leaves it open. Passed as one number with a digit for each seat, to be read by `digit`."""

    conflict: Callable[[Sequence[str]], str] | None = None
    """Says what is wrong with a list, or nothing."""

    @property
    def allowed(self) -> str:
        return f"a list, an entry for each seat, of {', '.join(self.choices)}"

    @property
    def others(self) -> tuple[bool | str, ...]:
        return (self.choices[-1],)

    def encode(self, value: Any) -> int:
        names = str(value).split(",")
        for name in names:
            if name not in self.choices:
                raise NotAllowed(f"has no {name!r}")
        if self.conflict is not None and (problem := self.conflict(names)):
            raise NotAllowed(problem)
        code = 0
        for name in reversed(names):
            code = code * len(self.choices) + self.choices.index(name)
        return code

    def decode(self, code: int) -> str:
        names = []
        while code:
            code, place = divmod(code, len(self.choices))
            names.append(self.choices[place])
        return ",".join(names) or self.choices[0]

    def check_seats(self, code: int, seats: int) -> None:
        if code >= len(self.choices) ** seats:
            raise NotAllowed(f"has {len(self.decode(code).split(','))} entries for {seats} seats")


def encode_options(
    game: str, declared: Mapping[str, Option], given: Mapping[str, Any], seats: int | None = None
) -> Actions:
    """All options as integers, defaults filled in; with `seats`, checked against that number."""
    for name in given:
        if name not in declared:
            raise UnknownName("option", name, declared, f" of {game}")
    codes = []
    for name, option in declared.items():
        value = given.get(name, option.default)
        try:
            codes.append(option.encode(value))
            if seats is not None:
                option.check_seats(codes[-1], seats)
        except NotAllowed as error:
            raise BadSpec(f"{game}: option {name}={value} {error}; it is {option.allowed}") from None
        except (ValueError, TypeError):
            raise BadSpec(f"{game}: option {name} is {option.allowed}, not {value!r}") from None
    return np.array(codes, np.int64)
