"""A position of 7 Wonders as a picture: all cities with their boards, and the hand with what each card would cost."""

from __future__ import annotations

from boardwright.drawing import (
    CARD,
    CARD_EDGE,
    CARD_INK,
    FAINT,
    SEAT_COLOURS,
    TONES,
    Drawing,
    shortened,
    text_width,
    wrapped,
)
from boardwright.games.wonders.cards import (
    COLOURS,
    COST_COINS,
    GOOD_BITS,
    GOODS,
    HAND,
    NEED,
    STAGE_NEED,
    STAGE_ROWS,
    STAGES,
    STRUCTURES,
    SYMBOLS,
    UNIT_MASK,
)
from boardwright.games.wonders.choosing import is_chained, ways_to_build
from boardwright.games.wonders.scoring import PARTS, total
from boardwright.games.wonders.slips import CARD_DATA
from boardwright.games.wonders.state import (
    BUILD,
    DEAR,
    DIG,
    DISCARD,
    DISCARDED,
    FINISHED,
    FREE,
    FROM_PILE,
    LOOKED_AT,
    MOST_TO_LEFT,
    NOT_YET,
    NOTHING,
    READY,
    SEVENTH,
    STAGE,
    packet_of,
)
from boardwright.games.wonders.text import (
    ROMAN,
    board_name,
    cost_line,
    count,
    goods_text,
    known_cards,
    parts_of,
    places_of,
    role,
    why_not,
)
from boardwright.kernel import SPECTATOR, Record

WIDTH, MARGIN, GAP = 1104, 12, 8
CARD_WIDTH, CARD_HEIGHT = 148, 162
FILLS = {
    "brown": "#8a5a2b",
    "grey": "#8b93a1",
    "blue": "#0072b2",
    "yellow": "#e6b800",
    "red": "#c0392b",
    "green": "#00805d",
    "purple": "#7a4f9c",
}
LIGHT = ("yellow",)  # dark letters on these
GOOD_FILLS = ("#8a5a2b", "#9aa1ac", "#d07a45", "#4a5160", "#56b4e9", "#b0619a", "#dcc684")
GOOD_LETTERS = ("W", "S", "C", "O", "G", "L", "P")


def draw_state(s: Record, seat: int | None) -> str:
    """The seat that looks is at the bottom, its neighbours above it on their sides."""
    drawing = Drawing(WIDTH)
    if s.phase == FINISHED:
        head = "The game is over"
    else:
        head = f"Age {ROMAN[s.age]} · turn {s.turn + 1}" + (" · the extra card" if s.phase == SEVENTH else "")
    drawing.text(MARGIN, 26, head, size=18, bold=True)
    pile = count(len(places_of(s, DISCARDED, LOOKED_AT)), "card")
    passing = "" if s.phase == FINISHED else f"hands go {'right' if s.age == 1 else 'left'} · "
    drawing.text(WIDTH - MARGIN, 26, f"{passing}{pile} discarded", size=14, fill=FAINT, anchor="end")
    y = _draw_cities(drawing, s, seat, 40)
    if s.phase == FINISHED:
        y = _draw_scores(drawing, s, y)
    elif seat is not None and seat != SPECTATOR:
        y = _draw_city(drawing, s, seat, seat, MARGIN, y, WIDTH - 2 * MARGIN) + GAP
        y = _draw_pile(drawing, s, seat, y)
        y = _draw_hand(drawing, s, seat, y)
    elif seat is None:
        y = _draw_pile(drawing, s, s.mover, y)
        y = _draw_hand(drawing, s, s.mover, y)
    drawing.height = y + 4
    return drawing.svg("7 Wonders")


def _draw_cities(drawing: Drawing, s: Record, seat: int | None, y: float) -> float:
    """Everybody else's, two in a row: the left neighbour first, the right neighbour beside it."""
    if seat is None or seat == SPECTATOR or s.phase == FINISHED:
        others = list(range(s.seats))
    else:
        around = [(seat + i) % s.seats for i in range(1, s.seats)]
        others = [around[0], around[-1], *around[1:-1]] if len(around) > 1 else around
    width = (WIDTH - 2 * MARGIN - GAP) / 2
    for first in range(0, len(others), 2):
        pair = others[first : first + 2]
        ends = [
            _draw_city(drawing, s, who, seat, MARGIN + place * (width + GAP), y, width)
            for place, who in enumerate(pair)
        ]
        y = max(ends) + GAP
    return y


