"""Collections of decks: what the files have that can be learned from, and what is left out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardwright.decks.construction import DeckGame
from boardwright.decks.deck import without_duplicates
from boardwright.decks.errors import BadDeck
from boardwright.decks.reading import read_decks
from boardwright.decks.table import DeckTable


@dataclass(frozen=True)
class Collection:
    """The legal decks of some files, each once."""

    table: DeckTable
    left_out: Mapping[str, int]
    """How many decks, by why."""

    @property
    def summary(self) -> str:
        """What was left out, as a line; empty: nothing."""
        predicted = _summed_up(self.left_out)
        return f"{len(self.table):,} decks; left out: {predicted}" if predicted else ""

    @property
    def digest(self) -> str:
        """The same for the same decks in the same order."""
        content = hashlib.sha256(" ".join((*self.table.cards, *self.table.identities)).encode())
        content.update(self.table.identity.tobytes())
        content.update(self.table.copies.tobytes())
        return content.hexdigest()[:16]


def read_collection(files: Sequence[Path], game: DeckGame, *, only_dated: bool = False) -> Collection:
    """Read all files. Decks that cannot be used are counted; without a single one that can it is a BadDeck."""
    skipped: list[str] = []
    decks = [deck for file in files for deck in read_decks(file, game.pool, skipped=skipped)]
    legal = [deck for deck in decks if not game.construction.problems(deck)]
    dated = [deck for deck in legal if deck.date or not only_dated]
    found = without_duplicates(dated)
    left_out = {
        "unreadable": len(skipped),
        "illegal": len(decks) - len(legal),
        "without a date": len(legal) - len(dated),
        "duplicate": len(found.repeated),
    }
    if not found.unique:
        why = f"; the first: {skipped[0]}" if skipped else ""
        raise BadDeck(f"no decks to use in {', '.join(map(str, files))}: {_summed_up(left_out)}{why}")
    return Collection(DeckTable.of(found.unique), left_out)


def _summed_up(left_out: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {why}" for why, number in left_out.items() if number)
