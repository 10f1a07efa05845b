"""Archetypes: a mixture of sorts of decks, each with its own probabilities of identities and cards.

Learned by expectation maximization from whole decks. A few seen cards give a posterior over archetypes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boardwright.decks.prediction import Observation
from boardwright.decks.table import DeckTable


@dataclass(frozen=True)
class MixtureSettings:
    archetypes: int = 75
    """Per side; fewer if there are few decks."""
    decks_per_archetype: int = 12
    rounds: int = 25
    smoothing: float = 2.0
    """Decks' worth of the average that every archetype begins with."""
    temper: float = 0.7
    """The exponent of the likelihood of what was seen."""
    seed: int = 1


class Archetypes:
    def __init__(
        self,
        share: NDArray[np.float64],
        identity: NDArray[np.float64],
        cards: NDArray[np.float64],
        copies: NDArray[np.float64],
        temper: float,
    ) -> None:
        self.share, self.identity, self.cards, self.copies, self.temper = share, identity, cards, copies, temper
        """Of archetypes; of each: its identities, the chance of each card, the mean number of copies."""

    @classmethod
    def learn(cls, table: DeckTable, settings: MixtureSettings) -> Archetypes:
        random = np.random.default_rng(settings.seed)
        number = max(1, min(settings.archetypes, len(table) // settings.decks_per_archetype))
        present = (table.copies > 0).astype(np.float32)  # single precision: expectation maximization is all products
        identities = np.eye(len(table.identities), dtype=np.float32)[table.identity]
        usual, usual_identity = present.mean(0), identities.mean(0)
        belongs = np.full((len(table), number), 0.1 / number, np.float32)
        belongs[np.arange(len(table)), _first_groups(table, number, random)] += 0.9
        smoothing = np.float32(settings.smoothing)
        for _ in range(settings.rounds):
            weight = belongs.sum(0)
            share = (weight + 1) / (weight.sum() + number)
            cards = (belongs.T @ present + smoothing * usual) / (weight + smoothing)[:, None]
            cards = np.clip(cards, 1e-4, 1 - 1e-4)
            identity = (belongs.T @ identities + smoothing * usual_identity) / (weight + smoothing)[:, None]
            log = present @ (np.log(cards) - np.log1p(-cards)).T + np.log1p(-cards).sum(1)
            log += np.log(np.maximum(identity, 1e-9)).T[table.identity] + np.log(share)
            belongs = np.exp(log - log.max(1, keepdims=True))
            belongs /= belongs.sum(1, keepdims=True)
        copies = belongs.T @ table.copies.astype(np.float32) / np.maximum(belongs.sum(0), 1e-9)[:, None]
        share, identity, cards, copies = (array.astype(np.float64) for array in (share, identity, cards, copies))
        return cls(share, identity, cards, copies, settings.temper)

    def weights(self, seen: Observation) -> NDArray[np.float64]:
        """The posterior of each archetype: a card is drawn in proportion to its mean number of copies."""
        log = np.log(self.share)
        if seen.identity < self.identity.shape[1]:  # one that no deck had says nothing
            log = log + np.log(np.maximum(self.identity[:, seen.identity], 1e-9))
        drawn = np.log(np.maximum(self.copies, 1e-3))
        for card in np.flatnonzero(seen.copies):
            log += self.temper * int(seen.copies[card]) * drawn[:, card]
        found: NDArray[np.float64] = np.exp(log - logsumexp(log))
        return found

    def presence(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each card the chance that the deck has it."""
        chance: NDArray[np.float64] = weights @ self.cards
        return chance


def _first_groups(table: DeckTable, number: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Each deck to the most similar of some decks drawn at random."""
    present = (table.copies > 0).astype(np.float32)
    centres = random.choice(len(table), number, replace=False)
    similar = present @ present[centres].T + 5.0 * (table.identity[:, None] == table.identity[centres])
    return np.argmax(similar + 0.01 * random.random(similar.shape), axis=1)
