"""Cases as columns: the features of records, computed by compiled rules.

A problem takes microseconds, a library of many thousand cases a moment.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, typeof, types
from numpy.typing import NDArray

from boardwright.cbr.memory import WIDTH, Memory
from boardwright.games.race.bits import WORDS, count, has, lowest
from boardwright.games.race.cards import (
    CARDS,
    DESIGN,
    DEVELOP_DISCOUNT,
    DISCOUNT,
    KIND_COUNT,
    NO_KIND,
    STANDING_COUNT,
)
from boardwright.kernel import compiled, rule
from boardwright.scout.cases.card_groups import COPIES, GOOD_GROUPS, GROUP, GROUP_COUNT
from boardwright.scout.cases.features import LAYOUT, PASS, Place, Row
from boardwright.scout.cases.hand_features import placeable, tell_hand
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.cases.tableau_features import (
    Counts,
    carries_good,
    consume_now,
    count_side,
    producers_of,
    trade_value,
)
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_GAMBLE, TYPE_POWER

_NUMBERS = len(LAYOUT.numbers)
_LOW = np.array([number.low for number in LAYOUT.numbers], np.int64)
_FIRST_WORD = np.array(LAYOUT.first_words, np.int64)
_HIGHEST = 255


class Columns(NamedTuple):
    """The columns of a memory that indexing fills."""

    codes: NDArray[np.uint8]
    sets: NDArray[np.int64]
    classes: NDArray[np.uint8]


@rule
def class_of(record: Any) -> int:
    """The solution: the code of an action, the design of a card, the number of a power; PASS for nothing."""
    kind = record["type"]
    if kind in (TYPE_ACTION, TYPE_GAMBLE):
        for code in range(16):
            if record["choice"][0] >> code & 1:
                return code
    if kind == TYPE_POWER:
        for power in range(62):
            if record["choice"][2] >> power & 1:
                return power
    for card in range(CARDS):
        if has(record["choice"], card):
            return DESIGN[card]
    return PASS


@rule
def add_element(words: Any, place: int, element: int) -> None:
    words[_FIRST_WORD[place] + element // WIDTH] |= np.int64(1) << (element % WIDTH)


@rule
def add_copies(words: Any, place: int, counts: Any) -> None:
    """A generalised set: element after element of a group for as many cards as there are."""
    for group in range(counts.size):
        for copy in range(min(counts[group], COPIES)):
            add_element(words, place, group * COPIES + copy)


@rule
def add_cards(words: Any, place: int, cards: Any) -> None:
    for number in range(WORDS):
        word = cards[number]
        while word != 0:
            add_element(words, place, DESIGN[lowest(word, number)])
            word &= word - 1


@rule
def add_tableau(words: Any, tableau: int, goods: int, side: Any) -> None:
    for place in range(side["size"]):
        add_element(words, tableau, side["tableau"][place])
        if carries_good(side, place):
            add_element(words, goods, side["tableau"][place])


@rule
def add_hand(words: Any, hand: Any, me: Any, counts: Counts) -> None:
    add_cards(words, Place.PLAYER_HAND, hand)
    groups = counts.groups
    groups[:] = 0
    for number in range(WORDS):
        word = hand[number]
        while word != 0:
            card = lowest(word, number)
            groups[GROUP[DESIGN[card]]] += 1
            if placeable(card, me, counts.standing):
                add_element(words, Place.PLAYER_PLACEABLE, DESIGN[card])
            word &= word - 1
    add_copies(words, Place.PLAYER_HAND_GROUPS, groups)


@rule
def tell_game(values: Any, record: Any) -> None:
    values[Row.GAME_ROUND] = record["round"]
    values[Row.SCORE_DIFFERENCE] = record["me"]["score"] - record["opponent"]["score"]
    values[Row.DECK] = record["deck"]
    values[Row.DISCARD] = record["discard"]
    values[Row.POOL] = record["pool"]
    options = record["options"]
    values[Row.OPTIONS] = count(options[0]) + count(options[1]) + count(options[2])


@rule
def tell_opponent(values: Any, side: Any, counts: Counts) -> None:
    values[Row.OPPONENT_CHIPS] = side["chips"]
    values[Row.OPPONENT_HAND_SIZE] = side["hand_size"]
    values[Row.OPPONENT_MILITARY] = side["military"]
    values[Row.OPPONENT_SCORE] = side["score"]
    values[Row.OPPONENT_TABLEAU_SIZE] = side["size"]
    values[Row.OPPONENT_ACTION] = side["action"]
    values[Row.OPPONENT_NUMBER_OF_GOODS] = counts.goods[NO_KIND]
    values[Row.OPPONENT_CONSUME_POINTS] = consume_now(side, counts.goods).points
    values[Row.OPPONENT_TRADE_VALUE] = trade_value(side, counts.standing)
    producers = producers_of(side)
    values[Row.OPPONENT_PRODUCTION_WORLDS] = producers.producing
    values[Row.OPPONENT_PRODUCERS] = producers.idle
    values[Row.OPPONENT_IDLE_WINDFALLS] = producers.windfalls


@rule
def tell_player(values: Any, side: Any, counts: Counts) -> None:
    values[Row.PLAYER_CHIPS] = side["chips"]
    values[Row.PLAYER_HAND_SIZE] = side["hand_size"]
    values[Row.PLAYER_MILITARY] = side["military"]
    values[Row.PLAYER_SCORE] = side["score"]
    values[Row.PLAYER_TABLEAU_SIZE] = side["size"]
    values[Row.PLAYER_ACTION] = side["action"]
    values[Row.PLAYER_NUMBER_OF_GOODS] = counts.goods[NO_KIND]
    consumed = consume_now(side, counts.goods)
    values[Row.PLAYER_CONSUME_POINTS] = consumed.points
    values[Row.PLAYER_CONSUME_GOODS] = consumed.goods
    values[Row.PLAYER_CONSUME_CARDS] = consumed.cards
    values[Row.PLAYER_TRADE_VALUE] = trade_value(side, counts.standing)
    producers = producers_of(side)
    values[Row.PLAYER_PRODUCTION_WORLDS] = producers.producing
    values[Row.PLAYER_PRODUCERS] = producers.idle
    values[Row.PLAYER_IDLE_WINDFALLS] = producers.windfalls
    values[Row.PLAYER_DISCOUNT] = counts.standing[DISCOUNT]
    values[Row.PLAYER_DEVELOP_DISCOUNT] = counts.standing[DEVELOP_DISCOUNT]


@rule
def index_case(record: Any, values: Any, words: Any, counts: Counts) -> None:
    """The numbers of a case, before coding, and its sets."""
    me, opponent = record["me"], record["opponent"]
    tell_game(values, record)
    count_side(opponent, counts)
    tell_opponent(values, opponent, counts)
    add_tableau(words, Place.OPPONENT_TABLEAU, Place.OPPONENT_GOODS, opponent)
    add_copies(words, Place.OPPONENT_TABLEAU_GROUPS, counts.groups)
    count_side(me, counts)
    tell_player(values, me, counts)
    add_tableau(words, Place.PLAYER_TABLEAU, Place.PLAYER_GOODS, me)
    add_copies(words, Place.PLAYER_TABLEAU_GROUPS, counts.groups)
    add_copies(words, Place.PLAYER_GOODS_KINDS, counts.kinds)
    tell_hand(values, record["hand"], me, counts.standing)
    add_hand(words, record["hand"], me, counts)
    if record["type"] not in (TYPE_ACTION, TYPE_GAMBLE):
        add_cards(words, Place.OFFERED, record["options"])
        add_cards(words, Place.TAKEN, record["choice"])


def _index(records: Any, columns: Columns) -> None:
    """Fill the columns of the given records."""
    values = np.zeros(_NUMBERS, np.int64)
    counts = Counts(
        np.zeros(KIND_COUNT, np.int64),
        np.zeros(STANDING_COUNT, np.int64),
        np.zeros(GROUP_COUNT, np.int64),
        np.zeros(GOOD_GROUPS, np.int64),
    )
    for case in range(records.size):
        columns.classes[case] = class_of(records[case])
        index_case(records[case], values, columns.sets[:, case], counts)
        for i in range(values.size):
            columns.codes[i, case] = min(_HIGHEST, max(0, values[i] - _LOW[i]))


@cache
def _kernel() -> Any:
    nothing = Columns(np.zeros((1, 0), np.uint8), np.zeros((1, 0), np.int64), np.zeros(0, np.uint8))
    return compiled(_index, types.void(from_dtype(CASE)[::1], typeof(nothing)), "scout.index")


def index(records: Records, groups: NDArray[np.int64] | None = None, ids: NDArray[np.int64] | None = None) -> Memory:
    """Cases as columns."""
    n = len(records)
    columns = Columns(
        np.zeros((_NUMBERS, n), np.uint8),
        np.zeros((LAYOUT.words, n), np.int64),
        np.zeros(n, np.uint8),
    )
    _kernel()(np.require(records, CASE, ["C", "A", "W"]), columns)
    return Memory(
        LAYOUT,
        *columns,
        np.zeros(n, np.int64) if groups is None else np.ascontiguousarray(groups, np.int64),
        np.arange(n) if ids is None else np.ascontiguousarray(ids, np.int64),
    )
