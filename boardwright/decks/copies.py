"""How many copies of a card a deck plays, if it plays it: a matter of the card more than of the deck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from boardwright.decks.prediction import Observation
from boardwright.decks.table import COPIES, DeckTable

_GROUP_WEIGHT = 20.0
"""Decks that the average over all decks counts for beside those of a group."""
_IDENTITY_WEIGHT = 5.0
"""Decks that the average of the group counts for beside those of an identity."""
_FLAT = (0.3, 0.5, 0.5)
"""Cards that nobody plays: copies from 1 on."""
_NUMBERS = np.arange(1, COPIES + 1)


class CopyModel:
    """For each identity and card the distribution of copies from 1 to COPIES, smoothed by group and by all decks."""

    def __init__(self, distribution: NDArray[np.float32], group: NDArray[np.int64]) -> None:
        self.distribution, self.group = distribution, group
        """The group of each identity, those that the distribution is known for first."""

    @classmethod
    def learn(cls, table: DeckTable, group: NDArray[np.int64]) -> CopyModel:
        cards = len(table.cards)
        identities = np.zeros((len(table.identities), cards, COPIES))
        copies = np.minimum(table.copies, COPIES)
        deck, card = np.nonzero(copies)
        np.add.at(identities, (table.identity[deck], card, copies[deck, card] - 1), 1.0)
        overall = identities.sum(0) + np.array(_FLAT)
        overall /= overall.sum(-1, keepdims=True)
        groups = np.zeros((int(group.max(initial=0)) + 1, cards, COPIES))
        known = group[: len(identities)]
        np.add.at(groups, known, identities)
        groups = _smoothed(groups, overall, _GROUP_WEIGHT)
        return cls(_smoothed(identities, groups[known], _IDENTITY_WEIGHT).astype(np.float32), group)

    def of(self, identity: int) -> NDArray[np.float64]:
        """The distribution for each card. Of an identity that no deck had: the mean over its group, or over all."""
        known = len(self.distribution)
        if identity < known:
            return self.distribution[identity].astype(np.float64)
        alike = self.group[:known] == self.group[identity]
        mean: NDArray[np.float64] = self.distribution[alike if alike.any() else slice(None)].mean(0, dtype=np.float64)
        return mean

    def given(self, seen: Observation) -> NDArray[np.float64]:
        """The distribution for each card of a deck. A card that was seen so often among the seen cards has probably
        more copies than others: hypergeometric likelihood."""
        found = self.of(seen.identity)
        drawn = int(seen.copies.sum()) + seen.num_others
        for card in np.flatnonzero(seen.copies):
            times = int(seen.copies[card])
            likelihood = comb(_NUMBERS, times) * comb(seen.size - _NUMBERS, drawn - times)
            chance = found[card] * likelihood
            found[card] = chance / chance.sum() if chance.sum() > 0 else min(times, COPIES) == _NUMBERS
        return found


def _smoothed(counts: NDArray[np.float64], towards: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    smoothed: NDArray[np.float64] = (counts + weight * towards) / (counts.sum(-1, keepdims=True) + weight)
    return smoothed


def at_least(presence: NDArray[np.float64], copies: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each card and k the chance of at least k copies, from the chance of any and the distribution of copies."""
    tail: NDArray[np.float64] = np.cumsum(copies[:, ::-1], axis=1)[:, ::-1]
    return presence[:, None] * tail
