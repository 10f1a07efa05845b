"""A position as sparse features, as a seat knows it that sees only its own hand; and what a turn is, for learners.

Cards are features by design: in the own hand (and which of them could be placed now), in each tableau, the card being
paid for, those picked so far. The rest are counts and sizes: goods, chips, points, standing powers, what the goods
would earn if consumed, traded or produced now, how near the end is, and where in the round the game stands. The
observing seat comes first, the others follow in turn order.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.race import cards, state
from boardwright.games.race.bits import WORDS, is_empty, lowest
from boardwright.games.race.consume import trade_value
from boardwright.games.race.develop import can_develop
from boardwright.games.race.policies import best_trade, consume_gain, produce_gain, time_left
from boardwright.games.race.rules import advance
from boardwright.games.race.scoring import score
from boardwright.games.race.settle import can_settle
from boardwright.kernel import FeatureLayout, Record, SparseFeatures, add_feature, rule
from boardwright.kernel.features import begins_part, keeps_parts, mixed

_NAMES = [design.name for design in cards.DESIGNS]
_ACTION_NAMES = ["explore +5", "explore +1", "develop", "settle", "trade", "consume x2", "produce"]
_NUMBER = np.zeros(max(state.ROUND_ACTIONS) + 1, np.int64)
_NUMBER[list(state.ROUND_ACTIONS)] = range(len(state.ROUND_ACTIONS))
_POOL_STEPS = 13
_LEAD_STEPS, _LEAD_STEP = 13, 3
_HAND_STEPS = 13

_random = np.random.default_rng(1)
_OF_PLACE, _OF_POWER = (
    _random.integers(-(2**62), 2**62, n) * 2 + 1 for n in (state.TABLEAU_ROOM, cards.STANDING_COUNT)
)
"""What the numbers of a tableau are multiplied by for its digest."""

# Set by hand, so that features stay around -1 to 1.
_LARGE_LEAD, _LARGE_LATE_LEAD = 15.0, 10.0
_HIGH_SIX, _HIGH_SCORE, _MANY_CHIPS = 8.0, 30.0, 12.0
_MANY_PICKS, _MANY_CARDS, _MANY_GOODS = 4.0, 6.0, 3.0
_HIGH_MILITARY, _HIGH_POWER = 4.0, 2.0
_LARGE_CONSUME, _LARGE_TRADE, _LARGE_PRODUCE = 6.0, 5.0, 4.0

_layout = FeatureLayout()
HAND = _layout.block("in hand", _NAMES)
PLACEABLE = _layout.block("in hand and affordable", _NAMES)
PICKED = _layout.block("picked", _NAMES)
PLACING = _layout.block("being placed", _NAMES)
SIX_IN_HAND = _layout.block("points of the best six-cost development in hand")
QUESTION = _layout.block("question", range(state.GAME_OVER + 1))
KEEPS = _layout.block("picks are kept")
LEFT = _layout.block("picks to come")
AHEAD = _layout.block("phase to come", ["explore", "develop", "settle", "consume", "produce"])
POOL = _layout.block("pool, in steps", range(_POOL_STEPS))
POOL_LEFT = _layout.block("pool")
TIME = _layout.block("time left")
ROUND = _layout.block("round")
LEAD = _layout.block("lead, in steps", range(_LEAD_STEPS))
LEAD_NOW = _layout.block("lead")
LATE_LEAD = _layout.block("lead, counting more towards the end")
FIRST = _layout.block("first in turn order")


def _seat_block(title: str) -> int:
    """The same numbers for every seat; SEAT_FEATURES of them."""
    first = _layout.block(f"{title} tableau", _NAMES)
    _layout.block(f"{title} good on", _NAMES)
    _layout.block(f"{title} action", _ACTION_NAMES)
    _layout.block(f"{title} goods", ["all", *cards.KINDS[1:]])
    _layout.block(f"{title} standing power", range(cards.STANDING_COUNT))
    _layout.block(f"{title} tableau size", range(state.TABLEAU_ROOM + 1))
    _layout.block(f"{title} hand size, in steps", range(_HAND_STEPS))
    for single in ("hand size", "chips", "points", "consume x2 now", "best trade now", "produce now"):
        _layout.block(f"{title} {single}")
    return first


SEATS = _layout.per_seat(_seat_block, state.MAX_SEATS)
FEATURE_NAMES = _layout.names
SEAT_FEATURES = (len(FEATURE_NAMES) - SEATS) // state.MAX_SEATS
GOOD_ON = cards.DESIGN_COUNT
ACTION_CHOSEN = GOOD_ON + cards.DESIGN_COUNT
GOODS = ACTION_CHOSEN + len(state.ROUND_ACTIONS)
POWERS = GOODS + cards.KIND_COUNT
SIZE = POWERS + cards.STANDING_COUNT
HAND_STEPS = SIZE + state.TABLEAU_ROOM + 1
SINGLES = HAND_STEPS + _HAND_STEPS
assert SINGLES + 6 == SEAT_FEATURES


@rule
def features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """In parts, each with a digest of what it depends on: most positions of a search differ in few of them from one
    that was met before."""
    parted = keeps_parts(sparse)
    common = mixed(mixed(s.pool, s.round), 1 if s.first == seat else 0) if parted else 0
    for i in range(s.seats):
        other = seat + i if seat + i < s.seats else seat + i - s.seats
        tableau = tableau_digest(s, other) if parted else 0
        if i == 0:
            add_hand_parts(s, seat, tableau, parted, sparse)
        add_seat_parts(s, other, tableau, parted, sparse, i)
        common = mixed(common, tableau ^ s.chips[other]) if parted else 0
    if begins_part(sparse, common):
        add_common_features(s, seat, sparse)
    if begins_part(sparse, question_digest(s, seat) if parted else 0):
        add_question_features(s, seat, sparse)


@rule
def tableau_digest(s: Record, seat: int) -> int:
    """Of the cards of a tableau, and of the powers that count already."""
    digest = 0
    for place in range(state.TABLEAU_ROOM):
        digest += s.tableau[seat, place] * _OF_PLACE[place]
    for i in range(cards.STANDING_COUNT):
        digest += s.standing[seat, i] * _OF_POWER[i]
    return mixed(digest, s.size[seat])


@rule
def question_digest(s: Record, seat: int) -> int:
    digest = s.question << 8 if s.question == state.CHOOSE_ACTION else 0
    if s.asked == seat:
        digest = (s.question << 8 | s.keeps[seat]) << 8 | s.left
    return mixed(digest << 8 | s.placing[seat], s.phases << 8 | s.stage)


@rule
def add_hand_parts(s: Record, seat: int, tableau: int, parted: bool, sparse: SparseFeatures) -> None:
    hand = picked = 0
    if parted:
        hand = mixed(tableau + s.hand_size[seat], 2 if s.chosen[seat] == state.DEVELOP_ACTION else 3)
        for w in range(WORDS):
            hand, picked = mixed(hand, s.hand[seat, w]), mixed(picked + 1, s.picked[seat, w])
    if begins_part(sparse, hand):
        add_hand_features(s, seat, sparse)
    if not is_empty(s.picked[seat]) and begins_part(sparse, picked):
        add_picked_features(s, seat, sparse)


@rule
def add_seat_parts(s: Record, seat: int, tableau: int, parted: bool, sparse: SparseFeatures, number: int) -> None:
    """`number` counts seats from the observing one."""
    at = SEATS + number * SEAT_FEATURES
    goods = numbers = 0
    if parted:
        tableau = mixed(tableau, 4 + number)
        for place in range(state.TABLEAU_ROOM):
            goods |= (1 if s.good[seat, place] else 0) << place
        goods = mixed(tableau, goods << 2 | min(2, s.hand_size[seat]))
        chosen = s.chosen[seat] if s.stage > state.ROUND_CHOOSE else 0
        numbers = mixed(tableau, (1 << 8 | s.hand_size[seat]) << 32 | s.chips[seat] << 8 | chosen)
    if begins_part(sparse, tableau):
        add_tableau_features(s, seat, sparse, at)
    if begins_part(sparse, goods):
        add_goods_features(s, seat, sparse, at)
    if begins_part(sparse, numbers):
        add_number_features(s, seat, sparse, at)


@rule
def add_common_features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """How the game stands for all."""
    left, mine, best_other = time_left(s), score(s, seat), -1000
    for other in range(s.seats):
        if other != seat:
            best_other = max(best_other, score(s, other))
    lead = mine - best_other
    add_feature(sparse, LEAD_NOW, lead / _LARGE_LEAD)
    add_feature(sparse, LATE_LEAD, lead * (1.0 - left) / _LARGE_LATE_LEAD)
    add_feature(sparse, LEAD + min(_LEAD_STEPS - 1, max(0, lead // _LEAD_STEP + _LEAD_STEPS // 2)), 1.0)
    pool = max(0, s.pool)
    add_feature(sparse, POOL_LEFT, pool / (state.POOL_PER_SEAT * s.seats))
    add_feature(sparse, POOL + min(_POOL_STEPS - 1, pool * (_POOL_STEPS - 1) // (state.POOL_PER_SEAT * s.seats)), 1.0)
    add_feature(sparse, TIME, left)
    add_feature(sparse, ROUND, s.round / state.ROUNDS)
    add_feature(sparse, FIRST, 1.0 if s.first == seat else 0.0)


@rule
def add_hand_features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    best_six = 0
    for w in range(WORDS):
        word = s.hand[seat, w]
        while word:
            card = lowest(word, w)
            word &= word - 1
            design = cards.DESIGN[card]
            add_feature(sparse, HAND + design, 1.0)
            if can_settle(s, seat, card) if cards.IS_WORLD[card] else can_develop(s, seat, card):
                add_feature(sparse, PLACEABLE + design, 1.0)
            if cards.IS_SIX[card]:
                points = cards.BONUS[card, card]
                for place in range(s.size[seat]):
                    points += cards.BONUS[card, s.tableau[seat, place]]
                best_six = max(best_six, points)
    add_feature(sparse, SIX_IN_HAND, best_six / _HIGH_SIX)


@rule
def add_picked_features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    for w in range(WORDS):
        word = s.picked[seat, w]
        while word:
            add_feature(sparse, PICKED + cards.DESIGN[lowest(word, w)], 1.0)
            word &= word - 1


@rule
def add_question_features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """What the seat is asked, and which phases of the round are still to come."""
    if s.question == state.CHOOSE_ACTION:  # all are asked at once
        add_feature(sparse, QUESTION + state.CHOOSE_ACTION, 1.0)
    elif s.asked == seat:
        add_feature(sparse, QUESTION + s.question, 1.0)
        add_feature(sparse, KEEPS, 1.0 if s.keeps[seat] else 0.0)
        add_feature(sparse, LEFT, s.left / _MANY_PICKS)
    if s.placing[seat]:
        add_feature(sparse, PLACING + cards.DESIGN[s.placing[seat] - 1], 1.0)
    if s.stage > state.ROUND_CHOOSE:
        if s.phases & state.EXPLORE_PHASE and s.stage <= state.EXPLORE:
            add_feature(sparse, AHEAD, 1.0)
        if s.phases & state.DEVELOP_PHASE and s.stage <= state.DEVELOP_PLACE and s.stage >= state.EXPLORE:
            add_feature(sparse, AHEAD + 1, 1.0 if s.stage <= state.DEVELOP else 0.5)
        if s.phases & state.SETTLE_PHASE and s.stage <= state.SETTLE_PLACE:
            add_feature(sparse, AHEAD + 2, 1.0 if s.stage <= state.SETTLE else 0.5)
        if s.phases & state.CONSUME_PHASE and s.stage <= state.CONSUME_START:
            add_feature(sparse, AHEAD + 3, 1.0)
        if s.phases & state.PRODUCE_PHASE and s.stage <= state.PRODUCE_START:
            add_feature(sparse, AHEAD + 4, 1.0)


@rule
def add_tableau_features(s: Record, seat: int, sparse: SparseFeatures, at: int) -> None:
    """Of the seat whose features begin at a place, as in the next two functions."""
    for place in range(s.size[seat]):
        add_feature(sparse, at + cards.DESIGN[s.tableau[seat, place]], 1.0)
    for i in range(cards.STANDING_COUNT):
        if s.standing[seat, i]:
            high = _HIGH_MILITARY if i == cards.MILITARY else _HIGH_POWER
            add_feature(sparse, at + POWERS + i, s.standing[seat, i] / high)
    add_feature(sparse, at + SIZE + min(state.TABLEAU_ROOM, s.size[seat]), 1.0)


@rule
def add_goods_features(s: Record, seat: int, sparse: SparseFeatures, at: int) -> None:
    """And what they would earn."""
    for place in range(s.size[seat]):
        if s.good[seat, place]:
            add_feature(sparse, at + GOOD_ON + cards.DESIGN[s.tableau[seat, place]], 1.0)
    for kind in range(cards.KIND_COUNT):
        if s.goods[seat, kind]:
            add_feature(sparse, at + GOODS + kind, s.goods[seat, kind] / _MANY_GOODS)
    singles = at + SINGLES
    if s.goods[seat, cards.NO_KIND]:
        add_feature(sparse, singles + 3, consume_gain(s, seat, 2.0, cards.NO_KIND) / _LARGE_CONSUME)
        sold = best_trade(s, seat)
        if sold >= 0:
            add_feature(sparse, singles + 4, trade_value(s, seat, sold) / _LARGE_TRADE)
    add_feature(sparse, singles + 5, produce_gain(s, seat, 1.0) / _LARGE_PRODUCE)


@rule
def add_number_features(s: Record, seat: int, sparse: SparseFeatures, at: int) -> None:
    if s.stage > state.ROUND_CHOOSE and s.chosen[seat]:
        add_feature(sparse, at + ACTION_CHOSEN + _NUMBER[s.chosen[seat]], 1.0)
    add_feature(sparse, at + HAND_STEPS + min(_HAND_STEPS - 1, s.hand_size[seat]), 1.0)
    singles = at + SINGLES
    add_feature(sparse, singles, s.hand_size[seat] / _MANY_CARDS)
    add_feature(sparse, singles + 1, s.chips[seat] / _MANY_CHIPS)
    add_feature(sparse, singles + 2, score(s, seat) / _HIGH_SCORE)


@rule
def turn(s: Record) -> int:
    """A turn is a round."""
    return s.round


@rule
def rewind(s: Record) -> None:
    """Everybody chooses an action, or a card to place, again; nobody has seen the answers given so far."""
    if s.question == state.CHOOSE_ACTION:
        for seat in range(s.seats):
            s.chosen[seat] = 0
    elif s.question == state.PLACE:
        for seat in range(s.seats):
            s.placing[seat] = 0
    else:
        return
    s.turn = 0
    s.question = state.NOTHING
    advance(s)
