"""What `boardwright scout` and `boardwright cases` do."""

__all__: list[str] = []
