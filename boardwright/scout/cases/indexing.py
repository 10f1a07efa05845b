"""Case indexing: from the records of cases to their features, by compiled rules.

A problem takes microseconds, a case base of many thousand cases a moment.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardwright.cbr.case_base import CaseBase
from boardwright.games.race import cards as tables
from boardwright.games.race.bits import WORDS, count, has, size
from boardwright.kernel import Unit, rule
from boardwright.kernel.declare import from_dtype, typeof, types
from boardwright.scout.cases import tableau_features
from boardwright.scout.cases.card_groups import GOOD_GROUPS, GROUP_COUNT
from boardwright.scout.cases.features import PASS, SCHEMA, Numbers, Sets
from boardwright.scout.cases.hand_features import hand_features
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.cases.set_features import add_cards, add_copies, add_tableau
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_GAMBLE, TYPE_POWER

_NUMBERS = len(SCHEMA.numbers)
_LOW = np.array([number.low for number in SCHEMA.numbers], np.int64)
_HIGHEST = 255


class Columns(NamedTuple):
    """The columns of a case base that indexing fills."""

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
            if record["choice"][WORDS] >> power & 1:
                return power
    for card in range(tables.CARDS):
        if has(record["choice"], card):
            return tables.DESIGN[card]
    return PASS


@rule
def game_features(values: Any, record: Any) -> None:
    values[Numbers.GAME_ROUND] = record["round"]
    values[Numbers.SCORE_DIFFERENCE] = record["me"]["score"] - record["opponent"]["score"]
    values[Numbers.DECK] = record["deck"]
    values[Numbers.DISCARD] = record["discard"]
    values[Numbers.POOL] = record["pool"]
    options = record["options"]
    values[Numbers.OPTIONS] = size(options) + count(options[WORDS])


@rule
def opponent_features(values: Any, side: Any, counts: tableau_features.Counts) -> None:
    values[Numbers.OPPONENT_CHIPS] = side["chips"]
    values[Numbers.OPPONENT_HAND_SIZE] = side["hand_size"]
    values[Numbers.OPPONENT_MILITARY] = side["military"]
    values[Numbers.OPPONENT_SCORE] = side["score"]
    values[Numbers.OPPONENT_TABLEAU_SIZE] = side["size"]
    values[Numbers.OPPONENT_ACTION] = side["action"]
    values[Numbers.OPPONENT_NUMBER_OF_GOODS] = counts.goods[tables.NO_KIND]
    values[Numbers.OPPONENT_CONSUME_POINTS] = tableau_features.consume_now(side, counts.goods).points
    values[Numbers.OPPONENT_TRADE_VALUE] = tableau_features.trade_value(side, counts.standing)
    producers = tableau_features.producers_of(side)
    values[Numbers.OPPONENT_PRODUCTION_WORLDS] = producers.producing
    values[Numbers.OPPONENT_PRODUCERS] = producers.idle
    values[Numbers.OPPONENT_IDLE_WINDFALLS] = producers.windfalls


@rule
def player_features(values: Any, side: Any, counts: tableau_features.Counts) -> None:
    values[Numbers.PLAYER_CHIPS] = side["chips"]
    values[Numbers.PLAYER_HAND_SIZE] = side["hand_size"]
    values[Numbers.PLAYER_MILITARY] = side["military"]
    values[Numbers.PLAYER_SCORE] = side["score"]
    values[Numbers.PLAYER_TABLEAU_SIZE] = side["size"]
    values[Numbers.PLAYER_ACTION] = side["action"]
    values[Numbers.PLAYER_NUMBER_OF_GOODS] = counts.goods[tables.NO_KIND]
    consumed = tableau_features.consume_now(side, counts.goods)
    values[Numbers.PLAYER_CONSUME_POINTS] = consumed.points
    values[Numbers.PLAYER_CONSUME_GOODS] = consumed.goods
    values[Numbers.PLAYER_CONSUME_CARDS] = consumed.cards
    values[Numbers.PLAYER_TRADE_VALUE] = tableau_features.trade_value(side, counts.standing)
    producers = tableau_features.producers_of(side)
    values[Numbers.PLAYER_PRODUCTION_WORLDS] = producers.producing
    values[Numbers.PLAYER_PRODUCERS] = producers.idle
    values[Numbers.PLAYER_IDLE_WINDFALLS] = producers.windfalls
    values[Numbers.PLAYER_DISCOUNT] = counts.standing[tables.DISCOUNT]
    values[Numbers.PLAYER_DEVELOP_DISCOUNT] = counts.standing[tables.DEVELOP_DISCOUNT]


@rule
def case_features(record: Any, values: Any, words: Any, counts: tableau_features.Counts) -> None:
    """The numbers of a case, before coding, and its sets."""
    me, opponent = record["me"], record["opponent"]
    game_features(values, record)
    tableau_features.count_side(opponent, counts)
    opponent_features(values, opponent, counts)
    add_tableau(words, Sets.OPPONENT_TABLEAU, Sets.OPPONENT_GOODS, opponent)
    add_copies(words, Sets.OPPONENT_TABLEAU_GROUPS, counts.groups)
    tableau_features.count_side(me, counts)
    player_features(values, me, counts)
    add_tableau(words, Sets.PLAYER_TABLEAU, Sets.PLAYER_GOODS, me)
    add_copies(words, Sets.PLAYER_TABLEAU_GROUPS, counts.groups)
    add_copies(words, Sets.PLAYER_GOODS_KINDS, counts.kinds)
    hand_features(values, words, record["hand"], me, counts)
    if record["type"] not in (TYPE_ACTION, TYPE_GAMBLE):
        add_cards(words, Sets.OFFERED, record["options"])
        add_cards(words, Sets.TAKEN, record["choice"])


def _index(records: Any, columns: Columns) -> None:
    """Fill the columns of the given records."""
    values = np.zeros(_NUMBERS, np.int64)
    counts = tableau_features.Counts(
        np.zeros(tables.KIND_COUNT, np.int64),
        np.zeros(tables.STANDING_COUNT, np.int64),
        np.zeros(GROUP_COUNT, np.int64),
        np.zeros(GOOD_GROUPS, np.int64),
    )
    for case in range(records.size):
        columns.classes[case] = class_of(records[case])
        case_features(records[case], values, columns.sets[:, case], counts)
        for i in range(values.size):
            columns.codes[i, case] = min(_HIGHEST, max(0, values[i] - _LOW[i]))


@cache
def code() -> Unit:
    """The kernel that indexes cases."""
    nothing = Columns(np.zeros((1, 0), np.uint8), np.zeros((1, 0), np.int64), np.zeros(0, np.uint8))
    return Unit("scout", {"index": (_index, types.void(from_dtype(CASE)[::1], typeof(nothing)))})


def index_cases(
    records: Records, groups: NDArray[np.int64] | None = None, ids: NDArray[np.int64] | None = None
) -> CaseBase:
    """The case base of some records."""
    n = len(records)
    columns = Columns(
        np.zeros((_NUMBERS, n), np.uint8),
        np.zeros((SCHEMA.words, n), np.int64),
        np.zeros(n, np.uint8),
    )
    code().entry_points["index"](np.require(records, CASE, ["C", "A", "W"]), columns)
    return CaseBase(
        SCHEMA,
        *columns,
        np.zeros(n, np.int64) if groups is None else np.ascontiguousarray(groups, np.int64),
        np.arange(n) if ids is None else np.ascontiguousarray(ids, np.int64),
    )
