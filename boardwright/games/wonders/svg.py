"""A position of 7 Wonders as a picture: all cities with their boards, and the hand with what each card would cost."""

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
    fixed,
    remembered,
    shortened,
    text_width,
    wrapped,
)
from boardwright.games.wonders import cards, state
from boardwright.games.wonders.choosing import is_chained, ways_to_build
from boardwright.games.wonders.scoring import PARTS, total
from boardwright.games.wonders.slips import CARD_DATA
from boardwright.games.wonders.text import (
    ROMAN,
    board_name,
    cost_line,
    gives_text,
    goods_text,
    known_cards,
    parts_of,
    places_of,
    role,
    why_not,
)
from boardwright.kernel import SPECTATOR, Record
from boardwright.wording import counted

MARGIN, GAP = 10, 8
CARD_WIDTH, CARD_HEIGHT = 112, 176
"""The least width of a card of the hand, and its height."""
ROW_HEIGHT = 54
"""A card as a row, where there is no room for cards."""
CHIP = 102
TWO_CITIES = 800
"""From this width on two cities stand beside each other."""
FILLS = {
    "brown": "#8a5a2b",
    "grey": "#6b7380",
    "blue": "#0072b2",
    "yellow": "#e6b800",
    "red": "#c0392b",
    "green": "#00805d",
    "purple": "#7a4f9c",
}
BRIEF = (
    (" points", " pts"),
    (" point", " pt"),
    (" coins", " ¢"),
    (" coin", " ¢"),
    (" shields", " sh"),
    (" shield", " sh"),
    ("manufactured goods", "goods"),
    ("raw goods", "raw"),
)
LIGHT = ("yellow",)  # dark letters on these
GOOD_FILLS = ("#8a5a2b", "#9aa1ac", "#d07a45", "#4a5160", "#56b4e9", "#b0619a", "#dcc684")
GOOD_LETTERS = ("W", "S", "C", "O", "G", "L", "P")


def draw_state(s: Record, seat: int | None, layout: Layout = WIDE) -> str:
    """The hand and the city of the seat that looks, then its neighbours on their sides, then everybody else."""
    drawing = Drawing(layout.width)
    if s.phase == state.FINISHED:
        head = "The game is over"
    else:
        head = f"Age {ROMAN[s.age]} · turn {s.turn + 1}" + (" · the extra card" if s.phase == state.SEVENTH else "")
    drawing.text(MARGIN, 24, head, size=16 if layout.narrow else 18, bold=True)
    pile = counted(len(places_of(s, state.DISCARDED, state.LOOKED_AT)), "card")
    passing = "" if s.phase == state.FINISHED else f"hands go {'right' if s.age == 1 else 'left'} · "
    piles, y = f"{passing}{pile} discarded", 36.0
    if layout.narrow:
        drawing.text(MARGIN, 41, piles, size=12, fill=FAINT)
        y = 48.0
    else:
        drawing.text(layout.width - MARGIN, 24, piles, size=14, fill=FAINT, anchor="end")
    if s.phase == state.FINISHED:
        y = _draw_scores(drawing, s, layout, y)
    elif seat != SPECTATOR:
        holder = s.mover if seat is None else seat
        y = _draw_pile(drawing, s, holder, layout, y)
        y = _draw_hand(drawing, s, holder, layout, y)
        if seat is not None:
            y = _draw_city(drawing, s, seat, seat, layout, MARGIN, y, layout.width - 2 * MARGIN) + GAP
    y = _draw_cities(drawing, s, seat, layout, y)
    drawing.height = y + 4
    return drawing.svg("7 Wonders")


def _draw_cities(drawing: Drawing, s: Record, seat: int | None, layout: Layout, y: float) -> float:
    """Everybody else's, two in a row: the left neighbour first, the right neighbour beside it."""
    if seat is None or seat == SPECTATOR or s.phase == state.FINISHED:
        others = list(range(s.seats))
    else:
        around = [(seat + i) % s.seats for i in range(1, s.seats)]
        others = [around[0], around[-1], *around[1:-1]] if len(around) > 1 else around
    columns = 1 if layout.width < TWO_CITIES else 2
    width = (layout.width - 2 * MARGIN - (columns - 1) * GAP) / columns
    for first in range(0, len(others), columns):
        ends = [
            _draw_city(drawing, s, who, seat, layout, MARGIN + place * (width + GAP), y, width)
            for place, who in enumerate(others[first : first + columns])
        ]
        y = max(ends) + GAP
    return y


