"""Take 0.7, or look at a coin and then name it, which is worth 1: chance that is seen before the next choice.

Whoever looks can always be right. A tree without nodes for what was seen has to name the coin once for both sides, and
values looking at a half.
"""

from __future__ import annotations

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

TAKE, LOOK, HEADS, TAILS = range(4)
SURE = 0.7
COVERED = -1

STATE = record(rng=RNG, coin="i1", over="i1", won="f8")


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    s.coin = COVERED


@rule
def player(s: Record) -> int:
    return TERMINAL if s.over else 0


@rule
def legal(s: Record, out: Actions) -> int:
    first = TAKE if s.coin == COVERED else HEADS
    out[0], out[1] = first, first + 1
    return 2


@rule
def apply(s: Record, action: int) -> None:
    if action == LOOK:
        s.coin = HEADS + rng.below(s.rng, 2)
        return
    s.over = 1
    if action == TAKE:
        s.won = SURE
    elif action == s.coin:
        s.won = 1.0


@rule
def returns(s: Record, out: Returns) -> None:
    out[0] = s.won


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    return s.coin if s.coin != before.coin else 0


game = Game(
    name="coin",
    title="Look at the coin",
    state=STATE,
    seats=(1,),
    num_actions=4,
    chance="play",
    max_legal=2,
    min_utility=0.0,
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns),
    information=Information(learned=learned),
    text=Text(describe_action=lambda s, action: ("take", "look", "heads", "tails")[action]),
)
