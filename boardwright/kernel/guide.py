"""`Guide`: how a game is played, for somebody who has never seen it: one screen, the names of its icons, and tips for a
first game that point at what matters now. It is data of the game; pages show it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from boardwright.drawing import Drawing


class Step(NamedTuple):
    """A part of "how to play"."""

    title: str
    text: str


class Icon(NamedTuple):
    """A sign that pictures of the game use."""

    name: str
    draw: Callable[[Drawing], None]
    """Draws it around (20, 16), 40 wide and 32 high at most."""

    def svg(self) -> str:
        drawing = Drawing(40, 32)
        self.draw(drawing)
        return drawing.svg(self.name)


class Tip(NamedTuple):
    """What matters in a position."""

    name: str
    text: str
    when: Callable[[Any, int], bool]
    """`when(s, seat)`: whether it fits now; `s` is what the seat may know."""
    at: str = ""
    """The beginning of the keys of the things that it is about (`key` in the drawing), if it is about some."""


@dataclass(frozen=True)
class Guide:
    aim: str
    """What one plays for, in a sentence."""
    steps: tuple[Step, ...]
    icons: tuple[Icon, ...] = ()
    tips: tuple[Tip, ...] = ()

    def in_short(self) -> str:
        """The aim and the steps, a paragraph each."""
        return "\n\n".join([self.aim, *(f"{step.title}: {step.text.strip()}" for step in self.steps)])

    def fitting(self, s: Any, seat: int) -> list[Tip]:
        """The tips that fit a position, the most important first."""
        return [tip for tip in self.tips if tip.when(s, seat)]


def read_guide(
    file: Path, *, icons: tuple[Icon, ...] = (), when: Mapping[str, Callable[[Any, int], bool]], **values: object
) -> Guide:
    """A guide whose texts are in a TOML file: `aim`, `steps` and `tips`. A text may have names of `values` in braces;
    `when` has, by the names of the tips, whether they fit."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    steps = tuple(Step(step["title"], step["text"].format(**values)) for step in data["steps"])
    tips = tuple(
        Tip(tip["name"], tip["text"].format(**values), when[tip["name"]], tip.get("at", "")) for tip in data["tips"]
    )
    return Guide(data["aim"].format(**values), steps, icons, tips)
