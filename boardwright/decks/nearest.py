"""Nearest decks: known decks are the cases of a case base, what was seen is the problem, and the project's own case
retrieval (boardwright.cbr) finds those that are most like it. They vote on what else the deck has.

A deck is described by two numbers, its size and the month it is from, and three sets: its identity, its group, and its
cards, copy by copy. Cards that few decks have tell more, so what lacking a seen card costs is its information content.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.blocks import CaseBlocks
from boardwright.cbr.case_base import CaseBase, packed_sets
from boardwright.cbr.index import IndexProfile
from boardwright.cbr.retrieval import NO_GROUP, Neighbours, nearest
from boardwright.cbr.schema import CaseSchema, NumberFeature, SetFeature
from boardwright.cbr.similarity import make_query
from boardwright.decks.prediction import Observation
from boardwright.decks.table import COPIES, DeckTable

_DAYS_PER_MONTH = 30
_LARGEST_CODE = 255
_IDENTITY, _GROUP, _CARDS = range(3)
"""The positions of the sets."""


@dataclass(frozen=True)
class NearestSettings:
    k: int = 100
    """How many decks vote."""
    cards: float = 5.0
    """What it costs to have none of the seen cards."""
    identity: float = 1.5
    """What it costs to have another identity."""
    group: float = 1.0
    """What it costs to have an identity of another group besides."""
    size: float = 0.3
    """What a standard deviation of the size costs."""
    month: float = 1.0
    """What a standard deviation of the date costs, if it is known."""
    softness: float = 1.0
    """Votes fall by a factor e with this much distance."""


class Votes(NamedTuple):
    decks: NDArray[np.int64]
    """The nearest decks, nearest first."""
    shares: NDArray[np.float64]
    """The shares of the votes that the nearest decks have."""


class NearestDecks:
    def __init__(
        self,
        table: DeckTable,
        days: NDArray[np.int64],
        group: NDArray[np.int64],
        settings: NearestSettings | None = None,
    ) -> None:
        self.table, self.group, self.settings = table, group, settings or NearestSettings()
        dated = days[days >= 0]
        self._first_day = int(dated.min()) if len(dated) else 0
        smallest = int(table.sizes.min(initial=_LARGEST_CODE))
        self.schema = CaseSchema(
            (NumberFeature("size", smallest), NumberFeature("month")),
            (
                SetFeature("identity", len(table.identities)),
                SetFeature("group", int(group.max(initial=0)) + 1),
                SetFeature("cards", COPIES * len(table.cards)),
            ),
            classes=1,
        )
        usual_day = int(dated.mean()) if len(dated) else 0  # of decks without a date
        identity = np.eye(len(table.identities), dtype=np.bool_)[table.identity]
        own_group = np.eye(int(group.max(initial=0)) + 1, dtype=np.bool_)[group[table.identity]]
        has = (table.copies[:, :, None] > np.arange(COPIES)).reshape(len(table), -1)
        rows = np.arange(len(table), dtype=np.int64)
        self.case_base = CaseBase(
            self.schema,
            self._codes(table.sizes, np.where(days < 0, usual_day, days)),
            packed_sets(self.schema, [identity, own_group, has]),
            np.zeros(len(table), np.uint8),
            rows,
            rows,
        )
        s = self.settings
        profile = IndexProfile(
            s.k,
            numbers={"size": s.size, "month": s.month},
            sets={"identity": s.identity, "group": s.group, "cards": s.cards},
        )
        self._dated = CaseBlocks(self.case_base, profile.distance(self.case_base))
        undated = replace(profile, numbers={"size": s.size})
        self._undated = CaseBlocks(self.case_base, undated.distance(self.case_base))
        alike = np.ones(len(group))
        information = -np.log((has.sum(0) + 0.5) / (len(table) + 1.0))
        self._weights = {_IDENTITY: alike, _GROUP: alike, _CARDS: information}

    def _codes(self, sizes: NDArray[np.int64], days: NDArray[np.int64]) -> NDArray[np.uint8]:
        """(numbers, decks): sizes and months as the case base has them."""
        numbers = np.stack([sizes - self.schema.numbers[0].low, (days - self._first_day) // _DAYS_PER_MONTH])
        return np.clip(numbers, 0, _LARGEST_CODE).astype(np.uint8)

    def retrieve(self, seen: Observation, k: int | None = None, without: int | None = None) -> Neighbours:
        """The known decks that are most like what was seen; `without` leaves one out."""
        decks = self._undated if seen.day is None else self._dated
        codes = self._codes(np.array([seen.size]), np.array([seen.day or 0]))[:, 0]
        cards = [
            COPIES * int(card) + copy
            for card in np.flatnonzero(seen.copies)
            for copy in range(min(int(seen.copies[card]), COPIES))
        ]
        identity = [seen.identity] if seen.identity < len(self.table.identities) else []  # a new one is like no other
        members = {_IDENTITY: identity, _GROUP: [int(self.group[seen.identity])], _CARDS: cards}
        query = make_query(decks.distance, codes, members, self._weights)
        excluded = NO_GROUP if without is None else without
        return nearest(decks, query, k or self.settings.k, exclude_group=excluded)

    def votes(self, seen: Observation, without: int | None = None) -> Votes:
        found = self.retrieve(seen, without=without)
        shares = np.exp((found.distances[:1] - found.distances) / self.settings.softness)
        return Votes(found.positions, shares / max(shares.sum(), 1e-9))

    def presence(self, votes: Votes) -> NDArray[np.float64]:
        """For each card the chance that the deck has it."""
        chance: NDArray[np.float64] = votes.shares @ (self.table.copies[votes.decks] > 0)
        return chance
