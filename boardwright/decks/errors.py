"""What can be wrong with cards, decks and files of decks."""

from __future__ import annotations

from boardwright.errors import BoardwrightError


class UnknownCard(BoardwrightError):
    """No card has that title or code."""


class BadDeck(BoardwrightError):
    """A deck, an observation of one or a file of decks that cannot be used."""


class BadDeckModel(BoardwrightError):
    """A model file that cannot be read, or that does not know what is asked."""
