"""Scoring: chips, printed points, six-cost developments; who wins (docs/rules/race.md, sections 8.2 and 8.3)."""

from __future__ import annotations

from boardwright.games.race import cards
from boardwright.games.race.state import GAME_OVER
from boardwright.kernel import Record, Returns, rule

TIE_BREAK = 1000
"""More cards and goods than anybody has, so that points come first."""


@rule
def score(s: Record, seat: int) -> int:
    points = s.chips[seat]
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        points += cards.VP[card]
        if cards.IS_SIX[card]:
            points += s.chips[seat] // cards.CHIPS_PER_BONUS * cards.BONUS_CHIPS[card]
            points += s.standing[seat, cards.MILITARY] * cards.BONUS_MILITARY[card]
            for other in range(s.size[seat]):
                points += cards.BONUS[card, s.tableau[seat, other]]
    return points


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(s.seats):
        out[seat] = score(s, seat)


@rule
def standing_in_ties(s: Record, seat: int) -> int:
    """The score, and behind it cards in hand and goods, which break ties."""
    return TIE_BREAK * score(s, seat) + s.hand_size[seat] + s.goods[seat, cards.NO_KIND]


@rule
def returns(s: Record, out: Returns) -> None:
    """One for the winner. Those who are still equal after the tie-break share it."""
    for seat in range(s.seats):
        out[seat] = 0.0
    if s.question != GAME_OVER:
        return
    best = standing_in_ties(s, 0)
    for seat in range(1, s.seats):
        best = max(best, standing_in_ties(s, seat))
    winners = 0
    for seat in range(s.seats):
        if standing_in_ties(s, seat) == best:
            winners += 1
    for seat in range(s.seats):
        if standing_in_ties(s, seat) == best:
            out[seat] = 1.0 / winners
