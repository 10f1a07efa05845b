"""Hide a penny and guess: hidden actions and nothing else, to tell the variants of information set search apart.

Each round seat 0 hides a penny in one hand and seat 1, who does not see which, names a hand: a point if right, minus
one if wrong. Nobody can do better than chance.
"""

from __future__ import annotations

import numpy as np

from boardwright.kernel import (
    TERMINAL,
    Actions,
    Game,
    Information,
    Option,
    Record,
    Returns,
    Rules,
    Text,
    record,
    rng,
    rule,
)

LEFT, RIGHT = 0, 1
UNKNOWN = -1
UNSEEN = 2  # what the guesser sees of the hiding

STATE = record(rounds="i1", turn="i1", hand="i1", balance="i1")


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    s.rounds = options[0]
    s.hand = UNKNOWN


@rule
def player(s: Record) -> int:
    return TERMINAL if s.turn == 2 * s.rounds else s.turn % 2


@rule
def legal(s: Record, out: Actions) -> int:
    out[0], out[1] = LEFT, RIGHT
    return 2


@rule
def apply(s: Record, action: int) -> None:
    if s.turn % 2 == 0:
        s.hand = action
    else:
        s.balance += 1 if action == s.hand else -1
        s.hand = UNKNOWN
    s.turn += 1


@rule
def returns(s: Record, out: Returns) -> None:
    out[1] = s.balance / s.rounds
    out[0] = -out[1]


@rule
def observe(s: Record, seat: int) -> None:
    if seat == 1:
        s.hand = UNKNOWN


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    if seat == 1 and s.turn % 2 == 1 and s.turn < 2 * s.rounds:
        rng_state = np.empty(4, np.uint64)
        rng.seed(rng_state, seed)
        s.hand = rng.below(rng_state, 2)


@rule
def action_observation(s: Record, action: int, seat: int) -> int:
    return UNSEEN if s.turn % 2 == 0 and seat == 1 else action


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    if seat == 1 and s.hand != UNKNOWN:
        s.hand = int(random.integers(2))


game = Game(
    name="pennies",
    title="Hide the penny",
    state=STATE,
    seats=(2,),
    num_actions=2,
    options={"rounds": Option(2, "how often it is hidden", low=1, high=10)},
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns),
    information=Information(
        observe=observe,
        determinize=determinize,
        action_observation=action_observation,
        num_action_observations=3,
        scramble=scramble,
    ),
    text=Text(describe_action=lambda s, action: ("left", "right")[action]),
)
