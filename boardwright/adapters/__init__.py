"""Boardwright's games in other libraries. Each module needs its library: `pip install 'boardwright[pettingzoo]'`."""

__all__: list[str] = []
