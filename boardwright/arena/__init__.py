"""Matches: who plays whom, where the work runs, what is recorded, and what it says."""

__all__: list[str] = []
