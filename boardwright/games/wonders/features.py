"""A position as sparse features, as a seat knows it that holds one packet; and what a turn is, for learners.

A seat is told of its own city and hand, of both neighbours, and of all others only how they stand, so that one network
serves all seat counts. Cards in hand come with what they would be worth and cost here, by the estimates of the
rule-based player (policies.py), and standings with its estimate of the returns (evaluation.py). What the seat knows of
packets to come is in coming.py.
"""

from __future__ import annotations

import math

import numpy as np

from boardwright.games.wonders import cards
from boardwright.games.wonders.choosing import is_chained, ways_to_build, ways_to_stage
from boardwright.games.wonders.coming import add_coming, coming_block, coming_digest
from boardwright.games.wonders.costs import NO_WAY, least
from boardwright.games.wonders.evaluation import expected_return, worth_of
from boardwright.games.wonders.policies import W_COIN, W_RIVAL, WEIGHTS, next_stage_worth, structure_worth
from boardwright.games.wonders.scoring import returns, total
from boardwright.games.wonders.state import DIG, FINISHED, LOOKED_AT, READY, left_of, packet_of, right_of
from boardwright.kernel import MAX_SEATS, FeatureLayout, Record, SparseFeatures, add_feature, rule
from boardwright.kernel.features import begins_part, keeps_parts, mixed

_SIDES = ("A", "B")
_COIN_STEPS, _SYMBOL_STEPS = 13, 6
_SHIELD_STEPS = 9  # leads from -4 to 4

# Set by hand, so that features stay around -1 to 1.
_HIGH_WORTH, _HIGH_PRICE, _MANY_COINS = 8.0, 4.0, 10.0
_HIGH_SCORE, _LARGE_LEAD, _MANY_CARDS = 50.0, 10.0, 4.0
_MANY_TOKENS, _MANY_DEFEATS, _MANY_UNITS = 10.0, 4.0, 2.0
_MIN_RETURN = 0.01

_random = np.random.default_rng(1)
_OF_KIND, _OF_NUMBER = (_random.integers(-(2**62), 2**62, n) * 2 + 1 for n in (cards.KINDS, 12))
"""What the numbers of a city, or of a hand, are multiplied by for its digest."""
_OWN_PART, _LEFT_PART, _RIGHT_PART, _HAND_PART, _PILE_PART, _STANDINGS_PART, _COMING_PART = range(1, 8)
"""Mixed into the digests of parts, so that no two are the same."""

_layout = FeatureLayout()
SEATS_AT = _layout.block("seats", range(cards.LEAST_SEATS, cards.MOST_SEATS + 1))
TURN_AT = _layout.block("turn", range(cards.AGES * (cards.TURNS + 1)))
PHASE_AT = _layout.block("phase", range(FINISHED + 1))
IN_HAND = _layout.block("in hand", cards.NAMES)
AFFORDABLE = _layout.block("in hand and affordable", cards.NAMES)
PRICE_AT = _layout.block("in hand, price", cards.NAMES)
WORTH_AT = _layout.block("in hand, worth", cards.NAMES)
BEST_CARD = _layout.block("best card in hand", cards.NAMES)
BEST_WORTH = _layout.block("worth of the best card in hand")
IN_PILE = _layout.block("discard to choose from", cards.NAMES)
STAGE_AT = _layout.block("next stage", ("affordable", "price", "worth", "better than any card"))


def _city_block(title: str) -> int:
    """What is said about the own city and both neighbours; the offsets below follow this order."""
    first = _layout.block(f"{title} structure", cards.NAMES)
    boards = [
        f"{name} {side}, stages: {n}"
        for name in cards.BOARD_NAMES
        for side in _SIDES
        for n in range(cards.MOST_STAGES + 1)
    ]
    _layout.block(f"{title} board", boards)
    _layout.block(f"{title} units of", cards.GOODS)
    _layout.block(f"{title} choice of", cards.GOODS)
    _layout.block(f"{title} coins, in steps", range(_COIN_STEPS))
    _layout.block(f"{title} cards", cards.COLOURS)
    _layout.block(f"{title} symbols", [f"{n} {symbol}" for symbol in cards.SYMBOLS for n in range(_SYMBOL_STEPS)])
    _layout.block(f"{title} discount", range(4))
    for single in ("coins", "shields", "victory tokens", "defeats", "points", "worth", "free build"):
        _layout.block(f"{title} {single}")
    return first


