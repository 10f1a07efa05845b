"""A position of Lords of War as a picture: our own graphics, no publisher's artwork.

The board is seen from the side of the seat that looks. Arrows and grids of the other side's cards are turned, as the
cards are; what is written on them is not, so that it can be read. A thick edge is where a card's owner sits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from boardwright.drawing import (
    CARD,
    CARD_INK,
    FAINT,
    INK,
    SEAT_COLOURS,
    TONES,
    WIDE,
    Drawing,
    Layout,
    fixed,
    shortened,
    text_width,
)
from boardwright.games.lords import board, state
from boardwright.games.lords.cards import GRIDS, PERSONALISED, Card
from boardwright.games.lords.elimination import side_of
from boardwright.games.lords.information import hand_of
from boardwright.games.lords.rules import legal, player
from boardwright.games.lords.text import army_of, card_line, card_of, describe_action, headline, short_name
from boardwright.kernel import Record

LARGEST, GAP, MARGIN, HEAD = 96, 5, 12, 36
SIDE_BY_SIDE = 740
"""From this width on the hands stand beside the board, below it otherwise."""
SMALL = 86
"""Cards narrower than this show their numbers only, with their name above."""
OTHERS_WIDTH = 52
SEAT_FILLS, SEAT_DIGITS = ("#dcebf7", "#fdf0cf"), ("#ffffff", CARD_INK)
THREAT, FALLS, MARKED, PAPER = "#6b3410", "#b00020", TONES["green"], "#ffffff"
LONGEST_NAME = 12
CELL = 4.2
"""The side of a square in the grid of a ranged unit."""

_BORDER = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Where on a card's border the arrow of each direction stands, from its middle."""


class Place(NamedTuple):
    """Where things are: the width and height of a card on the board, and the corner and width of the hands."""

    width: float
    height: float
    hands_x: float
    hands_y: float
    hands_width: float


def place_things(layout: Layout) -> Place:
    if layout.width >= SIDE_BY_SIDE:
        width = min(LARGEST, (layout.width - 3 * MARGIN - board.COLUMNS * GAP) / (board.COLUMNS + 2.1))
        left = 2 * MARGIN + board.COLUMNS * (width + GAP)
        return Place(width, _height(width), left, HEAD, min(layout.width - left - MARGIN, 3.2 * LARGEST))
    gap, margin = 2, 4
    width = (layout.width - 2 * margin + gap) / board.COLUMNS - gap
    height = _height(width)
    return Place(width, height, margin, HEAD + board.ROWS * (height + gap) + 6, layout.width - 2 * margin)


def _height(width: float) -> float:
    return width + (17 if width < SMALL else 8)


def draw_state(s: Record, seat: int | None, layout: Layout = WIDE, chosen: int | None = None) -> str:
    """The board, and beside or below it what is known of both hands. `chosen`: a kind in the hand of the player who
    deploys; the squares where it may go are marked."""
    viewer = 1 if seat == 1 else 0
    actions = _legal_actions(s, seat)
    place = place_things(layout)
    beside = layout.width >= SIDE_BY_SIDE
    drawing = Drawing(place.hands_x + place.hands_width + (MARGIN if beside else 4))
    size = 17 if beside else 14
    head = headline(s, seat)
    if not beside:  # the armies stand with the hands
        head = head.replace(f" ({army_of(s, 0)})", "").replace(f" ({army_of(s, 1)})", "")
    drawing.text(MARGIN, 24, shortened(head, drawing.width - MARGIN, size), size=size, bold=True)
    by_square: dict[int, list[int]] = {}
    for action in actions:
        by_square.setdefault(_square_of(action), []).append(action)
    threats, gap, margin = s.attack.tolist(), GAP if beside else 2, MARGIN if beside else 4
    for square in range(board.SQUARES):
        seen = board.half_turn(square) if viewer == 1 else square
        x = margin + seen % board.COLUMNS * (place.width + gap)
        y = HEAD + seen // board.COLUMNS * (place.height + gap)
        _draw_square(drawing, s, place, (x, y), square, viewer, by_square.get(square, []), threats, chosen)
    bottom = HEAD + board.ROWS * (place.height + gap) - gap + MARGIN
    y = place.hands_y
    if beside:
        y = _draw_seat(drawing, s, place, 1 - viewer, seat, actions, layout, y) + 12
        y = _draw_seat(drawing, s, place, viewer, seat, actions, layout, y) + 6
        y = _draw_buttons(drawing, s, place, by_square.get(state.NONE, []), y)
    else:
        y = _draw_buttons(drawing, s, place, by_square.get(state.NONE, []), y)
        y = _draw_seat(drawing, s, place, viewer, seat, actions, layout, y) + 6
        y = _draw_seat(drawing, s, place, 1 - viewer, seat, actions, layout, y)
    drawing.height = max(bottom, y + 4)
    return drawing.svg(f"Lords of War. {headline(s, seat)}")


