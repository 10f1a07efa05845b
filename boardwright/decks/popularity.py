"""The plainest predictor that gives probabilities: how popular a card is with an identity."""

from __future__ import annotations

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
        groups = sorted({game.construction.group(code) for code in table.identities})
        group = np.array([groups.index(game.construction.group(code)) for code in table.identities], np.int64)
        self.copies = CopyModel.learn(table, group)

    def probabilities(self, seen: Observation) -> NDArray[np.float64]:
        presence = np.where(seen.copies > 0, 1.0, self.share[seen.identity])
        found = at_least(presence, self.copies.given(seen))
        found[np.arange(COPIES) < seen.copies[:, None]] = 1.0
        found[self.book.limits(seen.identity, seen.size).limit == 0] = 0.0
        return found

    def prediction(self, seen: Observation) -> Prediction:
        chances = self.probabilities(seen)
        limits = self.book.limits(seen.identity, seen.size)
        return Prediction(seen, chances, fill_by_probability(seen.copies, seen.size, chances, limits))
