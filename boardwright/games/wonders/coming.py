"""The cards that are still to come in an Age, as sparse features, as far as a seat knows them (information.py).

A packet that the seat has held comes back to it after as many turns as there are seats. The seat knows which cards it
passed on, which of them were built since, and how many left the packet unseen: each of the others is still there with
the same chance. Of packets that it has not held it knows that their cards are of the Age's deck and were not seen
elsewhere. With three seats nearly all packets come back, with more than five none does.
"""

from __future__ import annotations

import numpy as np

from boardwright.games.wonders import cards, state
from boardwright.games.wonders.choosing import is_chained, ways_to_build
from boardwright.games.wonders.costs import NO_WAY, least
from boardwright.games.wonders.information import first_held, is_hidden
from boardwright.games.wonders.policies import W_COIN, W_RIVAL, WEIGHTS, structure_worth
from boardwright.kernel import Record, rule
from boardwright.kernel.features import FeatureLayout, SparseFeatures, add_feature, mixed

_WEIGHED = 2
"""Packets of so many turns ahead come with what their cards would be worth; later ones change too much until then."""
_BEST = 3

_random = np.random.default_rng(2)
_OF_KIND = _random.integers(-(2**62), 2**62, cards.KINDS) * 2 + 1
"""What stands for a kind in a digest."""

# Set by hand, so that features stay around -1 to 1.
_HIGH_WORTH, _MANY_COPIES = 8.0, 2.0

_AFFORDABLE = cards.KINDS
_WORTH = _AFFORDABLE + cards.KINDS
_SINGLES = _WORTH + cards.KINDS
_FOR_HOLDER = _SINGLES + _BEST
_PACKET_FEATURES = _FOR_HOLDER + 1
_LATER = _WEIGHED * _PACKET_FEATURES
_UNSEEN = _LATER + cards.KINDS


def coming_block(layout: FeatureLayout) -> int:
    """What is said about packets to come; the offsets above follow this order."""
    first = len(layout.names)
    for when in ("next turn", "in two turns"):
        layout.block(f"{when} in hand", cards.NAMES)
        layout.block(f"{when} in hand and affordable now", cards.NAMES)
        layout.block(f"{when} in hand, worth", cards.NAMES)
        layout.block(f"{when} in hand, worth of the best cards", range(_BEST))
        layout.block(f"{when} in hand, worth of the best card for the seat that holds it")
    layout.block("later in hand", cards.NAMES)
    assert len(layout.names) == first + _UNSEEN
    layout.block("copies not seen in this Age", cards.NAMES)
    return first


@rule
def add_coming(s: Record, seat: int, sparse: SparseFeatures, at: int) -> None:
    """Of all packets that the seat gets before the Age ends."""
    fresh = False
    for ahead in range(1, cards.TURNS - s.turn):
        if ahead >= s.seats:
            break
        if s.turn + ahead < s.seats:
            fresh = True
        else:
            add_packet(s, seat, ahead, sparse, at)
    if fresh:
        add_unseen(s, seat, sparse, at + _UNSEEN)


@rule
def coming_digest(s: Record, seat: int, digest: int) -> int:
    """Of what the features below depend on, besides what is in the digest already."""
    fresh = False
    for ahead in range(1, cards.TURNS - s.turn):
        if ahead >= s.seats:
            break
        if s.turn + ahead < s.seats:
            fresh = True
            continue
        packet = packet_coming(s, seat, ahead)
        first, known, inside, gone = first_held(s, seat, s.age, packet), 0, 0, 0
        while inside < cards.HAND and s.hand[packet, inside] != state.EMPTY:
            known += _OF_KIND[s.hand[packet, inside]]
            inside += 1
        for before in range(s.turn + ahead - s.seats + 1, s.turn + 1):
            if is_gone_unseen(s, seat, packet, before, first):
                known += _OF_KIND[s.left[s.age, packet, before]]
                gone += 1
        digest = mixed(digest, known + (inside << 8 | gone))
    if fresh:
        shown = 0
        for packet in range(s.seats):
            first = first_held(s, seat, s.age, packet)
            for turn in range(s.turn + 1):
                if is_shown(s, seat, packet, turn, first):
                    shown += _OF_KIND[s.left[s.age, packet, turn]]
            if first <= s.turn:
                for place in range(cards.HAND):
                    if s.hand[packet, place] == state.EMPTY:
                        break
                    shown += _OF_KIND[s.hand[packet, place]]
        digest = mixed(digest, shown)
    return digest


@rule
def packet_coming(s: Record, seat: int, ahead: int) -> int:
    """The packet that the seat gets in so many turns."""
    later = s.turn + ahead
    return (seat + later) % s.seats if s.age == cards.AGE_TWO else (seat - later + 2 * s.seats) % s.seats


@rule
def is_shown(s: Record, seat: int, packet: int, turn: int, first: int) -> bool:
    """Whether a card that left the packet at a turn is one that the seat has seen, there or before."""
    return s.fate[s.age, packet, turn] != state.HELD and not (
        turn < first and is_hidden(s, seat, s.age, packet, turn, first)
    )