# What can be clicked


def _legal_actions(s: Record, seat: int | None) -> list[int]:
    """The actions of the seat that looks, if it is its turn; of the seat to move, if everything is open."""
    if player(s) < 0 or seat not in (None, player(s)):
        return []
    out = np.zeros(state.MAX_LEGAL, np.int64)
    return [int(action) for action in out[: legal(s, out)]]


def _square_of(action: int) -> int:
    """The square that an action is about, or NONE."""
    if action < state.SHOOT_AT:
        return (action - state.DEPLOY_CARD) % board.SQUARES
    if state.SHOOT_AT <= action < state.NO_SHOT:
        return action - state.SHOOT_AT
    return action - state.RECALL if state.RECALL <= action < state.NO_REINFORCEMENT else state.NONE


def _kind_of(action: int) -> int:
    """The kind of card that an action deploys, or NONE."""
    return (action - state.DEPLOY_CARD) // board.SQUARES if action < state.SHOOT_AT else state.NONE


def _draw_buttons(drawing: Drawing, s: Record, place: Place, actions: list[int], y: float) -> float:
    """One for every action that is about no square; returns where the next thing may begin."""
    texts = {action: "do not shoot" if action == state.NO_SHOT else describe_action(s, action) for action in actions}
    return drawing.buttons(place.hands_x, y, place.hands_width, texts)


# The board


def _draw_square(
    drawing: Drawing,
    s: Record,
    place: Place,
    where: tuple[float, float],
    square: int,
    viewer: int,
    actions: list[int],
    threats: list[list[int]],
    chosen: int | None,
) -> None:
    if s.card[square] == state.NONE:
        with drawing.group(*where, actions=actions):
            marked = any(_kind_of(action) == chosen for action in actions)
            strikes = threats[viewer][square], threats[1 - viewer][square]
            _draw_empty(drawing, place, square, viewer, strikes, marked)
        return
    seat = side_of(s, square)
    card = card_of(s, seat, s.card[square])
    threat = threats[1 - seat][square]
    title = f"{board.square_name(square)}: {card_line(card)}"
    if threat:
        title += f". Enemy arrows strike it with {threat}" + (": it falls" if threat > card.defence else "")
    with drawing.group(*where, actions=actions, key=f"{square} {seat} {s.card[square]}", title=title):
        edge = TONES["black"] if square in (s.placed, s.shooter) else ""
        draw = draw_small_card if place.width < SMALL else draw_card
        draw(drawing, card, seat, place.width, turned=seat != viewer, threat=threat, edge=edge)


@fixed
def _draw_empty(
    drawing: Drawing, place: Place, square: int, viewer: int, threats: tuple[int, int], marked: bool
) -> None:
    """Its name, and what would strike a card here: from below the viewer's arrows, from above the other's."""
    width, height = place.width, place.height
    drawing.rect(0, 0, width, height, fill=FAINT, corner=7, opacity=0.12)
    if marked:
        drawing.rect(2, 2, width - 4, height - 4, fill="none", edge=MARKED, line=4, corner=6, dashed=True)
    drawing.text(width / 2, height / 2 + 4, board.square_name(square), size=12, fill=FAINT, anchor="middle")
    for seat in range(board.SEATS):
        below = seat == viewer
        if strikes := threats[0 if below else 1]:
            y = height - 12 if below else 12
            draw_arrow(drawing, width / 2 - 8, y, 0 if below else board.OPPOSITE, 7, SEAT_COLOURS[seat])
            drawing.text(width / 2 + 4, y + 5, str(strikes), size=13, fill=INK, bold=True)


# Cards


