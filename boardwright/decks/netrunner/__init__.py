"""Android: Netrunner: its cards and its rules of deck construction."""

from boardwright.decks.netrunner.cards import NetrunnerCard, netrunner_pool
from boardwright.decks.netrunner.rules import NetrunnerConstruction, netrunner

__all__ = ["NetrunnerCard", "NetrunnerConstruction", "netrunner", "netrunner_pool"]
