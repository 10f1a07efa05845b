"""What a city must pay its neighbours for goods it lacks: exactly, and fast, for this is where rules spend their time.

Goods of the city's own fixed production are used first; that is never worse. At most six goods remain, because
only the Palace needs seven and every board produces one of them. Sets of these goods are numbers from 0 to 63,
and a family of such sets is one 64-bit number. For the own choice production, for the left and for the right
neighbour, the family of sets they can deliver is built unit by unit; then every split of the missing goods
among the three is tried.

The answer is a *frontier*: for each number of coins to the left (0 to 14) the least that must go to the right, packed
four bits each as 15 minus that number, so that 0 means no way there. Nothing is allocated.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders.cards import LEFT_MADE, LEFT_RAW, RAW, RIGHT_MADE, RIGHT_RAW
from boardwright.games.wonders.slips import CHOICES_UNSOLD, ONE_NEIGHBOUR, SWAPPED
from boardwright.games.wonders.state import MOST_TO_LEFT, left_of, right_of
from boardwright.kernel import Record, rule

NO_WAY = 0
NO_PURCHASE = 15
"""The frontier of (0, 0)."""
UNLIMITED = 28
"""Coins for any purchase."""

_HIGH = 0x80808080808080
_RAW_GOODS = (1 << RAW) - 1
_ITEMS = 6
_WITHOUT = np.array([sum(1 << s for s in range(64) if not s >> i & 1) for i in range(_ITEMS)], np.int64)
"""For each item, the family of all sets without it."""
_SIZE = np.array([bin(s).count("1") for s in range(64)], np.int64)


@rule
def right_for(frontier: int, left: int) -> int:
    """The least to the right when `left` coins go to the left; 15: no way."""
    return 15 - (frontier >> (4 * left) & 15)


@rule
def set_right(frontier: int, left: int, right: int) -> int:
    return (frontier & ~(15 << (4 * left))) | (15 - right) << (4 * left)


@rule
def least(frontier: int) -> int:
    """The fewest coins to both; a large number if there is no way."""
    best = 99
    left = 0
    while frontier:
        if frontier & 15:
            best = min(best, left + 15 - (frontier & 15))
        frontier >>= 4
        left += 1
    return best


@rule
def first_way(frontier: int) -> tuple[int, int]:
    """The way that pays the left least: coins to the left and to the right."""
    left = 0
    while not frontier & 15:
        frontier >>= 4
        left += 1
    return left, 15 - (frontier & 15)


@rule
def offered(frontier: int, undominated: int) -> int:
    """The frontier with only those ways that a player is offered."""
    kept = NO_WAY
    lowest = least(frontier)
    best = 15
    left = 0
    while frontier:
        right = 15 - (frontier & 15)
        if right < best:  # fewer to the right than any way that pays the left less
            best = right
            if undominated or left + right == lowest:
                kept = set_right(kept, left, right)
        frontier >>= 4
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
    """The missing items that are of one of `goods`; `start` packs, eight bits a good, where its items begin."""
    items = 0
    for good in range(7):
        if goods >> good & 1:
            first = start >> (8 * good) & 7
            items |= (1 << (start >> (8 * good + 4) & 7)) - (1 << first)
    return items


@rule
def stock_of(s: Record, seller: int, missing: int, start: int) -> int:
    """The family of sets of missing goods that a neighbour can deliver."""
    city = s.city[seller]
    goods = city.goods
    family = 1
    wanted = 0
    for good in range(7):
        units = missing >> (8 * good) & 7
        if units:
            wanted |= 1 << good
            items = items_of(start, 1 << good)
            for _ in range(min(goods >> (8 * good) & 127, units)):
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
        return (city.goods >> (8 * good) & 127) != 0
    return (city.sells >> good & 1) != 0


@rule
def lacking(balance: int) -> tuple[int, int, int, int]:
    """The goods that a balance lacks: packed, where their items begin (see `items_of`), a bit for each good, and how
    many they are."""
    missing, start, wanted, items = 0, 0, 0, 0
    for good in range(7):
        units = 128 - (balance >> (8 * good) & 255)
        if units > 0:
            missing |= units << (8 * good)
            start |= (items | (items + units) << 4) << (8 * good)
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
    cheapest = 1 if city.discounts else 2
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
    is_raw = good < RAW
    frontier = NO_WAY
    price = 2 - (discounts & (LEFT_RAW if is_raw else LEFT_MADE) != 0)
    if price <= budget and has_good(s, on_left, good):
        frontier = set_right(frontier, price, 0)
    price = 2 - (discounts & (RIGHT_RAW if is_raw else RIGHT_MADE) != 0)
    if price <= budget and has_good(s, on_right, good):
        frontier = set_right(frontier, 0, price)
    return frontier


@rule
def splits(
    own: int, left: int, right: int, items: int, raw: int, discounts: int, budget: int, one_neighbour: bool
) -> int:
    """The frontier over every split of the missing items among the city's own stock and both neighbours'."""
    left_raw, right_raw = 2 - (discounts & LEFT_RAW != 0), 2 - (discounts & RIGHT_RAW != 0)
    left_made, right_made = 2 - (discounts & LEFT_MADE != 0), 2 - (discounts & RIGHT_MADE != 0)
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
