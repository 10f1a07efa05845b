"""Race for the Galaxy, base set, 2 to 4 players."""

from boardwright.games.race.declaration import game

__all__ = ["game"]
