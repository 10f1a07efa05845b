"""Many games at machine speed: rule-based players in every seat, results as arrays.

This is what trains the LEARNER, tunes the heuristic and fills the reports: 10,000 five-seat games take seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardwright.games.wonders.cards import KINDS
from boardwright.games.wonders.madrid import madrid
from boardwright.games.wonders.policies import WEIGHTS, best_action
from boardwright.games.wonders.rules import apply, legal, setup
from boardwright.games.wonders.scoring import PARTS, TIE_BREAK, breakdown
from boardwright.games.wonders.slips import NO_TIE_BREAK, SLIPS
from boardwright.games.wonders.state import MAX_LEGAL, OPTIONS, STATE, open_state
from boardwright.kernel import TERMINAL, compiled, rng, types
from boardwright.kernel.options import encode_options

RANDOM, RBAI1, RBAI2, LEARNER, HEURISTIC, ANYTHING = range(6)
"""Who sits where; the first four are Madrid's, ANYTHING plays any legal action."""
PLAYERS = {
    "madrid_random": RANDOM,
    "rbai1": RBAI1,
    "rbai2": RBAI2,
    "learner": LEARNER,
    "heuristic": HEURISTIC,
    "random": ANYTHING,
}


def _play(
    state: Any,
    seed: int,
    options: Any,
    who: Any,
    as_coded: int,
    values: Any,
    weights: Any,
    parts: Any,
    coins: Any,
    boards: Any,
    built: Any,
) -> None:
    """One row of `who` is one game: the player of each seat. Results go to the same row."""
    actions = np.zeros(MAX_LEGAL, np.int64)
    row = np.zeros(len(PARTS))
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, seed)
    games, seats = who.shape
    for game in range(games):
        state[:] = 0
        s = open_state(state)
        setup(s, rng.next64(rng_state), seats, options)
        while s.mover != TERMINAL:
            n = legal(s, actions)
            player = who[game, s.mover]
            if player == HEURISTIC:
                action = best_action(s, actions, n, rng_state, weights[s.mover])
            elif player == ANYTHING:
                action = actions[rng.below(rng_state, n)]
            else:
                action = madrid(s, actions, n, rng_state, player, as_coded, values)
            apply(s, action)
        for seat in range(seats):
            city = s.city[seat]
            breakdown(s, seat, row)
            for part in range(len(PARTS)):
                parts[game, seat, part] = row[part]
            coins[game, seat] = city.coins
            boards[game, seat] = 2 * city.board + city.side
            for kind in range(KINDS):
                built[game, seat, kind] = city.built[kind]


@cache
def _kernel() -> Any:
    signature = types.void(
        types.uint8[::1],
        types.uint64,
        types.int64[::1],
        types.int64[:, ::1],
        types.int64,
        types.float64[::1],
        types.float64[:, ::1],
        types.int64[:, :, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.uint8[:, :, ::1],
    )
    return compiled(_play, signature, "wonders.batch")


@dataclass(frozen=True)
class Results:
    """What came of many games; the first axis is the game, the second the seat."""

    who: NDArray[np.int64]
    parts: NDArray[np.int64]
    coins: NDArray[np.int64]
    boards: NDArray[np.int64]
    """Twice the board's number, plus one for side B."""
    built: NDArray[np.uint8]
    coins_break_ties: bool = True

    @property
    def scores(self) -> NDArray[np.int64]:
        return self.parts.sum(axis=2)

    @property
    def standing(self) -> NDArray[np.int64]:
        """Scores with the tie-break in them."""
        return self.scores * TIE_BREAK + (self.coins if self.coins_break_ties else 0)

    @property
    def wins(self) -> NDArray[np.float64]:
        """One for a victory; shared victories in equal parts."""
        first = self.standing == self.standing.max(axis=1, keepdims=True)
        return first / first.sum(axis=1, keepdims=True)

    @property
    def places(self) -> NDArray[np.int64]:
        """1 for the first; of equal seats the lower comes first, as in Madrid's program."""
        order = np.argsort(-self.standing, axis=1, kind="stable")
        places = np.empty_like(order)
        np.put_along_axis(places, order, np.arange(1, order.shape[1] + 1)[None, :].repeat(len(order), 0), axis=1)
        return places


def play_many(
    who: NDArray[np.int64],
    *,
    seed: int,
    as_coded: bool = False,
    values: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
    **options: Any,
) -> Results:
    """Play a game for each row of `who` (a player's number for each seat)."""
    games, seats = who.shape
    codes = encode_options("wonders", OPTIONS, options, seats)
    everyone = np.ascontiguousarray(np.broadcast_to(WEIGHTS if weights is None else weights, (seats, len(WEIGHTS))))
    results = Results(
        np.ascontiguousarray(who, np.int64),
        np.zeros((games, seats, len(PARTS)), np.int64),
        np.zeros((games, seats), np.int64),
        np.zeros((games, seats), np.int64),
        np.zeros((games, seats, KINDS), np.uint8),
        not SLIPS.encode(options.get("slips", SLIPS.default)) & NO_TIE_BREAK,
    )
    _kernel()(
        np.zeros(STATE.itemsize, np.uint8),
        np.uint64(seed),
        codes,
        results.who,
        int(as_coded),
        np.zeros(KINDS) if values is None else np.ascontiguousarray(values, np.float64),
        everyone.astype(np.float64),
        results.parts,
        results.coins,
        results.boards,
        results.built,
    )
    return results