@rule
def add_packet(s: Record, seat: int, ahead: int, sparse: SparseFeatures, at: int) -> None:
    """Of a packet that comes back in so many turns."""
    n, age, turn = s.seats, s.age, s.turn
    packet = packet_coming(s, seat, ahead)
    holder = (seat + ahead) % n if age == cards.AGE_TWO else (seat - ahead + n) % n
    first, passed_on = first_held(s, seat, age, packet), turn + ahead - n
    gone, inside = 0, 0
    for before in range(passed_on + 1, turn + 1):
        gone += is_gone_unseen(s, seat, packet, before, first)
    while inside < cards.HAND and s.hand[packet, inside] != state.EMPTY:
        inside += 1
    share = inside / max(1, inside + gone)
    best = (0.0, 0.0, 0.0, 0.0)
    for place in range(inside):
        best = add_card(s, seat, holder, ahead, s.hand[packet, place], share, best, sparse, at)
    for before in range(passed_on + 1, turn + 1):
        if is_gone_unseen(s, seat, packet, before, first):
            best = add_card(s, seat, holder, ahead, s.left[age, packet, before], share, best, sparse, at)
    if ahead <= _WEIGHED:
        singles = at + (ahead - 1) * _PACKET_FEATURES + _SINGLES
        add_feature(sparse, singles, best[0] / _HIGH_WORTH)
        add_feature(sparse, singles + 1, best[1] / _HIGH_WORTH)
        add_feature(sparse, singles + 2, best[2] / _HIGH_WORTH)
        add_feature(sparse, singles + _BEST, best[3] / _HIGH_WORTH)


@rule
def is_gone_unseen(s: Record, seat: int, packet: int, turn: int, first: int) -> bool:
    """Whether a card that left the packet at a turn may, for all the seat knows, be another one."""
    return s.fate[s.age, packet, turn] != state.HELD and is_hidden(s, seat, s.age, packet, turn, first)


@rule
def add_card(
    s: Record,
    seat: int,
    holder: int,
    ahead: int,
    kind: int,
    share: float,
    best: tuple[float, float, float, float],
    sparse: SparseFeatures,
    at: int,
) -> tuple[float, float, float, float]:
    """A card that is in the packet with that chance. The best three worths so far, and the best for the holder."""
    if ahead > _WEIGHED:
        add_feature(sparse, at + _LATER + kind, share)
        return best
    at += (ahead - 1) * _PACKET_FEATURES
    add_feature(sparse, at + kind, share)
    one, two, three, for_holder = best
    if not s.city[seat].built[kind]:
        worth = share * structure_worth(s, seat, kind, WEIGHTS)
        add_feature(sparse, at + _WORTH + kind, worth / _HIGH_WORTH)
        frontier = ways_to_build(s, seat, kind)
        if frontier != NO_WAY:
            add_feature(sparse, at + _AFFORDABLE + kind, share)
            worth -= share * cost(s, seat, kind, frontier)
            if worth > one:
                one, two, three = worth, one, two
            elif worth > two:
                two, three = worth, two
            elif worth > three:
                three = worth
    if not s.city[holder].built[kind]:
        frontier = ways_to_build(s, holder, kind)
        if frontier != NO_WAY:
            worth = share * (structure_worth(s, holder, kind, WEIGHTS) - cost(s, holder, kind, frontier))
            for_holder = max(for_holder, worth)
    return one, two, three, for_holder


@rule
def cost(s: Record, seat: int, kind: int, frontier: int) -> float:
    """What a structure costs, in points."""
    points = least(frontier) * (WEIGHTS[W_COIN] + WEIGHTS[W_RIVAL])
    if cards.COST_COINS[kind] and not is_chained(s, seat, kind):
        points += cards.COST_COINS[kind] * WEIGHTS[W_COIN]
    return points


@rule
def add_unseen(s: Record, seat: int, sparse: SparseFeatures, at: int) -> None:
    """The copies of each kind in the Age's deck that the seat has not seen; of guilds, those to be expected."""
    age = s.age
    unseen = cards.COPIES[s.seats, age].copy()
    for packet in range(s.seats):
        first = first_held(s, seat, age, packet)
        for turn in range(s.turn + 1):
            if is_shown(s, seat, packet, turn, first):
                unseen[s.left[age, packet, turn]] -= 1
        if first <= s.turn:
            for place in range(cards.HAND):
                if s.hand[packet, place] == state.EMPTY:
                    break
                unseen[s.hand[packet, place]] -= 1
    for kind in range(cards.FIRST_GUILD):
        if unseen[kind]:
            add_feature(sparse, at + kind, unseen[kind] / _MANY_COPIES)
    guilds = s.seats * cards.HAND - cards.DECK_SIZE[s.seats, age]
    if guilds:
        shown = 0
        for kind in range(cards.FIRST_GUILD, cards.KINDS):
            shown -= unseen[kind]
        chance = (guilds - shown) / max(1, cards.GUILDS - shown)
        for kind in range(cards.FIRST_GUILD, cards.KINDS):
            if unseen[kind] == 0:
                add_feature(sparse, at + kind, chance / _MANY_COPIES)
