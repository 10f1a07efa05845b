"""Slips of Madrid's program (2018) that the game can be played with (docs/rules/wonders.md, section 12).

Three of his slips are left out. It is not known which part of a purchase from both neighbours his program leaves
unpaid, nor in which order his cards lie before his one seed shuffles every Age alike. And the worth of a guild freezes
when one of his rule-based players looks at it; here only actions change the state.
"""

from __future__ import annotations

from boardwright.kernel import Several

MEANINGS = {
    "card_data": "nine costs, the Builders Guild and Gizah B's fourth stage as in his tables",
    "no_start_coins": "cities begin without coins",
    "one_neighbour": "the goods of one purchase come from one neighbour only",
    "choices_unsold": "A/B cards do not sell",
    "swapped": "the neighbour on the other side is paid, at the other side's price",
    "chains_cost": "chained and Olympia's free builds pay neighbours that could supply what the city lacks, on credit",
    "double_coins": "a build may lose one coin more, as his rule-based players do whenever the first card they could"
    " build costs one",
    "olympia_always": "Olympia A builds free every turn",
    "ephesos_copies": "Olympia B copies nothing; Ephesos, complete, copies a guild of its left neighbour",
    "babylon_unpaid": "Babylon B's extra card must be affordable and costs nothing",
    "late_digging": "Halikarnassos digs before the last cards are discarded, and what it builds takes effect a turn"
    " later: after that Age's conflicts, or never",
    "no_tie_break": "coins break no ties",
}
SLIPS = Several(
    "none",
    f"slips of Madrid's program to play with: {'; '.join(f'{name}: {text}' for name, text in MEANINGS.items())}",
    choices=tuple(MEANINGS),
)
(
    CARD_DATA,
    NO_START_COINS,
    ONE_NEIGHBOUR,
    CHOICES_UNSOLD,
    SWAPPED,
    CHAINS_COST,
    DOUBLE_COINS,
    OLYMPIA_ALWAYS,
    EPHESOS_COPIES,
    BABYLON_UNPAID,
    LATE_DIGGING,
    NO_TIE_BREAK,
) = (SLIPS.bit(name) for name in MEANINGS)
