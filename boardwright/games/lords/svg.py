"""A position of Lords of War as a picture: our own graphics, no publisher's artwork.

The board is seen from the side of the seat that looks. Arrows and grids of the other side's cards are turned, as the
cards are; what is written on them is not, so that it can be read. A thick edge is where a card's owner sits.
"""

from __future__ import annotations

import math

import numpy as np

from boardwright.drawing import CARD, CARD_INK, FAINT, INK, SEAT_COLOURS, TONES, Drawing
from boardwright.games.lords.board import (
    COLUMNS,
    NUM_DIRECTIONS,
    OPPOSITE,
    ROWS,
    SEATS,
    SQUARES,
    half_turn,
    square_name,
)
from boardwright.games.lords.cards import GRIDS, RANKS, Card
from boardwright.games.lords.elimination import side_of
from boardwright.games.lords.information import hand_of
from boardwright.games.lords.rules import legal, player
from boardwright.games.lords.state import (
    CARDS_TO_WIN,
    COMMANDS_TO_WIN,
    DEPLOY_CARD,
    MAX_LEGAL,
    NO_REINFORCEMENT,
    NO_SHOT,
    NONE,
    RECALL,
    SHOOT_AT,
)
from boardwright.games.lords.text import army_of, card_line, card_of, describe_action, headline
from boardwright.kernel import Record

WIDTH, HEIGHT, GAP, MARGIN = 96, 98, 5, 14
PITCH_X, PITCH_Y = WIDTH + GAP, HEIGHT + GAP
HEAD = 38
SIDE = 2 * MARGIN + COLUMNS * PITCH_X
"""Where the hands begin, to the right of the board."""
OTHERS_SCALE, OTHERS_PER_ROW = 0.66, 3
SEAT_FILLS, SEAT_DIGITS = ("#dcebf7", "#fdf0cf"), ("#ffffff", CARD_INK)
THREAT, FALLS, MARKED, PAPER = "#6b3410", "#b00020", TONES["green"], "#ffffff"
RANK_SIGNS = dict(zip(RANKS, ("★★", "★", "◆◆◆◆", "◆◆◆", "◆◆", "◆", "◇"), strict=True))
CELL = 4.2
"""The side of a square in the grid of a ranged unit."""

_BORDER = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Where on a card's border the arrow of each direction stands, from its middle."""


def draw_state(s: Record, seat: int | None, chosen: int | None = None) -> str:
    """The board, and beside it what is known of both hands. `chosen`: a kind in the hand of the player who deploys;
    the squares where it may go are marked."""
    viewer = 1 if seat == 1 else 0
    actions = _legal_actions(s, seat)
    drawing = Drawing(SIDE + 2 * PITCH_X - GAP + MARGIN, HEAD + ROWS * PITCH_Y - GAP + MARGIN)
    drawing.text(MARGIN, 25, headline(s, seat), size=17, bold=True)
    for square in range(SQUARES):
        _draw_square(drawing, s, square, viewer, [action for action in actions if _square_of(action) == square], chosen)
    y = _draw_seat(drawing, s, 1 - viewer, seat, actions, HEAD)
    y = _draw_seat(drawing, s, viewer, seat, actions, y + 12)
    y = _draw_buttons(drawing, s, actions, y + 6)
    drawing.height = max(drawing.height, y)
    return drawing.svg(f"Lords of War. {headline(s, seat)}")


# What can be clicked


def _legal_actions(s: Record, seat: int | None) -> list[int]:
    """The actions of the seat that looks, if it is its turn; of the seat to move, if everything is open."""
    if player(s) < 0 or seat not in (None, player(s)):
        return []
    out = np.zeros(MAX_LEGAL, np.int64)
    return [int(action) for action in out[: legal(s, out)]]


