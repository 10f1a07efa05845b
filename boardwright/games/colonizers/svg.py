"""A position of Colonizers as a picture: colonists on top, four colonies, the hand and what can be done below."""

from __future__ import annotations

from boardwright.drawing import (
    CARD,
    CARD_EDGE,
    CARD_INK,
    FAINT,
    SEAT_COLOURS,
    TABLE,
    TONES,
    WIDE,
    Drawing,
    Layout,
    shortened,
    text_width,
    wrapped,
)
from boardwright.games.colonizers import state
from boardwright.games.colonizers.cards import BLUE, COLONISTS, COLOURLESS, COLOURS, GREEN, MODULES, RED, Module
from boardwright.games.colonizers.information import candidates
from boardwright.games.colonizers.rules import OMNIUM_TAKEN, on_offer, points
from boardwright.games.colonizers.text import PHASES
from boardwright.kernel import SPECTATOR, Record
from boardwright.wording import counted

MARGIN, GAP = 12, 8
TILE_HEIGHT, TILES_PER_ROW = 48, 4  # modules in a colony
CARD_WIDTH, CARD_HEIGHT = 98, 104  # a module in the hand: the least width, and the height
NARROW_COLONY = 480
TWO_COLONIES = 760
"""From this width on two colonies stand beside each other."""
FILLS = {GREEN: TONES["green"], BLUE: TONES["blue"], RED: TONES["red"], COLOURLESS: TONES["grey"]}
ROLE_FILLS = {GREEN: TONES["green"], BLUE: TONES["blue"], RED: TONES["red"], -1: TONES["purple"]}


def draw_state(s: Record, seat: int | None, layout: Layout = WIDE) -> str:
    """The colonists, what can be done, the hand of the seat that looks, its colony, and everybody else's."""
    drawing = Drawing(layout.width)
    turn = "" if s.phase >= state.FINISHED else f" · seat {s.turn + 1} to choose"
    deck = f"{s.deck_size} modules in the deck"
    y = 38.0
    if layout.narrow:
        drawing.text(MARGIN, 24, f"Round {s.round} · {PHASES[s.phase]}", size=16, bold=True)
        drawing.text(MARGIN, 41, f"{deck}{turn}", size=12, fill=FAINT)
        y = 50.0
    else:
        drawing.text(MARGIN, 26, f"Round {s.round} · {PHASES[s.phase]}{turn}", size=18, bold=True)
        drawing.text(layout.width - MARGIN, 26, deck, size=14, fill=FAINT, anchor="end")
    y = _draw_colonists(drawing, s, seat, layout, y)
    y = _draw_doing(drawing, s, seat, layout, y)
    for holder in range(state.SEATS):
        if seat is None or seat == holder:
            y = _draw_hand(drawing, s, holder, layout, y)
    own = seat if seat is not None and seat >= 0 else 0
    columns = 2 if layout.width >= TWO_COLONIES else 1
    width = (layout.width - 2 * MARGIN - (columns - 1) * GAP) / columns
    holders = [(own + i) % state.SEATS for i in range(state.SEATS)]
    for first in range(0, state.SEATS, columns):
        ends = [
            _draw_colony(drawing, s, holder, seat, layout, MARGIN + place * (width + GAP), y, width)
            for place, holder in enumerate(holders[first : first + columns])
        ]
        y = max(ends) + GAP
    drawing.height = y
    return drawing.svg("Colonizers")


