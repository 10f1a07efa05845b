"""What a position of Lords of War is made of: the record, the phases, the numbers of the actions, the options.

Sets of squares and of kinds are bits of one word (board.py, kernel/bits.py). Cards are named by kind (cards.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardwright.games.lords.board import SEATS, SQUARE_NAMES, SQUARES
from boardwright.games.lords.cards import ARMY_NAMES, CARDS, KINDS, PERSONALISED, VERSIONS
from boardwright.games.lords.heat_maps import DEFAULT_MAPS, MAP_NAMES
from boardwright.kernel import UNCOMPILED, Option, PerSeat, record
from boardwright.kernel.pointers import record_opener
from boardwright.kernel.records import plain_record

HAND = 6
DECK = CARDS - 1
"""The general is never in the deck."""
CARDS_TO_WIN, COMMANDS_TO_WIN = 20, 4
MOST_SHOTS = SEATS * max(
    sum(card.missile > 0 for card in cards)
    for armies in (VERSIONS["corrected"], PERSONALISED)
    for cards in armies.values()
)
DEFAULT_CHALLENGE = "c3"
"""Of the first player. The mat is not pictured in our sources: another program uses this square and its image under a
half turn, e4, which are not adjacent, as the rule sheet's text suggests."""

NONE = -1  # no card, no square
UNKNOWN = -2  # in observations: a card, but the seat may not know which

# Phases. START and the questions of a phase without a choice are never seen from outside.
CHALLENGE, START, DEPLOY, SHOOT, REINFORCE, FINISHED = range(6)

# Who won.
UNDECIDED, DRAW_GAME = -1, 2  # or a seat

# Actions. DEPLOY_CARD counts up by kind and square, SHOOT_AT and RECALL by square.
DEPLOY_CARD = 0
SHOOT_AT = DEPLOY_CARD + KINDS * SQUARES
NO_SHOT = SHOOT_AT + SQUARES
DRAW = NO_SHOT + 1
RECALL = DRAW + 1
NO_REINFORCEMENT = RECALL + SQUARES
NUM_ACTIONS = NO_REINFORCEMENT + 1

DEPLOYED_KIND = np.repeat(np.arange(KINDS, dtype=np.uint8), SQUARES)
DEPLOYED_SQUARE = np.tile(np.arange(SQUARES, dtype=np.uint8), KINDS)
"""What a deployment deploys, and where. (Looked up, because it is asked for every turn of a playout: a division by 42
takes longer, and of bytes without a sign it is known that they are no negative indices.)"""
assert DEPLOY_CARD == 0

MAX_LEGAL = HAND * SQUARES
"""Six kinds, each anywhere."""


@dataclass(frozen=True)
class OneOfMany(Option):
    """A choice with many values, of which checks of the game try few."""

    tried: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[bool | str, ...]:
        return self.tried


HIDDEN, OPEN = 0, 1
ANYWHERE, BESIDE_FRIEND = 0, 1
SKIP_TURN = 1
AFTER_CASUALTIES, BEFORE_CASUALTIES = 0, 1
CONTRIBUTED, ENGAGED = 0, 1
GO_ON, LOSES = 0, 1
DRAWN, ACTIVE_WINS = 0, 1
ACTIVE_ONLY, EITHER = 0, 1

