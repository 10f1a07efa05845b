"""How much room text needs in pictures: SVG does not break lines, so we do."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
_KEPT = 2048
_NARROW, _WIDE = "fijlrtI.,:;'|!()[]", "mwMWQOGD%@"


_EMS = {
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ", 0.7),
    **dict.fromkeys(_NARROW, 0.38),
    **dict.fromkeys(_WIDE, 0.92),
}


def remembered(function: F) -> F:
    """A function whose result depends on its arguments alone, computed once for each: pictures and texts ask for the
    same things again and again."""
    kept: Any = lru_cache(maxsize=_KEPT)(function)
    kept.in_python = function  # which pages without a server run (engine/presentation.py)
    found: F = kept
    return found


@remembered
def text_width(text: str, size: float) -> float:
    """About how wide a line is; fonts differ, so it errs on the wide side."""
    return sum([_EMS.get(c, 0.61) for c in text]) * size


@remembered
def wrapped(text: str, width: float, size: float) -> tuple[str, ...]:
    """The text as lines that fit."""
    lines = [""]
    for word in text.split():
        if lines[-1] and text_width(f"{lines[-1]} {word}", size) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return tuple(lines)


@remembered
def shortened(text: str, width: float, size: float) -> str:
    """The text, or as much of it as fits."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
