"""Claims about race that a player would check against the rulebook."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.games.race.bits import members
from boardwright.games.race.cards import BONUS, CARDS, DESIGN_COUNT, DESIGNS, card_named
from boardwright.games.race.develop import can_develop
from boardwright.games.race.state import CONSUME, PAY, SPECIAL
from tests.race_positions import choose, names, options, position, say

EXPLORE_FIVE, EXPLORE_ONE, DEVELOP, SETTLE, TRADE, TWICE, PRODUCE = 1, 2, 3, 5, 7, 8, 9
JUNK = ["Rebel Base", "Rebel Homeworld", "Alien Robotic Factory", "Deserted Alien Library", "Lost Alien Battle Fleet"]


def test_the_deck_has_114_cards_of_95_designs() -> None:
    assert (CARDS, DESIGN_COUNT) == (114, 95)
    assert sum(design.world for design in DESIGNS) == 64
    assert card_named("Public Works") == 6
    assert card_named("Mining World") == 113


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_starts_with_a_world_and_four_cards_kept_of_six(seats: int) -> None:
    state = bw.game("race").new(seed=11, seats=seats)
    s = state.record
    assert s.pool == 12 * seats
    assert all(s.hand_size[seat] == 6 for seat in range(seats))
    worlds = [s.tableau[seat, 0] for seat in range(seats)]
    assert s.first == worlds.index(min(worlds)), "the lowest start world goes first"
    while state.record.round == 0:
        state.apply(state.legal_actions()[0])
    assert all(state.record.hand_size[seat] == 4 for seat in range(seats))
    assert state.player == state.record.first


def test_explorers_keep_one_more_and_the_other_keeps_one_of_two() -> None:
    state = choose(position([["New Sparta"], ["Old Earth"]], [[], []]), EXPLORE_ONE, PRODUCE)
    assert state.record.drawn[0] == 3
    say(state, options(state)[0])
    assert state.record.drawn[1] == 2
    say(state, options(state)[0])
    assert (state.record.hand_size[0], state.record.hand_size[1]) == (2, 1)


def test_exploring_five_names_the_one_card_that_is_kept() -> None:
    state = choose(position([["New Sparta"], ["Old Earth"]], [[], []]), EXPLORE_FIVE, PRODUCE)
    assert len(options(state)) == 7
    assert all(words.startswith("keep ") for words in options(state))


def test_the_developer_pays_one_less_and_a_second_copy_cannot_be_placed() -> None:
    hand = ["Space Marines", "Public Works", *JUNK[:1]]
    state = choose(position([["New Sparta", "Public Works"], ["Old Earth"]], [hand, []]), DEVELOP, PRODUCE)
    assert options(state) == ["place nothing", "develop Space Marines"]
    say(say(state, "develop Space Marines"), "place nothing")
    assert (state.record.question, state.record.left) == (PAY, 1)
    say(state, "pay with Rebel Base")
    assert state.record.hand_size[0] == 2, "Public Works in the tableau draws a card after developing"


def test_a_military_world_needs_strength_and_costs_nothing() -> None:
    hand = ["Rebel Warrior Race", "Former Penal Colony"]
    state = choose(position([["New Sparta"], ["Old Earth"]], [hand, []]), SETTLE, PRODUCE)
    assert options(state) == ["place nothing", "settle Former Penal Colony"]
    say(say(state, "settle Former Penal Colony"), "place nothing")
    s = state.record
    assert s.goods[0, 1] == 1, "a windfall world comes with a good"
    assert s.hand_size[0] == 2, "and the settler draws a card"


def test_contact_specialist_pays_for_a_military_world_but_not_for_an_alien_one() -> None:
    hand = ["Rebel Warrior Race", "Alien Robot Sentry", *JUNK[:3]]
    state = choose(position([["Old Earth", "Contact Specialist"], ["New Sparta"]], [hand, []]), SETTLE, PRODUCE)
    assert options(state) == ["place nothing", "settle Rebel Warrior Race"]
    say(say(state, "settle Rebel Warrior Race"), "place nothing")
    assert (state.record.question, state.record.left) == (PAY, 2), "defence 3, less 1"


def test_colony_ship_settles_for_nothing_and_is_gone() -> None:
    hand = ["New Earth"]
    state = choose(position([["Old Earth", "Colony Ship"], ["New Sparta"]], [hand, []]), SETTLE, PRODUCE)
    say(say(state, "settle New Earth"), "place nothing")
    s = state.record
    assert s.size[0] == 2
    assert "Colony Ship" in names(s.discard)
    assert "Colony Ship" in names(s.knows[1]), "everybody saw it go"


def test_new_military_tactics_is_asked_for_only_when_there_is_a_choice() -> None:
    tableau = ["New Sparta", "New Military Tactics"]
    weak = choose(position([tableau, ["Old Earth"]], [["Rebel Outpost"], []]), SETTLE, PRODUCE)
    say(say(weak, "settle Rebel Outpost"), "place nothing")
    assert weak.record.size[0] == 2, "strength 2 + 3 against 5: the card had to go"
    strong = choose(position([tableau, ["Old Earth"]], [["Former Penal Colony"], []]), SETTLE, PRODUCE)
    say(say(strong, "settle Former Penal Colony"), "place nothing")
    assert strong.record.question == SPECIAL
    assert len(options(strong)) == 2


def test_trading_gives_the_value_of_the_good_with_all_bonuses() -> None:
    tableau = ["Old Earth", "Spice World", "Export Duties"]
    state = choose(position([tableau, ["New Sparta"]], [[], []], goods=("Spice World",)), TRADE, EXPLORE_ONE)
    while state.record.round == 1 and state.record.goods[0, 0]:
        say(state, options(state)[0])
    kept = 1
    assert state.record.hand_size[0] == kept + 2 + 1 + 1 + 2, "novelty 2, Old Earth 1, Export Duties 1, Spice World 2"


def test_consuming_twice_doubles_goods_but_not_cards_from_the_hand() -> None:
    tableau = ["Old Earth", "Spice World", "Gem World", "Deficit Spending"]
    state = position([tableau, ["New Sparta"]], [JUNK[:2], []], goods=("Spice World", "Gem World"))
    choose(state, TWICE, DEVELOP)
    say(say(state, "place nothing"), "place nothing")
    say(state, "use Old Earth: 2 goods → 1 VP each")
    assert state.record.chips[0] == 4
    say(state, "use Deficit Spending: up to 2 cards → 1 VP each")
    say(say(state, "give for a victory point Rebel Homeworld"), "give for a victory point Rebel Base")
    assert (state.record.chips[0], state.record.pool) == (6, 18)


def test_diversified_economy_takes_three_different_kinds() -> None:
    tableau = ["New Sparta", "Diversified Economy", "Spice World", "Gem World", "Comet Zone", "Distant World"]
    state = position([tableau, ["Old Earth"]], [[], []], goods=tuple(tableau[2:]))
    choose(state, TWICE, SETTLE)
    say(say(state, "place nothing"), "place nothing")
    assert state.record.question == CONSUME
    assert options(state) == ["consume the good of Gem World", "consume the good of Comet Zone"]
    say(state, "consume the good of Gem World")
    assert options(state) == ["consume the good of Comet Zone"], "no second novelty good"
    say(say(state, "consume the good of Comet Zone"), "consume the good of Distant World")
    assert state.record.chips[0] == 6


def test_production_worlds_produce_and_the_bonus_fills_a_windfall_world() -> None:
    tableau = ["New Sparta", "Gem World", "Asteroid Belt", "Radioactive World"]
    state = choose(position([tableau, ["Old Earth"]], [[], []]), PRODUCE, SETTLE)
    say(say(state, "place nothing"), "place nothing")
    assert options(state) == ["produce on Asteroid Belt", "produce on Radioactive World"]
    say(state, "produce on Radioactive World")
    s = state.record
    assert (s.goods[0, 0], s.hand_size[0]) == (2, 1), "Gem World draws a card when it produces"


def test_six_cost_developments_count_the_first_entry_that_fits() -> None:
    league, works, seti = (
        card_named(n) for n in ("Trade League", "Black Market Trading World", "Galactic Survey: SETI")
    )
    assert BONUS[league, works] == 0, "an extra trade is no trade bonus"
    assert BONUS[league, league] == 2
    assert BONUS[seti, card_named("Star Nomad Lair")] == 2
    assert BONUS[card_named("Galactic Imperium"), card_named("Rebel Base")] == 2
    assert BONUS[card_named("Galactic Imperium"), card_named("Avian Uplift Race")] == 1
    tableau = ["New Sparta", "New Galactic Order", "Drop Ships", "Contact Specialist"]
    state = position([tableau, ["Old Earth"]], [[], []])
    assert state.scores[0] == 1 + 0 + 2 + 1 + (2 + 2 + 3 - 1)


def test_the_game_ends_after_the_round_in_which_the_pool_runs_out() -> None:
    state = position([["Old Earth", "Spice World"], ["New Sparta"]], [[], []], goods=("Spice World",))
    state.record.pool = 1
    choose(state, TWICE, PRODUCE)
    assert state.is_terminal
    assert state.record.pool == -1, "nobody goes short"
    assert state.returns == (1, 0)


def test_ties_are_broken_by_cards_and_goods_and_else_shared() -> None:
    state = position([["New Sparta"], ["Epsilon Eridani"]], [["Gem World"], []])
    state.record.pool = 0
    choose(state, PRODUCE, PRODUCE)
    assert (state.scores, state.returns) == ((1, 1), (1, 0))
    even = position([["New Sparta"], ["Epsilon Eridani"]], [[], []])
    even.record.pool = 0
    choose(even, PRODUCE, PRODUCE)
    assert even.returns == (0.5, 0.5)


def test_the_discard_pile_becomes_the_deck_when_the_last_card_is_drawn() -> None:
    state = position([["New Sparta"], ["Old Earth"]], [[], []])
    s = state.record
    s.discard[:], s.discard_size = s.deck[:], s.deck_size
    s.deck[:], s.deck_size = [1 << 8, 0], 1
    s.discard[0] = s.discard[0] & ~(1 << 8)
    s.discard_size -= 1
    before = s.discard_size
    choose(state, EXPLORE_ONE, PRODUCE)
    s = state.record
    assert card_named("Gem World") in members(s.hand[0]), "the last card of the deck comes first"
    assert (s.deck_size, s.discard_size) == (before - 4, 0)


def test_in_normal_play_equal_cards_are_one_choice_and_for_a_save_two() -> None:
    for generator, copies in (("kernel", 1), ("keldon", 2)):
        state = bw.game("race").new(seed=1, generator=generator)
        s = state.record
        s.deck[0] |= s.hand[0, 0]
        s.deck[1] |= s.hand[0, 1]
        s.hand[0][:] = [0b11 << 6 | 0b1111 << 27, 0]  # both Public Works and four worlds
        s.deck[0] &= ~s.hand[0, 0]
        assert sum("Public Works" in words for words in options(state)) == copies


MORE_CARDS = """
import sys
from boardwright import files

