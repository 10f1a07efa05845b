"""Each seat of Colonizers knows what it should, and sampling respects all it knows."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

import boardwright as bw
from boardwright.conformance import walk
from boardwright.games.colonizers.cards import CARDS, COLONISTS, COPIES
from boardwright.games.colonizers.information import scramble
from boardwright.games.colonizers.state import (
    ALL_COLONISTS,
    COLONIST_PICK,
    DISCARD,
    DRAW,
    HAND_CAPACITY,
    NONE,
    POWER,
    SEATS,
    UNKNOWN,
    UNSEEN_CARD,
)
from tests.colonizers_positions import (
    COLONIST,
    GAME,
    HELD,
    candidates,
    colonist_names,
    deck,
    do,
    hand,
    piece_counts,
    position,
    sampled,
)

IMPROBABLE = 0.001
"""A true claim about chance fails this often; the seeds are fixed, so it fails always or never."""


# What a view shows


def test_other_hands_show_only_their_size():
    observation = position(DRAW, hands={0: ["Quarry"], 2: ["Eco-Dome", "Garrison"]}).observation(0)
    assert not observation.record.hand[2].any()
    assert list(observation.record.hand_size) == [1, 0, 2, 0]
    assert observation.record.hand[0].any()


def test_the_deck_shows_only_its_size():
    s = position(DRAW).observation(0).record
    assert set(s.deck) == {UNKNOWN}
    assert s.deck_size == CARDS


def test_omnium_and_colonies_are_open():
    state = position(DRAW, omnium=(1, 2, 3, 4), colonies={3: ["Quarry"]})
    assert state.observation(0).record.omnium == pytest.approx([1, 2, 3, 4])
    assert (state.observation(0).record.colony == state.record.colony).all()


def test_drawn_cards_are_seen_by_their_owner_alone():
    state = position(DISCARD, turn=1, drawn=["Quarry", "Eco-Dome"])
    assert list(state.observation(1).record.drawn) == list(state.record.drawn)
    for other in (0, 2, 3):
        assert list(state.observation(other).record.drawn) == [UNKNOWN, UNKNOWN]


def test_a_card_removed_from_the_game_lies_open():
    state = position(DRAW, deck_size=30)
    assert (state.observation(2).record.removed == state.record.removed).all()


@pytest.mark.parametrize("held", [4, 5])
def test_a_kept_card_is_unseen_unless_a_full_hand_makes_it_leave_the_game(held):
    state = position(DISCARD, hands={0: [*["Garrison"] * 4, "Barracks"][:held]}, drawn=["Quarry", "Eco-Dome"])
    for action in state.legal_actions():
        seen = state.game.entries.action_observation(state.memory, action, 1)
        assert seen == (UNSEEN_CARD if held < HAND_CAPACITY else action)


def test_the_offer_is_seen_by_the_picker_alone():
    state = position(COLONIST_PICK, turn=2)
    for seat in range(SEATS):
        expected = {"Miner", "Opportunist", "Visionary"} if seat == 2 else set()
        assert colonist_names(state.observation(seat).record.offered[2]) == expected


def test_a_seat_remembers_what_was_on_offer_to_it_and_to_nobody_else():
    state = position(DRAW)
    for seat in range(SEATS):
        assert [bool(mask) for mask in state.observation(seat).record.offered] == [q == seat for q in range(SEATS)]


def test_a_pick_is_secret_until_the_draw_choice_is_made():
    state = position(COLONIST_PICK, turn=3)
    do(state, "pick the Opportunist")
    for seat in range(SEATS):
        assert all(observation.record.colonist[seat] == UNKNOWN for observation in _others(state, seat)), (
            "secret before its turn"
        )
        do(state, "take")
        assert all(observation.record.colonist[seat] == COLONIST[HELD[seat]] for observation in _others(state, seat)), (
            "open after"
        )
        do(state, "do nothing", "build nothing")


def _others(state, seat):
    return [state.observation(other) for other in range(SEATS) if other != seat]


def test_drawing_cards_reveals_the_colonist_as_taking_omnium_does():
    state = do(position(DRAW, turn=1), "draw")
    assert state.observation(3).record.colonist[1] == COLONIST["General"]


def test_looking_at_a_view_again_changes_nothing():
    state = position(DISCARD, turn=1, drawn=["Quarry", "Eco-Dome"], hands={0: ["Garrison"]})
    observation = state.observation(2)
    assert GAME.load(bytes(observation)).observation(2) == observation


# Candidates


def test_about_earlier_seats_there_are_two_three_and_four_candidates():
    state = position(DRAW)
    for observer, number in ((1, 2), (2, 3), (3, 4)):
        observation = state.observation(observer)
        expected = {"Spy", *HELD[:observer]}
        assert len(expected) == number
        for earlier in range(observer):
            assert candidates(observation, earlier) == expected


def test_about_later_seats_there_are_four_three_and_two_candidates():
    state = position(DRAW)
    for observer, number in ((0, 4), (1, 3), (2, 2)):
        observation = state.observation(observer)
        expected = {"Visionary", *HELD[observer + 1 :]}
        assert len(expected) == number
        for later in range(observer + 1, SEATS):
            assert candidates(observation, later) == expected


def test_a_seat_knows_its_own_pick():
    state = position(DRAW)
    for seat in range(SEATS):
        assert candidates(state.observation(seat), seat) == {HELD[seat]}


def test_on_its_own_turn_a_seat_knows_all_earlier_colonists():
    observation = position(POWER, turn=3).observation(3)
    assert [candidates(observation, seat) for seat in range(SEATS)] == [{name} for name in HELD]


def test_a_seat_not_yet_asked_can_rule_out_nobody():
    observation = position(COLONIST_PICK, turn=2).observation(3)
    assert candidates(observation, 0) == set(COLONIST)
    assert candidates(observation, 2) == set(), "there is nothing to guess before the pick"


def test_a_revealed_colonist_is_no_candidate_elsewhere():
    observation = position(DRAW, turn=1).observation(3)
    assert candidates(observation, 0) == {"Ecologist"}
    assert candidates(observation, 1) == {"General", "Miner", "Spy"}


# The leak of the original program


def test_powers_that_name_a_colonist_are_said_aloud_and_nothing_else_is():
    assert GAME.information.announced(position(phase=POWER).record, 0) is True
    assert GAME.information.announced(position(phase=DRAW).record, 0) is False


def test_with_the_leak_whoever_picks_sees_earlier_picks():
    state = position(COLONIST_PICK, turn=2, leak=True)
    assert list(state.observation(2).record.colonist)[:2] == [COLONIST["Ecologist"], COLONIST["General"]]
    for sample in sampled(state.observation(2), 50):
        assert list(sample.record.colonist) == list(state.record.colonist)
        assert list(sample.record.offered) == list(state.record.offered)


def test_without_the_leak_earlier_picks_stay_secret():
    observation = position(COLONIST_PICK, turn=2).observation(2)
    assert list(observation.record.colonist) == [UNKNOWN, UNKNOWN, NONE, NONE]
    assert len({tuple(sample.record.colonist) for sample in sampled(observation, 100)}) == 6


def test_the_leak_closes_once_the_pick_is_made():
    state = do(position(COLONIST_PICK, turn=2, leak=True), "pick the Miner")
    assert list(state.observation(2).record.colonist) == [UNKNOWN, UNKNOWN, COLONIST["Miner"], NONE]
    assert list(state.observation(0).record.colonist) == [COLONIST["Ecologist"], UNKNOWN, UNKNOWN, NONE]


# Samples


@pytest.mark.parametrize("options", [{}, {"leak": True}])
def test_samples_keep_all_that_a_seat_knows(options):
    """In every phase of random games, from every seat."""
    phases = set()
    for _, state, _ in walk(GAME, SEATS, options, seed=11):
        phases.add((state.record.phase, state.record.turn))
        for seat in range(SEATS):
            observation = state.observation(seat)
            sample = observation.determinize(seed=5)
            assert sample.observation(seat) == observation
            assert piece_counts(sample) == [*COPIES, *[1] * len(COLONISTS)]
            assert hand(sample, seat) == hand(state, seat)
            assert list(sample.record.hand_size) == [len(hand(sample, q)) for q in range(SEATS)]
            assert len(deck(sample)) == state.record.deck_size
            _picks_can_have_happened(sample)
    assert len(phases) >= 4 * 5, "the game showed all five phases to all seats"


def _picks_can_have_happened(sample):
    """Each seat's colonist was on offer to it, and what it was offered is what earlier seats left."""
    s = sample.record
    on_offer = s.offered[0]
    assert len(colonist_names(ALL_COLONISTS & ~on_offer)) == 1
    for seat in range(SEATS):
        if s.colonist[seat] == NONE:
            break
        assert s.offered[seat] == on_offer
        assert on_offer >> s.colonist[seat] & 1
        on_offer &= ~(1 << s.colonist[seat])


