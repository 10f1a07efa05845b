"""The rules of Kuhn poker (Kuhn, 1950).

Jack, queen and king. Both players ante one chip and get a card; the third card is put aside. The first player
passes or bets one chip; after a pass the second may pass or bet; a bet is called or folded to. The higher card
takes the pot.
"""

from __future__ import annotations

from boardwright.games.kuhn_poker.state import BET, CARDS, PASS
from boardwright.kernel import TERMINAL, Actions, Record, Returns, rng, rule

ANTE, STAKE_AFTER_BET = 1.0, 2.0  # what the loser loses
NUM_PIECE_KINDS = CARDS


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    for card in range(CARDS):
        s.card[card] = card
    rng.shuffle(s.rng, s.card, CARDS)


@rule
def bet_is_answered(s: Record) -> bool:
    return s.choices >= 2 and s.choice[s.choices - 2] == BET


@rule
def both_passed(s: Record) -> bool:
    return s.choices == 2 and s.choice[0] == PASS and s.choice[1] == PASS


@rule
def showdown(s: Record) -> bool:
    return both_passed(s) or (bet_is_answered(s) and s.choice[s.choices - 1] == BET)


@rule
def player(s: Record) -> int:
    if both_passed(s) or bet_is_answered(s):
        return TERMINAL
    return s.choices % 2


@rule
def legal(s: Record, out: Actions) -> int:
    out[0], out[1] = PASS, BET
    return 2


@rule
def apply(s: Record, action: int) -> None:
    s.choice[s.choices] = action
    s.choices += 1


@rule
def returns(s: Record, out: Returns) -> None:
    """Chips won or lost."""
    out[0] = out[1] = 0.0
    if player(s) != TERMINAL:
        return
    if showdown(s):
        winner = 0 if s.card[0] > s.card[1] else 1
        stake = ANTE if both_passed(s) else STAKE_AFTER_BET
    else:
        winner = s.choices % 2  # whoever folded chose last, so the other would be next
        stake = ANTE
    out[winner] = stake
    out[1 - winner] = -stake


@rule
def piece_counts(s: Record, out: Actions) -> None:
    out[:] = 0
    for place in range(CARDS):
        out[s.card[place]] += 1
