"""How many cards a deck has: mostly its identity's minimum, or a few more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.table import DeckTable

MOST_ABOVE = 20
"""Decks that are larger count as having this many cards above the minimum."""
_SMOOTHING = 3.0
"""Decks of all identities together that are added to those of each."""
_RARE = 0.05
"""Sizes with less chance than this are left out."""


class SizeModel:
    """For each identity, how many decks have 0, 1, 2, … cards above the minimum."""

    def __init__(self, decks: NDArray[np.int64]) -> None:
        self.decks = decks

    @classmethod
    def learn(cls, table: DeckTable, minimum: NDArray[np.int64]) -> SizeModel:
        decks = np.zeros((len(table.identities), MOST_ABOVE + 1), np.int64)
        above = np.clip(table.sizes - minimum[table.identity], 0, MOST_ABOVE)
        np.add.at(decks, (table.identity, above), 1)
        return cls(decks)

    def given(self, identity: int, minimum: int) -> dict[int, float]:
        """The chance of each size that is not rare, the likeliest first."""
        usual = self.decks.sum(0) / max(int(self.decks.sum()), 1)
        own = self.decks[identity] if identity < len(self.decks) else np.zeros(len(usual))
        chance = (own + _SMOOTHING * usual) / (own.sum() + _SMOOTHING)
        likely = [int(above) for above in np.argsort(-chance, kind="stable") if chance[above] >= _RARE]
        total = float(chance[likely].sum())
        return {minimum + above: float(chance[above]) / total for above in likely}
