"""What cannot be in a position of 7 Wonders that somebody has written: ranges first, then what must add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from boardwright.games.wonders import invariants
from boardwright.games.wonders.cards import AGES, BOARD_NAMES, HAND, LEAST_SEATS, MOST_SEATS, NAMES
from boardwright.games.wonders.scoring import PARTS
from boardwright.kernel.contract import Counted, Numbered, PositionForm


def faults(s: Any) -> Iterator[str]:
    for name, low, high in (("seats", LEAST_SEATS, MOST_SEATS), ("age", 0, AGES - 1), ("turn", 0, HAND)):
        if not low <= getattr(s, name) <= high:
            yield f"{name}: {getattr(s, name)} is not from {low} to {high}"
    for fields, fault, holds in (
        ("fate, left, hand", invariants.CARDS, invariants.cards_are_the_decks(s)),
        ("city", invariants.CITY, invariants.cities_recount(s)),
        ("city.victory, city.defeats", invariants.TOKENS, invariants.tokens_balance(s)),
        ("city", invariants.SCORE, invariants.scores_add_up(s, np.zeros(len(PARTS), np.int64))),
    ):
        if not holds:
            yield f"{fields}: {invariants.FAULTS[fault]}"


_NAMES: dict[str, Any] = {
    "city": {"board": Numbered(BOARD_NAMES), "side": Numbered("AB"), "built": Counted(NAMES)},
    "fate": Numbered(
        ("held", "built", "under the board", "discarded", "discarded and seen", "built from the discards")
    ),
    **dict.fromkeys(("hand", "left", "owed"), Numbered(NAMES)),
}


def names(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return _NAMES


positions = PositionForm(faults=faults, names=names)
