"""7 Wonders: boards by option, and the slips of Madrid's program one by one."""

from __future__ import annotations

import pytest

import boardwright as bw
from boardwright.arena.loop import play_game
from boardwright.errors import BadSpec
from boardwright.games.wonders.cards import BOARD_NAMES
from boardwright.games.wonders.slips import MEANINGS
from boardwright.games.wonders.state import BUILD, DEAR, DIG, DISCARD, FREE, FROM_PILE, STAGE, kind_in
from tests.wonders_table import Table


def boards(seed: int = 1, seats: int = 5, **options: str) -> list[str]:
    s = bw.game("wonders").new(seed=seed, seats=seats, **options).record
    return [f"{BOARD_NAMES[s.city[i].board]} {'AB'[s.city[i].side]}" for i in range(seats)]


# --- boards
def test_a_seat_gets_the_board_and_side_it_asks_for() -> None:
    for seed in range(20):
        assert boards(seed, boards="gizah-A,random,rhodos-B")[::2][:2] == ["Gizah A", "Rhodos B"]


def test_other_seats_get_any_of_the_other_boards() -> None:
    dealt = [boards(seed, boards="random,olympia-B") for seed in range(300)]
    assert all(len({name.split()[0] for name in row}) == 5 for row in dealt)
    assert {row[0] for row in dealt} == {f"{name} {side}" for name in BOARD_NAMES for side in "AB" if name != "Olympia"}


def test_a_name_alone_leaves_the_side_open() -> None:
    assert {boards(seed, boards="gizah")[0] for seed in range(30)} == {"Gizah A", "Gizah B"}
    assert {boards(seed, boards="gizah", sides="B")[0] for seed in range(30)} == {"Gizah B"}
    assert boards(boards="gizah-A", sides="B")[0] == "Gizah A"


