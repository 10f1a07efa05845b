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
from boardwright.kernel import compiled, rule, types
from boardwright.kernel.bits import count_bits

Items = Literal["set", "multiset"]
Antecedents = Literal["part", "deck"]
Weight = Literal["count", "support", "confidence"]
_WEIGHTS: tuple[Weight, ...] = ("count", "support", "confidence")
NO_ITEM = -1
WORD = 63
"""Decks in a word, where a set of them is bits."""


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
        among: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.float64]:
        """The active rules S → c with S among the `given` items, added up per size of S and item c.

        `scores[s, c]` sums, over the active rules with s antecedents, 1, the support or the confidence. With `scores`
        of earlier items, `new` says how many of the last items are new, and only rules that need one are added.
        With `among`, only these items are consequents; the scores of the others mean nothing then.
        """
        if scores is None:
            scores, new = np.zeros((antecedents + 1, self.num_items)), len(given)
        least = minimum_count(min_support, len(self))
        kind = _WEIGHTS.index(weight)
        copies, fired = np.zeros(0), np.zeros(0, np.int64)  # nobody asks for them here
        known = len(given) - new
        among = np.ones(self.num_items, np.bool_) if among is None else among
        _score_kernel()(
            self.starts, self.items, self.copies, self.has, given, known, among, least, antecedents, kind, scores,
            copies, fired,
        )  # fmt: skip
        return scores

    def usual_copies(self, given: NDArray[np.int64], min_support: float, antecedents: int) -> NDArray[np.float64]:
        """For each item the number of copies in the decks behind a rule, averaged over the active rules; 0: no rule."""
        scores, copies = np.zeros((antecedents + 1, self.num_items)), np.zeros(self.num_items)
        fired = np.zeros(self.num_items, np.int64)
        least = minimum_count(min_support, len(self))
        among = np.ones(self.num_items, np.bool_)
        _score_kernel()(
            self.starts, self.items, self.copies, self.has, given, 0, among, least, antecedents, 0, scores, copies,
            fired,
        )  # fmt: skip
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


@rule
def _rows_of_decks(starts: Any, items: Any, amounts: Any, decks: Any, place_of: Any, bits: Any) -> None:
    """Write, for each candidate, which of the decks have it: `bits[l]` those with more than l copies."""
    for d in range(decks.size):
        word, bit = d // WORD, 1 << (d % WORD)
        for i in range(starts[decks[d]], starts[decks[d] + 1]):
            place = place_of[items[i]]
            if place >= 0:
                bits[0, place, word] |= bit
                for level in range(1, min(amounts[i], len(bits))):
                    bits[level, place, word] |= bit


@rule
def _in_common(mask: Any, bits: Any) -> int:
    total = 0
    for word in range(mask.size):
        total += count_bits(mask[word] & bits[word])
    return total


@rule
def _rarest_first(has: Any, items: Any) -> None:
    """Sort the items by how many decks have them. (Counted by hand: code with `np.count_nonzero` in it is compiled anew
    in every process, since Numba cannot load what it has made of it.)"""
    decks = np.zeros(items.size, np.int64)
    for place in range(items.size):
        for deck in range(has.shape[1]):
            decks[place] += has[items[place], deck] != 0
    items[:] = items[np.argsort(decks, kind="mergesort")]


@rule
def _decks_with(has: Any, item: int, decks: Any) -> int:
    """Write which decks have an item; how many there are."""
    n = 0
    for deck in range(decks.size):
        decks[n] = deck  # overwritten unless it counts: no branch to guess
        n += has[item, deck] != 0
    return n


@rule
def _count_items(starts: Any, items: Any, decks: Any, counts: Any) -> None:
    """How many of the decks have each item."""
    counts[:] = 0
    for d in range(decks.size):
        for i in range(starts[decks[d]], starts[decks[d] + 1]):
            counts[items[i]] += 1


@rule
def _narrow(masks: Any, depth: int, row: Any) -> int:
    """The decks one deeper: those that have an item, too; how many they are."""
    n = 0
    for word in range(row.size):
        masks[depth + 1, word] = masks[depth, word] & row[word]
        n += count_bits(masks[depth + 1, word])
    return n


