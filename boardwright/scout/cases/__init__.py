"""Cases: their representation and features, building them from games, and the files they are kept in."""

__all__: list[str] = []
