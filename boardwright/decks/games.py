"""The games with constructed decks, by name."""

from __future__ import annotations

import importlib

from boardwright.decks.construction import DeckGame
from boardwright.errors import UnknownName

_GAMES = {"netrunner": "boardwright.decks.netrunner:netrunner"}


def deck_game(name: str) -> DeckGame:
    if name not in _GAMES:
        raise UnknownName("game with constructed decks", name, _GAMES)
    module, _, function = _GAMES[name].partition(":")
    game: DeckGame = getattr(importlib.import_module(module), function)()
    return game
