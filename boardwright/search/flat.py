"""Flat Monte Carlo: playouts shared evenly among the actions, no tree."""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import types

from boardwright.kernel import compiled, rng, table
from boardwright.search.bench import BENCH, RULES, STATE, WORDS
from boardwright.search.leaf import judge


def _search(
    rules: Any,
    view: Any,
    seat: int,
    actions: Any,
    visits: Any,
    total: Any,
    bench: Any,
    words: Any,
    iterations: int,
    plies: int,
) -> None:
    n = actions.size
    done = visits.sum()
    for iteration in range(done, done + iterations):
        choice = iteration % n
        bench.state[:] = view
        table.determinize(rules, bench.state, seat, rng.next64(words))
        table.apply(rules, bench.state, actions[choice])
        judge(rules, bench, table.player(rules, bench.state), words, plies)
        visits[choice] += 1
        total[choice] += bench.payoff[seat]


@cache
def kernel() -> Any:
    """`search(rules, view, seat, actions, visits, total, bench, words, iterations, plies)`, adding to visits
    and total."""
    signature = types.void(
        RULES,
        STATE,
        types.int64,
        types.int64[::1],
        types.int64[::1],
        types.float64[::1],
        BENCH,
        WORDS,
        types.int64,
        types.int64,
    )
    return compiled(_search, signature, "search.flat")
