"""7 Wonders, base game, first edition: three to seven cities grow side by side through three Ages."""

from boardwright.games.wonders.declaration import game

__all__ = ["game"]