@fixed
def draw_card(
    drawing: Drawing,
    card: Card,
    seat: int,
    width: float = LARGEST,
    *,
    turned: bool = False,
    threat: int = 0,
    edge: str = "",
) -> None:
    height = _height(width)
    middle, centre = width / 2, height / 2
    falls = threat > card.defence
    _draw_edge(drawing, seat, width, height, turned, falls, edge)
    _draw_arrows(drawing, card, seat, turned, (middle, centre), (middle - 11, centre - 11), 10)
    for number, line in enumerate(_two_lines(card.name)):
        text = shortened(line, 1.1 * width, 11)
        drawing.text(middle, 26 + 11.5 * number, text, size=11, fill=CARD_INK, anchor="middle", bold=True)
    draw_defence(drawing, card, middle, 51, threat)
    if card.missile:
        drawing.text(0.62 * width, 75, f"hits {card.missile}", size=11, fill=CARD_INK, anchor="end")
        draw_grid(drawing, card, turned, 0.76 * width, 71)
    else:
        drawing.text(middle, 73, card.unit_class, size=11, fill=CARD_INK, anchor="middle")


def _draw_edge(drawing: Drawing, seat: int, width: float, height: float, turned: bool, falls: bool, edge: str) -> None:
    colour = SEAT_COLOURS[seat]
    drawing.rect(0, 0, width, height, fill=SEAT_FILLS[seat], edge=FALLS if falls else edge or colour,
                 line=4 if falls else 3 if edge else 1.2, corner=7)  # fmt: skip
    drawing.rect(7, 0 if turned else height - 3.5, width - 14, 3.5, fill=colour, corner=1.5)


def draw_defence(drawing: Drawing, card: Card, middle: float, y: float, threat: int) -> None:
    """A shield with the defence, and beside it what strikes it."""
    shield = middle - (11 if threat else 0)
    drawing.path(f"M{shield - 9:g},{y - 9:g} h18 v8 q0,8 -9,11 q-9,-3 -9,-11 Z", fill=PAPER, edge=CARD_INK, line=1.3)
    drawing.text(shield, y + 4, str(card.defence), size=12, fill=CARD_INK, anchor="middle", bold=True)
    if threat:
        fill = FALLS if threat > card.defence else THREAT
        drawing.text(middle + 10, y + 4, f"−{threat}", size=12, fill=fill, anchor="middle", bold=True)


@fixed
def draw_small_card(
    drawing: Drawing,
    card: Card,
    seat: int,
    width: float,
    *,
    turned: bool = False,
    threat: int = 0,
    edge: str = "",
) -> None:
    """Its name, and its numbers as a square of three by three: the arrows around the defence. What strikes it is
    written beside the name."""
    height, cell = _height(width), width / 3
    row = (height - 17) / 3
    middle, centre = width / 2, 14 + 1.5 * row
    falls = threat > card.defence
    _draw_edge(drawing, seat, width, height, turned, falls, edge)
    shown = f"−{threat}" if threat else ""
    room = width - 2 - text_width(shown, 11)
    drawing.text(3, 12, _cut(short_name(card, LONGEST_NAME), room), size=11, fill=CARD_INK)
    if threat:
        drawing.text(width - 2, 12, shown, size=11, fill=FALLS if falls else THREAT, anchor="end", bold=True)
    _draw_arrows(drawing, card, seat, turned, (middle, centre), (cell - 0.5, row), min(8.0, cell / 2))
    fill = CARD_INK if card.missile else PAPER
    drawing.path(f"M{middle - 7:g},{centre - 7:g} h14 v6 q0,6 -7,9 q-7,-3 -7,-9 Z", fill=fill, edge=CARD_INK, line=1)
    ink = PAPER if card.missile else CARD_INK
    drawing.text(middle, centre + 4, str(card.defence), size=11, fill=ink, anchor="middle", bold=True)


Pair = tuple[float, float]


def _draw_arrows(drawing: Drawing, card: Card, seat: int, turned: bool, middle: Pair, reach: Pair, size: float) -> None:
    """The arrows of a card with their strengths, around its middle."""
    for direction, value in enumerate(card.arrows):
        if value:
            pointing = (direction + board.OPPOSITE) % board.NUM_DIRECTIONS if turned else direction
            right, down = _BORDER[pointing]
            x, y = middle[0] + right * reach[0], middle[1] + down * reach[1]
            draw_arrow(drawing, x, y, pointing, size, SEAT_COLOURS[seat])
            drawing.text(x, y + 4, str(value), size=11, fill=SEAT_DIGITS[seat], anchor="middle", bold=True)


def _cut(name: str, room: float) -> str:
    """As many letters as fit."""
    while name and text_width(name, 11) > room:
        name = name[:-1]
    return name


