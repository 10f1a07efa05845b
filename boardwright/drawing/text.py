"""A picture of a game that only has words."""

from __future__ import annotations

from boardwright.drawing.layout import WIDE, Layout
from boardwright.drawing.svg import Drawing

_MARGIN, _MOST_COLUMNS, _FEWEST_COLUMNS = 18, 110, 40
_EM = 0.61  # the width of a letter of a fixed-width font


def draw_text(title: str, text: str, layout: Layout = WIDE) -> str:
    """A position as its text, in a picture: for games that do not draw themselves."""
    size = 12 if layout.narrow else 14
    room = int((layout.width - 2 * _MARGIN) / (_EM * size))
    most, leading = max(_FEWEST_COLUMNS, min(_MOST_COLUMNS, room)), round(1.43 * size)
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        while len(line) > most and (cut := line.rfind(" ", len(indent) + 1, most)) > 0:
            lines.append(line[:cut])
            line = f"{indent}  {line[cut + 1 :]}"
        lines.append(line)
    columns = max([len(title), _FEWEST_COLUMNS, *map(len, lines)])
    drawing = Drawing(2 * _MARGIN + _EM * size * columns, 2 * _MARGIN + 28 + leading * len(lines))
    drawing.text(_MARGIN, _MARGIN + 14, title, size=18, bold=True)
    for number, line in enumerate(lines):
        drawing.text(_MARGIN, _MARGIN + 42 + leading * number, line, size=size, mono=True)
    return drawing.svg(f"{title}: the position in words")
