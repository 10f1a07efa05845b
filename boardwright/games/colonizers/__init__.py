"""Colonizers: a race to build eight modules on Mars, with secret colonists who earn, steal and spy."""

from boardwright.games.colonizers.declaration import game

__all__ = ["game"]
