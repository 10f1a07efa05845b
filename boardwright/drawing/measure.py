"""How much room text needs in pictures: SVG does not break lines, so we do."""

from __future__ import annotations

_NARROW, _WIDE = "fijlrtI.,:;'|!()[]", "mwMWQOGD%@"


_EMS = {
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ", 0.7),
    **dict.fromkeys(_NARROW, 0.38),
    **dict.fromkeys(_WIDE, 0.92),
}


def text_width(text: str, size: float) -> float:
    """About how wide a line is; fonts differ, so it errs on the wide side."""
    return sum([_EMS.get(c, 0.61) for c in text]) * size


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text as lines that fit."""
    lines = [""]
    for word in text.split():
        if lines[-1] and text_width(f"{lines[-1]} {word}", size) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def shortened(text: str, width: float, size: float) -> str:
    """The text, or as much of it as fits."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
