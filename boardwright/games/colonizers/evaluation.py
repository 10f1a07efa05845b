"""How the thesis's MaxN evaluates a position (docs/rules/colonizers.md, section 6)."""

from __future__ import annotations

from boardwright.games.colonizers.cards import KINDS, VALUE
from boardwright.games.colonizers.state import COLONY_TARGET, SEATS
from boardwright.kernel import Record, Returns, rule

HAND_WEIGHT, OMNIUM_WEIGHT, COMPLETE_WEIGHT = 0.6, 0.3, 4.0
"""Points per card in hand, per Omnium and for a complete colony, as in the thesis."""


@rule
def thesis(s: Record, out: Returns) -> None:
    """The value of the colony, and a little for cards and Omnium. It is in points, not in the rewards of `returns`, and
    a finished game is evaluated by the same formula."""
    for seat in range(SEATS):
        value = HAND_WEIGHT * s.hand_size[seat] + OMNIUM_WEIGHT * s.omnium[seat]
        for kind in range(KINDS):
            value += s.colony[seat, kind] * VALUE[kind]
        if s.colony_size[seat] >= COLONY_TARGET:
            value += COMPLETE_WEIGHT
        out[seat] = value
