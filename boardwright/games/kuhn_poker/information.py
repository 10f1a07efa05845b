"""What a seat of Kuhn poker knows: its own card, and after a showdown the other seat's too.

Nobody sees the card that was put aside.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.kuhn_poker.rules import showdown
from boardwright.games.kuhn_poker.state import ASIDE, CARDS, UNKNOWN
from boardwright.kernel import Record, rng, rule


@rule
def observe(s: Record, seat: int) -> None:
    s.card[ASIDE] = UNKNOWN
    if not showdown(s):
        s.card[1 - seat] = UNKNOWN
    s.rng[:] = 0


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    rng.seed(s.rng, seed)
    first, second = UNKNOWN, UNKNOWN
    for card in range(CARDS):
        if card != s.card[0] and card != s.card[1]:
            first, second = (card, second) if first == UNKNOWN else (first, card)
    if second != UNKNOWN and rng.below(s.rng, 2) == 0:
        first, second = second, first
    for place in range(CARDS):
        if s.card[place] == UNKNOWN:
            s.card[place] = first if second == UNKNOWN else second
            second = UNKNOWN


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Rearrange what the seat cannot see, without help from `observe`."""
    hidden = [ASIDE] if showdown(s) else [1 - seat, ASIDE]
    cards = [s.card[place] for place in hidden]
    for place, card in zip(hidden, random.permutation(cards), strict=True):
        s.card[place] = card
    s.rng[:] = random.integers(0, 2**63, 4)
