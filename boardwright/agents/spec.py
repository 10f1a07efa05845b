"""Agents as short texts: `name` or `name:param=value,param=value`.

A value that itself contains commas goes in brackets: `partner=(uct:iterations=50,threads=2)`.

Two agents are written with what they run right after their name: `script:COMMAND` and `isolated:SPEC`. Further
parameters follow after a comma, `script:./bot.py,seconds=2` and `isolated:my_agent.py,seconds=2`. If the isolated agent
has parameters of its own, it goes in brackets, `isolated:(uct:iterations=50),seconds=2`, since without them all that
follows is the inner spec. A command with commas goes in brackets or quotes.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from dataclasses import dataclass, field

from boardwright.errors import BadSpec

SCRIPT, ISOLATED = "script", "isolated"
_FIRST = {SCRIPT: "command", ISOLATED: "agent"}
"""The parameter that stands right after the name."""


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
        if name in _FIRST and rest:
            params[_FIRST[name]], rest = _first_value(name, rest.strip(), text)
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
        if self.name == SCRIPT:
            with contextlib.suppress(ValueError):  # an unclosed quote, which the agent complains about
                found += [word for word in shlex.split(self.params.get("command", "")) if os.path.isfile(word)]
        found += [value for key, value in self.params.items() if key != "log" and os.path.isfile(value)]
        found = list(dict.fromkeys(found))
        return found + [name for inner in self._inner() for name in inner.files()]

    def agents(self) -> list[str]:
        """Its agent's name, and those of agents within it."""
        return [self.name, *(name for inner in self._inner() for name in inner.agents())]

    def agents_here(self) -> list[str]:
        """Of these, the ones that run in the process of the game."""
        return [self.name, *(name for inner in self._inner() if self.name != ISOLATED for name in inner.agents_here())]

    @property
    def runs_programs(self) -> bool:
        """Whether it runs a program of its user."""
        return SCRIPT in self.agents()

    def _inner(self) -> list[Spec]:
        """Agents among its parameters: any text that can be read as one."""
        found = []
        for key, value in self.params.items():
            if not os.path.isfile(value) and not (self.name == SCRIPT and key == "command"):
                with contextlib.suppress(BadSpec):
                    found.append(Spec.parse(value))
        return found

    def __str__(self) -> str:
        if not self.params:
            return self.name
        first = _FIRST.get(self.name)
        wrapped = self.name == ISOLATED and len(self.params) > 1  # all that follows would be the inner agent's
        parts = [
            f"({value})" if key == first and wrapped else _written(key, value, key == first)
            for key, value in self.params.items()
        ]
        return f"{self.name}:{','.join(parts)}"


def _written(key: str, value: str, first: bool) -> str:
    if first:
        return f"({value})" if any(c in value for c in ",()") or ":" in value else value
    return f"{key}=({value})" if "," in value else f"{key}={value}"


def _first_value(name: str, rest: str, whole: str) -> tuple[str, str]:
    """What stands right after the name, and the parameters after it."""
    if rest[0] == "(":
        parts = _split(rest, whole)
        value, rest = parts[0].strip(), ",".join(parts[1:])
        if not value.endswith(")"):
            raise BadSpec(f"agent spec {whole!r}: after the brackets comes ,param=value or nothing")
        return value[1:-1].strip(), rest
    if rest[0] in "\"'" and (end := rest.find(rest[0], 1)) > 0 and rest[end + 1 : end + 2] in ("", ","):
        return rest[1:end], rest[end + 2 :]
    value, _, further = rest.partition(",")
    if name == ISOLATED and ":" in value:  # the inner agent has parameters, and the others are its own
        return rest, ""
    return value.strip(), further


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