def _square_of(action: int) -> int:
    """The square that an action is about, or NONE."""
    if action < SHOOT_AT:
        return (action - DEPLOY_CARD) % SQUARES
    if SHOOT_AT <= action < NO_SHOT:
        return action - SHOOT_AT
    return action - RECALL if RECALL <= action < NO_REINFORCEMENT else NONE


def _kind_of(action: int) -> int:
    """The kind of card that an action deploys, or NONE."""
    return (action - DEPLOY_CARD) // SQUARES if action < SHOOT_AT else NONE


def _draw_buttons(drawing: Drawing, s: Record, actions: list[int], y: float) -> float:
    """One for every action that is about no square; returns where the next thing may begin."""
    for action in actions:
        if _square_of(action) == NONE:
            said = "do not shoot" if action == NO_SHOT else describe_action(s, action)
            drawing.button(SIDE, y, said, action, width=2 * PITCH_X - GAP)
            y += 38
    return y


# The board


def _draw_square(drawing: Drawing, s: Record, square: int, viewer: int, actions: list[int], chosen: int | None) -> None:
    seen = half_turn(square) if viewer == 1 else square
    x, y = MARGIN + seen % COLUMNS * PITCH_X, HEAD + seen // COLUMNS * PITCH_Y
    if s.card[square] == NONE:
        with drawing.group(x, y, actions=actions):
            _draw_empty(drawing, s, square, viewer, any(_kind_of(action) == chosen for action in actions))
        return
    seat = side_of(s, square)
    card = card_of(s, seat, s.card[square])
    threat = int(s.attack[1 - seat, square])
    title = f"{square_name(square)}: {card_line(card)}"
    if threat:
        title += f". Enemy arrows strike it with {threat}" + (": it falls" if threat > card.defence else "")
    with drawing.group(x, y, actions=actions, key=f"{square} {seat} {s.card[square]}", title=title):
        edge = TONES["black"] if square in (s.placed, s.shooter) else ""
        _draw_card(drawing, card, seat, turned=seat != viewer, threat=threat, edge=edge)


def _draw_empty(drawing: Drawing, s: Record, square: int, viewer: int, marked: bool) -> None:
    """Its name, and what would strike a card here: from below the viewer's arrows, from above the other's."""
    drawing.rect(0, 0, WIDTH, HEIGHT, fill=FAINT, corner=7, opacity=0.12)
    if marked:
        drawing.rect(2, 2, WIDTH - 4, HEIGHT - 4, fill="none", edge=MARKED, line=4, corner=6, dashed=True)
    drawing.text(WIDTH / 2, HEIGHT / 2 + 4, square_name(square), size=12, fill=FAINT, anchor="middle")
    for seat in range(SEATS):
        if strikes := s.attack[seat, square]:
            below = seat == viewer
            y = HEIGHT - 14 if below else 14
            _draw_arrow(drawing, WIDTH / 2 - 9, y, 0 if below else OPPOSITE, 8, SEAT_COLOURS[seat])
            drawing.text(WIDTH / 2 + 5, y + 5, str(strikes), size=14, fill=INK, bold=True)


# Cards


