"""Choice logs: the types of their entries (docs/rules/race.md, sections 5.2 and 5.3), and the logs of a game.

The game must have been played with the original generator. There is one log per seat. Cards are listed by ascending
number.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race import state as race
from boardwright.games.race.bits import members
from boardwright.games.race.cards import CONSUME_POWERS, FIRST_CARD
from boardwright.games.race.picks import card_for, pickable_word
from boardwright.games.race.settle import COLONY_SHIP_CARD, CONTACT_CARD, TACTICS_CARD, price_with
from boardwright.kernel import Record, State

TYPE_ACTION, TYPE_DISCARD, TYPE_PLACE, TYPE_PAYMENT, TYPE_TRADE, TYPE_CONSUME = 0, 2, 5, 6, 12, 13
TYPE_FOR_VP, TYPE_GOODS, TYPE_GAMBLE, TYPE_WINDFALL = 14, 15, 16, 19
TYPE_OF_QUESTION = np.full(race.GAME_OVER, -1, np.int64)
for _question, _type in (
    (race.CHOOSE_ACTION, TYPE_ACTION),
    (race.DISCARD, TYPE_DISCARD),
    (race.PLACE, TYPE_PLACE),
    (race.SPECIAL, TYPE_PAYMENT),
    (race.PAY, TYPE_PAYMENT),
    (race.TRADE_GOOD, TYPE_TRADE),
    (race.USE_POWER, TYPE_CONSUME),
    (race.FOR_VP, TYPE_FOR_VP),
    (race.CONSUME, TYPE_GOODS),
    (race.GUESS, TYPE_GAMBLE),
    (race.WINDFALL, TYPE_WINDFALL),
):
    TYPE_OF_QUESTION[_question] = _type


def entry(kind: int, value: int = 0, items: list[int] | None = None, specials: list[int] | None = None) -> list[int]:
    """`type value n item…item m special…special`"""
    listed, special = items or [], specials or []
    return [kind, value, len(listed), *listed, len(special), *special]


class _Writer:
    """Collects the steps of each question into one entry."""

    def __init__(self, seats: int) -> None:
        self.logs: list[list[int]] = [[] for _ in range(seats)]
        self.picks: list[int] = []
        self.specials: list[int] = []

    def write(self, state: State, action: int) -> None:
        s = state.record
        question, seat = s.question, s.asked
        kind = int(TYPE_OF_QUESTION[question])
        log = self.logs[seat]
        if question == race.CHOOSE_ACTION:
            log += entry(kind, 0, [action - race.ACTION, -1])
        elif question == race.GUESS:
            log += entry(kind, action - race.GUESSES)
        elif question == race.PLACE:
            options = [int(card_for(s, option)) for option in state.legal_actions() if option != race.DONE]
            log += entry(kind, -1 if action == race.DONE else int(card_for(s, action)), options)
        elif question in (race.TRADE_GOOD, race.WINDFALL):
            log += entry(kind, 0, [int(FIRST_CARD[action])])
        elif question == race.USE_POWER:
            if action == race.DONE:
                log += entry(kind)
            else:
                card, position = _power(s, seat, action - race.POWER)
                log += entry(kind, 0, [card], [position])
        elif question == race.SPECIAL:
            self._special(s, seat, action - race.SPECIALS, log)
        else:
            self._pick(s, seat, action, kind, log)

    def _special(self, s: Record, seat: int, mask: int, log: list[int]) -> None:
        tableau = [s.tableau[seat, place] for place in range(s.size[seat])]
        self.specials = [
            next(card for card in (first, first + 1) if card in tableau)
            for bit, first in (
                (race.USE_COLONY_SHIP, COLONY_SHIP_CARD),
                (race.USE_TACTICS, TACTICS_CARD),
                (race.USE_CONTACT, CONTACT_CARD),
            )
            if mask & bit
        ]
        hand = s.hand_size[seat]
        price = price_with(s, seat, s.placing[seat] - 1, mask, hand)
        if price in (0, hand):  # otherwise the cards are picked next
            log += entry(TYPE_PAYMENT, 0, members(s.hand[seat]) if price else [], self.specials)
            self.specials = []

    def _pick(self, s: Record, seat: int, action: int, kind: int, log: list[int]) -> None:
        if action != race.DONE:
            self.picks.append(int(card_for(s, action)))
        if action != race.DONE and s.left > 1:
            return
        chosen = sorted(self.picks)
        if s.keeps[seat]:
            pool = members([pickable_word(s, 0), pickable_word(s, 1)])
            chosen = [card for card in pool if card not in self.picks]
        if s.question == race.CONSUME:
            specials = list(_power(s, seat, s.power))
        elif s.question == race.PAY and s.stage == race.SETTLE_PAID:
            specials = self.specials
        else:
            specials = []
        log += entry(kind, 0, chosen, specials)
        self.picks, self.specials = [], []


def _power(s: Record, seat: int, number: int) -> tuple[int, int]:
    """The card of the tableau and the position that a consume power has there."""
    power = CONSUME_POWERS[number]
    first = int(FIRST_CARD[power.design])
    tableau = [s.tableau[seat, place] for place in range(s.size[seat])]
    return (first if first in tableau else first + 1), power.position


def logs_of(state: State, moves: list[int]) -> list[list[int]]:
    """The logs of a game, played on from a fresh state."""
    writer = _Writer(state.seats)
    for action in moves:
        writer.write(state, action)
        state.apply(action)
    return writer.logs
