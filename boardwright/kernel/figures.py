"""What a game tells about a seat when it is over, for reports over many games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Mark(NamedTuple):
    """Something a seat had or did: its board, a structure in its city."""

    topic: str
    name: str
    group: str = ""
    """What plots paint it by; a colour's name paints it in that colour."""


@dataclass(frozen=True)
class Figures:
    parts: Mapping[str, float] = field(default_factory=dict)
    """Where its points come from."""
    marks: tuple[Mark, ...] = ()
