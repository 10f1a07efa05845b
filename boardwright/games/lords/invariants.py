"""What must hold in every position, recounted from scratch; a compiled loop checks it over random games.

`python -m boardwright.games.lords.invariants 1000000` plays that many games over all pairings of armies, half of them
with the recommended readings, half with options drawn at random.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from boardwright.games.lords.board import NEIGHBOUR, NUM_DIRECTIONS, OFF_BOARD, SEATS, SQUARES
from boardwright.games.lords.cards import (
    ARMIES,
    ARROW_VALUE,
    COPIES,
    DEFENCE,
    GRID,
    IS_COMMAND,
    KINDS,
    NO_GRID,
    NUM_DECKS,
)
from boardwright.games.lords.rules import apply, legal, player, setup
from boardwright.games.lords.state import (
    CARDS_TO_WIN,
    COMMANDS_TO_WIN,
    DEPLOY,
    DRAW_GAME,
    HAND,
    MAX_LEGAL,
    NO_SHOT,
    NONE,
    NUM_ACTIONS,
    OPTIONS,
    SHOOT_AT,
    STATE,
    UNDECIDED,
    open_state,
)
from boardwright.kernel import TERMINAL, Option, Record, compiled, rng, rule
from boardwright.kernel.bits import lowest_bit
from boardwright.kernel.declare import types
from boardwright.kernel.options import encode_options

SCRATCH = max(KINDS, SQUARES)
FINE, CARDS, SQUARE, PLACES, SETS, ATTACK, KILLS, LEGAL, STANDING, RESULT = range(10)
FAULTS = (
    "",
    "an army is not its 36 cards",
    "two cards are on one square, or a card belongs to nobody",
    "a hand or deck has another size than it says, or a known card is not in the hand",
    "the sets of squares or kinds are not those of the cards",
    "the sums of arrows are not those of the cards",
    "losses do not add up",
    "legal actions are missing, repeated or out of bounds",
    "a card stands although more strikes at it than it can defend",
    "the winner is not who reached the aim",
)


@rule
def armies_are_complete(s: Record, counts: Any) -> bool:
    """Every card of both armies is in the hand, in the deck, on the board or eliminated, and in one of them only."""
    for seat in range(SEATS):
        counts[:] = 0
        for kind in range(KINDS):
            counts[kind] += s.hand[seat, kind] + s.dead[seat, kind]
        for place in range(s.deck_size[seat]):
            counts[s.deck[seat, place]] += 1
        for square in range(SQUARES):
            if s.occupied[seat] >> square & 1:
                counts[s.card[square]] += 1
        deck = s.row[seat] // KINDS % NUM_DECKS
        for kind in range(KINDS):
            if counts[kind] != COPIES[deck, kind]:
                return False
    return True


@rule
def squares_hold_one_card(s: Record) -> bool:
    if s.occupied[0] & s.occupied[1]:
        return False
    for square in range(SQUARES):
        if (s.card[square] == NONE) == ((s.occupied[0] | s.occupied[1]) >> square & 1 != 0):
            return False
        if s.card[square] == NONE and s.defence[square] != 0:
            return False
    return True


@rule
def places_are_sound(s: Record) -> bool:
    for seat in range(SEATS):
        cards = 0
        for kind in range(KINDS):
            cards += s.hand[seat, kind]
            if not 0 <= s.known[seat, kind] <= s.hand[seat, kind]:
                return False
        if cards != s.hand_size[seat] or cards > HAND:
            return False
        for place in range(s.deck.shape[1]):
            if (s.deck[seat, place] == NONE) == (place < s.deck_size[seat]):
                return False
    return True


@rule
def sets_follow_from_the_cards(s: Record) -> bool:
    for seat in range(SEATS):
        for kind in range(KINDS):
            if (s.hand_kinds[seat] >> kind & 1 != 0) != (s.hand[seat, kind] > 0):
                return False
        for square in range(SQUARES):
            stands = s.occupied[seat] >> square & 1 != 0
            if stands and s.defence[square] != DEFENCE[s.row[seat] + s.card[square]]:
                return False
            shoots = stands and GRID[s.row[seat] + s.card[square]] != NO_GRID
            if shoots != (s.ranged[seat] >> square & 1 != 0):
                return False
    return True


@rule
def sums_of_arrows_recount(s: Record, sums: Any) -> bool:
    for seat in range(SEATS):
        sums[:] = 0
        cards = s.occupied[seat]
        while cards:
            square = lowest_bit(cards)
            cards &= cards - 1
            for direction in range(NUM_DIRECTIONS):
                place = NEIGHBOUR[square, direction]
                if place != OFF_BOARD:
                    sums[place] += ARROW_VALUE[s.row[seat] + s.card[square], direction]
        for square in range(SQUARES):
            if s.attack[seat, square] != sums[square]:
                return False
    return True


@rule
def losses_add_up(s: Record) -> bool:
    for seat in range(SEATS):
        losses, commands = 0, 0
        for kind in range(KINDS):
            losses += s.dead[seat, kind]
            commands += s.dead[seat, kind] * IS_COMMAND[s.row[seat] + kind]
        if losses != s.losses[seat] or commands != s.command_losses[seat]:
            return False
    return True


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
def result_is_right(s: Record) -> bool:
    first = s.losses[1] >= CARDS_TO_WIN or s.command_losses[1] >= COMMANDS_TO_WIN
    second = s.losses[0] >= CARDS_TO_WIN or s.command_losses[0] >= COMMANDS_TO_WIN
    if player(s) != TERMINAL:
        return not first and not second and s.winner == UNDECIDED
    if first and not second:
        return s.winner == 0
    if second and not first:
        return s.winner == 1
    return s.winner in (0, 1, DRAW_GAME)


@rule
def fault_in(s: Record, scratch: Any) -> int:
    """What is wrong with a position; `scratch` has SCRATCH entries."""
    if not armies_are_complete(s, scratch):
        return CARDS
    if not squares_hold_one_card(s):
        return SQUARE
    if not places_are_sound(s):
        return PLACES
    if not sets_follow_from_the_cards(s):
        return SETS
    if not sums_of_arrows_recount(s, scratch):
        return ATTACK
    if not losses_add_up(s):
        return KILLS
    return FINE if result_is_right(s) else RESULT


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
_PAIRINGS = len(ARMIES) ** SEATS
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
        sys.exit(f"{FAULTS[fault]} ({ARMIES[pairing % len(ARMIES)]},{ARMIES[pairing // len(ARMIES)]}, seed {seed})")
    print(f"{number:,} random games over all pairings, every position checked: {time.perf_counter() - began:.0f} s")
