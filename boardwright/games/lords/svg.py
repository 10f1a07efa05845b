"""A position as a picture: drawn cards that face their owners, our own graphics, no publisher's artwork.

The board is seen from the side of the seat that looks. Beside each card in its hand a small board shows where it may
go; `draw_state(s, seat, chosen=kind)` marks those squares on the board itself.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

import numpy as np

from boardwright.games.lords.board import COLUMNS, NUM_DIRECTIONS, ROWS, SEATS, SQUARES, half_turn, square_name
from boardwright.games.lords.cards import GRIDS, RANKS, Card
from boardwright.games.lords.deployment import challenge_square, empty_squares, fallback_squares, squares_for
from boardwright.games.lords.elimination import side_of, targets_of
from boardwright.games.lords.information import hand_of
from boardwright.games.lords.reinforcement import recallable
from boardwright.games.lords.rules import legal, player
from boardwright.games.lords.state import (
    CARDS_TO_WIN,
    CHALLENGE,
    COMMANDS_TO_WIN,
    DEPLOY,
    DEPLOY_CARD,
    MAX_LEGAL,
    NO_REINFORCEMENT,
    NO_SHOT,
    NONE,
    RECALL,
    REINFORCE,
    SHOOT,
    SHOOT_AT,
)
from boardwright.games.lords.text import army_of, card_of, describe_action, headline
from boardwright.kernel import Record
from boardwright.kernel.bits import members

WIDTH, HEIGHT, GAP, MARGIN = 96, 112, 8, 28
PITCH_X, PITCH_Y = WIDTH + GAP, HEIGHT + GAP
INK, PAPER, FAINT, MAT, LINE = "#1d2433", "#f7f7f4", "#6b7280", "#e9e6da", "#c9c4b2"
SEAT_FILL, SEAT_INK = ("#fbe3d4", "#d8e6f5"), ("#b4451f", "#1f5b9c")
FALLS, MARK = "#c81e1e", "#2f8f46"
RANK_SIGNS = dict(zip(RANKS, ("★★", "★", "◆◆◆◆", "◆◆◆", "◆◆", "◆", "◇"), strict=True))
SMALL = 5
"""The side of a square in the small boards and grids."""

_BORDER = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Where on a card's border the arrow of each direction stands, from its middle."""


def draw_state(s: Record, seat: int | None, chosen: int | None = None) -> str:
    """The board, the hands that the seat sees, and what has been eliminated. `chosen`: a kind in the hand of the player
    who deploys."""
    viewer = 1 if seat == 1 else 0
    top = 34
    parts = [_text(MARGIN, 22, headline(s, seat), 15, weight="bold")]
    top = _hand(parts, s, 1 - viewer, seat, top)
    parts.append(f'<g transform="translate({MARGIN},{top})">')
    parts += _mat(s, viewer, _marked(s, chosen))
    actions = _legal_actions(s, seat)
    parts += _clickable_squares(actions, viewer)
    parts.append("</g>")
    top = _hand(parts, s, viewer, seat, top + ROWS * PITCH_Y + 20)
    top = _buttons(parts, s, actions, top)
    width = 2 * MARGIN + COLUMNS * PITCH_X - GAP
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}"'
        f' font-family="sans-serif"><rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


# What can be clicked


def _legal_actions(s: Record, seat: int | None) -> list[int]:
    """The actions of the seat that looks, if it is its turn."""
    if seat is None or player(s) != seat:
        return []
    out = np.zeros(MAX_LEGAL, np.int64)
    return [int(action) for action in out[: legal(s, out)]]


def _clickable_squares(actions: list[int], viewer: int) -> list[str]:
    """Over every square that actions are about: deployments, shots, recalls."""
    parts = []
    for square in range(SQUARES):
        about = [action for action in actions if _square_of(action) == square]
        if about:
            x, y = _place(square, viewer)
            numbers = " ".join(map(str, about))
            parts.append(
                f'<g data-action="{numbers}"><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"'
                f' fill="{MARK}" fill-opacity="0.08" stroke="{MARK}"/></g>'
            )
    return parts


def _square_of(action: int) -> int:
    """The square that an action is about, or NONE."""
    if action < SHOOT_AT:
        return (action - DEPLOY_CARD) % SQUARES
    if SHOOT_AT <= action < NO_SHOT:
        return action - SHOOT_AT
    return action - RECALL if RECALL <= action < NO_REINFORCEMENT else NONE


