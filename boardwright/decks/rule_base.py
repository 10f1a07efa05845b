"""What the algorithms a0 to a7 share: the rules that decks are mined for, and what is counted beside them.

Rules are not listed: those that are active for some seen cards are found when they are asked for (mining.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import DeckGame
from boardwright.decks.mining import Antecedents, Transactions, Weight
from boardwright.decks.prediction import Observation, Rulebook
from boardwright.decks.table import COPIES, DeckTable

Whole = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class RuleSettings:
    """What the thesis leaves open, or varies."""

    min_support: float = 15
    """Decks that must contain a rule's cards: a count, or a share if below 1."""
    antecedents: int = 3
    """The most cards on the left side of a rule."""
    weight: Weight = "count"
    """What an active rule adds to its card's score: 1, its support, or its confidence."""
    fallback: Literal["popular", "pool"] = "popular"
    """Cards without an active rule: the most played first, or in the order of the card pool. Also breaks ties."""
    identity_in_parts: bool = True
    """Whether the identity is an item in the parts of a4 to a7."""
    part_antecedents: Antecedents = "deck"
    """Where the antecedents of a4 to a7 come from: the same part of a deck as the consequent, or the whole deck."""
    observed: Literal["top_up", "add"] = "top_up"
    """A card of which copies were seen: is it filled up to its usual number, or are as many added?"""
    cardinality: Literal["card", "rules"] = "card"
    """A card's usual number of copies: the average over all decks that play it, or over the decks behind each active
    rule."""
    seed: int = 0
    """Of a0."""


class RuleBase:
    """The rules of a table of training decks, for all algorithms. Scores are kept for the latest observation."""

    def __init__(self, game: DeckGame, table: DeckTable, settings: RuleSettings | None = None) -> None:
        self.table, self.settings = table, settings or RuleSettings()
        self.book = Rulebook.of(game, table)
        self._latest: Observation | None = None
        self._kept: dict[int, Scores] = {}

    @cached_property
    def popularity(self) -> NDArray[np.float64]:
        """The share of training decks that play a card."""
        share: NDArray[np.float64] = (self.table.copies > 0).mean(0)
        return share

    @cached_property
    def usual_copies(self) -> Whole:
        """A card's cardinality: the average number of copies in the decks that play it, rounded."""
        decks = np.maximum((self.table.copies > 0).sum(0), 1)
        mean = self.table.copies.sum(0) / decks
        return np.clip(np.floor(mean + 0.5), 1, COPIES).astype(np.int64)

    @cached_property
    def fallback_order(self) -> Whole:
        if self.settings.fallback == "pool":
            return np.arange(len(self.table.cards))
        return np.argsort(-self.popularity, kind="stable")

    @cached_property
    def fallback_rank(self) -> Whole:
        rank = np.empty(len(self.table.cards), np.int64)
        rank[self.fallback_order] = np.arange(len(rank))
        return rank

    @cached_property
    def whole_decks(self) -> Transactions:
        return Transactions.of(self.table)

    @cached_property
    def parts(self) -> tuple[Transactions, Transactions]:
        """What costs influence, and the rest."""
        return self._split("set")

    @cached_property
    def multiset_parts(self) -> tuple[Transactions, Transactions]:
        return self._split("multiset")

    def _split(self, items: Literal["set", "multiset"]) -> tuple[Transactions, Transactions]:
        costly = self.book.costly_part(self.table)
        with_identity = self.settings.identity_in_parts
        costing, free = (
            Transactions.of(
                self.table,
                items,
                part=part,
                identity=with_identity,
                antecedents=self.settings.part_antecedents,
            )
            for part in (costly, ~costly)
        )
        return costing, free

    def usual(self, mined: Transactions, seen: Observation) -> Whole:
        """The usual number of copies of each card, given what was seen."""
        if self.settings.cardinality == "card":
            return self.usual_copies
        given = mined.items_of(seen.identity, seen.copies)
        mean = mined.usual_copies(given, self.settings.min_support, self.settings.antecedents)[mined.num_identities :]
        return np.where(mean > 0, np.clip(np.floor(mean + 0.5), 1, COPIES), self.usual_copies).astype(np.int64)

    def scores(self, mined: Transactions, seen: Observation) -> Scores:
        """Scores of the cards (or copies) under the active rules, per number of antecedents."""
        if self._latest is not seen:
            self._latest, self._kept = seen, {}
        if id(mined) not in self._kept:
            s = self.settings
            given = mined.items_of(seen.identity, seen.copies)
            found = mined.score(given, s.min_support, s.antecedents, s.weight)
            self._kept[id(mined)] = found[:, mined.num_identities :]
        return self._kept[id(mined)]

    def ranked(self, scores: Scores, among: NDArray[np.bool_] | None = None) -> Whole:
        """Cards with a score, best first."""
        order = np.lexsort((self.fallback_rank, -scores))
        keep = scores[order] > 0
        return order[keep if among is None else keep & among[order]]
