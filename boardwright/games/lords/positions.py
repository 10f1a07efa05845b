"""What cannot be in a position of Lords of War that somebody has written: ranges first, then what must add up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from boardwright.games.lords.board import SEATS
from boardwright.games.lords.invariants import FAULTS, FINE, SCRATCH, fault_in
from boardwright.kernel.contract import PositionForm


def faults(s: Any) -> Iterator[str]:
    for name in ("active", "mover"):
        if not 0 <= getattr(s, name) < SEATS:
            yield f"{name}: {getattr(s, name)} is no seat"
    fault = fault_in(s, np.zeros(SCRATCH, np.int64))
    if fault != FINE:
        yield FAULTS[fault]


positions = PositionForm(faults=faults)
