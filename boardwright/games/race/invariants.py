"""What must hold in every position: a compiled loop that plays random games and checks it after every step.

`make race-million` plays a million of them.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import Any

import numpy as np

from boardwright.games.race.bits import WORDS, add, has, size
from boardwright.games.race.cards import (
    BONUS,
    BONUS_CHIPS,
    BONUS_MILITARY,
    CARDS,
    CHIPS_PER_BONUS,
    KIND,
    MILITARY,
    NO_KIND,
    STANDING,
    STANDING_COUNT,
    VP,
)
from boardwright.games.race.rules import apply, legal, setup
from boardwright.games.race.scoring import score
from boardwright.games.race.state import GAME_OVER, NUM_ACTIONS, POOL_PER_SEAT, STATE, open_state
from boardwright.kernel import Actions, Record, RngState, compiled, rng, rule
from boardwright.kernel.declare import types

HOLDS, CARD_TWICE, CARD_LOST, WRONG_SIZE, WRONG_POOL, WRONG_TOTALS, WRONG_GOODS, WRONG_SCORE, NO_ACTION = range(9)
NAMES = (
    "all is well",
    "a card is in two places",
    "a card is lost",
    "a pile's size is wrong",
    "pool and chips do not balance",
    "the totals of the standing powers are wrong",
    "the count of goods is wrong",
    "the score does not recount",
    "there is no legal action",
)


@rule
def merge(seen: Actions, cards: Actions) -> bool:
    """Add a set to those seen; false if they overlap."""
    for w in range(WORDS):
        if seen[w] & cards[w]:
            return False
        seen[w] |= cards[w]
    return True


@rule
def add_once(seen: Actions, card: int) -> bool:
    if has(seen, card):
        return False
    add(seen, card)
    return True


@rule
def cards_hold(s: Record, seen: Actions) -> int:
    """All cards are somewhere, none in two places, and the counted sizes are right."""
    for w in range(WORDS):
        seen[w] = s.deck[w]
    if size(s.deck) != s.deck_size or size(s.discard) != s.discard_size:
        return WRONG_SIZE
    if not merge(seen, s.discard):
        return CARD_TWICE
    for seat in range(s.seats):
        if size(s.hand[seat]) != s.hand_size[seat]:
            return WRONG_SIZE
        if not merge(seen, s.hand[seat]):
            return CARD_TWICE
        for place in range(s.size[seat]):
            if not add_once(seen, s.tableau[seat, place]):
                return CARD_TWICE
            if s.good[seat, place] and not add_once(seen, s.good[seat, place] - 1):
                return CARD_TWICE
    return HOLDS if size(seen) == CARDS else CARD_LOST


@rule
def seat_holds(s: Record, seat: int) -> int:
    """Totals, goods and score of a seat, counted again from the cards in its tableau."""
    goods, military = 0, 0
    for i in range(STANDING_COUNT):
        total = 0
        for place in range(s.size[seat]):
            card = s.tableau[seat, place]
            if card != s.placing[seat] - 1:  # a card placed in this phase counts from the next one
                total += STANDING[card, i]
        if total != s.standing[seat, i]:
            return WRONG_TOTALS
        if i == MILITARY:
            military = total
    points = s.chips[seat]
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        if s.good[seat, place]:
            goods += 1
            if KIND[card] == NO_KIND:
                return WRONG_GOODS
        points += VP[card] + BONUS_CHIPS[card] * (s.chips[seat] // CHIPS_PER_BONUS) + BONUS_MILITARY[card] * military
        for other in range(s.size[seat]):
            points += BONUS[card, s.tableau[seat, other]]
    if goods != s.goods[seat, NO_KIND]:
        return WRONG_GOODS
    return HOLDS if points == score(s, seat) else WRONG_SCORE


@rule
def broken(s: Record, seen: Actions) -> int:
    """The first invariant that does not hold."""
    problem = cards_hold(s, seen)
    chips = 0
    for seat in range(s.seats):
        chips += s.chips[seat]
        if problem == HOLDS:
            problem = seat_holds(s, seat)
    if problem == HOLDS and s.pool + chips != POOL_PER_SEAT * s.seats:
        return WRONG_POOL
    return problem


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