OWN_AT = _city_block("own")
LEFT_AT = _city_block("left neighbour's")
RIGHT_AT = _city_block("right neighbour's")
SHIELD_LEAD = _layout.block("lead in shields", [f"{n} over {side}" for side in ("left", "right") for n in range(-4, 5)])
LEAD_AT = _layout.block("lead in worth over", ("the best other", "left", "right", "the mean"))
LATE_LEAD = _layout.block("lead in worth over the best other, counting more towards the end")
EXPECTED = _layout.block("expected return")
ABOVE = _layout.block("seats that stand better", range(cards.MOST_SEATS))
EARLIER_FEATURE_COUNTS = (len(_layout.names),)
COMING_AT = coming_block(_layout)
FEATURE_NAMES = _layout.names
_BOARD = cards.KINDS
_GOODS = _BOARD + len(cards.BOARD_NAMES) * len(_SIDES) * (cards.MOST_STAGES + 1)
_CHOICES = _GOODS + cards.NUM_GOODS
_COINS = _CHOICES + cards.NUM_GOODS
_COLOURS = _COINS + _COIN_STEPS
_SYMBOLS = _COLOURS + cards.NUM_COLOURS
_DISCOUNTS = _SYMBOLS + len(cards.SYMBOLS) * _SYMBOL_STEPS
_SINGLES = _DISCOUNTS + 4
assert OWN_AT + _SINGLES + 7 == LEFT_AT


