"""Kuhn poker: three cards, two players, one bet. The smallest game in which bluffing is right."""

from boardwright.games.kuhn_poker.declaration import game

__all__ = ["game"]
