"""The players of 7 Wonders: Madrid's do what his report says, ours wins, learning and reports hold together."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import boardwright as bw
from boardwright import registry
from boardwright.errors import BadSpec
from boardwright.experiments import load_experiment
from boardwright.experiments.run import run_experiment
from boardwright.games.wonders import learn, madrid
from boardwright.games.wonders.agents import TABLES, load_table
from boardwright.games.wonders.batch import HEURISTIC, LEARNER, RANDOM, RBAI1, play_many
from boardwright.games.wonders.cards import KINDS, NAMES, kind_of
from tests.wonders_table import Table


def choice(table: Table, spec: str, seed: int = 0) -> str:
    observation = table.state.observation(table.state.player)
    decision = bw.agent(spec, table.game, observation.seat, seed=seed).decide(observation)
    return table.game.describe(table.state, decision.action)


def choices(table: Table, spec: str) -> set[str]:
    return {choice(table, spec, seed) for seed in range(20)}


# --- Madrid's players
def test_random_builds_whatever_it_can() -> None:
    table = Table(coins=0).hold(1, "Altar", "Loom", "Palace")
    assert choices(table, "madrid_random") == {"build Altar", "build Loom"}


def test_random_draws_a_card_and_then_a_way_to_pay_for_it() -> None:
    """Two ways to pay for the Stockade do not make it likelier than the Altar: 300 of 600, give or take 49 (four
    standard errors); and each way is taken in half of them."""
    table = Table("Gizah A").build(2, "Lumber Yard").build(3, "Lumber Yard").hold(1, "Stockade", "Altar")
    found = Counter(choice(table, "madrid_random", seed) for seed in range(600))
    ways = ["build Stockade (2 to the left)", "build Stockade (2 to the right)"]
    assert set(found) == {"build Altar", *ways}
    assert abs(found["build Altar"] - 300) < 49
    assert abs(found[ways[0]] - found[ways[1]]) < 70


def test_a_stage_is_a_last_resort_and_a_discard_the_very_last() -> None:
    table = Table("Gizah A", coins=0).build(1, "Stone Pit").hold(1, "Palace", "Pantheon")
    assert choices(table, "madrid_random") == {"tuck Palace for stage 1", "tuck Pantheon for stage 1"}
    table = Table("Gizah A", coins=0).hold(1, "Palace", "Pantheon")
    assert choices(table, "madrid_random") == {"discard Palace for 3 coins", "discard Pantheon for 3 coins"}


def test_rbai1_takes_goods_then_shields_points_and_science() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A")
    assert choices(table.hold(1, "Timber Yard", "Lumber Yard", "Altar"), "rbai1") == {
        "build Timber Yard (1 coin to the bank)"
    }
    assert choices(table.hold(1, "Lumber Yard", "Ore Vein", "Altar"), "rbai1") == {"build Lumber Yard"}, "ore is near"
    assert choices(table.hold(1, "Theater", "Pawnshop", "Tavern"), "rbai1") == {"build Pawnshop"}
    table.build(1, "Lumber Yard")
    assert choices(table.hold(1, "Stockade", "Pawnshop"), "rbai1") == {"build Stockade"}
    assert choices(table.hold(1, "School", "Tavern").build(1, "Press"), "rbai1") == {"build School"}


def test_as_described_the_first_rules_of_rbai_are_about_cards_of_any_colour() -> None:
    """The report: a card of two different goods; a card with a good that neither the city nor a neighbour makes."""
    table = Table("Gizah A", "Rhodos A", "Ephesos A").build(1, "Brickyard")
    assert choices(table.hold(1, "Forum", "Aqueduct", "Altar"), "rbai1") == {"build Forum"}
    assert choices(table, "rbai1:as_coded=true") == {"build Altar"}
    assert not madrid.fits(table.s, 0, madrid.SEVERAL_GOODS, kind_of("Sawmill"), 0), "two of one good are not two goods"
    assert madrid.fits(table.s, 0, madrid.SEVERAL_GOODS, kind_of("Sawmill"), 1), "but in his code they are"
    for name, new in (("Forum", True), ("Sawmill", True), ("Ore Vein", False), ("Altar", False)):
        assert madrid.fits(table.s, 0, madrid.NEW_GOODS, kind_of(name), 0) == new, name


def test_rbai2_begins_with_science() -> None:
    table = Table("Gizah A").build(1, "Press").hold(1, "Timber Yard", "Scriptorium")
    assert choices(table, "rbai2") == {"build Scriptorium"}


def test_slips_of_the_code_change_the_rules_of_rbai() -> None:
    table = Table("Gizah A", "Rhodos A", "Ephesos A").hold(1, "Ore Vein", "Pawnshop")
    assert choices(table, "rbai1") == {"build Pawnshop"}, "a neighbour has ore"
    assert choices(table, "rbai1:as_coded=true") == {"build Ore Vein"}
    table = Table("Gizah A", coins=0).build(1, "Stone Pit").hold(1, "Tavern")
    assert choices(table, "rbai1") == {"tuck Tavern for stage 1"}
    assert choices(table, "rbai1:as_coded=true") == {"discard Tavern for 3 coins"}


def test_learner_builds_the_card_of_the_highest_value(tmp_path: Path) -> None:
    values = dict.fromkeys(NAMES, 0.0) | {"Altar": 2.0, "Loom": 1.0, "Palace": 9.0}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"values": values}))
    table = Table(coins=0).hold(1, "Altar", "Loom", "Palace", "Theater")
    assert choice(table, f"learner:table={file}") == "build Altar"


def test_a_missing_table_is_named() -> None:
    with pytest.raises(BadSpec, match="no table 'nonsense'"):
        bw.agent("learner:table=nonsense", bw.game("wonders"), 0)


@pytest.mark.parametrize("rule", learn.RULES)
def test_every_update_rule_has_a_table_that_comes_with_the_game(rule: str) -> None:
    assert load_table(rule).shape == (KINDS,)


# --- strength, with fixed seeds: limits four standard errors below what 10,000 games showed
def share_of_wins(player: int, games: int = 2_000, **options: object) -> float:
    """Of one player in a random seat against four RANDOM."""
    seat = np.random.default_rng(3).integers(5, size=games)
    who = np.full((games, 5), RANDOM, np.int64)
    who[np.arange(games), seat] = player
    return float(play_many(who, seed=3, **options).wins[np.arange(games), seat].mean())  # type: ignore[arg-type]


def test_our_rules_beat_four_random_in_85_percent_of_games() -> None:
    assert share_of_wins(HEURISTIC) > 0.87


def test_the_averaged_learner_beats_four_random_in_60_percent_of_games() -> None:
    values = learn.train("win_share", 4_000, 1)
    assert share_of_wins(LEARNER, values=values) > 0.6


def test_rbai_under_madrids_slips_is_no_better_than_random_as_he_found() -> None:
    assert 0.16 < share_of_wins(RBAI1, slips="all", as_coded=True) < 0.24
    assert share_of_wins(RBAI1) > 0.48, "under the exact rules, as described, it is"


def test_counting_rewards_common_cards_and_averaging_good_ones() -> None:
    assert share_of_wins(LEARNER, values=learn.train("rank_sum", 2_000, 1)) < 0.3
    assert share_of_wins(LEARNER, values=learn.train("rank_mean", 2_000, 1)) > 0.55


def test_search_beats_random_players() -> None:
    game, wins = bw.game("wonders"), 0
    for seed in range(10):
        state = game.new(seed=seed, seats=4)
        agents = [
            bw.agent("ismcts:iterations=200" if i == seed % 4 else "random", game, i, seed=seed) for i in range(4)
        ]
        while not state.is_terminal:
            state.apply(agents[state.player].decide(state.observation(state.player)).action)
        wins += max(state.returns) == state.returns[seed % 4]
    assert wins >= 9


@pytest.mark.parametrize("spec", ["maxn:depth=2", "flat:iterations=20", "uct:iterations=40", "ismcts:variant=mo"])
def test_the_house_agents_play_it(spec: str) -> None:
    game = bw.game("wonders")
    state = game.new(seed=2, seats=3)
    spec = spec + ",iterations=30" if spec.startswith("ismcts") else spec
    for _ in range(6):
        observation = state.observation(state.player)
        decision = bw.agent(spec, game, state.player).decide(observation)
        assert decision.action in observation.legal_actions()
        state.apply(decision.action)
    assert state.record.turn == 2, "two turns of three seats"


def test_the_heuristic_gives_its_reasons() -> None:
    table = Table().hold(1, "Altar", "Loom")
    observation = table.state.observation(0)
    decision = bw.agent("heuristic", table.game, 0).decide(observation)
    assert decision.reasons[0].action == decision.action
    assert len(decision.reasons) == len(observation.legal_actions())


def test_a_table_that_comes_with_the_game_reruns_from_its_seed() -> None:
    saved = json.loads((TABLES / "win_share.json").read_text())
    again = learn.train(saved["rule"], saved["games"], saved["seed"], seats=saved["seats"], rounds=saved["rounds"])
    assert saved["values"] == dict(learn.best_first(again))


# --- experiments
@pytest.mark.parametrize(
    ("name", "seats"), [("madrid-55", 5), ("madrid-55-learner", 5), ("madrid-56", 5), ("madrid-57", 3)]
)
def test_madrids_experiments_can_be_run(name: str, seats: int) -> None:
    experiment = load_experiment(name)
    game = bw.game(experiment.game)
    for arrangement in experiment.arrangements:
        match = arrangement.match(experiment.game, experiment.seed)
        assert len(match.entrants) == seats
        for seat, spec in enumerate(match.entrants):
            registry.make_agent(spec, game, seat)


@pytest.mark.parametrize(("name", "picture"), [("madrid-56", "scores.png"), ("madrid-57", "places.png")])
def test_figures_of_which_only_captions_survive_are_drawn_again(name: str, picture: str) -> None:
    console = Console(width=120, file=io.StringIO())
    assert run_experiment(load_experiment(name), console, games=6, folder=Path("out"))
    folder = Path("out", name)
    result = json.loads((folder / "result.json").read_text())
    assert (folder / picture).stat().st_size > 10_000
    if name == "madrid-56":
        assert list(result["scores"]) == ["rbai_as_run", "rbai_exact", "learner_as_run", "learner_exact"]
        assert all(sum(row["scores"].values()) == 6 for row in result["scores"].values())
    else:
        assert list(result["places"]["exact"]) == ["rbai1", "learner:table=win_share", "madrid_random"]
        for place in range(3):
            assert sum(row["places"][place] for row in result["places"]["exact"].values()) == 6


def test_tables_are_learned_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from boardwright.cli import main

    file = tmp_path / "values.json"
    with pytest.raises(SystemExit) as done:
        main(["learn", "wonders", "--rule", "rank_mean", "--games", "200", "--out", str(file)])
    assert not done.value.code
    assert len(json.loads(file.read_text())["values"]) == KINDS
    assert "Palace" in capsys.readouterr().out
