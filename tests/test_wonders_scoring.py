"""7 Wonders: counting points, all ten guilds, ties (docs/rules/wonders.md, section 10)."""

from __future__ import annotations

import itertools

import pytest

import boardwright as bw
from boardwright.games.wonders.cards import BOARD_NAMES, STAGE_ROWS
from boardwright.games.wonders.scoring import science, symbols_score
from boardwright.games.wonders.state import FINISHED
from tests.wonders_table import Table


def test_sets_and_squares() -> None:
    assert symbols_score(2, 2, 4) == 38
    assert symbols_score(1, 1, 1) == 10
    assert symbols_score(0, 3, 0) == 9


def test_free_symbols_are_set_to_what_is_best() -> None:
    for a, b, c, free in itertools.product(range(5), range(5), range(5), range(3)):
        best = 0
        for chosen in itertools.product(range(3), repeat=free):
            best = max(best, symbols_score(*(n + chosen.count(i) for i, n in enumerate((a, b, c)))))
        assert science(a, b, c, free) == best


def test_treasury_wonder_and_blue_cards() -> None:
    table = Table("Gizah A", coins=8).stages(1, 3).build(1, "Palace", "Altar")
    assert table.parts(1) == {
        "military": 0,
        "treasury": 2,
        "wonder": 15,
        "civilian": 10,
        "science": 0,
        "commerce": 0,
        "guilds": 0,
    }


@pytest.mark.parametrize(
    ("board", "points"),
    [
        ("Alexandria A", 10),
        ("Alexandria B", 7),
        ("Babylon A", 10),
        ("Babylon B", 3),
        ("Ephesos A", 10),
        ("Ephesos B", 10),
        ("Gizah A", 15),
        ("Gizah B", 20),
        ("Halikarnassos A", 10),
        ("Halikarnassos B", 3),
        ("Olympia A", 10),
        ("Olympia B", 5),
        ("Rhodos A", 10),
        ("Rhodos B", 7),
    ],
)
def test_complete_wonders(board: str, points: int) -> None:
    name, side = board.split()
    table = Table(board).stages(1, len(STAGE_ROWS[BOARD_NAMES.index(name), "AB".index(side)]))
    assert table.parts(1)["wonder"] == points


def test_military_tokens_can_cost_points() -> None:
    table = Table()
    table.city(1).victory, table.city(1).defeats = 4, 6
    assert table.parts(1)["military"] == -2


@pytest.mark.parametrize("board", ["Babylon A", "Babylon B"])
def test_babylon_has_a_free_symbol(board: str) -> None:
    table = Table(board).stages(1, 2 if board.endswith("A") else 3).build(1, "Apothecary", "Workshop")
    assert table.parts(1)["science"] == 10


def test_scientists_guild_and_babylon_together() -> None:
    table = Table("Babylon A").stages(1, 2).build(1, "Scientists Guild", "Apothecary")
    assert table.parts(1)["science"] == 10
    assert table.parts(1)["guilds"] == 0


LEFT = ["Sawmill", "Loom", "Tavern", "School", "Stockade", "Altar"]
RIGHT = ["Quarry", "Brickyard", "Press", "Marketplace", "Study", "Library", "Walls", "Palace"]


@pytest.mark.parametrize(
    ("guild", "points"),
    [
        ("Workers Guild", 3),
        ("Craftsmens Guild", 2 * 2),
        ("Traders Guild", 2),
        ("Philosophers Guild", 3),
        ("Spies Guild", 2),
        ("Strategists Guild", 3),
        ("Shipowners Guild", 1 + 1 + 1),  # Lumber Yard, Glassworks and itself
        ("Magistrates Guild", 2),
        ("Builders Guild", 1 + 2 + 3),
    ],
)
def test_guilds(guild: str, points: int) -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A", "Olympia A", seats=4)
    table.build(2, *LEFT).build(4, *RIGHT).build(1, "Lumber Yard", "Glassworks", guild).build(3, "Mine", "Senate")
    table.stages(1, 1).stages(2, 2).stages(4, 3).stages(3, 3)
    table.city(2).defeats, table.city(4).defeats, table.city(3).defeats = 1, 2, 6
    assert table.parts(1)["guilds"] == points


def test_scientists_guild_is_a_free_symbol() -> None:
    table = Table().build(1, "Scientists Guild", "Apothecary", "Workshop")
    assert table.parts(1)["science"] == 10


def test_olympia_b_copies_the_best_guild_of_a_neighbour() -> None:
    table = Table("Olympia B", "Rhodos A", "Ephesos A", "Gizah A", seats=4).build(2, "Workers Guild", "Mine")
    table.build(4, "Magistrates Guild", "Altar", "Palace").build(3, "Spies Guild")
    assert table.parts(1)["guilds"] == 0
    table.stages(1, 3)
    assert table.parts(1)["guilds"] == 2  # blue cards of seats 2 and 4; the other would give one


def test_olympias_copy_is_no_card_in_its_city() -> None:
    table = Table("Olympia B").stages(1, 3).build(2, "Shipowners Guild").build(1, "Mine")
    assert table.parts(1)["guilds"] == 1, "a copied Shipowners Guild does not count itself"


def test_olympia_copies_a_guild_it_also_owns_and_scientists() -> None:
    table = Table("Olympia B").stages(1, 3).build(1, "Apothecary", "Workshop").build(2, "Scientists Guild")
    assert table.parts(1)["guilds"] == 8, "from 2 to 10 points"
    table = Table("Olympia B").stages(1, 3).build(1, "Mine", "Shipowners Guild").build(2, "Shipowners Guild")
    assert table.parts(1)["guilds"] == 2 + 2


def finished(coins: tuple[int, ...], **options: object) -> bw.State:
    table = Table(seats=len(coins), **options)
    for seat, number in enumerate(coins, 1):
        table.coins(seat, number)
    table.s.phase, table.s.mover = FINISHED, -1
    return table.state


def test_more_coins_break_a_tie() -> None:
    assert finished((6, 7, 2)).returns == (0.25, 1, 0)
    assert finished((6, 7, 2)).scores == (2, 2, 0)


def test_equal_coins_share_the_victory() -> None:
    assert finished((7, 7, 2)).returns == (0.5 * 0.5 + 0.5 * 0.75, 0.625, 0)


def test_without_the_tie_break_equal_scores_are_equal() -> None:
    assert finished((6, 7, 2), slips="no_tie_break").returns == (0.625, 0.625, 0)