def _draw_card(
    drawing: Drawing, card: Card, seat: int, *, turned: bool = False, threat: int = 0, edge: str = ""
) -> None:
    colour, middle = SEAT_COLOURS[seat], WIDTH / 2
    falls = threat > card.defence
    drawing.rect(0, 0, WIDTH, HEIGHT, fill=SEAT_FILLS[seat], edge=FALLS if falls else edge or colour,
                 line=4 if falls else 3 if edge else 1.2, corner=7)  # fmt: skip
    drawing.rect(7, 0 if turned else HEIGHT - 3.5, WIDTH - 14, 3.5, fill=colour, corner=1.5)
    for direction, value in enumerate(card.arrows):
        if value:
            pointing = (direction + OPPOSITE) % NUM_DIRECTIONS if turned else direction
            right, down = _BORDER[pointing]
            x, y = middle + right * (middle - 11), HEIGHT / 2 + down * (HEIGHT / 2 - 11)
            _draw_arrow(drawing, x, y, pointing, 10, colour)
            drawing.text(x, y + 4, str(value), size=11, fill=SEAT_DIGITS[seat], anchor="middle", bold=True)
    for number, line in enumerate(_two_lines(card.name)):
        drawing.text(middle, 27 + 10.5 * number, line, size=9.8, fill=CARD_INK, anchor="middle", bold=True)
    shield = middle - (11 if threat else 0)
    drawing.path(f"M{shield - 9:g},44 h18 v8 q0,8 -9,11 q-9,-3 -9,-11 Z", fill=PAPER, edge=CARD_INK, line=1.3)
    drawing.text(shield, 57, str(card.defence), size=12, fill=CARD_INK, anchor="middle", bold=True)
    if threat:
        said, fill = f"−{threat}", FALLS if falls else THREAT
        drawing.text(middle + 10, 57, said, size=12, fill=fill, anchor="middle", bold=True)
    if card.missile:
        drawing.text(58, 73, f"{RANK_SIGNS[card.rank]} hits {card.missile}", size=9, fill=CARD_INK, anchor="end")
        _draw_grid(drawing, card, turned, 68, 71)
    else:
        about = f"{RANK_SIGNS[card.rank]} {card.unit_class}"
        drawing.text(middle, 73, about, size=9, fill=CARD_INK, anchor="middle")


def _draw_arrow(drawing: Drawing, x: float, y: float, direction: int, size: float, colour: str) -> None:
    angle = direction * 2 * math.pi / NUM_DIRECTIONS
    corners = ((0.0, -size), (0.92 * size, 0.64 * size), (-0.92 * size, 0.64 * size))
    across, along = math.cos(angle), math.sin(angle)
    drawing.polygon(
        ((round(x + a * across - b * along, 1), round(y + a * along + b * across, 1)) for a, b in corners), fill=colour
    )


def _draw_grid(drawing: Drawing, card: Card, turned: bool, x: float, y: float) -> None:
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


def _draw_seat(drawing: Drawing, s: Record, holder: int, seat: int | None, actions: list[int], y: float) -> float:
    """A seat's progress and the cards of its hand that are seen; returns where the next thing goes."""
    enemy = 1 - holder
    you = " (you)" if holder == seat else ""
    drawing.circle(SIDE + 7, y + 9, 7, fill=SEAT_COLOURS[holder])
    drawing.text(SIDE + 20, y + 14, f"Seat {holder + 1}, {army_of(s, holder)}{you}", size=14, bold=True)
    progress = f"beat {s.losses[enemy]}/{CARDS_TO_WIN} cards, {s.command_losses[enemy]}/{COMMANDS_TO_WIN} command"
    drawing.text(SIDE, y + 33, progress, size=13)
    drawing.text(SIDE, y + 50, f"hand {s.hand_size[holder]}, deck {s.deck_size[holder]}", size=13, fill=FAINT)
    y += 60
    kinds = hand_of(s, holder)
    own = holder == seat or (seat is None and holder == 0)
    scale, per_row = (1.0, 2) if own else (OTHERS_SCALE, OTHERS_PER_ROW)
    for number, kind in enumerate(kinds):
        card = card_of(s, holder, kind)
        with drawing.group(
            SIDE + number % per_row * PITCH_X * scale,
            y + number // per_row * PITCH_Y * scale,
            actions=[action for action in actions if s.mover == holder and _kind_of(action) == kind],
            title=card_line(card),
            scale=scale,
        ):
            _draw_card(drawing, card, holder)
    y += -(-len(kinds) // per_row) * PITCH_Y * scale
    if unknown := s.hand_size[holder] - len(kinds):
        drawing.text(SIDE, y + 12, f"{unknown} unknown {'card' if unknown == 1 else 'cards'}", size=13, fill=FAINT)
        y += 18
    return y
