"""Replaying the choice log of a saved game: each question of the rules takes the next entry of that seat's log.

Entries are checked as they are read (docs/rules/race.md, section 5.4). A log that does not fit the rules ends the
replay with a verdict that says where and why. The loop is compiled and replays tens of thousands of games per second.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from boardwright.games.race import state as race
from boardwright.games.race.bits import WORDS, add, clear, has, lowest, size
from boardwright.games.race.cards import CARDS, DESIGN, FIRST_POWER, POWER_POSITION, POWERS
from boardwright.games.race.keldon.choice_logs import TYPE_OF_QUESTION
from boardwright.games.race.picks import action_naming, card_for, pickable_word, three_kinds
from boardwright.games.race.rules import apply, legal
from boardwright.games.race.settle import COLONY_SHIP_CARD, CONTACT_CARD, TACTICS_CARD, price_with
from boardwright.kernel import Actions, Bytes, Record, compiled, rule, types

# How a replay ends.
(
    FINE,
    STOPS_EARLY,
    CUT_OFF,
    WRONG_TYPE,
    WRONG_COUNT,
    NO_SUCH_CARD,
    CARD_TWICE,
    ILLEGAL_CARD,
    ILLEGAL,
    OTHER_OPTIONS,
    LEFT_OVER,
) = range(11)

# What the numbers of a verdict mean.
VERDICT, SEAT, ENTRY, DETAIL, EXPECTED, MOVES = range(6)
VERDICT_SIZE = 6


@rule
def parse_cards(log: Actions, start: int, n: int, cards: Actions, verdict: Actions) -> bool:
    """The listed cards as a set."""
    clear(cards)
    for i in range(start, start + n):
        card = log[i]
        if card < 0 or card >= CARDS:
            verdict[VERDICT], verdict[DETAIL] = NO_SUCH_CARD, card
            return False
        if has(cards, card):
            verdict[VERDICT], verdict[DETAIL] = CARD_TWICE, card
            return False
        add(cards, card)
    return True


@rule
def push(s: Record, action: int, moves: Actions, verdict: Actions) -> None:
    """Apply a legal action, and write it down if there is room."""
    if verdict[MOVES] < moves.size:
        moves[verdict[MOVES]] = action
    verdict[MOVES] += 1
    apply(s, action)


@rule
def play(s: Record, action: int, scratch: Actions, moves: Actions, verdict: Actions) -> bool:
    """Apply an action if it is legal."""
    n = legal(s, scratch)
    for i in range(n):
        if scratch[i] == action:
            push(s, action, moves, verdict)
            return True
    verdict[VERDICT], verdict[DETAIL] = ILLEGAL, action
    return False


@rule
def answer_picks(s: Record, cards: Actions, scratch: Actions, pool: Actions, moves: Actions, verdict: Actions) -> bool:
    """Pick these cards, or all others where the question is which to keep."""
    seat = s.asked
    for w in range(WORDS):
        pool[w] = pickable_word(s, w)
        if cards[w] & ~pool[w]:
            verdict[VERDICT], verdict[DETAIL] = ILLEGAL_CARD, lowest(cards[w] & ~pool[w], w)
            return False
    named, available = size(cards), size(pool)
    wanted = available - s.picks[seat] if s.keeps[seat] else s.picks[seat]
    if named > wanted or (named < wanted and s.question != race.FOR_VP):
        verdict[VERDICT], verdict[DETAIL], verdict[EXPECTED] = WRONG_COUNT, named, wanted
        return False
    question, left, three = s.question, s.picks[seat], three_kinds(s)
    for w in range(WORDS):
        word = pool[w] & ~cards[w] if s.keeps[seat] and question == s.question else cards[w]
        pool[w] = word
    for w in range(WORDS):
        word = pool[w]
        while word:
            card = lowest(word, w)
            word &= word - 1
            left -= 1
            action = DESIGN[card] if question == race.CONSUME else action_naming(s, card)
            if not three:
                push(s, action, moves, verdict)  # any cards of the pool, in this number and order, are legal
            elif not play(s, action, scratch, moves, verdict):
                return False
    if (question == race.FOR_VP and left > 0) or (left == 0 and size(pool) == 0):
        return play(s, race.DONE, scratch, moves, verdict)
    return True


@rule
def answer_specials(
    s: Record,
    log: Actions,
    start: int,
    n: int,
    cards: Actions,
    scratch: Actions,
    pool: Actions,
    moves: Actions,
    verdict: Actions,
) -> bool:
    """Use special cards of the tableau, then pay the listed cards."""
    mask = 0
    for i in range(start, start + n):
        card = log[i]
        bit = 0
        if card == COLONY_SHIP_CARD or card == COLONY_SHIP_CARD + 1:
            bit = race.USE_COLONY_SHIP
        elif card == TACTICS_CARD or card == TACTICS_CARD + 1:
            bit = race.USE_TACTICS
        elif card == CONTACT_CARD or card == CONTACT_CARD + 1:
            bit = race.USE_CONTACT
        owned = False
        for place in range(s.size[s.asked]):
            if s.tableau[s.asked, place] == card:
                owned = True
        if bit == 0 or mask & bit or not owned:
            verdict[VERDICT], verdict[DETAIL] = ILLEGAL_CARD, card
            return False
        mask |= bit
    seat = s.asked
    for w in range(WORDS):
        if cards[w] & ~s.hand[seat, w]:
            verdict[VERDICT], verdict[DETAIL] = ILLEGAL_CARD, lowest(cards[w] & ~s.hand[seat, w], w)
            return False
    price, paid = price_with(s, seat, s.placing[seat] - 1, mask, s.hand_size[seat]), size(cards)
    if price >= 0 and price != paid:
        verdict[VERDICT], verdict[DETAIL], verdict[EXPECTED] = WRONG_COUNT, paid, price
        return False
    asks = price > 0 and price < s.hand_size[seat]
    if not play(s, race.SPECIALS + mask, scratch, moves, verdict):
        return False
    return not asks or answer_picks(s, cards, scratch, pool, moves, verdict)


@rule
def answer_placement(
    s: Record, value: int, cards: Actions, scratch: Actions, pool: Actions, moves: Actions, verdict: Actions
) -> bool:
    """Place a card. The entry lists what could have been placed, which must be what the rules say."""
    clear(pool)
    for i in range(legal(s, scratch)):
        if scratch[i] != race.DONE:
            add(pool, card_for(s, scratch[i]))
    for w in range(WORDS):
        if pool[w] != cards[w]:
            verdict[VERDICT] = OTHER_OPTIONS
            return False
    if value == -1:
        push(s, race.DONE, moves, verdict)
        return True
    if value < 0 or value >= CARDS:
        verdict[VERDICT], verdict[DETAIL] = NO_SUCH_CARD, value
        return False
    if not has(cards, value):
        verdict[VERDICT], verdict[DETAIL] = ILLEGAL_CARD, value
        return False
    push(s, action_naming(s, value), moves, verdict)
    return True


@rule
def power_action(card: int, position: int) -> int:
    for i in range(POWERS[card]):
        if POWER_POSITION[FIRST_POWER[card] + i] == position:
            return race.POWER + FIRST_POWER[card] + i
    return -1


@rule
def answer(
    s: Record,
    log: Actions,
    at: int,
    n: int,
    m: int,
    cards: Actions,
    scratch: Actions,
    pool: Actions,
    moves: Actions,
    verdict: Actions,
) -> bool:
    """Answer the question by the entry that begins at `at` and has n items and m special items."""
    question, value, items, specials = s.question, log[at + 1], at + 3, at + 4 + n
    if question == race.CHOOSE_ACTION:
        if n == 0 or log[items] < race.EXPLORE_FIVE or log[items] > race.PRODUCE_ACTION:
            verdict[VERDICT], verdict[DETAIL] = ILLEGAL, race.ACTION if n == 0 else race.ACTION + log[items]
            return False
        return play(s, race.ACTION + log[items], scratch, moves, verdict)
    if question == race.GUESS:
        if value < 1 or value > race.HIGHEST_GUESS:
            verdict[VERDICT], verdict[DETAIL] = ILLEGAL, race.GUESSES
            return False
        return play(s, race.GUESSES + value, scratch, moves, verdict)
    if (
        question == race.USE_POWER
    ):  # the first card and position are the answer; the original may leave more behind them
        if n == 0:
            return play(s, race.DONE, scratch, moves, verdict)
        if m == 0 or log[items] < 0 or log[items] >= CARDS:
            verdict[VERDICT], verdict[DETAIL] = NO_SUCH_CARD, log[items]
            return False
        action = power_action(log[items], log[specials])
        owned = False
        for place in range(s.size[s.asked]):
            if s.tableau[s.asked, place] == log[items]:
                owned = True
        if action < 0 or not owned:
            verdict[VERDICT], verdict[DETAIL] = ILLEGAL_CARD, log[items]
            return False
        return play(s, action, scratch, moves, verdict)
    if not parse_cards(log, items, n, cards, verdict):
        return False
    if question == race.PLACE:
        return answer_placement(s, value, cards, scratch, pool, moves, verdict)
    if question == race.SPECIAL:
        return answer_specials(s, log, specials, m, cards, scratch, pool, moves, verdict)
    if question in (race.TRADE_GOOD, race.WINDFALL):
        if n != 1:
            verdict[VERDICT], verdict[DETAIL], verdict[EXPECTED] = WRONG_COUNT, n, 1
            return False
        return play(s, DESIGN[log[items]], scratch, moves, verdict)
    return answer_picks(s, cards, scratch, pool, moves, verdict)


@rule
def replay_log(s: Record, log: Actions, ends: Actions, moves: Actions, scratch: Actions, verdict: Actions) -> None:
    """Play a game by its log: the seats' logs one behind the other, `ends` where each ends."""
    at = np.zeros(race.MAX_SEATS, np.int64)
    entry = np.zeros(race.MAX_SEATS, np.int64)
    cards, pool = np.zeros(WORDS, np.int64), np.zeros(WORDS, np.int64)
    for seat in range(1, s.seats):
        at[seat] = ends[seat - 1]
    for i in range(VERDICT_SIZE):
        verdict[i] = 0
    while s.question != race.GAME_OVER:
        seat = s.asked
        begin, end = at[seat], ends[seat]
        entry[seat] += 1
        verdict[SEAT], verdict[ENTRY] = seat, entry[seat]
        if begin == end:
            verdict[VERDICT], verdict[EXPECTED] = STOPS_EARLY, TYPE_OF_QUESTION[s.question]
            return
        n = log[begin + 2] if begin + 3 < end else -1
        m = log[begin + 3 + n] if n >= 0 and n < end - begin - 3 else -1
        if n < 0 or m < 0 or m > end - begin - 4 - n:
            verdict[VERDICT] = CUT_OFF
            return
        if log[begin] != TYPE_OF_QUESTION[s.question]:
            verdict[VERDICT], verdict[DETAIL] = WRONG_TYPE, log[begin]
            verdict[EXPECTED] = TYPE_OF_QUESTION[s.question]
            return
        if not answer(s, log, begin, n, m, cards, scratch, pool, moves, verdict):
            return
        at[seat] = begin + 4 + n + m
    for seat in range(s.seats):
        if at[seat] != ends[seat]:
            verdict[VERDICT], verdict[SEAT], verdict[ENTRY] = LEFT_OVER, seat, entry[seat] + 1
            return


