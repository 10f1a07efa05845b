"""Random games of Race for the Galaxy, every position checked; `make race-million` plays a million of them."""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import Any

import numpy as np

from boardwright.games.race.bits import WORDS
from boardwright.games.race.invariants import HOLDS, NAMES, NO_ACTION, broken
from boardwright.games.race.rules import apply, legal, setup
from boardwright.games.race.state import GAME_OVER, NUM_ACTIONS, STATE, open_state
from boardwright.kernel import Actions, Record, RngState, compiled, rng, rule
from boardwright.kernel.declare import types


@rule
def play_checked(s: Record, rng_state: RngState, scratch: Actions, seen: Actions, report: Actions) -> None:
    """A random game; `report` gets the problem, and counts the steps."""
    report[0] = broken(s, seen)
    while s.question != GAME_OVER and report[0] == HOLDS:
        n = legal(s, scratch)
        if n == 0:
            report[0] = NO_ACTION
            return
        apply(s, scratch[rng.below(rng_state, n)])
        report[1] += 1
        report[0] = broken(s, seen)


@cache
def kernel() -> Any:
    """`run(state, first_seed, games, seats, options, rng_state, scratch, seen, report)`"""

    def run(
        state: Any,
        first_seed: Any,
        games: int,
        seats: int,
        options: Any,
        rng_state: Any,
        scratch: Any,
        seen: Any,
        report: Any,
    ) -> None:
        for number in range(games):
            state[:] = 0
            s = open_state(state)
            setup(s, first_seed + np.uint64(number), seats, options)
            play_checked(s, rng_state, scratch, seen, report)
            report[2] += 1
            if report[0]:
                return

    numbers = types.int64[::1]
    signature = types.void(
        types.uint8[::1],
        types.uint64,
        types.int64,
        types.int64,
        numbers,
        types.uint64[::1],
        numbers,
        numbers,
        numbers,
    )
    return compiled(run, signature, "race.invariants")


def check_games(games: int, seats: int = 2, seed: int = 0, generator: int = 0) -> tuple[str, int, int]:
    """Play random games; what is wrong (or that all is well), games and steps played."""
    state, report = np.zeros(STATE.itemsize, np.uint8), np.zeros(3, np.int64)
    options, scratch, seen = np.array([generator]), np.zeros(NUM_ACTIONS, np.int64), np.zeros(WORDS, np.int64)
    kernel()(state, np.uint64(seed), games, seats, options, rng.generator(seed), scratch, seen, report)
    return NAMES[report[0]], int(report[2]), int(report[1])


def main(games: int) -> int:
    began = time.process_time()
    rest, failed, block = games, 0, 10_000
    plan = [(2, 0, 0.7), (2, 1, 0.1), (3, 0, 0.1), (4, 0, 0.1)]
    for seats, generator, share in plan:
        count = min(rest, round(games * share))
        rest -= count
        done = steps = 0
        while done < count:
            verdict, played, moves = check_games(min(block, count - done), seats, 1_000_000 * seats + done, generator)
            done, steps = done + played, steps + moves
            if verdict != NAMES[HOLDS]:
                failed += 1
                print(f"{seats} seats, seed {1_000_000 * seats + done - 1}: {verdict}")
                break
        name = "keldon" if generator else "kernel"
        print(f"{seats} seats, generator {name}: {done:,} games, {steps:,} steps", flush=True)
    print(f"{games:,} random games in {time.process_time() - began:.0f} CPU seconds, {failed} violated an invariant")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
