"""The terminal as a front end: people at the table, live progress, positions and reasons in words."""

__all__: list[str] = []