OPTIONS: dict[str, Option] = {
    "armies": PerSeat(
        "orc", "the armies of both seats, as orc,dwarf; orc for a seat that the list does not reach", choices=ARMY_NAMES
    ),
    "cards": Option(
        "corrected",
        "card data with its suspected slips mended, or as it was typed from the cards",
        choices=tuple(VERSIONS),
    ),
    "information": Option(
        "hidden",
        "hands and decks are hidden, or open: both hands and both deck orders are known",
        choices=("hidden", "open"),
    ),
    "challenge_squares": OneOfMany(
        DEFAULT_CHALLENGE,
        "where the first player's challenge goes; the second's goes to the image under a half turn",
        choices=SQUARE_NAMES,
        tried=("a1",),
    ),
    "challenge_fights": Option(False, "cards fight after the second challenge, before the first turn"),
    "no_enemy": Option(
        "anywhere", "where a card goes if there is no enemy on the board", choices=("anywhere", "beside_friend")
    ),
    "no_room": Option(
        "anywhere",
        "where a card goes if none can engage and no square beside an enemy is free, or the deployment is skipped",
        choices=("anywhere", "skip"),
    ),
    "show_hand": Option(True, "a player who cannot deploy by the engagement rule shows the hand after placing a card"),
    "inactive_may_shoot": Option(False, "ranged units of the player whose turn it is not may shoot too"),
    "engaged_may_shoot": Option(False, "a ranged unit may shoot while an enemy arrow points at it"),
    "extra_turn": Option(
        "active",
        "who takes an extra turn when the enemy general falls: the player whose turn it is, or either player",
        choices=("active", "either"),
    ),
    "must_reinforce": Option(True, "the hand must be refilled if that is possible"),
    "recall_test": Option(
        "after",
        "whether a unit is engaged, for recalling it, is tested after or before casualties are removed",
        choices=("after", "before"),
    ),
    "took_part": Option(
        "contributed",
        "units that cannot be recalled after a kill: those that contributed to its sum, or also those it was engaging",
        choices=("contributed", "engaged"),
    ),
    "empty_hand": Option(
        "skip", "a player without a card in hand skips the deployment, or loses", choices=("skip", "loses")
    ),
    "both_win": Option(
        "draw",
        "if both reach their aim at once: a draw, or the player whose turn it is wins",
        choices=("draw", "active"),
    ),
    "turn_limit": Option(300, "after so many turns of either player the game is a draw", low=1, high=10_000),
    **{
        f"map_{letter}": OneOfMany(name, f"the heat map of h{6 + number}", choices=MAP_NAMES)
        for number, (letter, name) in enumerate(DEFAULT_MAPS.items())
    },
}


def longest_game(seats: int, options: Mapping[str, Any]) -> int:
    """Both challenge; then each turn has a deployment, a shot from every square at most, and a reinforcement."""
    return seats + int(options["turn_limit"]) * (SQUARES + 2)


FIRST_MAP_OPTION = list(OPTIONS).index("map_a")

STATE = record(
    occupied=("i8", SEATS),  # the squares with cards of each seat
    ranged=("i8", SEATS),  # those with units that can shoot
    hand_kinds=("i8", SEATS),  # the kinds that are in the hand
    held="i8",  # cards of the active player that cannot be recalled this turn
    row=("u2", SEATS),  # where the rows of each seat's deck begin in the tables of cards.py
    turn="i2",  # turns that are over
    turn_limit="i2",
    card=("i1", SQUARES),  # the kind on each square, or NONE
    attack=("i1", (SEATS, SQUARES)),  # the arrows of each seat that point at a square, added up
    hand=("i1", (SEATS, KINDS)),
    hand_size=("i1", SEATS),  # also where an observation hides the hand
    known=("i1", (SEATS, KINDS)),  # cards in the hand that the other player knows of
    deck=("i1", (SEATS, DECK)),  # the top card is the last one
    deck_size=("i1", SEATS),
    dead=("i1", (SEATS, KINDS)),  # eliminated cards
    losses=("i1", SEATS),
    command_losses=("i1", SEATS),
    phase="u1",
    active="u1",  # the seat whose turn it is
    mover="u1",  # the seat to choose
    placed="i1",  # the square where a card was deployed this turn, or NONE
    shooter="i1",  # the unit whose shot is in question
    shots="i1",  # shots of this turn: their units and targets
    shooters=("i1", MOST_SHOTS),
    targets=("i1", MOST_SHOTS),
    owed=("i1", SEATS),  # extra turns still to be taken
    skipped="i1",  # whether the turn before had no deployment
    winner="i1",  # a seat, DRAW_GAME or UNDECIDED
    challenge="i1",  # the options from here on
    information="i1",
    challenge_fights="i1",
    no_enemy="i1",
    no_room="i1",
    show_hand="i1",
    inactive_may_shoot="i1",
    engaged_may_shoot="i1",
    extra_turn="i1",
    must_reinforce="i1",
    recall_test="i1",
    took_part="i1",
    empty_hand="i1",
    both_win="i1",
    heat_map=("i1", len(DEFAULT_MAPS)),
    padding=("i1", 6),
    defence=("i1", SQUARES),  # of the card on each square, 0 without one
)
DERIVED = ("defence",)
"""Fields that follow from the others. They come last, where the record ended before there were any."""

open_state: Callable[[Any], Any] = (lambda state: plain_record(state, STATE)) if UNCOMPILED else record_opener(STATE)
"""The record in a state's bytes."""
