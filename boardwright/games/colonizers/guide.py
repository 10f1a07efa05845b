"""How Colonizers is played, for somebody who has never seen it."""

from __future__ import annotations

from collections.abc import Callable

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
from boardwright.kernel.guide import Guide, Icon, Step, Tip


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


GUIDE = Guide(
    aim=f"Build modules into your colony. The game ends with the round in which somebody has {COLONY_TARGET}; the most"
    " points win.",
    steps=(
        Step(
            "Pick a colonist in secret",
            "Six colonists; one is out of the round. The seats pick one after another, so the last have less choice and"
            " the first are easier to guess.",
        ),
        Step(
            "Draw",
            f"Take {OMNIUM_TAKEN} Omnium, or draw two modules and keep one. Your colonist is revealed, and earns what"
            f" it earns. A hand holds {HAND_CAPACITY} cards.",
        ),
        Step(
            "Power",
            "The Opportunist steals up to 2 Omnium from a colonist it names, the Spy swaps hands with one. You name the"
            " colonist, not the player: guess who holds it.",
        ),
        Step("Build", "Build one module of your hand and pay its cost in Omnium, or build nothing."),
        Step(
            "Points",
            "The values of your modules, and a bonus for complete colonies, which is largest for the first.",
        ),
    ),
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
    tips=(
        Tip(
            "pick",
            "Ecologist, General and Miner earn for each module of their colour: pick what you have.",
            _is(COLONIST_PICK),
        ),
        Tip("draw", "With modules in hand that you cannot pay, take Omnium; with an empty hand, draw.", _is(DRAW)),
        Tip("keep", "Keep what you can pay soon. The dear ones are worth more than they cost.", _is(DISCARD), "hand"),
        Tip("power", "Name the colonist that the richest seat probably picked.", _is(POWER)),
        Tip("build", "Build when you can: points count at the end, and coloured modules earn.", _is(BUILD), "hand"),
    ),
)
