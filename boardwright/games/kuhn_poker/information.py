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
    unseen = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        if card != s.card[0] and card != s.card[1]:
            unseen[n] = card
            n += 1
    rng.shuffle(s.rng, unseen, n)
    for place in range(CARDS):
        if s.card[place] == UNKNOWN:
            n -= 1
            s.card[place] = unseen[n]


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Rearrange what the seat cannot see, without help from `observe`."""
    hidden = [ASIDE] if showdown(s) else [1 - seat, ASIDE]
    cards = [s.card[place] for place in hidden]
    for place, card in zip(hidden, random.permutation(cards), strict=True):
        s.card[place] = card
    s.rng[:] = random.integers(0, 2**63, 4)
