"""`Layout`: the room that a picture has, and what of it is folded up."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

SMALLEST_PRINT = 11
"""No letter in a picture is smaller than this, in pixels."""
NARROW = 560
"""Pictures narrower than this are for phones: one column, rows in place of cards."""
WIDTHS = (340, 380, 420, 480, 560, 640, 740, 800, 860, 920, 980, 1040, 1104, 1200, 1300, 1400)
"""The widths that pages ask for, so that people with similar screens share a picture."""


class Layout(NamedTuple):
    width: float = 1104
    touch: bool = False
    """Whether it is touched with fingers rather than clicked."""
    toggled: frozenset[int] = frozenset()
    """The seats whose things somebody has opened or folded up."""

    @property
    def narrow(self) -> bool:
        return self.width < NARROW

    def folds(self, seat: int, *, usually: bool = False) -> bool:
        """Whether a seat's things are folded up to one line: on a phone, unless somebody has opened them; elsewhere
        where they `usually` are, or where somebody has folded them up."""
        return (self.narrow or usually) != (seat in self.toggled)


WIDE = Layout()


@cache
def takes_layout(draw_state: Callable[..., str]) -> bool:
    """Whether a game's drawing wants to know the room it has."""
    return "layout" in inspect.signature(draw_state).parameters


def drawn(draw_state: Callable[..., str], s: Any, seat: int | None, layout: Layout) -> str:
    """A game's drawing of a position, in the room that there is if the game asks for it."""
    return draw_state(s, seat, layout) if takes_layout(draw_state) else draw_state(s, seat)
