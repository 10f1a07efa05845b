"""Many decks as one table: a row per deck, a column per card, how many copies in each cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.decks.deck import Deck
from boardwright.decks.errors import BadDeck


def day_number(text: str) -> int:
    """The day number of a date as 2014-08-01."""
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        raise BadDeck(f"{text!r} is no date; expected one as 2014-08-01") from None


COPIES = 3
"""Copies beyond this many are not told apart."""


@dataclass(frozen=True)
class DeckTable:
    cards: tuple[str, ...]
    """Codes, one per column."""
    identities: tuple[str, ...]
    """Codes of the identities, in order."""
    identity: NDArray[np.int64]
    """Each deck's place in `identities`."""
    copies: NDArray[np.uint8]
    names: tuple[str, ...]
    dates: tuple[str, ...]

    @classmethod
    def of(
        cls, decks: Iterable[Deck], cards: Sequence[str] | None = None, identities: Sequence[str] | None = None
    ) -> DeckTable:
        """The table of some decks. Without other columns given: all cards and identities that occur, in order."""
        decks = list(decks)
        cards = sorted({code for deck in decks for code in deck.cards}) if cards is None else cards
        identities = sorted({deck.identity for deck in decks}) if identities is None else identities
        column = {code: place for place, code in enumerate(cards)}
        row_of = {code: place for place, code in enumerate(identities)}
        copies = np.zeros((len(decks), len(cards)), np.uint8)
        for row, deck in enumerate(decks):
            for code, number in deck.cards.items():
                if code not in column:
                    raise BadDeck(f"{deck.name or deck.source}: the table has no column for the card {code}")
                copies[row, column[code]] = number
        return cls(
            tuple(cards),
            tuple(identities),
            np.array([row_of[deck.identity] for deck in decks], np.int64),
            copies,
            tuple(deck.name for deck in decks),
            tuple(deck.date for deck in decks),
        )

    def __len__(self) -> int:
        return len(self.copies)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        return self.copies.sum(1, dtype=np.int64)

    def rows(self, which: NDArray[Any]) -> DeckTable:
        """Some of the decks, with the same columns."""
        places = np.flatnonzero(which) if which.dtype == np.bool_ else which
        return DeckTable(
            self.cards,
            self.identities,
            self.identity[places],
            self.copies[places],
            tuple(self.names[place] for place in places),
            tuple(self.dates[place] for place in places),
        )

    def columns(self, cards: Sequence[str]) -> NDArray[np.int64]:
        """Where some of its cards are."""
        return np.array([self._column[code] for code in cards], np.int64)

    @cached_property
    def _column(self) -> dict[str, int]:
        return {code: place for place, code in enumerate(self.cards)}

    def of_cards(self, columns: NDArray[np.int64]) -> DeckTable:
        """The same decks with some of their cards only."""
        cards = tuple(self.cards[column] for column in columns)
        copies = np.ascontiguousarray(self.copies[:, columns])
        return DeckTable(cards, self.identities, self.identity, copies, self.names, self.dates)

    def met(self) -> DeckTable:
        """The same decks, with the cards and identities alone that occur in them."""
        met, identity = np.unique(self.identity, return_inverse=True)
        table = self.of_cards(np.flatnonzero(self.copies.any(0)))
        identities = tuple(self.identities[place] for place in met)
        return DeckTable(table.cards, identities, identity, table.copies, self.names, self.dates)

    @cached_property
    def days(self) -> NDArray[np.int64]:
        """The dates as day numbers; -1 where unknown."""
        return np.array([day_number(text) if text else -1 for text in self.dates], np.int64)

    def deck(self, row: int) -> Deck:
        held = np.flatnonzero(self.copies[row])
        return Deck(
            self.identities[self.identity[row]],
            {self.cards[card]: int(self.copies[row, card]) for card in held},
            self.names[row],
            self.dates[row],
        )

    def shared(self, row: NDArray[Any]) -> NDArray[np.int64]:
        """How many cards each deck has in common with one."""
        held = np.flatnonzero(row)
        return np.minimum(self.copies[:, held], row[held]).sum(1, dtype=np.int64)