def _draw_city(drawing: Drawing, s: Record, who: int, seat: int | None, x: float, y: float, width: float) -> float:
    """A city: its numbers, what it makes, its wonder's stages, its structures. Returns where it ends."""
    city = s.city[who]
    standing = [kind for kind, is_built in enumerate(city.built.tolist()) if is_built]
    per_row = int((width - 12) // 106)
    rows = -(-len(standing) // per_row)
    others_hand = "" if seat in (who, SPECTATOR) or s.phase == FINISHED else known_cards(s, who, seat)
    hand_lines = wrapped(f"hand: {others_hand}", width - 20, 11)[:2] if others_hand else []
    height = 96 + rows * 22 + 14 * len(hand_lines)
    to_move = s.mover == who and s.phase != FINISHED
    drawing.rect(x, y, width, height, fill="none", edge=SEAT_COLOURS[who], line=3.5 if to_move else 1.5, corner=10)
    drawing.circle(x + 16, y + 17, 7, fill=SEAT_COLOURS[who])
    looking = None if seat == SPECTATOR else seat
    name = f"{role(s, who, looking)} · {board_name(s, who)}"
    drawing.text(x + 30, y + 22, name, size=14, bold=True)
    waits = "" if s.phase == FINISHED or s.chosen[who] == NOT_YET else " · has chosen"
    drawing.text(x + 34 + text_width(name, 14) + 6, y + 22, waits, size=12, fill=FAINT)
    _numbers(drawing, s, who, x + width - 10, y + 17)
    _goods(drawing, city, x + 10, y + 34)
    _stages(drawing, s, who, seat, x + 10, y + 56, width - 20)
    for number, kind in enumerate(standing):
        left, top = x + 8 + number % per_row * 106, y + 92 + number // per_row * 22
        with drawing.group(left, top, key=f"{who} {kind}", title=card_tooltip(kind)):
            _chip(drawing, kind, 102)
    for number, line in enumerate(hand_lines):
        drawing.text(x + 10, y + 100 + rows * 22 + 14 * number, line, size=11, fill=FAINT)
    return y + height


def _numbers(drawing: Drawing, s: Record, who: int, right: float, y: float) -> None:
    """Points, military, coins, from right to left."""
    city = s.city[who]
    drawing.text(right, y + 5, f"{total(s, who)} pts", size=14, anchor="end", bold=True)
    tokens = f"{city.shields}" + (f" (+{city.victory} -{city.defeats})" if city.victory or city.defeats else "")
    width = text_width(tokens, 13)
    x = right - 66 - width
    drawing.text(x, y + 5, tokens, size=13)
    drawing.polygon(
        [(x - 20, y - 8), (x - 5, y - 8), (x - 5, y + 1), (x - 12.5, y + 9), (x - 20, y + 1)], fill=FILLS["red"]
    )
    drawing.text(x - 44, y + 5, str(city.coins), size=14, bold=True)
    drawing.circle(x - 56, y, 8.5, fill=TONES["yellow"], edge=CARD_EDGE)


def _goods(drawing: Drawing, city: Record, x: float, y: float) -> None:
    """What the city makes: squares; one of several with a slash; what is not for sale in brackets. Then science."""
    for good in range(len(GOODS)):
        for _ in range(int(city.goods) >> (GOOD_BITS * good) & UNIT_MASK):
            x += _good(drawing, x, y, good)
    for masks, is_sold in (
        ([city.choice[i] for i in range(city.choices)], True),
        ([city.extra[i] for i in range(city.extras)], False),
    ):
        for mask in masks:
            x = _choice(drawing, x + 4, y, int(mask), is_sold)
    for number, symbol in enumerate(SYMBOLS):
        if city.symbols[number]:
            text = f"{city.symbols[number]} {symbol}"
            drawing.rect(x + 8, y, text_width(text, 11) + 10, 16, fill=FILLS["green"], corner=5)
            drawing.text(x + 13, y + 12, text, size=11, fill="#ffffff")
            x += text_width(text, 11) + 16


def _choice(drawing: Drawing, x: float, y: float, mask: int, is_sold: bool) -> float:
    goods = [good for good in range(len(GOODS)) if mask >> good & 1]
    width = 17 * len(goods) + 5
    title = "/".join(GOODS[good] for good in goods) + ("" if is_sold else " (not for sale)")
    with drawing.group(x, y - 2, title=title):
        drawing.rect(0, 0, width, 20, fill="none", edge=FAINT, corner=5, dashed=not is_sold)
        for place, good in enumerate(goods):
            _good(drawing, 3 + 17 * place, 2, good)
    return x + width + 3


def _good(drawing: Drawing, x: float, y: float, good: int) -> float:
    with drawing.group(x, y, title=GOODS[good]):
        drawing.rect(0, 0, 16, 16, fill=GOOD_FILLS[good], edge="#1d2433", corner=3)
        ink = "#1d2433" if GOODS[good] in ("papyrus", "glass", "clay", "stone") else "#ffffff"
        drawing.text(8, 12.5, GOOD_LETTERS[good], size=11.5, fill=ink, anchor="middle", bold=True)
    return 18


def _stages(drawing: Drawing, s: Record, who: int, seat: int | None, x: float, y: float, room: float) -> None:
    city = s.city[who]
    stages = STAGE_ROWS[city.board, city.side]
    number_of = int(STAGES[city.board, city.side])
    width = min(260.0, (room - 6 * (number_of - 1)) / number_of)
    for number in range(number_of):
        stage, is_built = stages[number], number < city.stages
        need = int(STAGE_NEED[s.slips & CARD_DATA, city.board, city.side, number])
        actions = []
        if number == city.stages and who == s.mover and seat in (None, who):
            kinds = _held(s, who)
            actions = [STAGE + kind * MOST_TO_LEFT + left for kind in kinds for left in range(MOST_TO_LEFT)]
        title = f"stage {number + 1}: {stage.text}, for {goods_text(need)}"
        key = f"{who} stage {number}" if is_built else ""
        with drawing.group(x + number * (width + 6), y, actions=actions, title=title, key=key):
            drawing.rect(0, 0, width, 30, fill="#e8d9a8" if is_built else CARD, edge=CARD_EDGE, corner=6)
            mark = "✓ " if is_built else ""
            text = shortened(mark + short(stage.text), width - 8, 11)
            drawing.text(5, 12, text, size=11, fill=CARD_INK, bold=is_built)
            at = 5.0
            for good in range(len(GOODS)):
                for _ in range(need >> (GOOD_BITS * good) & UNIT_MASK):
                    drawing.rect(at, 16, 11, 11, fill=GOOD_FILLS[good], edge="#1d2433", corner=2, line=0.7)
                    drawing.text(at + 5.5, 25, GOOD_LETTERS[good], size=9, fill="#ffffff", anchor="middle", bold=True)
                    at += 13


def short(text: str) -> str:
    for long, brief in ((" points", " pts"), (" coins", " ¢"), ("manufactured", "goods"), (" shields", " sh")):
        text = text.replace(long, brief)
    return text


def _chip(drawing: Drawing, kind: int, width: float) -> None:
    structure = STRUCTURES[kind]
    colour = COLOURS[structure.colour]
    drawing.rect(0, 0, width, 18, fill=FILLS[colour], corner=5)
    size = next((size for size in (11, 10, 9) if text_width(structure.name, size) <= width - 6), 9)
    ink = CARD_INK if colour in LIGHT else "#ffffff"
    drawing.text(width / 2, 13, shortened(structure.name, width - 4, size), size=size, fill=ink, anchor="middle")


def card_tooltip(kind: int) -> str:
    structure = STRUCTURES[kind]
    cost = [count(structure.coins, "coin")] if structure.coins else []
    cost += [goods_text(structure.need)] if structure.need else []
    free = f"; free with {', '.join(structure.parents)}" if structure.parents else ""
    return (
        f"{structure.name} ({COLOURS[structure.colour]}): {structure.text}; costs {', '.join(cost) or 'nothing'}{free}"
    )


def _held(s: Record, who: int) -> list[int]:
    packet = packet_of(s, who)
    return [int(s.hand[packet, place]) for place in range(HAND) if s.hand[packet, place] >= 0]


def _draw_hand(drawing: Drawing, s: Record, who: int, y: float) -> float:
    kinds = _held(s, who)
    free = " · Olympia's free build is ready" if s.city[who].free_build == READY else ""
    drawing.text(MARGIN, y + 14, f"Hand of seat {who + 1}{free}", size=14, bold=True)
    for place, kind in enumerate(kinds):
        x = MARGIN + place * (CARD_WIDTH + GAP)
        with drawing.group(x, y + 22, actions=card_actions(kind), key=f"hand {kind} {place}", title=card_tooltip(kind)):
            _card(drawing, s, who, kind)
    return y + 22 + (CARD_HEIGHT + GAP if kinds else 0)


def card_actions(kind: int) -> list[int]:
    """Everything that can be done with a card of the hand."""
    splits = range(MOST_TO_LEFT)
    return [
        *(BUILD + kind * MOST_TO_LEFT + left for left in splits),
        *(DEAR + BUILD + kind * MOST_TO_LEFT + left for left in splits),
        FREE + kind,
        DEAR + FREE + kind,
        *(STAGE + kind * MOST_TO_LEFT + left for left in splits),
        DISCARD + kind,
    ]


def _card(drawing: Drawing, s: Record, who: int, kind: int) -> None:
    structure = STRUCTURES[kind]
    colour = COLOURS[structure.colour]
    reason = why_not(s, who, kind)
    ink = CARD_INK if colour in LIGHT else "#ffffff"
    drawing.rect(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.5, corner=8)
    drawing.rect(0, 0, CARD_WIDTH, 26, fill=FILLS[colour], corner=8)
    size = next((size for size in (13, 12, 11, 10) if text_width(structure.name, size) <= CARD_WIDTH - 12), 10)
    drawing.text(7, 18, structure.name, size=size, fill=ink, bold=True)
    x = 7.0
    if COST_COINS[kind]:
        drawing.circle(x + 8, 42, 8, fill=TONES["yellow"], edge=CARD_EDGE)
        drawing.text(x + 8, 46, str(COST_COINS[kind]), size=11, fill=CARD_INK, anchor="middle", bold=True)
        x += 20
    need = int(NEED[s.slips & CARD_DATA, kind])
    for good in range(len(GOODS)):
        for _ in range(need >> (GOOD_BITS * good) & UNIT_MASK):
            x += _good(drawing, x, 34, good)
    for number, line in enumerate(wrapped(structure.text, CARD_WIDTH - 14, 12)[:4]):
        drawing.text(7, 69 + 15 * number, line, size=12, fill=CARD_INK)
    if reason:
        said, fill = reason, "#8c2f14"
    elif is_chained(s, who, kind):
        said, fill = "free: chained", "#00664a"
    else:
        said, fill = cost_line(ways_to_build(s, who, kind), s.undominated, int(COST_COINS[kind])), "#00664a"
    for number, line in enumerate(wrapped(said, CARD_WIDTH - 14, 11)[:3]):
        drawing.text(7, 131 + 13 * number, line, size=11, fill=fill, bold=True)


def _draw_pile(drawing: Drawing, s: Record, who: int, y: float) -> float:
    """The discards, while somebody builds one of them."""
    if s.phase != DIG or s.mover != who:
        return y
    drawing.text(MARGIN, y + 14, "Build one of the discards", size=14, bold=True)
    drawing.button(MARGIN + 220, y - 2, "nothing", NOTHING, size=12)
    kinds = sorted({int(s.left[place]) for place in places_of(s, DISCARDED, LOOKED_AT) if s.left[place] >= 0})
    for number, kind in enumerate(kinds):
        x, top = MARGIN + number % 7 * 154, y + 30 + number // 7 * 26
        with drawing.group(x, top, actions=[FROM_PILE + kind], title=card_tooltip(kind)):
            _chip(drawing, kind, 148)
    return y + 34 + -(-len(kinds) // 7) * 26


def _draw_scores(drawing: Drawing, s: Record, y: float) -> float:
    """The final scoring, part by part."""
    columns = [MARGIN + 330 + 96 * number for number in range(len(PARTS) + 1)]
    for x, title in zip(columns, (*PARTS, "total"), strict=True):
        drawing.text(x, y + 20, title, size=13, fill=FAINT, anchor="end")
    for who in range(s.seats):
        top = y + 46 + 26 * who
        parts = parts_of(s, who)
        drawing.circle(MARGIN + 10, top - 5, 7, fill=SEAT_COLOURS[who])
        drawing.text(MARGIN + 24, top, f"seat {who + 1} · {board_name(s, who)}", size=14)
        for x, points in zip(columns, (*parts, sum(parts)), strict=True):
            drawing.text(x, top, str(points), size=14, anchor="end", bold=x == columns[-1])
    return y + 46 + 26 * s.seats
