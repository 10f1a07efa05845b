"""Options that are declared once: a class holds names, defaults, bounds and help, and both the command line and Python
read it (commands/declared.py).

    class Count(Checked):
        game: str = argument("A game's name.")
        games: int = option(100, "How many games.", "-n", minimum=1)
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, dataclass_transform

from boardwright.errors import BadSpec

DECLARED = "declared"
"""The key of what is declared in a field's metadata."""


@dataclass(frozen=True)
class Declaration:
    help: str
    names: tuple[str, ...] = ()
    """Further names on the command line, as "-n", or all of them, if one begins with "--"."""
    minimum: float | None = None
    maximum: float | None = None
    metavar: str | None = None
    positional: bool = False


def option(
    default: Any,
    meaning: str,
    *names: str,
    minimum: float | None = None,
    maximum: float | None = None,
    metavar: str | None = None,
) -> Any:
    """A field that is an option."""
    return field(default=default, metadata={DECLARED: Declaration(meaning, names, minimum, maximum, metavar)})


def required(meaning: str, *names: str, minimum: float | None = None, metavar: str | None = None) -> Any:
    """A field that is an option and must be given."""
    return field(metadata={DECLARED: Declaration(meaning, names, minimum, metavar=metavar)})


def argument(meaning: str, metavar: str | None = None, *, default: Any = MISSING) -> Any:
    """A field that is an argument, given by its place; it must be given if it has no default."""
    return field(default=default, metadata={DECLARED: Declaration(meaning, metavar=metavar, positional=True)})


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Checked:
    """Options within their bounds; BadSpec otherwise. Files may be given as text. Every subclass is a frozen dataclass
    whose fields are given by name."""

    def __init_subclass__(cls, *, kw_only: bool = True) -> None:
        dataclass(frozen=True, kw_only=kw_only)(cls)

    def __post_init__(self) -> None:
        for declared in fields(self):  # type: ignore[arg-type]
            about, value = declared.metadata.get(DECLARED), getattr(self, declared.name)
            if about is not None:
                check_bounds(declared.name, value, about.minimum, about.maximum)
            if "Path" in str(declared.type) and value is not None:
                files = Path(value) if isinstance(value, str | Path) else [Path(one) for one in value]
                object.__setattr__(self, declared.name, files)

    def exit_code(self, result: Any) -> int:
        """What the command line ends with after this result."""
        return 0


def check_bounds(name: str, value: Any, low: float | None, high: float | None) -> None:
    """BadSpec if a number is out of its bounds."""
    if not isinstance(value, (int, float)):
        return
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = f"from {low:g} to {high:g}" if low is not None and high is not None else ""
        bounds = bounds or (f"at least {low:g}" if low is not None else f"at most {high:g}")
        raise BadSpec(f"{name} must be {bounds}, not {value:g}")
