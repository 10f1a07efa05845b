"""What a game counts of a seat when it is over, for reports over many games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Trait(NamedTuple):
    """Something a seat had or did: its board, a structure in its city."""

    category: str
    name: str
    group: str = ""
    """What plots colour it by; a colour's name gives that colour."""


@dataclass(frozen=True)
class SeatMetrics:
    score_parts: Mapping[str, float] = field(default_factory=dict)
    """Where its points come from."""
    traits: tuple[Trait, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    """What else is worth counting of a finished game; style profiles have it."""