def _buttons(parts: list[str], s: Record, actions: list[int], top: int) -> int:
    """A button for every action that is about no square; returns where the next thing may begin."""
    for action in actions:
        if _square_of(action) == NONE:
            label = describe_action(s, action)
            parts.append(
                f'<g data-action="{action}"><rect x="{MARGIN}" y="{top}" width="{24 + 8 * len(label)}" height="28"'
                f' rx="6" fill="{MAT}" stroke="{MARK}"/>{_text(MARGIN + 12, top + 19, label, 13)}</g>'
            )
            top += 36
    return top


# The board


def _marked(s: Record, chosen: int | None) -> int:
    """The squares that the question is about: where a chosen card may go, what can be shot, who can be recalled."""
    if s.phase == DEPLOY and chosen is not None:
        return _allowed(s, s.mover, chosen)
    if s.phase == SHOOT:
        return int(targets_of(s, s.mover, s.shooter))
    return int(recallable(s)) if s.phase == REINFORCE else 0


def _allowed(s: Record, seat: int, kind: int) -> int:
    """Where the player may deploy a card."""
    if s.phase == CHALLENGE:
        return 1 << challenge_square(s, seat)
    empty = empty_squares(s)
    kinds = members(s.hand_kinds[seat])
    if s.occupied[1 - seat] and any(squares_for(s, seat, other, empty) for other in kinds):
        return int(squares_for(s, seat, kind, empty))
    return int(fallback_squares(s, seat, empty))


def _place(square: int, viewer: int) -> tuple[int, int]:
    """Where a square's upper left corner is."""
    seen = half_turn(square) if viewer == 1 else square
    return seen % COLUMNS * PITCH_X, seen // COLUMNS * PITCH_Y


