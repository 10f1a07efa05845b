"""Constructed decks: cards and construction rules, prediction of hidden decks from a few seen cards, completion."""

from boardwright.decks.cards import Card, CardPool
from boardwright.decks.construction import Construction, DeckGame, Requirements
from boardwright.decks.deck import Deck, Problem, without_duplicates
from boardwright.decks.errors import BadDeck, BadDeckModel, UnknownCard
from boardwright.decks.reading import read_decks
from boardwright.decks.table import DeckTable

__all__ = [
    "BadDeck",
    "BadDeckModel",
    "Card",
    "CardPool",
    "Construction",
    "Deck",
    "DeckGame",
    "DeckTable",
    "Problem",
    "Requirements",
    "UnknownCard",
    "read_decks",
    "without_duplicates",
]
