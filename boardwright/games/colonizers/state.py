"""What a position of Colonizers is made of: the record, the phases, the numbers of the actions.

Hands and colonies are counts per kind of module. A set of colonists is a bit mask: bit c is colonist c.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.colonizers.cards import CARDS, COLONISTS, KINDS
from boardwright.kernel import RNG, Option, record

SEATS = 4
HAND_CAPACITY = 5
COLONY_TARGET = 8
CARDS_DRAWN = 2

NONE = -1  # no seat, no card, no colonist picked yet
UNKNOWN = -2  # in observations: there is one, but the seat may not know which

# Phases, in the order of a turn; from FINISHED on the state is terminal.
COLONIST_PICK, DRAW, DISCARD, POWER, BUILD, FINISHED, EXHAUSTED = range(7)

# Actions, in the same order. PICK, KEEP, TARGET and BUILD_MODULE count up by colonist or kind of module.
PICK = 0
TAKE_OMNIUM = PICK + len(COLONISTS)
DRAW_MODULES = TAKE_OMNIUM + 1
KEEP = DRAW_MODULES + 1
TARGET = KEEP + KINDS
DO_NOTHING = TARGET + len(COLONISTS)
BUILD_MODULE = DO_NOTHING + 1
BUILD_NOTHING = BUILD_MODULE + KINDS
NUM_ACTIONS = BUILD_NOTHING + 1

# What others see of a secret action: to the seat that picks next, a pick is the set of colonists it leaves.
UNSEEN_PICK = NUM_ACTIONS
UNSEEN_CARD = UNSEEN_PICK + 1
PICK_THAT_LEAVES = UNSEEN_CARD + 1
NUM_ACTION_OBSERVATIONS = PICK_THAT_LEAVES + (1 << len(COLONISTS))

MAX_LEGAL = 1 + HAND_CAPACITY
"""Five kinds to build, or five colonists to name, or nothing."""

ALL_COLONISTS = (1 << len(COLONISTS)) - 1
HOW_MANY = np.array([bin(mask).count("1") for mask in range(ALL_COLONISTS + 1)], np.int64)
"""The size of each set of colonists."""

THESIS_BONUS, AS_RUN_BONUS = 0, 1
OPTIONS = {
    "bonus": Option(
        "thesis",
        "points for a complete colony: thesis, 4 for the first and 2 for others; as_run, 4 for each",
        choices=("thesis", "as_run"),
    ),
    "leak": Option(False, "whoever picks a colonist sees what earlier seats picked, as in the original program"),
}

STATE = record(
    rng=RNG,
    round="i4",
    omnium=("i4", SEATS),  # without limit: nobody is forced to build
    phase="i1",
    turn="i1",  # the seat to move; in a terminal state, the seat that moved last
    hand=("i1", (SEATS, KINDS)),
    hand_size=("i1", SEATS),  # also where an observation hides the hand
    colony=("i1", (SEATS, KINDS)),
    colony_size=("i1", SEATS),
    first_complete="i1",  # the first seat with a complete colony, or NONE
    colonist=("i1", SEATS),  # NONE before the pick
    offered=("u1", SEATS),  # what was on offer to each seat when it picked; 0 before
    deck=("i1", CARDS),  # a queue in a ring: the top card is deck[top]
    top="i1",
    deck_size="i1",
    drawn=("i1", CARDS_DRAWN),  # the two cards of which one is kept
    removed=("i1", KINDS),  # cards that did not fit into a full hand; they lie open
    bonus="i1",
    leak="i1",
)
