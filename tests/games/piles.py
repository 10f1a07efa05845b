"""Take piles of stones: actions that differ in worth, turns of several choices, and evaluations of two kinds.

Six piles lie in a ring. Who chooses takes one; its two neighbours lose a stone each. Who takes an even pile chooses
again. At the end each seat has won its share of all stones that were taken. For tests of search, which run it
uncompiled.
"""

from __future__ import annotations

from boardwright.kernel import (
    TERMINAL,
    Actions,
    Game,
    Record,
    Returns,
    Rules,
    SearchKnowledge,
    Text,
    record,
    rng,
    rule,
)

PILES = 6

STATE = record(seats="i1", turn="i1", pile=("i1", PILES), stones=("i2", 3))


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng_state = rng.on_stack()
    rng.seed(rng_state, seed)
    s.seats = seats
    for place in range(PILES):
        s.pile[place] = 2 + rng.below(rng_state, 6)


@rule
def player(s: Record) -> int:
    for place in range(PILES):
        if s.pile[place] > 0:
            return s.turn
    return TERMINAL


@rule
def legal(s: Record, out: Actions) -> int:
    n = 0
    for place in range(PILES):
        if s.pile[place] > 0:
            out[n] = place
            n += 1
    return n


@rule
def apply(s: Record, action: int) -> None:
    taken = s.pile[action]
    s.stones[s.turn] += taken
    s.pile[action] = 0
    for place in ((action - 1) % PILES, (action + 1) % PILES):
        s.pile[place] = max(0, s.pile[place] - 1)
    if taken % 2 == 1:
        s.turn = (s.turn + 1) % s.seats


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(s.seats):
        out[seat] = s.stones[seat]


@rule
def share(s: Record, out: Returns) -> None:
    """Of the stones that were taken; the same for all before the first."""
    taken = 0
    for seat in range(s.seats):
        taken += s.stones[seat]
    for seat in range(s.seats):
        out[seat] = s.stones[seat] / taken if taken > 0 else 1.0 / s.seats


@rule
def guess(s: Record, out: Returns) -> None:
    """An estimate that is rough at the end, too."""
    taken = 0
    for seat in range(s.seats):
        taken += s.stones[seat]
    for seat in range(s.seats):
        out[seat] = (s.stones[seat] + 1) / (taken + s.seats)


@rule
def lead(s: Record, out: Returns) -> None:
    """Stones more than the seat that comes next has: a ranking."""
    for seat in range(s.seats):
        out[seat] = s.stones[seat] - s.stones[(seat + 1) % s.seats]


@rule
def smallest(s: Record, actions: Actions, n: int, rng_state: rng.RngState) -> int:
    """A playout policy that leaves the large piles to others."""
    best = actions[0]
    for i in range(n):
        if s.pile[actions[i]] < s.pile[best]:
            best = actions[i]
    return best


game = Game(
    name="piles",
    title="Piles of stones",
    state=STATE,
    seats=(2, 3),
    num_actions=PILES,
    min_utility=0.0,
    max_utility=1.0,
    max_utility_sum=1.0,
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=share, scores=scores),
    search=SearchKnowledge(
        policies={"smallest": smallest}, evaluations={"share": share, "guess": guess, "lead": lead}, rankings=("lead",)
    ),
    text=Text(describe_action=lambda s, action: f"pile {action + 1}"),
)