@rule
def features(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """In parts, each with a digest of what it depends on: in a search all cities stay as they are until everybody has
    chosen, and then some of them become what they became before."""
    parted = keeps_parts(sparse)
    left, right = left_of(s, seat), right_of(s, seat)
    everyone = cities_digest(s, seat) if parted else 0
    if s.phase == DIG:
        if s.mover == seat and begins_part(sparse, pile_digest(s) if parted else 0):
            add_pile(s, sparse)
    elif s.phase != FINISHED and begins_part(sparse, hand_digest(s, seat, everyone) if parted else 0):
        add_hand(s, seat, sparse)
    if s.phase != FINISHED and begins_part(
        sparse, mixed(coming_digest(s, seat, everyone), _COMING_PART) if parted else 0
    ):
        add_coming(s, seat, sparse, COMING_AT)
    if begins_part(sparse, mixed(city_digest(s, seat), _OWN_PART) if parted else 0):
        add_city(s, seat, sparse, OWN_AT)
    if begins_part(sparse, mixed(city_digest(s, left), _LEFT_PART) if parted else 0):
        add_city(s, left, sparse, LEFT_AT)
    if begins_part(sparse, mixed(city_digest(s, right), _RIGHT_PART) if parted else 0):
        add_city(s, right, sparse, RIGHT_AT)
    if begins_part(sparse, mixed(everyone, _STANDINGS_PART) if parted else 0):
        add_standings(s, seat, sparse)


@rule
def city_digest(s: Record, seat: int) -> int:
    city = s.city[seat]
    digest = 0
    for kind in range(cards.KINDS):
        digest += _OF_KIND[kind] & -city.built[kind]
    digest += city.goods * _OF_NUMBER[0] + city.coins * _OF_NUMBER[1] + city.points * _OF_NUMBER[2]
    digest += (city.board << 16 | city.side << 8 | city.stages) * _OF_NUMBER[3]
    digest += city.shields * _OF_NUMBER[4] + city.victory * _OF_NUMBER[5] + city.defeats * _OF_NUMBER[6]
    digest += (city.free_build << 16 | city.discounts << 8 | city.choices) * _OF_NUMBER[7]
    digest += city.extras * _OF_NUMBER[8] + city.makes * _OF_NUMBER[9] + city.sells * _OF_NUMBER[10]
    for symbol in range(len(cards.SYMBOLS)):
        digest += (city.symbols[symbol] << 8 * symbol) * _OF_NUMBER[11]
    return mixed(digest, 0)


@rule
def cities_digest(s: Record, seat: int) -> int:
    """Of all cities, the own one first, the time and the variant."""
    digest = (s.age << 8 | s.turn) << 16 | s.phase << 8 | s.seats
    digest = mixed(digest, s.slips << 1 | s.undominated)
    for i in range(s.seats):
        digest = mixed(digest, city_digest(s, seat + i if seat + i < s.seats else seat + i - s.seats))
    return digest


@rule
def hand_digest(s: Record, seat: int, everyone: int) -> int:
    packet, digest = packet_of(s, seat), 0
    for place in range(cards.HAND):
        kind = s.hand[packet, place]
        if kind < 0:
            break
        digest += _OF_KIND[kind]
    return mixed(mixed(everyone, digest), _HAND_PART)


@rule
def pile_digest(s: Record) -> int:
    digest = 0
    for age in range(s.age + 1):
        for packet in range(s.seats):
            for turn in range(cards.HAND):
                if s.fate[age, packet, turn] == LOOKED_AT and s.left[age, packet, turn] >= 0:
                    digest += _OF_KIND[s.left[age, packet, turn]]
    return mixed(digest, _PILE_PART)


@rule
def add_pile(s: Record, sparse: SparseFeatures) -> None:
    """What Halikarnassos may build."""
    for age in range(s.age + 1):
        for packet in range(s.seats):
            for turn in range(cards.HAND):
                if s.fate[age, packet, turn] == LOOKED_AT and s.left[age, packet, turn] >= 0:
                    add_feature(sparse, IN_PILE + s.left[age, packet, turn], 1.0)


@rule
def add_hand(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """Every card of the packet with its price, what it is worth in the city, and which is best."""
    city, packet = s.city[seat], packet_of(s, seat)
    per_coin = WEIGHTS[W_COIN] + WEIGHTS[W_RIVAL]
    before, best, most = -1, -1, 0.0
    for place in range(cards.HAND):
        kind = s.hand[packet, place]
        if kind < 0:
            break
        add_feature(sparse, IN_HAND + kind, 1.0)
        if kind == before or city.built[kind]:
            continue
        before = kind
        worth = structure_worth(s, seat, kind, WEIGHTS)
        frontier = ways_to_build(s, seat, kind)
        add_feature(sparse, WORTH_AT + kind, worth / _HIGH_WORTH)
        if frontier != NO_WAY:
            price = least(frontier)
            add_feature(sparse, AFFORDABLE + kind, 1.0)
            add_feature(sparse, PRICE_AT + kind, price / _HIGH_PRICE)
            worth -= price * per_coin
            if cards.COST_COINS[kind] and not is_chained(s, seat, kind):
                worth -= cards.COST_COINS[kind] * WEIGHTS[W_COIN]
            if worth > most:
                best, most = kind, worth
    if best >= 0:
        add_feature(sparse, BEST_CARD + best, 1.0)
        add_feature(sparse, BEST_WORTH, most / _HIGH_WORTH)
    frontier = ways_to_stage(s, seat)
    if frontier != NO_WAY:
        worth, price = next_stage_worth(s, seat, WEIGHTS), least(frontier)
        add_feature(sparse, STAGE_AT, 1.0)
        add_feature(sparse, STAGE_AT + 1, price / _HIGH_PRICE)
        add_feature(sparse, STAGE_AT + 2, worth / _HIGH_WORTH)
        add_feature(sparse, STAGE_AT + 3, 1.0 if worth - price * per_coin > most else 0.0)


@rule
def add_city(s: Record, seat: int, sparse: SparseFeatures, at: int) -> None:
    """What it is, whatever its neighbours are: what it has come to is among the standings."""
    city = s.city[seat]
    for kind in range(cards.KINDS):
        if city.built[kind]:
            add_feature(sparse, at + kind, 1.0)
    board = city.board * len(_SIDES) + city.side
    add_feature(sparse, at + _BOARD + board * (cards.MOST_STAGES + 1) + city.stages, 1.0)
    for good in range(cards.NUM_GOODS):
        add_feature(
            sparse, at + _GOODS + good, (city.goods >> (cards.GOOD_BITS * good) & cards.UNIT_MASK) / _MANY_UNITS
        )
        add_feature(sparse, at + _CHOICES + good, 1.0 if city.makes >> good & 1 else 0.0)
    add_feature(sparse, at + _COINS + min(_COIN_STEPS - 1, max(0, city.coins)), 1.0)
    for colour in range(cards.NUM_COLOURS):
        add_feature(sparse, at + _COLOURS + colour, city.colours[colour] / _MANY_CARDS)
    for symbol in range(len(cards.SYMBOLS)):
        if city.symbols[symbol]:
            number = min(city.symbols[symbol], _SYMBOL_STEPS - 1)
            add_feature(sparse, at + _SYMBOLS + symbol * _SYMBOL_STEPS + number, 1.0)
    for bit in range(4):
        add_feature(sparse, at + _DISCOUNTS + bit, 1.0 if city.discounts >> bit & 1 else 0.0)
    singles = at + _SINGLES
    add_feature(sparse, singles, city.coins / _MANY_COINS)
    add_feature(sparse, singles + 1, city.shields / _MANY_CARDS)
    add_feature(sparse, singles + 2, city.victory / _MANY_TOKENS)
    add_feature(sparse, singles + 3, city.defeats / _MANY_DEFEATS)
    add_feature(sparse, singles + 6, 1.0 if city.free_build == READY else 0.0)


@rule
def add_standings(s: Record, seat: int, sparse: SparseFeatures) -> None:
    """What the three cities have come to, and how the seat stands among all."""
    add_feature(sparse, SEATS_AT + s.seats - cards.LEAST_SEATS, 1.0)
    add_feature(sparse, TURN_AT + s.age * (cards.TURNS + 1) + s.turn, 1.0)
    add_feature(sparse, PHASE_AT + s.phase, 1.0)
    worths = np.zeros(MAX_SEATS)
    for other in range(s.seats):
        worths[other] = worth_of(s, other)
    mine, left, right = worths[seat], left_of(s, seat), right_of(s, seat)
    for side in range(3):
        other = seat if side == 0 else left if side == 1 else right
        singles = (OWN_AT if side == 0 else LEFT_AT if side == 1 else RIGHT_AT) + _SINGLES
        add_feature(sparse, singles + 4, total(s, other) / _HIGH_SCORE)
        add_feature(sparse, singles + 5, worths[other] / _HIGH_SCORE)
    shields = s.city[seat].shields
    for side in range(2):
        lead = shields - s.city[left if side == 0 else right].shields
        add_feature(sparse, SHIELD_LEAD + side * _SHIELD_STEPS + min(4, max(-4, lead)) + 4, 1.0)
    best, all_others, above = -1e9, 0.0, 0
    for other in range(s.seats):
        if other != seat:
            best = max(best, worths[other])
            all_others += worths[other]
            above += worths[other] > mine
    late = (s.age * cards.TURNS + s.turn) / (cards.AGES * cards.TURNS)
    add_feature(sparse, LEAD_AT, (mine - best) / _LARGE_LEAD)
    add_feature(sparse, LEAD_AT + 1, (mine - worths[left]) / _LARGE_LEAD)
    add_feature(sparse, LEAD_AT + 2, (mine - worths[right]) / _LARGE_LEAD)
    add_feature(sparse, LEAD_AT + 3, (mine - all_others / (s.seats - 1)) / _LARGE_LEAD)
    add_feature(sparse, LATE_LEAD, late * (mine - best) / _LARGE_LEAD)
    add_feature(sparse, ABOVE + above, 1.0)
    if s.phase == FINISHED:
        ends = np.zeros(MAX_SEATS)
        returns(s, ends)
        expected = ends[seat]
    else:
        expected = expected_return(s, seat, worths, max(mine, best))
    chance = min(1.0 - _MIN_RETURN, max(_MIN_RETURN, expected))
    add_feature(sparse, EXPECTED, math.log(chance / (1.0 - chance)) / 2.0)


@rule
def turn(s: Record) -> int:
    """A turn is one card of everybody, with what Babylon and Halikarnassos do afterwards."""
    return s.age * cards.TURNS + s.turn
