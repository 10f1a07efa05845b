"""What a city must pay its neighbours for goods it lacks (docs/rules/wonders.md, section 4).

The result is exact, and the code is fast: this is where the rules spend most of their time.

Goods of the city's own fixed production are used first; that is never worse. At most six goods remain, because
only the Palace needs seven and every board produces one of them. Sets of these goods are numbers from 0 to 63,
and a family of such sets is one 64-bit number. For the own choice production, for the left and for the right
neighbour, the family of sets they can deliver is built unit by unit; then every split of the missing goods
among the three is tried.

The answer is a *frontier*: for each number of coins to the left (0 to 14) the least that must go to the right, packed
four bits each as 15 minus that number, so that 0 means that there is no way. Nothing is allocated.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders import cards
from boardwright.games.wonders.slips import CHOICES_UNSOLD, ONE_NEIGHBOUR, SWAPPED
from boardwright.games.wonders.state import MOST_TO_LEFT, left_of, right_of
from boardwright.kernel import Record, rule

PRICE = 2
"""Of a good without a discount; with one it is one coin less."""
UNLIMITED = 28
"""Coins for any purchase."""

NO_WAY = 0
"""The frontier without any way to pay."""
NO_PURCHASE = 15
"""The frontier of (0, 0): nothing needs to be bought."""
WAY_BITS, WAY_MASK = 4, 15
"""How a frontier is packed."""
NO_RIGHT = 15
"""What `right_for` gives where there is no way."""

_HIGH = sum(128 << (cards.GOOD_BITS * good) for good in range(cards.NUM_GOODS))
"""The free bit of every good. It is lost where a city lacks units."""
_RAW_GOODS = (1 << cards.RAW) - 1
_ITEMS = 6
_SETS = 1 << _ITEMS
_WITHOUT = np.array([sum(1 << s for s in range(_SETS) if not s >> i & 1) for i in range(_ITEMS)], np.int64)
"""For each item, the family of all sets without it."""
_SIZE = np.array([bin(s).count("1") for s in range(_SETS)], np.int64)


@rule
def right_for(frontier: int, left: int) -> int:
    """The least to the right when `left` coins go to the left, or NO_RIGHT."""
    return NO_RIGHT - (frontier >> (WAY_BITS * left) & WAY_MASK)


@rule
def set_right(frontier: int, left: int, right: int) -> int:
    return (frontier & ~(WAY_MASK << (WAY_BITS * left))) | (NO_RIGHT - right) << (WAY_BITS * left)


@rule
def least(frontier: int) -> int:
    """The fewest coins to both; a large number if there is no way."""
    best = 99
    left = 0
    while frontier:
        if frontier & WAY_MASK:
            best = min(best, left + NO_RIGHT - (frontier & WAY_MASK))
        frontier >>= WAY_BITS
        left += 1
    return best


@rule
def first_way(frontier: int) -> tuple[int, int]:
    """The way that pays the left least: coins to the left and to the right."""
    left = 0
    while not frontier & WAY_MASK:
        frontier >>= WAY_BITS
        left += 1
    return left, NO_RIGHT - (frontier & WAY_MASK)


@rule
def offered(frontier: int, undominated: int) -> int:
    """The frontier with only those ways that a player is offered."""
    kept = NO_WAY
    lowest = least(frontier)
    best = NO_RIGHT
    left = 0
    while frontier:
        right = NO_RIGHT - (frontier & WAY_MASK)
        if right < best:  # fewer to the right than any way that pays the left less
            best = right
            if undominated or left + right == lowest:
                kept = set_right(kept, left, right)
        frontier >>= WAY_BITS
        left += 1
    return kept


@rule
def with_unit(family: int, items: int) -> int:
    """The family after one more unit that gives any one of `items`."""
    grown = family
    for i in range(_ITEMS):
        if items >> i & 1:
            grown |= (family & _WITHOUT[i]) << (1 << i)
    return grown


@rule
def items_of(start: int, goods: int) -> int:
    """The missing items that are of one of `goods`; `start` packs, eight bits for each good, where
    its items begin and end."""
    items = 0
    for good in range(cards.NUM_GOODS):
        if goods >> good & 1:
            first = start >> (cards.GOOD_BITS * good) & 7
            items |= (1 << (start >> (cards.GOOD_BITS * good + 4) & 7)) - (1 << first)
    return items


@rule
def stock_of(s: Record, seller: int, missing: int, start: int) -> int:
    """The family of sets of missing goods that a neighbour can deliver."""
    city = s.city[seller]
    goods = city.goods
    family = 1
    wanted = 0
    for good in range(cards.NUM_GOODS):
        units = missing >> (cards.GOOD_BITS * good) & 7
        if units:
            wanted |= 1 << good
            items = items_of(start, 1 << good)
            for _ in range(min(goods >> (cards.GOOD_BITS * good) & cards.UNIT_MASK, units)):
                family = with_unit(family, items)
    if not s.slips & CHOICES_UNSOLD:
        for i in range(city.choices):
            if city.choice[i] & wanted:
                family = with_unit(family, items_of(start, city.choice[i] & wanted))
    return family


@rule
def has_good(s: Record, seller: int, good: int) -> bool:
    """Whether a neighbour sells that good."""
    city = s.city[seller]
    if s.slips & CHOICES_UNSOLD:
        return (city.goods >> (cards.GOOD_BITS * good) & cards.UNIT_MASK) != 0
    return (city.sells >> good & 1) != 0


@rule
def lacking(balance: int) -> tuple[int, int, int, int]:
    """The goods that a balance lacks: packed, where their items begin (see `items_of`), a bit for each good, and how
    many they are."""
    missing, start, wanted, items = 0, 0, 0, 0
    for good in range(cards.NUM_GOODS):
        units = 128 - (balance >> (cards.GOOD_BITS * good) & 255)
        if units > 0:
            missing |= units << (cards.GOOD_BITS * good)
            start |= (items | (items + units) << 4) << (cards.GOOD_BITS * good)
            wanted |= 1 << good
            items += units
    return missing, start, wanted, items


@rule
def own_stock(s: Record, seat: int, wanted: int, start: int) -> int:
    """The family of sets of missing goods that the city's own choice production delivers."""
    city = s.city[seat]
    family = 1
    for i in range(city.choices):
        if city.choice[i] & wanted:
            family = with_unit(family, items_of(start, city.choice[i] & wanted))
    for i in range(city.extras):
        if city.extra[i] & wanted:
            family = with_unit(family, items_of(start, city.extra[i] & wanted))
    return family


