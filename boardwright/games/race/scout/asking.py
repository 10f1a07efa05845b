"""The question of a problem, put to the seat in a record that layout.py has filled.

The engine that asks is the referee: its numbers and offers win over ours wherever our rules have a place for them.
What it does not say is taken as likely: consume powers that could be used but are not on offer have been used, and all
others have not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boardwright.games.race.bits import add, members
from boardwright.games.race.cards import (
    COLONY_SHIP,
    CONSUME_ALL,
    CONSUME_GOODS,
    CONSUME_POWERS,
    CONSUME_THREE_KINDS,
    CONSUME_TWO,
    CONTACT,
    DESIGNS,
    EXTRA_TRADE,
    FIRST_POWER,
    FROM_HAND,
    GAMBLE,
    IS_WORLD,
    NO_KIND,
    POWERS,
    POWERS_PER_CARD,
    SCAN_KIND,
    TACTICS,
)
from boardwright.games.race.consume import NO_POWER, usable
from boardwright.games.race.explore import explore_draws, explore_keeps
from boardwright.games.race.picks import ask, ask_cards, ask_up_to
from boardwright.games.race.scout.model import (
    DESIGN_OF_ID,
    NO_SUBJECT,
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
    Problem,
)
from boardwright.games.race.scout.parsing import BadDocument
from boardwright.games.race.scout.terms import WINDFALL_ANY_ID, ids, settle_ways
from boardwright.games.race.settle import usable_specials
from boardwright.games.race.setup import FIRST_DISCARDS
from boardwright.games.race.state import (
    CHOOSE_ACTION,
    CONSUME,
    CONSUME_CHOSEN,
    CONSUME_TRADED,
    CONSUME_USE,
    DEVELOP_PAID,
    DEVELOP_PLACE,
    DISCARD,
    EXPLORE_KEEP,
    FOR_VP,
    GUESS,
    HAND_LIMIT,
    HIDDEN,
    PAY,
    PLACE,
    PRODUCE_ANY,
    PRODUCE_COUNT,
    PRODUCE_SCAN,
    ROUND_CHOOSE,
    ROUND_DISCARD,
    SETTLE_CARDS,
    SETTLE_PAID,
    SETTLE_PLACE,
    SETUP_DISCARD,
    SPECIAL,
    TRADE_GOOD,
    USE_COLONY_SHIP,
    USE_CONTACT,
    USE_POWER,
    USE_TACTICS,
    WINDFALL,
)
from boardwright.kernel import Record

_EFFECTS = {
    TYPE_TRADE: (EXTRA_TRADE,),
    TYPE_HAND: (FROM_HAND,),
    TYPE_GAMBLE: (GAMBLE,),
    TYPE_GOODS: (CONSUME_GOODS, CONSUME_TWO, CONSUME_THREE_KINDS, CONSUME_ALL),
}
"""What the power in use can be, by the question it asks."""
_OWNED = {USE_COLONY_SHIP: COLONY_SHIP, USE_TACTICS: TACTICS, USE_CONTACT: CONTACT}


def put_question(s: Record, problem: Problem) -> None:
    """Bring the record to the stage at which our rules ask this; `s.question` stays NOTHING if they would not."""
    _QUESTIONS[problem.type](s, problem, problem.me.seat)


def order(s: Record, seat: int) -> int:
    """How many seats come before this one."""
    return (seat - s.first) % s.seats


def _choose_action(s: Record, problem: Problem, seat: int) -> None:
    s.stage = ROUND_CHOOSE
    s.turn = order(s, seat) + 1
    s.chosen[seat], s.chosen[1 - seat] = 0, HIDDEN if order(s, seat) else 0
    ask(s, CHOOSE_ACTION, seat)


def discard_stage(problem: Problem) -> int:
    """When it is that cards are discarded. Only explorers choose among part of their hand."""
    if problem.round == 0:
        return SETUP_DISCARD
    explores = problem.phase == 1 or sorted(problem.options, key=str) != sorted(problem.me.hand, key=str)
    return EXPLORE_KEEP if explores else ROUND_DISCARD


def discards(s: Record, seat: int, stage: int) -> int:
    """How many cards the rules want a seat to discard."""
    if stage == SETUP_DISCARD:
        return FIRST_DISCARDS
    if stage == EXPLORE_KEEP:
        return explore_draws(s, seat) - explore_keeps(s, seat)
    return max(0, s.hand_size[seat] - HAND_LIMIT)


def _discard(s: Record, problem: Problem, seat: int) -> None:
    other, s.stage = 1 - seat, discard_stage(problem)
    before = other == 0 if s.stage == SETUP_DISCARD else order(s, seat) == 1
    s.turn = 2 if before else 1
    if s.stage == EXPLORE_KEEP:
        s.drawn[seat] = len(problem.options)
        s.drawn[other] = min(explore_draws(s, other), s.hand_size[other])
        _mark_fresh(s, problem, seat)
    if before:
        s.picks[other] = min(discards(s, other, s.stage), s.hand_size[other])
    ask_cards(s, DISCARD, seat, len(problem.options), problem.minimum, 1)


def _mark_fresh(s: Record, problem: Problem, seat: int) -> None:
    wanted = list(problem.options)
    for card in members(s.hand[seat]):
        (face,) = ids([card])
        if face in wanted:
            wanted.remove(face)
            add(s.fresh[seat], card)


def _place(s: Record, problem: Problem, seat: int) -> None:
    s.stage = DEVELOP_PLACE if problem.type == TYPE_DEVELOP else SETTLE_PLACE
    s.turn = order(s, seat) + 1
    s.placing[1 - seat] = HIDDEN if order(s, seat) else 0
    ask(s, PLACE, seat)


def _payment(s: Record, problem: Problem, seat: int) -> None:
    s.turn = order(s, seat)
    if not IS_WORLD[s.placing[seat] - 1]:
        s.stage = DEVELOP_PAID
        ask_cards(s, PAY, seat, s.hand_size[seat], problem.minimum, 1)
        return
    _withhold_specials(s, problem, seat)
    ways = settle_ways(s, seat)
    if len(ways) > 1:
        s.stage = SETTLE_CARDS
        ask(s, SPECIAL, seat)
        return
    s.stage = SETTLE_PAID
    s.specials = next(iter(ways), 0)
    ask_cards(s, PAY, seat, s.hand_size[seat], max(0, problem.minimum - s.specials.bit_count()), 0)


def specials_offered(problem: Problem) -> int:
    """Which special cards a payment may use. An engine can name them by their design alone, too."""
    plain = [option for option in problem.options if not isinstance(option, tuple)]
    mask = 0
    for bit, power in SPECIAL_POWERS.items():
        if power in problem.options or plain.count(power[0]) > problem.me.hand.count(power[0]):
            mask |= bit
    return mask


def _withhold_specials(s: Record, problem: Problem, seat: int) -> None:
    """Special cards that our rules allow but the engine does not offer: as if they were not there."""
    withheld = usable_specials(s, seat, s.placing[seat] - 1) & ~specials_offered(problem)
    for bit, owned in _OWNED.items():
        if withheld & bit:
            s.standing[seat, owned] = 0


def power_in_use(s: Record, problem: Problem, seat: int) -> tuple[int, int]:
    """The consume power that asks, and the tableau place of its card."""
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        for power in range(FIRST_POWER[card], FIRST_POWER[card] + POWERS[card]):
            named = problem.subject in (NO_SUBJECT, *ids([card]))
            if named and CONSUME_POWERS[power].effect in _EFFECTS[problem.type]:
                return power, place
    of = "" if problem.subject == NO_SUBJECT else f" of {DESIGNS[DESIGN_OF_ID[problem.subject]].name}"
    raise BadDocument(f"no power{of} in the tableau asks a question of type {problem.type}")


def _use(s: Record, problem: Problem, seat: int) -> None:
    s.power, place = power_in_use(s, problem, seat)
    s.used = 1 << (POWERS_PER_CARD * place + s.power - FIRST_POWER[s.tableau[seat, place]])
    s.turn = order(s, seat)
    s.stage = CONSUME_CHOSEN


def _trade(s: Record, problem: Problem, seat: int) -> None:
    s.power, s.turn = NO_POWER, order(s, seat)
    if problem.subject != NO_SUBJECT:
        _use(s, problem, seat)
    s.stage, s.place = CONSUME_TRADED, NO_POWER
    ask(s, TRADE_GOOD, seat)


def _use_power(s: Record, problem: Problem, seat: int) -> None:
    s.turn, s.stage = order(s, seat), CONSUME_USE
    for place in range(s.size[seat]):
        card = s.tableau[seat, place]
        for i in range(POWERS[card]):
            power = FIRST_POWER[card] + i
            offered = (*ids([card]), CONSUME_POWERS[power].position) in problem.options
            if not offered and usable(s, seat, power):
                s.used |= 1 << (POWERS_PER_CARD * place + i)
    ask(s, USE_POWER, seat)


def _hand(s: Record, problem: Problem, seat: int) -> None:
    _use(s, problem, seat)
    ask_up_to(s, FOR_VP, seat, problem.maximum)


def _goods(s: Record, problem: Problem, seat: int) -> None:
    _use(s, problem, seat)
    power = CONSUME_POWERS[s.power]
    if power.effect == CONSUME_THREE_KINDS:
        s.picks[seat] = s.left = 3
        ask(s, CONSUME, seat)
    else:
        ask_cards(s, CONSUME, seat, s.goods[seat, power.kind], problem.minimum, 1)


def _gamble(s: Record, problem: Problem, seat: int) -> None:
    _use(s, problem, seat)
    ask(s, GUESS, seat)


def _windfall(s: Record, problem: Problem, seat: int) -> None:
    s.turn, s.wanted = order(s, seat), NO_KIND
    if problem.subject == NO_SUBJECT:
        s.stage = PRODUCE_ANY
    elif problem.subject == WINDFALL_ANY_ID:
        s.stage = PRODUCE_COUNT
    else:
        s.stage = PRODUCE_SCAN
        s.place = _place_in_tableau(s, problem, seat)
        s.wanted = SCAN_KIND[s.tableau[seat, s.place]]
    ask(s, WINDFALL, seat)


def _place_in_tableau(s: Record, problem: Problem, seat: int) -> int:
    if problem.subject not in problem.me.tableau:
        raise BadDocument(f"{DESIGNS[DESIGN_OF_ID[problem.subject]].name} is not in the tableau")
    return problem.me.tableau.index(problem.subject)


_QUESTIONS: dict[int, Callable[[Any, Problem, int], None]] = {
    TYPE_ACTION: _choose_action,
    TYPE_DISCARD: _discard,
    TYPE_DEVELOP: _place,
    TYPE_SETTLE: _place,
    TYPE_PAYMENT: _payment,
    TYPE_TRADE: _trade,
    TYPE_POWER: _use_power,
    TYPE_HAND: _hand,
    TYPE_GOODS: _goods,
    TYPE_GAMBLE: _gamble,
    TYPE_WINDFALL: _windfall,
}
