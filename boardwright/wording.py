"""Numbers in sentences for people."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """So many of something: "1 game", "2,000 games"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
