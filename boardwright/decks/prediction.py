"""What a prediction is asked from and what it gives: an observation of a deck, and the deck that is expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import NO_BUDGET, DeckGame
from boardwright.decks.errors import BadDeck
from boardwright.decks.filling import Limits
from boardwright.decks.table import DeckTable


@dataclass(frozen=True)
class Observation:
    """What is known of a deck: its identity, some of its cards, and its size."""

    identity: int
    """Its place in the table's identities."""
    copies: NDArray[np.int64]
    """How many copies of each card were seen."""
    size: int
    day: int | None = None
    """When the deck is met, as a day number (`datetime.date.toordinal`); None: unknown."""


class Predictor(Protocol):
    """Predicts decks after learning from a table of them."""

    def predict(self, seen: Observation) -> NDArray[np.int64]:
        """The whole deck, legal and of the size asked for: copies of each card."""
        ...


class ProbabilityModel(Protocol):
    """Gives, for each card, the chance that the deck has it."""

    def probabilities(self, seen: Observation) -> NDArray[np.float64]:
        """For each card and k: the chance of at least k copies."""
        ...


class Rulebook:
    """A game's construction rules over the columns of a table, remembered for identities and sizes."""

    def __init__(self, game: DeckGame, cards: tuple[str, ...], identities: tuple[str, ...]) -> None:
        self.game, self.cards, self.identities = game, cards, identities
        self.limits = lru_cache(maxsize=4096)(self._limits)

    @classmethod
    def of(cls, game: DeckGame, table: DeckTable) -> Rulebook:
        return cls(game, table.cards, table.identities)

    def _limits(self, identity: int, size: int) -> Limits:
        return Limits.of(self.game.construction.requirements(self.identities[identity], size, self.cards))

    def costs(self, identity: int) -> NDArray[np.int64]:
        """What a copy of each card costs of the identity's budget."""
        return self.limits(identity, self.game.construction.minimum_size(self.identities[identity])).cost

    def costly_part(self, table: DeckTable) -> NDArray[np.bool_]:
        """Which cards of which decks cost influence."""
        costs = np.stack([self.costs(identity) for identity in range(len(self.identities))])
        return (table.copies > 0) & (costs[table.identity] > 0)

    def observation(
        self, identity: str, seen: Mapping[str, int], size: int | None = None, day: int | None = None
    ) -> Observation:
        """An observation in codes, checked: impossible ones are a BadDeck."""
        pool, construction = self.game.pool, self.game.construction
        title = pool[identity].title
        if not pool[identity].is_identity:
            raise BadDeck(f"{title} is no identity")
        if identity not in self.identities:
            raise BadDeck(f"the model has never met a deck of {title}")
        smallest = construction.minimum_size(identity)
        size = smallest if size is None else size
        if size < smallest:
            raise BadDeck(f"a deck of {size} cards is impossible: {title} needs at least {smallest}")
        place = self.identities.index(identity)
        known = {code: column for column, code in enumerate(self.cards)}
        copies = np.zeros(len(self.cards), np.int64)
        for code, number in seen.items():
            card = pool[code]
            if card.is_identity:
                raise BadDeck(f"two identities: {title} and {card.title}")
            if code not in known:
                raise BadDeck(f"the model has never met {card.title} in a deck")
            if number < 1:
                raise BadDeck(f"{number} copies of {card.title} cannot have been seen")
            copies[known[code]] += number
        limits = self.limits(place, size)
        if size > (most := int(limits.limit.sum())):
            raise BadDeck(f"a deck of {size} cards is impossible: {title} can have at most {most} of the known ones")
        for column in np.flatnonzero(copies > limits.limit):
            card = pool[self.cards[column]]
            if limits.limit[column] == 0:
                raise BadDeck(f"{title} cannot have {card.title} in its deck")
            raise BadDeck(f"{copies[column]} copies of {card.title}; a deck may have {limits.limit[column]}")
        requirements = construction.requirements(identity, size, self.cards)
        if (spent := requirements.spent(copies)) > requirements.budget:
            raise BadDeck(f"these cards cost {spent} influence; {title} allows {requirements.budget}")
        if copies.sum() > size:
            raise BadDeck(f"{copies.sum()} cards seen of a deck of {size}")
        points = int(copies @ requirements.points)
        if points > requirements.points_high:
            raise BadDeck(f"these cards have {points} agenda points; a deck of {size} has {requirements.points_high}")
        return Observation(place, copies, size, day)


def has_budget(limits: Limits) -> bool:
    return limits.budget < NO_BUDGET


@dataclass(frozen=True)
class Prediction:
    """A predicted deck with its probabilities and the reasons."""

    observation: Observation
    at_least: NDArray[np.float64]
    """For each card and k: the chance of at least k copies."""
    copies: NDArray[np.int64]
    """The legal deck with the greatest expected number of cards in common with the true one."""
    reasons: Mapping[str, Any] = field(default_factory=dict)

    @property
    def expected_accuracy(self) -> float:
        """The share of the true deck that the predicted one is expected to contain."""
        taken = np.arange(self.at_least.shape[1]) < self.copies[:, None]
        seen = np.arange(self.at_least.shape[1]) < self.observation.copies[:, None]
        return float(np.where(seen, 1.0, self.at_least)[taken].sum() / self.observation.size)
