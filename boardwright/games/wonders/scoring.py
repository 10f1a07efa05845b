"""Counting points (docs/rules/wonders.md, section 10)."""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders import cards
from boardwright.games.wonders.building import counted
from boardwright.games.wonders.slips import EPHESOS_COPIES, NO_TIE_BREAK
from boardwright.games.wonders.state import left_of, right_of
from boardwright.kernel import Record, Returns, rule

PARTS = ("military", "treasury", "wonder", "civilian", "science", "commerce", "guilds")
MILITARY, TREASURY, WONDER, CIVILIAN, SCIENCE, COMMERCE, GUILD = range(len(PARTS))

POINTS_FOR_A_SET = 7  # of the three symbols
COINS_FOR_A_POINT = 3
FOR_FIRST, FOR_BEATEN = 0.5, 0.5
"""What coming first and beating all others are worth in the returns."""
TIE_BREAK = 1000
"""More coins than anybody has, so that points come before coins."""

_COUNTING = np.array([kind for kind in range(cards.FIRST_GUILD) if cards.POINTS_EACH[kind] > 0], np.int64)
"""The yellow cards that score."""
assert [cards.kind_of(name) for name in ("Haven", "Lighthouse", "Chamber of Commerce", "Arena")] == _COUNTING.tolist()


@rule
def symbols_score(a: int, b: int, c: int) -> int:
    return a * a + b * b + c * c + POINTS_FOR_A_SET * min(a, min(b, c))


@rule
def science(a: int, b: int, c: int, free: int) -> int:
    """Points for symbols, each free one set to what is best."""
    best = 0
    for more_a in range(free + 1):
        for more_b in range(free + 1 - more_a):
            score = symbols_score(a + more_a, b + more_b, c + free - more_a - more_b)
            best = max(best, score)
    return best


@rule
def science_of(s: Record, seat: int, more_free: int) -> int:
    symbols = s.city[seat].symbols
    return science(symbols[0], symbols[1], symbols[2], symbols[cards.ANY] + more_free)


@rule
def coins_points(coins: int) -> int:
    """A point for every three coins, and one less for every three that are owed (slips.py: chains cost)."""
    return coins // COINS_FOR_A_POINT if coins >= 0 else -(-coins // COINS_FOR_A_POINT)


@rule
def wonder_points(s: Record, seat: int) -> int:
    city = s.city[seat]
    total = 0
    for stage in range(city.stages):
        total += cards.STAGE_POINTS[city.board, city.side, stage]
    return total


@rule
def yellow_points(s: Record, seat: int) -> int:
    city = s.city[seat]
    total = 0
    if city.colours[cards.YELLOW]:
        for i in range(_COUNTING.size):
            kind = _COUNTING[i]
            if city.built[kind]:
                total += cards.POINTS_EACH[kind] * counted(s, seat, kind)
    return total


@rule
def guild_points(s: Record, seat: int) -> int:
    """The own guilds. The Scientists bring nothing here: their symbol counts under science."""
    city = s.city[seat]
    total = 0
    if city.colours[cards.PURPLE]:
        for kind in range(cards.FIRST_GUILD, cards.KINDS):
            if city.built[kind]:
                total += cards.POINTS_EACH[kind] * counted(s, seat, kind)
    return total


@rule
def copies_guild(s: Record, seat: int) -> bool:
    city = s.city[seat]
    if s.slips & EPHESOS_COPIES:
        return city.board == cards.EPHESOS and city.stages == cards.STAGES[city.board, city.side]
    return city.stages > 0 and cards.STAGE_POWER[city.board, city.side, city.stages - 1] == cards.COPY_GUILD


@rule
def copied_guild(s: Record, seat: int) -> int:
    """What Olympia B's third stage is worth: the best guild of a neighbour, counted from this seat."""
    if not copies_guild(s, seat):
        return 0
    left, right = s.city[left_of(s, seat)], s.city[right_of(s, seat)]
    if s.slips & EPHESOS_COPIES:
        right = left
    best = 0
    for kind in range(cards.FIRST_GUILD, cards.KINDS):
        if left.built[kind] or right.built[kind]:
            if kind == cards.SCIENTISTS:
                worth = science_of(s, seat, 1) - science_of(s, seat, 0)
            else:
                worth = cards.POINTS_EACH[kind] * counted(s, seat, kind)
            best = max(best, worth)
    return best


@rule
def breakdown(s: Record, seat: int, out: Returns) -> None:
    """The seven parts of a seat's score, in the order of PARTS; Olympia B's copy stands under guilds."""
    city = s.city[seat]
    out[MILITARY] = city.victory - city.defeats
    out[TREASURY] = coins_points(city.coins)
    out[WONDER] = wonder_points(s, seat)
    out[CIVILIAN] = city.points
    out[SCIENCE] = science_of(s, seat, 0)
    out[COMMERCE] = yellow_points(s, seat)
    out[GUILD] = guild_points(s, seat) + copied_guild(s, seat)


@rule
def total(s: Record, seat: int) -> int:
    city = s.city[seat]
    return (
        city.victory
        - city.defeats
        + coins_points(city.coins)
        + wonder_points(s, seat)
        + city.points
        + science_of(s, seat, 0)
        + yellow_points(s, seat)
        + guild_points(s, seat)
        + copied_guild(s, seat)
    )


@rule
def scores(s: Record, out: Returns) -> None:
    for seat in range(s.seats):
        out[seat] = total(s, seat)


@rule
def returns(s: Record, out: Returns) -> None:
    """One for the best score, down to zero for the worst. Of equal scores the one with more coins is better.

    Half is for coming first, half for the share of opponents beaten. Equal seats share both.
    """
    n = s.seats
    standing = np.empty(cards.MOST_SEATS, np.int64)
    for seat in range(n):
        standing[seat] = total(s, seat) * TIE_BREAK
        if not s.slips & NO_TIE_BREAK:
            standing[seat] += s.city[seat].coins
    for seat in range(n):
        above, equal = 0, 0
        for other in range(n):
            if standing[other] > standing[seat]:
                above += 1
            elif standing[other] == standing[seat]:
                equal += 1
        first = 1.0 / equal if above == 0 else 0.0
        beaten = (n - above - (equal + 1) / 2.0) / (n - 1)
        out[seat] = FOR_FIRST * first + FOR_BEATEN * beaten
