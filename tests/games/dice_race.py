"""A game in one file, for tests of what the built-in ones lack: chance, several seat counts, options.

Roll a die or stay; whoever holds the most points after `rounds` rounds wins, but a one (if `bust` is on) takes
everything away.
"""

from __future__ import annotations

from boardwright.kernel import (
    RNG,
    TERMINAL,
    Actions,
    Game,
    Option,
    Record,
    Returns,
    Rules,
    SearchKnowledge,
    Text,
    record,
    rng,
    rule,
)

STAY, ROLL = 0, 1
FACES = 6

STATE = record(seats="i1", turn="i2", rounds="i2", bust="i1", points=("i2", 4), rng=RNG)


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    s.seats = seats
    s.rounds = options[0]
    s.bust = options[1]


@rule
def player(s: Record) -> int:
    return TERMINAL if s.turn == s.rounds * s.seats else s.turn % s.seats


@rule
def legal(s: Record, out: Actions) -> int:
    out[0], out[1] = STAY, ROLL
    return 2


@rule
def apply(s: Record, action: int) -> None:
    seat = s.turn % s.seats
    s.turn += 1
    if action == ROLL:
        face = 1 + rng.below(s.rng, FACES)
        s.points[seat] = 0 if face == 1 and s.bust else s.points[seat] + face


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(s.seats):
        out[seat] = s.points[seat]


@rule
def returns(s: Record, out: Returns) -> None:
    best = s.points[: s.seats].max()
    for seat in range(s.seats):
        out[seat] = 1.0 if s.points[seat] == best else 0.0


@rule
def cautious(s: Record, actions: Actions, n: int, rng_state: rng.RngState) -> int:
    """Rolls only with nothing to lose."""
    return ROLL if s.points[s.turn % s.seats] == 0 else STAY


game = Game(
    name="dice_race",
    title="Dice race",
    state=STATE,
    seats=(2, 3, 4),
    num_actions=2,
    chance="play",
    min_utility=0.0,
    max_utility=1.0,
    options={
        "rounds": Option(4, "turns each seat has", low=1, high=50),
        "bust": Option(True, "whether a one takes all points away"),
    },
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns, scores=scores),
    search=SearchKnowledge(policies={"cautious": cautious}),
    text=Text(describe_action=lambda s, action: ("stay", "roll")[action]),
)
