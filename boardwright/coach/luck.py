"""What chance gave and took: an account of a seat's game that adds up to its result.

Before each of its decisions a seat stands at some value, what its best option is worth; after it at what the played
option is worth. So every change of its value belongs to one of two columns: what its own decisions lost, and what
happened between them, which it did not choose: the deal, cards drawn, and what the others did.

    result = even share + (what happened between) - (what its decisions lost)

The sums telescope: the account adds up exactly, whatever the values are. They are estimates, so each column has a
standard error; a value that is too high at one decision is taken back at the next. Where there are two seats, the
returns have a constant sum and both were reviewed, what the other's mistakes gave is taken out of the second column:
what is left is chance. Without its luck a seat would have got, on average, `result - luck` (a control variate, as in
DIVAT and AIVAT for poker; Zinkevich et al., 2006, and Burch et al., 2018).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from boardwright.coach.analysis import Z99, Analysis


@dataclass(frozen=True)
class Swing:
    """What changed between two decisions of a seat."""

    after: int
    """The move after which it begins; 0 is before the first one."""
    before: int
    """The move before which it ends."""
    change: float
    standard_error: float

    @property
    def is_clear(self) -> bool:
        return abs(self.change) > Z99 * self.standard_error


@dataclass(frozen=True)
class Account:
    """All in shares of a game, from 0 to 1."""

    start: float
    """An even share."""
    swings: tuple[Swing, ...]
    lost: float
    """By the seat's own decisions."""
    lost_error: float
    given: float | None
    """By the other's decisions; None if that cannot be told apart from chance."""
    given_error: float
    result: float

    @property
    def luck(self) -> float:
        """What happened between the decisions, without what the other's mistakes gave if that is known."""
        return sum(swing.change for swing in self.swings) - (self.given or 0.0)

    @property
    def luck_error(self) -> float:
        """Errors of the values on the way cancel; those of the losses are left."""
        return math.hypot(self.lost_error, self.given_error)


def account_of(
    decisions: Sequence[tuple[int, Analysis]],
    others: Sequence[tuple[int, Analysis]] | None,
    start: float,
    result: float,
    last_move: int,
) -> Account:
    """From a seat's analysed decisions with their moves, in order; `others` are those of the only other seat."""
    swings = []
    stood, error, after = start, 0.0, 0
    for move, analysis in decisions:
        best = analysis.value + analysis.loss
        swings.append(Swing(after, move, best - stood, math.hypot(error, analysis.value_error)))
        stood, error, after = analysis.value, analysis.value_error, move
    swings.append(Swing(after, last_move, result - stood, error))
    return Account(
        start=start,
        swings=tuple(swings),
        lost=sum(analysis.loss for _, analysis in decisions),
        lost_error=_joint([analysis for _, analysis in decisions]),
        given=None if others is None else sum(analysis.loss for _, analysis in others),
        given_error=0.0 if others is None else _joint([analysis for _, analysis in others]),
        result=result,
    )


def _joint(analyses: Sequence[Analysis]) -> float:
    return math.sqrt(sum(analysis.standard_error**2 for analysis in analyses))
