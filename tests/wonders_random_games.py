"""Random games of 7 Wonders, every position checked.

`python -m tests.wonders_random_games 200000` plays that many games over all seat counts.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from boardwright.games.wonders.building import COINS_FOR_A_DISCARD, counted
from boardwright.games.wonders.cards import (
    COINS,
    COINS_EACH,
    COST_COINS,
    LEAST_SEATS,
    MOST_SEATS,
    STAGE_COINS,
)
from boardwright.games.wonders.choosing import is_chained
from boardwright.games.wonders.invariants import (
    CARDS,
    CITY,
    FAULTS,
    FINE,
    LEGAL,
    MONEY,
    SCORE,
    TOKENS,
    cards_are_the_decks,
    cities_recount,
    scores_add_up,
    tokens_balance,
)
from boardwright.games.wonders.rules import apply, legal, setup
from boardwright.games.wonders.scoring import PARTS
from boardwright.games.wonders.state import (
    BUILD,
    CHOOSE,
    DISCARD,
    MAX_LEGAL,
    NOTHING,
    NUM_ACTIONS,
    OPTIONS,
    STAGE,
    STATE,
    kind_in,
    open_state,
    use_of,
)
from boardwright.kernel import TERMINAL, Record, compiled, rng, rule
from boardwright.kernel.declare import types


@rule
def all_coins(s: Record) -> int:
    coins = 0
    for seat in range(s.seats):
        coins += s.city[seat].coins
    return coins


@rule
def legal_is_sound(actions: Any, n: int) -> bool:
    if n < 1 or n > MAX_LEGAL:
        return False
    for i in range(n):
        if actions[i] < 0 or actions[i] >= NUM_ACTIONS:
            return False
        for j in range(i):
            if actions[i] == actions[j]:
                return False
    return True


@rule
def paid_to_bank(s: Record, seat: int, action: int) -> int:
    kind = kind_in(action)
    if use_of(action) != BUILD or is_chained(s, seat, kind):
        return 0
    return COST_COINS[kind]


@rule
def got_from_bank(s: Record, seat: int, action: int) -> int:
    """What an action that has been resolved brought."""
    use = use_of(action)
    if use == DISCARD:
        return COINS_FOR_A_DISCARD
    if use == NOTHING:
        return 0
    city = s.city[seat]
    if use == STAGE:
        return STAGE_COINS[city.board, city.side, city.stages - 1]
    kind = kind_in(action)
    return COINS[kind] + COINS_EACH[kind] * counted(s, seat, kind)


@rule
def play_and_check(s: Record, rng_state: Any, actions: Any, chosen: Any, parts: Any) -> int:
    """Play one random game, checking every position."""
    while s.mover != TERMINAL:
        n = legal(s, actions)
        if not legal_is_sound(actions, n):
            return LEGAL
        mover, phase = s.mover, s.phase
        coins = all_coins(s)
        chosen[mover] = actions[rng.below(rng_state, n)]
        first, last = (0, s.seats) if phase == CHOOSE else (mover, mover + 1)
        resolves = phase != CHOOSE or mover == s.seats - 1
        flow = 0
        if resolves:
            for seat in range(first, last):
                flow -= paid_to_bank(s, seat, chosen[seat])
        apply(s, chosen[mover])
        if resolves:
            for seat in range(first, last):
                flow += got_from_bank(s, seat, chosen[seat])
        if all_coins(s) != coins + flow:
            return MONEY
        if not cards_are_the_decks(s):
            return CARDS
        if not cities_recount(s):
            return CITY
        if not tokens_balance(s):
            return TOKENS
    return FINE if scores_add_up(s, parts) else SCORE


def run(games: int, seed: int, slips: int = 0) -> tuple[int, int, int]:
    """Play that many games over all seat counts; (fault, seats, seed) of the first that fails, or zeros."""
    kernel = compiled(_run, types.int64(_BYTES, types.int64, types.int64, types.int64, _FOUND), "wonders.invariants")
    found = np.zeros(2, np.int64)
    fault = kernel(np.zeros(STATE.itemsize, np.uint8), games, seed, slips, found)
    return int(fault), int(found[0]), int(found[1])


_BYTES, _FOUND = types.uint8[::1], types.int64[::1]
_OPTIONS = len(OPTIONS)


def _run(state: Any, games: int, seed: int, slips: int, found: Any) -> int:
    actions = np.zeros(MAX_LEGAL, np.int64)
    chosen = np.zeros(MOST_SEATS, np.int64)
    parts = np.zeros(len(PARTS))
    options = np.zeros(_OPTIONS, np.int64)
    options[2] = slips
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, seed)
    for game in range(games):
        state[:] = 0
        s = open_state(state)
        seats = LEAST_SEATS + game % (MOST_SEATS - LEAST_SEATS + 1)
        options[1] = game // 5 % 2
        setup(s, seed + game, seats, options)
        fault = play_and_check(s, rng_state, actions, chosen, parts)
        if fault != FINE:
            found[0], found[1] = seats, seed + game
            return fault
    return FINE


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    began = time.perf_counter()
    fault, seats, seed = run(number, 1)
    if fault:
        sys.exit(f"{FAULTS[fault]} ({seats} seats, seed {seed})")
    print(f"{number:,} random games over all seat counts, every position checked: {time.perf_counter() - began:.0f} s")
