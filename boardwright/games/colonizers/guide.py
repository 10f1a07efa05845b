"""How Colonizers is played, for somebody who has never seen it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, TONES, Drawing
from boardwright.games.colonizers.cards import BLUE, COLONISTS, GREEN, RED
from boardwright.games.colonizers.rules import OMNIUM_TAKEN
from boardwright.games.colonizers.state import (
    BUILD,
    COLONIST_PICK,
    COLONY_TARGET,
    DISCARD,
    DRAW,
    HAND_CAPACITY,
    POWER,
)
from boardwright.games.colonizers.svg import FILLS, ROLE_FILLS
from boardwright.kernel import Record
from boardwright.kernel.guide import Icon, read_guide


def _omnium(drawing: Drawing) -> None:
    drawing.circle(20, 16, 9, fill=TONES["yellow"], edge=CARD_EDGE)


def _cards(drawing: Drawing) -> None:
    drawing.rect(6, 7, 13, 18, fill=CARD, edge=CARD_EDGE, corner=3)
    drawing.text(22, 21, "2/5", size=12)


def _cost(fill: str) -> Callable[[Drawing], None]:
    def draw(drawing: Drawing) -> None:
        drawing.circle(20, 16, 12, fill=fill, edge=CARD_EDGE)
        drawing.text(20, 21, "4", size=14, fill=CARD_INK, anchor="middle", bold=True)

    return draw


def _module(colour: int) -> Callable[[Drawing], None]:
    return lambda drawing: drawing.rect(4, 8, 32, 16, fill=FILLS[colour], corner=5)


def _is(phase: int) -> Callable[[Record, int], bool]:
    return lambda s, seat: bool(s.phase == phase and s.turn == seat)


GUIDE = read_guide(
    Path(__file__).with_name("guide.toml"),
    icons=(
        Icon("Omnium, the money", _omnium),
        Icon("cards in the hand, and how many it holds", _cards),
        Icon("what a module costs; you can pay it", _cost(TONES["yellow"])),
        Icon("what a module costs; you cannot pay it", _cost("#d9d6cc")),
        Icon("green: earns with the Ecologist", _module(GREEN)),
        Icon("blue: earns with the Miner", _module(BLUE)),
        Icon("red: earns with the General", _module(RED)),
        Icon(
            "a colonist with a power",
            lambda drawing: drawing.rect(4, 8, 32, 16, fill=ROLE_FILLS[COLONISTS[-1].income], corner=5),
        ),
    ),
    when={
        "pick": _is(COLONIST_PICK),
        "draw": _is(DRAW),
        "keep": _is(DISCARD),
        "power": _is(POWER),
        "build": _is(BUILD),
    },
    colony_target=COLONY_TARGET,
    omnium_taken=OMNIUM_TAKEN,
    hand_capacity=HAND_CAPACITY,
)
