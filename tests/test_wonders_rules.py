"""7 Wonders, claim by claim: set-up, choosing, paying, resolving, powers, conflicts.

docs/rules/wonders.md, sections 1 to 9.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import boardwright as bw
from boardwright.games.wonders import cards
from boardwright.games.wonders.cards import (
    BOARD_NAMES,
    COPIES,
    NAMES,
    PARENTS,
    STAGE_ROWS,
    STRUCTURES,
    kind_of,
)
from boardwright.games.wonders.rules import NUM_PIECE_KINDS, piece_counts
from boardwright.games.wonders.state import (
    BUILD,
    DIG,
    DISCARD,
    FREE,
    FROM_PILE,
    NOTHING,
    SEVENTH,
    STAGE,
    TUCKED,
    packet_of,
)
from tests.wonders_table import Table


# --- the cards
def test_there_are_148_cards_75_names_and_42_stages() -> None:
    assert sum(len(marks) for x in STRUCTURES for marks in x.marks.values()) + 10 == 148
    assert len(NAMES) == len(set(NAMES)) == 75
    assert sum(x.guild for x in STRUCTURES) == 10
    assert len(BOARD_NAMES) == 7
    assert sum(len(stages) for stages in STAGE_ROWS.values()) == 42
    assert len(STAGE_ROWS) == 14


@pytest.mark.parametrize("seats", range(3, 8))
def test_every_age_deals_seven_cards_a_player(seats: int) -> None:
    assert COPIES[seats, 0].sum() == COPIES[seats, 1].sum() == 7 * seats
    assert COPIES[seats, 2].sum() + seats + 2 == 7 * seats


def test_colours_at_seven_players() -> None:
    by_age = [Counter(dict.fromkeys(cards.COLOURS, 0)) for _ in range(3)]
    for kind, x in enumerate(STRUCTURES):
        for age in range(3):
            by_age[age][cards.COLOURS[x.colour]] += int(COPIES[7, age, kind])
    assert [by_age[0][c] for c in ("brown", "grey", "blue", "yellow", "red", "green")] == [14, 6, 8, 9, 6, 6]
    assert [by_age[1][c] for c in ("brown", "grey", "blue", "yellow", "red", "green")] == [8, 6, 8, 10, 9, 8]
    assert [by_age[2][c] for c in ("blue", "yellow", "red", "green")] == [11, 9, 10, 10]


CHAINS = {
    "Baths": ["Aqueduct"],
    "Altar": ["Temple"],
    "Theater": ["Statue"],
    "East Trading Post": ["Forum"],
    "West Trading Post": ["Forum"],
    "Marketplace": ["Caravansery"],
    "Apothecary": ["Stables", "Dispensary"],
    "Workshop": ["Archery Range", "Laboratory"],
    "Scriptorium": ["Courthouse", "Library"],
    "Temple": ["Pantheon"],
    "Statue": ["Gardens"],
    "Forum": ["Haven"],
    "Caravansery": ["Lighthouse"],
    "Walls": ["Fortifications"],
    "Training Ground": ["Circus"],
    "Dispensary": ["Lodge", "Arena"],
    "Laboratory": ["Observatory", "Siege Workshop"],
    "Library": ["University", "Senate"],
    "School": ["Academy", "Study"],
}


def test_the_chains_are_the_printed_ones() -> None:
    pairs = {(p, NAMES[k]) for k in range(len(NAMES)) for p in [NAMES[q] for q in PARENTS[k] if q >= 0]}
    assert pairs == {(parent, child) for parent, children in CHAINS.items() for child in children}


@pytest.mark.parametrize(("parent", "child"), [(p, c) for p, children in CHAINS.items() for c in children])
def test_a_chained_structure_costs_nothing(parent: str, child: str) -> None:
    table = Table(age=2, coins=0).hold(1, child)
    assert not table.can(BUILD, child)
    table.build(1, parent)
    assert table.can(BUILD, child)
    table.play((BUILD, child))
    assert table.s.pay[0].tolist() == [0, 0]


# --- set-up
@pytest.mark.parametrize("seats", range(3, 8))
def test_a_game_starts_with_three_coins_different_boards_and_hands_of_seven(seats: int) -> None:
    s = bw.game("wonders").new(seed=3, seats=seats).record
    assert [s.city[i].coins for i in range(seats)] == [3] * seats
    assert len({s.city[i].board for i in range(seats)}) == seats
    assert all(s.hand[p, i] >= 0 for p in range(seats) for i in range(7))
    assert all(s.city[i].goods == cards.START[s.city[i].board] for i in range(seats))


def test_sides_are_random_or_chosen() -> None:
    game = bw.game("wonders")

    def sides(**options: str) -> set[int]:
        return {game.new(seed=i, seats=7, **options).record.city[j].side for i in range(5) for j in range(7)}

    assert sides() == {0, 1}
    assert sides(sides="A") == {0}
    assert sides(sides="B") == {1}


def test_hands_go_left_in_ages_one_and_three_and_right_in_age_two() -> None:
    for age, receiver in ((1, 2), (2, 3), (3, 2)):
        table = Table(age=age).hold(1, "Tavern", "Pawnshop")
        table.rest_discard()  # everybody discards the first card in the order of kinds
        names = [NAMES[k] for k in table.s.hand[0] if k >= 0]
        assert names == ["Tavern"], "packet 1 stays together"
        assert packet_of(table.s, receiver - 1) == 0, f"Age {age}"


# --- the choice
def test_nobody_builds_a_second_structure_of_one_name() -> None:
    table = Table(age=2).hold(1, "Loom", "Press").build(1, "Loom")  # the Loom of Age I bars that of Age II
    assert not table.can(BUILD, "Loom")
    assert table.can(BUILD, "Press")


def test_any_card_can_be_discarded_for_three_coins() -> None:
    table = Table(coins=0).hold(1, "Palace", "Loom")
    assert table.can(DISCARD, "Palace")
    assert table.can(DISCARD, "Loom")
    table.play((DISCARD, "Palace")).rest_discard()
    assert table.city(1).coins == 3
    assert "Palace" in table.pile()


def test_two_copies_of_a_card_are_one_choice() -> None:
    table = Table().hold(1, "Altar", "Altar")
    assert len(table.state.legal_actions()) == 2  # build or discard


def test_stages_go_in_order_and_end() -> None:
    table = Table("Rhodos B").build(1, "Quarry", "Stone Pit", "Foundry", "Ore Vein").hold(1, "Altar", "Tavern")
    table.play((STAGE, "Altar")).rest_discard()
    assert table.city(1).stages == 1
    assert (table.city(1).shields, table.city(1).coins) == (1, 6)
    table.hold(1, "Altar", "Tavern").play((STAGE, "Altar")).rest_discard()
    assert (table.city(1).stages, table.city(1).shields, table.city(1).coins) == (2, 2, 10)
    table.hold(1, "Altar")
    assert not table.can(STAGE, "Altar")


def test_a_tucked_card_is_no_structure_and_never_returns() -> None:
    table = Table("Gizah A").build(1, "Stone Pit").hold(1, "Loom")
    table.play((STAGE, "Loom")).rest_discard()
    assert not table.city(1).built[kind_of("Loom")]
    assert "Loom" not in table.pile()
    assert table.s.fate[0, 0, 0] == TUCKED


# --- paying
def test_coins_go_to_the_bank() -> None:
    table = Table(coins=1).hold(1, "Mine").play((BUILD, "Mine")).rest_discard()
    assert table.city(1).coins == 0
    assert not Table(coins=0).hold(1, "Mine").can(BUILD, "Mine")


def test_a_good_costs_two_coins_to_the_neighbour_who_makes_it() -> None:
    table = Table("Gizah A", "Rhodos A", "Olympia A").hold(1, "Barracks", "Stockade")
    assert table.payments(BUILD, "Barracks") == {(2, 0)}  # ore on the left
    assert table.payments(BUILD, "Stockade") == {(0, 2)}  # wood on the right
    table.play((BUILD, "Barracks")).rest_discard()
    assert [table.city(i).coins for i in (1, 2, 3)] == [1, 3 + 3 + 2, 6]


def test_nobody_buys_from_afar() -> None:
    table = Table("Gizah A", "Rhodos A", "Olympia A", "Ephesos A", seats=4).hold(1, "Stockade")
    assert not table.can(BUILD, "Stockade")  # the wood is made across the table


@pytest.mark.parametrize(
    ("post", "good", "expected"),
    [
        ("East Trading Post", "Barracks", {(2, 0), (0, 1)}),
        ("West Trading Post", "Barracks", {(1, 0), (0, 2)}),
        ("Marketplace", "Apothecary", {(1, 0), (0, 1)}),
    ],
)
def test_trading_posts_lower_the_price(post: str, good: str, expected: set[tuple[int, int]]) -> None:
    table = Table("Gizah A", payments="undominated").build(1, post).hold(1, good)
    for seat in (2, 3):
        table.build(seat, "Ore Vein", "Loom")
    assert table.payments(BUILD, good) == expected


def test_posts_help_with_raw_goods_and_the_market_with_made_ones_only() -> None:
    table = Table("Gizah A").build(1, "East Trading Post", "West Trading Post").hold(1, "Apothecary", "Barracks")
    table.build(2, "Loom").build(3, "Loom", "Ore Vein")
    assert table.payments(BUILD, "Apothecary") == {(2, 0), (0, 2)}
    assert table.payments(BUILD, "Barracks") == {(1, 0), (0, 1)}
    table = Table("Gizah A").build(1, "Marketplace").hold(1, "Barracks")
    assert table.payments(BUILD, "Barracks") == {(2, 0)}


def test_discounts_do_not_add_up_below_one_coin() -> None:
    table = Table("Olympia B", "Rhodos A").build(1, "West Trading Post").stages(1, 1).hold(1, "Barracks")
    assert table.payments(BUILD, "Barracks") == {(1, 0)}


def test_cheapest_ways_to_different_neighbours_are_different_choices() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A").build(3, "Ore Vein").hold(1, "Barracks")
    assert table.payments(BUILD, "Barracks") == {(2, 0), (0, 2)}
    assert len(set(table.legal())) == len(table.legal())


def test_dearer_ways_are_offered_only_by_option() -> None:
    def table(payments: str) -> Table:
        made = Table("Gizah A", "Rhodos A", "Ephesos A", payments=payments)
        return made.build(1, "West Trading Post").build(3, "Ore Vein").hold(1, "Barracks")

    assert table("cheapest").payments(BUILD, "Barracks") == {(1, 0)}
    assert table("undominated").payments(BUILD, "Barracks") == {(1, 0), (0, 2)}


def test_both_neighbours_can_supply_one_structure() -> None:
    table = Table("Alexandria A", "Rhodos A", "Olympia A", coins=6, age=2).hold(1, "Training Ground")
    table.build(2, "Ore Vein")
    assert table.payments(BUILD, "Training Ground") == {(4, 2)}  # two ore on the left, wood on the right
    assert not table.coins(1, 5).can(BUILD, "Training Ground")
    slipped = Table("Alexandria A", "Rhodos A", "Olympia A", coins=6, age=2, slips="one_neighbour")
    assert not slipped.hold(1, "Training Ground").build(2, "Ore Vein").can(BUILD, "Training Ground")


def test_a_choice_card_gives_one_good_a_turn() -> None:
    table = Table("Alexandria A", "Ephesos A", "Babylon A", age=2, coins=0).build(1, "Timber Yard")
    table.hold(1, "Caravansery")  # two wood
    assert not table.can(BUILD, "Caravansery")
    assert table.build(1, "Tree Farm").can(BUILD, "Caravansery")


def test_a_neighbours_choice_card_is_for_sale_but_only_once() -> None:
    table = Table("Gizah A", "Ephesos A", "Babylon A", coins=9).build(2, "Forest Cave").hold(1, "Barracks", "Stockade")
    assert table.payments(BUILD, "Barracks") == {(2, 0)}
    assert table.payments(BUILD, "Stockade") == {(2, 0)}
    both = table.hold(1, "Archery Range")  # two wood and one ore
    assert not both.can(BUILD, "Archery Range")


@pytest.mark.parametrize("card", ["Forum", "Caravansery"])
def test_yellow_production_is_not_for_sale(card: str) -> None:
    need = {"Forum": "Apothecary", "Caravansery": "Stockade"}[card]
    table = Table("Gizah A", "Ephesos A", "Babylon A", coins=9).hold(1, need)
    assert not table.build(2, card).can(BUILD, need)
    assert table.build(1, card).can(BUILD, need)


def test_alexandrias_production_is_for_its_owner_alone() -> None:
    table = Table("Alexandria A", "Gizah A", "Babylon A", coins=9).stages(1, 2).hold(1, "Stockade").hold(2, "Stockade")
    assert table.payments(BUILD, "Stockade") == {(0, 0)}
    table.play((DISCARD, "Stockade"))
    assert not table.can(BUILD, "Stockade")


def test_both_neighbours_of_a_seller_may_buy_the_same_unit() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A").hold(1, "Barracks").hold(2, "Altar").hold(3, "Barracks")
    table.play((BUILD, "Barracks"), (DISCARD, "Altar"), (BUILD, "Barracks"))
    assert table.city(2).coins == 3 + 3 + 2 + 2


def test_selling_does_not_hinder_own_use() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A").hold(1, "Barracks").hold(2, "Barracks").hold(3, "Altar")
    table.play((BUILD, "Barracks"), (BUILD, "Barracks"), (DISCARD, "Altar"))
    assert table.city(2).shields == 1
    assert table.city(2).coins == 5


def test_coins_received_this_turn_cannot_be_spent_this_turn() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A").hold(1, "Barracks").hold(2, "Mine").coins(2, 0)
    table.play((BUILD, "Barracks"))  # pays two coins to seat 2
    assert not table.can(BUILD, "Mine")


def test_the_palace_can_be_bought_together() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A", age=3, coins=12).hold(1, "Palace")
    table.build(2, "Lumber Yard", "Glassworks", "Clay Pool").build(3, "Loom")
    assert table.payments(BUILD, "Palace") == {(8, 4)}
    assert not table.coins(1, 11).can(BUILD, "Palace")


# --- resolution
def test_counting_coins_see_cards_placed_this_turn() -> None:
    table = Table(age=2).hold(1, "Vineyard").hold(2, "Sawmill").hold(3, "Quarry").build(1, "Stone Pit")
    table.play((BUILD, "Vineyard"), (BUILD, "Sawmill"), (BUILD, "Quarry"))
    assert table.city(1).coins == 3 + 3


@pytest.mark.parametrize(
    ("card", "own", "coins", "points"),
    [
        ("Haven", ["Sawmill", "Quarry"], 2, 2),
        ("Lighthouse", ["Tavern"], 2, 2),  # it counts itself
        ("Chamber of Commerce", ["Loom", "Press"], 4, 4),
        ("Bazar", ["Loom", "Press"], 4, 0),
        ("Tavern", [], 5, 0),
    ],
)
def test_yellow_cards_pay_and_score(card: str, own: list[str], coins: int, points: int) -> None:
    parents = [NAMES[k] for k in PARENTS[kind_of(card)] if k >= 0][:1]
    table = Table(age=3, coins=0).build(1, *own, *[p for p in parents if p != "Caravansery"]).hold(1, card)
    if card == "Lighthouse":
        table.build(1, "Glassworks", "Stone Pit")
    if card == "Chamber of Commerce":
        table.build(1, "Brickyard")
    table.play((BUILD, card)).rest_discard()
    assert table.city(1).coins == coins
    assert table.parts(1)["commerce"] == points


def test_arena_counts_own_stages() -> None:
    table = Table(age=3, coins=0).build(1, "Dispensary").stages(1, 2).hold(1, "Arena")
    table.play((BUILD, "Arena")).rest_discard()
    assert table.city(1).coins == 6
    assert table.parts(1)["commerce"] == 2


# --- powers
def test_olympia_a_builds_once_an_age_for_nothing() -> None:
    table = Table("Olympia A", coins=0, turn=2).stages(1, 2).hold(1, "Palace", "Pantheon", "Altar")
    assert table.can(FREE, "Palace")
    assert not table.can(FREE, "Altar"), "what costs nothing needs no power"
    table.play((FREE, "Palace")).rest_discard()
    assert table.city(1).built[kind_of("Palace")]
    table.s.mover = 0
    assert not table.hold(1, "Pantheon").can(FREE, "Pantheon")


@pytest.mark.parametrize(("slips", "paid"), [("none", 0), ("chains_cost", 2)])
def test_olympias_power_pays_neighbours_nothing_but_by_a_slip(slips: str, paid: int) -> None:
    """The right neighbour could sell the ore of a Barracks."""
    table = Table("Olympia A", "Rhodos A", coins=6, slips=slips).stages(1, 2).hold(1, "Barracks", "Altar")
    table.play((FREE, "Barracks"))
    assert sum(table.s.pay[0]) == paid


def test_olympias_power_comes_back_with_the_next_age_and_not_on_top() -> None:
    table = Table("Olympia A", coins=0, turn=6).stages(1, 2).hold(1, "Palace", "Altar").play((FREE, "Palace"))
    table.rest_discard()
    assert table.s.age == 1
    assert table.hold(1, "Palace", "Senate").can(FREE, "Senate")
    assert not table.can(FREE, "Palace"), "no duplicates"


def test_olympias_power_does_not_build_stages() -> None:
    table = Table("Olympia A", coins=0).stages(1, 2).hold(1, "Palace")
    assert not table.can(STAGE, "Palace")


def test_halikarnassos_builds_from_the_pile_of_this_turn_too() -> None:
    table = Table("Halikarnassos B", coins=0, turn=2).build(1, "Foundry").hold(1, "Altar").hold(2, "Palace")
    table.hold(3, "Mine")
    table.play((STAGE, "Altar"), (DISCARD, "Palace"), (DISCARD, "Mine"))
    assert table.s.phase == DIG
    assert table.state.player == 0
    assert table.can(FROM_PILE, "Palace")
    table.play((FROM_PILE, "Palace"))
    assert table.city(1).points == 8
    assert table.city(1).coins == 0, "for nothing"
    assert table.pile() == ["Mine"]
    assert table.s.turn == 2


def test_halikarnassos_may_build_nothing_and_no_duplicates() -> None:
    table = Table("Halikarnassos B", coins=0).build(1, "Foundry", "Palace").hold(1, "Altar").hold(2, "Palace")
    table.hold(3, "Palace")
    table.play((STAGE, "Altar"), (DISCARD, "Palace"), (DISCARD, "Palace"))
    assert table.state.legal_actions() == [NOTHING]
    table.state.apply(NOTHING)
    assert table.s.turn == 1


def test_without_discards_halikarnassos_is_not_asked() -> None:
    table = Table("Halikarnassos B", coins=0).build(1, "Foundry").hold(1, "Altar").hold(2, "Altar").hold(3, "Altar")
    table.play((STAGE, "Altar"), (BUILD, "Altar"), (BUILD, "Altar"))
    assert table.s.phase != DIG
    assert table.s.turn == 1


def test_on_the_sixth_turn_halikarnassos_sees_the_seventh_cards() -> None:
    table = Table("Halikarnassos A", coins=0, turn=6).stages(1, 1).build(1, "Foundry", "Ore Vein")
    table.hold(1, "Altar", "Circus").hold(2, "Loom", "Arsenal").hold(3, "Press", "Palace")
    table.play((STAGE, "Altar"), (BUILD, "Loom"), (BUILD, "Press"))
    assert table.s.phase == DIG
    assert {NAMES[(a - FROM_PILE)] for a in table.state.legal_actions() if a != NOTHING} == {
        "Circus",
        "Arsenal",
        "Palace",
    }
    table.play((FROM_PILE, "Arsenal"))
    assert (table.city(1).victory, table.city(2).defeats, table.city(3).defeats) == (2, 1, 1), "its shields count now"


def test_babylon_b_plays_its_seventh_card_and_pays() -> None:
    table = Table("Babylon B", coins=2, turn=6).stages(1, 2).hold(1, "Mine", "Excavation")
    table.play((BUILD, "Mine")).rest_discard()
    assert table.s.phase == SEVENTH
    assert table.state.player == 0
    table.play((BUILD, "Excavation"))
    assert table.city(1).coins == 0
    assert table.city(1).built[kind_of("Excavation")]
    assert table.s.age == 1


def test_babylon_b_may_use_the_stage_just_built_and_build_the_next_or_discard() -> None:
    table = Table("Babylon B", coins=0, turn=6).stages(1, 1).build(1, "Sawmill", "Glassworks", "Brickyard", "Press")
    table.hold(1, "Altar", "Mine").play((STAGE, "Altar")).rest_discard()
    assert table.s.phase == SEVENTH
    assert table.can(STAGE, "Mine")
    assert table.can(DISCARD, "Mine")
    table.play((STAGE, "Mine"))
    assert table.city(1).stages == 3


def test_babylon_a_has_no_seventh_card() -> None:
    table = Table("Babylon A", turn=6).stages(1, 2).hold(1, "Mine", "Excavation").rest_discard()
    assert table.s.age == 1


def test_a_card_babylon_discards_can_be_dug_up() -> None:
    table = Table("Babylon B", "Halikarnassos B", coins=0, turn=6).stages(1, 2).build(2, "Foundry")
    table.hold(1, "Altar", "Palace").hold(2, "Altar", "Loom").hold(3, "Altar", "Press")
    table.play((BUILD, "Altar"), (STAGE, "Altar"), (BUILD, "Altar"), (DISCARD, "Palace"))
    assert table.s.phase == DIG
    assert table.can(FROM_PILE, "Palace")


@pytest.mark.parametrize(
    ("board", "stage", "field", "expected"),
    [
        ("Ephesos A", 2, "coins", 9),
        ("Ephesos B", 1, "coins", 4),
        ("Ephesos B", 2, "coins", 4),
        ("Ephesos B", 3, "coins", 4),
        ("Rhodos A", 2, "shields", 2),
        ("Rhodos B", 1, "coins", 3),
        ("Rhodos B", 2, "coins", 4),
    ],
)
def test_stages_that_pay_or_arm(board: str, stage: int, field: str, expected: int) -> None:
    table = Table(board, coins=0).stages(1, stage - 1)
    before = getattr(table.city(1), field)
    table.build(
        1, "Sawmill", "Quarry", "Stone Pit", "Brickyard", "Clay Pool", "Foundry", "Ore Vein", "Loom", "Glassworks"
    )
    table.hold(1, "Altar").play((STAGE, "Altar")).rest_discard()
    assert getattr(table.city(1), field) - before == expected


@pytest.mark.parametrize("place", sorted(STAGE_ROWS))
def test_every_stage_asks_for_exactly_its_cost(place: tuple[int, int]) -> None:
    board = f"{BOARD_NAMES[place[0]]} {'AB'[place[1]]}"
    for number, stage in enumerate(STAGE_ROWS[place]):
        table = Table(board, "Gizah A" if place[0] != cards.GIZAH else "Rhodos A", coins=0).stages(1, number)
        table.hold(1, "Palace")
        city = table.city(1)
        city.extras = city.choices = 0
        city.goods = stage.need
        assert table.can(STAGE, "Palace"), f"{board} stage {number + 1} with its goods"
        for good in range(7):
            if stage.need >> (8 * good) & 127:
                city.goods = stage.need - (1 << (8 * good))
                assert not table.can(STAGE, "Palace"), f"{board} stage {number + 1} without {cards.GOODS[good]}"


# --- conflicts
@pytest.mark.parametrize(("age", "token"), [(1, 1), (2, 3), (3, 5)])
def test_conflicts_give_tokens_to_each_neighbour_pair(age: int, token: int) -> None:
    table = Table(seats=4, age=age, turn=6).build(1, "Stockade", "Barracks").build(2, "Stockade").build(4, "Stockade")
    table.rest_discard()
    assert [table.city(i).victory for i in (1, 2, 3, 4)] == [2 * token, token, 0, token]
    assert [table.city(i).defeats for i in (1, 2, 3, 4)] == [0, 1, 2, 1]


def test_equal_shields_give_nothing() -> None:
    table = Table(turn=6).rest_discard()
    assert [(table.city(i).victory, table.city(i).defeats) for i in (1, 2, 3)] == [(0, 0)] * 3


def test_after_the_sixth_turn_the_rest_is_discarded_for_no_coins() -> None:
    table = Table(turn=6, coins=0).hold(1, "Altar", "Palace").hold(2, "Altar", "Loom").hold(3, "Altar", "Press")
    table.play((BUILD, "Altar"), (BUILD, "Altar"), (BUILD, "Altar"))
    assert table.pile() == ["Loom", "Palace", "Press"]
    assert [table.city(i).coins for i in (1, 2, 3)] == [0, 0, 0]


# --- slips of Madrid's program
def test_madrids_slips_are_variants() -> None:
    s = bw.game("wonders").new(seed=1, seats=5, slips="all").record
    assert [s.city[i].coins for i in range(5)] == [0] * 5
    table = Table("Gizah A", "Rhodos A", "Babylon A", slips="all").hold(1, "Barracks")
    assert table.payments(BUILD, "Barracks") == {(2, 0)}, "clay of the right neighbour, paid to the left"
    assert not table.build(2, "Mine").hold(1, "Workshop").can(BUILD, "Workshop")


def test_the_number_of_decisions_is_18_a_seat_and_more_for_powers() -> None:
    game = bw.game("wonders")
    random = np.random.default_rng(5)
    for seed in range(20):
        state = game.new(seed=seed, seats=3)
        asked = extra = 0
        while not state.is_terminal:
            extra += state.record.phase in (DIG, SEVENTH)
            asked += 1
            legal = state.legal_actions()
            state.apply(legal[random.integers(len(legal))])
        assert asked - extra == 18 * 3


@pytest.mark.parametrize("seats", [3, 7])
def test_all_cards_of_the_game_are_counted_guilds_together(seats: int) -> None:
    state = bw.game("wonders").new(seed=1, seats=seats)
    counts = np.zeros(NUM_PIECE_KINDS, np.int64)
    piece_counts(state.record, counts)
    assert counts.sum() == 3 * 7 * seats
    assert counts[-1] == seats + 2, "guilds"
