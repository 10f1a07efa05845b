"""Lords of War: what a seat knows, samples of the rest, and agents that use no more than that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

import boardwright as bw
from boardwright.conformance import walk
from boardwright.games.lords.state import UNKNOWN
from tests.lords_positions import GAME, deploy, hand, kind, piece_counts, position, recall, refill

IMPROBABLE = 0.001
"""Seeds are fixed: a test that passes once always passes. A right sampler fails with this chance on another seed."""

BUTCHER, RAVAGER, RIGHT_RAVAGER, REAR_DEATHBRINGER, REAR_SHANKER = 8, 3, 4, 2, 6
MARAUDER, SLUGGER = 6, 17


def sampled(observation, samples):
    return (observation.determinize(seed=seed) for seed in range(samples))


def test_hands_and_decks_are_hidden():
    state = GAME.new(seed=3)
    observation = state.observation(0)
    s = observation.record
    assert hand(observation, 0) == hand(state, 0)
    assert hand(observation, 1) == [kind(s, 1, 1)], "everybody knows that the general is in the hand"
    assert s.hand_size.tolist() == [6, 6]
    assert set(s.deck[:, :30].flatten().tolist()) == {UNKNOWN}, "the own deck's order is not known either"


def test_with_open_information_nothing_is_hidden():
    state = GAME.new(seed=3, information="open")
    for seat in range(2):
        observation = state.observation(seat)
        assert bytes(observation) == bytes(state)
        assert not observation.has_hidden_information
        assert observation.determinize(seed=8) == state
    assert GAME.new(seed=3).observation(0).has_hidden_information


def test_both_settings_deal_the_same_cards():
    first, second = GAME.new(seed=3, information="open").record, GAME.new(seed=3).record
    assert first.deck.tolist() == second.deck.tolist()


def test_a_recalled_card_stays_known():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "e3")
    recall(state, "a1")
    assert hand(state.observation(1), 0) == [kind(state.record, 0, BUTCHER)]
    for sample in sampled(state.observation(1), 20):
        assert hand(sample, 0) == [kind(state.record, 0, BUTCHER)]


def test_a_known_card_is_forgotten_when_it_is_played_again():
    state = position({"a1": BUTCHER}, {"d4": MARAUDER}, hands=((RIGHT_RAVAGER,), (1,)))
    deploy(state, RIGHT_RAVAGER, "e3")
    recall(state, "a1")
    s = state.record
    s.active = s.mover = 0
    deploy(state, BUTCHER, "e4")
    assert sum(state.record.known[0].tolist()) == 0


def test_a_hand_that_was_shown_stays_known():
    state = position(second={"d6": SLUGGER}, hands=((REAR_DEATHBRINGER, REAR_SHANKER), (1,)))
    deploy(state, REAR_SHANKER, "c6")
    refill(state)
    observation = state.observation(1)
    assert hand(observation, 0) == [kind(state.record, 0, REAR_DEATHBRINGER)]
    assert observation.record.hand_size[0] == 2, "the card drawn since is not known"


def test_an_unseen_card_is_anywhere_in_proportion_to_the_room():
    """Of 30 cards in the deck and 5 unknown in the hand, a single copy is in the hand in one sample of seven."""
    state = GAME.new(seed=4)
    commander = kind(state.record, 1, 16)
    samples = 4000
    places = Counter(commander in hand(sample, 1) for sample in sampled(state.observation(0), samples))
    assert chisquare([places[True], places[False]], [samples * 5 / 35, samples * 30 / 35]).pvalue > IMPROBABLE


def test_every_place_of_the_own_deck_is_as_likely():
    state = GAME.new(seed=4)
    s = state.record
    number = next(n for n in (16, 17, 18, 23, 27) if kind(s, 0, n) not in hand(state, 0))
    samples = 3000
    places = Counter(
        sample.record.deck[0].tolist().index(kind(s, 0, number)) for sample in sampled(state.observation(0), samples)
    )
    assert set(places) == set(range(30))
    assert chisquare([places[place] for place in range(30)]).pvalue > IMPROBABLE


@pytest.mark.parametrize(
    "options", [{}, {"information": "open", "armies": "elf,templar"}, {"armies": "undead,lizardman"}]
)
def test_samples_keep_all_that_a_seat_knows(options):
    for _, state, _ in walk(GAME, 2, options, seed=11):
        for seat in range(2):
            observation = state.observation(seat)
            sample = observation.determinize(seed=5)
            assert sample.observation(seat) == observation
            assert piece_counts(sample) == piece_counts(state)
            assert hand(sample, seat) == hand(state, seat)
            assert [len(hand(sample, q)) for q in range(2)] == sample.record.hand_size.tolist()


@pytest.mark.parametrize(
    "spec",
    ["heuristic", "ismcts:iterations=30", "uct:iterations=40,determinizations=4", "maxn:depth=1,determinizations=2"],
)
def test_agents_choose_the_same_whatever_is_hidden(spec):
    random = np.random.default_rng(4)
    asked = 0
    for number, (_, state, legal) in enumerate(walk(GAME, 2, {}, seed=21)):
        if number % 9 == 0 and len(legal) > 1:
            seat = state.player
            other = state.copy()
            GAME.information.scramble(other.record, seat, random)
            chosen = [bw.agent(spec, GAME, seat, seed=2).decide(s.observation(seat)).action for s in (state, other)]
            assert chosen[0] == chosen[1]
            assert chosen[0] in legal
            asked += 1
    assert asked > 5


def test_where_nothing_is_hidden_uct_grows_a_single_tree():
    observation = GAME.new(seed=3, information="open").observation(0)
    agent = bw.agent("uct:iterations=40,determinizations=4", GAME, 0)
    assert agent.searches(observation) == 1
    assert agent.searches(GAME.new(seed=3).observation(0)) == 4


def test_search_decides_alike_uncompiled():
    code = (
        "import boardwright as bw\n"
        "game = bw.game('lords')\n"
        "state = game.new(seed=3)\n"
        "agent = bw.agent('ismcts:iterations=60', game, state.player, seed=5)\n"
        "print([(reason.action, reason.visits) for reason in agent.decide(state.observation(state.player)).reasons])\n"
    )
    decisions = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]
    assert decisions[0] == decisions[1]


def test_whatever_is_done_is_said_aloud() -> None:
    """Holding fire leaves no trace on the board, and yet all know of it."""
    state = bw.game("lords").new(seed=3)
    announced = state.game.information.announced
    assert announced is not None
    while not state.is_terminal:
        legal = state.legal_actions()
        assert all(announced(state.record, action) for action in legal)
        state.apply(legal[-1])
