"""How Race for the Galaxy is played, for somebody who has never seen it."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.drawing import Drawing
from boardwright.games.race import faces, state
from boardwright.games.race.cards import DESIGNS
from boardwright.games.race.faces import Symbol
from boardwright.kernel import Record
from boardwright.kernel.guide import Guide, Icon, Step, Tip

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


GUIDE = Guide(
    aim=f"Build the best galactic civilization: the game ends when somebody has placed {state.TABLEAU_END} cards, or"
    " when the pool of victory points is empty. Most points win.",
    steps=(
        Step(
            "Everybody chooses a phase in secret",
            "A round begins with one secret choice. Then the phases that somebody chose are played, in their order, by"
            " everybody. Phases that nobody chose are skipped. Who chose a phase has its bonus.",
        ),
        Step(
            "I Explore: find cards",
            "Draw 2 cards and keep 1. With +5 you draw 7 and keep 1; with +1/+1 you draw 3 and keep 2.",
        ),
        Step(
            "II Develop and III Settle: place cards",
            "Place one card of your hand and pay its cost with other cards of your hand. Who chose Develop pays 1 less;"
            " who chose Settle draws a card. A world with a red ring is conquered: it costs nothing, but your military"
            " must be as high as its number.",
        ),
        Step(
            "IV Consume: turn goods into points and cards",
            "Trade sells one good for cards (novelty 2, rare 3, genes 4, alien 5). Then powers of your cards turn goods"
            " into victory points and cards. With ×2 the points are doubled.",
        ),
        Step(
            "V Produce: goods appear",
            "Every world with a full square gets a good. Worlds with an empty square came with one good; they get"
            " another by a power, or as the bonus of who chose Produce.",
        ),
        Step(
            "The cards are your money",
            f"A card pays for another, so every card costs its cost plus itself. At the end of a round you keep"
            f" {state.HAND_LIMIT} cards at most.",
        ),
    ),
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
    tips=(
        Tip(
            "phase",
            "Choose the phase that you need now. You also get the phases that others choose, so guess them: if somebody"
            " will surely settle, you can settle without choosing it.",
            _asked(state.CHOOSE_ACTION),
        ),
        Tip(
            "start",
            "Keep four cards. Cheap ones, and worlds that your start world makes cheaper, get you going.",
            lambda s, seat: bool(s.asked == seat and s.question == state.DISCARD and s.round == 0),
            "hand",
        ),
        Tip(
            "limit",
            f"More than {state.HAND_LIMIT} cards: discard down to {state.HAND_LIMIT}.",
            lambda s, seat: bool(s.asked == seat and s.question == state.DISCARD and s.stage == state.ROUND_DISCARD),
            "hand",
        ),
        Tip("explore", "Choose what to give away; what you keep is money too.", _asked(state.DISCARD), "hand"),
        Tip(
            "place",
            "A framed card can be placed now. Think of what is left to pay with. Placing nothing is allowed.",
            _asked(state.PLACE),
            "hand",
        ),
        Tip("pay", "Pay with the cards that you will never place.", _asked(state.PAY), "hand"),
        Tip(
            "trade",
            "One good is sold. Dear kinds bring more cards: alien 5, genes 4, rare 3.",
            _asked(state.TRADE_GOOD),
        ),
        Tip("powers", "Powers are used one after another; each good can be used once.", _asked(state.USE_POWER)),
        Tip("consume", "Choose the goods that the power takes.", _asked(state.CONSUME)),
        Tip(
            "over",
            "The game is over. Points come from cards, chips and the bonuses of six-cost developments.",
            lambda s, seat: bool(s.question == state.GAME_OVER),
        ),
    ),
)