def _row(sample):
    """Who is out of the round and who holds what, as one key."""
    s = sample.record
    (out,) = colonist_names(ALL_COLONISTS & ~s.offered[0])
    return (out, *(COLONISTS[c].name if c >= 0 else "" for c in s.colonist))


def _each_is_as_likely(found, expected, samples):
    assert set(found) == set(expected)
    assert sum(found.values()) == samples
    assert chisquare([found[key] for key in expected]).pvalue > IMPROBABLE


def test_after_the_picks_every_assignment_that_fits_is_as_likely():
    """Seat 2 was not offered Ecologist and Spy: one is out, one is seat 1's. Three it left are for two seats."""
    observation, samples = position(DRAW).observation(1), 6000
    expected = [
        (out, first, "General", third, fourth)
        for out, first in permutations(("Ecologist", "Spy"))
        for third, fourth, _ in permutations(("Miner", "Opportunist", "Visionary"))
    ]
    _each_is_as_likely(Counter(_row(sample) for sample in sampled(observation, samples)), expected, samples)


def test_revealed_colonists_stay_in_every_sample():
    """Seat 4 sees seat 2's turn: Ecologist and General are open; Miner and Spy are out or seat 3's."""
    observation, samples = position(POWER, turn=1).observation(3), 1000
    expected = [(out, "Ecologist", "General", third, "Opportunist") for out, third in permutations(("Miner", "Spy"))]
    _each_is_as_likely(Counter(_row(sample) for sample in sampled(observation, samples)), expected, samples)


