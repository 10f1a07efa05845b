"""Positions of Connect Four as people write them: six rows of seven signs, the top row first.

    {"game": "connect_four", "board": [".......", ".......", ".......", ".......", "...O...", "..XXO.."]}

X begins, and moves again when both have as many discs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boardwright.errors import BadPosition
from boardwright.games.connect_four import COLUMNS, EMPTY, IN_A_ROW, NOBODY, ROWS
from boardwright.kernel import Game, State
from boardwright.kernel.contract import PositionForm

_SIGNS = {".": EMPTY, "x": 1, "o": 2}
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def build(game: Game, given: Mapping[str, Any], seed: int) -> State:
    rows = given.get("board")
    if not isinstance(rows, list) or len(rows) != ROWS:
        raise BadPosition(f"board: it should be a list of {ROWS} rows, the top row first")
    state = game.new(seed=seed)
    s = state.record
    for row, line in enumerate(reversed(rows)):
        signs = [_SIGNS.get(sign) for sign in str(line).lower()]
        if len(signs) != COLUMNS or None in signs:
            raise BadPosition(f"board[{ROWS - 1 - row}]: it should be {COLUMNS} of the signs . X O, not {line!r}")
        s.board[row] = signs
    s.height[:] = [sum(s.board[row, column] != EMPTY for row in range(ROWS)) for column in range(COLUMNS)]
    s.discs = sum(s.height)
    s.winner = next(iter(_winners(s.board)), NOBODY)
    for fault in faults(s):
        raise BadPosition(fault)
    return state


def faults(s: Any) -> Iterator[str]:
    for row in range(ROWS):
        for column in range(COLUMNS):
            if not EMPTY <= s.board[row, column] <= 2:
                yield f"board[{row}][{column}]: {s.board[row, column]} is not 0, 1 or 2"
            elif row and s.board[row, column] != EMPTY and s.board[row - 1, column] == EMPTY:
                yield f"board: a disc in column {column + 1} hangs in the air"
    discs = [sum(int(cell == seat + 1) for cell in s.board.reshape(-1).tolist()) for seat in range(2)]
    if discs[0] - discs[1] not in (0, 1):
        yield f"board: X has {discs[0]} discs and O has {discs[1]}; X begins"
    if s.discs != sum(discs):
        yield f"discs: {s.discs}; {sum(discs)} are on the board"
    for column in range(COLUMNS):
        if s.height[column] != sum(s.board[row, column] != EMPTY for row in range(ROWS)):
            yield f"height[{column}]: {s.height[column]} is not the number of discs there"
    winners = _winners(s.board)
    if len(winners) > 1 or (winners and winners != {2 - sum(discs) % 2}):
        yield "board: whoever moved last has not made the only four in a row"
    if s.winner != next(iter(winners), NOBODY):
        yield f"winner: {s.winner} is not what the board says"


def _winners(board: Any) -> set[int]:
    """Who has four in a row."""
    found = set()
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in _DIRECTIONS:
                cells = {
                    int(board[row + i * down, column + i * right])
                    if row + i * down < ROWS and 0 <= column + i * right < COLUMNS
                    else EMPTY
                    for i in range(IN_A_ROW)
                }
                if len(cells) == 1 and cells != {EMPTY}:
                    found |= cells
    return found


positions = PositionForm(faults=faults, keys=("board",), build=build)
