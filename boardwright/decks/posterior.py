"""A posterior over the known decks: which of them the hidden deck resembles, and so which cards it has.

Every known deck is weighted by how likely the seen cards are to be drawn from it, if the hidden deck were a noisy copy
of it; by its identity, its size, and how near its date is. Weights are tempered, since the hidden deck is no exact
copy. The nearest decks are the heaviest ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from boardwright.decks.prediction import Observation
from boardwright.decks.table import COPIES, DeckTable

Single = NDArray[np.float32]
_NEGLIGIBLE = 1e-4
"""Decks whose weight is below this share of the heaviest are left out."""


@dataclass(frozen=True)
class PosteriorSettings:
    noise: float = 0.1
    """The chance that a seen card is one that the copied deck does not have."""
    temper: float = 0.45
    """The exponent of the likelihood."""
    other_identity: float = 3.0
    """What another identity of the same group costs, as a log weight."""
    other_group: float = 5.0
    """What an identity of another group costs, as a log weight."""
    per_card_of_size: float = 0.15
    """What each card of difference in size costs."""
    per_month: float = 0.5
    """What each month between the dates costs, if both are known."""
    most_months: float = 8.0
    """The most months that are counted."""
    per_log_day: float = 0.4
    """What the days between the dates cost besides, by their logarithm: versions of a deck come out within days."""
    first_days: float = 0.25
    """How many days the logarithm begins with."""
    copies_weight: float = 6.0
    """Decks that the usual numbers of copies count for beside the weighted decks."""


class Expected(NamedTuple):
    presence: NDArray[np.float64]
    """For each card the chance that the deck has it."""
    copies: NDArray[np.float64]
    """For each card the distribution of copies, if the deck has it."""


class DeckPosterior:
    def __init__(
        self,
        table: DeckTable,
        days: NDArray[np.int64],
        group: NDArray[np.int64],
        settings: PosteriorSettings | None = None,
    ) -> None:
        self.table, self.days, self.group, self.settings = table, days, group, settings or PosteriorSettings()
        self.last_day = int(days.max(initial=-1))
        s, sizes = self.settings, table.sizes
        usual = table.copies.mean(0) / max(float(sizes.mean()), 1.0) + 1e-5
        deck, card = np.nonzero(table.copies)
        held = table.copies[deck, card].astype(np.float64)
        by_chance = s.noise * usual + 1e-7
        times = np.arange(1, COPIES + 1)
        self._likelihood: Single = np.empty((len(table.cards), COPIES, len(table)), np.float32)
        """For each card, number of times it was seen and deck: the tempered log likelihood."""
        self._likelihood[:] = s.temper * np.outer(np.log(by_chance), times)[:, :, None]
        log = np.zeros(len(held))
        for k in range(COPIES):  # few decks have a card, and only these differ
            drawn = (1 - s.noise) * np.maximum(held - k, 0) / np.maximum(sizes[deck] - k, 1) + by_chance[card]
            log += np.log(drawn)
            self._likelihood[card, k, deck] = s.temper * log
        place = COPIES * card + np.minimum(table.copies[deck, card], COPIES) - 1
        shape = (COPIES * len(table.cards), len(table))
        self._exactly = csr_array((np.ones(len(place), np.float32), (place, deck)), shape=shape)
        """For each card and number of copies: the decks that have as many."""

    def weights(self, seen: Observation, without: int | None = None) -> Single:
        """The posterior of each known deck; `without` leaves one out."""
        s, table = self.settings, self.table
        other = np.where(self.group[table.identity] == self.group[seen.identity], s.other_identity, s.other_group)
        log = np.where(table.identity == seen.identity, 0.0, -other)
        log -= s.per_card_of_size * np.abs(table.sizes - seen.size)
        if seen.day is not None:
            log -= self._cost_of_date(seen.day)
        for card in np.flatnonzero(seen.copies):
            log += self._likelihood[card, min(int(seen.copies[card]), COPIES) - 1]
        if without is not None:
            log[without] = -np.inf
        weights = np.exp(log - log.max())
        tempered: Single = (weights / weights.sum()).astype(np.float32)
        return tempered

    def _cost_of_date(self, day: int) -> NDArray[np.float64]:
        """Of each known deck. One without a date costs as much as the others on average."""
        s, days = self.settings, np.abs(self.days - day)
        cost = s.per_month * np.minimum(days / 30.0, s.most_months) + s.per_log_day * np.log1p(days / s.first_days)
        dated = self.days >= 0
        return cost if dated.all() else np.where(dated, cost, cost[dated].mean() if dated.any() else 0.0)

    def expected(self, weights: Single, usual_copies: NDArray[np.float64]) -> Expected:
        heavy = np.where(weights > _NEGLIGIBLE * weights.max(), weights, np.float32(0))
        exactly = (self._exactly @ heavy).reshape(-1, COPIES).astype(np.float64)
        presence = exactly.sum(1)
        effective = 1 / float(weights @ weights)
        smoothing = self.settings.copies_weight
        copies = (effective * exactly + smoothing * usual_copies) / (effective * presence + smoothing)[:, None]
        return Expected(np.minimum(presence, 1.0), copies)
