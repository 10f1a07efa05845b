"""From an observation to a problem: everything the deciding seat knows, with the whole question in one piece.

Our rules split a choice of several cards into steps (picks.py) and ask for the special cards of a settlement before its
payment. Here each of these is one problem, the same at all of its steps, in the terms of the original program: cards
are the design ids of cards.json, questions have the types of its choice log.

A payment's options are the cards of the hand and then, for a world, the powers of the tableau that may help to settle
it, as (card, power) pairs. They are pairs because the tableau's Colony Ship and one in the hand have the same id: the
chosen pairs are used, the chosen cards are discarded, and `minimum` and `maximum` count both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.errors import BoardwrightError
from boardwright.games.race.cards import CONSUME_POWERS, MILITARY
from boardwright.games.race.consume import NO_POWER
from boardwright.games.race.settle import usable_specials
from boardwright.games.race.state import (
    CHOOSE_ACTION,
    CONSUME,
    CONSUME_START,
    DEVELOP,
    DEVELOP_PLACE,
    DISCARD,
    DONE,
    EXPLORE,
    FOR_VP,
    GUESS,
    HIDDEN,
    PAY,
    PLACE,
    PRODUCE_COUNT,
    PRODUCE_SCAN,
    PRODUCE_START,
    ROUND_DISCARD,
    SETTLE,
    SETTLE_CARDS,
    SETTLE_PAID,
    SPECIAL,
    STATE,
    TRADE_GOOD,
    USE_POWER,
    WINDFALL,
)
from boardwright.kernel import Observation, Record
from boardwright.kernel.contract import MAX_SEATS
from boardwright.scout.problems.problem import (
    ID_OF_DESIGN,
    NO_SUBJECT,
    PHASES,
    TYPE_ACTION,
    TYPE_DEVELOP,
    TYPE_DISCARD,
    TYPE_GAMBLE,
    TYPE_GOODS,
    TYPE_HAND,
    TYPE_PAYMENT,
    TYPE_POWER,
    TYPE_SETTLE,
    TYPE_TRADE,
    TYPE_WINDFALL,
    Option,
    Problem,
    Side,
    leader_first,
)
from boardwright.scout.problems.translation import (
    PICKS,
    WINDFALL_ANY_ID,
    ids,
    ids_in,
    option_of,
    pickable,
    powers_of,
    settle_ways,
)

_TYPES = {
    CHOOSE_ACTION: TYPE_ACTION,
    DISCARD: TYPE_DISCARD,
    SPECIAL: TYPE_PAYMENT,
    PAY: TYPE_PAYMENT,
    TRADE_GOOD: TYPE_TRADE,
    USE_POWER: TYPE_POWER,
    FOR_VP: TYPE_HAND,
    CONSUME: TYPE_GOODS,
    GUESS: TYPE_GAMBLE,
    WINDFALL: TYPE_WINDFALL,
}
_STAGES = ((ROUND_DISCARD, 0), (PRODUCE_START, 9), (CONSUME_START, 7), (SETTLE, 5), (DEVELOP, 3), (EXPLORE, 1), (0, 0))
"""From which stage on a phase is under way."""


def problem_of(observation: Observation, *, game_id: str = "") -> Problem:
    """The whole question that the seat is asked, also when some of its steps have been answered already."""
    seat, s = observation.seat, observation.record
    if observation.player != seat:
        raise BoardwrightError(f"seat {seat} is not asked anything now")
    scores = np.zeros(MAX_SEATS)
    observation.game.entries.scores(observation.memory, scores)
    options, minimum, maximum = _question(s, seat, observation)
    row = observation.memory.view(STATE)[0]  # several times quicker to read than `s`
    phases, stage = int(row["phases"]), int(row["stage"])
    others = [side_of(row, other, int(scores[other]), ()) for other in range(observation.seats) if other != seat]
    opponent, *others = leader_first(others, seat)
    return Problem(
        type=_type(s),
        options=options,
        minimum=minimum,
        maximum=maximum,
        subject=_subject(s, seat),
        round=int(row["round"]),
        phases=tuple([phase for i, phase in enumerate(PHASES) if phases >> i & 1]),
        phase=next(phase for first, phase in _STAGES if stage >= first),
        deck=int(row["deck_size"]),
        discard=int(row["discard_size"]),
        pool=int(row["pool"]),
        me=side_of(row, seat, int(scores[seat]), ids_in(row["hand"][seat])),
        opponent=opponent,
        game_id=game_id,
        others=tuple(others),
    )


def side_of(row: Any, seat: int, score: int, hand: tuple[int, ...]) -> Side:
    size, action = int(row["size"][seat]), int(row["chosen"][seat])
    tableau, goods = row["tableau"][seat, :size].tolist(), row["good"][seat, :size].tolist()
    return Side(
        seat=seat,
        action=0 if action == HIDDEN else action,
        chips=int(row["chips"][seat]),
        score=score,
        military=int(row["standing"][seat, MILITARY]),
        tableau=ids(tableau),
        goods=ids([card for card, good in zip(tableau, goods, strict=True) if good]),
        hand=hand,
        hand_size=int(row["hand_size"][seat]),
    )


def _type(s: Record) -> int:
    if s.question == PLACE:
        return TYPE_DEVELOP if s.stage == DEVELOP_PLACE else TYPE_SETTLE
    return _TYPES[s.question]


def _question(s: Record, seat: int, observation: Observation) -> tuple[tuple[Option, ...], int, int]:
    """What can be chosen, how many at least and at most."""
    question = s.question
    if question in (SPECIAL, PAY) and s.stage in (SETTLE_CARDS, SETTLE_PAID):
        return _settle_payment(s, seat)
    if question in PICKS:
        options = ids(pickable(s))
        picks = s.picks[seat]
        if question == FOR_VP:
            return options, 0, picks
        wanted = len(options) - picks if s.keeps[seat] else picks
        return options, wanted, wanted
    legal = observation.legal_actions()
    named: set[Any] = {option_of(s, action) for action in legal if action != DONE}
    return tuple(sorted(named)), 0 if DONE in legal else 1, min(1, len(named))


def _settle_payment(s: Record, seat: int) -> tuple[tuple[Option, ...], int, int]:
    counts = [price + mask.bit_count() for mask, price in settle_ways(s, seat).items()]
    usable = usable_specials(s, seat, s.placing[seat] - 1)
    return (*ids_in(s.hand[seat]), *powers_of(usable)), min(counts), max(counts)


def _subject(s: Record, seat: int) -> int:
    question = s.question
    if question in (PAY, SPECIAL):
        return ids([s.placing[seat] - 1])[0]
    if question in (CONSUME, FOR_VP, GUESS) or (question == TRADE_GOOD and s.power != NO_POWER):
        return ID_OF_DESIGN[CONSUME_POWERS[s.power].design]
    if question == WINDFALL and s.stage == PRODUCE_SCAN:
        return ids([s.tableau[seat, s.place]])[0]
    if question == WINDFALL and s.stage == PRODUCE_COUNT:  # the stage to come; for the bonus it is PRODUCE_ANY
        return WINDFALL_ANY_ID
    return NO_SUBJECT
