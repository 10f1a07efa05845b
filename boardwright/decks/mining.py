"""Frequent item sets and association rules over decks.

Items are a deck's identity and its cards: as a set (a card is one item however many copies there are) or as a multiset
(the first, second and third copy are different items). Sets are found depth first, each with the list of decks that
contain it, so that only decks that matter are looked at (occurrence delivery, as in LCM).

`Transactions.score` finds the rules that are active for some items without mining all others first: every rule
S → c with S among the items is found by going through the subsets of the items. The result is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.errors import BadDeck
from boardwright.decks.table import COPIES, DeckTable
from boardwright.kernel import compiled, rule
from boardwright.kernel.declare import types

Items = Literal["set", "multiset"]
Antecedents = Literal["part", "deck"]
Weight = Literal["count", "support", "confidence"]
_WEIGHTS: tuple[Weight, ...] = ("count", "support", "confidence")
NO_ITEM = -1


class Rule(NamedTuple):
    """If a deck contains the antecedent, it is likely to contain the consequent."""

    antecedent: tuple[int, ...]
    consequent: int
    support: int
    """Decks that contain both."""
    confidence: float
    """Their share of the decks that contain the antecedent."""


@dataclass(frozen=True)
class ItemSets:
    """Frequent item sets: items in ascending order, filled up with NO_ITEM, and how many decks contain each."""

    items: NDArray[np.int32]
    support: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.support)

    def as_dict(self) -> dict[tuple[int, ...], int]:
        sizes = (self.items != NO_ITEM).sum(1)
        rows = zip(self.items.tolist(), sizes.tolist(), self.support.tolist(), strict=True)
        return {tuple(row[:size]): support for row, size, support in rows}


def minimum_count(min_support: float, decks: int) -> int:
    """A minimum support as a number of decks: below 1 it is a share, from 1 on a count."""
    if min_support <= 0:
        raise BadDeck(f"a minimum support must be positive, not {min_support}")
    return max(1, int(np.ceil(min_support * decks - 1e-9))) if min_support < 1 else int(np.ceil(min_support))


@dataclass(frozen=True)
class Transactions:
    """Decks as sets of items: first the identities, then the cards (or their copies, COPIES for each card)."""

    num_identities: int
    copies_per_card: int
    """1 for sets, COPIES for multisets."""
    has: NDArray[np.uint8]
    """A row per item: how many copies of it each deck has, 1 for identities and for the copies of a multiset.
    Antecedents are looked up here."""
    starts: NDArray[np.int64]
    items: NDArray[np.int32]
    """Consequents are looked up here: the items of deck d, ascending, are items[starts[d] : starts[d + 1]]."""
    copies: NDArray[np.uint8]
    """How many copies of each item there are."""

    @classmethod
    def of(
        cls,
        table: DeckTable,
        items: Items = "set",
        *,
        part: NDArray[np.bool_] | None = None,
        identity: bool = True,
        antecedents: Antecedents = "part",
    ) -> Transactions:
        """The transactions of a table. `part` says which card of which deck takes part; `identity`, whether the
        identity is an item; `antecedents`, whether rules for a part may ask for cards of the rest of the deck."""
        taken = _has(table, table.copies if part is None else np.where(part, table.copies, 0), items, identity)
        has = taken if antecedents == "part" else _has(table, table.copies, items, identity)
        number = len(table.identities)
        deck, item = np.nonzero(taken)
        starts = np.searchsorted(deck, np.arange(len(table) + 1)).astype(np.int64)
        by_item = np.ascontiguousarray(has.T)
        return cls(number, 1 if items == "set" else COPIES, by_item, starts, item.astype(np.int32), has[deck, item])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def num_items(self) -> int:
        return len(self.has)

    def items_of(self, identity: int, copies: NDArray[Any]) -> NDArray[np.int64]:
        """The items of a deck, or of what is known of one."""
        held = np.flatnonzero(copies)
        cards = [
            self.num_identities + self.copies_per_card * card + copy
            for card in held
            for copy in range(min(int(copies[card]), self.copies_per_card))
        ]
        return np.array([identity, *cards], np.int64)

    def mine(self, min_support: float, max_size: int = 4) -> ItemSets:
        """All item sets of up to `max_size` items that at least `min_support` decks contain."""
        least = minimum_count(min_support, len(self))
        items, support = _mine_kernel()(self.starts, self.items, self.num_items, least, max_size)
        return ItemSets(items, support)

    def rules(self, sets: ItemSets) -> Iterator[Rule]:
        """All rules with one consequent, a card, that the item sets give."""
        known = sets.as_dict()
        for items, support in known.items():
            if len(items) < 2:
                continue
            for place, consequent in enumerate(items):
                if consequent >= self.num_identities:
                    antecedent = items[:place] + items[place + 1 :]
                    yield Rule(antecedent, consequent, support, support / known[antecedent])

    def score(
        self,
        given: NDArray[np.int64],
        min_support: float,
        antecedents: int,
        weight: Weight = "count",
        *,
        scores: NDArray[np.float64] | None = None,
        new: int = 0,
    ) -> NDArray[np.float64]:
        """The active rules S → c with S among the `given` items, added up per size of S and item c.

        `scores[s, c]` sums, over the active rules with s antecedents, 1, the support or the confidence. With `scores`
        of earlier items, `new` says how many of the last items are new, and only rules that need one are added.
        """
        if scores is None:
            scores, new = np.zeros((antecedents + 1, self.num_items)), len(given)
        least = minimum_count(min_support, len(self))
        kind = _WEIGHTS.index(weight)
        copies, fired = np.zeros(0), np.zeros(0, np.int64)  # nobody asks for them here
        known = len(given) - new
        _score_kernel()(
            self.starts, self.items, self.copies, self.has, given, known, least, antecedents, kind, scores, copies,
            fired,
        )  # fmt: skip
        return scores

    def usual_copies(self, given: NDArray[np.int64], min_support: float, antecedents: int) -> NDArray[np.float64]:
        """For each item the number of copies in the decks behind a rule, averaged over the active rules; 0: no rule."""
        scores, copies = np.zeros((antecedents + 1, self.num_items)), np.zeros(self.num_items)
        fired = np.zeros(self.num_items, np.int64)
        least = minimum_count(min_support, len(self))
        _score_kernel()(
            self.starts, self.items, self.copies, self.has, given, 0, least, antecedents, 0, scores, copies, fired
        )
        average: NDArray[np.float64] = copies / np.maximum(fired, 1)
        return average


def _has(table: DeckTable, copies: NDArray[np.uint8], items: Items, identity: bool) -> NDArray[np.uint8]:
    number = len(table.identities)
    held = copies if items == "set" else (copies[:, :, None] > np.arange(COPIES)).reshape(len(copies), -1)
    has = np.zeros((len(table), number + held.shape[1]), np.uint8)
    if identity:
        has[np.arange(len(table)), table.identity] = 1
    has[:, number:] = held
    return has


@rule
def _extend(starts: Any, items: Any, decks: Any, first: Any, end: int, least: int, most: int, prefix: Any, size: int,
            out: Any, support: Any, used: int) -> tuple[Any, Any, int]:  # fmt: skip
    """All frequent sets that add to a prefix items after its last; `decks` contain the prefix, and `first` is where
    each deck's remaining items begin."""
    counts = np.zeros(end, np.int32)
    for d in range(decks.size):
        for place in range(first[d], starts[decks[d] + 1]):
            counts[items[place]] += 1
    where = np.full(end, -1, np.int32)
    frequent = 0
    for item in range(end):
        if counts[item] >= least:
            where[item] = frequent
            frequent += 1
    offsets = np.zeros(frequent + 1, np.int64)
    for item in range(end):
        if where[item] >= 0:
            offsets[where[item] + 1] = counts[item]
    for place in range(frequent):
        offsets[place + 1] += offsets[place]
    deeper = size + 1 < most
    delivered = np.empty(offsets[frequent] if deeper else 0, np.int64)
    following = np.empty(delivered.size, np.int64)
    if deeper:
        filled = offsets[:-1].copy()
        for d in range(decks.size):
            for place in range(first[d], starts[decks[d] + 1]):
                at = where[items[place]]
                if at >= 0:
                    delivered[filled[at]] = decks[d]
                    following[filled[at]] = place + 1
                    filled[at] += 1
    for item in range(end):
        at = where[item]
        if at < 0:
            continue
        prefix[size] = item
        if used == support.size:
            out, support = np.concatenate((out, np.empty_like(out))), np.concatenate((support, np.empty_like(support)))
        out[used, : size + 1] = prefix[: size + 1]
        out[used, size + 1 :] = NO_ITEM
        support[used] = counts[item]
        used += 1
        if deeper:
            low, high = offsets[at], offsets[at + 1]
            out, support, used = _extend(
                starts, items, delivered[low:high], following[low:high], end, least, most, prefix, size + 1, out,
                support, used,
            )  # fmt: skip
    return out, support, used


