"""Colonizers plays by its rules."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy.stats import chisquare

from boardwright.games.colonizers.cards import COLOURS, MODULES
from boardwright.games.colonizers.state import BUILD, COLONIST_PICK, DISCARD, DRAW, NONE, POWER
from tests.colonizers_positions import COLONIST, GAME, MODULE, colony, deck, do, hand, position, words

PRINTED = """
    Oxygen Generator           4  4 green 4
    Water Reservoir            5  6 green 4
    Hydroponics Facility       6  8 green 4
    Eco-Dome                   8 11 green 1
    Marketplace                2  2 blue 4
    Warehouse                  3  3 blue 4
    Quarry                     5  6 blue 4
    Omnium Purification Plant  8 10 blue 1
    Garrison                   1  1 red 4
    Barracks                   2  2 red 4
    Military Academy           3  3 red 4
    Planetary Defense System   6  7 red 1
    Housing Unit               1  1 colourless 4
    Spaceport                  4  5 colourless 4
    Research Lab               6  8 colourless 4
    Mass Relay                12 16 colourless 1
"""

SEVEN = ["Garrison"] * 4 + ["Housing Unit"] * 3
OTHER_SEVEN = ["Barracks"] * 4 + ["Marketplace"] * 3


# Setup


def test_the_modules_are_those_of_the_thesis():
    ours = [f"{m.name} {m.cost} {m.value} {COLOURS[m.colour]} {m.copies}" for m in MODULES]
    assert ours == [" ".join(line.split()) for line in PRINTED.strip().splitlines()]


def test_everybody_starts_with_nothing():
    s = GAME.new(seed=3).record
    assert list(s.omnium) == [0, 0, 0, 0]
    assert list(s.hand_size) == [0, 0, 0, 0]
    assert not s.hand.any()
    assert not s.colony.any()
    assert list(s.colony_size) == [0, 0, 0, 0]


def test_the_deck_holds_all_52_modules():
    assert Counter(deck(GAME.new(seed=3))) == {module.name: module.copies for module in MODULES}


def test_every_game_has_a_deck_of_its_own():
    assert len({tuple(deck(GAME.new(seed=seed))) for seed in range(50)}) == 50


def test_any_card_can_be_on_top():
    on_top = Counter(deck(GAME.new(seed=seed))[0] for seed in range(5200))
    expected = [100 * module.copies for module in MODULES]
    assert chisquare([on_top[module.name] for module in MODULES], expected).pvalue > 0.001


# Colonist pick


def test_each_colonist_is_as_likely_to_be_out_of_the_round():
    out = Counter()
    for seed in range(3000):
        offered = {text.removeprefix("pick the ") for text in words(GAME.new(seed=seed))}
        (missing,) = set(COLONIST) - offered
        out[missing] += 1
    assert chisquare([out[name] for name in COLONIST]).pvalue > 0.001


def test_the_seats_pick_in_order_from_five_four_three_and_two():
    state = GAME.new(seed=5)
    for seat, choices in enumerate((5, 4, 3, 2)):
        assert state.player == seat
        assert len(words(state)) == choices
        assert all(text.startswith("pick the") for text in words(state)), "there is no way to pass"
        state.apply(state.legal_actions()[seat % 2])
    assert state.player == 0
    assert state.record.phase == DRAW


def test_a_colonist_can_be_picked_once():
    state = position(COLONIST_PICK)
    do(state, "pick the Miner")
    assert "pick the Miner" not in words(state)


def test_a_new_round_brings_all_six_colonists_back():
    state = position(BUILD, turn=3)
    do(state, "build nothing")
    s = state.record
    assert (s.phase, s.turn, s.round) == (COLONIST_PICK, 0, 2)
    assert list(s.colonist) == [NONE] * 4
    assert len(words(state)) == 5


# Turns


def test_a_seat_finishes_its_turn_before_the_next_begins():
    state = position(DRAW)
    said = []
    for _ in range(4):
        for action in ("take", "do nothing", "build nothing"):
            said.append(state.player)
            do(state, action)
    assert said == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_drawing_adds_a_discard_to_the_turn():
    state = position(DRAW)
    phases = []
    for action in ("draw", "keep", "do nothing", "build nothing"):
        phases.append((state.player, state.record.phase))
        do(state, action)
    assert phases == [(0, DRAW), (0, DISCARD), (0, POWER), (0, BUILD)]
    assert state.player == 1


# Draw


def test_omnium_comes_in_twos():
    assert do(position(DRAW, omnium=(3, 0, 0, 0)), "take").record.omnium[0] == 5


def test_nobody_can_pass_the_draw():
    assert words(position(DRAW)) == ["take 2 Omnium", "draw two modules"]


def test_a_full_hand_cannot_draw():
    four = ["Quarry"] * 4
    assert "draw two modules" in words(position(DRAW, hands={0: four}))
    assert words(position(DRAW, hands={0: [*four, "Garrison"]})) == ["take 2 Omnium"]


def test_drawing_is_offered_even_from_an_empty_deck():
    assert "draw two modules" in words(position(DRAW, deck_size=0))


@pytest.mark.parametrize("choice", ["take", "draw"])
@pytest.mark.parametrize(
    ("colonist", "earned"),
    [("Ecologist", 1), ("Miner", 3), ("General", 2), ("Opportunist", 0), ("Spy", 0), ("Visionary", 0)],
)
def test_colonists_earn_by_colour_whichever_way_the_draw_goes(colonist, earned, choice):
    held = [colonist, *[name for name in COLONIST if name != colonist][:3]]
    own = ["Quarry", "Quarry", "Warehouse", "Garrison", "Barracks", "Eco-Dome", "Mass Relay"]
    others = ["Marketplace", "Garrison", "Oxygen Generator"]
    state = do(position(DRAW, colonists=held, colonies={0: own, 1: others}), choice)
    assert state.record.omnium[0] == earned + (2 if choice == "take" else 0)


def test_colonists_earn_before_the_two_drawn_cards_are_seen():
    state = do(position(DRAW, colonies={0: ["Eco-Dome"]}), "draw")
    assert state.record.phase == DISCARD
    assert state.record.omnium[0] == 1


def test_the_visionary_takes_the_top_card():
    state = position(DRAW, colonists=("Visionary", "General", "Miner", "Spy"), deck=["Quarry", "Garrison"])
    do(state, "take")
    assert hand(state, 0) == ["Quarry"]
    assert deck(state)[0] == "Garrison"
    assert len(deck(state)) == 51


def test_the_visionary_draws_first_and_then_two_more():
    state = position(DRAW, colonists=("Visionary", "General", "Miner", "Spy"), deck=["Quarry", "Garrison", "Barracks"])
    do(state, "draw")
    assert hand(state, 0) == ["Quarry"]
    assert words(state) == ["keep Garrison", "keep Barracks"]


def test_the_visionary_with_a_full_hand_draws_nothing():
    five = ["Quarry"] * 4 + ["Garrison"]
    state = position(DRAW, colonists=("Visionary", "General", "Miner", "Spy"), hands={0: five})
    before = deck(state)
    do(state, "take")
    assert hand(state, 0) == five
    assert deck(state) == before


def test_the_visionary_takes_the_last_card_too():
    state = do(position(DRAW, colonists=("Visionary", "General", "Miner", "Spy"), deck=["Quarry"], deck_size=1), "take")
    assert hand(state, 0) == ["Quarry"]
    assert state.record.deck_size == 0


def test_the_visionary_does_not_end_the_game_at_an_empty_deck():
    state = do(position(DRAW, colonists=("Visionary", "General", "Miner", "Spy"), deck_size=0), "take")
    assert not state.is_terminal
    assert hand(state, 0) == []


@pytest.mark.parametrize("cards", [0, 1])
def test_drawing_from_fewer_than_two_cards_ends_the_game_without_a_winner(cards):
    state = position(DRAW, turn=1, colonies={0: ["Quarry"]}, deck_size=cards)
    assert state.scores == (6, 0, 0, 0)
    do(state, "draw")
    assert state.is_terminal
    assert state.scores == (0, 0, 0, 0)
    assert state.returns == (0, 0, 0, 0)


def test_two_cards_are_enough_to_draw_unless_the_visionary_takes_one_first():
    assert not do(position(DRAW, deck_size=2), "draw").is_terminal
    assert do(position(DRAW, colonists=("Visionary", "General", "Miner", "Spy"), deck_size=2), "draw").is_terminal


# Discard


def test_one_of_the_two_top_cards_is_kept_and_the_other_goes_to_the_bottom():
    state = do(position(DRAW, deck=["Quarry", "Barracks", "Garrison"]), "draw")
    assert words(state) == ["keep Quarry", "keep Barracks"], "there is no way to keep neither"
    do(state, "keep Barracks")
    assert hand(state, 0) == ["Barracks"]
    assert deck(state)[0] == "Garrison"
    assert deck(state)[-1] == "Quarry"
    assert len(deck(state)) == 51


def test_two_equal_cards_are_one_choice():
    state = position(DISCARD, drawn=["Quarry", "Quarry"])
    assert words(state) == ["keep Quarry"]
    do(state, "keep Quarry")
    assert hand(state, 0) == ["Quarry"]
    assert deck(state)[-1] == "Quarry"


def test_a_discarded_card_comes_back_after_all_others():
    state = position(DRAW, deck=["Quarry", "Barracks", "Garrison"], deck_size=3)
    do(state, "draw", "keep Barracks", "do nothing", "build nothing", "draw")
    assert words(state) == ["keep Garrison", "keep Quarry"]


def test_the_kept_card_of_a_visionary_with_a_full_hand_leaves_the_game():
    four = ["Garrison"] * 4
    state = position(
        DRAW,
        colonists=("Visionary", "General", "Miner", "Spy"),
        hands={0: four},
        deck=["Quarry", "Barracks", "Eco-Dome"],
    )
    do(state, "draw", "keep Eco-Dome")
    assert hand(state, 0) == ["Quarry", *four]
    assert state.record.removed[MODULE["Eco-Dome"]] == 1
    assert "Eco-Dome" not in deck(state)
    assert deck(state)[-1] == "Barracks"


# Power


@pytest.mark.parametrize("colonist", ["Ecologist", "General", "Miner", "Visionary"])
def test_a_colonist_without_a_power_still_has_a_power_phase(colonist):
    held = [colonist, *[name for name in COLONIST if name != colonist][:3]]
    assert words(position(POWER, colonists=held)) == ["do nothing"]


def test_the_opportunist_may_name_any_other_colonist_held_or_not():
    state = position(POWER, turn=2, colonists=("Miner", "General", "Opportunist", "Visionary"))
    named = ["Ecologist", "General", "Miner", "Spy", "Visionary"]
    assert words(state) == [*[f"steal from the {name}" for name in named], "do nothing"]


def test_the_spy_may_name_any_other_colonist_held_or_not():
    state = position(POWER, colonists=("Spy", "General", "Miner", "Visionary"))
    named = ["Ecologist", "General", "Miner", "Opportunist", "Visionary"]
    assert words(state) == [*[f"swap hands with the {name}" for name in named], "do nothing"]


@pytest.mark.parametrize(("had", "left"), [(5, 3), (2, 0), (1, 0), (0, 0)])
def test_the_opportunist_steals_up_to_two(had, left):
    state = position(POWER, turn=1, colonists=("Miner", "Opportunist", "General", "Spy"), omnium=(9, 4, had, 7))
    do(state, "steal from the General")
    assert list(state.record.omnium) == [9, 4 + had - left, left, 7]


@pytest.mark.parametrize("absent", ["Ecologist", "Visionary"])
def test_naming_a_colonist_nobody_has_does_nothing(absent):
    state = position(POWER, turn=1, colonists=("Miner", "Opportunist", "General", "Spy"), omnium=(9, 4, 3, 7))
    do(state, f"steal from the {absent}")
    assert list(state.record.omnium) == [9, 4, 3, 7]
    assert (state.player, state.record.phase) == (1, BUILD), "the turn goes on"


def test_the_spy_swaps_whole_hands():
    held = ("Miner", "Spy", "General", "Opportunist")
    mine, theirs = ["Quarry"], ["Barracks", "Garrison", "Garrison"]
    state = position(POWER, turn=1, colonists=held, hands={1: mine, 3: theirs, 0: ["Eco-Dome"]})
    do(state, "swap hands with the Opportunist")
    assert hand(state, 1) == ["Garrison", "Garrison", "Barracks"]
    assert hand(state, 3) == mine
    assert hand(state, 0) == ["Eco-Dome"]
    assert list(state.record.hand_size) == [1, 3, 0, 1]


def test_what_the_spy_got_can_be_built_at_once():
    held = ("Spy", "Miner", "General", "Opportunist")
    state = position(POWER, colonists=held, hands={1: ["Quarry"]}, omnium=(5, 0, 0, 0))
    do(state, "swap hands with the Miner", "build Quarry")
    assert colony(state, 0) == ["Quarry"]


def test_a_power_need_not_be_used():
    held = ("Spy", "Miner", "General", "Opportunist")
    state = do(position(POWER, colonists=held, hands={0: ["Quarry"], 1: ["Garrison"]}), "do nothing")
    assert hand(state, 0) == ["Quarry"]
    assert state.record.phase == BUILD


# Build


def test_only_what_can_be_paid_can_be_built():
    cards = ["Garrison", "Barracks", "Warehouse", "Quarry"]
    state = position(BUILD, hands={0: cards, 1: ["Housing Unit"]}, omnium=(3, 9, 9, 9))
    assert words(state) == [
        "build Warehouse (cost 3, worth 3)",
        "build Garrison (cost 1, worth 1)",
        "build Barracks (cost 2, worth 2)",
        "build nothing",
    ]


def test_equal_cards_are_one_choice_to_build():
    state = position(BUILD, hands={0: ["Quarry", "Quarry"]}, omnium=(9, 0, 0, 0))
    assert words(state) == ["build Quarry (cost 5, worth 6)", "build nothing"]


def test_five_kinds_and_nothing_are_the_most_there_is_to_choose():
    cards = ["Garrison", "Barracks", "Warehouse", "Quarry", "Mass Relay"]
    state = position(BUILD, hands={0: cards}, omnium=(12, 0, 0, 0))
    assert len(state.legal_actions()) == GAME.max_legal


def test_building_pays_the_cost_and_ends_the_turn():
    state = position(BUILD, hands={0: ["Quarry", "Garrison"]}, omnium=(7, 0, 0, 0))
    do(state, "build Quarry")
    assert state.record.omnium[0] == 2
    assert hand(state, 0) == ["Garrison"]
    assert colony(state, 0) == ["Quarry"]
    assert (state.player, state.record.phase) == (1, DRAW), "one module a turn, though the Garrison could be paid"


def test_the_same_module_can_be_built_again():
    state = position(BUILD, hands={0: ["Quarry"]}, colonies={0: ["Quarry"]}, omnium=(5, 0, 0, 0))
    do(state, "build Quarry")
    assert colony(state, 0) == ["Quarry", "Quarry"]


# End, score and rank


def test_the_round_is_played_to_its_end_after_a_colony_is_complete():
    state = position(BUILD, colonies={0: SEVEN}, hands={0: ["Quarry"]}, omnium=(5, 0, 0, 0))
    do(state, "build Quarry")
    for seat in (1, 2, 3):
        assert state.player == seat
        do(state, "take", "do nothing", "build nothing") if seat < 3 else do(state, "take")
    assert not state.is_terminal
    do(state, "do nothing", "build nothing")
    assert state.is_terminal


def test_seven_modules_do_not_end_the_game():
    state = do(position(BUILD, turn=3, colonies={0: SEVEN, 3: OTHER_SEVEN}), "build nothing")
    assert not state.is_terminal


def test_the_last_seat_can_complete_its_colony_and_end_the_game():
    state = position(BUILD, turn=3, colonies={3: SEVEN}, hands={3: ["Quarry"]}, omnium=(0, 0, 0, 5))
    assert do(state, "build Quarry").is_terminal


@pytest.mark.parametrize(("bonus", "second"), [("thesis", 2), ("as_run", 4)])
def test_the_first_complete_colony_gets_four_points_and_others_fewer(bonus, second):
    state = position(
        BUILD,
        turn=1,
        colonies={1: SEVEN, 2: OTHER_SEVEN},
        hands={1: ["Quarry"], 2: ["Mass Relay"]},
        omnium=(0, 5, 12, 0),
        bonus=bonus,
    )
    assert state.scores == (0, 7, 14, 0), "seven modules earn no bonus"
    do(state, "build Quarry")
    assert state.scores == (0, 7 + 6 + 4, 14, 0), "the bonus counts at once"
    do(state, "take", "do nothing", "build Mass Relay", "take", "do nothing", "build nothing")
    assert state.is_terminal
    assert state.scores == (0, 7 + 6 + 4, 14 + 16 + second, 0)


def test_who_completes_first_is_a_matter_of_time_not_of_points():
    state = position(
        BUILD,
        turn=2,
        colonies={2: OTHER_SEVEN, 3: SEVEN},
        hands={2: ["Housing Unit"], 3: ["Mass Relay"]},
        omnium=(0, 0, 1, 12),
    )
    do(state, "build Housing Unit", "take", "do nothing", "build Mass Relay")
    assert state.scores == (0, 0, 14 + 1 + 4, 7 + 16 + 2)


def test_rewards_follow_the_rank():
    state = position(
        BUILD, turn=3, colonies={0: ["Quarry"], 1: [*SEVEN, "Mass Relay"], 2: ["Spaceport"], 3: ["Eco-Dome"]}
    )
    assert state.returns == (0, 0, 0, 0), "nothing is won before the end"
    do(state, "build nothing")
    assert state.scores == (6, 27, 5, 11)
    assert state.returns == (0.1, 1, 0, 0.2)


def test_of_equal_points_the_lower_seat_ranks_better():
    state = position(
        BUILD, turn=3, colonies={0: ["Quarry"], 1: ["Water Reservoir"], 2: [*SEVEN, "Spaceport"], 3: ["Quarry"]}
    )
    do(state, "build nothing")
    assert state.scores == (6, 6, 16, 6)
    assert state.returns == (0.2, 0.1, 1, 0)


# Words and reports


def test_actions_are_grouped_under_their_card():
    pick = position(COLONIST_PICK)
    assert {GAME.metrics.action_group(pick.record, action) for action in pick.legal_actions()} >= {
        ("colonist", "Miner")
    }
    build = position(BUILD, hands={0: ["Quarry"]}, omnium=(5, 0, 0, 0))
    assert [GAME.metrics.action_group(build.record, action) for action in build.legal_actions()] == [
        ("module", "Quarry"),
        None,
    ]


def test_a_view_tells_candidates_where_the_truth_is_hidden():
    text = str(position(POWER, turn=2, hands={2: ["Quarry"], 3: ["Eco-Dome"]}).observation(2))
    assert "seat 3 (you): 0 Omnium, 1/5 cards, 0 points, Miner" in text
    assert "seat 4: 0 Omnium, 1/5 cards, 0 points, Opportunist or Visionary?" in text
    assert "hand: Quarry (blue, cost 5, worth 6)" in text
    assert "Eco-Dome" not in text