def _is_far(s: Record, who: int, seat: int | None) -> bool:
    """Whether a city is no neighbour of the seat that looks, so that it matters less."""
    if seat is None or seat == SPECTATOR or s.phase == state.FINISHED:
        return False
    return (who - seat) % int(s.seats) not in (0, 1, int(s.seats) - 1)


def _draw_city(
    drawing: Drawing, s: Record, who: int, seat: int | None, layout: Layout, x: float, y: float, width: float
) -> float:
    """A city: its numbers, what it makes, its wonder's stages, its structures. Returns where it ends."""
    city = s.city[who]
    looking = None if seat == SPECTATOR else seat
    name = f"{role(s, who, looking)} · {board_name(s, who)}"
    waits = "" if s.phase == state.FINISHED or s.chosen[who] == state.NOT_YET else " · has chosen"
    to_move = bool(s.mover == who and s.phase != state.FINISHED)
    folded = None if who == seat else layout.folds(who, usually=_is_far(s, who, seat))
    if folded:
        of = ((total(s, who), "pt"), (city.coins, "coin"), (city.shields, "shield"), (city.stages, "stage"))
        facts = " · ".join(counted(int(number), noun) for number, noun in of) + waits
        return drawing.seat_line(x, y, width, who, name, facts, to_move=to_move, folded=True)
    standing = [kind for kind, is_built in enumerate(city.built.tolist()) if is_built]
    per_row = int((width - 12) // (CHIP + 4))
    chip = (width - 16 - 4 * (per_row - 1)) / per_row
    rows = -(-len(standing) // per_row)
    others_hand = "" if seat in (who, SPECTATOR) or s.phase == state.FINISHED else known_cards(s, who, seat)
    hand_lines = wrapped(f"hand: {others_hand}", width - 20, 11)[:2] if others_hand else ()
    aside = text_width(name + waits, 14) + 330 > width
    top = y + (22 if aside else 0)
    height = 96 + top - y + rows * 22 + 14 * len(hand_lines)
    drawing.rect(x, y, width, height, fill="none", edge=SEAT_COLOURS[who], line=3.5 if to_move else 1.5, corner=10)
    with drawing.group(x, y, fold=None if folded is None else who):
        drawing.rect(3, 3, width - 6, 25, fill=TABLE, corner=7)
        drawing.circle(16, 17, 7, fill=SEAT_COLOURS[who])
        drawing.name_and(30, 22, name, waits.removeprefix(" · "))
        if folded is not None:
            right = width - 14
            drawing.polygon([(right - 5, 14), (right + 5, 14), (right, 21)], fill=FAINT)
    _numbers(drawing, s, who, x + width - (10 if folded is None or aside else 26), top + 17)
    _goods(drawing, city, x + 10, top + 34)
    _stages(drawing, s, who, seat, x + 10, top + 56, width - 20)
    for number, kind in enumerate(standing):
        left, at = x + 8 + number % per_row * (chip + 4), top + 92 + number // per_row * 22
        with drawing.group(left, at, key=f"{who} {kind}", title=card_tooltip(kind)):
            _chip(drawing, kind, chip)
    for number, line in enumerate(hand_lines):
        drawing.text(x + 10, top + 104 + rows * 22 + 14 * number, line, size=11, fill=FAINT)
    return y + height


def _numbers(drawing: Drawing, s: Record, who: int, right: float, y: float) -> None:
    """Points, military, coins, from right to left."""
    city = s.city[who]
    drawing.text(right, y + 5, counted(total(s, who), "pt"), size=14, anchor="end", bold=True)
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
    for good in range(len(cards.GOODS)):
        for _ in range(int(city.goods) >> (cards.GOOD_BITS * good) & cards.UNIT_MASK):
            x += draw_good(drawing, x, y, good)
    for masks, is_sold in (
        ([city.choice[i] for i in range(city.choices)], True),
        ([city.extra[i] for i in range(city.extras)], False),
    ):
        for mask in masks:
            x = _choice(drawing, x + 4, y, int(mask), is_sold)
    for number, symbol in enumerate(cards.SYMBOLS):
        if city.symbols[number]:
            text = f"{city.symbols[number]} {symbol}"
            drawing.rect(x + 8, y, text_width(text, 11) + 10, 16, fill=FILLS["green"], corner=5)
            drawing.text(x + 13, y + 12, text, size=11, fill="#ffffff")
            x += text_width(text, 11) + 16


@fixed
def _choice(drawing: Drawing, x: float, y: float, mask: int, is_sold: bool) -> float:
    goods = [good for good in range(len(cards.GOODS)) if mask >> good & 1]
    width = 17 * len(goods) + 5
    title = "/".join(cards.GOODS[good] for good in goods) + ("" if is_sold else " (not for sale)")
    with drawing.group(x, y - 2, title=title):
        drawing.rect(0, 0, width, 20, fill="none", edge=FAINT, corner=5, dashed=not is_sold)
        for place, good in enumerate(goods):
            draw_good(drawing, 3 + 17 * place, 2, good)
    return x + width + 3


@fixed
def draw_good(drawing: Drawing, x: float, y: float, good: int) -> float:
    with drawing.group(x, y, title=cards.GOODS[good]):
        drawing.rect(0, 0, 16, 16, fill=GOOD_FILLS[good], edge="#1d2433", corner=3)
        drawing.text(8, 12.5, GOOD_LETTERS[good], size=11.5, fill=_good_ink(good), anchor="middle", bold=True)
    return 18


def _good_ink(good: int) -> str:
    return "#1d2433" if cards.GOODS[good] in ("papyrus", "glass", "clay", "stone") else "#ffffff"


def _stages(drawing: Drawing, s: Record, who: int, seat: int | None, x: float, y: float, room: float) -> None:
    city = s.city[who]
    stages = cards.STAGE_ROWS[city.board, city.side]
    number_of = int(cards.STAGES[city.board, city.side])
    width = min(260.0, (room - 6 * (number_of - 1)) / number_of)
    for number in range(number_of):
        stage, is_built = stages[number], number < city.stages
        need = int(cards.STAGE_NEED[s.slips & CARD_DATA, city.board, city.side, number])
        actions = []
        if number == city.stages and who == s.mover and seat in (None, who):
            kinds = _held(s, who)
            actions = [
                state.STAGE + kind * state.MOST_TO_LEFT + left for kind in kinds for left in range(state.MOST_TO_LEFT)
            ]
        title = f"stage {number + 1}: {gives_text(stage.text)}, for {goods_text(need)}"
        key = f"{who} stage {number}" if is_built else ""
        with drawing.group(x + number * (width + 6), y, actions=actions, title=title, key=key):
            _stage(drawing, gives_text(stage.text), need, bool(is_built), width)


@fixed
def _stage(drawing: Drawing, gives: str, need: int, is_built: bool, width: float) -> None:
    drawing.rect(0, 0, width, 30, fill="#e8d9a8" if is_built else CARD, edge=CARD_EDGE, corner=6)
    mark = "✓ " if is_built else ""
    text = shortened(mark + short(gives), width - 8, 11)
    drawing.text(5, 12, text, size=11, fill=CARD_INK, bold=is_built)
    at = 5.0
    for good in range(len(cards.GOODS)):
        for _ in range(need >> (cards.GOOD_BITS * good) & cards.UNIT_MASK):
            drawing.rect(at, 14.5, 13, 13, fill=GOOD_FILLS[good], edge="#1d2433", corner=2, line=0.7)
            letter, ink = GOOD_LETTERS[good], _good_ink(good)
            drawing.text(at + 6.5, 25, letter, size=11, fill=ink, anchor="middle", bold=True)
            at += min(15.0, (width - 22) / 6)


def short(text: str) -> str:
    """For the narrow field of a stage."""
    for long, brief in BRIEF:
        text = text.replace(long, brief)
    return text


@fixed
def _chip(drawing: Drawing, kind: int, width: float, height: float = 18) -> None:
    structure = cards.STRUCTURES[kind]
    colour = cards.COLOURS[structure.colour]
    drawing.rect(0, 0, width, height, fill=FILLS[colour], corner=5)
    ink = CARD_INK if colour in LIGHT else "#ffffff"
    drawing.text(
        width / 2, height / 2 + 4, shortened(structure.name, 1.08 * width, 11), size=11, fill=ink, anchor="middle"
    )


@remembered
def card_tooltip(kind: int) -> str:
    structure = cards.STRUCTURES[kind]
    cost = [counted(structure.coins, "coin")] if structure.coins else []
    cost += [goods_text(structure.need)] if structure.need else []
    free = f"; free with {', '.join(structure.parents)}" if structure.parents else ""
    colour = cards.COLOURS[structure.colour]
    return f"{structure.name} ({colour}): {gives_text(structure.text)}; costs {', '.join(cost) or 'nothing'}{free}"


def _held(s: Record, who: int) -> list[int]:
    packet = state.packet_of(s, who)
    return [int(s.hand[packet, place]) for place in range(cards.HAND) if s.hand[packet, place] >= 0]


def _draw_hand(drawing: Drawing, s: Record, who: int, layout: Layout, y: float) -> float:
    kinds = _held(s, who)
    free = " · Olympia's free build is ready" if s.city[who].free_build == state.READY else ""
    drawing.text(MARGIN, y + 14, f"Hand of seat {who + 1}{free}", size=14, bold=True)
    room = layout.width - 2 * MARGIN
    columns = (
        1 if layout.narrow else cards.HAND if room >= cards.HAND * (CARD_WIDTH + GAP) - GAP else (cards.HAND + 1) // 2
    )
    width = min(190.0, (room - (columns - 1) * GAP) / columns) if columns > 1 else room
    height = ROW_HEIGHT if layout.narrow else CARD_HEIGHT
    pitch = height + (5 if layout.narrow else GAP)
    for place, kind in enumerate(kinds):
        x, top = MARGIN + place % columns * (width + GAP), y + 22 + place // columns * pitch
        with drawing.group(x, top, actions=card_actions(kind), key=f"hand {kind} {place}", title=card_tooltip(kind)):
            (_row if layout.narrow else _card)(drawing, s, who, kind, width)
    return y + 22 + -(-len(kinds) // columns) * pitch + 4


@remembered
def card_actions(kind: int) -> tuple[int, ...]:
    """Everything that can be done with a card of the hand."""
    splits = range(state.MOST_TO_LEFT)
    return (
        *(state.BUILD + kind * state.MOST_TO_LEFT + left for left in splits),
        *(state.DEAR + state.BUILD + kind * state.MOST_TO_LEFT + left for left in splits),
        state.FREE + kind,
        state.DEAR + state.FREE + kind,
        *(state.STAGE + kind * state.MOST_TO_LEFT + left for left in splits),
        state.DISCARD + kind,
    )


def _row(drawing: Drawing, s: Record, who: int, kind: int, width: float) -> None:
    """A card as a row: name and cost, what it does, what it would cost now or why it cannot be built."""
    structure = cards.STRUCTURES[kind]
    drawing.rect(0, 0, width, ROW_HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.3, corner=8)
    drawing.rect(0, 0, 9, ROW_HEIGHT, fill=FILLS[cards.COLOURS[structure.colour]], corner=4)
    drawing.text(15, 16, structure.name, size=13, fill=CARD_INK, bold=True)
    need = int(cards.NEED[s.slips & CARD_DATA, kind])
    _printed_cost(drawing, kind, need, 15 + max(130, 1.08 * text_width(structure.name, 13)), 4)
    drawing.text(15, 32, shortened(gives_text(structure.text), width - 22, 12), size=12, fill=CARD_INK)
    cost, fill = _cost_now(s, who, kind)
    drawing.text(15, 47, shortened(cost, width - 22, 11), size=11, fill=fill, bold=True)


def _card(drawing: Drawing, s: Record, who: int, kind: int, width: float) -> None:
    _printed(drawing, kind, int(cards.NEED[s.slips & CARD_DATA, kind]), width)
    cost, fill = _cost_now(s, who, kind)
    lines = wrapped(cost, width - 12, 11)[:3]
    for number, line in enumerate(lines):
        drawing.text(7, CARD_HEIGHT - 7 - 13 * (len(lines) - 1 - number), line, size=11, fill=fill, bold=True)


@fixed
def _printed(drawing: Drawing, kind: int, need: int, width: float) -> None:
    """What is printed on a card."""
    structure = cards.STRUCTURES[kind]
    colour = cards.COLOURS[structure.colour]
    ink = CARD_INK if colour in LIGHT else "#ffffff"
    drawing.rect(0, 0, width, CARD_HEIGHT, fill=CARD, edge=CARD_EDGE, line=1.5, corner=8)
    drawing.rect(0, 0, width, 26, fill=FILLS[colour], corner=8)
    size = next((size for size in (13, 12, 11) if text_width(structure.name, size) <= width - 12), 11)
    drawing.text(7, 18, shortened(structure.name, 1.05 * width - 10, size), size=size, fill=ink, bold=True)
    _printed_cost(drawing, kind, need, 7, 34, min(18.0, (width - 14) / 6))
    for number, line in enumerate(wrapped(gives_text(structure.text), width - 12, 12)[:5]):
        drawing.text(7, 68 + 15 * number, line, size=12, fill=CARD_INK)


def _printed_cost(drawing: Drawing, kind: int, need: int, x: float, y: float, step: float = 18) -> None:
    if cards.COST_COINS[kind]:
        drawing.circle(x + 8, y + 8, 8, fill=TONES["yellow"], edge=CARD_EDGE)
        drawing.text(x + 8, y + 12, str(cards.COST_COINS[kind]), size=11, fill=CARD_INK, anchor="middle", bold=True)
        x += 20
    for good in range(len(cards.GOODS)):
        for _ in range(need >> (cards.GOOD_BITS * good) & cards.UNIT_MASK):
            draw_good(drawing, x, y, good)
            x += step


def _cost_now(s: Record, who: int, kind: int) -> tuple[str, str]:
    """What building it would cost, or why it cannot be built, and the colour to say it in."""
    if reason := why_not(s, who, kind):
        return reason, "#8c2f14"
    if is_chained(s, who, kind):
        return "free: chained", "#00664a"
    return cost_line(ways_to_build(s, who, kind), s.undominated, int(cards.COST_COINS[kind])), "#00664a"


def _draw_pile(drawing: Drawing, s: Record, who: int, layout: Layout, y: float) -> float:
    """The discards, while somebody builds one of them."""
    if s.phase != state.DIG or s.mover != who:
        return y
    drawing.text(MARGIN, y + 20, "Build one of the discards", size=14, bold=True)
    drawing.button(MARGIN + 210, y - 2, "nothing", state.NOTHING, size=13)
    kinds = sorted(
        {int(s.left[place]) for place in places_of(s, state.DISCARDED, state.LOOKED_AT) if s.left[place] >= 0}
    )
    room = layout.width - 2 * MARGIN
    per_row = int(room // (CHIP + 4))
    width = (room - 6 * (per_row - 1)) / per_row
    for number, kind in enumerate(kinds):
        x, top = MARGIN + number % per_row * (width + 6), y + 40 + number // per_row * 30
        with drawing.group(x, top, actions=[state.FROM_PILE + kind], title=card_tooltip(kind)):
            _chip(drawing, kind, width, 24)
    return y + 44 + -(-len(kinds) // per_row) * 30


def _draw_scores(drawing: Drawing, s: Record, layout: Layout, y: float) -> float:
    """The final scoring, part by part."""
    titles = (*PARTS, "total")
    room = layout.width - 2 * MARGIN
    left = 118.0 if layout.narrow else 280.0
    step = min(96.0, (room - left) / len(titles))
    columns = [MARGIN + left + step * (number + 1) for number in range(len(titles))]
    for x, title in zip(columns, titles, strict=True):
        drawing.text(x, y + 20, title[:3] if layout.narrow else title, size=12, fill=FAINT, anchor="end")
    for who in range(s.seats):
        top = y + 46 + 26 * who
        parts = parts_of(s, who)
        drawing.circle(MARGIN + 10, top - 5, 7, fill=SEAT_COLOURS[who])
        name = f"seat {who + 1}" if layout.narrow else f"seat {who + 1} · {board_name(s, who)}"
        drawing.text(MARGIN + 24, top, name, size=14)
        for x, points in zip(columns, (*parts, sum(parts)), strict=True):
            drawing.text(x, top, str(points), size=13, anchor="end", bold=x == columns[-1])
    return y + 46 + 26 * s.seats
