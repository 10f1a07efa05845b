"""The eight algorithms of Sephton's thesis, section 6.1.3: decks predicted from association rules.

Where the text leaves something open, `RuleSettings` has a field for it. All of them keep the rules of construction.

    a0  legal cards at random
    a1  cards by their score under the active rules, each in as many copies as allowed
    a2  the same with each card's usual number of copies
    a3  the same, cards that cost influence first
    a4  rules mined apart from what costs influence and what does not; influence is spent first
    a5  the same from decks as multisets; the rules say how many copies
    a6  the same as a4, rules of more cards first
    a7  the same as a6, and what is predicted counts as seen at once
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.construction import DeckGame
from boardwright.decks.errors import BadDeck
from boardwright.decks.filling import Limits, fill
from boardwright.decks.mining import Transactions, Weight
from boardwright.decks.prediction import Observation, Rulebook
from boardwright.decks.table import COPIES, DeckTable

ALGORITHMS = ("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7")
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
    observed: Literal["top_up", "add"] = "top_up"
    """A card of which copies were seen: is it filled up to its usual number, or are as many added?"""
    cardinality: Literal["card", "rules"] = "card"
    """A card's usual number of copies: the average over all decks that play it, or over the decks behind each active
    rule."""
    seed: int = 0
    """Of a0."""


class RulePredictor:
    """One of a0 to a7, over a table of training decks."""

    def __init__(self, algorithm: str, game: DeckGame, table: DeckTable, settings: RuleSettings | None = None) -> None:
        if algorithm not in ALGORITHMS:
            raise BadDeck(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
        self.table, self.settings = table, settings or RuleSettings()
        self.book = Rulebook.of(game, table)
        self._algorithm: Callable[[Observation, Whole, Limits], None] = getattr(self, f"_{algorithm}")

    def predict(self, seen: Observation) -> Whole:
        copies = seen.copies.astype(np.int64)
        limits = self.book.limits(seen.identity, seen.size)
        self._algorithm(seen, copies, limits)
        for wanted in (self.usual_copies, limits.limit):  # what the rules left open
            fill(copies, seen.size, self._fallback_order, wanted[self._fallback_order], limits)
        return copies

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
    def _fallback_order(self) -> Whole:
        if self.settings.fallback == "pool":
            return np.arange(len(self.table.cards))
        return np.argsort(-self.popularity, kind="stable")

    @cached_property
    def _fallback_rank(self) -> Whole:
        rank = np.empty(len(self.table.cards), np.int64)
        rank[self._fallback_order] = np.arange(len(rank))
        return rank

    @cached_property
    def _all(self) -> Transactions:
        return Transactions.of(self.table)

    @cached_property
    def _parts(self) -> tuple[Transactions, Transactions]:
        """What costs influence, and the rest."""
        return self._split("set")

    @cached_property
    def _multiset_parts(self) -> tuple[Transactions, Transactions]:
        return self._split("multiset")

    def _split(self, items: Literal["set", "multiset"]) -> tuple[Transactions, Transactions]:
        costly = self.book.costly_part(self.table)
        with_identity = self.settings.identity_in_parts
        costing = Transactions.of(self.table, items, part=costly, identity=with_identity)
        return costing, Transactions.of(self.table, items, part=~costly, identity=with_identity)

    def _usual(self, mined: Transactions, seen: Observation) -> Whole:
        """The usual number of copies of each card, given what was seen."""
        if self.settings.cardinality == "card":
            return self.usual_copies
        given = mined.items_of(seen.identity, seen.copies)
        mean = mined.usual_copies(given, self.settings.min_support, self.settings.antecedents)[mined.num_identities :]
        return np.where(mean > 0, np.clip(np.floor(mean + 0.5), 1, COPIES), self.usual_copies).astype(np.int64)

    def _scores(self, mined: Transactions, seen: Observation, copies: Whole) -> Scores:
        """Scores of the cards (or copies) per number of antecedents."""
        given = mined.items_of(seen.identity, copies)
        s = self.settings
        return mined.score(given, s.min_support, s.antecedents, s.weight)[:, mined.num_identities :]

    def _ranked(self, scores: Scores, among: NDArray[np.bool_] | None = None) -> Whole:
        """Cards with a score, best first."""
        order = np.lexsort((self._fallback_rank, -scores))
        keep = scores[order] > 0
        return order[keep if among is None else keep & among[order]]

    def _add(self, seen: Observation, copies: Whole, cards: Whole, limits: Limits, wanted: Whole) -> int:
        """Add cards in this order, each until there are `wanted`."""
        number = wanted[cards]
        if self.settings.observed == "add":
            number = number + seen.copies[cards]
        return fill(copies, seen.size, cards, number, limits)

    def _a0(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        key = (self.settings.seed, seen.identity, *np.flatnonzero(seen.copies).tolist())
        random = np.random.default_rng(key)
        order = random.permutation(np.repeat(np.arange(len(copies)), limits.limit))
        wanted = copies[order]
        for card in np.unique(order):
            drawn = np.flatnonzero(order == card)
            wanted[drawn] += np.arange(1, len(drawn) + 1)
        fill(copies, seen.size, order, wanted, limits)

    def _a1(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        cards = self._ranked(self._scores(self._all, seen, copies).sum(0))
        self._add(seen, copies, cards, limits, limits.limit)

    def _a2(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        ranked = self._ranked(self._scores(self._all, seen, copies).sum(0))
        self._add(seen, copies, ranked, limits, self._usual(self._all, seen))

    def _a3(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        scores = self._scores(self._all, seen, copies).sum(0)
        for costly in (limits.cost > 0, limits.cost == 0):
            self._add(seen, copies, self._ranked(scores, costly), limits, self._usual(self._all, seen))

    def _a4(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        for part, among in zip(self._parts, (limits.cost > 0, limits.cost == 0), strict=True):
            ranked = self._ranked(self._scores(part, seen, seen.copies).sum(0), among)
            self._add(seen, copies, ranked, limits, self._usual(part, seen))
            self._all_rules(seen, copies, limits, among)

    def _all_rules(self, seen: Observation, copies: Whole, limits: Limits, among: NDArray[np.bool_]) -> None:
        """Where the rules of a part do not suffice, all rules serve."""
        scores = self._scores(self._all, seen, seen.copies).sum(0)
        self._add(seen, copies, self._ranked(scores, among), limits, self._usual(self._all, seen))

    def _a5(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        for part, among in zip(self._multiset_parts, (limits.cost > 0, limits.cost == 0), strict=True):
            scores = self._scores(part, seen, seen.copies).sum(0)
            order = np.lexsort((np.repeat(self._fallback_rank, COPIES), -scores))
            order = order[scores[order] > 0]
            cards, copy = np.divmod(order, COPIES)
            keep = among[cards]
            fill(copies, seen.size, cards[keep], copy[keep] + 1, limits)
            self._all_rules(seen, copies, limits, among)

    def _a6(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        both = [(self._scores(part, seen, seen.copies), self._usual(part, seen)) for part in self._parts]
        parts = (limits.cost > 0, limits.cost == 0)
        for antecedents in range(self.settings.antecedents, 0, -1):
            for (scores, usual), among in zip(both, parts, strict=True):
                self._add(seen, copies, self._ranked(scores[antecedents], among), limits, usual)
        for among in parts:
            self._all_rules(seen, copies, limits, among)

    def _a7(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        for part, among in zip(self._parts, (limits.cost > 0, limits.cost == 0), strict=True):
            self._confidently(part, among, seen, copies, limits)
        for among in (limits.cost > 0, limits.cost == 0):
            self._all_rules(seen, copies, limits, among)

    def _confidently(
        self, part: Transactions, among: NDArray[np.bool_], seen: Observation, copies: Whole, limits: Limits
    ) -> None:
        """Add the best card under the largest active rules, count it as seen, and look again."""
        s = self.settings
        given = part.items_of(seen.identity, copies)
        scores = part.score(given, s.min_support, s.antecedents, s.weight)
        usual = self._usual(part, seen)
        left = among.copy()
        while (card := self._best(scores[:, part.num_identities :], left)) is not None:
            left[card] = False
            fresh = copies[card] == 0
            if self._add(seen, copies, np.array([card]), limits, usual) and fresh:
                given = np.append(given, part.num_identities + card)
                part.score(given, s.min_support, s.antecedents, s.weight, scores=scores, new=1)

    def _best(self, scores: Scores, left: NDArray[np.bool_]) -> int | None:
        for antecedents in range(self.settings.antecedents, 0, -1):
            ranked = self._ranked(scores[antecedents], left)
            if len(ranked):
                return int(ranked[0])
        return None
