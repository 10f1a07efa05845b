"""What a prediction is asked from and what it gives: an observation of a deck, and the deck that is expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import NO_BUDGET, DeckGame, Requirements
from boardwright.decks.errors import BadDeck
from boardwright.decks.filling import Limits
from boardwright.decks.table import DeckTable, day_number


@dataclass(frozen=True)
class Observation:
    """What is known of a deck: its identity, some of its cards, and its size."""

    identity: int
    """Its place in the rulebook's identities."""
    copies: NDArray[np.int64]
    """How many copies of each card were seen."""
    size: int
    """If it is unknown, the likeliest one."""
    day: int | None = None
    """When the deck is met, as a day number (`datetime.date.toordinal`); None: unknown."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Copies by code of seen cards that no known deck has. They are part of the deck and say nothing about the rest."""
    sizes: Mapping[int, float] = field(default_factory=dict)
    """If the size is unknown, the chance of each; empty: it is known."""
    nameless: bool = False
    """Whether the identity only says what the rules allow: predicted as if no known deck had it."""

    @property
    def num_others(self) -> int:
        return sum(self.others.values())

    @property
    def size_of_known(self) -> int:
        """How many of the deck's cards are among the columns."""
        return self.size - self.num_others


class Rulebook:
    """A game's construction rules over the columns of a table, remembered for identities and sizes.

    Its identities are those of the table, then all others of the game: decks may have one that is new.
    """

    def __init__(self, game: DeckGame, cards: tuple[str, ...], identities: tuple[str, ...]) -> None:
        self.game, self.cards = game, cards
        others = (card.code for card in game.pool if card.is_identity and card.code not in identities)
        self.identities = (*identities, *others)
        self.num_known = len(identities)
        """How many of the identities the table has."""
        self.limits = lru_cache(maxsize=4096)(self._limits)

    @classmethod
    def of(cls, game: DeckGame, table: DeckTable) -> Rulebook:
        return cls(game, table.cards, table.identities)

    def _limits(self, identity: int, size: int) -> Limits:
        return Limits.of(self.game.construction.requirements(self.identities[identity], size, self.cards))

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """Of each identity, then each group itself: that of a nameless identity. Groups of the table come first."""
        groups = [self.game.construction.group(code) for code in self.identities]
        known = sorted(set(groups[: self.num_known]))
        order = [*known, *sorted(set(groups) - set(known))]
        return np.array([order.index(name) for name in (*groups, *order)], np.int64)

    def nameless(self, identity: int) -> int:
        """An identity of the same group that no known deck has, as predictors number it."""
        return len(self.identities) + int(self.group[identity])

    @cached_property
    def _released(self) -> NDArray[np.int64]:
        """The day of each card's first printing; 0: unknown."""
        dates = (self.game.construction.released(code) for code in self.cards)
        return np.array([day_number(date) if date else 0 for date in dates], np.int64)

    def limits_left(self, seen: Observation) -> Limits:
        """What may be among the `size_of_known` cards of a deck that are in the columns: without what other seen cards
        spend, and without cards that were not printed yet, unless they were seen."""
        limits = self.limits(seen.identity, seen.size)
        if seen.day is not None:
            early = (self._released > seen.day) & (seen.copies == 0)
            limits = limits._replace(limit=np.where(early, 0, limits.limit))
        if seen.others:
            own = self._requirements_of_others(seen)
            copies = np.array(list(seen.others.values()))
            points = int(copies @ own.points)
            limits = limits._replace(
                budget=limits.budget - own.spent(copies), low=limits.low - points, high=limits.high - points
            )
        return limits

    def _requirements_of_others(self, seen: Observation) -> Requirements:
        return self.game.construction.requirements(self.identities[seen.identity], seen.size, list(seen.others))

    def costs(self, identity: int) -> NDArray[np.int64]:
        """What a copy of each card costs of the identity's budget."""
        return self.limits(identity, self.game.construction.minimum_size(self.identities[identity])).cost

    def costly_part(self, table: DeckTable) -> NDArray[np.bool_]:
        """Which cards of which decks cost influence."""
        costs = np.stack([self.costs(identity) for identity in range(self.num_known)])
        return (table.copies > 0) & (costs[table.identity] > 0)

    def place(self, identity: str) -> int:
        """An identity's place among all."""
        if not self.game.pool[identity].is_identity:
            raise BadDeck(f"{self.game.pool[identity].title} is no identity")
        return self.identities.index(identity)

    def observation(
        self, identity: str, seen: Mapping[str, int], size: int | None = None, day: int | None = None
    ) -> Observation:
        """An observation in codes, checked: impossible ones are a BadDeck. Without a size it is the smallest one."""
        pool, place = self.game.pool, self.place(identity)
        title, smallest = pool[identity].title, self.game.construction.minimum_size(identity)
        size = smallest if size is None else size
        if size < smallest:
            raise BadDeck(f"a deck of {size} cards is impossible: {title} needs at least {smallest}")
        known = {code: column for column, code in enumerate(self.cards)}
        copies = np.zeros(len(self.cards), np.int64)
        others: dict[str, int] = {}
        for code, number in seen.items():
            card = pool[code]
            if card.is_identity:
                raise BadDeck(f"two identities: {title} and {card.title}")
            if number < 1:
                raise BadDeck(f"{number} copies of {card.title} cannot have been seen")
            if code in known:
                copies[known[code]] += number
            else:
                others[code] = others.get(code, 0) + number
        self._check_possible(identity, seen, size)
        found = Observation(place, copies, size, day, others)
        if found.size_of_known > (most := int(self.limits_left(found).limit.sum())):
            raise BadDeck(f"a deck of {size} cards is impossible: {title} can have at most {most} of the known ones")
        return found

    def _check_possible(self, identity: str, seen: Mapping[str, int], size: int) -> None:
        pool, title, cards = self.game.pool, self.game.pool[identity].title, list(seen)
        copies = np.array([seen[code] for code in cards], np.int64)
        rules = self.game.construction.requirements(identity, size, cards)
        for code, number, limit in zip(cards, copies, rules.limit, strict=True):
            if limit == 0:
                raise BadDeck(f"{title} cannot have {pool[code].title} in its deck")
            if number > limit:
                raise BadDeck(f"{number} copies of {pool[code].title}; a deck may have {limit}")
        if (spent := rules.spent(copies)) > rules.budget:
            raise BadDeck(f"these cards cost {spent} influence; {title} allows {rules.budget}")
        if copies.sum() > size:
            raise BadDeck(f"{copies.sum()} cards seen of a deck of {size}")
        if (points := int(copies @ rules.points)) > rules.points_high:
            raise BadDeck(f"these cards have {points} agenda points; a deck of {size} has {rules.points_high}")


def has_budget(limits: Limits) -> bool:
    return limits.budget < NO_BUDGET


@dataclass(frozen=True)
class Prediction:
    """A predicted deck with its probabilities. Seen cards that no known deck has belong to it as well."""

    observation: Observation
    at_least: NDArray[np.float64]
    """For each card and k: the chance of at least k copies."""
    copies: NDArray[np.int64]
    """The legal deck with the greatest expected number of cards in common with the true one."""

    @property
    def expected_accuracy(self) -> float:
        """The share of the true deck that the predicted one is expected to contain."""
        taken = np.arange(self.at_least.shape[1]) < self.copies[:, None]
        seen = np.arange(self.at_least.shape[1]) < self.observation.copies[:, None]
        right = float(np.where(seen, 1.0, self.at_least)[taken].sum()) + self.observation.num_others
        return right / self.observation.size
