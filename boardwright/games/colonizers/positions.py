"""Positions of Colonizers as people write them: cards and colonists by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardwright.games.colonizers.cards import COLONISTS, MODULES
from boardwright.kernel.contract import Counted, Numbered, PositionForm

_MODULES = tuple(module.name for module in MODULES)


def names(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **dict.fromkeys(("hand", "colony", "removed"), Counted(_MODULES)),
        **dict.fromkeys(("deck", "drawn"), Numbered(_MODULES)),
        "colonist": Numbered(colonist.name for colonist in COLONISTS),
    }


positions = PositionForm(names=names)
