"""A position of Colonizers as a picture: colonists on top, four colonies, the hand and what can be done below."""

from __future__ import annotations

from boardwright.drawing import CARD, CARD_EDGE, CARD_INK, FAINT, SEAT_COLOURS, TONES, Drawing, shortened, wrapped
from boardwright.games.colonizers.cards import BLUE, COLONISTS, COLOURLESS, COLOURS, GREEN, MODULES, RED, Module
from boardwright.games.colonizers.information import candidates
from boardwright.games.colonizers.rules import OMNIUM_TAKEN, on_offer, points
from boardwright.games.colonizers.state import (
    BUILD,
    BUILD_MODULE,
    BUILD_NOTHING,
    COLONIST_PICK,
    COLONY_TARGET,
    DISCARD,
    DO_NOTHING,
    DRAW,
    DRAW_MODULES,
    FINISHED,
    HAND_CAPACITY,
    KEEP,
    NONE,
    PICK,
    POWER,
    SEATS,
    TAKE_OMNIUM,
    TARGET,
    UNKNOWN,
)
from boardwright.games.colonizers.text import PHASES
from boardwright.kernel import SPECTATOR, Record

WIDTH, MARGIN = 1000, 14
TILE, TILE_HEIGHT = 114, 46  # a module in a colony
CARD_WIDTH, CARD_HEIGHT = 126, 104  # a module in the hand
FILLS = {GREEN: TONES["green"], BLUE: TONES["blue"], RED: TONES["red"], COLOURLESS: TONES["grey"]}
ROLE_FILLS = {GREEN: TONES["green"], BLUE: TONES["blue"], RED: TONES["red"], -1: TONES["purple"]}


