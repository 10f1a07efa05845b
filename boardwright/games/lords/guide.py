"""How Lords of War is played, for somebody who has never seen it."""

from __future__ import annotations

from boardwright.drawing import CARD_INK, SEAT_COLOURS, Drawing
from boardwright.games.lords.cards import DECKS
from boardwright.games.lords.rules import player
from boardwright.games.lords.state import CARDS_TO_WIN, CHALLENGE, COMMANDS_TO_WIN, DEPLOY, REINFORCE, SHOOT
from boardwright.games.lords.svg import draw_arrow, draw_defence, draw_grid
from boardwright.kernel import Record
from boardwright.kernel.guide import Guide, Icon, Step, Tip

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


GUIDE = Guide(
    aim=f"Two armies fight on one board. Who first eliminates {CARDS_TO_WIN} enemy cards, or {COMMANDS_TO_WIN} enemy"
    " command cards, wins.",
    steps=(
        Step(
            "1 Deploy one card",
            "Put a card of your hand beside an enemy so that one of its arrows points at that enemy. Spear and ranged"
            " units may also stand beside a friend. If nothing fits, any card may go beside any enemy.",
        ),
        Step(
            "2 Everybody fights at once",
            "For each card, add up the enemy arrows that point at it. If the sum is higher than its defence, it falls."
            " All are checked before any is removed, yours too.",
        ),
        Step(
            "Ranged units may shoot",
            "Instead of using its arrows, a ranged unit may hit one square of its grid, over any distance and past any"
            " card, unless an enemy arrow points at it.",
        ),
        Step(
            "3 Draw or recall",
            "Draw a card, or take back one of yours that no enemy points at, that was not deployed this turn and that"
            " eliminated nobody.",
        ),
        Step(
            "Generals",
            "The general is a command card. Whoever eliminates the enemy's general in their own turn moves again.",
        ),
    ),
    icons=(
        Icon("an arrow: it strikes there with this strength", _arrow),
        Icon("the defence: more than this, and it falls", _defence),
        Icon("the defence, and what strikes it now", _struck),
        Icon("where a ranged unit can shoot; the ring is the unit", _grid),
        Icon("on small cards: a unit that can shoot", _dark_shield),
        Icon("on an empty square: what would strike there", _empty),
    ),
    tips=(
        Tip(
            "challenge",
            "Both armies begin with one card each. A card with strong arrows forward and a good defence does well.",
            lambda s, seat: _is(s, seat, CHALLENGE),
        ),
        Tip(
            "deploy",
            "Choose a card, then one of the framed squares. A card falls where the other's number on the square is"
            " higher than its defence. Attack one enemy with several cards together.",
            lambda s, seat: _is(s, seat, DEPLOY),
        ),
        Tip(
            "shoot",
            "A shot adds to the arrows that already strike the card. Shoot where it tips the balance.",
            lambda s, seat: _is(s, seat, SHOOT),
        ),
        Tip(
            "reinforce",
            "Recall a strong card that is in nobody's reach; otherwise draw.",
            lambda s, seat: _is(s, seat, REINFORCE),
        ),
    ),
)
