"""What a seat knows in race, and that samples respect it."""

from __future__ import annotations

import numpy as np

import boardwright as bw
from boardwright.games.race.bits import members
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
    mine = members(state.record.knows[first])
    assert len(mine) == 2
    for seed in range(30):
        sample = state.observation(first).determinize(seed=seed).record
        assert set(mine) <= set(members(sample.discard))
        assert members(sample.hand[first]) == members(state.record.hand[first])


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
    state = bw.game("race").new(seed=5)
    agents = [bw.agent("random", state.game, seat, seed=seat) for seat in range(2)]
    picked_on = 0
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
