"""What cannot be in a position of Lords of War that somebody has written: ranges first, then what must add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from boardwright.games.lords.board import SEATS, SQUARES
from boardwright.games.lords.cards import KINDS, kinds_of
from boardwright.games.lords.invariants import FAULTS, FINE, SCRATCH, fault_in
from boardwright.kernel.contract import Counted, Numbered, PositionForm, distinct


def faults(s: Any) -> Iterator[str]:
    for name in ("active", "mover"):
        if not 0 <= getattr(s, name) < SEATS:
            yield f"{name}: {getattr(s, name)} is no seat"
    fault = fault_in(s, np.zeros(SCRATCH, np.int64))
    if fault != FINE:
        yield FAULTS[fault]


def names(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Each seat has the cards of its army."""
    armies = [distinct([card.name for card in kinds_of(row)]) for row in fields["row"]]
    counted = [Counted(army + [f"kind {kind}" for kind in range(len(army), KINDS)]) for army in armies]
    sides = [fields["occupied"][1] >> square & 1 for square in range(SQUARES)]
    return {
        **dict.fromkeys(("hand", "known", "dead"), counted),
        "deck": [Numbered(army) for army in armies],
        "card": [Numbered(armies[side]) for side in sides],
    }


positions = PositionForm(faults=faults, names=names)
