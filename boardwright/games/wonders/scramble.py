"""Rearranging what a seat cannot see: the tests' proof of information.py, thought through on its own.

It follows the packets round the table and notes, for each card, since when the seat cannot have seen it move.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from boardwright.games.wonders.cards import BOARD_NAMES, FIRST_GUILD, KINDS
from boardwright.games.wonders.state import CHOOSE, DISCARD, DISCARDED, LOOKED_AT, NOT_YET, TUCKED
from boardwright.kernel import Record

Place = tuple[str, int, int, int]


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    groups: dict[tuple[int, int, int], list[Place]] = defaultdict(list)
    never_seen: dict[int, list[Place]] = defaultdict(list)
    fates, hands = s.fate.tolist(), s.hand.tolist()
    looked = BOARD_NAMES[s.city[seat].board] == "Halikarnassos"
    for age in range(min(s.age, 2) + 1):
        for packet in range(s.seats):
            holder, seen = packet, 0
            turns = 6 if age < s.age else s.turn + 1
            for turn in range(7):
                mine = False
                if turn < turns:
                    mine = holder == seat
                    seen += mine
                    holder = (holder + (-1 if age == 1 else 1)) % s.seats
                fate = fates[age][packet][turn]
                if fate in (TUCKED, DISCARDED, LOOKED_AT) and not mine and not (fate == LOOKED_AT and looked):
                    (groups[age, packet, seen] if seen else never_seen[age]).append(("left", age, packet, turn))
            if age == s.age:
                inside: list[Place] = [("hand", age, packet, i) for i in range(7) if hands[packet][i] != -1]
                (groups[age, packet, seen] if seen else never_seen[age]).extend(inside)
    for places in [*groups.values(), *never_seen.values()]:
        _put(s, places, random.permutation([_get(s, place) for place in places]))
    if never_seen[2]:
        _exchange_a_guild(s, never_seen[2], random)
    _sort_hands(s)
    for other in range(s.seats):
        if other != seat and s.phase == CHOOSE and s.chosen[other] != NOT_YET:
            s.chosen[other] = DISCARD + int(random.integers(KINDS))
    s.rng[:] = random.integers(0, 2**63, 4)


def _get(s: Record, place: Place) -> int:
    where, age, packet, i = place
    return s.left[age, packet, i] if where == "left" else s.hand[packet, i]


def _put(s: Record, places: list[Place], cards: np.ndarray) -> None:
    for (where, age, packet, i), card in zip(places, cards.tolist(), strict=True):
        if where == "left":
            s.left[age, packet, i] = card
        else:
            s.hand[packet, i] = card


def _exchange_a_guild(s: Record, places: list[Place], random: np.random.Generator) -> None:
    """A guild nobody has shown may as well be one that is not in the game."""
    used = {*s.left[2].ravel().tolist(), *s.hand.ravel().tolist()}
    absent = [kind for kind in range(FIRST_GUILD, KINDS) if kind not in used]
    hidden = [place for place in places if _get(s, place) >= FIRST_GUILD]
    if absent and hidden:
        place = hidden[int(random.integers(len(hidden)))]
        _put(s, [place], np.array([absent[int(random.integers(len(absent)))]]))


def _sort_hands(s: Record) -> None:
    for packet in range(s.seats):
        cards = sorted(card for card in s.hand[packet].tolist() if card != -1)
        for i, card in enumerate(cards):
            s.hand[packet, i] = card
