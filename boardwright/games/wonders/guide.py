"""How 7 Wonders is played, for somebody who has never seen it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, TONES, Drawing
from boardwright.games.wonders.building import COINS_FOR_A_DISCARD
from boardwright.games.wonders.cards import GOODS
from boardwright.games.wonders.state import CHOOSE, DIG, SEVENTH
from boardwright.games.wonders.svg import FILLS, draw_good
from boardwright.kernel import Record
from boardwright.kernel.guide import Icon, read_guide

LAST_TURN = 5


def _good(good: int) -> Callable[[Drawing], None]:
    def draw(drawing: Drawing) -> None:
        draw_good(drawing, 12, 8, good)

    return draw


def _chip(colour: str) -> Callable[[Drawing], None]:
    return lambda drawing: drawing.rect(4, 7, 32, 18, fill=FILLS[colour], corner=5)


def _coin(drawing: Drawing) -> None:
    drawing.circle(20, 16, 9, fill=TONES["yellow"], edge=CARD_EDGE)


def _shield(drawing: Drawing) -> None:
    drawing.polygon([(12, 7), (28, 7), (28, 17), (20, 26), (12, 17)], fill=FILLS["red"])


def _stage(drawing: Drawing) -> None:
    drawing.rect(3, 6, 34, 20, fill=CARD, edge=CARD_EDGE, corner=5)
    drawing.text(8, 20, "✓ 3", size=12, fill=CARD_INK, bold=True)


def _own_turn(s: Record, seat: int) -> bool:
    return bool(s.phase == CHOOSE and s.mover == seat)


GUIDE = read_guide(
    Path(__file__).with_name("guide.toml"),
    icons=(
        *(Icon(name, _good(good)) for good, name in enumerate(GOODS)),
        Icon("coins", _coin),
        Icon("shields: military strength", _shield),
        Icon("a stage of the wonder; ✓ is built", _stage),
        Icon("brown: raw goods", _chip("brown")),
        Icon("grey: manufactured goods", _chip("grey")),
        Icon("blue: points", _chip("blue")),
        Icon("yellow: trade", _chip("yellow")),
        Icon("red: military", _chip("red")),
        Icon("green: science", _chip("green")),
        Icon("purple: guilds, which look at neighbours", _chip("purple")),
    ),
    when={
        "first": lambda s, seat: _own_turn(s, seat) and bool(s.age == 0 and s.turn == 0),
        "war": lambda s, seat: _own_turn(s, seat) and bool(s.turn >= LAST_TURN - 1),
        "stage": lambda s, seat: _own_turn(s, seat) and bool(s.turn >= 2 and s.city[seat].stages == 0),
        "middle": lambda s, seat: _own_turn(s, seat) and bool(s.age == 1 and s.turn == 0),
        "guilds": lambda s, seat: _own_turn(s, seat) and bool(s.age == 2 and s.turn == 0),
        "dig": lambda s, seat: bool(s.phase == DIG and s.mover == seat),
        "seventh": lambda s, seat: bool(s.phase == SEVENTH and s.mover == seat),
    },
    coins_for_a_discard=COINS_FOR_A_DISCARD,
)
