"""A small kit for SVG pictures of positions: shapes, text that fits, things that can be clicked.

A page makes a picture playable by three attributes that `Drawing.group` writes:

- `data-action`: the action that a click means, or several with spaces between, of which the legal ones become a menu;
- `data-key`: the name of a thing on the table, by which a page can tell what is new since it last looked;
- a `<title>`, which is the tooltip.

Colours of the table (`INK`, `FAINT`, `TABLE`) follow the page's theme and have fallbacks for notebooks.
"""

from boardwright.drawing.svg import CARD, CARD_EDGE, CARD_INK, FAINT, INK, SEAT_COLOURS, TABLE, TONES, Drawing
from boardwright.drawing.text import draw_text, shortened, text_width, wrapped

__all__ = [
    "CARD",
    "CARD_EDGE",
    "CARD_INK",
    "FAINT",
    "INK",
    "SEAT_COLOURS",
    "TABLE",
    "TONES",
    "Drawing",
    "draw_text",
    "shortened",
    "text_width",
    "wrapped",
]