_ARRAY = types.int64[::1]


@cache
def replay_kernel() -> Any:
    """`kernel(state, log, ends, moves, scratch, verdict)` over the bytes of a fresh game."""

    def entry(state: Any, log: Any, ends: Any, moves: Any, scratch: Any, verdict: Any) -> None:
        replay_log(race.open_state(state), log, ends, moves, scratch, verdict)

    return compiled(entry, types.void(types.uint8[::1], _ARRAY, _ARRAY, _ARRAY, _ARRAY, _ARRAY), "race.replay")


@dataclass(frozen=True)
class Replayed:
    """What became of a log."""

    memory: Bytes
    """The position it led to."""
    moves: list[int]
    verdict: list[int]

    @property
    def fine(self) -> bool:
        return self.verdict[VERDICT] == FINE


MOST_MOVES = 20_000


def replay(state: Bytes, logs: list[Any]) -> Replayed:
    """Play the logs of all seats on from a fresh game, whose bytes are changed."""
    log = np.concatenate([np.asarray(part, np.int64) for part in logs])
    ends = np.cumsum([len(part) for part in logs]).astype(np.int64)
    moves, scratch = np.zeros(MOST_MOVES, np.int64), np.zeros(race.NUM_ACTIONS, np.int64)
    verdict = np.zeros(VERDICT_SIZE, np.int64)
    replay_kernel()(state, log, ends, moves, scratch, verdict)
    return Replayed(state, moves[: verdict[MOVES]].tolist(), verdict.tolist())