def draw_state(s: Record, seat: int | None) -> str:
    drawing = Drawing(WIDTH)
    turn = "" if s.phase >= FINISHED else f" · seat {s.turn + 1} to choose"
    drawing.text(MARGIN, 28, f"Round {s.round} · {PHASES[s.phase]}{turn}", size=18, bold=True)
    drawing.text(WIDTH - MARGIN, 28, f"{s.deck_size} modules in the deck", size=14, fill=FAINT, anchor="end")
    _draw_colonists(drawing, s, seat, 42)
    for holder in range(SEATS):
        _draw_colony(drawing, s, holder, seat, MARGIN + holder % 2 * 490, 142 + holder // 2 * 154)
    bottom = _draw_doing(drawing, s, seat, 142 + 2 * 154)
    for holder in range(SEATS):
        if seat is None or seat == holder:
            bottom = _draw_hand(drawing, s, holder, bottom)
    drawing.height = bottom + 8
    return drawing.svg("Colonizers")


def _draw_colonists(drawing: Drawing, s: Record, seat: int | None, y: float) -> None:
    """The six; in the pick those on offer stand out, for whoever may see them."""
    sees = s.phase == COLONIST_PICK and seat in (None, s.turn)
    offered = on_offer(s) if sees else 0
    width = (WIDTH - 2 * MARGIN - 5 * 10) / 6
    for number, colonist in enumerate(COLONISTS):
        shown = bool(offered >> number & 1) if sees else True
        with drawing.group(
            MARGIN + number * (width + 10),
            y,
            actions=[PICK + number, TARGET + number],
            title=f"{colonist.name}: {colonist.ability}",
            opacity=1.0 if shown else 0.35,
        ):
            drawing.rect(0, 0, width, 88, fill=CARD, edge=CARD_EDGE, corner=8)
            drawing.rect(0, 0, width, 26, fill=ROLE_FILLS[colonist.income], corner=8)
            drawing.text(width / 2, 18, colonist.name, size=14, fill="#ffffff", anchor="middle", bold=True)
            for place, line in enumerate(wrapped(colonist.ability, width - 14, 12)[:4]):
                drawing.text(8, 43 + 14 * place, line, size=12, fill=CARD_INK)


def _draw_colony(drawing: Drawing, s: Record, holder: int, seat: int | None, x: float, y: float) -> None:
    to_move = holder == s.turn and s.phase < FINISHED
    drawing.rect(x, y, 480, 146, fill="none", edge=SEAT_COLOURS[holder], line=3.5 if to_move else 1.5, corner=10)
    drawing.circle(x + 16, y + 18, 7, fill=SEAT_COLOURS[holder])
    name = f"seat {holder + 1}" + (" (you)" if holder == seat else "")
    drawing.text(x + 30, y + 23, name, size=15, bold=True)
    drawing.text(x + 140, y + 23, shortened(_role(s, holder, seat), 166, 13), size=13, fill=FAINT)
    drawing.circle(x + 320, y + 18, 9, fill=TONES["yellow"], edge=CARD_EDGE)
    drawing.text(x + 334, y + 23, str(s.omnium[holder]), size=15, bold=True)
    drawing.rect(x + 368, y + 9, 13, 18, fill=CARD, edge=CARD_EDGE, corner=3)
    drawing.text(x + 386, y + 23, f"{s.hand_size[holder]}/{HAND_CAPACITY}", size=14)
    drawing.text(x + 470, y + 23, f"{points(s, holder)} pts", size=15, anchor="end", bold=True)
    place = 0
    for kind, module in enumerate(MODULES):
        for copy in range(s.colony[holder, kind]):
            at = x + 6 + place % 4 * (TILE + 4), y + 38 + place // 4 * (TILE_HEIGHT + 6)
            with drawing.group(*at, key=f"{holder} {module.name} {copy}", title=about(module)):
                _tile(drawing, module)
            place += 1
    for empty in range(place, COLONY_TARGET):
        left, top = x + 6 + empty % 4 * (TILE + 4), y + 38 + empty // 4 * (TILE_HEIGHT + 6)
        drawing.rect(left, top, TILE, TILE_HEIGHT, fill="none", edge=FAINT, corner=6, dashed=True, opacity=0.6)


def _role(s: Record, holder: int, seat: int | None) -> str:
    colonist = s.colonist[holder]
    if colonist == NONE:
        return "no colonist yet"
    if colonist != UNKNOWN:
        return COLONISTS[colonist].name
    if seat is None or seat == SPECTATOR:
        return "a secret colonist"
    possible = candidates(s, seat, holder)
    return " or ".join(c.name for number, c in enumerate(COLONISTS) if possible >> number & 1) + "?"


def about(module: Module) -> str:
    return f"{module.name} ({COLOURS[module.colour]}): costs {module.cost} Omnium, worth {module.value} points"


def _tile(drawing: Drawing, module: Module) -> None:
    drawing.rect(0, 0, TILE, TILE_HEIGHT, fill=CARD, edge=CARD_EDGE, corner=6)
    drawing.rect(0, 0, 9, TILE_HEIGHT, fill=FILLS[module.colour], corner=4)
    for number, line in enumerate(wrapped(module.name, TILE - 40, 11)[:3]):
        drawing.text(14, 14 + 13 * number, line, size=11, fill=CARD_INK)
    drawing.text(TILE - 6, 18, str(module.value), size=15, fill=CARD_INK, anchor="end", bold=True)


def _draw_doing(drawing: Drawing, s: Record, seat: int | None, y: float) -> float:
    """What can be done now that is not done to a card; the two cards just drawn."""
    if s.phase >= FINISHED or seat not in (None, s.turn):
        return y
    x: float = MARGIN
    if s.phase == DRAW:
        x += 10 + drawing.button(x, y + 6, f"take {OMNIUM_TAKEN} Omnium", TAKE_OMNIUM)
        drawing.button(x, y + 6, "draw two modules", DRAW_MODULES)
        return y + 46
    if s.phase in (POWER, BUILD):
        if s.phase == POWER:
            drawing.button(x, y + 6, "do nothing", DO_NOTHING)
        else:
            drawing.button(x, y + 6, "build nothing", BUILD_NOTHING)
        return y + 46
    if s.phase == DISCARD:
        drawing.text(x, y + 20, "Drawn: keep one", size=14, bold=True)
        for place, kind in enumerate(s.drawn):
            _card(drawing, MARGIN + place * (CARD_WIDTH + 10), y + 28, int(kind), 1, [KEEP + int(kind)])
        return y + 28 + CARD_HEIGHT + 8
    return y


def _draw_hand(drawing: Drawing, s: Record, holder: int, y: float) -> float:
    drawing.text(MARGIN, y + 20, f"Hand of seat {holder + 1}", size=14, bold=True)
    place = 0
    for kind in range(len(MODULES)):
        if s.hand[holder, kind]:
            build = [BUILD_MODULE + kind] if holder == s.turn else []
            x = MARGIN + place * (CARD_WIDTH + 10)
            _card(drawing, x, y + 28, kind, int(s.hand[holder, kind]), build, s.omnium[holder] >= MODULES[kind].cost)
            place += 1
    if not place:
        drawing.text(MARGIN + 130, y + 20, "empty", size=14, fill=FAINT)
        return y + 30
    return y + 28 + CARD_HEIGHT + 8


def _card(
    drawing: Drawing, x: float, y: float, kind: int, count: int, actions: list[int], affordable: bool = True
) -> None:
    module = MODULES[kind]
    with drawing.group(x, y, actions=actions, key=f"hand {kind} {count}", title=about(module)):
        drawing.rect(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.5, corner=8)
        drawing.rect(0, 0, CARD_WIDTH, 24, fill=FILLS[module.colour], corner=8)
        drawing.text(8, 17, COLOURS[module.colour], size=12, fill="#ffffff", bold=True)
        if count > 1:
            drawing.text(CARD_WIDTH - 8, 18, f"×{count}", size=15, fill="#ffffff", anchor="end", bold=True)
        for number, line in enumerate(wrapped(module.name, CARD_WIDTH - 14, 14)[:2]):
            drawing.text(8, 43 + 17 * number, line, size=14, fill=CARD_INK, bold=True)
        drawing.circle(19, CARD_HEIGHT - 19, 12, fill=TONES["yellow"] if affordable else "#d9d6cc", edge=CARD_EDGE)
        drawing.text(19, CARD_HEIGHT - 14, str(module.cost), size=14, fill=CARD_INK, anchor="middle", bold=True)
        drawing.text(CARD_WIDTH - 8, CARD_HEIGHT - 14, f"{module.value} pts", size=14, fill=CARD_INK, anchor="end")