@rule
def _number_frequent(counts: Any, first: int, among: Any, least: int, consequents: Any, alone: Any) -> int:
    """Number the items that enough of the decks with `first` have: `counts` becomes each one's number, or -1."""
    frequent = 0
    for item in range(counts.size):
        enough = counts[item] >= least and among[item] and item != first  # no consequence of itself
        consequents[frequent], alone[frequent] = item, counts[item]
        counts[item] = frequent if enough else -1
        frequent += enough
    return frequent


@rule
def _rows_of_items(has: Any, items: Any, decks: Any, bits: Any) -> None:
    """Write, for each item, which of the decks have it."""
    for place in range(items.size):
        for word in range(bits.shape[1]):
            row = np.int64(0)
            for d in range(word * WORD, min((word + 1) * WORD, decks.size)):
                row |= np.int64(has[items[place], decks[d]] != 0) << (d - word * WORD)
            bits[place, word] = row


def _score(
    starts: Any, items: Any, amounts: Any, has: Any, given: Any, old: int, among: Any, least: int, most: int,
    weight: int, scores: Any, copies: Any, fired: Any,
) -> None:  # fmt: skip
    """Depth first through the subsets of `given`; those of the first `old` items alone are known already. Copies are
    counted if there is room for them.

    The new items come first in every subset, so that a subset of old items is never begun; the rarest first. What
    begins with the same item is counted among the decks that have it: a set of decks is a row of bits, and what is too
    rare there is no candidate in larger subsets.
    """
    fresh = given.size - old
    order = np.empty(given.size, np.int64)
    order[:fresh] = given[old:]
    order[fresh:] = given[:old]
    _rarest_first(has, order[:fresh])
    decks = np.empty(starts.size - 1, np.int64)
    counts = np.empty(scores.shape[1], np.int64)
    consequents, alone = np.empty_like(counts), np.empty_like(counts)
    levels = COPIES if copies.size else 1
    number, at, supports = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    for begin in range(fresh):
        first = order[begin]
        n = _decks_with(has, first, decks)
        if n < least:
            continue
        _count_items(starts, items, decks[:n], counts)
        frequent = _number_frequent(counts, first, among, least, consequents, alone)
        rest = order[begin + 1 :] if most > 1 else order[:0]
        words = (n + WORD - 1) // WORD if rest.size or copies.size else 0
        bits = np.zeros((levels, frequent, words), np.int64)
        if words:
            _rows_of_decks(starts, items, amounts, decks[:n], counts, bits)
        wanted = np.zeros((rest.size, words), np.int64)
        _rows_of_items(has, rest, decks[:n], wanted)
        masks = np.full((most + 1, words), (1 << WORD) - 1)
        candidates = np.empty((most + 1, frequent), np.int64)
        candidates[0], number[0] = np.arange(frequent), frequent
        depth, added = 1, first
        supports[1], at[1] = n, 0
        while depth > 0:
            if added >= 0:  # a subset that was not looked at yet
                kept = 0
                for c in range(number[depth - 1]):
                    candidate = candidates[depth - 1, c]
                    consequent = consequents[candidate]
                    support = alone[c] if depth == 1 else _in_common(masks[depth], bits[0, candidate])
                    candidates[depth, kept] = candidate
                    if support < least or consequent == added:
                        continue
                    kept += 1
                    value = 1.0 if weight == 0 else support if weight == 1 else support / supports[depth]
                    scores[depth, consequent] += value
                    if copies.size:
                        held = support
                        for level in range(1, levels):
                            held += _in_common(masks[depth], bits[level, candidate])
                        copies[consequent] += held / support
                        fired[consequent] += 1
                number[depth] = kept
                added = -1
            if at[depth] == rest.size or depth == most or number[depth] == 0:
                depth -= 1
                continue
            place = at[depth]
            at[depth] += 1
            n = _narrow(masks, depth, wanted[place])
            if n >= least:
                depth += 1
                supports[depth], at[depth], added = n, at[depth - 1], rest[place]


@cache
def _score_kernel() -> Any:
    whole = types.int64
    return compiled(
        _score,
        types.void(
            types.int64[::1], types.int32[::1], types.uint8[::1], types.uint8[:, ::1], types.int64[::1], whole,
            types.boolean[::1], whole, whole, whole, types.float64[:, ::1], types.float64[::1], types.int64[::1],
        ),
        "decks.score",
    )  # fmt: skip
