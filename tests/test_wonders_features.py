"""7 Wonders: what features say of the packets that are still to come, which is what the seat knows of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.wonders.cards import AGE_TWO, COPIES, GUILDS, KINDS, NAMES
from boardwright.games.wonders.state import BUILD, BUILT, CHOOSE, DISCARD, EMPTY, use_of
from boardwright.kernel.features import SparseFeatures
from tests.wonders_table import Table

AHEAD = ("next turn", "in two turns")
COPY = 0.5
"""What a copy that was not seen counts."""


def told(state: bw.State, seat: int) -> dict[str, float]:
    """All features that are not zero, by name."""
    names = state.game.learning.feature_names
    sparse = SparseFeatures.with_capacity(len(names))
    state.game.entries.features(state.memory, seat, sparse)
    return {names[i]: x for i, x in enumerate(sparse.dense(len(names)).tolist()) if x}


def block(features: dict[str, float], title: str) -> dict[str, float]:
    """Those of one block, by label."""
    return {name.removeprefix(f"{title}: "): x for name, x in features.items() if name.startswith(f"{title}: ")}


def cards_of(state: bw.State, packet: int) -> Counter[str]:
    return Counter(NAMES[kind] for kind in state.record.hand[packet].tolist() if kind != EMPTY)


def packet_in(state: bw.State, seat: int, ahead: int) -> int:
    """The packet that a seat gets in so many turns."""
    step = state.record.turn + ahead
    return (seat + step if state.record.age == AGE_TWO else seat - step) % state.seats


def turn_starts(seats: int, seed: int, *, build_only: bool) -> list[bw.State]:
    """The positions of a game at random at the beginning of each turn; if nobody discards or tucks a card unless
    nothing can be built, few cards leave packets unseen."""
    random, found, before = np.random.default_rng(seed), [], None
    state = bw.game("wonders").new(seed=seed, seats=seats)
    while not state.is_terminal:
        now = state.record.age, state.record.turn
        if state.record.phase == CHOOSE and now != before:
            found.append(state.copy())
            before = now
        legal = state.legal_actions()
        built = [action for action in legal if use_of(action) == BUILD]
        state.apply(int(random.choice(built if built and build_only else legal)))
    return found


def unseen_departures(state: bw.State, packet: int) -> int:
    fates = state.record.fate[state.record.age, packet, : state.record.turn].tolist()
    return sum(fate != BUILT for fate in fates)


def test_a_packet_that_comes_back_is_known_but_for_what_left_it_unseen() -> None:
    """Where all that left it was built, its cards are known; else all that may be there have the same share."""
    certain = shared = 0
    for state in turn_starts(3, 7, build_only=True) + turn_starts(3, 7, build_only=False):
        turn = state.record.turn
        for seat in range(3):
            for ahead, title in enumerate(AHEAD, 1):
                known = block(told(state, seat), f"{title} in hand")
                if turn + ahead < 3 or turn + ahead > 5:
                    assert not known, "it was not held yet, or does not come"
                    continue
                packet = packet_in(state, seat, ahead)
                inside = cards_of(state, packet)
                assert sum(known.values()) == pytest.approx(inside.total())
                assert set(inside) <= set(known)
                if not unseen_departures(state, packet):
                    certain += 1
                    assert known == pytest.approx(dict(inside))
                elif set(known) != set(inside):
                    shared += 1
                    assert max(known.values()) < inside.total()
    assert min(certain, shared) >= 5, "both were met"


def test_of_cards_that_left_unseen_a_seat_is_told_no_more_than_their_share() -> None:
    """The seat discarded one of seven cards, the next seat another one: six may be among the five that are left."""
    table = Table(seats=3).hold(1, "Altar", "Baths", "Loom", "Pawnshop", "Stockade", "Tavern", "Theater")
    table.play((DISCARD, "Altar")).rest_discard()  # the own card, which the seat knows
    table.play((DISCARD, "Altar"), (DISCARD, "Baths")).rest_discard()
    known = block(told(table.state, 0), "next turn in hand")
    assert known == pytest.approx(dict.fromkeys(("Baths", "Loom", "Pawnshop", "Stockade", "Tavern", "Theater"), 5 / 6))


@pytest.mark.parametrize("seats", [3, 5, 7])
def test_copies_not_seen_are_those_of_the_deck_without_the_cards_seen(seats: int) -> None:
    for age, state in {state.record.age: state for state in turn_starts(seats, 3, build_only=False)[::-1]}.items():
        hand = cards_of(state, 0)
        unseen = block(told(state, 0), "copies not seen in this Age")
        deck = Counter({NAMES[kind]: int(COPIES[seats, age, kind]) for kind in range(KINDS)})
        ordinary = {name: x / COPY for name, x in unseen.items() if not name.endswith("Guild")}
        assert state.record.turn == 0
        assert ordinary == pytest.approx(dict(deck - hand)), "the first turn shows the own hand alone"
        guilds = sum(x / COPY for name, x in unseen.items() if name.endswith("Guild"))
        held = sum(n for name, n in hand.items() if name.endswith("Guild"))
        assert guilds == pytest.approx((seats + 2 if age == 2 else 0) - held)
    assert sum(name.endswith("Guild") for name in NAMES) == GUILDS


def test_nothing_is_unseen_when_all_packets_were_held() -> None:
    late = [state for state in turn_starts(3, 5, build_only=False) if state.record.turn >= 2]
    assert late
    assert not [state for state in late if block(told(state, 1), "copies not seen in this Age")]


def test_the_best_cards_to_come_are_those_worth_most_in_the_city() -> None:
    """A palace that cannot be paid for is not among them."""
    table = Table(seats=3, age=3, turn=4, coins=0).hold(3, "Palace", "Arsenal", "Pantheon")
    table.build(1, "Altar", "Temple")
    told_now = told(table.state, 0)
    best = block(told_now, "next turn in hand, worth of the best cards")
    assert block(told_now, "next turn in hand, worth")["Palace"] > 0
    assert "Palace" not in block(told_now, "next turn in hand and affordable now")
    assert list(block(told_now, "next turn in hand and affordable now")) == ["Pantheon"]
    assert list(best) == ["0"]
    assert best["0"] == block(told_now, "next turn in hand, worth")["Pantheon"]
