"""Sephton's state functions f1 to f11 and the heuristics h1 to h11 made of them (docs/rules/lords.md, section 8).

Each heuristic is an evaluation twice: `h4` as the thesis defines it, in cards, to rank positions with; and `scaled_h4`,
a chance to win between 0 and 1, for search that adds up what playouts return.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from boardwright.games.lords.board import SEATS, SQUARES
from boardwright.games.lords.cards import DEFENCE
from boardwright.games.lords.heat_maps import HEAT
from boardwright.games.lords.learned_evaluation import learned
from boardwright.games.lords.rules import returns
from boardwright.games.lords.state import FINISHED
from boardwright.kernel import Record, Returns, rule
from boardwright.kernel.bits import count_bits, lowest_bit

# The functions of one seat


@rule
def cards_on_board(s: Record, seat: int) -> int:
    """f1"""
    return count_bits(s.occupied[seat])


@rule
def cards_lost(s: Record, seat: int) -> int:
    """f2"""
    return s.losses[seat]


@rule
def defence_on_board(s: Record, seat: int) -> int:
    """f3"""
    total = 0
    cards = s.occupied[seat]
    while cards:
        total += DEFENCE[s.row[seat] + s.card[lowest_bit(cards)]]
        cards &= cards - 1
    return total


@rule
def threatened_squares(s: Record, seat: int) -> int:
    """f4: squares, empty or with an enemy, that an arrow of the seat points at. The thesis's formula counts cards, its
    text squares; this follows the text."""
    n = 0
    for square in range(SQUARES):
        n += s.attack[seat, square] > 0 and not s.occupied[seat] >> square & 1
    return n


@rule
def commands_lost(s: Record, seat: int) -> int:
    """f5"""
    return s.command_losses[seat]


@rule
def heat(s: Record, seat: int, place: int) -> int:
    """f6 to f11: the cards on the board by the heat map m_a (place 0) to m_f (5)."""
    values = HEAT[seat, s.heat_map[place]]
    total = 0
    cards = s.occupied[seat]
    while cards:
        total += values[lowest_bit(cards)]
        cards &= cards - 1
    return total


@rule
def mean_defence(s: Record, seat: int) -> float:
    """f3 per card on the board; 0 without cards."""
    cards = cards_on_board(s, seat)
    return defence_on_board(s, seat) / cards if cards else 0.0


# The heuristics, from a seat's point of view


@rule
def h1(s: Record, seat: int) -> float:
    """Cards on the board less cards lost."""
    own = cards_on_board(s, seat) - cards_lost(s, seat)
    return own - (cards_on_board(s, 1 - seat) - cards_lost(s, 1 - seat))


@rule
def h2(s: Record, seat: int) -> float:
    """Mean defence."""
    return mean_defence(s, seat) - mean_defence(s, 1 - seat)


@rule
def h3(s: Record, seat: int) -> float:
    """Threatened squares."""
    return threatened_squares(s, seat) - threatened_squares(s, 1 - seat)


@rule
def h4(s: Record, seat: int) -> float:
    """As h1, and a lost command card counts twice."""
    return h1(s, seat) - commands_lost(s, seat) + commands_lost(s, 1 - seat)


@rule
def h5(s: Record, seat: int) -> float:
    """The own mean defence alone."""
    return mean_defence(s, seat)


@rule
def h5_sum(s: Record, seat: int) -> float:
    """The own defence, added up."""
    return float(defence_on_board(s, seat))


@rule
def h2_negated(s: Record, seat: int) -> float:
    """The thesis tried it because h2 lost (section 5.4.1)."""
    return -h2(s, seat)


def _heat_heuristic(place: int) -> Callable[[Any, int], float]:
    @rule
    def by_heat_map(s: Record, seat: int) -> float:
        return float(heat(s, seat, place) - heat(s, 1 - seat, place))

    return by_heat_map


def _own_heat_heuristic(place: int) -> Callable[[Any, int], float]:
    @rule
    def by_heat_map_of_own_cards(s: Record, seat: int) -> float:
        return float(heat(s, seat, place))

    return by_heat_map_of_own_cards


HEURISTICS: dict[str, Callable[[Any, int], float]] = {"h1": h1, "h2": h2, "h3": h3, "h4": h4, "h5": h5}
HEURISTICS |= {f"h{6 + place}": _heat_heuristic(place) for place in range(6)}

READINGS: dict[str, Callable[[Any, int], float]] = {
    "h2_negated": h2_negated,
    "h5_sum": h5_sum,
    **{f"h{6 + place}_own": _own_heat_heuristic(place) for place in range(6)},
}
"""Other ways to read the thesis, and what it tried besides (docs/laboratory.md)."""

SPREAD = dict.fromkeys(HEURISTICS, 6.0)
"""What half the difference between both seats is divided by, before it becomes a chance to win."""


def _evaluation(heuristic: Callable[[Any, int], float]) -> Callable[[Any, Any], None]:
    @rule
    def evaluation(s: Record, out: Returns) -> None:
        for seat in range(SEATS):
            out[seat] = heuristic(s, seat)

    return evaluation


def _scaled(heuristic: Callable[[Any, int], float], spread: float) -> Callable[[Any, Any], None]:
    @rule
    def scaled(s: Record, out: Returns) -> None:
        """A logistic curve over the difference; a finished game has its returns."""
        if s.phase == FINISHED:
            returns(s, out)
            return
        lead = (heuristic(s, 0) - heuristic(s, 1)) / 2.0
        out[0] = 1.0 / (1.0 + math.exp(-lead / spread))
        out[1] = 1.0 - out[0]

    return scaled


EVALUATIONS = {
    "scaled_h4": _scaled(h4, SPREAD["h4"]),
    **{name: _evaluation(heuristic) for name, heuristic in {**HEURISTICS, **READINGS}.items()},
    **{f"scaled_{name}": _scaled(HEURISTICS[name], SPREAD[name]) for name in HEURISTICS if name != "h4"},
    "learned": learned,
}
"""The first is what MaxN takes."""
