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
from boardwright.games.race import state
from boardwright.games.race.cards import CONSUME_POWERS, MILITARY
from boardwright.games.race.consume import NO_POWER
from boardwright.games.race.settle import usable_specials
from boardwright.kernel import MAX_SEATS, Observation, Record
from boardwright.scout.problems import problem as problems
from boardwright.scout.problems import translation

_TYPES = {
    state.CHOOSE_ACTION: problems.TYPE_ACTION,
    state.DISCARD: problems.TYPE_DISCARD,
    state.SPECIAL: problems.TYPE_PAYMENT,
    state.PAY: problems.TYPE_PAYMENT,
    state.TRADE_GOOD: problems.TYPE_TRADE,
    state.USE_POWER: problems.TYPE_POWER,
    state.FOR_VP: problems.TYPE_HAND,
    state.CONSUME: problems.TYPE_GOODS,
    state.GUESS: problems.TYPE_GAMBLE,
    state.WINDFALL: problems.TYPE_WINDFALL,
}
_STAGES = (
    (state.ROUND_DISCARD, 0),
    (state.PRODUCE_START, 9),
    (state.CONSUME_START, 7),
    (state.SETTLE, 5),
    (state.DEVELOP, 3),
    (state.EXPLORE, 1),
    (0, 0),
)
"""From which stage on a phase is under way."""


def problem_of(observation: Observation, *, game_id: str = "") -> problems.Problem:
    """The whole question that the seat is asked, also when some of its steps have been answered already."""
    seat, s = observation.seat, observation.record
    if observation.player != seat:
        raise BoardwrightError(f"seat {seat} is not asked anything now")
    scores = np.zeros(MAX_SEATS)
    observation.game.entries.scores(observation.memory, scores)
    options, minimum, maximum = _question(s, seat, observation)
    row = observation.memory.view(state.STATE)[0]  # several times quicker to read than `s`
    phases, stage = int(row["phases"]), int(row["stage"])
    others = [side_of(row, other, int(scores[other]), ()) for other in range(observation.seats) if other != seat]
    opponent, *others = problems.leader_first(others, seat)
    return problems.Problem(
        type=_type(s),
        options=options,
        minimum=minimum,
        maximum=maximum,
        subject=_subject(s, seat),
        round=int(row["round"]),
        phases=tuple([phase for i, phase in enumerate(problems.PHASES) if phases >> i & 1]),
        phase=next(phase for first, phase in _STAGES if stage >= first),
        deck=int(row["deck_size"]),
        discard=int(row["discard_size"]),
        pool=int(row["pool"]),
        me=side_of(row, seat, int(scores[seat]), translation.ids_in(row["hand"][seat])),
        opponent=opponent,
        game_id=game_id,
        others=tuple(others),
    )


def side_of(row: Any, seat: int, score: int, hand: tuple[int, ...]) -> problems.Side:
    size, action = int(row["size"][seat]), int(row["chosen"][seat])
    tableau, goods = row["tableau"][seat, :size].tolist(), row["good"][seat, :size].tolist()
    return problems.Side(
        seat=seat,
        action=0 if action == state.HIDDEN else action,
        chips=int(row["chips"][seat]),
        score=score,
        military=int(row["standing"][seat, MILITARY]),
        tableau=translation.ids(tableau),
        goods=translation.ids([card for card, good in zip(tableau, goods, strict=True) if good]),
        hand=hand,
        hand_size=int(row["hand_size"][seat]),
    )


def _type(s: Record) -> int:
    if s.question == state.PLACE:
        return problems.TYPE_DEVELOP if s.stage == state.DEVELOP_PLACE else problems.TYPE_SETTLE
    return _TYPES[s.question]


def _question(s: Record, seat: int, observation: Observation) -> tuple[tuple[problems.Option, ...], int, int]:
    """What can be chosen, how many at least and at most."""
    question = s.question
    if question in (state.SPECIAL, state.PAY) and s.stage in (state.SETTLE_CARDS, state.SETTLE_PAID):
        return _settle_payment(s, seat)
    if question in translation.PICKS:
        options = translation.ids(translation.pickable(s))
        picks = s.picks[seat]
        if question == state.FOR_VP:
            return options, 0, picks
        wanted = len(options) - picks if s.keeps[seat] else picks
        return options, wanted, wanted
    legal = observation.legal_actions()
    named: set[Any] = {translation.option_of(s, action) for action in legal if action != state.DONE}
    return tuple(sorted(named)), 0 if state.DONE in legal else 1, min(1, len(named))


def _settle_payment(s: Record, seat: int) -> tuple[tuple[problems.Option, ...], int, int]:
    counts = [price + mask.bit_count() for mask, price in translation.settle_ways(s, seat).items()]
    usable = usable_specials(s, seat, s.placing[seat] - 1)
    return (*translation.ids_in(s.hand[seat]), *translation.powers_of(usable)), min(counts), max(counts)


def _subject(s: Record, seat: int) -> int:
    question = s.question
    if question in (state.PAY, state.SPECIAL):
        return translation.ids([s.placing[seat] - 1])[0]
    if question in (state.CONSUME, state.FOR_VP, state.GUESS) or (question == state.TRADE_GOOD and s.power != NO_POWER):
        return problems.ID_OF_DESIGN[CONSUME_POWERS[s.power].design]
    if question == state.WINDFALL and s.stage == state.PRODUCE_SCAN:
        return translation.ids([s.tableau[seat, s.place]])[0]
    if (
        question == state.WINDFALL and s.stage == state.PRODUCE_COUNT
    ):  # the stage to come; for the bonus it is PRODUCE_ANY
        return translation.WINDFALL_ANY_ID
    return problems.NO_SUBJECT
