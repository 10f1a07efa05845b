"""Results as Python objects, and how they print."""

from __future__ import annotations

import json
from pathlib import Path

import boardwright as bw


def test_a_match_gives_figures_games_and_a_table() -> None:
    result = bw.match("connect_four", "uct:iterations=100", "random", games=10, seed=1)
    assert (result.games, result.agents[0].spec) == (10, "uct:iterations=100")
    assert result.agents[0].wins == sum(record.returns[record.order.index(0)] > 0 for record in result.records)
    assert [record.index for record in result.records] == list(range(10))
    assert result.records[0].final().is_terminal
    assert "uct:iterations=100" in str(result)
    assert "win rate" in str(result)
    assert "<td>uct:iterations=100</td>" in result._repr_html_()
    assert json.loads(json.dumps(result.to_dict()))["games"] == 10
    assert not list(Path().iterdir()), "nothing is written unless asked for"
    again = bw.match(bw.game("connect_four"), "uct:iterations=100", "random", games=10, seed=1, record="games.jsonl")
    assert again.records == result.records
    assert Path("games.jsonl").read_text().count("\n") == 10


def test_a_ladder_and_a_balance_study_give_objects() -> None:
    ladder = bw.ladder("kuhn_poker", "random", "optimal", games=40, out="tables")
    assert {rating.spec for rating in ladder.ratings} == {"random", "optimal"}
    assert "ladder" in repr(ladder)
    assert list(Path("tables").iterdir())
    balance = bw.balance("kuhn_poker", "random", games=20)
    assert len(balance.records) == 20
    assert "Kuhn poker" in str(balance)


def test_a_decision_says_its_reasons_in_words(connect_four: bw.Game) -> None:
    agent = bw.agent("uct:iterations=200", connect_four, 0, seed=1)
    said = str(agent.decide(connect_four.new(seed=1).observation(0)))
    assert said.startswith("column ")
    assert "→ column" in said
    assert "visits" in said
    assert repr(bw.Decision(3, (bw.Reason(3, value=0.5),))) == "<Decision 3>\naction 3\n→ action 3: expects +0.500"


def test_an_agent_shows_what_it_is(connect_four: bw.Game) -> None:
    assert repr(bw.agent("uct:iterations=200", connect_four, 1)) == "<uct:iterations=200: O in connect_four>"
    assert repr(bw.agent("random", connect_four, 0)) == "<random: X in connect_four>"


def test_a_notebook_draws_positions_and_prints_those_without_pictures(dice_race: bw.Game) -> None:
    race = bw.game("race").new(seed=1)
    assert (race._repr_svg_() or "").startswith("<svg")
    assert race.observation(0)._repr_svg_() != race._repr_svg_()
    assert dice_race.new(seed=1)._repr_svg_() is None
