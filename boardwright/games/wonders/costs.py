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
from boardwright.games.wonders.state import MOST_TO_LEFT, left_of, right_of
from boardwright.kernel import Record, rule

NO_WAY = 0
NO_PURCHASE = 15
"""The frontier of (0, 0)."""

_HIGH = 0x80808080808080
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
        lacking = missing >> (8 * good) & 7
        if lacking:
            wanted |= 1 << good
            items = items_of(start, 1 << good)
            for _ in range(min(goods >> (8 * good) & 127, lacking)):
                family = with_unit(family, items)
    if s.choices_sold:
        for i in range(city.choices):
            if city.choice[i] & wanted:
                family = with_unit(family, items_of(start, city.choice[i] & wanted))
    return family


@rule
def has_good(s: Record, seller: int, good: int) -> bool:
    """Whether a neighbour sells that good."""
    city = s.city[seller]
    return (city.sells >> good & 1 if s.choices_sold else city.goods >> (8 * good) & 127) != 0


@rule
def ways(s: Record, seat: int, need: int, budget: int) -> int:
    """The frontier of payments for the goods `need`, with at most `budget` coins for both neighbours."""
    city = s.city[seat]
    balance = (city.goods | _HIGH) - need
    if balance & _HIGH == _HIGH:
        return NO_PURCHASE
    missing = 0
    start = 0  # eight bits a good: its first item, and from bit 4 the item after its last
    items = 0
    raw_items = 0
    wanted = 0
    last_good = 0
    for good in range(7):
        lacking = 128 - (balance >> (8 * good) & 255)
        if lacking > 0:
            missing |= lacking << (8 * good)
            start |= (items | (items + lacking) << 4) << (8 * good)
            items += lacking
            wanted |= 1 << good
            last_good = good
            if good < RAW:
                raw_items = items
    cheapest = 1 if city.discounts else 2
    if (items - city.choices - city.extras) * cheapest > budget:
        return NO_WAY
    left_seller, right_seller = left_of(s, seat), right_of(s, seat)
    if wanted & ~(city.makes | s.city[left_seller].sells | s.city[right_seller].sells):
        return NO_WAY
    full = (1 << items) - 1

    own = 1
    for i in range(city.choices):
        if city.choice[i] & wanted:
            own = with_unit(own, items_of(start, city.choice[i] & wanted))
    for i in range(city.extras):
        if city.extra[i] & wanted:
            own = with_unit(own, items_of(start, city.extra[i] & wanted))
    if own >> full & 1:
        return NO_PURCHASE

    discounts = city.discounts
    left_raw, right_raw = 2 - (discounts & LEFT_RAW != 0), 2 - (discounts & RIGHT_RAW != 0)
    left_made, right_made = 2 - (discounts & LEFT_MADE != 0), 2 - (discounts & RIGHT_MADE != 0)
    if s.swapped:
        left_seller, right_seller = right_seller, left_seller

    frontier = NO_WAY
    if items == 1:  # the most common case by far
        price = left_raw if last_good < RAW else left_made
        if price <= budget and has_good(s, left_seller, last_good):
            frontier = set_right(frontier, price, 0)
        price = right_raw if last_good < RAW else right_made
        if price <= budget and has_good(s, right_seller, last_good):
            frontier = set_right(frontier, 0, price)
        return frontier

    left = stock_of(s, left_seller, missing, start)
    right = stock_of(s, right_seller, missing, start)
    raw = (1 << raw_items) - 1
    from_left = full
    while True:  # every subset of the missing goods
        if left >> from_left & 1:
            raw_bought = _SIZE[from_left & raw]
            paid_left = raw_bought * left_raw + (_SIZE[from_left] - raw_bought) * left_made
            if paid_left <= budget and paid_left < MOST_TO_LEFT:
                rest = full & ~from_left
                from_right = rest
                while True:
                    if right >> from_right & 1 and own >> (rest & ~from_right) & 1:
                        raw_bought = _SIZE[from_right & raw]
                        paid_right = raw_bought * right_raw + (_SIZE[from_right] - raw_bought) * right_made
                        if (
                            paid_left + paid_right <= budget
                            and paid_right < right_for(frontier, paid_left)
                            and not (s.one_neighbour and from_left and from_right)
                        ):
                            frontier = set_right(frontier, paid_left, paid_right)
                    if from_right == 0:
                        break
                    from_right = (from_right - 1) & rest
        if from_left == 0:
            break
        from_left = (from_left - 1) & full
    return frontier
