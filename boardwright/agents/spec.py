"""Agents as short texts: `name` or `name:param=value,param=value`.

A value that itself contains commas goes in brackets: `partner=(uct:iterations=50,threads=2)`.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field

from boardwright.errors import BadSpec


@dataclass(frozen=True)
class Spec:
    name: str
    params: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Spec:
        name, colon, rest = text.partition(":")
        name = name.strip()
        if not name or (colon and not rest.strip()):
            raise BadSpec(f"agent spec {text!r}: expected name or name:param=value,param=value")
        params: dict[str, str] = {}
        for part in _split(rest, text) if rest else []:
            key, equals, value = part.partition("=")
            key, value = key.strip(), value.strip()
            if not equals or not key or not value:
                raise BadSpec(f"agent spec {text!r}: {part!r} should be param=value")
            if key in params:
                raise BadSpec(f"agent spec {text!r}: {key} is given twice")
            params[key] = value[1:-1] if value.startswith("(") and value.endswith(")") else value
        return cls(name, params)

    def files(self) -> list[str]:
        """The files that it names: its agent's own, if that is a Python file, and those among its parameters; those of
        agents within it, too."""
        found = [self.name] if self.name.endswith(".py") and os.path.isfile(self.name) else []
        found += [value for value in self.params.values() if os.path.isfile(value)]
        return found + [name for inner in self._inner() for name in inner.files()]

    def agents(self) -> list[str]:
        """Its agent's name, and those of agents within it."""
        return [self.name, *(name for inner in self._inner() for name in inner.agents())]

    def _inner(self) -> list[Spec]:
        """Agents among its parameters: any text that can be read as one."""
        found = []
        for value in self.params.values():
            if not os.path.isfile(value):
                with contextlib.suppress(BadSpec):
                    found.append(Spec.parse(value))
        return found

    def __str__(self) -> str:
        if not self.params:
            return self.name
        return (
            self.name
            + ":"
            + ",".join(f"{key}=({value})" if "," in value else f"{key}={value}" for key, value in self.params.items())
        )


def _split(text: str, whole: str) -> list[str]:
    """Split at commas outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if depth != 0:
        raise BadSpec(f"agent spec {whole!r}: brackets do not match")
    return parts
