"""Choices as people make them: of several things at once, where the rules ask step by step, and step by step, where the
rules ask for all at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class ChoiceStep(NamedTuple):
    """A part of an action that is chosen before the rest."""

    text: str
    detail: str = ""
    """What else a person should know of it."""


@dataclass(frozen=True)
class SetChoice:
    """The question under way, for people: which of these?"""

    verb: str
    """What happens to what is chosen: "discard"."""
    items: tuple[str, ...]
    """What can be chosen."""
    keys: tuple[str, ...]
    """What each is called in the game's drawing (`key` of a group)."""
    details: tuple[str, ...]
    """What else a person should know of each."""
    least: int
    most: int
    begun: bool
    """Whether some steps have been taken, so that it cannot be made as a whole any more."""
    actions: Callable[[Sequence[int]], list[int]]
    """The actions, in order, that choose these places of `items`."""

    def named(self, places: Sequence[int]) -> str:
        """These places in words."""
        return ", ".join(self.items[place] for place in places) or "nothing"
