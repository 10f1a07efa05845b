"""Why a card has the chance that is shown: what each thing that was seen adds to it or takes from it, with the rule
behind that; the nearest known decks, and the nearest archetypes.

What something adds is its Shapley value: how much the chance changes when it becomes known, averaged over the orders in
which everything can. So the usual chance and all that is added make up the chance exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.model import DeckModel
from boardwright.decks.prediction import Observation

_NEAREST = 5
"""So many known decks are named."""
_FEW = 5
"""Up to so many items, all orders are gone through."""
_DRAWN = 8
"""With more items, so many orders and their reverses are gone through."""


class Evidence(NamedTuple):
    """What the identity or one seen card says about another card, and the association rule between them."""

    item: str
    """The title."""
    adds: float
    """To the chance of at least one copy; negative: it speaks against the card."""
    support: int
    """Decks that have both."""
    decks: int
    """Decks that have the item."""

    @property
    def confidence(self) -> float:
        return self.support / max(self.decks, 1)


class Explanation(NamedTuple):
    usual: float
    """The chance with no card seen and an identity of that group of which nothing is known."""
    evidence: list[Evidence]
    """What matters most first. It adds up to the chance that is shown, less the usual one."""


class NearDeck(NamedTuple):
    name: str
    date: str
    identity: str
    weight: float
    """Its share of the votes of the nearest decks."""


class NearArchetype(NamedTuple):
    weight: float
    share: float
    """Of all decks of the side."""
    identity: str
    """The one it is played with most."""
    cards: tuple[str, ...]
    """Those that tell it from other decks most."""


@dataclass(frozen=True)
class Reasons:
    cards: dict[str, Explanation]
    """By code."""
    decks: list[NearDeck]
    """Empty if the model has no decks."""
    archetypes: list[NearArchetype]


def reasons(model: DeckModel, seen: Observation, cards: list[int]) -> Reasons:
    """Reasons for the chances of `cards`, columns of the model."""
    side = model.side(seen)
    here = model.here(seen)
    weights = side.archetypes.weights(here)
    near = [_archetype(model, seen, int(place), weights) for place in np.argsort(-weights)[:3] if weights[place] > 0.02]
    decks: list[NearDeck] = []
    if side.nearest is not None:
        votes = side.nearest.votes(here)
        for row, share in zip(votes.decks[:_NEAREST], votes.shares[:_NEAREST], strict=True):
            deck = side.nearest.table.deck(int(row))
            decks.append(NearDeck(deck.name, deck.date, model.game.pool[deck.identity].title, float(share)))
    return Reasons(_explained(model, seen, cards), decks, near)


def _explained(model: DeckModel, seen: Observation, cards: list[int]) -> dict[str, Explanation]:
    """A known identity and the cards that were seen are the items; without the identity, one of the same group of which
    nothing is known takes its place."""
    known = seen.identity < len(model.identities)
    items = [*([None] if known else []), *(int(card) for card in np.flatnonzero(seen.copies))]

    @cache
    def chance(present: frozenset[int | None]) -> NDArray[np.float64]:
        copies = np.where([card in present for card in range(len(seen.copies))], seen.copies, 0)
        asked = replace(seen, copies=copies, nameless=seen.nameless or None not in present)
        return model.probabilities(asked)[cards, 0]

    adds = {item: np.zeros(len(cards)) for item in items}
    orders = _orders(items)
    for order in orders:
        for place, item in enumerate(order):
            change = chance(frozenset(order[: place + 1])) - chance(frozenset(order[:place]))
            adds[item] += change / len(orders)
    usual = chance(frozenset())
    return {
        model.cards[card]: Explanation(
            float(usual[place]),
            sorted(
                (_evidence(model, seen, item, card, float(adds[item][place])) for item in items if item != card),
                key=lambda found: -abs(found.adds),
            ),
        )
        for place, card in enumerate(cards)
    }


def _orders(items: list[int | None]) -> list[tuple[int | None, ...]]:
    """All orders of a few items; of more some, drawn at random and each with its reverse."""
    if len(items) <= _FEW:
        return list(permutations(items))
    random = np.random.default_rng(len(items))
    drawn = [tuple(items[place] for place in random.permutation(len(items))) for _ in range(_DRAWN)]
    return [order for one in drawn for order in (one, one[::-1])]


def _evidence(model: DeckModel, seen: Observation, item: int | None, card: int, adds: float) -> Evidence:
    identities, pool = len(model.identities), model.game.pool
    row = seen.identity if item is None else identities + item
    title = pool[(*model.identities, *model.cards)[row]].title
    return Evidence(title, adds, int(model.pairs[row, identities + card]), int(model.pairs[row, row]))


def _archetype(model: DeckModel, seen: Observation, place: int, weights: np.ndarray) -> NearArchetype:
    side = model.side(seen)
    kinds = side.archetypes
    usual = kinds.share @ kinds.cards
    telling = np.argsort(-(kinds.cards[place] - usual))[:5]
    pool = model.game.pool
    return NearArchetype(
        float(weights[place]),
        float(kinds.share[place]),
        pool[model.identities[int(np.argmax(kinds.identity[place]))]].title,
        tuple(pool[model.cards[side.columns[column]]].title for column in telling),
    )
