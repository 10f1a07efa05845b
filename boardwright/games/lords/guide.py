"""How Lords of War is played, for somebody who has never seen it."""

from __future__ import annotations

from pathlib import Path

from boardwright.drawing import CARD_INK, SEAT_COLOURS, Drawing
from boardwright.games.lords.cards import DECKS
from boardwright.games.lords.rules import player
from boardwright.games.lords.state import CARDS_TO_WIN, CHALLENGE, COMMANDS_TO_WIN, DEPLOY, REINFORCE, SHOOT
from boardwright.games.lords.svg import draw_arrow, draw_defence, draw_grid
from boardwright.kernel import Record
from boardwright.kernel.guide import Icon, read_guide

_RANGED = next(card for deck in DECKS for card in deck if card.missile)


def _arrow(drawing: Drawing) -> None:
    draw_arrow(drawing, 20, 17, 0, 12, SEAT_COLOURS[0])
    drawing.text(20, 22, "3", size=12, fill="#ffffff", anchor="middle", bold=True)


def _defence(drawing: Drawing) -> None:
    draw_defence(drawing, _RANGED, 20, 16, 0)


def _struck(drawing: Drawing) -> None:
    draw_defence(drawing, _RANGED, 20, 16, 2)


def _grid(drawing: Drawing) -> None:
    draw_grid(drawing, _RANGED, False, 20, 16)


def _dark_shield(drawing: Drawing) -> None:
    drawing.path("M13,7 h14 v6 q0,6 -7,9 q-7,-3 -7,-9 Z", fill=CARD_INK, edge=CARD_INK)


def _empty(drawing: Drawing) -> None:
    draw_arrow(drawing, 14, 16, 0, 8, SEAT_COLOURS[0])
    drawing.text(25, 21, "4", size=13, bold=True)


def _is(s: Record, seat: int, phase: int) -> bool:
    return bool(player(s) == seat and s.phase == phase)


GUIDE = read_guide(
    Path(__file__).with_name("guide.toml"),
    icons=(
        Icon("an arrow: it strikes there with this strength", _arrow),
        Icon("the defence: more than this, and it falls", _defence),
        Icon("the defence, and what strikes it now", _struck),
        Icon("where a ranged unit can shoot; the ring is the unit", _grid),
        Icon("on small cards: a unit that can shoot", _dark_shield),
        Icon("on an empty square: what would strike there", _empty),
    ),
    when={
        "challenge": lambda s, seat: _is(s, seat, CHALLENGE),
        "deploy": lambda s, seat: _is(s, seat, DEPLOY),
        "shoot": lambda s, seat: _is(s, seat, SHOOT),
        "reinforce": lambda s, seat: _is(s, seat, REINFORCE),
    },
    cards_to_win=CARDS_TO_WIN,
    commands_to_win=COMMANDS_TO_WIN,
)
