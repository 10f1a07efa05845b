"""The plainest predictor that gives probabilities: how popular a card is with an identity."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import DeckGame
from boardwright.decks.copies import CopyModel, at_least
from boardwright.decks.filling import fill_by_probability
from boardwright.decks.prediction import Observation, Prediction, Rulebook
from boardwright.decks.table import COPIES, DeckTable

_SMOOTHING = 2.0
"""Decks of all identities together that are added to those of each."""


class Popularity:
    def __init__(self, game: DeckGame, table: DeckTable) -> None:
        self.book = Rulebook.of(game, table)
        present = (table.copies > 0).astype(np.float64)
        played = np.zeros((len(table.identities), len(table.cards)))
        np.add.at(played, table.identity, present)
        decks = np.bincount(table.identity, minlength=len(table.identities))
        self.share = (played + _SMOOTHING * present.mean(0)) / (decks + _SMOOTHING)[:, None]
        self.copies = CopyModel.learn(table, self.book.group)

    def observation(
        self, identity: str, seen: Mapping[str, int], size: int | None = None, day: int | None = None
    ) -> Observation:
        return self.book.observation(identity, seen, size, day)

    def _share(self, identity: int) -> NDArray[np.float64]:
        """Of an identity that no deck had: the mean over its group, or over all."""
        known = len(self.share)
        if identity < known:
            own: NDArray[np.float64] = self.share[identity]
            return own
        alike = self.book.group[:known] == self.book.group[identity]
        mean: NDArray[np.float64] = self.share[alike if alike.any() else slice(None)].mean(0)
        return mean

    def probabilities(self, seen: Observation) -> NDArray[np.float64]:
        presence = np.where(seen.copies > 0, 1.0, self._share(seen.identity))
        found = at_least(presence, self.copies.given(seen))
        found[self.book.limits_left(seen).limit == 0] = 0.0
        found[np.arange(COPIES) < seen.copies[:, None]] = 1.0
        return found

    def prediction(self, seen: Observation) -> Prediction:
        chances = self.probabilities(seen)
        limits = self.book.limits_left(seen)
        return Prediction(seen, chances, fill_by_probability(seen.copies, seen.size_of_known, chances, limits))
