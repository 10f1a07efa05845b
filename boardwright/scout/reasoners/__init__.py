"""The reasoners: each answers one kind of problem by the cases nearest to it."""

__all__: list[str] = []
