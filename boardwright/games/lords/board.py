"""The board: 7 columns of 6 rows, its squares, directions, and sets of squares as bits of one word.

Square 0 is the corner that the first player sees top left; numbers go along the rows. Row 0 is the second player's
edge, row 5 the first player's. For people, columns are a to g and rows 1 to 6 from the first player's edge: c3.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boardwright.kernel import rule

SEATS = 2
COLUMNS, ROWS = 7, 6
SQUARES = COLUMNS * ROWS

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""As the first player sees them: N leads towards the second player."""
NORTH = 0
NUM_DIRECTIONS = len(DIRECTIONS)
OPPOSITE = 4
"""Directions from one to its opposite."""
_STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))

ALL_SQUARES = (1 << SQUARES) - 1
_LEFT_COLUMN = sum(1 << row * COLUMNS for row in range(ROWS))
NOT_LEFT = ALL_SQUARES & ~_LEFT_COLUMN
NOT_RIGHT = ALL_SQUARES & ~(_LEFT_COLUMN << COLUMNS - 1)


def column_of(square: int) -> int:
    return square % COLUMNS


def row_of(square: int) -> int:
    return square // COLUMNS


def square_at(column: int, row: int) -> int | None:
    """The square, or None beyond the edge."""
    return row * COLUMNS + column if 0 <= column < COLUMNS and 0 <= row < ROWS else None


def square_name(square: int) -> str:
    return f"{'abcdefg'[column_of(square)]}{ROWS - row_of(square)}"


SQUARE_NAMES = tuple(square_name(square) for square in range(SQUARES))

OFF_BOARD = -1


def _neighbour(square: int, direction: int) -> int:
    right, down = _STEPS[direction]
    found = square_at(column_of(square) + right, row_of(square) + down)
    return OFF_BOARD if found is None else found


NEIGHBOUR = np.array([[_neighbour(q, d) for d in range(NUM_DIRECTIONS)] for q in range(SQUARES)], np.int64)
"""The next square in each direction, or OFF_BOARD."""


BYTES = 8


def bytes_before(values: Sequence[int]) -> int:
    """A value by direction as bytes of a word, for the eight squares before one, in the order of their numbers."""
    return _bytes(values, -BYTES)


def bytes_behind(values: Sequence[int]) -> int:
    """The same for the eight squares behind it."""
    return _bytes(values, 1)


def _bytes(values: Sequence[int], first: int) -> int:
    places = [right + COLUMNS * down - first for right, down in _STEPS]
    word = sum(value << 8 * place for value, place in zip(values, places, strict=True) if 0 <= place < BYTES)
    return word - (1 << 64) if word >> 63 else word


_IS_BESIDE = [[0xFF if target != OFF_BOARD else 0 for target in row] for row in NEIGHBOUR.tolist()]
SQUARES_BEFORE = np.array([bytes_before(row) for row in _IS_BESIDE], np.int64)
SQUARES_BEHIND = np.array([bytes_behind(row) for row in _IS_BESIDE], np.int64)
"""Which of the eight squares before and behind one are beside it, as bytes."""
_CENTRE = COLUMNS + 1


def ring(values: Sequence[int]) -> int:
    """The squares that arrows with these values by direction point at, as a set, from a square in the middle of a board
    without edges."""
    places = [_CENTRE + right + COLUMNS * down for right, down in _STEPS]
    return sum(1 << place for place, value in zip(places, values, strict=True) if value)


BESIDE = np.array([sum(1 << t for t in row if t != OFF_BOARD) for row in NEIGHBOUR.tolist()], np.int64)
"""The squares beside a square, as a set."""


@rule
def pointed_at(ring: int, square: int) -> int:
    """The squares that the arrows of a ring point at from a square."""
    return ring << square >> _CENTRE & BESIDE[square]


@rule
def half_turn(square: int) -> int:
    """The square that the other player sees in the same place."""
    return SQUARES - 1 - square


# For each direction, the squares from which an arrow in it points at a square of the set.


@rule
def south_of(squares: int) -> int:
    return squares << COLUMNS & ALL_SQUARES


@rule
def north_of(squares: int) -> int:
    return squares >> COLUMNS


@rule
def west_of(squares: int) -> int:
    return (squares & NOT_LEFT) >> 1


@rule
def east_of(squares: int) -> int:
    return (squares & NOT_RIGHT) << 1


@rule
def neighbours(squares: int) -> int:
    """The squares beside a square of the set, also diagonally; squares of the set itself may be among them."""
    wide = squares | west_of(squares) | east_of(squares)
    return south_of(wide) | north_of(wide) | west_of(squares) | east_of(squares)