@rule
def price_of(bought: int, raw: int, raw_price: int, made_price: int) -> int:
    """What a set of items costs; `raw` are all raw items."""
    raw_bought = _SIZE[bought & raw]
    return raw_bought * raw_price + (_SIZE[bought] - raw_bought) * made_price


@rule
def ways(s: Record, seat: int, need: int, budget: int) -> int:
    """The frontier of payments for the goods `need`, with at most `budget` coins for both neighbours."""
    city = s.city[seat]
    balance = (city.goods | _HIGH) - need
    if balance & _HIGH == _HIGH:
        return NO_PURCHASE
    missing, start, wanted, items = lacking(balance)
    cheapest = PRICE - 1 if city.discounts else PRICE
    if (items - city.choices - city.extras) * cheapest > budget:
        return NO_WAY
    on_left, on_right = left_of(s, seat), right_of(s, seat)
    if wanted & ~(city.makes | s.city[on_left].sells | s.city[on_right].sells):
        return NO_WAY
    own = own_stock(s, seat, wanted, start)
    if own >> ((1 << items) - 1) & 1:
        return NO_PURCHASE
    if s.slips & SWAPPED:
        on_left, on_right = on_right, on_left
    if items == 1:  # the most common case by far
        return ways_for_one(s, on_left, on_right, wanted, city.discounts, budget)
    left, right = stock_of(s, on_left, missing, start), stock_of(s, on_right, missing, start)
    raw = items_of(start, wanted & _RAW_GOODS)
    return splits(own, left, right, items, raw, city.discounts, budget, s.slips & ONE_NEIGHBOUR != 0)


@rule
def ways_for_one(s: Record, on_left: int, on_right: int, wanted: int, discounts: int, budget: int) -> int:
    """The frontier for a single missing good; `wanted` is its bit."""
    good = 0
    while wanted >> good > 1:
        good += 1
    is_raw = good < cards.RAW
    frontier = NO_WAY
    price = PRICE - (discounts & (cards.LEFT_RAW if is_raw else cards.LEFT_MADE) != 0)
    if price <= budget and has_good(s, on_left, good):
        frontier = set_right(frontier, price, 0)
    price = PRICE - (discounts & (cards.RIGHT_RAW if is_raw else cards.RIGHT_MADE) != 0)
    if price <= budget and has_good(s, on_right, good):
        frontier = set_right(frontier, 0, price)
    return frontier


@rule
def splits(
    own: int, left: int, right: int, items: int, raw: int, discounts: int, budget: int, one_neighbour: bool
) -> int:
    """The frontier over every split of the missing items among the city's own stock and both neighbours'."""
    left_raw, right_raw = PRICE - (discounts & cards.LEFT_RAW != 0), PRICE - (discounts & cards.RIGHT_RAW != 0)
    left_made, right_made = PRICE - (discounts & cards.LEFT_MADE != 0), PRICE - (discounts & cards.RIGHT_MADE != 0)
    full = (1 << items) - 1
    frontier = NO_WAY
    from_left = full
    while from_left >= 0:  # every subset of the missing goods
        paid_left = price_of(from_left, raw, left_raw, left_made) if left >> from_left & 1 else MOST_TO_LEFT
        if paid_left <= budget and paid_left < MOST_TO_LEFT:
            rest = full & ~from_left
            from_right = rest
            while from_right >= 0:
                if right >> from_right & 1 and own >> (rest & ~from_right) & 1:
                    paid_right = price_of(from_right, raw, right_raw, right_made)
                    better = paid_right < right_for(frontier, paid_left) and paid_left + paid_right <= budget
                    if better and not (one_neighbour and from_left and from_right):
                        frontier = set_right(frontier, paid_left, paid_right)
                from_right = (from_right - 1) & rest if from_right else -1
        from_left -= 1
    return frontier
