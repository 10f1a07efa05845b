"""What a seat of 7 Wonders knows (docs/rules/wonders.md, section 11), and filling in the rest.

A seat has seen a packet each time it held it. Cards that left a packet visibly are known to all; a card that was
tucked under a board or discarded is known to the seat that played it, and discards to Halikarnassos once it has
looked through the pile. All other places a card can be in fall into groups, one for each packet and each time the
seat has held it: the hidden places that cards of the packet went to from then until the seat held it again, and,
after the last time, those still in the packet. The seat knows which cards a group has, but not which is where.
Cards that left a packet before the seat first held it, and packets it has not held, form one last group in each
Age: all it knows of them is the deck.

So an observation keeps the cards of a group, in the order of kinds, in the group's places; only the places of the last
group are UNKNOWN. When Halikarnassos takes a card, all see which discard it was: the pile keeps its order.

Choices of the turn that a seat may not know are HIDDEN. A determinization does not invent them: it asks those seats
again, after the others (DEFERRED). The seat cannot tell, and search finds good choices for them.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from boardwright.games.wonders import cards as tables
from boardwright.games.wonders import state
from boardwright.games.wonders.setup import sort_hand
from boardwright.kernel import Actions, Record, rng, rule
from boardwright.kernel.bits import mix

_MOST_PLACES = 2 * tables.HAND


@rule
def first_held(s: Record, seat: int, age: int, packet: int) -> int:
    """The turn at which a seat first holds a packet."""
    return (packet - seat + s.seats) % s.seats if age == tables.AGE_TWO else (seat - packet + s.seats) % s.seats


@rule
def times_held(s: Record, first: int, turn: int) -> int:
    """How often it has held the packet up to a turn."""
    last = min(turn, tables.TURNS - 1)
    return 0 if last < first else (last - first) // s.seats + 1


@rule
def is_hidden(s: Record, seat: int, age: int, packet: int, turn: int, first: int) -> bool:
    """Whether the card that left a packet at a turn is one of those that the seat cannot place."""
    fate = s.fate[age, packet, turn]
    if fate == state.LOOKED_AT:
        if s.city[seat].board == tables.HALIKARNASSOS:
            return False
    elif fate != state.TUCKED and fate != state.DISCARDED:
        return False
    return not (turn < tables.TURNS and turn >= first and (turn - first) % s.seats == 0)


@rule
def groups(s: Record, seat: int, age: int, packet: int) -> int:
    """How many groups a packet has: one more than the times it was held so far."""
    return 1 + times_held(s, first_held(s, seat, age, packet), tables.TURNS - 1 if age < s.age else s.turn)


@rule
def group_places(s: Record, seat: int, age: int, packet: int, group: int, places: Actions) -> int:
    """The places of a group: turns for cards that left, HAND and more for places in the packet."""
    first = first_held(s, seat, age, packet)
    begin = first + (group - 1) * s.seats if group else 0
    end = tables.HAND if group + 1 == groups(s, seat, age, packet) else first + group * s.seats
    fate, hand = s.fate, s.hand
    n = 0
    for turn in range(begin, end):
        if fate[age, packet, turn] >= state.TUCKED and is_hidden(s, seat, age, packet, turn, first):
            places[n] = turn
            n += 1
    if age == s.age and times_held(s, first, s.turn) == group:
        for place in range(tables.HAND):
            if hand[packet, place] == state.EMPTY:
                break
            places[n] = tables.HAND + place
            n += 1
    return n


@rule
def card_at(s: Record, age: int, packet: int, place: int) -> int:
    return s.left[age, packet, place] if place < tables.HAND else s.hand[packet, place - tables.HAND]


@rule
def put_at(s: Record, age: int, packet: int, place: int, card: int) -> None:
    if place < tables.HAND:
        s.left[age, packet, place] = card
    else:
        s.hand[packet, place - tables.HAND] = card


@rule
def observe(s: Record, seat: int) -> None:
    s.rng[:] = 0
    for other in range(s.seats):
        if other != seat and s.chosen[other] != state.NOT_YET:
            s.chosen[other] = state.HIDDEN
            s.pay[other, 0] = s.pay[other, 1] = 0
    places = np.empty(_MOST_PLACES, np.int64)
    for age in range(min(s.age + 1, tables.AGES)):
        for packet in range(s.seats):
            for group in range(groups(s, seat, age, packet)):
                n = group_places(s, seat, age, packet, group, places)
                if group == 0:
                    for i in range(n):
                        put_at(s, age, packet, places[i], state.UNKNOWN)
                elif n > 1:
                    sort_group(s, age, packet, places, n)


@rule
def learned(before: Record, s: Record, seat: int) -> int:
    """When a turn is over: what the others did, and the packet that the seat gets. Halikarnassos sees the discards."""
    digest = 0
    if s.turn != before.turn or s.age != before.age or s.phase != before.phase:
        for other in range(s.seats):
            if other != seat:
                fate = s.fate[before.age, state.packet_of(before, other), before.turn]
                digest = mix(mix(digest, fate), s.city[other].coins)
                if fate == state.BUILT:
                    digest = mix(digest, s.left[before.age, state.packet_of(before, other), before.turn])
    if s.phase == state.CHOOSE and (s.turn != before.turn or s.age != before.age):
        for place in range(tables.HAND):
            digest = mix(digest, s.hand[state.packet_of(s, seat), place])
    if s.phase == state.DIG and s.mover == seat and before.phase != state.DIG:
        for age in range(tables.AGES):
            for packet in range(s.seats):
                for turn in range(tables.HAND):
                    if s.fate[age, packet, turn] == state.LOOKED_AT:
                        digest = mix(digest, s.left[age, packet, turn])
    return digest


@rule
def sort_group(s: Record, age: int, packet: int, places: Actions, n: int) -> None:
    for i in range(1, n):
        card = card_at(s, age, packet, places[i])
        j = i
        while j > 0 and card_at(s, age, packet, places[j - 1]) > card:
            put_at(s, age, packet, places[j], card_at(s, age, packet, places[j - 1]))
            j -= 1
        put_at(s, age, packet, places[j], card)


@rule
def determinize(s: Record, seat: int, seed: int) -> None:
    rng.seed(s.rng, seed)
    for other in range(s.seats):
        if s.chosen[other] == state.HIDDEN:
            s.chosen[other] = state.DEFERRED
    places = np.empty(_MOST_PLACES, np.int64)
    unseen = np.empty(tables.HAND * tables.MOST_SEATS + tables.GUILDS, np.int64)
    for age in range(min(s.age + 1, tables.AGES)):
        cards = unseen_cards(s, age, unseen)
        for packet in range(s.seats):
            for group in range(groups(s, seat, age, packet)):
                n = group_places(s, seat, age, packet, group, places)
                if group == 0:
                    for i in range(n):
                        cards -= 1
                        put_at(s, age, packet, places[i], unseen[cards])
                elif n > 1:
                    for i in range(n - 1, 0, -1):
                        j = rng.below(s.rng, i + 1)
                        card = card_at(s, age, packet, places[i])
                        put_at(s, age, packet, places[i], card_at(s, age, packet, places[j]))
                        put_at(s, age, packet, places[j], card)
    if s.phase != state.FINISHED:
        for packet in range(s.seats):
            sort_hand(s, packet)


@rule
def unseen_cards(s: Record, age: int, unseen: Actions) -> int:
    """The cards of an Age's deck that the observation does not show, shuffled; of the guilds not shown, as many as are
    in the deck."""
    shown = np.zeros(tables.KINDS, np.int64)
    fate, left, hand = s.fate, s.left, s.hand
    current = age == s.age
    for packet in range(s.seats):
        for turn in range(tables.HAND):
            if fate[age, packet, turn] and left[age, packet, turn] >= 0:
                shown[left[age, packet, turn]] += 1
            if current and hand[packet, turn] >= 0:
                shown[hand[packet, turn]] += 1
    n = 0
    copies = tables.COPIES[s.seats, age]
    for kind in range(tables.FIRST_GUILD):
        for _ in range(copies[kind] - shown[kind]):
            unseen[n] = kind
            n += 1
    guilds_left = s.seats * tables.HAND - tables.DECK_SIZE[s.seats, age]
    if guilds_left:
        candidates = np.empty(tables.GUILDS, np.int64)
        m = 0
        for kind in range(tables.FIRST_GUILD, tables.KINDS):
            if shown[kind]:
                guilds_left -= 1
            else:
                candidates[m] = kind
                m += 1
        rng.shuffle(s.rng, candidates, m)
        for i in range(guilds_left):
            unseen[n] = candidates[i]
            n += 1
    rng.shuffle(s.rng, unseen, n)
    return n


Place = tuple[str, int, int, int]
"""For `scramble`: in `left` or in `hand`, the Age, the packet, and where there."""


def scramble(s: Record, seat: int, random: np.random.Generator) -> None:
    """Rearrange what the seat cannot see, without help from the rules above.

    This follows the packets round the table and notes, for each card, since when the seat cannot have seen it move.
    """
    held: dict[tuple[int, int, int], list[Place]] = defaultdict(list)
    never_seen: dict[int, list[Place]] = defaultdict(list)
    fates, hands = s.fate.tolist(), s.hand.tolist()
    looked = s.city[seat].board == tables.HALIKARNASSOS
    for age in range(min(s.age + 1, tables.AGES)):
        for packet in range(s.seats):
            holder, seen = packet, 0
            turns = tables.TURNS if age < s.age else s.turn + 1
            for turn in range(tables.HAND):
                mine = False
                if turn < turns:
                    mine = holder == seat
                    seen += mine
                    holder = (holder + (-1 if age == tables.AGE_TWO else 1)) % s.seats
                fate = fates[age][packet][turn]
                if (
                    fate in (state.TUCKED, state.DISCARDED, state.LOOKED_AT)
                    and not mine
                    and not (fate == state.LOOKED_AT and looked)
                ):
                    (held[age, packet, seen] if seen else never_seen[age]).append(("left", age, packet, turn))
            if age == s.age:
                inside: list[Place] = [
                    ("hand", age, packet, i) for i in range(tables.HAND) if hands[packet][i] != state.EMPTY
                ]
                (held[age, packet, seen] if seen else never_seen[age]).extend(inside)
    for places in [*held.values(), *never_seen.values()]:
        _put(s, places, random.permutation([_get(s, place) for place in places]))
    if never_seen[tables.AGE_THREE]:
        _exchange_a_guild(s, never_seen[tables.AGE_THREE], random)
    _sort_hands(s)
    for other in range(s.seats):
        if other != seat and s.phase == state.CHOOSE and s.chosen[other] != state.NOT_YET:
            s.chosen[other] = state.DISCARD + int(random.integers(tables.KINDS))
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
    """A guild that nobody has shown may as well be one that is not in the game."""
    used = {*s.left[tables.AGE_THREE].ravel().tolist(), *s.hand.ravel().tolist()}
    absent = [kind for kind in range(tables.FIRST_GUILD, tables.KINDS) if kind not in used]
    hidden = [place for place in places if _get(s, place) >= tables.FIRST_GUILD]
    if absent and hidden:
        place = hidden[int(random.integers(len(hidden)))]
        _put(s, [place], np.array([absent[int(random.integers(len(absent)))]]))


def _sort_hands(s: Record) -> None:
    for packet in range(s.seats):
        cards = sorted(card for card in s.hand[packet].tolist() if card != state.EMPTY)
        for i, card in enumerate(cards):
            s.hand[packet, i] = card


def simultaneous(s: Record) -> list[int]:
    """The seats that have yet to choose their card of the turn."""
    return [seat for seat in range(s.seats) if s.chosen[seat] == state.NOT_YET] if s.phase == state.CHOOSE else []
