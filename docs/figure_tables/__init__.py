"""Tables of README and docs that are not of an experiment, by subject. Each module has its tables in `TABLES`."""

__all__: list[str] = []