true_parse = files.parse_json

def with_more_rows(*given, **settings):
    rows = true_parse(*given, **settings)
    more = int(sys.argv[1])
    return [*rows, *({**rows[6], "id": 200 + k, "name": f"Public Works {k}"} for k in range(more))]

files.parse_json = with_more_rows
import boardwright as bw
from boardwright.games.race import bits, cards, invariants, state
from tests.race_random_games import check_games

files.parse_json = true_parse
assert bits.members(bits.ALL) == list(range(cards.CARDS))
for seats, generator in ((2, 0), (4, 1)):
    verdict, games, _ = check_games(1, seats, 5, generator)
    assert (verdict, games) == (invariants.NAMES[invariants.HOLDS], 1), verdict
position = bw.game("race").new(seed=1, seats=3)
while not position.is_terminal:
    if position.record.picks.any():
        sample = position.observation(position.player).determinize(seed=7)
        assert invariants.broken(sample.record, bits.bits_of([])) == invariants.HOLDS
    position.apply(position.legal_actions()[-1])
print(cards.CARDS, bits.WORDS, state.STATE["tableau"].base)
"""


@pytest.mark.parametrize(("rows", "printed"), [(1, "116 2 int8"), (20, "154 3 int16")])
def test_a_card_more_is_a_row_of_data(rows: int, printed: str) -> None:
    """Sets of cards and numbers of cards are as wide as the list needs; each row has two copies here."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", MORE_CARDS, str(rows)]
    root = Path(__file__).parents[1]
    result = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert result.stdout.strip() == printed, result.stderr


@pytest.mark.parametrize(("others", "possible"), [(1, False), (2, True)])
def test_a_development_is_affordable_if_the_other_cards_of_the_hand_pay_for_it(others: int, possible: bool) -> None:
    state = position([["New Sparta"], ["Old Earth"]], [["Space Marines", *JUNK[:others]], []])
    assert can_develop(state.record, 0, card_named("Space Marines")) == possible, "it costs 2"
