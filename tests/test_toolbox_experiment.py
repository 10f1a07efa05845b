"""The experiment that plays each tool against plain search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boardwright as bw
from boardwright.arena.record import GameRecord
from boardwright.experiments import tables
from boardwright.experiments.tables import Stored
from boardwright.experiments.toolbox import EXPERIMENTS, GROUNDS, TIME, Ground, cells, first_places, judge, verdict


@pytest.mark.parametrize("ground", GROUNDS, ids=lambda ground: f"{ground.game}-{ground.tools[0].name}")
def test_every_tool_fits_its_game(ground: Ground) -> None:
    game = bw.game(ground.game)
    assert ground.seats % 2 == 0, "half of the seats have the tool"
    game.check_seats(ground.seats)
    bw.agent(ground.plain, game, 0)
    for tool in ground.tools:
        agent = bw.agent(ground.spec(tool), game, 0)
        agent.check_seats(ground.seats)
        assert agent.clock == "cpu", "equal time on a busy machine"  # type: ignore[attr-defined]


def test_cells_have_files_of_their_own() -> None:
    keys = [ground.key(tool) for ground, tool in cells()]
    assert len(set(keys)) == len(keys)


def test_the_clock_of_a_game_has_the_time_of_its_decisions() -> None:
    ground = Ground("connect_four", 2, 0.002, 15, "uct:playout=random", (TIME,))
    assert ground.spec(TIME) == "uct:playout=random,game_seconds=0.03,clock=cpu"
    assert ground.plain == "uct:playout=random,seconds=0.002,clock=cpu"


def record(order: list[int], returns: list[float]) -> GameRecord:
    seats = len(order)
    return GameRecord(
        game="wonders",
        seats=seats,
        seed=0,
        agents=["random"] * seats,
        actions=[],
        scores=returns,
        returns=returns,
        order=order,
    )


def test_a_shared_first_place_is_a_shared_win() -> None:
    """Entrants 0 and 2 have the tool."""
    assert first_places([record([0, 1, 2, 3], [1, 0, 0, 0])]) == 1
    assert first_places([record([1, 0, 2, 3], [1, 0, 0, 0])]) == 0
    assert first_places([record([3, 2, 1, 0], [1, 1, 0, 0])]) == 0.5


def test_a_tool_helps_if_the_interval_lies_above_one_half() -> None:
    won, lost = record([0, 1], [1, 0]), record([0, 1], [0, 1])
    assert judge([won] * 30 + [lost] * 5)["verdict"] == "helps"
    assert judge([won] * 5 + [lost] * 30)["verdict"] == "harms"
    assert judge([won] * 3 + [lost] * 2)["verdict"] == "no difference above 39 points"


STORED = Path(__file__).parent.parent / "docs" / "results" / "toolbox.json"


def test_the_stored_result_is_of_the_experiment_as_it_is_declared_now() -> None:
    """Who changes a spec or the seed reruns the experiment; cells with fewer games than declared say how many."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert stored["seed"] == EXPERIMENTS["toolbox"].seed
    declared = [ground.about(tool) for ground, tool in cells()]
    assert [{name: cell[name] for name in declared[0]} for cell in stored["cells"]] == declared
    assert all(cell["verdict"] == verdict(cell["low"], cell["high"]) for cell in stored["cells"])


def test_the_table_says_how_much_a_tool_is_worth_at_most_if_it_had_enough_games() -> None:
    def cell(tool: str, games: int, low: float, high: float) -> dict[str, object]:
        about = {"tool": tool, "game": "race", "games": games, "share": (low + high) / 2, "low": low, "high": high}
        return {**about, "plain": "uct", "options": {}, "verdict": verdict(low, high)}

    found = [cell("a", 216, 0.46, 0.6), cell("b", 48, 0.4, 0.6), cell("c", 216, 0.6, 0.7), cell("d", 48, 0.1, 0.3)]
    stored = Stored([{"cells": found}])
    rows = {row[0]: row[-1] for row in tables.tools(stored)[1:]}
    assert rows == {"a": "53 (46–60) ≤ 10", "b": "*50 (40–60)*", "c": "65 (60–70) **helps**", "d": "*20 (10–30)* harms"}
    assert tables.tool_bases(stored)[1] == ("Race", "`uct`", "48 to 216")
