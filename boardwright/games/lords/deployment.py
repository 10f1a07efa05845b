"""Deployment: which card may go where (docs/rules/lords.md, section 3)."""

from __future__ import annotations

from boardwright.games.lords.board import (
    ALL_SQUARES,
    SQUARES,
    east_of,
    half_turn,
    neighbours,
    north_of,
    south_of,
    west_of,
)
from boardwright.games.lords.cards import ARROWS, IS_SUPPORT
from boardwright.games.lords.piles import play_from_hand
from boardwright.games.lords.state import ANYWHERE, BESIDE_FRIEND, DEPLOY_CARD, SKIP_TURN
from boardwright.kernel import Actions, Record, rule
from boardwright.kernel.bits import lowest_bit


@rule
def empty_squares(s: Record) -> int:
    return ALL_SQUARES & ~(s.occupied[0] | s.occupied[1])


@rule
def if_arrow(arrows: int, direction: int, squares: int) -> int:
    """The squares, if there is an arrow in that direction; no square otherwise. (Without a branch: which arrows a card
    has cannot be predicted.)"""
    return squares & -(arrows >> direction & 1)


@rule
def engaging_squares(arrows: int, enemies: int) -> int:
    """The engagement rule: the squares from which one of these arrows points at an enemy."""
    left, right = west_of(enemies), east_of(enemies)
    return (
        if_arrow(arrows, 0, south_of(enemies))
        | if_arrow(arrows, 1, south_of(left))
        | if_arrow(arrows, 2, left)
        | if_arrow(arrows, 3, north_of(left))
        | if_arrow(arrows, 4, north_of(enemies))
        | if_arrow(arrows, 5, north_of(right))
        | if_arrow(arrows, 6, right)
        | if_arrow(arrows, 7, south_of(right))
    )


@rule
def squares_for(s: Record, seat: int, kind: int, empty: int) -> int:
    """Where a card may go by the engagement rule and the exception for support units, if there is an enemy."""
    row = s.row[seat] + kind
    squares = engaging_squares(ARROWS[row], s.occupied[1 - seat])
    if IS_SUPPORT[row]:
        squares |= neighbours(s.occupied[seat])
    return squares & empty


@rule
def fallback_squares(s: Record, seat: int, empty: int) -> int:
    """Where any card may go, if there is no enemy or if no card can engage one."""
    enemies, friends = s.occupied[1 - seat], s.occupied[seat]
    if enemies == 0:
        if s.no_enemy == BESIDE_FRIEND and neighbours(friends) & empty:
            return neighbours(friends) & empty
        return empty
    beside = neighbours(enemies) & empty
    return beside if beside or s.no_room != ANYWHERE else empty


@rule
def write_deployments(kind: int, squares: int, out: Actions, n: int) -> int:
    first = DEPLOY_CARD + kind * SQUARES
    while squares:
        out[n] = first + lowest_bit(squares)
        n += 1
        squares &= squares - 1
    return n


@rule
def deployments(s: Record, seat: int, out: Actions) -> int:
    empty = empty_squares(s)
    n = 0
    kinds = s.hand_kinds[seat]
    if s.occupied[1 - seat]:
        while kinds:
            kind = lowest_bit(kinds)
            kinds &= kinds - 1
            n = write_deployments(kind, squares_for(s, seat, kind, empty), out, n)
    if n == 0:
        kinds, squares = s.hand_kinds[seat], fallback_squares(s, seat, empty)
        while kinds:
            n = write_deployments(lowest_bit(kinds), squares, out, n)
            kinds &= kinds - 1
    return n


@rule
def can_deploy(s: Record, seat: int) -> bool:
    """Whether there is a card in the hand and a square for it."""
    empty = empty_squares(s)
    if s.hand_size[seat] == 0 or empty == 0:
        return False
    if s.no_room != SKIP_TURN or fallback_squares(s, seat, empty):
        return True
    kinds = s.hand_kinds[seat]  # support units may still find a place beside a friend
    while kinds:
        if squares_for(s, seat, lowest_bit(kinds), empty):
            return True
        kinds &= kinds - 1
    return False


@rule
def deploy(s: Record, seat: int, kind: int, square: int) -> None:
    """Put a card from the hand on the board. Who had to use the last fallback shows the rest of the hand."""
    by_the_rules = s.occupied[1 - seat] == 0 or squares_for(s, seat, kind, empty_squares(s)) >> square & 1
    play_from_hand(s, seat, kind, square)
    if not by_the_rules and s.show_hand:
        s.known[seat, :] = s.hand[seat, :]


@rule
def challenge_square(s: Record, seat: int) -> int:
    return s.challenge if seat == 0 else half_turn(s.challenge)


@rule
def challenges(s: Record, seat: int, out: Actions) -> int:
    n = 0
    kinds = s.hand_kinds[seat]
    while kinds:
        n = write_deployments(lowest_bit(kinds), 1 << challenge_square(s, seat), out, n)
        kinds &= kinds - 1
    return n
