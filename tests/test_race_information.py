"""What a seat knows in race, and that samples respect it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.race.bits import bits_of, members
from boardwright.games.race.cards import card_named
from boardwright.games.race.piles import discard_picked
from boardwright.games.race.recall import generation_of, set_generation
from boardwright.games.race.state import CHOOSE_ACTION, EXPLORE_KEEP, UNSEEN_CHOICE
from boardwright.kernel import rng
from tests.race_positions import choose, names, options, position, say


def test_a_seat_remembers_its_own_discards_until_the_pile_is_recycled() -> None:
    state = bw.game("race").new(seed=3)
    first = state.player
    given = [state.legal_actions()[0]]
    say(state, options(state)[0])
    given.append(state.legal_actions()[0])
    say(state, options(state)[0])
    while state.record.round == 0:
        say(state, options(state)[0])
    mine = members(state.observation(first).record.knows[first])
    assert len(mine) == 2
    for seed in range(30):
        sample = state.observation(first).determinize(seed=seed).record
        assert set(mine) <= set(members(sample.discard))
        assert members(sample.hand[first]) == members(state.observation(first).record.hand[first])


def test_hands_and_goods_of_samples_vary_and_have_the_right_size() -> None:
    state = position(
        [["Old Earth", "Spice World"], ["New Sparta"]], [["Gem World"], ["Mining World"] * 1], ("Spice World",)
    )
    hands, goods = set(), set()
    for seed in range(40):
        sample = state.observation(0).determinize(seed=seed)
        s = sample.record
        assert s.hand_size[1] == len(members(s.hand[1])) == 1
        assert s.deck_size == len(members(s.deck))
        hands.update(names(s.hand[1]))
        goods.add(s.good[0, 1])
    assert len(hands) > 10
    assert len(goods) > 10


def test_every_unseen_card_is_as_likely_in_a_hand() -> None:
    """χ² over 6,000 samples of a hand of one card; fails by chance once in 10,000 runs of another seed."""
    state = position([["Old Earth"], ["New Sparta"]], [[], ["Gem World"]])
    count = np.zeros(114)
    for seed in range(6000):
        (card,) = members(state.observation(0).determinize(seed=rng.derive(9, seed)).record.hand[1])
        count[card] += 1
    unseen = count[count > 0]
    assert len(unseen) == 112
    chi2 = float(((unseen - unseen.mean()) ** 2 / unseen.mean()).sum())
    assert chi2 < 111 + 3.72 * (2 * 111) ** 0.5 + 5


def test_whoever_is_asked_sees_what_may_be_answered() -> None:
    """Also in the middle of an answer of several cards, which are named in order."""
    picked_on = 0
    for seed in (5, 6):
        state = bw.game("race").new(seed=seed)
        agents = [bw.agent("random", state.game, seat, seed=seat) for seat in range(2)]
        while not state.is_terminal:
            observation = state.observation(state.player)
            assert observation.legal_actions() == state.legal_actions()
            picked_on += state.record.floor > 0
            state.apply(agents[state.player].decide(observation).action)
    assert picked_on > 10


def test_an_action_stays_secret_until_all_have_chosen() -> None:
    one = choose(position([["Old Earth"], ["New Sparta"]], [[], []]), 3)
    other = choose(position([["Old Earth"], ["New Sparta"]], [[], []]), 9)
    assert one.observation(1) == other.observation(1)
    assert one.observation(0) != other.observation(0)


def test_a_placement_stays_secret_until_all_have_chosen() -> None:
    def start() -> bw.State:
        return choose(
            position([["Old Earth"], ["New Sparta"]], [["Gem World", "Comet Zone", "Rebel Base", "Rebel Outpost"], []]),
            5,
            9,
        )

    assert say(start(), "settle Gem World").observation(1) == say(start(), "place nothing").observation(1)


def test_alpha_centauris_first_good_is_no_start_world() -> None:
    game = bw.game("race")
    state = next(s for s in (game.new(seed=n) for n in range(50)) if s.record.first_good)
    holder = next(seat for seat in (0, 1) if state.record.tableau[seat, 0] == 2)
    for seed in range(200):
        assert state.observation(0).determinize(seed=seed).record.good[holder, 0] - 1 >= 5


def test_a_card_won_by_gambling_is_known_to_all() -> None:
    state = position([["Old Earth", "Gambling World"], ["New Sparta"]], [[], []])
    s = state.record
    s.deck[:], s.deck_size = [1 << 8, 0], 1  # Gem World, cost 2
    choose(state, 8, 9)
    say(state, "guess cost 2")
    assert names(state.record.knows[1]) == ["Gem World"]
    assert names(state.observation(1).record.hand[0]) == ["Gem World"]


def test_a_picture_shows_what_its_seat_sees() -> None:
    state = position([["Old Earth"], ["New Sparta"]], [["Gem World"], ["Mining World"]])
    assert "Mining World" in state.to_svg()
    picture = state.observation(0).to_svg()
    assert picture.startswith("<svg")
    assert "Gem World" in picture
    assert "Mining World" not in picture


@pytest.mark.parametrize("seats", [2, 4])
def test_no_determinization_contradicts_what_its_seat_has_seen(seats: int) -> None:
    """An independent checker follows the cards of whole games, in which the discard pile becomes the deck, and rules
    out what a player with perfect recall could. It listens to uncompiled rules, so it has a process of its own."""
    told = checked(seats, 400)
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.split() == ["400", "possible"]


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["kernel", "keldon"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_determinization_of_many_contradicts_what_its_seat_has_seen(seats: int, generator: str) -> None:
    told = checked(seats, 10_000, "random", generator, "7000")
    assert told.returncode == 0, told.stdout + told.stderr


def checked(seats: int, determinizations: int, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.race_recall", str(seats), str(determinizations), *more],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )


def test_which_of_two_equal_cards_is_laid_does_not_show() -> None:
    """Whoever holds both lays the first, and whoever holds one lays that: others see the same in all three cases."""
    seen = []
    for held in ([6], [7], [6, 7]):
        state = position([["Old Earth"], ["New Sparta"]], [["Gem World"] * 1, []])
        s = state.record
        for pile in (s.hand[0], s.deck):
            pile[:] = bits_of(card for card in members(pile) if card not in (6, 7))
        for card in (6, 7):
            pile = s.hand[0] if card in held else s.deck
            pile[:] = bits_of([*members(pile), card])
        filler = [card for card in members(s.deck) if card > 50][: 4 - len(held)]
        s.hand[0][:] = bits_of([*members(s.hand[0]), *filler])
        s.deck[:] = bits_of(card for card in members(s.deck) if card not in filler)
        s.hand_size[0], s.deck_size = len(members(s.hand[0])), len(members(s.deck))
        choose(state, 3, 9)
        say(state, "develop Public Works")
        while state.record.size[0] < 2:
            state.apply(state.legal_actions()[0])
        observation = state.observation(1)
        assert observation.record.tableau[0, 1] == 6
        seen.append(bytes(observation))
        hands = [members(observation.determinize(seed=seed).record.hand[0]) for seed in range(400)]
        assert any(7 in hand for hand in hands), "the other one may be in the hand"
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize(("one", "other"), [(1, 0), (2, 1), (5, 6), (3, 3)])
def test_of_two_equal_cards_the_first_is_unseen_for_less_time(one: int, other: int) -> None:
    """Whatever their numbers: generations 5 and 6 differ in two binary digits."""
    seen = []
    for first, second in ((one, other), (other, one)):
        state = position([["Old Earth"], ["New Sparta"]], [["Gem World"], []])
        s = state.record
        s.generation = max(one, other)
        set_generation(s, 0, 0, 1 << 6, first)
        set_generation(s, 0, 0, 1 << 7, second)
        observation = state.observation(0)
        seen.append(bytes(observation))
        assert (generation_of(observation.record, 0, 6), generation_of(observation.record, 0, 7)) == (
            max(one, other),
            min(one, other),
        )
    assert seen[0] == seen[1]


@pytest.mark.parametrize("place", ["tableau", "hand", "pile", "elsewhere", "shown", "kept"])
def test_of_two_equal_cards_the_first_is_the_one_that_a_seat_knows_of(place: str) -> None:
    seen = []
    for card in (6, 7):
        state = position([["Old Earth"], ["New Sparta", "Mining World"]], [["Gem World"], []])
        s = state.record
        s.generation = 1
        if place != "shown":  # for that the other one is as well known to be in the deck
            s.deck[:] = bits_of(set(members(s.deck)) - {card})
        known = {"hand": s.hand[0], "pile": s.discard, "elsewhere": s.knows[0], "shown": s.shown, "kept": s.kept[0]}
        if place == "tableau":
            s.tableau[1, 1] = card
        else:
            known[place][:] = bits_of([*members(known[place]), card])
        if place == "pile":
            s.knows[0][:] = bits_of([card])
        observation = state.observation(0)
        seen.append(bytes(observation))
        assert is_first(observation.record, place)
    assert seen[0] == seen[1]


def is_first(s: Any, place: str) -> bool:
    """Whether card 6 is there and 7 is not."""
    known = {"hand": s.hand[0], "pile": s.discard, "elsewhere": s.knows[0], "shown": s.shown, "kept": s.kept[0]}
    there = [int(s.tableau[1, 1])] if place == "tableau" else members(known[place])
    return 6 in there and 7 not in there


def test_a_card_that_all_saw_taken_is_in_that_hand_or_was_given_away() -> None:
    state = position(
        [["Old Earth", "Gambling World"], ["New Sparta"], ["Epsilon Eridani"]], [["Spice World"] * 1, [], []]
    )
    s = state.record
    s.deck[:], s.deck_size = [1 << 8, 0], 1  # Gem World, cost 2
    choose(state, 8, 9, 9)
    say(state, "guess cost 2")
    assert names(state.observation(1).record.hand[0]) == ["Gem World"]
    s = state.record
    s.picked[0][:] = bits_of([card_named("Spice World")])
    discard_picked(s, 0)
    observation = state.observation(1)
    assert names(observation.record.hand[0]) == []
    places = set()
    for seed in range(200):
        sample = observation.determinize(seed=seed).record
        places |= {"hand" if 8 in members(sample.hand[0]) else "pile" if 8 in members(sample.discard) else "elsewhere"}
    assert places == {"hand", "pile"}


def test_what_others_place_is_learned_when_all_have_placed() -> None:
    """And not before; it does not matter whether there is anything left to decide in paying for it."""
    learned = set()
    for placed in ("develop Public Works", "develop Space Marines", "place nothing"):
        hand = ["Public Works", "Space Marines", "Spice World"]
        state = choose(position([["Old Earth"], ["New Sparta"]], [["Gem World"], hand]), 3, 9)
        learn, before = state.game.entries.learned, state.copy()
        say(state, "place nothing")
        assert learn(before.memory, state.memory, 1) == 0
        before = state.copy()
        say(state, placed)
        learned.add(int(learn(before.memory, state.memory, 0)))
    assert len(learned) == 3


def test_a_card_that_all_saw_taken_is_none_of_those_explored_later() -> None:
    state = position([["Old Earth", "Gambling World"], ["New Sparta"]], [["Spice World"], []])
    s = state.record
    s.deck[:], s.deck_size = [1 << 8, 0], 1  # Gem World, cost 2
    choose(state, 8, 9)
    say(state, "guess cost 2")
    s = state.record
    s.picked[0][:] = bits_of([8, card_named("Spice World")])
    discard_picked(s, 0)
    s.stage, s.drawn[0], s.hand_size[0] = EXPLORE_KEEP, 1, 1
    s.hand[0][:] = s.fresh[0][:] = bits_of([60])
    for seed in range(50):
        sample = state.observation(1).determinize(seed=seed).record
        assert members(sample.fresh[0]) == members(sample.hand[0]) != [8]
        assert 8 in members(sample.discard)


@pytest.mark.parametrize("seats", [2, 4])
def test_who_chooses_last_shows_the_choice_and_the_others_do_not(seats: int) -> None:
    state = bw.game("race").new(seed=1, seats=seats)
    while state.record.question != CHOOSE_ACTION:
        state.apply(state.legal_actions()[0])
    seen = []
    while state.record.question == CHOOSE_ACTION:
        other, action = (state.player + 1) % seats, state.legal_actions()[0]
        seen.append(int(state.game.entries.action_observation(state.memory, action, other)))
        state.apply(action)
    assert seen == [UNSEEN_CHOICE] * (seats - 1) + [action]
