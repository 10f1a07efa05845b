"""An exact solver of Connect Four, for tests: is a position won, drawn or lost for the seat to move?

Two bit boards, seven bits per column (the highest stays empty), and alpha-beta with a transposition table, the middle
columns first. Positions of 14 discs or more take milliseconds, the empty board far too long. It is compiled at
the first question, since every process that runs tests imports this module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

import boardwright as bw

COLUMNS, HEIGHT = 7, 7
ROWS = 6
TABLE_SIZE = 1 << 22
ORDER = np.array([3, 2, 4, 1, 5, 0, 6])
ONE = np.uint64(1)


@njit
def four_in_a_row(discs: Any) -> bool:
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = discs & (discs >> np.uint64(step))
        if pairs & (pairs >> np.uint64(2 * step)):
            return True
    return False


@njit
def drop(mask: Any, column: int) -> Any:
    """The cell that a disc in a column would come to; 0 if the column is full."""
    bottom = ONE << np.uint64(column * HEIGHT)
    column_cells = ((ONE << np.uint64(ROWS)) - ONE) << np.uint64(column * HEIGHT)
    return (mask + bottom) & column_cells & ~mask


@njit
def solve(mine: Any, mask: Any, alpha: int, beta: int, keys: Any, values: Any) -> int:
    """1, 0 or -1 for the seat to move, whose discs are `mine`; exact if it lies between alpha and beta."""
    theirs = mine ^ mask
    forced, threats, legal = np.uint64(0), 0, 0
    for column in range(COLUMNS):
        cell = drop(mask, column)
        if cell:
            legal += 1
            if four_in_a_row(mine | cell):
                return 1
            if four_in_a_row(theirs | cell):
                forced, threats = cell, threats + 1
    if legal == 0:
        return 0
    if threats > 1:
        return -1
    key = mine + mask + ONE
    place = np.int64(key % np.uint64(keys.size))
    if keys[place] == key:
        low, high = values[place] // 4 - 1, values[place] % 4 - 1
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
    best, first_alpha = -1, alpha
    for i in range(COLUMNS):
        cell = drop(mask, ORDER[i])
        if cell and (threats == 0 or cell == forced):
            best = max(best, -solve(theirs, mask | cell, -beta, -alpha, keys, values))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    keys[place] = key
    low, high = (best if best > first_alpha else -1), (best if best < beta else 1)
    values[place] = (low + 1) * 4 + high + 1
    return best


class Solver:
    """Remembers positions from one question to the next."""

    def __init__(self, size: int = TABLE_SIZE) -> None:
        self.keys, self.values = np.zeros(size - 3, np.uint64), np.zeros(size - 3, np.int64)

    def value(self, state: bw.State) -> int:
        """1 if the seat to move wins, 0 for a draw, -1 if it loses."""
        boards = [0, 0]
        board = np.asarray(state.record.board)
        for row in range(ROWS):
            for column in range(COLUMNS):
                if board[row, column]:
                    boards[board[row, column] - 1] |= 1 << (column * HEIGHT + row)
        mine = boards[state.player]
        return int(solve(np.uint64(mine), np.uint64(boards[0] | boards[1]), -1, 1, self.keys, self.values))

    def value_after(self, state: bw.State, action: int) -> int:
        """The same for the seat to move now, after its action."""
        after = state.copy()
        after.apply(action)
        if after.is_terminal:
            return int(after.returns[state.player])
        return -self.value(after)


def open_positions(count: int, seed: int, fewest: int, most: int) -> list[bw.State]:
    """Positions of games at random with so many discs, in which nobody has won."""
    game, random = bw.game("connect_four"), np.random.default_rng(seed)
    found: list[bw.State] = []
    while len(found) < count:
        state, discs = game.new(seed=0), int(random.integers(fewest, most + 1))
        while not state.is_terminal and state.record.discs < discs:
            state.apply(int(random.choice(state.legal_actions())))
        if not state.is_terminal and len(state.legal_actions()) > 1:
            found.append(state)
    return found
