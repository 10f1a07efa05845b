"""Random games of Lords of War, every position checked.

`python -m tests.lords_random_games 1000000` plays that many games over all pairings of armies, half of them with the
recommended readings, half with options drawn at random.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from boardwright.games.lords.board import SEATS, SQUARES
from boardwright.games.lords.cards import (
    ARMY_NAMES,
    DEFENCE,
)
from boardwright.games.lords.invariants import FAULTS, FINE, LEGAL, SCRATCH, STANDING, fault_in
from boardwright.games.lords.rules import apply, legal, player, setup
from boardwright.games.lords.state import (
    DEPLOY,
    MAX_LEGAL,
    NO_SHOT,
    NUM_ACTIONS,
    OPTIONS,
    SHOOT_AT,
    STATE,
    open_state,
)
from boardwright.kernel import TERMINAL, Option, Record, compiled, rng, rule
from boardwright.kernel.declare import types
from boardwright.kernel.options import encode_options


@rule
def legal_is_sound(actions: Any, n: int) -> bool:
    """Legal actions are listed in ascending order."""
    if n < 1 or n > MAX_LEGAL or actions[0] < 0 or actions[n - 1] >= NUM_ACTIONS:
        return False
    ascending = True
    for i in range(1, n):
        ascending = ascending and actions[i] > actions[i - 1]
    return ascending


@rule
def all_can_defend(s: Record) -> bool:
    """No card stands at which more strikes than it can defend."""
    for seat in range(SEATS):
        for square in range(SQUARES):
            stands = s.occupied[seat] >> square & 1
            if stands and s.attack[1 - seat, square] > DEFENCE[s.row[seat] + s.card[square]]:
                return False
    return True


@rule
def play_and_check(s: Record, rng_state: Any, actions: Any, scratch: Any) -> int:
    """Play one random game, checking every position. Whoever shot did not use arrows, so what stands after the fight of
    such a turn proves nothing."""
    shot = False
    while player(s) != TERMINAL:
        n = legal(s, actions)
        if not legal_is_sound(actions, n):
            return LEGAL
        action = actions[rng.below(rng_state, n)]
        turn = s.turn
        shot = shot or SHOOT_AT <= action < NO_SHOT
        apply(s, action)
        fault = fault_in(s, scratch)
        if fault != FINE:
            return fault
        if s.turn != turn:
            if not shot and s.turn == turn + 1 and s.phase == DEPLOY and not all_can_defend(s):
                return STANDING
            shot = False
    return FINE


def run(games: int, seed: int, **given: Any) -> tuple[int, int, int]:
    """Play that many games over all pairings; (fault, pairing, seed) of the first that fails, or zeros. Options that
    are given hold for all; of the others, every second game draws its own."""
    signature = types.int64(_BYTES, types.int64, types.int64, _INTEGERS, _INTEGERS, _INTEGERS)
    kernel = compiled(_run, signature, "lords.invariants")
    codes = encode_options("lords", OPTIONS, given)
    choices = np.array([_values(option) if name not in given else 1 for name, option in OPTIONS.items()], np.int64)
    found = np.zeros(2, np.int64)
    fault = kernel(np.zeros(STATE.itemsize, np.uint8), games, seed, codes, choices, found)
    return int(fault), int(found[0]), int(found[1])


def _values(option: Option) -> int:
    """How many values to draw from; 1: the given or default one stays."""
    if option.choices:
        return len(option.choices)
    return 2 if isinstance(option.default, bool) else 1


_BYTES, _INTEGERS = types.uint8[::1], types.int64[::1]
_PAIRINGS = len(ARMY_NAMES) ** SEATS
_ARMIES_OPTION = list(OPTIONS).index("armies")


def _run(state: Any, games: int, seed: int, codes: Any, choices: Any, found: Any) -> int:
    actions = np.zeros(MAX_LEGAL, np.int64)
    scratch = np.zeros(SCRATCH, np.int64)
    options = np.zeros(codes.size, np.int64)
    rng_state = np.zeros(4, np.uint64)
    rng.seed(rng_state, seed)
    for game in range(games):
        options[:] = codes
        if game % 2:
            for place in range(codes.size):
                if choices[place] > 1:
                    options[place] = rng.below(rng_state, choices[place])
        pairing = game // 2 % _PAIRINGS
        options[_ARMIES_OPTION] = pairing
        state[:] = 0
        s = open_state(state)
        setup(s, seed + game, SEATS, options)
        fault = play_and_check(s, rng_state, actions, scratch)
        if fault != FINE:
            found[0], found[1] = pairing, seed + game
            return fault
    return FINE


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    began = time.perf_counter()
    fault, pairing, seed = run(number, 1)
    if fault:
        second, first = divmod(pairing, len(ARMY_NAMES))
        sys.exit(f"{FAULTS[fault]} ({ARMY_NAMES[first]},{ARMY_NAMES[second]}, seed {seed})")
    print(f"{number:,} random games over all pairings, every position checked: {time.perf_counter() - began:.0f} s")
