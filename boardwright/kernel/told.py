"""What a game tells learners about a position: few numbers out of many places, each place with a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from boardwright.kernel.compile import rule


class Told(NamedTuple):
    """The features that are not zero. Most cards are not in the hand: telling only those that are saves most of the
    work of the network's first layer."""

    place: Any
    amount: Any
    count: Any

    @classmethod
    def room_for(cls, features: int) -> Told:
        return cls(np.zeros(features + 64, np.int64), np.zeros(features + 64, np.float32), np.zeros(1, np.int64))

    def dense(self, features: int) -> Any:
        """All features, zeros too."""
        out = np.zeros(features, np.float32)
        n = self.count[0]
        np.add.at(out, self.place[:n], self.amount[:n])
        return out


@rule
def tell(told: Told, place: int, amount: float) -> None:
    n = told.count[0]
    if n < told.place.size:  # what does not fit is dropped; `boardwright check` finds games that tell so much
        told.place[n] = place
        told.amount[n] = amount
        told.count[0] = n + (1 if amount != 0.0 else 0)


class Layout:
    """`HAND = layout.block("hand", card_names)` reserves places and gives the first one's number."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def block(self, title: str, labels: Sequence[object] = ()) -> int:
        first = len(self._names)
        self._names += [f"{title}: {label}" for label in labels] if labels else [title]
        return first

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)
