"""What a leaf of a search is worth: a playout to the end, or a few moves on and an estimate."""

from __future__ import annotations

from typing import Any

from boardwright.kernel import OVER, rule, table

TO_THE_END = -1


@rule
def judge(rules: Any, bench: Any, mover: int, words: Any, plies: int) -> None:
    """Play on from the position in the bench, where `mover` is to choose; what comes of it goes to `bench.payoff`."""
    state = bench.state
    if plies == TO_THE_END:
        if mover != OVER:
            table.playout(rules, state, bench.legal, words)
        table.returns(rules, state, bench.payoff)
        return
    if mover != OVER:
        table.play_on(rules, state, bench.legal, words, plies)
    if table.player(rules, state) == OVER:
        table.returns(rules, state, bench.payoff)
    else:
        table.evaluate(rules, state, bench.payoff)
