"""What must hold in every position, recounted from scratch; a compiled loop checks it over random games.

`python -m boardwright.games.wonders.invariants 200000` plays that many games over all seat counts.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from boardwright.games.wonders.building import COINS_FOR_A_DISCARD, counted
from boardwright.games.wonders.cards import (
    AGES,
    CHOICE,
    COINS,
    COINS_EACH,
    COLOUR,
    COPIES,
    COST_COINS,
    DECK_SIZE,
    DISCOUNT,
    FIRST_GUILD,
    FIXED,
    GREY,
    HAND,
    KINDS,
    LEAST_SEATS,
    MOST_SEATS,
    NUM_COLOURS,
    POINTS,
    SHIELDS,
    STAGE_COINS,
    STAGE_DISCOUNT,
    STAGE_SHIELDS,
    START,
)
from boardwright.games.wonders.choosing import is_chained
from boardwright.games.wonders.rules import apply, legal, setup
from boardwright.games.wonders.scoring import PARTS, breakdown, total
from boardwright.games.wonders.state import (
    BUILD,
    BUILT,
    CHOOSE,
    DISCARD,
    MAX_LEGAL,
    NOTHING,
    NUM_ACTIONS,
    OPTIONS,
    STAGE,
    STATE,
    TAKEN,
    TUCKED,
    kind_in,
    open_state,
    use_of,
)
from boardwright.kernel import TERMINAL, Record, compiled, rng, rule
from boardwright.kernel.declare import types

FINE, CARDS, CITY, TOKENS, SCORE, MONEY, LEGAL = range(7)
FAULTS = (
    "",
    "the cards of an Age are not the deck's",
    "a city is not what its cards make it",
    "military tokens do not balance",
    "the parts of a score do not add up",
    "coins appear or vanish",
    "legal actions are missing, repeated or out of bounds",
)


@rule
def cards_are_the_decks(s: Record) -> bool:
    for age in range(s.age + 1):
        seen = np.zeros(KINDS, np.int64)
        for packet in range(s.seats):
            for turn in range(HAND):
                if s.fate[age, packet, turn]:
                    seen[s.left[age, packet, turn]] += 1
                if age == s.age and s.hand[packet, turn] >= 0:
                    seen[s.hand[packet, turn]] += 1
        guilds = 0
        for kind in range(KINDS):
            if kind >= FIRST_GUILD:
                guilds += seen[kind]
                if seen[kind] > 1:
                    return False
            elif seen[kind] != COPIES[s.seats, age, kind]:
                return False
        if guilds != s.seats * HAND - DECK_SIZE[s.seats, age]:
            return False
    return True


@rule
def cities_recount(s: Record) -> bool:
    """Production, shields, colours, points and discounts follow from what stands; so does the number of cards."""
    structures = 0
    stages = 0
    for seat in range(s.seats):
        city = s.city[seat]
        goods, shields, points, discounts = START[city.board], 0, 0, 0
        choices, extras = 0, 0
        colours = np.zeros(NUM_COLOURS, np.int64)
        for kind in range(KINDS):
            if city.built[kind]:
                structures += 1
                colours[COLOUR[kind]] += 1
                goods += FIXED[kind]
                shields += SHIELDS[kind]
                points += POINTS[kind]
                discounts |= DISCOUNT[kind]
                if CHOICE[kind]:
                    choices += COLOUR[kind] <= GREY
                    extras += COLOUR[kind] > GREY
        for stage in range(city.stages):
            shields += STAGE_SHIELDS[city.board, city.side, stage]
            discounts |= STAGE_DISCOUNT[city.board, city.side, stage]
        stages += city.stages
        if goods != city.goods or shields != city.shields or points != city.points or discounts != city.discounts:
            return False
        if choices != city.choices or extras > city.extras or city.coins < 0:
            return False
        for colour in range(NUM_COLOURS):
            if colours[colour] != city.colours[colour]:
                return False
    built = 0
    tucked = 0
    for age in range(AGES):
        for packet in range(s.seats):
            for turn in range(HAND):
                fate = s.fate[age, packet, turn]
                built += fate == BUILT
                built += fate == TAKEN
                tucked += fate == TUCKED
    return built == structures and tucked == stages


@rule
def tokens_balance(s: Record) -> bool:
    """Each decided pair of an Age hands out one victory token and one defeat."""
    victory, defeats = 0, 0
    for seat in range(s.seats):
        victory += s.city[seat].victory
        defeats += s.city[seat].defeats
    fought = AGES if s.mover == TERMINAL else s.age
    if defeats > fought * s.seats or victory < defeats:
        return False
    return victory <= 5 * defeats and (fought > 1 or victory == defeats)


@rule
def scores_add_up(s: Record, parts: Any) -> bool:
    for seat in range(s.seats):
        breakdown(s, seat, parts)
        if int(parts.sum()) != total(s, seat):
            return False
    return True


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
