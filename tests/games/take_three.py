"""A game in one file, for tests of learning: take one, two or three from a heap; whoever takes the last one wins.

Who leaves a multiple of four wins; a learner has to find that out.
"""

from __future__ import annotations

from boardwright.kernel import (
    TERMINAL,
    Actions,
    Game,
    Learning,
    Record,
    Returns,
    Rules,
    SearchKnowledge,
    record,
    rng,
    rule,
)
from boardwright.kernel.features import FeatureLayout, SparseFeatures, add_feature

HEAP = 12
STATE = record(heap="i2", turn="i2")

_layout = FeatureLayout()
LEFT = _layout.block("left", range(HEAP + 1))
MINE = _layout.block("the own move")


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    s.heap = 5 + seed % (HEAP - 4)


@rule
def player(s: Record) -> int:
    return TERMINAL if s.heap == 0 else s.turn % 2


@rule
def legal(s: Record, out: Actions) -> int:
    n = min(3, s.heap)
    for i in range(n):
        out[i] = i
    return n


@rule
def apply(s: Record, action: int) -> None:
    s.heap -= action + 1
    s.turn += 1


@rule
def returns(s: Record, out: Returns) -> None:
    for seat in range(2):
        out[seat] = -1.0 if s.turn % 2 == seat else 1.0


@rule
def features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    add_feature(sparse, LEFT + s.heap, 1.0)
    add_feature(sparse, MINE, 1.0 if s.turn % 2 == seat else 0.0)


@rule
def last(s: Record, actions: Actions, n: int, rng_state: rng.RngState) -> int:
    return actions[n - 1]


game = Game(
    name="take_three",
    title="Take three",
    state=STATE,
    seats=(2,),
    num_actions=3,
    chance="deal",
    rules=Rules(setup=setup, player=player, legal=legal, apply=apply, returns=returns),
    search=SearchKnowledge(policies={"last": last}),
    learning=Learning(features=features, feature_names=_layout.names),
)
