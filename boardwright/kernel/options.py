"""Variants of a game: named options that `setup` gets as integers, in the order of their declaration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardwright.errors import BadSpec, UnknownName
from boardwright.kernel.records import Actions


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

    def encode(self, value: Any) -> int:
        """The integer for `setup`; ValueError if the value is not allowed."""
        if self.choices:
            return self.choices.index(str(value))
        if isinstance(self.default, bool):
            words = {"true": 1, "yes": 1, "on": 1, "1": 1, "false": 0, "no": 0, "off": 0, "0": 0}
            if str(value).lower() not in words:
                raise ValueError(value)
            return words[str(value).lower()]
        number = int(value)
        if not self.low <= number <= self.high:
            raise ValueError(value)
        return number

    def decode(self, code: int) -> bool | int | str:
        if self.choices:
            return self.choices[code]
        return bool(code) if isinstance(self.default, bool) else code


def encode_options(game: str, declared: Mapping[str, Option], given: Mapping[str, Any]) -> Actions:
    """All options as integers, defaults filled in."""
    for name in given:
        if name not in declared:
            raise UnknownName("option", name, declared, f" of {game}")
    codes = []
    for name, option in declared.items():
        value = given.get(name, option.default)
        try:
            codes.append(option.encode(value))
        except (ValueError, TypeError):
            raise BadSpec(f"{game}: option {name} is {option.allowed}, not {value!r}") from None
    return np.array(codes, np.int64)
