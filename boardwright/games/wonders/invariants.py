"""What must hold in every position, recounted from scratch."""

from __future__ import annotations

from typing import Any

import numpy as np

from boardwright.games.wonders import cards
from boardwright.games.wonders.scoring import breakdown, total
from boardwright.games.wonders.state import (
    BUILT,
    TAKEN,
    TUCKED,
)
from boardwright.kernel import TERMINAL, Record, rule

FINE, CARDS, CITY, TOKENS, SCORE, MONEY, LEGAL = range(7)
FAULTS = (
    "",
    "the cards of an Age are not the deck's",
    "a city is not what its cards make it",
    "military tokens do not balance",
    "the parts of a score do not add up",
    "coins appear or vanish",
    "legal actions are missing, repeated or out of bounds",
)


@rule
def cards_are_the_decks(s: Record) -> bool:
    for age in range(s.age + 1):
        seen = np.zeros(cards.KINDS, np.int64)
        for packet in range(s.seats):
            for turn in range(cards.HAND):
                if s.fate[age, packet, turn]:
                    seen[s.left[age, packet, turn]] += 1
                if age == s.age and s.hand[packet, turn] >= 0:
                    seen[s.hand[packet, turn]] += 1
        guilds = 0
        for kind in range(cards.KINDS):
            if kind >= cards.FIRST_GUILD:
                guilds += seen[kind]
                if seen[kind] > 1:
                    return False
            elif seen[kind] != cards.COPIES[s.seats, age, kind]:
                return False
        if guilds != s.seats * cards.HAND - cards.DECK_SIZE[s.seats, age]:
            return False
    return True


@rule
def cities_recount(s: Record) -> bool:
    """Production, shields, colours, points and discounts follow from what stands; so does the number of cards."""
    structures = 0
    stages = 0
    for seat in range(s.seats):
        city = s.city[seat]
        goods, shields, points, discounts = cards.START[city.board], 0, 0, 0
        choices, extras = 0, 0
        colours = np.zeros(cards.NUM_COLOURS, np.int64)
        for kind in range(cards.KINDS):
            if city.built[kind]:
                structures += 1
                colours[cards.COLOUR[kind]] += 1
                goods += cards.FIXED[kind]
                shields += cards.SHIELDS[kind]
                points += cards.POINTS[kind]
                discounts |= cards.DISCOUNT[kind]
                if cards.CHOICE[kind]:
                    choices += cards.COLOUR[kind] <= cards.GREY
                    extras += cards.COLOUR[kind] > cards.GREY
        for stage in range(city.stages):
            shields += cards.STAGE_SHIELDS[city.board, city.side, stage]
            discounts |= cards.STAGE_DISCOUNT[city.board, city.side, stage]
        stages += city.stages
        if goods != city.goods or shields != city.shields or points != city.points or discounts != city.discounts:
            return False
        if choices != city.choices or extras > city.extras or city.coins < 0:
            return False
        for colour in range(cards.NUM_COLOURS):
            if colours[colour] != city.colours[colour]:
                return False
    built = 0
    tucked = 0
    for age in range(cards.AGES):
        for packet in range(s.seats):
            for turn in range(cards.HAND):
                fate = s.fate[age, packet, turn]
                built += fate == BUILT
                built += fate == TAKEN
                tucked += fate == TUCKED
    return built == structures and tucked == stages


@rule
def tokens_balance(s: Record) -> bool:
    """Each decided pair of an Age hands out one victory token and one defeat."""
    victory, defeats = 0, 0
    for seat in range(s.seats):
        victory += s.city[seat].victory
        defeats += s.city[seat].defeats
    fought = cards.AGES if s.mover == TERMINAL else s.age
    if defeats > fought * s.seats or victory < defeats:
        return False
    return victory <= 5 * defeats and (fought > 1 or victory == defeats)


@rule
def scores_add_up(s: Record, parts: Any) -> bool:
    for seat in range(s.seats):
        breakdown(s, seat, parts)
        if int(parts.sum()) != total(s, seat):
            return False
    return True
