"""Lords of War: two armies of cards whose arrows fight on a board of 7 × 6 squares."""

from boardwright.games.lords.declaration import game

__all__ = ["game"]