def _draw_colonists(drawing: Drawing, s: Record, seat: int | None, layout: Layout, y: float) -> float:
    """The six; in the pick those on offer stand out, for whoever may see them. On a phone their abilities are written
    out where one is chosen."""
    sees = s.phase == state.COLONIST_PICK and seat in (None, s.turn)
    offered = on_offer(s) if sees else 0
    per_row = (
        6 if not layout.narrow else 1 if s.phase in (state.COLONIST_PICK, state.POWER) and seat in (None, s.turn) else 3
    )
    room = layout.width - 2 * MARGIN
    width = (room - (per_row - 1) * GAP) / per_row
    lines = [wrapped(colonist.ability, width - (110 if per_row == 1 else 12), 11 if per_row == 1 else 12)
             for colonist in COLONISTS]  # fmt: skip
    height = 28.0 if per_row == 3 else 36.0 if per_row == 1 else 34.0 + 14 * max(map(len, lines))
    for number, colonist in enumerate(COLONISTS):
        shown = bool(offered >> number & 1) if sees else True
        with drawing.group(
            MARGIN + number % per_row * (width + GAP),
            y + number // per_row * (height + 5),
            actions=[state.PICK + number, state.TARGET + number],
            title=f"{colonist.name}: {colonist.ability}",
            opacity=1.0 if shown else 0.35,
        ):
            drawing.rect(0, 0, width, height, fill=CARD, edge=CARD_EDGE, corner=8)
            if per_row == 1:
                drawing.rect(0, 0, 98, height, fill=ROLE_FILLS[colonist.income], corner=8)
                drawing.text(49, 23, colonist.name, size=13, fill="#ffffff", anchor="middle", bold=True)
                for place, line in enumerate(lines[number][:2]):
                    base = 22 if len(lines[number]) == 1 else 15 + 14 * place
                    drawing.text(104, base, line, size=11, fill=CARD_INK)
                continue
            drawing.rect(0, 0, width, 26 if per_row == 6 else height, fill=ROLE_FILLS[colonist.income], corner=8)
            size = 13 if text_width(colonist.name, 14) > width - 6 else 14
            drawing.text(width / 2, 18, colonist.name, size=size, fill="#ffffff", anchor="middle", bold=True)
            for place, line in enumerate(lines[number] if per_row == 6 else []):
                drawing.text(7, 42 + 14 * place, line, size=12, fill=CARD_INK)
    return y + -(-len(COLONISTS) // per_row) * (height + 5) + 3


def _draw_colony(
    drawing: Drawing, s: Record, holder: int, seat: int | None, layout: Layout, x: float, y: float, width: float
) -> float:
    """A colony: who holds it, what they have, their modules; returns where it ends."""
    to_move = bool(holder == s.turn and s.phase < state.FINISHED)
    name = f"seat {holder + 1}" + (" (you)" if holder == seat else "")
    role = _role(s, holder, seat)
    folded = None if holder == seat else layout.folds(holder)
    if folded:
        facts = f"{counted(points(s, holder), 'pt')} · {s.omnium[holder]} Omnium · {s.hand_size[holder]} cards · {role}"
        return drawing.seat_line(x, y, width, holder, name, facts, to_move=to_move, folded=True)
    per_row = TILES_PER_ROW if width > 380 else 3
    tile = (width - 12 - (per_row - 1) * 4) / per_row
    modules = [(kind, copy) for kind in range(len(MODULES)) for copy in range(s.colony[holder, kind])]
    places = max(len(modules), state.COLONY_TARGET)
    aside = width < NARROW_COLONY
    head = 54 if aside else 38
    height = head + -(-places // per_row) * (TILE_HEIGHT + 5) + 4
    drawing.rect(x, y, width, height, fill="none", edge=SEAT_COLOURS[holder], line=3.5 if to_move else 1.5, corner=10)
    with drawing.group(x, y, fold=None if folded is None else holder):
        drawing.rect(3, 3, width - 6, 30, fill=TABLE, corner=7)
        drawing.circle(16, 18, 7, fill=SEAT_COLOURS[holder])
        room = width - (50 if aside else 300)
        drawing.name_and(30, 23, name, "" if aside else shortened(role, room, 12))
        if aside:
            drawing.text(30, 42, shortened(role, room, 12), size=12, fill=FAINT)
        right = width - 10
        if folded is not None:
            drawing.polygon([(right - 9, 14), (right + 1, 14), (right - 4, 21)], fill=FAINT)
            right -= 16
        drawing.text(right, 23, counted(points(s, holder), "pt"), size=14, anchor="end", bold=True)
        drawing.rect(right - 98, 9, 13, 18, fill=CARD, edge=CARD_EDGE, corner=3)
        drawing.text(right - 82, 23, f"{s.hand_size[holder]}/{state.HAND_CAPACITY}", size=13)
        drawing.circle(right - 136, 18, 9, fill=TONES["yellow"], edge=CARD_EDGE)
        drawing.text(right - 123, 23, str(s.omnium[holder]), size=14, bold=True)
    for place in range(places):
        left, top = x + 6 + place % per_row * (tile + 4), y + head + place // per_row * (TILE_HEIGHT + 5)
        if place >= len(modules):
            drawing.rect(left, top, tile, TILE_HEIGHT, fill="none", edge=FAINT, corner=6, dashed=True, opacity=0.6)
            continue
        kind, copy = modules[place]
        with drawing.group(left, top, key=f"{holder} {MODULES[kind].name} {copy}", title=about(MODULES[kind])):
            _tile(drawing, MODULES[kind], tile)
    return y + height


def _role(s: Record, holder: int, seat: int | None) -> str:
    colonist = s.colonist[holder]
    if colonist == state.NONE:
        return "no colonist yet"
    if colonist != state.UNKNOWN:
        return COLONISTS[colonist].name
    if seat is None or seat == SPECTATOR:
        return "a secret colonist"
    possible = candidates(s, seat, holder)
    return " or ".join(c.name for number, c in enumerate(COLONISTS) if possible >> number & 1) + "?"


def about(module: Module) -> str:
    return (
        f"{module.name} ({COLOURS[module.colour]}): costs {module.cost} Omnium, worth {counted(module.value, 'point')}"
    )


def _tile(drawing: Drawing, module: Module, width: float) -> None:
    drawing.rect(0, 0, width, TILE_HEIGHT, fill=CARD, edge=CARD_EDGE, corner=6)
    drawing.rect(0, 0, 8, TILE_HEIGHT, fill=FILLS[module.colour], corner=4)
    for number, line in enumerate(wrapped(module.name, width - 26, 11)[:3]):
        drawing.text(12, 14 + 13 * number, line, size=11, fill=CARD_INK)
    drawing.text(width - 5, 17, str(module.value), size=14, fill=CARD_INK, anchor="end", bold=True)


def _draw_doing(drawing: Drawing, s: Record, seat: int | None, layout: Layout, y: float) -> float:
    """What can be done now that is not done to a card; the two cards just drawn."""
    if s.phase >= state.FINISHED or seat not in (None, s.turn):
        return y
    texts = {
        state.DRAW: {state.TAKE_OMNIUM: f"take {OMNIUM_TAKEN} Omnium", state.DRAW_MODULES: "draw two modules"},
        state.POWER: {state.DO_NOTHING: "do nothing"},
        state.BUILD: {state.BUILD_NOTHING: "build nothing"},
    }.get(int(s.phase))
    if texts:
        return drawing.buttons(MARGIN, y + 2, layout.width - 2 * MARGIN, texts)
    if s.phase == state.DISCARD:
        drawing.text(MARGIN, y + 16, "Drawn: keep one", size=14, bold=True)
        _, width = _hand_places(layout)
        for place, kind in enumerate(s.drawn):
            _card(drawing, MARGIN + place * (width + GAP), y + 24, width, int(kind), 1, [state.KEEP + int(kind)])
        return y + 24 + CARD_HEIGHT + 6
    return y


def _hand_places(layout: Layout) -> tuple[int, float]:
    """How many cards stand in a row, and how wide each is."""
    room = layout.width - 2 * MARGIN
    per_row = int((room + GAP) // (CARD_WIDTH + (0 if layout.narrow else 26) + GAP))
    return per_row, (room - (per_row - 1) * GAP) / per_row


def _draw_hand(drawing: Drawing, s: Record, holder: int, layout: Layout, y: float) -> float:
    kinds = [kind for kind in range(len(MODULES)) if s.hand[holder, kind]]
    drawing.name_and(MARGIN, y + 16, f"Hand of seat {holder + 1}", "" if kinds else "empty")
    if not kinds:
        return y + 26
    per_row, width = _hand_places(layout)
    for place, kind in enumerate(kinds):
        build = [state.BUILD_MODULE + kind] if holder == s.turn else []
        x, top = MARGIN + place % per_row * (width + GAP), y + 24 + place // per_row * (CARD_HEIGHT + GAP)
        affordable = s.omnium[holder] >= MODULES[kind].cost
        _card(drawing, x, top, width, kind, int(s.hand[holder, kind]), build, affordable)
    return y + 24 + -(-len(kinds) // per_row) * (CARD_HEIGHT + GAP)


def _card(
    drawing: Drawing,
    x: float,
    y: float,
    width: float,
    kind: int,
    copies: int,
    actions: list[int],
    affordable: bool = True,
) -> None:
    module = MODULES[kind]
    with drawing.group(x, y, actions=actions, key=f"hand {kind} {copies}", title=about(module)):
        drawing.rect(0, 0, width, CARD_HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.5, corner=8)
        drawing.rect(0, 0, width, 24, fill=FILLS[module.colour], corner=8)
        drawing.text(8, 17, COLOURS[module.colour], size=12, fill="#ffffff", bold=True)
        if copies > 1:
            drawing.text(width - 8, 18, f"×{copies}", size=15, fill="#ffffff", anchor="end", bold=True)
        for number, line in enumerate(wrapped(module.name, width - 10, 13)[:2]):
            drawing.text(8, 42 + 16 * number, line, size=13, fill=CARD_INK, bold=True)
        drawing.circle(19, CARD_HEIGHT - 19, 12, fill=TONES["yellow"] if affordable else "#d9d6cc", edge=CARD_EDGE)
        drawing.text(19, CARD_HEIGHT - 14, str(module.cost), size=14, fill=CARD_INK, anchor="middle", bold=True)
        drawing.text(width - 8, CARD_HEIGHT - 14, counted(module.value, "pt"), size=13, fill=CARD_INK, anchor="end")
