"""Deployment: which card may go where (docs/rules/lords.md, section 3)."""

from __future__ import annotations

from boardwright.games.lords import board
from boardwright.games.lords.cards import ARROWS, IS_SUPPORT, KINDS, RING
from boardwright.games.lords.piles import play_from_hand
from boardwright.games.lords.state import ANYWHERE, BESIDE_FRIEND, DEPLOY_CARD, HAND, SKIP_TURN
from boardwright.kernel import Actions, Record, RngState, copy_into, rng, rule
from boardwright.kernel.bits import count_bits, lowest_bit, nth_bit, unsigned


@rule
def empty_squares(s: Record) -> int:
    return board.ALL_SQUARES & ~(s.occupied[0] | s.occupied[1])


@rule
def write_unions(a: int, b: int, c: int, d: int, out: Actions, first: int) -> None:
    """The union of every subset of four sets."""
    out[first], out[first + 1], out[first + 2], out[first + 3] = 0, a, b, a | b
    for i in range(4):
        out[first + 4 + i] = out[first + i] | c
    for i in range(8):
        out[first + 8 + i] = out[first + i] | d


HALF_SETS = 1 << 4


@rule
def engaging(arrows: int, scratch: Actions, first: int) -> int:
    """`engaging_squares` from the unions of the first four sets by direction, and of the last four."""
    return scratch[first + arrows % HALF_SETS] | scratch[first + HALF_SETS + arrows // HALF_SETS]


@rule
def if_arrow(arrows: int, direction: int, squares: int) -> int:
    """The squares, if there is an arrow in that direction; no square otherwise. (Without a branch: which arrows a card
    has cannot be predicted.)"""
    return squares & -(arrows >> direction & 1)


@rule
def sets_by_direction(enemies: int) -> tuple[int, int, int, int, int, int, int, int]:
    """For each direction, the squares from which an arrow in it points at an enemy."""
    left, right = board.west_of(enemies), board.east_of(enemies)
    return (
        board.south_of(enemies),
        board.south_of(left),
        left,
        board.north_of(left),
        board.north_of(enemies),
        board.north_of(right),
        right,
        board.south_of(right),
    )


@rule
def engaging_squares(arrows: int, sets: tuple[int, int, int, int, int, int, int, int]) -> int:
    """The engagement rule: the squares from which one of these arrows points at an enemy."""
    return (
        if_arrow(arrows, 0, sets[0])
        | if_arrow(arrows, 1, sets[1])
        | if_arrow(arrows, 2, sets[2])
        | if_arrow(arrows, 3, sets[3])
        | if_arrow(arrows, 4, sets[4])
        | if_arrow(arrows, 5, sets[5])
        | if_arrow(arrows, 6, sets[6])
        | if_arrow(arrows, 7, sets[7])
    )


@rule
def squares_for(row: int, sets: tuple[int, int, int, int, int, int, int, int], beside: int, empty: int) -> int:
    """Where a card may go by the engagement rule and the exception for support units, if there is an enemy; `beside`
    are the squares beside a friend."""
    return (engaging_squares(unsigned(ARROWS[row]), sets) | beside & -IS_SUPPORT[row]) & empty


@rule
def fallback_squares(s: Record, seat: int, empty: int) -> int:
    """Where any card may go, if there is no enemy or if no card can engage one."""
    enemies, friends = s.occupied[seat ^ 1], s.occupied[seat]
    if enemies == 0:
        if s.no_enemy == BESIDE_FRIEND and board.neighbours(friends) & empty:
            return board.neighbours(friends) & empty
        return empty
    beside = board.neighbours(enemies) & empty
    return beside if beside or s.no_room != ANYWHERE else empty


@rule
def write_deployments(kind: int, squares: int, out: Actions, n: int) -> int:
    while squares:
        out[n] = deployment(kind, lowest_bit(squares))
        n += 1
        squares &= squares - 1
    return n


@rule
def deployments(s: Record, seat: int, out: Actions) -> int:
    empty = empty_squares(s)
    n = 0
    kinds = s.hand_kinds[seat]
    if s.occupied[seat ^ 1]:
        sets, beside, row = sets_by_direction(s.occupied[seat ^ 1]), board.neighbours(s.occupied[seat]), s.row[seat]
        while kinds:
            kind = lowest_bit(kinds)
            kinds &= kinds - 1
            n = write_deployments(kind, squares_for(row + kind, sets, beside, empty), out, n)
    if n == 0:
        kinds, squares = s.hand_kinds[seat], fallback_squares(s, seat, empty)
        while kinds:
            n = write_deployments(lowest_bit(kinds), squares, out, n)
            kinds &= kinds - 1
    return n


@rule
def random_deployment(s: Record, seat: int, scratch: Actions, rng_state: RngState) -> int:
    """What a place drawn at random in the list of `deployments` has, without making the list. `scratch` gets the
    squares of each kind in the hand, how many deployments come before it, and the sets that those are made of."""
    hand = s.hand_kinds[seat]
    n = write_squares(s, seat, scratch) if s.occupied[seat ^ 1] else 0
    if n == 0:
        squares = fallback_squares(s, seat, empty_squares(s))
        each = count_bits(squares)
        drawn = rng.below(rng_state, each * count_bits(hand))
        return deployment(nth_bit(hand, drawn // each), nth_bit(squares, drawn % each))
    drawn = rng.below(rng_state, n)
    place = 0
    for later in range(1, HAND):
        place += drawn >= scratch[_BEFORE + later]
    return deployment(nth_bit(hand, place), nth_bit(scratch[place], drawn - scratch[_BEFORE + place]))


_BEFORE, _HALVES = HAND, 2 * HAND
"""Where those numbers and sets begin in `scratch`."""


@rule
def write_squares(s: Record, seat: int, scratch: Actions) -> int:
    """The same squares as by `squares_for` for each kind in the hand; returns how many deployments there are."""
    sets = sets_by_direction(s.occupied[seat ^ 1])
    write_unions(sets[0], sets[1], sets[2], sets[3], scratch, _HALVES)
    write_unions(sets[4], sets[5], sets[6], sets[7], scratch, _HALVES + HALF_SETS)
    empty, beside, row = empty_squares(s), board.neighbours(s.occupied[seat]), s.row[seat]
    kinds, n = s.hand_kinds[seat], 0
    for place in range(HAND):
        scratch[_BEFORE + place] = n
        if kinds:
            kind = row + lowest_bit(kinds)
            kinds &= kinds - 1
            squares = engaging(unsigned(ARROWS[kind]), scratch, _HALVES) | beside & -IS_SUPPORT[kind]
            scratch[place] = squares & empty
            n += count_bits(squares & empty)
    return n


@rule
def deployment(kind: int, square: int) -> int:
    return DEPLOY_CARD + kind * board.SQUARES + square


@rule
def can_deploy(s: Record, seat: int) -> bool:
    """Whether there is a card in the hand and a square for it."""
    empty = empty_squares(s)
    if s.hand_size[seat] == 0 or empty == 0:
        return False
    if s.no_room != SKIP_TURN or fallback_squares(s, seat, empty):
        return True
    kinds = s.hand_kinds[seat]  # support units may still find a place beside a friend
    sets, beside, row = sets_by_direction(s.occupied[seat ^ 1]), board.neighbours(s.occupied[seat]), s.row[seat]
    while kinds:
        if squares_for(row + lowest_bit(kinds), sets, beside, empty):
            return True
        kinds &= kinds - 1
    return False


@rule
def deploy(s: Record, seat: int, kind: int, square: int) -> None:
    """Put a card from the hand on the board. Who had to use the last fallback shows the rest of the hand."""
    by_the_rules = is_by_the_rules(s, seat, kind, square)
    play_from_hand(s, seat, kind, square)
    if not by_the_rules and s.show_hand:
        copy_into(s.known[seat], s.hand[seat], KINDS)


@rule
def is_by_the_rules(s: Record, seat: int, kind: int, square: int) -> bool:
    """Whether a deployment needs no fallback."""
    enemies, row = s.occupied[seat ^ 1], s.row[seat] + kind
    if enemies == 0 or board.pointed_at(RING[row], square) & enemies:
        return True
    return IS_SUPPORT[row] != 0 and board.neighbours(s.occupied[seat]) >> square & 1 != 0


@rule
def random_challenge(s: Record, seat: int, rng_state: RngState) -> int:
    kinds = s.hand_kinds[seat]
    return deployment(nth_bit(kinds, rng.below(rng_state, count_bits(kinds))), challenge_square(s, seat))


@rule
def challenge_square(s: Record, seat: int) -> int:
    return s.challenge if seat == 0 else board.half_turn(s.challenge)


@rule
def challenges(s: Record, seat: int, out: Actions) -> int:
    n = 0
    kinds = s.hand_kinds[seat]
    while kinds:
        n = write_deployments(lowest_bit(kinds), 1 << challenge_square(s, seat), out, n)
        kinds &= kinds - 1
    return n
