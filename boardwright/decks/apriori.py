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

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.errors import BadDeck
from boardwright.decks.filling import Limits, fill
from boardwright.decks.mining import Transactions
from boardwright.decks.prediction import Observation
from boardwright.decks.rule_base import RuleBase, Scores, Whole
from boardwright.decks.table import COPIES

ALGORITHMS = ("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7")


class RulePredictor:
    """One of a0 to a7."""

    def __init__(self, algorithm: str, base: RuleBase) -> None:
        if algorithm not in ALGORITHMS:
            raise BadDeck(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
        self.base, self.settings = base, base.settings
        self._algorithm: Callable[[Observation, Whole, Limits], None] = getattr(self, f"_{algorithm}")

    def predict(self, seen: Observation) -> Whole:
        copies = seen.copies.astype(np.int64)
        base, limits = self.base, self.base.book.limits(seen.identity, seen.size)
        self._algorithm(seen, copies, limits)
        for wanted in (base.usual_copies, limits.limit):  # what the rules left open
            fill(copies, seen.size, base.fallback_order, wanted[base.fallback_order], limits)
        return copies

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
        by_card = np.argsort(order, kind="stable")
        sorted_cards = order[by_card]
        wanted = copies[order]
        wanted[by_card] += np.arange(1, len(order) + 1) - np.searchsorted(sorted_cards, sorted_cards)
        fill(copies, seen.size, order, wanted, limits)

    def _a1(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        cards = self.base.ranked(self.base.scores(self.base.whole_decks, seen).sum(0))
        self._add(seen, copies, cards, limits, limits.limit)

    def _a2(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        ranked = self.base.ranked(self.base.scores(self.base.whole_decks, seen).sum(0))
        self._add(seen, copies, ranked, limits, self.base.usual(self.base.whole_decks, seen))

    def _a3(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        scores = self.base.scores(self.base.whole_decks, seen).sum(0)
        for costly in (limits.cost > 0, limits.cost == 0):
            self._add(
                seen, copies, self.base.ranked(scores, costly), limits, self.base.usual(self.base.whole_decks, seen)
            )

    def _a4(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        for part, among in zip(self.base.parts, (limits.cost > 0, limits.cost == 0), strict=True):
            ranked = self.base.ranked(self.base.scores(part, seen).sum(0), among)
            self._add(seen, copies, ranked, limits, self.base.usual(part, seen))
            self._all_rules(seen, copies, limits, among)

    def _all_rules(self, seen: Observation, copies: Whole, limits: Limits, among: NDArray[np.bool_]) -> None:
        """Where the rules of a part do not suffice, all rules serve."""
        scores = self.base.scores(self.base.whole_decks, seen).sum(0)
        self._add(seen, copies, self.base.ranked(scores, among), limits, self.base.usual(self.base.whole_decks, seen))

    def _a5(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        for part, among in zip(self.base.multiset_parts, (limits.cost > 0, limits.cost == 0), strict=True):
            scores = self.base.scores(part, seen).sum(0)
            order = np.lexsort((np.repeat(self.base.fallback_rank, COPIES), -scores))
            order = order[scores[order] > 0]
            cards, copy = np.divmod(order, COPIES)
            keep = among[cards]
            fill(copies, seen.size, cards[keep], copy[keep] + 1, limits)
            self._all_rules(seen, copies, limits, among)

    def _a6(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        both = [(self.base.scores(part, seen), self.base.usual(part, seen)) for part in self.base.parts]
        parts = (limits.cost > 0, limits.cost == 0)
        for antecedents in range(self.settings.antecedents, 0, -1):
            for (scores, usual), among in zip(both, parts, strict=True):
                self._add(seen, copies, self.base.ranked(scores[antecedents], among), limits, usual)
        for among in parts:
            self._all_rules(seen, copies, limits, among)

    def _a7(self, seen: Observation, copies: Whole, limits: Limits) -> None:
        for part, among in zip(self.base.parts, (limits.cost > 0, limits.cost == 0), strict=True):
            self._confidently(part, among, seen, copies, limits)
        for among in (limits.cost > 0, limits.cost == 0):
            self._all_rules(seen, copies, limits, among)

    def _confidently(
        self, part: Transactions, among: NDArray[np.bool_], seen: Observation, copies: Whole, limits: Limits
    ) -> None:
        """Add the best card under the largest active rules, count it as seen, and look again."""
        s = self.settings
        given = part.items_of(seen.identity, copies)
        items = np.append(np.zeros(part.num_identities, np.bool_), among)
        scores = part.score(given, s.min_support, s.antecedents, s.weight, among=items)
        usual = self.base.usual(part, seen)
        left = items[part.num_identities :]
        grown = True
        while grown and copies.sum() < seen.size:
            grown = False
            for card in self._largest_first(scores[:, part.num_identities :], left):
                left[card] = False
                fresh = copies[card] == 0
                if self._add(seen, copies, np.array([card]), limits, usual) and fresh:
                    given = np.append(given, part.num_identities + card)
                    part.score(given, s.min_support, s.antecedents, s.weight, scores=scores, new=1, among=items)
                    grown = True
                    break

    def _largest_first(self, scores: Scores, left: NDArray[np.bool_]) -> Whole:
        """Cards with a score, by the largest of their active rules, then by their score under rules of that size."""
        cards = np.flatnonzero(left & (scores > 0).any(0))
        found = scores[:, cards]
        largest = len(found) - 1 - np.argmax(found[::-1] > 0, axis=0)
        best = found[largest, np.arange(len(cards))]
        return cards[np.lexsort((self.base.fallback_rank[cards], -best, -largest))]
