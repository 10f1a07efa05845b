"""How Race for the Galaxy is played, for somebody who has never seen it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from boardwright.drawing import Drawing
from boardwright.games.race import faces, state
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.faces import Symbol
from boardwright.kernel import Record
from boardwright.kernel.guide import Icon, read_guide

_WORLD = next(design for design in DESIGNS if design.world and not design.has("military") and not design.has("start"))
_CONQUERED = next(design for design in DESIGNS if design.world and design.has("military"))
_DEVELOPMENT = next(design for design in DESIGNS if not design.world)
_PRODUCES = next(design for design in DESIGNS if design.world and design.production and design.production != "windfall")
_WINDFALL = next(design for design in DESIGNS if design.production == "windfall")


def _symbol(kind: str, text: str = "", good: str = "none") -> Callable[[Drawing], None]:
    def draw(drawing: Drawing) -> None:
        faces.draw_symbol(drawing, 11, 8, Symbol(kind, text, good), 28)

    return draw


def _asked(question: int) -> Callable[[Record, int], bool]:
    return lambda s, seat: bool(s.asked == seat and s.question == question)


GUIDE = read_guide(
    Path(__file__).with_name("guide.toml"),
    icons=(
        Icon("a world, and what it costs", lambda drawing: faces.draw_cost(drawing, _WORLD, 20, 16)),
        Icon("a world to conquer: military needed", lambda drawing: faces.draw_cost(drawing, _CONQUERED, 20, 16)),
        Icon("a development, and what it costs", lambda drawing: faces.draw_cost(drawing, _DEVELOPMENT, 20, 16)),
        Icon("points at the end (? : see its text)", lambda drawing: faces.draw_points(drawing, _WORLD, 20, 16)),
        Icon("produces a good in phase V", lambda drawing: faces.draw_production(drawing, _PRODUCES, 10, 6)),
        Icon("windfall: came with one good", lambda drawing: faces.draw_production(drawing, _WINDFALL, 10, 6)),
        Icon("a good lies on the world", lambda drawing: faces.draw_good(drawing, _PRODUCES, 8, 2)),
        Icon("the phase in which a power works", lambda drawing: faces.draw_numeral(drawing, 10, 8, "III")),
        Icon("military", _symbol("military", "+1")),
        Icon("so much cheaper", _symbol("less", "-1")),
        Icon("cards to draw", _symbol("card", "+1")),
        Icon("victory points", _symbol("vp", "1")),
        Icon("any good", _symbol("good")),
        *(Icon(f"a {good} good", _symbol("good", good=good)) for good in ("novelty", "rare", "genes", "alien")),
    ),
    when={
        "phase": _asked(state.CHOOSE_ACTION),
        "start": lambda s, seat: bool(s.asked == seat and s.question == state.DISCARD and s.round == 0),
        "limit": lambda s, seat: bool(
            s.asked == seat and s.question == state.DISCARD and s.stage == state.ROUND_DISCARD
        ),
        "explore": _asked(state.DISCARD),
        "place": _asked(state.PLACE),
        "pay": _asked(state.PAY),
        "trade": _asked(state.TRADE_GOOD),
        "powers": _asked(state.USE_POWER),
        "consume": _asked(state.CONSUME),
        "over": lambda s, seat: bool(s.question == state.GAME_OVER),
    },
    tableau_end=state.TABLEAU_END,
    hand_limit=state.HAND_LIMIT,
)
