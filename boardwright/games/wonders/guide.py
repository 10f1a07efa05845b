"""How 7 Wonders is played, for somebody who has never seen it."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, TONES, Drawing
from boardwright.games.wonders.building import COINS_FOR_A_DISCARD
from boardwright.games.wonders.cards import GOODS
from boardwright.games.wonders.state import CHOOSE, DIG, SEVENTH
from boardwright.games.wonders.svg import FILLS, draw_good
from boardwright.kernel import Record
from boardwright.kernel.guide import Guide, Icon, Step, Tip

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


GUIDE = Guide(
    aim="Build the greatest city in three Ages. After the third, points of seven kinds are counted; the most win.",
    steps=(
        Step(
            "Choose one card, pass the rest",
            "Everybody chooses a card of the hand in secret; all are played at once. Then the hands go to the"
            " neighbour: left in Ages I and III, right in Age II. An Age has six turns.",
        ),
        Step(
            "Build it, tuck it, or sell it",
            f"A card is built for what is printed below its name; or tucked under your board for the next stage of your"
            f" wonder; or sold for {COINS_FOR_A_DISCARD} coins.",
        ),
        Step(
            "Goods are not used up",
            "What your brown and grey cards produce is there every turn. What is missing you buy from your two"
            " neighbours, for 2 coins each, if they produce it. Many cards are free if you have the card before them.",
        ),
        Step(
            "War after each Age",
            "Compare shields with each neighbour. The stronger wins 1, 3 or 5 points (Age I, II, III); the weaker loses"
            " 1. Equal: nothing.",
        ),
        Step(
            "Science",
            "Each of the three green symbols scores its number squared, and every set of all three scores 7 more.",
        ),
        Step(
            "Points",
            "War, coins (3 for 1 point), wonder stages, blue cards as printed, yellow and purple cards as they say,"
            " science.",
        ),
    ),
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
    tips=(
        Tip(
            "first",
            "Goods first: brown and grey cards of Age I pay for everything later. The green or red line on each card"
            " says what it would cost you now, or why you cannot build it.",
            lambda s, seat: _own_turn(s, seat) and bool(s.age == 0 and s.turn == 0),
            "hand",
        ),
        Tip(
            "war",
            "The Age ends soon: compare the red shields with both neighbours. One more can win two conflicts.",
            lambda s, seat: _own_turn(s, seat) and bool(s.turn >= LAST_TURN - 1),
        ),
        Tip(
            "stage",
            "A card that you do not need, or that would help your neighbour, is best tucked for a wonder stage.",
            lambda s, seat: _own_turn(s, seat) and bool(s.turn >= 2 and s.city[seat].stages == 0),
        ),
        Tip(
            "middle",
            "In Age II grey cards come for the last time, and the blue ones get dear: see that you produce what you"
            " need, or a neighbour does.",
            lambda s, seat: _own_turn(s, seat) and bool(s.age == 1 and s.turn == 0),
            "hand",
        ),
        Tip(
            "guilds",
            "Age III has the purple guilds, which score what your neighbours built. No more brown and grey cards come.",
            lambda s, seat: _own_turn(s, seat) and bool(s.age == 2 and s.turn == 0),
            "hand",
        ),
        Tip("dig", "Build any discarded card for nothing.", lambda s, seat: bool(s.phase == DIG and s.mover == seat)),
        Tip(
            "seventh",
            "Your wonder lets you play the last card too.",
            lambda s, seat: bool(s.phase == SEVENTH and s.mover == seat),
            "hand",
        ),
    ),
)
