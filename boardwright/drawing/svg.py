"""`Drawing`: an SVG picture, shape by shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any, TypeVar
from xml.sax.saxutils import escape, quoteattr

from boardwright.drawing.measure import shortened, text_width

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

_LONGER_NAME = 60
"""Room for the name that a page writes in place of "seat 2"."""
BUTTON_HEIGHT = 34.0
"""Large enough for a finger."""
SEAT_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#b0619a", "#d55e00", "#56b4e9", "#8a5a2b", "#8b93a1")


_KEPT = 2048
F = TypeVar("F", bound=Callable[..., Any])


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
        where: dict[str, float | str] = {"x": x, "y": y, "width": width, "height": height, "rx": corner}
        self._shape("rect", where, fill=fill, edge=edge, line=line, opacity=opacity, dashed=dashed)

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

    def name_and(self, x: float, y: float, name: str, more: str, *, size: float = 14) -> None:
        """A name, and behind it, however long a page makes it, something about who has it."""
        behind = (
            f'<tspan dx="8" font-weight="normal" font-size="12" fill="{FAINT}">{escape(more)}</tspan>' if more else ""
        )
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{INK}" font-weight="bold">'
            f"<tspan>{escape(name)}</tspan>{behind}</text>"
        )

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
        fold: int | None = None,
        folded: bool = False,
    ) -> Iterator[None]:
        """What is drawn in the block, moved to (x, y): a thing that can be clicked, named, explained. `fold`: the seat
        whose things a tap here folds up, or opens where they are `folded`."""
        attributes = f' transform="translate({x:g},{y:g})"' if x or y else ""
        attributes += "" if fold is None else f' data-fold="{fold}" aria-expanded="{"false" if folded else "true"}"'
        attributes += f' opacity="{opacity:g}"' if opacity != 1.0 else ""
        clicked = " ".join(str(int(action)) for action in actions)
        attributes += f' data-action="{clicked}"' if clicked else ""
        attributes += f" data-key={quoteattr(key)}" if key else ""
        self._parts.append(f"<g{attributes}>")  # in a line of its own: a thing that moves changes this line only
        if title:
            self._parts.append(f"<title>{escape(title)}</title>")
        yield
        self._parts.append("</g>")

    def button(self, x: float, y: float, text: str, action: int, *, width: float = 0.0, size: float = 14) -> float:
        """Something to press that stands for an action and for nothing on the table; returns its width."""
        width = width or 24 + 0.6 * size * len(text)
        with self.group(x, y, actions=[action]):
            self.rect(0, 0, width, BUTTON_HEIGHT, fill=CARD, edge=CARD_EDGE, corner=8)
            self.text(width / 2, 0.64 * BUTTON_HEIGHT, text, size=size, fill=CARD_INK, anchor="middle", bold=True)
        return width

    def buttons(
        self, x: float, y: float, room: float, texts: Mapping[int, str], *, size: float = 14, gap: float = 8
    ) -> float:
        """One for each action, in as many rows as they need; returns where the next thing may begin."""
        at = x
        for action, text in texts.items():
            width = min(room, 24 + 0.6 * size * len(text))
            if at > x and at + width > x + room:
                at, y = x, y + BUTTON_HEIGHT + gap
            self.button(at, y, text, action, width=width, size=size)
            at += width + gap
        return y + BUTTON_HEIGHT + gap if texts else y

    def seat_line(
        self, x: float, y: float, width: float, seat: int, name: str, facts: str, *, to_move: bool, folded: bool | None
    ) -> float:
        """Who sits there and how they stand, in one line, or in two where it is narrow; returns where it ends.
        `folded`: whether what they have is not shown now; None: it is always shown."""
        aside = text_width(name, 14) + text_width(facts, 12) + 52 + _LONGER_NAME > width
        height = 44 if aside else 30
        with self.group(x, y, fold=None if folded is None else seat, folded=bool(folded)):
            line = 3.0 if to_move else 1.5
            self.rect(0, 0, width, height, fill="var(--row, #ffffff)", edge=SEAT_COLOURS[seat], line=line, corner=8)
            self.circle(15, 15, 6, fill=SEAT_COLOURS[seat])
            self.text(27, 20, shortened(name, width - 50, 14), size=14, bold=True)
            facts = shortened(facts, 1.12 * (width - 42), 12)  # measured on the wide side
            if aside:
                self.text(27, 37, facts, size=12, fill=FAINT)
            else:
                self.text(width - (28 if folded is not None else 10), 20, facts, size=12, fill=FAINT, anchor="end")
            if folded is not None:
                middle = height / 2
                points = [(-4, -5), (3, 0), (-4, 5)] if folded else [(-5, -3), (5, -3), (0, 4)]
                self.polygon([(width - 14 + dx, middle + dy) for dx, dy in points], fill=FAINT)
        return y + height

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
        parts = [
            f'{name}="{value}"' if isinstance(value, str) else f'{name}="{value:g}"'
            for name, value in where.items()
            if name != "rx" or value
        ]
        attributes = " ".join(parts)
        attributes += f' fill="{fill}"'
        attributes += f' stroke="{edge}" stroke-width="{line:g}"' if edge != "none" else ""
        attributes += ' stroke-dasharray="4 3"' if dashed else ""
        attributes += f' opacity="{opacity:g}"' if opacity != 1.0 else ""
        self._parts.append(f"<{kind} {attributes}/>")


def fixed(draw: F) -> F:
    """A function `draw(drawing, …)` that draws the same whenever its other arguments are the same, as a card does: it
    draws once, and what it drew is copied from then on."""

    @lru_cache(maxsize=_KEPT)
    def parts(*arguments: Any, **named: Any) -> tuple[list[str], Any]:
        drawing = Drawing(0)
        result = draw(drawing, *arguments, **named)
        return drawing._parts, result

    @wraps(draw)
    def copied(drawing: Drawing, *arguments: Any, **named: Any) -> Any:
        drawn, result = parts(*arguments, **named)
        drawing._parts += drawn
        return result

    made: Any = copied
    made.in_python = draw  # which pages without a server run (engine/presentation.py)
    found: F = made
    return found
