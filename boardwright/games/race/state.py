"""The record of a position, the numbers that name stages, questions and actions, and the game's options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boardwright.games.race import cards
from boardwright.games.race.bits import WORDS
from boardwright.kernel import RNG, UNCOMPILED, Option, record
from boardwright.kernel.pointers import record_opener
from boardwright.kernel.records import plain_record

SEATS = (2, 3, 4)
MAX_SEATS = max(SEATS)
ROUNDS = 30
TABLEAU_END = 12
"""The game ends after the round in which somebody has so many cards."""
TABLEAU_ROOM = TABLEAU_END + 1
"""A round adds a development and a world at most."""
HAND_LIMIT = 10
POOL_PER_SEAT = 12
NO_CARD = -1
NOBODY = -1

# The game keeps asking questions; `question` is the one under way, NOTHING between two of them.
(
    NOTHING,
    CHOOSE_ACTION,
    DISCARD,  # cards of the hand, or of those just drawn
    PLACE,
    SPECIAL,  # which cards of the tableau to use in settling a world
    PAY,
    TRADE_GOOD,
    USE_POWER,
    CONSUME,  # which goods
    FOR_VP,  # cards of the hand for victory points
    GUESS,
    WINDFALL,
    GAME_OVER,
) = range(13)

# What the rules do next, in the order of docs/rules/race.md, section 7.
(
    SETUP_DISCARD,
    ROUND_START,
    ROUND_CHOOSE,
    EXPLORE,
    EXPLORE_KEEP,
    EXPLORE_DISCARD,
    DEVELOP,
    DEVELOP_PLACE,
    DEVELOP_PAY,
    DEVELOP_PAID,
    SETTLE,
    SETTLE_PLACE,
    SETTLE_PAY,
    SETTLE_CARDS,
    SETTLE_PAID,
    CONSUME_START,
    CONSUME_TRADE,
    CONSUME_TRADED,
    CONSUME_NEXT,
    CONSUME_USE,
    CONSUME_CHOSEN,
    PRODUCE_START,
    PRODUCE_SCAN,
    PRODUCE_BONUS,
    PRODUCE_ANY,
    PRODUCE_COUNT,
    ROUND_DISCARD,
    ROUND_END,
    END,
) = range(29)

# The seven actions of a round, numbered as in saved games.
ROUND_ACTIONS = (1, 2, 3, 5, 7, 8, 9)
(
    EXPLORE_FIVE,
    EXPLORE_ONE,
    DEVELOP_ACTION,
    SETTLE_ACTION,
    CONSUME_TRADE_ACTION,
    CONSUME_TWICE,
    PRODUCE_ACTION,
) = ROUND_ACTIONS
EXPLORE_PHASE, DEVELOP_PHASE, SETTLE_PHASE, CONSUME_PHASE, PRODUCE_PHASE = 1, 2, 4, 8, 16
PHASE_OF_ACTION = (0, 1, 1, 2, 0, 4, 0, 8, 8, 16)
"""The phase of each action, 0 for numbers that name none."""

# What an action's number means. A card is named by its design; the second copies have names of their own only
# where it matters which copy goes (see the option `generator`).
SECOND_COPY = cards.DESIGN_COUNT
DONE = SECOND_COPY + len(cards.SECOND_CARD)
ACTION = DONE + 1
SPECIALS = ACTION + 10
GUESSES = SPECIALS + 8
POWER = GUESSES + 8
NUM_ACTIONS = POWER + cards.POWER_COUNT
assert DONE == cards.CARDS

# What others see of a secret action.
UNSEEN_CARD, UNSEEN_CHOICE = NUM_ACTIONS, NUM_ACTIONS + 1
OPEN_FACE = UNSEEN_CHOICE + 1
"""And of a card that is laid where actions name one of two equal cards: its design."""
NUM_ACTION_OBSERVATIONS = OPEN_FACE + cards.DESIGN_COUNT

USE_COLONY_SHIP, USE_TACTICS, USE_CONTACT = 1, 2, 4
HIGHEST_GUESS = 7

CARD_TYPE, HIDDEN = ("i1", 127) if cards.CARDS < 127 else ("i2", 32767)
"""The type of numbers of cards, and what stands in an observation for something that the seat may not know."""

GENERATION_BITS = 3
LAST_GENERATION = (1 << GENERATION_BITS) - 1
"""Seats tell so many generations of the deck apart (recall.py); those before are one."""

# Signed numbers throughout: compiled, unsigned ones mixed with others turn into floats.
STATE = record(
    rng=RNG,
    lcg="i8",  # the original program's generator, if the game uses it
    # Where the cards are. Goods and tableaux are below.
    deck=("i8", WORDS),
    discard=("i8", WORDS),
    hand=("i8", (MAX_SEATS, WORDS)),
    fresh=("i8", (MAX_SEATS, WORDS)),  # of the hand, drawn in this explore phase
    picked=("i8", (MAX_SEATS, WORDS)),  # cards or worlds chosen in the question under way
    knows=("i8", (MAX_SEATS, WORDS)),  # discards, and cards in other hands, that the seat has seen
    used="i4",  # consume powers used in this phase: a bit for each tableau place and power
    chips=("i2", MAX_SEATS),
    pool="i2",
    produced=("i2", MAX_SEATS),  # tableau places that got a good in this produce phase
    tableau=(CARD_TYPE, (MAX_SEATS, TABLEAU_ROOM)),  # in order of placement
    good=(CARD_TYPE, (MAX_SEATS, TABLEAU_ROOM)),  # on the card in that place: 1 + the good's card, 0 for none
    standing=("i1", (MAX_SEATS, cards.STANDING_COUNT)),  # totals of the tableau's standing powers
    goods=("i1", (MAX_SEATS, cards.KIND_COUNT)),  # how many goods of each kind; all of them under NO_KIND
    size=("i1", MAX_SEATS),  # of the tableau
    hand_size=(CARD_TYPE, MAX_SEATS),
    deck_size=CARD_TYPE,
    discard_size=CARD_TYPE,
    chosen=(CARD_TYPE, MAX_SEATS),  # this round's action
    placing=(CARD_TYPE, MAX_SEATS),  # 1 + the card placed in this phase, 0 for none
    drawn=(CARD_TYPE, MAX_SEATS),  # cards in `fresh`
    picks=(CARD_TYPE, MAX_SEATS),  # how many the seat is to pick
    keeps=("i1", MAX_SEATS),  # whether it names those it keeps, because they are fewer
    seats="i1",
    original="i1",  # plays with the original program's generator and asks all that it asks
    round="i1",
    phases="i1",  # that take place in this round
    stage="i1",
    question="i1",
    asked="i1",  # the seat that must answer
    first="i1",  # the seat that is first in turn order
    turn="i1",  # how many seats have had their turn in this stage
    left=CARD_TYPE,  # picks to come
    floor=CARD_TYPE,  # the lowest card that may be picked next: picks go in ascending order
    specials="i1",  # cards used in settling
    power="i1",  # the consume power in use,
    place="i1",  # and the tableau place of its card, or the place the scan of the produce phase has come to
    wanted="i1",  # kind of windfall world asked for
    guess="i1",
    first_good="i1",  # Alpha Centauri still has the good from the setup, which is no start world
    # What each seat remembers of cards that the discard pile took into the deck; recall.py says how. No decision's seed
    # depends on these.
    unseen_since=("i8", (MAX_SEATS, GENERATION_BITS, WORDS)),  # a generation per card, a bit of it in each set
    kept=("i8", (MAX_SEATS, WORDS)),  # of `shown` before the discard pile became the deck: the gambler may have them
    shown=("i8", WORDS),  # that all saw `gambler` take from the deck: in its hand, or given away in this generation
    old_hand=(
        CARD_TYPE,
        (MAX_SEATS, MAX_SEATS, LAST_GENERATION),
    ),  # of a seat's pool: drawn in earlier generations
    old_pile=(CARD_TYPE, (MAX_SEATS, LAST_GENERATION)),  # of the discards that are in no pool: the same
    given_new=(CARD_TYPE, (MAX_SEATS, MAX_SEATS)),  # of `given`: how many at most were drawn in this generation
    given=(CARD_TYPE, MAX_SEATS),  # cards that a seat gave away in this generation, but for those of explorers
    good_since=("i1", (MAX_SEATS, TABLEAU_ROOM)),  # the generation in which a good was drawn
    drawn_before=(CARD_TYPE, MAX_SEATS),  # of those in `fresh`: before the discard pile became the deck in this phase
    size_before=(CARD_TYPE, MAX_SEATS),  # of the hand, when the discard pile became the deck; -1 before
    recalls="i1",  # a bit for each seat that remembers; in an observation its own seat alone
    generation="i1",  # how often the discard pile has become the deck, as far as that is told apart
    gambler="i1",  # the seat that takes cards openly, or NOBODY
)


def longest_game(seats: int, options: Mapping[str, Any]) -> int:
    """In a round all seats together give away no more cards than there are in each of six questions: exploring, two
    payments, cards for points, the hand limit, and the few that are asked about cards that must go anyway. A seat
    chooses one action, two placements, special cards, a trade and a guess; it uses each power once, two to a card, and
    each of its goods goes once and comes once."""
    per_seat = 6 + 4 * TABLEAU_ROOM
    return cards.CARDS + ROUNDS * (6 * cards.CARDS + per_seat * seats)


MEMORY = STATE.names[STATE.names.index("unseen_since") :] if STATE.names else ()
"""The fields in which seats remember."""

open_state: Callable[[Any], Any] = (lambda state: plain_record(state, STATE)) if UNCOMPILED else record_opener(STATE)
"""The record in a state's bytes."""

OPTIONS = {
    "generator": Option(
        "kernel",
        "keldon: the random numbers of the original program; which of two equal cards goes then matters"
        " for what is drawn, so actions name it, and forced questions are asked too",
        choices=("kernel", "keldon"),
    ),
}
