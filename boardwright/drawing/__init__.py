"""A small kit for SVG pictures of positions: shapes, text that fits, things that can be clicked.

A page makes a picture playable by attributes that `Drawing.group` writes:

- `data-action`: the action that a click means, or several with spaces between, of which the legal ones become a menu;
- `data-key`: the name of a thing on the table, by which a page can tell what is new since it last looked;
- a `<title>`, which is the tooltip, and what a page shows beside the enlarged thing;
- `data-fold`: the seat whose things a tap folds up or opens.

A drawing that takes a third argument is given the room that it has (`Layout`). Print is never smaller than
`SMALLEST_PRINT`.

Colours of the table (`INK`, `FAINT`, `TABLE`) follow the page's theme and have fallbacks for notebooks.
"""

from boardwright.drawing.layout import SMALLEST_PRINT, WIDE, WIDTHS, Layout, drawn
from boardwright.drawing.measure import remembered, shortened, text_width, wrapped
from boardwright.drawing.svg import (
    BUTTON_HEIGHT,
    CARD,
    CARD_EDGE,
    CARD_INK,
    FAINT,
    INK,
    SEAT_COLOURS,
    TABLE,
    TONES,
    Drawing,
    fixed,
)
from boardwright.drawing.text import draw_text

__all__ = [
    "BUTTON_HEIGHT",
    "CARD",
    "CARD_EDGE",
    "CARD_INK",
    "FAINT",
    "INK",
    "SEAT_COLOURS",
    "SMALLEST_PRINT",
    "TABLE",
    "TONES",
    "WIDE",
    "WIDTHS",
    "Drawing",
    "Layout",
    "draw_text",
    "drawn",
    "fixed",
    "remembered",
    "shortened",
    "text_width",
    "wrapped",
]
