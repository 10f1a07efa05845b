"""A game of hidden hands in which it pays to plan: both seats sew a quilt of 25 patches.

Two players. In turn, a player sews one of its three patches onto an empty place of its own quilt and draws another
patch. When both quilts are full, every row and every column scores for its most frequent colour: 1 for two patches, 4
for three, 10 for four, 20 for five. Hands and the pile are hidden, quilts are open. The higher score wins, and of equal
ones that of the second player.
"""

from __future__ import annotations

import numpy as np

from boardwright.kernel import (
    RNG,
    TERMINAL,
    Actions,
    Game,
    Information,
    Record,
    Returns,
    Rules,
    Text,
    record,
    rng,
    rule,
)
from boardwright.kernel.bits import mix

SEATS, SIDE, COLOURS, COPIES, HAND = 2, 5, 4, 16, 3
PLACES = SIDE * SIDE
EMPTY = 0  # a place holds EMPTY, or 1 + the colour of its patch
POINTS = np.array([0, 0, 1, 4, 10, 20])
"""Of a row or column, by how often its most frequent colour is there."""
NAMES = ("red", "blue", "green", "white")

STATE = record(
    turn="i1",
    quilt=("i1", (SEATS, PLACES)),
    hand=("i1", (SEATS, COLOURS)),
    pile=("i1", COLOURS),
    rng=RNG,
)


@rule
def draw(s: Record, seat: int) -> None:
    place = rng.below(s.rng, s.pile.sum())
    for colour in range(COLOURS):
        if place < s.pile[colour]:
            s.pile[colour] -= 1
            s.hand[seat, colour] += 1
            return
        place -= s.pile[colour]


@rule
def setup(s: Record, seed: int, seats: int, options: Actions) -> None:
    rng.seed(s.rng, seed)
    s.pile[:] = COPIES
    for seat in range(SEATS):
        for _ in range(HAND):
            draw(s, seat)


@rule
def player(s: Record) -> int:
    return TERMINAL if s.turn == SEATS * PLACES else s.turn % SEATS


@rule
def legal(s: Record, out: Actions) -> int:
    seat, n = s.turn % SEATS, 0
    for colour in range(COLOURS):
        if s.hand[seat, colour] > 0:
            for place in range(PLACES):
                if s.quilt[seat, place] == EMPTY:
                    out[n] = colour * PLACES + place
                    n += 1
    return n


@rule
def apply(s: Record, action: int) -> None:
    seat, colour = s.turn % SEATS, action // PLACES
    s.hand[seat, colour] -= 1
    s.quilt[seat, action % PLACES] = 1 + colour
    s.turn += 1
    draw(s, seat)


@rule
def most_frequent(s: Record, seat: int, first: int, step: int) -> int:
    """How often the most frequent colour is in a row or column."""
    most = 0
    for colour in range(COLOURS):
        count = 0
        for i in range(SIDE):
            count += 1 if s.quilt[seat, first + i * step] == 1 + colour else 0
        most = max(most, count)
    return most


@rule
def points(s: Record, seat: int) -> int:
    total = 0
    for line in range(SIDE):
        total += POINTS[most_frequent(s, seat, line * SIDE, 1)] + POINTS[most_frequent(s, seat, line, SIDE)]
    return total


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(SEATS):
        out[seat] = points(s, seat)


@rule
def returns(s: Record, out: Returns) -> None:
    out[0] = 1.0 if points(s, 0) > points(s, 1) else -1.0
    out[1] = -out[0]


@rule
def observe(s: Record, seat: int) -> None:
    s.rng[:] = 0
    s.pile[:] = 0
    s.hand[1 - seat] = 0


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    rng.seed(s.rng, seed)
    for colour in range(COLOURS):
        s.pile[colour] = COPIES - s.hand[seat, colour]
    for one in range(SEATS):
        for place in range(PLACES):
            if s.quilt[one, place] != EMPTY:
                s.pile[s.quilt[one, place] - 1] -= 1
    for _ in range(HAND):
        draw(s, 1 - seat)


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """The patch that it drew itself."""
    if before.turn % SEATS != seat:
        return 0
    found = 1
    for colour in range(COLOURS):
        found = mix(found, s.hand[seat, colour])
    return found


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Exchange the other's patches with those of the pile."""
    unseen = [colour for colour in range(COLOURS) for _ in range(s.pile[colour] + s.hand[1 - seat][colour])]
    random.shuffle(unseen)
    for colour in range(COLOURS):
        s.hand[1 - seat][colour] = unseen[:HAND].count(colour)
        s.pile[colour] = unseen[HAND:].count(colour)


@rule
def piece_counts(s: Record, out: Actions) -> None:
    for colour in range(COLOURS):
        out[colour] = s.pile[colour] + s.hand[:, colour].sum() + (s.quilt == 1 + colour).sum()


def describe_action(s: Record, action: int) -> str:
    place = action % PLACES
    return f"{NAMES[action // PLACES]} to row {1 + place // SIDE}, column {1 + place % SIDE}"


def show_state(s: Record, seat: int | None) -> str:
    lines = []
    for one in range(SEATS):
        held = " ".join(NAMES[colour] for colour in range(COLOURS) for _ in range(s.hand[one][colour]))
        lines.append(f"seat {one + 1} holds {held if seat in (None, one) else '?'}")
        for row in range(SIDE):
            lines.append("".join(".rbgw"[s.quilt[one][row * SIDE + column]] for column in range(SIDE)))
    return "\n".join(lines)


game = Game(
    name="quilts",
    title="Quilts",
    state=STATE,
    seats=(SEATS,),
    num_actions=COLOURS * PLACES,
    chance="play",
    max_utility_sum=0.0,
    constant_sum=True,
    rules=Rules(
        setup=setup,
        player=player,
        legal=legal,
        apply=apply,
        returns=returns,
        scores=scores,
        piece_counts=piece_counts,
        num_piece_kinds=COLOURS,
    ),
    information=Information(observe=observe, determinize=determinize, learned=learned, scramble=scramble),
    text=Text(describe_action=describe_action, show_state=show_state),
)
