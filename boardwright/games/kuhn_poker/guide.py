"""How Kuhn poker is played, for somebody who has never seen it."""

from __future__ import annotations

from boardwright.drawing import CARD_EDGE, TONES, Drawing
from boardwright.games.kuhn_poker.rules import player
from boardwright.games.kuhn_poker.text import answers_bet
from boardwright.kernel import Record
from boardwright.kernel.guide import Guide, Icon, Step, Tip


def _chip(drawing: Drawing) -> None:
    drawing.circle(20, 16, 9, fill=TONES["orange"], edge=CARD_EDGE, line=2)


def _back(drawing: Drawing) -> None:
    drawing.rect(10, 3, 20, 26, fill=TONES["blue"], edge=CARD_EDGE, corner=4)
    drawing.text(20, 22, "?", size=16, fill="#ffffff", anchor="middle", bold=True)


def _to_answer(s: Record, seat: int) -> bool:
    return bool(player(s) == seat and answers_bet(s, s.choices))


GUIDE = Guide(
    aim="Win chips. The higher card wins the pot: King over Queen over Jack.",
    steps=(
        Step(
            "One card each",
            "There are three cards. Both players put one chip into the pot and get a card; the third is put aside.",
        ),
        Step("Pass or bet", "The first passes or bets another chip. The second may answer."),
        Step("After a bet", "Call it with a chip, and the higher card wins; or fold, and the other takes the pot."),
        Step("After two passes", "The cards are compared, for the chips that were put in at the beginning."),
    ),
    icons=(Icon("a chip", _chip), Icon("a card that you may not see", _back)),
    tips=(
        Tip(
            "answer",
            "With the King call, with the Jack fold. With the Queen it depends on how often the other bluffs.",
            _to_answer,
        ),
        Tip(
            "first",
            "A bet with the Jack is a bluff; with the King it wants to be called.",
            lambda s, seat: bool(player(s) == seat),
        ),
    ),
)
