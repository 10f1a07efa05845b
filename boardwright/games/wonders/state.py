"""The state record, the variants, what an action's number means, and who sits and holds where.

Seats run clockwise; a seat's left neighbour is the next one. The cards dealt to a seat stay together as a
*packet*, which is passed round; packet p is the one dealt to seat p. Every card that leaves a packet has a place
in `left`: Age, packet, turn (6 for the card that remains after turn six). What became of it stands in `fate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from boardwright.games.wonders import cards
from boardwright.games.wonders.slips import SLIPS
from boardwright.kernel import RNG, UNCOMPILED, Option, PerSeat, Record, record, rule
from boardwright.kernel.pointers import record_opener
from boardwright.kernel.records import plain_record

EMPTY, UNKNOWN = -1, -2  # no card here; a card that the looking seat does not know

CHOOSE, SEVENTH, DIG, FINISHED = range(4)
"""What is asked: everybody's choice of the turn; what Babylon B does with its last card; what Halikarnassos builds
from the discards."""

NOT_YET, DEFERRED, HIDDEN = -1, -2, -3
"""In `chosen`, instead of an action: not asked yet; asked once all others have chosen (information.py); chosen,
and not for the looking seat to know."""

HELD, BUILT, TUCKED, DISCARDED, LOOKED_AT, TAKEN = range(6)
"""In `fate`: still in the packet; built; under a board; in the discard pile; there, and Halikarnassos has seen it;
built from the pile."""

NEVER, READY, SPENT = range(3)  # Olympia A's free build

CITY = record(
    goods="i8",  # own fixed production, packed (cards.py)
    coins="i2",
    board="i1",
    side="i1",
    stages="i1",
    shields="i1",
    points="i1",  # of blue cards
    victory="i1",  # the sum of the victory tokens
    defeats="i1",
    free_build="i1",
    discounts="i1",
    choices="i1",  # A/B cards, which neighbours may buy from
    choice=("i1", 6),
    extras="i1",  # other production, for the owner alone
    extra=("i1", 4),
    makes="i1",  # a bit for each good that some A/B card or extra gives
    sells="i1",  # a bit for each good that neighbours may buy
    symbols=("i1", len(cards.SYMBOLS)),
    colours=("i1", cards.NUM_COLOURS),
    built=("i1", cards.KINDS),
)

STATE = record(
    rng=RNG,
    city=(CITY, cards.MOST_SEATS),
    chosen=("i2", cards.MOST_SEATS),
    pay=("i1", (cards.MOST_SEATS, 2)),  # coins the choice pays to the left and to the right
    seats="i1",
    age="i1",  # from 0
    turn="i1",  # from 0
    phase="i1",
    mover="i1",  # who must choose now
    digger="i1",  # who will build from the discards this turn, or EMPTY
    hand=("i1", (cards.MOST_SEATS, cards.HAND)),  # by packet, in the order of kinds, EMPTY behind
    left=("i1", (cards.AGES, cards.MOST_SEATS, cards.HAND)),
    fate=("i1", (cards.AGES, cards.MOST_SEATS, cards.HAND)),
    owed="i1",  # a structure from the discards that has yet to take effect, or EMPTY (slips.py: late digging)
    owed_to="i1",
    undominated="i1",  # the options
    slips="i2",
)

open_state: Callable[[Any], Any] = (lambda state: plain_record(state, STATE)) if UNCOMPILED else record_opener(STATE)
"""The record in a state's bytes."""

RANDOM_BOARD = "random"
BOARD_CHOICES = (
    RANDOM_BOARD,
    *(f"{name.lower()}{side}" for name in cards.BOARD_NAMES for side in ("", "-A", "-B")),
)
"""What a seat's board can be set to; a name alone leaves the side to the option `sides`."""
SIDE_CHOICES = ("random", "A", "B")


def _twice(boards: Sequence[str]) -> str:
    """There is one board of each wonder."""
    names = [board.partition("-")[0] for board in boards if board != RANDOM_BOARD]
    repeated = [name for name in names if names.count(name) > 1]
    return f"has {repeated[0]} twice" if repeated else ""