@fixed
def draw_arrow(drawing: Drawing, x: float, y: float, direction: int, size: float, colour: str) -> None:
    angle = direction * 2 * math.pi / board.NUM_DIRECTIONS
    corners = ((0.0, -size), (0.92 * size, 0.64 * size), (-0.92 * size, 0.64 * size))
    across, along = math.cos(angle), math.sin(angle)
    drawing.polygon(
        ((round(x + a * across - b * along, 1), round(y + a * along + b * across, 1)) for a, b in corners), fill=colour
    )


def draw_grid(drawing: Drawing, card: Card, turned: bool, x: float, y: float) -> None:
    """The squares that a ranged unit can hit, and the unit itself as a ring, around a place."""
    sign = -1 if turned else 1
    squares = [(sign * right, -sign * ahead) for right, ahead in (*GRIDS[card.grid], (0, 0))]
    columns, rows = [column for column, _ in squares], [row for _, row in squares]
    left, top = x - CELL * (min(columns) + max(columns)) / 2, y - CELL * (min(rows) + max(rows)) / 2
    for column, row in squares[:-1]:
        drawing.rect(left + (column - 0.4) * CELL, top + (row - 0.4) * CELL, 0.8 * CELL, 0.8 * CELL, fill=CARD_INK)
    drawing.circle(left, top, 0.42 * CELL, fill=CARD, edge=CARD_INK, line=1)


def _two_lines(name: str) -> list[str]:
    """A name in at most two lines that a card has room for."""
    words = name.split()
    best = min(range(1, len(words) + 1), key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return [line for line in (" ".join(words[:best]), " ".join(words[best:])) if line]


# Hands


def _draw_seat(
    drawing: Drawing,
    s: Record,
    place: Place,
    holder: int,
    seat: int | None,
    actions: list[int],
    layout: Layout,
    y: float,
) -> float:
    """A seat's progress and the cards of its hand that are seen; returns where the next thing goes."""
    enemy, beside = 1 - holder, layout.width >= SIDE_BY_SIDE
    x, room = place.hands_x, place.hands_width
    army, you = army_of(s, holder), " (you)" if holder == seat else ""
    below = beside and army in PERSONALISED  # its name is too long for one line
    name = f"Seat {holder + 1}{you}" if below else f"Seat {holder + 1}, {army}{you}"
    progress = f"beat {s.losses[enemy]}/{state.CARDS_TO_WIN}, command {s.command_losses[enemy]}/{state.COMMANDS_TO_WIN}"
    piles = f"hand {s.hand_size[holder]}, deck {s.deck_size[holder]}"
    kinds = hand_of(s, holder)
    own = holder == seat or (seat is None and holder == 0)
    folded = None if own or not kinds else layout.folds(holder)
    to_move = player(s) == holder
    if beside:
        drawing.circle(x + 7, y + 9, 7, fill=SEAT_COLOURS[holder])
        drawing.text(x + 20, y + 14, name, size=14, bold=True)
        if below:
            drawing.text(x, y + 33, army, size=13)
            y += 17
        drawing.text(x, y + 33, progress, size=13)
        drawing.text(x, y + 50, piles, size=13, fill=FAINT)
        y += 60
    else:
        facts = f"{progress} · {piles}"
        y = drawing.seat_line(x, y, room, holder, name, facts, to_move=to_move, folded=folded) + 5
        if folded:
            return y
    per_row, width = _in_hand(place, len(kinds), own, beside)
    height = _height(width)
    for number, kind in enumerate(kinds):
        card = card_of(s, holder, kind)
        with drawing.group(
            x + number % per_row * (width + 4),
            y + number // per_row * (height + 4),
            actions=[action for action in actions if s.mover == holder and _kind_of(action) == kind],
            title=card_line(card),
        ):
            (draw_small_card if width < SMALL else draw_card)(drawing, card, holder, width)
    y += -(-len(kinds) // per_row) * (height + 4)
    if beside and (unknown := s.hand_size[holder] - len(kinds)):
        drawing.text(x, y + 12, f"{unknown} unknown {'card' if unknown == 1 else 'cards'}", size=13, fill=FAINT)
        y += 18
    return y


def _in_hand(place: Place, number: int, own: bool, beside: bool) -> tuple[int, float]:
    """How many cards of a hand stand in a row, and how wide each is."""
    if not own:
        return max(1, int((place.hands_width + 4) // (OTHERS_WIDTH + 4))), OTHERS_WIDTH
    if beside:
        per_row = max(2, int((place.hands_width + 4) // (LARGEST + 4)))
        return per_row, min(LARGEST, (place.hands_width + 4) / per_row - 4)
    per_row = max(5, number)
    return per_row, min(LARGEST, (place.hands_width + 4) / per_row - 4)