def test_boards_not_asked_for_are_dealt_as_ever() -> None:
    assert boards(7) == boards(7, boards="random")


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ("gizah-A,gizah-B", "boards=gizah-A,gizah-B has gizah twice"),
        ("athens-A", "boards=athens-A has no 'athens-A'"),
        ("gizah,rhodos,ephesos,olympia,babylon,alexandria", "has 6 entries for 5 seats"),
    ],
)
def test_boards_that_cannot_be_are_refused(asked: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        boards(boards=asked)


# --- slips
@pytest.mark.parametrize("slip", MEANINGS)
def test_games_with_each_slip_come_to_an_end(slip: str) -> None:
    game = bw.game("wonders")
    for seed in range(3):
        state = game.new(seed=seed, seats=3, slips=slip, boards="halikarnassos-B,olympia-A,babylon-B")
        agents = [bw.agent(spec, game, i) for i, spec in enumerate(("random", "rbai1:as_coded=true", "heuristic"))]
        final = play_game(state, agents)
        assert final.record.age == 2, "the third Age was played"
        assert max(final.returns) > 0, "somebody came first"


def test_chained_builds_pay_neighbours_on_credit() -> None:
    table = Table("Gizah A", "Rhodos A", "Babylon A", age=2, coins=1, slips="chains_cost")
    table.build(1, "Baths").build(2, "Stone Pit", "Stone Pit").hold(1, "Aqueduct").hold(2, "Altar").hold(3, "Altar")
    assert table.payments(BUILD, "Aqueduct") == {(4, 0)}, "two stone of three from the left"
    table.play((BUILD, "Aqueduct"), (BUILD, "Altar"), (BUILD, "Altar"))
    assert table.city(1).coins == -3
    assert table.city(2).coins == 5


def test_chained_builds_are_free_where_nobody_could_supply_them() -> None:
    table = Table("Gizah A", "Rhodos A", "Babylon A", age=2, slips="chains_cost").build(1, "Baths").hold(1, "Aqueduct")
    assert table.payments(BUILD, "Aqueduct") == {(0, 0)}


def test_debts_cost_a_point_for_every_three_coins() -> None:
    for coins, points in ((-1, 0), (-3, -1), (-5, -1), (5, 1)):
        assert Table(coins=coins).parts(1)["treasury"] == points


def test_olympias_free_build_pays_too() -> None:
    table = Table("Olympia A", "Gizah A", "Rhodos A", coins=2, slips="chains_cost").stages(1, 2).hold(1, "Baths")
    table.hold(2, "Altar").hold(3, "Altar").play((FREE, "Baths"), (BUILD, "Altar"), (BUILD, "Altar"))
    assert table.city(1).coins == 0
    assert table.city(2).coins == 4


def test_a_build_may_lose_a_coin_when_a_card_on_offer_costs_one() -> None:
    table = Table("Gizah A", slips="double_coins").hold(1, "Altar", "Clay Pit")
    dear = [action for action in table.state.legal_actions() if action >= DEAR]
    assert [table.game.describe(table.state, action) for action in dear] == [
        "build Clay Pit (1 coin to the bank, 1 coin lost)",
        "build Altar (1 coin lost)",
    ]
    table.hold(2, "Baths").hold(3, "Altar")
    table.state.apply(dear[1])
    table.play((DISCARD, "Baths"), (BUILD, "Altar"))
    assert table.city(1).coins == 2
    assert not [a for a in Table(slips="double_coins").hold(1, "Altar").state.legal_actions() if a >= DEAR]
    assert not [a for a in Table().hold(1, "Altar", "Clay Pit").state.legal_actions() if a >= DEAR]


def test_rbai_as_coded_loses_the_coin_of_the_first_card_it_could_build() -> None:
    lost = set()
    for left in ("Rhodos A", "Rhodos B", "Ephesos A", "Ephesos B", "Babylon A", "Babylon B", "Olympia B"):
        table = Table("Gizah A", left, slips="double_coins").hold(1, "Altar", "Clay Pit", "Timber Yard")
        observation = table.state.observation(0)
        action = bw.agent("rbai1:as_coded=true", table.game, 0).decide(observation).action
        lost.add(action >= DEAR)
        assert bw.agent("rbai1", table.game, 0).decide(observation).action < DEAR
    assert lost == {True, False}, "in some orders of the hand the first card costs a coin, in others not"


def test_as_coded_one_seed_makes_the_same_choice_all_game_long() -> None:
    table = Table("Gizah A", "Rhodos A").hold(1, "Altar", "Baths", "Theater", "Pawnshop")
    observation = table.state.observation(0)
    chosen = {
        bw.agent("madrid_random:as_coded=true", table.game, 0, seed=i).decide(observation).action for i in range(20)
    }
    assert len(chosen) == 1
    assert len({bw.agent("madrid_random", table.game, 0, seed=i).decide(observation).action for i in range(20)}) > 1


def test_ephesos_copies_the_guild_of_its_left_neighbour() -> None:
    def guilds(board: str, owner: int, slips: str) -> int:
        table = Table(board, "Rhodos A", "Gizah A", age=3, slips=slips).stages(1, 3)
        return table.build(owner, "Workers Guild").build(2, "Ore Vein").parts(1)["guilds"]

    assert guilds("Ephesos A", 2, "ephesos_copies") == 1
    assert guilds("Ephesos A", 3, "ephesos_copies") == 0, "not of the right one"
    assert guilds("Olympia B", 2, "ephesos_copies") == 0
    assert guilds("Olympia B", 3, "none") == 1
    assert guilds("Ephesos A", 2, "none") == 0


def late(turn: int, age: int = 1, slips: str = "late_digging") -> Table:
    table = Table("Halikarnassos B", coins=0, turn=turn, age=age, slips=slips).build(1, "Foundry")
    table.hold(1, "Altar", "Baths").hold(2, "Stockade", "Baths").hold(3, "Tavern", "Baths")
    return table.play((STAGE, "Altar"), (DISCARD, "Stockade"), (DISCARD, "Tavern"))


def test_what_is_dug_out_takes_effect_a_turn_later() -> None:
    table = late(turn=2).play((FROM_PILE, "Stockade"))
    assert table.city(1).shields == 0
    assert table.city(1).colours[4] == 1, "it stands and counts"
    table.rest_discard()
    assert table.s.city[0].shields == 1


def test_shields_dug_out_on_the_sixth_turn_miss_the_conflicts() -> None:
    assert late(turn=6).play((FROM_PILE, "Stockade")).city(1).victory == 0
    assert late(turn=6, slips="none").play((FROM_PILE, "Stockade")).city(1).victory == 2


def test_effects_dug_out_on_the_last_turn_are_lost_but_points_count() -> None:
    table = late(turn=6, age=3).play((FROM_PILE, "Stockade"))
    assert table.state.is_terminal
    assert table.city(1).shields == 0


def test_the_last_cards_are_not_yet_in_the_pile() -> None:
    def kinds(table: Table) -> int:
        assert table.s.phase == DIG
        return len({kind_in(action) for action in table.state.legal_actions()}) - 1

    assert kinds(late(turn=6)) == 2
    assert kinds(late(turn=6, slips="none")) == 3
    assert late(turn=6).play((FROM_PILE, "Stockade")).pile() == ["Baths", "Baths", "Baths", "Tavern"]