def _mat(s: Record, viewer: int, marked: int) -> list[str]:
    parts = []
    for square in range(SQUARES):
        x, y = _place(square, viewer)
        parts.append(f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{MAT}" stroke="{LINE}"/>')
        if s.card[square] == NONE:
            parts.append(_text(x + WIDTH // 2, y + HEIGHT // 2 + 4, square_name(square), 11, LINE, "middle"))
            parts += _threats(s, square, viewer, x, y)
        else:
            parts += _card_on_board(s, square, viewer, x, y)
        if marked >> square & 1:
            parts.append(
                f'<rect x="{x - 3}" y="{y - 3}" width="{WIDTH + 6}" height="{HEIGHT + 6}" rx="8" fill="none"'
                f' stroke="{MARK}" stroke-width="3" stroke-dasharray="8 4"/>'
            )
    return parts


def _threats(s: Record, square: int, viewer: int, x: int, y: int) -> list[str]:
    """What would strike a card of either seat here, at the edge of the seat that strikes."""
    parts = []
    for seat in range(SEATS):
        if s.attack[seat, square]:
            down = 0 if seat == viewer else 1
            mark = f"{'▲▼'[down]} {s.attack[seat, square]}"
            parts.append(_text(x + WIDTH // 2, y + (22 if down else HEIGHT - 12), mark, 13, SEAT_INK[seat], "middle"))
    return parts


def _card_on_board(s: Record, square: int, viewer: int, x: int, y: int) -> list[str]:
    seat = side_of(s, square)
    card = card_of(s, seat, s.card[square])
    threat = s.attack[1 - seat, square]
    half = f" rotate(180 {WIDTH / 2} {HEIGHT / 2})" if seat != viewer else ""
    stroke = FALLS if threat > card.defence else (MARK if square in (s.placed, s.shooter) else "")
    return [
        f'<g transform="translate({x},{y}){half}">',
        *_card(card, seat, outline=stroke, threat=threat),
        "</g>",
    ]


# Cards


def _card(card: Card, seat: int, outline: str = "", threat: int = 0) -> list[str]:
    """A card as its owner sees it."""
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="{SEAT_FILL[seat]}" stroke="{outline or SEAT_INK[seat]}"'
        f' stroke-width="{3.5 if outline else 1.2}"/>'
    ]
    for direction, value in enumerate(card.arrows):
        parts += _arrow(direction, value, SEAT_INK[seat]) if value else []
    middle = WIDTH // 2
    first, *rest = _two_lines(card.name)
    parts.append(_text(middle, 31, first, 10, anchor="middle", weight="bold"))
    parts += [_text(middle, 42, line, 10, anchor="middle", weight="bold") for line in rest]
    parts += _shield(middle - 8, 55, card.defence, SEAT_INK[seat])
    if threat:
        parts.append(_text(middle + 3, 62, f"/{threat}", 10, FALLS if threat > card.defence else FAINT))
    if card.missile:
        parts.append(_text(middle + 12, 84, f"{RANK_SIGNS[card.rank]} shot", 8.5, FAINT, "end"))
        parts += [_text(middle + 15, 84, str(card.missile), 11, weight="bold"), *_grid(card, middle + 34, 68)]
    else:
        parts.append(_text(middle, 84, f"{card.unit_class} {RANK_SIGNS[card.rank]}", 8.5, FAINT, "middle"))
    return parts


def _arrow(direction: int, value: int, colour: str) -> list[str]:
    right, down = _BORDER[direction]
    x, y = WIDTH / 2 + right * (WIDTH / 2 - 11), HEIGHT / 2 + down * (HEIGHT / 2 - 11)
    turn = direction * 360 // NUM_DIRECTIONS
    return [
        f'<path d="M0,-10 L9,6 L-9,6 Z" fill="{colour}" transform="translate({x:g},{y:g}) rotate({turn})"/>',
        _text(x, y + 3.5, str(value), 10, "white", "middle", "bold"),
    ]


def _shield(x: float, y: float, defence: int, colour: str) -> list[str]:
    shape = f"M{x - 9:g},{y - 6:g} h18 v9 q0,8 -9,12 q-9,-4 -9,-12 Z"
    return [
        f'<path d="{shape}" fill="white" stroke="{colour}" stroke-width="1.5"/>',
        _text(x, y + 7, str(defence), 12, INK, "middle", "bold"),
    ]


def _grid(card: Card, x: float, y: float) -> list[str]:
    """The target grid, and the unit itself as a ring."""
    squares = GRIDS[card.grid]
    highest = max(0, *(ahead for _, ahead in squares))
    parts = [
        f'<rect x="{x + right * SMALL - SMALL / 2:g}" y="{y + (highest - ahead) * SMALL:g}" width="{SMALL - 0.8}"'
        f' height="{SMALL - 0.8}" fill="{INK}"/>'
        for right, ahead in squares
    ]
    parts.append(f'<circle cx="{x:g}" cy="{y + highest * SMALL + SMALL / 2:g}" r="2" fill="none" stroke="{INK}"/>')
    return parts


def _two_lines(name: str) -> list[str]:
    """A name in at most two lines that a card has room for."""
    words = name.split()
    best = min(range(1, len(words) + 1), key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return [line for line in (" ".join(words[:best]), " ".join(words[best:])) if line]


# Hands


def _hand(parts: list[str], s: Record, holder: int, seat: int | None, top: int) -> int:
    """A line about a seat and the cards of its hand that are seen; returns where the next thing goes."""
    enemy = 1 - holder
    line = (
        f"seat {holder + 1}, {army_of(s, holder)}: eliminated {s.losses[enemy]}/{CARDS_TO_WIN} cards,"
        f" {s.command_losses[enemy]}/{COMMANDS_TO_WIN} command · hand {s.hand_size[holder]}, deck {s.deck_size[holder]}"
    )
    parts.append(_text(MARGIN, top + 14, line, 13, SEAT_INK[holder], weight="bold"))
    top += 24
    kinds = hand_of(s, holder)
    if not kinds:
        return top + 4
    chooses = s.mover == holder and s.phase in (CHALLENGE, DEPLOY) and seat in (None, holder)
    for number, kind in enumerate(kinds):
        x = MARGIN + number * (PITCH_X + 8)
        parts += [f'<g transform="translate({x},{top})">', *_card(card_of(s, holder, kind), holder)]
        if chooses:
            parts += _small_board(s, holder, _allowed(s, holder, kind))
        parts.append("</g>")
    unknown = s.hand_size[holder] - len(kinds)
    if unknown:
        x = MARGIN + len(kinds) * (PITCH_X + 8)
        parts.append(_text(x, top + HEIGHT // 2, f"and {unknown} unknown", 12, FAINT))
    return top + HEIGHT + (ROWS * (SMALL + 1) + 10 if chooses else 0) + 12


def _small_board(s: Record, holder: int, allowed: int) -> list[str]:
    """Where a card may go, as its owner sees the board: green; cards are grey."""
    parts, side = [], SMALL + 1
    left = (WIDTH - COLUMNS * side) / 2
    taken = s.occupied[0] | s.occupied[1]
    for square in range(SQUARES):
        seen = half_turn(square) if holder == 1 else square
        fill = MARK if allowed >> square & 1 else (FAINT if taken >> square & 1 else "#dddacb")
        parts.append(
            f'<rect x="{left + seen % COLUMNS * side:g}" y="{HEIGHT + 8 + seen // COLUMNS * side}" width="{SMALL}"'
            f' height="{SMALL}" fill="{fill}"/>'
        )
    return parts


def _text(
    x: float, y: float, text: str, size: float, fill: str = INK, anchor: str = "start", weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )
