"""How Kuhn poker is played, for somebody who has never seen it."""

from __future__ import annotations

from pathlib import Path

from boardwright.drawing import CARD_EDGE, TONES, Drawing
from boardwright.games.kuhn_poker.rules import player
from boardwright.games.kuhn_poker.text import answers_bet
from boardwright.kernel import Record
from boardwright.kernel.guide import Icon, read_guide


def _chip(drawing: Drawing) -> None:
    drawing.circle(20, 16, 9, fill=TONES["orange"], edge=CARD_EDGE, line=2)


def _back(drawing: Drawing) -> None:
    drawing.rect(10, 3, 20, 26, fill=TONES["blue"], edge=CARD_EDGE, corner=4)
    drawing.text(20, 22, "?", size=16, fill="#ffffff", anchor="middle", bold=True)


def _to_answer(s: Record, seat: int) -> bool:
    return bool(player(s) == seat and answers_bet(s, s.choices))


GUIDE = read_guide(
    Path(__file__).with_name("guide.toml"),
    icons=(Icon("a chip", _chip), Icon("a card that you may not see", _back)),
    when={
        "answer": _to_answer,
        "first": lambda s, seat: bool(player(s) == seat),
    },
)
