"""Rules of deck construction, in general: what a game says about them, and as arrays for search over decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.cards import CardPool
from boardwright.decks.deck import Deck, Problem

NO_BUDGET = 1_000_000
"""The budget of an identity without a limit."""


@dataclass(frozen=True)
class Requirements:
    """What a deck of one identity and size may contain, one entry per card of a list of cards."""

    limit: NDArray[np.int64]
    """The most copies; 0: not allowed at all."""
    cost: NDArray[np.int64]
    """What a copy costs of the budget."""
    first_is_free: NDArray[np.bool_]
    """The first copy costs nothing."""
    budget: int
    points: NDArray[np.int64]
    """What a copy counts towards the points that the deck must have."""
    points_low: int
    points_high: int

    def spent(self, copies: NDArray[Any]) -> int:
        """How much of the budget these copies cost."""
        return int((np.maximum(copies.astype(np.int64) - self.first_is_free, 0) * self.cost).sum())


class Construction(Protocol):
    """A game's rules of deck construction."""

    def problems(self, deck: Deck) -> list[Problem]:
        """Everything that is wrong with a deck, card by card; empty: it is legal."""
        ...

    def requirements(self, identity: str, size: int, cards: Sequence[str]) -> Requirements:
        """The same rules as arrays over `cards`, for a deck of that identity and size. They may be stricter than the
        rules, never laxer."""
        ...

    def minimum_size(self, identity: str) -> int: ...

    def group(self, identity: str) -> str:
        """What identities have in common besides the side, as a faction."""
        ...

    def side(self, code: str) -> str:
        """Cards and identities of one side never meet those of another in a deck."""
        ...

    def released(self, code: str) -> str:
        """The date of a card's first printing, as 2014-08-01; empty: unknown."""
        ...


@dataclass(frozen=True)
class DeckGame:
    """A game with constructed decks."""

    name: str
    title: str
    pool: CardPool[Any]
    construction: Construction
