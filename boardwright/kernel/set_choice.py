"""A choice of several things at once, as people make it; the rules ask for it step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class SetChoice:
    """The question under way, for people: which of these?"""

    verb: str
    """What happens to what is chosen: "discard"."""
    items: tuple[str, ...]
    """What can be chosen."""
    details: tuple[str, ...]
    """What else a person should know of each."""
    least: int
    most: int
    begun: bool
    """Whether some steps have been taken, so that it cannot be made as a whole any more."""
    actions: Callable[[Sequence[int]], list[int]]
    """The actions, in order, that choose these places of `items`."""
