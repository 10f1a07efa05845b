"""A deck: an identity and how many copies of which cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Deck:
    identity: str
    """The code of its identity card, which does not count as one of its cards."""
    cards: Mapping[str, int]
    """Copies by card code."""
    name: str = ""
    date: str = ""
    """When it was published, as 2014-08-01; empty: unknown."""
    source: str = ""
    """Where it was read: file and line or number."""

    @property
    def size(self) -> int:
        return sum(self.cards.values())

    @property
    def content(self) -> tuple[str, frozenset[tuple[str, int]]]:
        """The same for decks with the same identity and cards."""
        return self.identity, frozenset(self.cards.items())


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a deck."""

    text: str
    card: str = ""
    """The title of the card it is about; empty: the deck as a whole."""

    def __str__(self) -> str:
        return f"{self.card}: {self.text}" if self.card else self.text


@dataclass(frozen=True)
class Duplicates:
    """Decks without those that repeat an earlier one."""

    unique: list[Deck]
    repeated: list[tuple[Deck, Deck]] = field(default_factory=list)
    """Each with the deck that it repeats."""


def without_duplicates(decks: Iterable[Deck]) -> Duplicates:
    first: dict[tuple[str, frozenset[tuple[str, int]]], Deck] = {}
    found = Duplicates([])
    for deck in decks:
        if (earlier := first.setdefault(deck.content, deck)) is deck:
            found.unique.append(deck)
        else:
            found.repeated.append((deck, earlier))
    return found