def _mine(starts: Any, items: Any, num_items: int, least: int, most: int) -> Any:
    decks = np.arange(starts.size - 1)
    prefix = np.full(most, NO_ITEM, np.int32)
    out, support = np.empty((1024, most), np.int32), np.empty(1024, np.int32)
    out, support, used = _extend(
        starts, items, decks, starts[:-1].copy(), num_items, least, most, prefix, 0, out, support, 0
    )
    return out[:used].copy(), support[:used].copy()


@cache
def _mine_kernel() -> Any:
    whole = types.int64
    found = types.Tuple((types.int32[:, ::1], types.int32[::1]))
    return compiled(_mine, found(types.int64[::1], types.int32[::1], whole, whole, whole), "decks.mine")


def _score(
    starts: Any, items: Any, amounts: Any, has: Any, given: Any, old: int, least: int, most: int, weight: int,
    scores: Any, copies: Any, fired: Any,
) -> None:  # fmt: skip
    """Depth first through the subsets of `given`; those of the first `old` items alone are known already. Copies are
    counted if there is room for them.

    The new items come first in every subset, so that a subset of old items is never begun.
    """
    order = np.empty(given.size, np.int64)
    order[: given.size - old] = given[old:]
    order[given.size - old :] = given[:old]
    decks = np.empty((most + 1, starts.size - 1), np.int64)
    number = np.zeros(most + 1, np.int64)
    at = np.zeros(most + 1, np.int64)
    counts = np.zeros(scores.shape[1], np.int64)
    held = np.zeros(scores.shape[1], np.int64)
    number[0] = starts.size - 1
    decks[0] = np.arange(starts.size - 1)
    depth = 0
    while depth >= 0:
        if at[depth] == order.size or depth == most or (depth == 0 and at[0] == order.size - old):
            depth -= 1
            continue
        item = order[at[depth]]
        at[depth] += 1
        n = 0
        for place in range(number[depth]):
            deck = decks[depth, place]
            decks[depth + 1, n] = deck  # overwritten unless it counts: no branch to guess
            n += has[item, deck] != 0
        if n < least:
            continue
        depth += 1
        number[depth], at[depth] = n, at[depth - 1]
        for place in range(n):
            deck = decks[depth, place]
            for i in range(starts[deck], starts[deck + 1]):
                counts[items[i]] += 1
            if copies.size:
                for i in range(starts[deck], starts[deck + 1]):
                    held[items[i]] += amounts[i]
        for level in range(depth):  # what is in S is no consequence of it
            counts[order[at[level] - 1]] = 0
        for consequent in range(counts.size):
            support = counts[consequent]
            total = held[consequent]
            counts[consequent] = 0
            held[consequent] = 0
            if support >= least:
                if copies.size:
                    copies[consequent] += total / support
                    fired[consequent] += 1
                scores[depth, consequent] += 1.0 if weight == 0 else support if weight == 1 else support / n


@cache
def _score_kernel() -> Any:
    whole = types.int64
    return compiled(
        _score,
        types.void(
            types.int64[::1], types.int32[::1], types.uint8[::1], types.uint8[:, ::1], types.int64[::1], whole, whole,
            whole, whole, types.float64[:, ::1], types.float64[::1], types.int64[::1],
        ),
        "decks.score",
    )  # fmt: skip