def test_while_picking_all_that_was_not_on_offer_is_shared_out_at_random():
    observation, samples = position(COLONIST_PICK, turn=2).observation(2), 3000
    expected = [(*three, "", "") for three in permutations(("Ecologist", "General", "Spy"))]
    _each_is_as_likely(Counter(_row(sample) for sample in sampled(observation, samples)), expected, samples)


def test_a_seat_that_has_picked_samples_the_picks_after_it():
    """Seat 1 has taken the Ecologist and left four; the Spy it was not offered is out."""
    observation, samples = position(COLONIST_PICK, turn=2).observation(0), 3000
    left = ("General", "Miner", "Opportunist", "Visionary")
    expected = [("Spy", "Ecologist", second, "", "") for second in left]
    _each_is_as_likely(Counter(_row(sample) for sample in sampled(observation, samples)), expected, samples)


def test_a_seat_not_yet_asked_samples_from_all_six():
    observation, samples = position(COLONIST_PICK, turn=1).observation(3), 6000
    expected = [(out, first, "", "", "") for out, first in permutations(COLONIST, 2)]
    _each_is_as_likely(Counter(_row(sample) for sample in sampled(observation, samples)), expected, samples)


def test_an_unseen_card_is_anywhere_in_proportion_to_the_room():
    """The Mass Relay, truly in seat 4's hand, may be in any other hand, among the drawn cards or in the deck."""
    state = position(
        DISCARD,
        turn=1,
        drawn=["Quarry", "Eco-Dome"],
        hands={0: ["Garrison"], 1: ["Barracks"] * 2, 2: ["Quarry"] * 3, 3: ["Mass Relay", "Spaceport"]},
    )
    observation, samples = state.observation(0), 5100
    places = Counter(_place_of("Mass Relay", sample) for sample in sampled(observation, samples))
    room = {"hand 1": 2, "hand 2": 3, "hand 3": 2, "drawn": 2, "deck top": 1, "deck": 41}
    expected = [samples * n / 51 for n in room.values()]
    assert chisquare([places[place] for place in room], expected).pvalue > IMPROBABLE


def _place_of(name, sample):
    for seat in range(SEATS):
        if name in hand(sample, seat):
            return f"hand {seat}"
    if name in deck(sample):
        return "deck top" if deck(sample)[0] == name else "deck"
    return "drawn"


def test_own_cards_and_colonies_never_go_back_into_the_heap():
    state = position(POWER, hands={0: ["Mass Relay"]}, colonies={2: ["Eco-Dome"]})
    for sample in sampled(state.observation(0), 100):
        assert hand(sample, 0) == ["Mass Relay"]
        assert "Mass Relay" not in deck(sample)
        assert "Eco-Dome" not in deck(sample)


def test_samples_have_futures_of_their_own():
    observation = position(DRAW).observation(0)
    assert len({tuple(sample.record.rng) for sample in sampled(observation, 20)}) == 20


# Agents


@pytest.mark.parametrize("spec", ["heuristic", "thesis_random", "ismcts:iterations=30,playout=heuristic"])
def test_agents_choose_the_same_whatever_is_hidden(spec):
    random = np.random.default_rng(4)
    for number, (_, state, legal) in enumerate(walk(GAME, SEATS, {}, seed=21)):
        if number % 7 == 0 and len(legal) > 1:
            seat = state.player
            other = state.copy()
            GAME.information.scramble(other.record, seat, random)
            chosen = [bw.agent(spec, GAME, seat, seed=2).decide(s.observation(seat)).action for s in (state, other)]
            assert chosen[0] == chosen[1]
            assert chosen[0] in legal


def test_cards_that_another_seat_has_just_drawn_are_scrambled_too():
    """The check for leaks rearranges all that a seat cannot see; whoever drew the cards sees them."""
    chance = np.random.default_rng(1)
    for seat, differ in ((1, False), (2, True)):
        scrambled = [position(DISCARD, turn=1, drawn=["Quarry", "Eco-Dome"]) for _ in range(20)]
        drawn = list(scrambled[0].record.drawn)
        for state in scrambled:
            scramble(state.record, seat, chance)
        assert any(list(state.record.drawn) != drawn for state in scrambled) == differ
