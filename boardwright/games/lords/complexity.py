"""Sephton's measures of how complex a position of Lords of War is for a seat (section 5.3.6 of the thesis).

Cx0, the number of actions, every game has (search/width.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardwright.games.lords.board import SQUARES
from boardwright.games.lords.evaluation import cards_on_board, threatened_squares
from boardwright.kernel import Record


def cx1(s: Record, seat: int) -> float:
    """The squares, empty or with an enemy, that the seat's cards threaten."""
    return threatened_squares(s, seat)


def cx2(s: Record, seat: int) -> float:
    """All threat on those squares, added up. (Once the thesis speaks of the opponent's threat; this is its formula.)"""
    free = [square for square in range(SQUARES) if not s.occupied[seat] >> square & 1]
    return sum(int(s.attack[seat, square]) for square in free)


def cx3(s: Record, seat: int) -> float:
    """The opponent's cards on the board."""
    return cards_on_board(s, 1 - seat)


def cx4(s: Record, seat: int) -> float:
    """All cards on the board."""
    return cards_on_board(s, seat) + cards_on_board(s, 1 - seat)


COMPLEXITIES: dict[str, Callable[[Any, int], float]] = {"cx1": cx1, "cx2": cx2, "cx3": cx3, "cx4": cx4}
