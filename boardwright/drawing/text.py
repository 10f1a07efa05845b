"""Text in pictures: SVG does not break lines, so we do. And a picture of a game that only has words."""

from __future__ import annotations

from boardwright.drawing.svg import Drawing

_NARROW, _WIDE = "fijlrtI.,:;'|!()[]", "mwMWQOGD%@"
_SIZE, _LEADING, _MARGIN, _MOST_COLUMNS = 14, 20, 18, 110


def text_width(text: str, size: float) -> float:
    """About how wide a line is; fonts differ, so it errs on the wide side."""
    ems = sum(0.38 if c in _NARROW else 0.92 if c in _WIDE else 0.7 if c.isupper() else 0.61 for c in text)
    return ems * size


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


def draw_text(title: str, text: str) -> str:
    """A position as its text, in a picture: for games that do not draw themselves."""
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        while len(line) > _MOST_COLUMNS and (cut := line.rfind(" ", len(indent) + 1, _MOST_COLUMNS)) > 0:
            lines.append(line[:cut])
            line = f"{indent}  {line[cut + 1 :]}"
        lines.append(line)
    columns = max([len(title), 40, *map(len, lines)])
    drawing = Drawing(2 * _MARGIN + 0.61 * _SIZE * columns, 2 * _MARGIN + 28 + _LEADING * len(lines))
    drawing.text(_MARGIN, _MARGIN + 14, title, size=18, bold=True)
    for number, line in enumerate(lines):
        drawing.text(_MARGIN, _MARGIN + 42 + _LEADING * number, line, size=_SIZE, mono=True)
    return drawing.svg(f"{title}: the position in words")
