"""Revise: cases are judged by the games they were used in.

A case is compared with its class: does it appear in won games as often as the other cases with its solution?
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Usage:
    """How often a case, or the cases of a class, were retrieved, and how often in games that were won."""

    retrievals: int = 0
    wins: int = 0

    @property
    def rate(self) -> float:
        return self.wins / self.retrievals if self.retrievals else 0.0


def below_class(case: Usage, of_class: Usage, *, margin: float, standard_errors: float) -> bool:
    """Whether a case wins less often than its class, by more than a share `margin` of its rate and so many standard
    errors."""
    if not case.retrievals:
        return False
    error = math.sqrt(of_class.rate * (1.0 - of_class.rate) / case.retrievals)
    return case.wins / case.retrievals < of_class.rate * (1.0 - margin) - standard_errors * error
