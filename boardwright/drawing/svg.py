"""`Drawing`: an SVG picture, shape by shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from xml.sax.saxutils import escape, quoteattr

INK = "var(--ink, #1d2433)"
FAINT = "var(--faint, #626b7a)"
TABLE = "var(--table, #f4f3ee)"
CARD, CARD_EDGE, CARD_INK = "#fdfcf8", "#4a5160", "#1d2433"
"""Cards look the same on a light and on a dark table."""

TONES = {
    "blue": "#0072b2",
    "sky": "#56b4e9",
    "green": "#009e73",
    "yellow": "#f0d032",
    "orange": "#e69f00",
    "red": "#d55e00",
    "purple": "#b0619a",
    "brown": "#8a5a2b",
    "grey": "#8b93a1",
    "black": "#1d2433",
}
"""Colours that colour-blind people tell apart (after Okabe and Ito)."""

SEAT_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#b0619a", "#d55e00", "#56b4e9", "#8a5a2b", "#8b93a1")


class Drawing:
    """Collects shapes; `svg` is the picture."""

    def __init__(self, width: float, height: float = 0.0) -> None:
        self.width = width
        self.height = height
        self._parts: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = CARD,
        edge: str = "none",
        line: float = 1.0,
        corner: float = 0.0,
        opacity: float = 1.0,
        dashed: bool = False,
    ) -> None:
        self._shape(
            "rect",
            {"x": x, "y": y, "width": width, "height": height, "rx": corner},
            fill=fill,
            edge=edge,
            line=line,
            opacity=opacity,
            dashed=dashed,
        )

    def circle(
        self, x: float, y: float, radius: float, *, fill: str = CARD, edge: str = "none", line: float = 1.0
    ) -> None:
        self._shape("circle", {"cx": x, "cy": y, "r": radius}, fill=fill, edge=edge, line=line)

    def polygon(
        self, points: Iterable[tuple[float, float]], *, fill: str = CARD, edge: str = "none", line: float = 1.0
    ) -> None:
        where = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shape("polygon", {"points": where}, fill=fill, edge=edge, line=line)

    def line(self, x1: float, y1: float, x2: float, y2: float, *, edge: str = INK, line: float = 1.0) -> None:
        self._shape("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}, fill="none", edge=edge, line=line)

    def path(self, commands: str, *, fill: str = "none", edge: str = "none", line: float = 1.0) -> None:
        self._shape("path", {"d": commands}, fill=fill, edge=edge, line=line)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 14,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        """One line of text; `y` is its base line, `anchor` start, middle or end."""
        more = ' font-weight="bold"' if bold else ""
        more += ' font-family="ui-monospace, Menlo, Consolas, monospace" xml:space="preserve"' if mono else ""
        more += f' text-anchor="{anchor}"' if anchor != "start" else ""
        self._parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{more}>{escape(text)}</text>')

    @contextmanager
    def group(
        self,
        x: float = 0.0,
        y: float = 0.0,
        *,
        actions: Iterable[int] = (),
        key: str = "",
        title: str = "",
        opacity: float = 1.0,
        scale: float = 1.0,
    ) -> Iterator[None]:
        """What is drawn in the block, moved to (x, y): a thing that can be clicked, named, explained."""
        moved = f"translate({x:g},{y:g})" + (f" scale({scale:g})" if scale != 1.0 else "")
        attributes = f' transform="{moved}"' if moved != "translate(0,0)" else ""
        attributes += f' opacity="{opacity:g}"' if opacity != 1.0 else ""
        clicked = " ".join(str(int(action)) for action in actions)
        attributes += f' data-action="{clicked}"' if clicked else ""
        attributes += f" data-key={quoteattr(key)}" if key else ""
        self._parts.append(f"<g{attributes}>" + (f"<title>{escape(title)}</title>" if title else ""))
        yield
        self._parts.append("</g>")

    def button(self, x: float, y: float, text: str, action: int, *, width: float = 0.0, size: float = 14) -> float:
        """Something to press that stands for an action and for nothing on the table; returns its width."""
        width = width or 24 + 0.56 * size * len(text)
        with self.group(x, y, actions=[action]):
            self.rect(0, 0, width, 2.1 * size, fill=CARD, edge=CARD_EDGE, corner=6)
            self.text(width / 2, 1.4 * size, text, size=size, fill=CARD_INK, anchor="middle", bold=True)
        return width

    def svg(self, label: str) -> str:
        """The picture; `label` is what a screen reader says."""
        body = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
            f' width="{self.width:g}" height="{self.height:g}" role="img" aria-label={quoteattr(label)}'
            f' font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif">'
            f'<rect width="100%" height="100%" fill="{TABLE}"/>\n{body}\n</svg>\n'
        )

    def _shape(
        self,
        kind: str,
        where: dict[str, float | str],
        *,
        fill: str,
        edge: str,
        line: float,
        opacity: float = 1.0,
        dashed: bool = False,
    ) -> None:
        said = " ".join(f'{name}="{value:g}"' if not isinstance(value, str) else f'{name}="{value}"'
                        for name, value in where.items() if name != "rx" or value)  # fmt: skip
        said += f' fill="{fill}"'
        said += f' stroke="{edge}" stroke-width="{line:g}"' if edge != "none" else ""
        said += ' stroke-dasharray="4 3"' if dashed else ""
        said += f' opacity="{opacity:g}"' if opacity != 1.0 else ""
        self._parts.append(f"<{kind} {said}/>")
