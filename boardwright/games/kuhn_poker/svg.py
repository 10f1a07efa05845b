"""A position of Kuhn poker as a picture: two players, their cards and chips, and what was chosen."""

from __future__ import annotations

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, FAINT, SEAT_COLOURS, TONES, WIDE, Drawing, Layout
from boardwright.games.kuhn_poker.rules import player
from boardwright.games.kuhn_poker.state import ASIDE, BET, JACK, KING, PASS, QUEEN, UNKNOWN
from boardwright.games.kuhn_poker.text import ACTION_NAMES, answers_bet
from boardwright.kernel import TERMINAL, Record

MOST_WIDTH, HEIGHT = 640, 392
FACES = {JACK: ("J", "Jack", TONES["green"]), QUEEN: ("Q", "Queen", TONES["blue"]), KING: ("K", "King", TONES["red"])}
ANTE = 1


def draw_state(s: Record, seat: int | None, layout: Layout = WIDE) -> str:
    width = min(MOST_WIDTH, layout.width)
    drawing = Drawing(width, HEIGHT)
    third, middle = width / 3, width / 2
    for holder in (0, 1):
        _draw_seat(drawing, s, holder, third / 2 if holder == 0 else width - third / 2, seat)
    _card(drawing, middle - 50, 60, s.card[ASIDE], "put aside")
    drawing.text(middle, 228, "put aside", size=13, fill=FAINT, anchor="middle")
    _chips(drawing, middle, 272, sum(chips(s, holder) for holder in (0, 1)))
    shown = " – ".join(_choice_text(s, place) for place in range(s.choices)) or "nothing bet yet"
    drawing.text(middle, 318, shown, size=16, anchor="middle", bold=True)
    if player(s) != TERMINAL and seat in (None, player(s)):
        names = [ACTION_NAMES[action][answers_bet(s, s.choices)] for action in (PASS, BET)]
        for place, (action, name) in enumerate(zip((PASS, BET), names, strict=True)):
            drawing.button(middle - 124 + 128 * place, 340, name, action, width=120, size=16)
    return drawing.svg("Kuhn poker")


def chips(s: Record, holder: int) -> int:
    """What a seat has put into the pot."""
    return ANTE + sum(s.choice[place] == BET for place in range(s.choices) if place % 2 == holder)


def _choice_text(s: Record, place: int) -> str:
    return ACTION_NAMES[s.choice[place]][answers_bet(s, place)]


def _draw_seat(drawing: Drawing, s: Record, holder: int, middle: float, seat: int | None) -> None:
    name = f"seat {holder + 1}" + (" (you)" if seat == holder else "")
    drawing.circle(middle, 20, 6, fill=SEAT_COLOURS[holder])
    drawing.text(middle, 46, name, size=14, bold=player(s) == holder, anchor="middle")
    _card(drawing, middle - 50, 60, s.card[holder], name)
    _chips(drawing, middle, 252, chips(s, holder))
    drawing.text(middle, 290, f"{chips(s, holder)} in the pot", size=13, fill=FAINT, anchor="middle")


def _card(drawing: Drawing, x: float, y: float, card: int, whose: str) -> None:
    with drawing.group(x, y, key="" if card == UNKNOWN else f"{whose}: {FACES[card][1]}"):
        if card == UNKNOWN:
            drawing.rect(0, 0, 100, 146, fill=TONES["blue"], edge=CARD_EDGE, line=2, corner=10)
            drawing.rect(10, 10, 80, 126, fill="none", edge="#bcdcf0", line=2, corner=6)
            drawing.text(50, 86, "?", size=40, fill="#ffffff", anchor="middle", bold=True)
            return
        letter, name, colour = FACES[card]
        drawing.rect(0, 0, 100, 146, fill=CARD, edge=CARD_EDGE, line=2, corner=10)
        drawing.text(50, 92, letter, size=58, fill=colour, anchor="middle", bold=True)
        drawing.text(50, 128, name, size=16, fill=CARD_INK, anchor="middle")


def _chips(drawing: Drawing, x: float, y: float, count: int) -> None:
    for number in range(count):
        drawing.circle(x + 20 * (number - (count - 1) / 2), y, 9, fill=TONES["orange"], edge=CARD_EDGE, line=2)
