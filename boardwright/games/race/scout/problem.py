"""A decision as SCOUT meets it: everything the deciding seat knows, with the whole question in one piece.

Our rules split a choice of several cards into steps (picks.py) and ask for the special cards of a settlement before its
payment. Here each of these is one problem, the same at all of its steps, in the words of the original program: cards
are the design ids of cards.json, questions have the types of its choice log.

A payment's options are the cards of the hand and then, for a world, the powers of the tableau that may help to settle
it, as (card, power) pairs. They are pairs because the tableau's Colony Ship and one in the hand have the same id: the
chosen pairs are used, the chosen cards are discarded, and `minimum` and `maximum` count both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from boardwright.errors import BoardwrightError, IllegalAction
from boardwright.games.race.bits import members
from boardwright.games.race.cards import CONSUME_POWERS, ID, MILITARY, WINDFALL_ANY
from boardwright.games.race.consume import NO_POWER
from boardwright.games.race.picks import card_for, pickable_word
from boardwright.games.race.scout.model import (
    DESIGN_OF_ID,
    ID_OF_DESIGN,
    NO_SUBJECT,
    PHASES,
    SEATS,
    SPECIAL_POWERS,
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
    Choice,
    Option,
    Problem,
    Side,
)
from boardwright.games.race.settle import CANNOT, price_with, usable_specials
from boardwright.games.race.state import (
    ACTION,
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
    GUESSES,
    HIDDEN,
    PAY,
    PLACE,
    POWER,
    PRODUCE_COUNT,
    PRODUCE_SCAN,
    PRODUCE_START,
    ROUND_DISCARD,
    SETTLE,
    SETTLE_CARDS,
    SETTLE_PAID,
    SPECIAL,
    SPECIALS,
    STATE,
    TRADE_GOOD,
    USE_POWER,
    WINDFALL,
)
from boardwright.kernel import Record, View
from boardwright.kernel.contract import MAX_SEATS

__all__ = ["Choice", "Option", "Problem", "Side", "begins", "choice_made", "next_step", "problem_of"]

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
_PICKS = (DISCARD, PAY, FOR_VP, CONSUME)
_ID: list[int] = ID.tolist()
WINDFALL_ANY_ID = _ID[WINDFALL_ANY.tolist().index(1)]


def problem_of(view: View, *, game_id: str = "") -> Problem:
    """The whole question that the seat is asked, also when some of its steps have been answered already."""
    seat, s = view.seat, view.record
    if view.seats != SEATS:
        raise BoardwrightError(f"SCOUT plays race with {SEATS} players, not {view.seats}")
    if view.player != seat:
        raise BoardwrightError(f"seat {seat} is not asked anything now")
    scores = np.zeros(MAX_SEATS)
    view.game.entries.scores(view.memory, scores)
    options, minimum, maximum = _question(s, seat, view)
    row = view.memory.view(STATE)[0]  # several times quicker to read than `s`
    phases, stage = int(row["phases"]), int(row["stage"])
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
        me=side_of(row, seat, int(scores[seat]), ids(members(row["hand"][seat]))),
        opponent=side_of(row, 1 - seat, int(scores[1 - seat]), ()),
        game_id=game_id,
    )


def ids(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple([_ID[card] for card in cards])


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


def _question(s: Record, seat: int, view: View) -> tuple[tuple[Option, ...], int, int]:
    """What can be chosen, how many at least and at most."""
    question = s.question
    if question in (SPECIAL, PAY) and s.stage in (SETTLE_CARDS, SETTLE_PAID):
        return _settle_payment(s, seat)
    if question in _PICKS:
        options = ids(pickable(s))
        picks = s.picks[seat]
        if question == FOR_VP:
            return options, 0, picks
        wanted = len(options) - picks if s.keeps[seat] else picks
        return options, wanted, wanted
    legal = view.legal_actions()
    named: set[Any] = {_option(s, action) for action in legal if action != DONE}
    return tuple(sorted(named)), 0 if DONE in legal else 1, min(1, len(named))


def pickable(s: Record) -> list[int]:
    """The cards, or the worlds with goods, of a question that picks several."""
    return members([pickable_word(s, 0), pickable_word(s, 1)])


def _settle_payment(s: Record, seat: int) -> tuple[tuple[Option, ...], int, int]:
    counts = [price + mask.bit_count() for mask, price in settle_ways(s, seat).items()]
    usable = usable_specials(s, seat, s.placing[seat] - 1)
    return (*ids(members(s.hand[seat])), *_powers(usable)), min(counts), max(counts)


def settle_ways(s: Record, seat: int) -> dict[int, int]:
    """The price for each use of special cards that is allowed."""
    world = s.placing[seat] - 1
    usable = usable_specials(s, seat, world)
    prices = {mask: price_with(s, seat, world, mask, s.hand_size[seat]) for mask in range(8) if not mask & ~usable}
    return {mask: price for mask, price in prices.items() if price != CANNOT}


def _powers(mask: int) -> Choice:
    return tuple(power for bit, power in SPECIAL_POWERS.items() if mask & bit)


def _option(s: Record, action: int) -> Option:
    """What an action of a question with a single answer names."""
    if s.question == CHOOSE_ACTION:
        return action - ACTION
    if s.question == GUESS:
        return action - GUESSES
    if s.question == USE_POWER:
        power = CONSUME_POWERS[action - POWER]
        return ID_OF_DESIGN[power.design], power.position
    return _ID[card_for(s, action)] if s.question == PLACE else ID_OF_DESIGN[action]


def _subject(s: Record, seat: int) -> int:
    question = s.question
    if question in (PAY, SPECIAL):
        return _ID[s.placing[seat] - 1]
    if question in (CONSUME, FOR_VP, GUESS) or (question == TRADE_GOOD and s.power != NO_POWER):
        return ID_OF_DESIGN[CONSUME_POWERS[s.power].design]
    if question == WINDFALL and s.stage == PRODUCE_SCAN:
        return _ID[s.tableau[seat, s.place]]
    if question == WINDFALL and s.stage == PRODUCE_COUNT:  # the stage to come; for the bonus it is PRODUCE_ANY
        return WINDFALL_ANY_ID
    return NO_SUBJECT


def begins(view: View) -> bool:
    """Whether no step of the question has been answered yet."""
    s, seat = view.record, view.seat
    if s.question not in _PICKS:
        return True
    if s.question == PAY and s.stage == SETTLE_PAID and len(settle_ways(s, seat)) > 1:
        return False
    return s.left == s.picks[seat]


def next_step(view: View, choice: Choice) -> int:
    """The action that carries on with a whole choice, at any step of the question; IllegalAction if none does."""
    s = view.record
    if s.question == SPECIAL:
        mask = _mask(choice)
        if settle_ways(s, view.seat).get(mask) != len(choice) - mask.bit_count():
            raise _unfit(choice)
        return SPECIALS + mask
    if s.question == PAY and _mask(choice) != (s.specials if s.stage == SETTLE_PAID else 0):
        raise _unfit(choice)
    if s.question in _PICKS:
        return _if_legal(view, _next_pick(view, s, choice), choice)
    for action in view.legal_actions():
        if (() if action == DONE else (_option(s, action),)) == choice:
            return action
    raise _unfit(choice)


def _mask(choice: Choice) -> int:
    return sum(bit for bit, power in SPECIAL_POWERS.items() if power in choice)


def _next_pick(view: View, s: Record, choice: Choice) -> int:
    """Steps go in ascending order and name the cards kept, where those are fewer."""
    pool = Counter(ids(pickable(s)))
    chosen = Counter(option for option in choice if not isinstance(option, tuple))
    if not chosen <= pool:
        raise _unfit(choice)
    seat = view.seat
    steps = pool - chosen if s.keeps[seat] else chosen
    made = Counter(ids(members(s.picked[seat])))
    fits = steps.total() <= s.picks[seat] if s.question == FOR_VP else steps.total() == s.picks[seat]
    if not fits or not made <= steps:
        raise _unfit(choice)
    to_come = steps - made
    return DESIGN_OF_ID[min(to_come)] if to_come else DONE


def _if_legal(view: View, action: int, choice: Choice) -> int:
    if action not in view.legal_actions():
        raise _unfit(choice)
    return action


def _unfit(choice: Choice) -> IllegalAction:
    return IllegalAction(f"race: the choice {choice} does not answer the question, or not what was answered before")


def choice_made(view: View, action: int) -> Choice | None:
    """The whole choice that a step completes, together with the steps before it; None if others follow."""
    s, seat = view.record, view.seat
    if s.question == SPECIAL:
        mask, hand = action - SPECIALS, ids(members(s.hand[seat]))
        price = price_with(s, seat, s.placing[seat] - 1, mask, len(hand))
        if price not in (0, len(hand)):
            return None
        return (*(hand if price else ()), *_powers(mask))
    if s.question not in _PICKS:
        return () if action == DONE else (_option(s, action),)
    if action != DONE and s.left > 1:
        return None
    picked = members(s.picked[seat])
    if action != DONE:
        picked.append(card_for(s, action))
    if s.keeps[seat]:
        picked = [card for card in pickable(s) if card not in picked]
    used = _powers(s.specials) if s.question == PAY and s.stage == SETTLE_PAID else ()
    return (*ids(picked), *used)
