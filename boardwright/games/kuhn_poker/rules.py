"""The rules of Kuhn poker (Kuhn, 1950).

Jack, queen and king. Both players ante one chip and get a card; the third card is put aside. The first player
passes or bets one chip; after a pass the second may pass or bet; a bet is called or folded to. The higher card
takes the pot.
"""

from __future__ import annotations

import numpy as np

from boardwright.kernel import (
    RNG,
    TERMINAL,
    Actions,
    Game,
    Information,
    Record,
    Returns,
    Rules,
    Text,
    record,
    rng,
    rule,
)

JACK, QUEEN, KING = 0, 1, 2
CARDS = 3
ASIDE = 2  # the place in `card` of the card that nobody gets
UNKNOWN = -1

PASS, BET = 0, 1  # PASS folds to a bet, BET calls one

STATE = record(
    card=("i1", CARDS),  # of seat 0, of seat 1, put aside
    choice=("i1", 3),
    choices="i1",
    rng=RNG,
)


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
        stake = 1.0 if both_passed(s) else 2.0
    else:
        winner = s.choices % 2  # whoever folded chose last, so the other would be next
        stake = 1.0
    out[winner] = stake
    out[1 - winner] = -stake


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


@rule
def piece_counts(s: Record, out: Actions) -> None:
    out[:] = 0
    for place in range(CARDS):
        out[s.card[place]] += 1


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    hidden = [ASIDE] if showdown(s) else [1 - seat, ASIDE]
    cards = [s.card[place] for place in hidden]
    for place, card in zip(hidden, random.permutation(cards), strict=True):
        s.card[place] = card
    s.rng[:] = random.integers(0, 2**63, 4)


def describe(s: Record, action: int) -> str:
    facing_bet = s.choices > 0 and s.choice[s.choices - 1] == BET
    if action == BET:
        return "call" if facing_bet else "bet"
    return "fold" if facing_bet else "pass"


def show(s: Record, seat: int | None) -> str:
    names = {JACK: "jack", QUEEN: "queen", KING: "king", UNKNOWN: "?"}
    cards = [f"seat {holder + 1}: {names[s.card[holder]]}" for holder in (0, 1)]
    said: list[str] = []
    for place in range(s.choices):
        facing_bet = place > 0 and s.choice[place - 1] == BET
        said.append({PASS: ("pass", "fold"), BET: ("bet", "call")}[s.choice[place]][facing_bet])
    return f"{', '.join(cards)}; {' – '.join(said) or 'nothing bet yet'}"


game = Game(
    name="kuhn_poker",
    title="Kuhn poker",
    state=STATE,
    seats=(2,),
    num_actions=2,
    min_utility=-2.0,
    max_utility=2.0,
    agents={"optimal": "boardwright.games.kuhn_poker.agents:Optimal"},
    rules=Rules(
        setup=setup,
        player=player,
        legal=legal,
        apply=apply,
        returns=returns,
        piece_counts=piece_counts,
        num_piece_kinds=CARDS,
    ),
    information=Information(observe=observe, determinize=determinize, scramble=scramble),
    text=Text(describe_action=describe, show_state=show),
)
