"""A small made-up collection of legal Netrunner decks: archetypes drawn at random, and decks that vary them."""

from __future__ import annotations

from functools import cache

import numpy as np

from boardwright.decks import Deck, DeckTable
from boardwright.decks.filling import Limits, fill
from boardwright.decks.netrunner import netrunner

IDENTITIES = ("01001", "01017", "01033", "01054", "01067", "01093", "03029")
"""Three runners, three corps, and The Professor."""
ARCHETYPES = 3
LAST_DATE = "2013-07-29"
"""Cards of the first two cycles only, so that the pool is small."""


@cache
def made_up_decks(number: int = 210, seed: int = 1) -> tuple[Deck, ...]:
    """Decks around `ARCHETYPES` archetypes per identity, the identities in turn, with dates from 2014-01-01 on."""
    game, random = netrunner(), np.random.default_rng(seed)
    cards = [card.code for card in game.pool if not card.is_identity and "" < card.released <= LAST_DATE]
    tastes = {
        (identity, archetype): random.gumbel(size=len(cards)) * 2
        for identity in IDENTITIES
        for archetype in range(ARCHETYPES)
    }
    decks = []
    for place in range(number):
        identity = IDENTITIES[place % len(IDENTITIES)]
        size = game.construction.minimum_size(identity) + int(random.integers(0, 2)) * 4
        limits = Limits.of(game.construction.requirements(identity, size, cards))
        wish = tastes[identity, int(random.integers(ARCHETYPES))] + random.gumbel(size=len(cards)) * 0.7
        order = np.argsort(-wish)
        copies = np.zeros(len(cards), np.int64)
        fill(copies, size, order, 1 + (3 * random.beta(2, 1, len(cards))).astype(np.int64), limits)
        fill(copies, size, order, np.full(len(cards), 3), limits)
        held = {cards[card]: int(copies[card]) for card in np.flatnonzero(copies)}
        date = f"2014-{1 + place % 12:02}-01"
        decks.append(Deck(identity, held, f"made up {place}", date))
    return tuple(decks)


@cache
def made_up_table() -> DeckTable:
    return DeckTable.of(made_up_decks())
