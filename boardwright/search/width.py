"""How many of the best root actions to draw among: a number that stays, one that follows the position, or the opponent.

*Complexity* (Sephton 2016, section 5.3.6): in a position that is half as complex as the most complex one so far, half
of the width is used. *Online tuning* (section 5.3.7): after a decision for an action that seems more won than lost, the
width grows by one, otherwise it shrinks. So the agent gets weaker while it is winning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boardwright.kernel import Game, Observation

NARROWEST, WIDEST = 1, 10
"""What online tuning keeps to, as in the thesis."""
EVEN = 0.5

Complexity = Callable[[Observation], float]


def number_of_actions(observation: Observation) -> float:
    """Cx0, which every game has."""
    return len(observation.legal_actions())


def complexities(game: Game) -> dict[str, Complexity]:
    """The complexity measures of a game by name: `cx0`, and those that it declares."""

    def of_seat(measure: Callable[[object, int], float]) -> Complexity:
        return lambda observation: float(measure(observation.record, observation.seat))

    return {"cx0": number_of_actions, **{name: of_seat(rule) for name, rule in game.search.complexities.items()}}


@dataclass
class Width:
    """The width of an agent's choice in one game."""

    top: int
    tuned: bool = False
    complexity: Complexity | None = None
    most_complex: float = 0.0

    def at(self, observation: Observation) -> int:
        """How many actions to draw among here."""
        if self.complexity is None:
            return self.top
        here = self.complexity(observation)
        self.most_complex = max(self.most_complex, here)
        share = here / self.most_complex if self.most_complex > 0 else 0.0
        return NARROWEST + round((self.top - NARROWEST) * share)

    def after(self, mean: float) -> None:
        """An action was chosen whose mean return, scaled to 0 to 1, is this."""
        if self.tuned:
            self.top = min(self.top + 1, WIDEST) if mean > EVEN else max(self.top - 1, NARROWEST)
