"""Agents that do not always play what they think best: how wide they choose, and the companion."""

from __future__ import annotations

import random

import pytest

import boardwright as bw
from boardwright.arena.holding import HoldingStudy
from boardwright.arena.match import Match
from boardwright.arena.record import parse_record
from boardwright.arena.standings import Standings
from boardwright.executors import InProcess
from boardwright.reports.console import as_text
from boardwright.reports.holding import holding_report
from boardwright.reports.standings import standings_as_json, standings_section
from boardwright.search.companion import nearest
from boardwright.search.root_choice import Candidate
from boardwright.search.width import Width, complexities
from tests.test_connect_four import after


def test_online_tuning_widens_while_it_wins_and_narrows_while_it_loses() -> None:
    width = Width(9, tuned=True)
    tops = []
    for mean in (0.6, 0.6, 0.5, 0.2, 0.9):
        width.after(mean)
        tops.append(width.top)
    assert tops == [10, 10, 9, 8, 9], "within 1 to 10; even is not won"
    narrow = Width(1, tuned=True)
    narrow.after(0.0)
    assert narrow.top == 1


def test_simple_positions_are_played_narrowly(connect_four: bw.Game) -> None:
    """Seven columns are the most there can be; with one left, a seventh of the width is used."""
    width = Width(8, complexity=complexities(connect_four)["cx0"])
    full = after(connect_four, "").observation(0)
    state = after(connect_four, "121212212121343434434343565656656565")
    assert len(state.legal_actions()) == 1
    assert width.at(full) == 8
    assert width.at(state.observation(state.player)) == 2


def test_complexity_of_lords_of_war_counts_cards_and_threats() -> None:
    game = bw.game("lords")
    state = game.new(seed=3)
    assert {name: measure(state.observation(0)) for name, measure in complexities(game).items() if name != "cx0"} == {
        "cx1": 0,
        "cx2": 0,
        "cx3": 0,
        "cx4": 0,
    }
    state.apply(state.legal_actions()[0])
    measures = complexities(game)
    assert measures["cx4"](state.observation(0)) == 1
    assert measures["cx3"](state.observation(0)) == 0
    assert measures["cx3"](state.observation(1)) == 1
    assert measures["cx2"](state.observation(0)) >= measures["cx1"](state.observation(0)) > 0


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("uct:tune=true", "tune needs `top` and a `select` that draws"),
        ("uct:tune=true,top=3", "tune needs `top` and a `select` that draws"),
        ("uct:complexity=cx0,select=robust_rand", "complexity needs `top`"),
        ("uct:complexity=cx9,select=robust_rand,top=3", "unknown complexity 'cx9'"),
    ],
)
def test_a_width_that_is_not_there_cannot_change(connect_four: bw.Game, spec: str, complaint: str) -> None:
    with pytest.raises(bw.errors.BoardwrightError, match=complaint):
        bw.agent(spec, connect_four, 0)


def test_records_tell_how_often_the_best_move_was_chosen() -> None:
    """RobustChild always plays it; drawing among two plays it about every other time. `random` does not say."""
    always, half = "uct:iterations=50", "uct:iterations=50,select=robust_rand,top=2"
    match = Match("connect_four", (always, half), seed=1)
    records = [parse_record(match.play(index).line()) for index in range(6)]
    standings = Standings.of(match.entrants, records)
    first, second = standings.entrants
    assert first.best_move_rate == 1
    assert second.decisions > 30
    assert 0.25 < (second.best_move_rate or 0) < 0.75, "50 decisions stray so far once in 2,000 matches"
    assert "best move" in as_text_of(standings)
    assert standings_as_json(standings)["agents"][1]["best_move_rate"] == second.best_move_rate
    silent = Match("connect_four", ("random", "random"), seed=1).play(0)
    assert "best_moves" not in silent.line()
    assert parse_record(silent.line()) == silent


def as_text_of(standings: Standings) -> str:
    from boardwright.reports.report import Report

    return as_text(Report([standings_section(bw.game("connect_four"), standings)]))


def test_a_record_with_marks_that_mean_nothing_is_refused() -> None:
    record = Match("connect_four", ("uct:iterations=5", "random"), seed=1).play(0)
    with pytest.raises(bw.errors.BadRecord, match="best_moves"):
        parse_record(record.line().replace('"best_moves":["1', '"best_moves":["x'))


def test_a_companion_takes_the_action_nearest_to_its_aim() -> None:
    actions = [Candidate(0, 50, 0.9), Candidate(1, 30, 0.55), Candidate(2, 20, 0.1)]
    chance = random.Random(1)
    assert nearest(actions, 0.55, chance).action == 1
    assert nearest(actions, 0.95, chance).action == 0, "the best there is"
    assert nearest(actions, 0.0, chance).action == 2


def test_between_two_actions_a_companion_draws_so_that_the_mean_is_the_aim() -> None:
    """Win or lose at once: with an aim of 0.3 it wins three times in ten. 1,000 draws stray by 0.05 once in 2,000."""
    chance = random.Random(7)
    actions = [Candidate(0, 50, 1.0), Candidate(1, 50, 0.0)]
    won = sum(nearest(actions, 0.3, chance).mean for _ in range(1000)) / 1000
    assert won == pytest.approx(0.3, abs=0.05)


def test_the_report_of_a_companion_compares_aims_with_results() -> None:
    study = HoldingStudy("connect_four", [0.5], ["random", "ismcts:iterations=20"], "iterations=60", seed=1)
    study.check()
    found = study.run(6, InProcess())
    assert [held.games for held in found] == [6, 6]
    report = holding_report(bw.game("connect_four"), study, found)
    assert [row["opponent"] for row in report.data["held"]] == ["random", "ismcts:iterations=20"]
    assert "aims at" in as_text(report)
    with pytest.raises(bw.errors.BadSpec, match=r"a chance of 1\.5 for each of 1 opponents cannot be aimed at"):
        HoldingStudy("connect_four", [1.5], ["random"]).check()


@pytest.mark.slow
def test_a_companion_follows_its_aim() -> None:
    """60 games each, seed 1. Plain search of the same budget leaves this opponent hardly a game."""
    study = HoldingStudy("connect_four", [0.3, 0.7], ["uct:iterations=20"], "iterations=500", seed=1)
    little, much = study.run(60, InProcess())
    assert little.share < 0.35
    assert much.share > 0.6
