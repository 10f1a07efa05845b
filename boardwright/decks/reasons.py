"""Why a card is expected: rules that fired, the nearest known decks, the nearest archetypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from boardwright.decks.model import DeckModel
from boardwright.decks.prediction import Observation


class FiredRule(NamedTuple):
    """An association rule with one antecedent that is active for what was seen."""

    antecedent: str
    consequent: str
    support: int
    """Decks that have both,"""
    decks: int
    """and decks that have the antecedent."""
    confidence: float
    lift: float
    """How much likelier the antecedent makes the consequent, among decks of the side."""


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
    rules: dict[str, list[FiredRule]]
    """By consequent."""
    decks: list[NearDeck]
    """Empty if the model has no decks."""
    archetypes: list[NearArchetype]


def reasons(model: DeckModel, seen: Observation, cards: list[int], *, each: int = 1, nearest: int = 5) -> Reasons:
    """Reasons for expecting `cards`, columns of the model."""
    side = model.side(seen)
    here = side.here(seen)
    weights = side.archetypes.weights(here)
    near = [_archetype(model, seen, int(place), weights) for place in np.argsort(-weights)[:3] if weights[place] > 0.02]
    decks: list[NearDeck] = []
    if side.nearest is not None:
        votes = side.nearest.votes(here)
        for row, share in zip(votes.decks[:nearest], votes.shares[:nearest], strict=True):
            deck = side.nearest.table.deck(int(row))
            decks.append(NearDeck(deck.name, deck.date, model.game.pool[deck.identity].title, float(share)))
    return Reasons({model.cards[card]: _rules(model, seen, card)[:each] for card in cards}, decks, near)


def _rules(model: DeckModel, seen: Observation, card: int) -> list[FiredRule]:
    """The active rules for a card, those with the greatest lift first."""
    pool, identities = model.game.pool, len(model.identities)
    codes = (*model.identities, *model.cards)
    consequent = identities + card
    side = model.side_of[seen.identity]
    of_side = sum(int(model.pairs[i, i]) for i in range(identities) if model.side_of[i] == side)
    usual = max(int(model.pairs[consequent, consequent]) / max(of_side, 1), 1e-9)
    found = []
    for item in (seen.identity, *(identities + np.flatnonzero(seen.copies))):
        both, alone = int(model.pairs[item, consequent]), int(model.pairs[item, item])
        if item != consequent and both > 0:
            confidence = both / alone
            found.append(
                FiredRule(
                    pool[codes[item]].title, pool[codes[consequent]].title, both, alone, confidence, confidence / usual
                )
            )
    return sorted(found, key=lambda rule: -rule.lift)


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