OPTIONS = {
    "sides": Option("random", "which side of the boards is up", choices=SIDE_CHOICES),
    "payments": Option(
        "cheapest",
        "which ways to pay the neighbours are offered: those that cost least in all, or all that no other way beats"
        " towards both",
        choices=("cheapest", "undominated"),
    ),
    "slips": SLIPS,
    "boards": PerSeat(
        RANDOM_BOARD, "the boards from the first seat on; others are dealt", choices=BOARD_CHOICES, conflict=_twice
    ),
}

# An action's number: what is done, the kind of the card, and for a purchase the coins that go to the left. What
# goes to the right follows: it is the least that buys the rest.
MOST_TO_LEFT = 15  # 0 to 14 coins: seven goods at two
BUILD = 0
STAGE = BUILD + cards.KINDS * MOST_TO_LEFT
DISCARD = STAGE + cards.KINDS * MOST_TO_LEFT
FREE = DISCARD + cards.KINDS  # by Olympia A's power
FROM_PILE = FREE + cards.KINDS  # by Halikarnassos's
NOTHING = FROM_PILE + cards.KINDS
DEAR = NOTHING + 1  # from here on, the same builds losing a coin more (slips.py: double coins)
NUM_ACTIONS = 2 * DEAR

# What others see of a secret action (action_observations.py): before the turn is resolved, that there was one; then a
# stage and what went to the left for it, or a discard; and who gets the packet next sees what is left in it.
UNSEEN_CHOICE = NUM_ACTIONS
UNSEEN_STAGE = UNSEEN_CHOICE + 1
UNSEEN_DISCARD = UNSEEN_STAGE + MOST_TO_LEFT
UNSEEN_STAGE_LEAVES = UNSEEN_DISCARD + 1
UNSEEN_DISCARD_LEAVES = UNSEEN_STAGE_LEAVES + cards.KINDS * MOST_TO_LEFT
NUM_ACTION_OBSERVATIONS = UNSEEN_DISCARD_LEAVES + cards.KINDS

MAX_LEGAL = cards.HAND * (3 * MOST_TO_LEFT + 3)


@rule
def use_of(action: int) -> int:
    """BUILD, STAGE, DISCARD, FREE, FROM_PILE or NOTHING."""
    if action < STAGE:
        return BUILD
    if action < DISCARD:
        return STAGE
    if action < FREE:
        return DISCARD
    if action < FROM_PILE:
        return FREE
    if action <= NOTHING:
        return FROM_PILE if action < NOTHING else NOTHING
    return BUILD if action < DEAR + STAGE else FREE


@rule
def kind_in(action: int) -> int:
    """The card an action plays."""
    if action < STAGE:
        return action // MOST_TO_LEFT
    if action < DISCARD:
        return (action - STAGE) // MOST_TO_LEFT
    if action < DEAR:
        return (action - DISCARD) % cards.KINDS
    return (action - DEAR) // MOST_TO_LEFT if action < DEAR + STAGE else (action - DEAR - DISCARD) % cards.KINDS


@rule
def to_left(action: int) -> int:
    """The coins it pays to the left neighbour."""
    if action < STAGE:
        return action % MOST_TO_LEFT
    if action < DISCARD:
        return (action - STAGE) % MOST_TO_LEFT
    return (action - DEAR) % MOST_TO_LEFT if DEAR <= action < DEAR + STAGE else 0


@rule
def left_of(s: Record, seat: int) -> int:
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def right_of(s: Record, seat: int) -> int:
    return seat - 1 if seat > 0 else s.seats - 1


@rule
def packet_of(s: Record, seat: int) -> int:
    """The packet a seat holds: packets go left in Ages I and III, right in Age II."""
    return (seat + s.turn) % s.seats if s.age == cards.AGE_TWO else (seat - s.turn + 2 * s.seats) % s.seats


@rule
def give_board(s: Record, seat: int, board: int, side: int) -> None:
    """A fresh city: its board and start resource."""
    city = s.city[seat]
    city.board = board
    city.side = side
    city.goods = cards.START[board]
    city.sells = cards.goods_in(cards.START[board])
