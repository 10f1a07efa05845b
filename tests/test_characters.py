"""Characters: opponents with a name, as data; how they are found, refused, rated and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.agents.characters import STRENGTHS, called, cast_of, read_cast
from boardwright.agents.levels import in_full
from boardwright.arena.ladder import Results
from boardwright.arena.match import Match
from boardwright.arena.runner import default_record_file
from boardwright.cli import app
from boardwright.errors import BadSpec, UnknownName
from boardwright.experiments.model import Verdict
from boardwright.experiments.sephton_style import equivalence
from boardwright.playstyle.calibration import Round, next_handicaps, rated
from boardwright.playstyle.foresight import appetite, standardised
from boardwright.playstyle.style_search import Trial, elites, tilts_in
from boardwright.web.catalogue import about
from boardwright.web.limits import Limits
from boardwright.web.specs import check_spec, seats_of

WITH_CHARACTERS = {"race": 6, "wonders": 6, "lords": 6, "colonizers": 4}


def a_cast(**changes: Any) -> dict[str, Any]:
    one = {"name": "the drifter", "about": "Drifts. Rarely lands.", "strengths": {"strong": {"spec": "random"}}}
    return {"game": "kuhn_poker", "seats": 2, "anchors": {"strong": {"spec": "optimal"}}, "characters": [one]} | changes


def written(folder: Path, cast: dict[str, Any]) -> Path:
    file = folder / "mine.json"
    file.write_text(json.dumps(cast), encoding="utf-8")
    return file


@pytest.mark.parametrize(("name", "count"), WITH_CHARACTERS.items())
def test_games_have_characters_at_three_strengths_with_two_sentences(name: str, count: int) -> None:
    game = bw.game(name)
    cast = cast_of(game)
    assert cast is not None
    assert len(cast.characters) >= count
    for character in cast.characters:
        assert set(character.strengths) == set(STRENGTHS)
        assert character.about.count(". ") == 1
        assert character.about.endswith(".")
        for strength, version in character.strengths.items():
            bw.agent(version.spec, game, 0)
            assert in_full(f"{character.name}:strength={strength}", game) == version.spec
            assert called(version.spec, game) == f"{character.name}, {strength}"


def test_a_character_is_a_spec_wherever_one_is_taken() -> None:
    game = bw.game("race")
    merchant = in_full("The Merchant", game)
    assert merchant == in_full("the merchant:strength=strong", game)
    assert Match("race", ("the merchant", "random")).entrants[0] == merchant
    assert "Consume-Trade" in merchant


def test_a_character_that_is_not_there_is_answered_with_the_nearest_name() -> None:
    game = bw.game("race")
    with pytest.raises(UnknownName, match="did you mean 'the merchant'"):
        bw.match(game, "the merchent", "random", games=1)
    with pytest.raises(UnknownName, match="did you mean 'easy'"):
        in_full("the merchant:strength=eesy", game)
    with pytest.raises(BadSpec, match="strength"):
        in_full("the merchant:margin=1", game)


def test_a_file_of_ones_own_is_data_and_runs_nothing(tmp_path: Path) -> None:
    game = bw.game("kuhn_poker")
    file = written(tmp_path, a_cast())
    assert in_full(f"{file}#the drifter", game) == "random"
    with pytest.raises(UnknownName, match="the drifter"):
        in_full(f"{file}#the driftr", game)
    for spec in ("script:./run-me.sh", "isolated:(evil.py)", "human", "evil.py", "tilted:agent=(script:ls)"):
        version = {"name": "the thief", "about": "Steals. Runs.", "strengths": {"strong": {"spec": spec}}}
        with pytest.raises(BadSpec, match="cannot be played by"):
            read_cast(written(tmp_path, a_cast(characters=[version])), game)
    for wrong, why in (
        (a_cast(game="race"), "of race"),
        (a_cast(more=1), "more"),
        (a_cast(characters=[{"name": "x"}]), "name"),
        (a_cast(characters=a_cast()["characters"] * 2), "same name"),
    ):
        with pytest.raises(BadSpec, match=why):
            read_cast(written(tmp_path, wrong), game)
    file.write_text("no JSON")
    with pytest.raises(BadSpec, match="not JSON"):
        read_cast(file, game)


def test_matches_that_differ_in_the_sign_of_a_tilt_are_recorded_in_different_files() -> None:
    def file(sign: str) -> Path:
        spec = f"tilted:agent=(ismcts:iterations=60),likes=rows advanced{sign}0.1,margin=0.3,variety=0.05"
        return default_record_file(Match("lords", (spec, f"{spec},risk=0.1"), seed=0))

    assert file("+") != file("-")


def test_ratings_are_even_at_half_and_grow_with_the_share() -> None:
    even = rated([1.0, 0.0] * 50)
    assert abs(even.elo) < 1
    assert even.low < -40 < 40 < even.high
    assert rated([1.0] * 75 + [0.0] * 25).elo == pytest.approx(191, abs=8)
    assert rated([1.0] * 20).elo > 400


def test_handicaps_are_set_where_the_lines_of_all_rounds_meet_the_target() -> None:
    """Three characters whose ratings fall with their handicaps as told, and the anchor at 0: results as expected."""
    levels, slopes = np.array([0.5, 0.0, -0.4]), np.array([-0.6, -0.5, -0.7])

    def played(*handicaps: float) -> Round:
        strength = np.append(levels + slopes * handicaps, 0.0)
        results = Results("abc!")
        results.before = 500 / (1 + np.exp(strength[None, :] - strength[:, None]))
        np.fill_diagonal(results.before, 0.0)
        return Round(handicaps, results)

    found = next_handicaps([played(0.5, -0.5, 0.5), played(-0.5, 0.5, -0.5)], target=0.0)
    assert found == pytest.approx(-levels / slopes, abs=0.08)
    assert levels + slopes * found == pytest.approx(0.0, abs=0.06)  # 10 points of Elo


def test_the_page_offers_characters_and_takes_them_but_no_tilts_of_its_own() -> None:
    game, limits = bw.game("race"), Limits()
    offered = {one["name"]: one for one in about(game, limits)["characters"]}
    assert offered["the merchant"]["seats"] == list(seats_of("netsearch", "race"))
    spec = str(check_spec("the merchant:strength=easy", game, 2, limits, {}))
    assert str(check_spec(spec, game, 2, limits, {})) == spec  # as a saved table names it
    with pytest.raises(BadSpec, match="cannot be set from a page"):
        check_spec("tilted:agent=(netsearch),likes=military+0.3", game, 2, limits, {})


def test_the_command_shows_characters_and_calibrates_those_of_a_file(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["characters", "lords"])
    assert shown.exit_code == 0, shown.output
    assert "the raider" in shown.output
    file = written(tmp_path, a_cast())
    command = ["characters", "kuhn_poker", "--calibrate", "--file", str(file), "--games", "12"]
    for _ in range(2):
        done = CliRunner().invoke(
            app, [*command, "--folder", str(tmp_path / "games"), "--json", str(tmp_path / "c.json")]
        )
        assert done.exit_code == 0, done.output
    cast = read_cast(file, bw.game("kuhn_poker"))
    rating = cast.characters[0].strengths["strong"].rating
    assert rating is not None
    assert rating.games == 12
    assert json.loads((tmp_path / "c.json").read_text())["strengths"]["strong"]["characters"][0]["games"] == 12


def test_risk_prefers_wide_outcomes_and_safety_narrow_ones() -> None:
    outcomes = {1: [0.0, 0.0, 0.0, 0.0], 2: [-4.0, -4.0, 4.0, 4.0]}
    assert appetite(outcomes, 0.1)[2] > appetite(outcomes, 0.1)[1] == 0
    assert appetite(outcomes, -0.1)[2] < 0 == appetite(outcomes, -0.1)[1]
    assert standardised({1: [0.0, 2.0], 2: [2.0, 4.0]})[2] > 0


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("likes=points: science+5", "points: science"),
        ("risk=5,horizon=2", "risk"),
        ("middle=cx0,middle_weight=5", "mid-range complexity"),
    ],
)
def test_tilts_that_look_ahead_name_themselves(spec: str, named: str) -> None:
    game = bw.game("wonders")
    agent = bw.agent(f"tilted:agent=(ismcts:iterations=40,exploration=1),margin=1,{spec}", game, 0, seed=3)
    decision = agent.decide(game.new(seed=4, seats=3).observation(0))
    assert f"likes {named}" in decision.summary
    chosen = next(reason for reason in decision.reasons if reason.action == decision.action)
    assert f"{named} +" in chosen.note


def test_an_unknown_measure_of_complexity_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="cx0"):
        bw.agent("tilted:agent=(uct),middle=cx9", bw.game("connect_four"), 0)


def test_the_map_keeps_in_each_cell_what_is_nearest_to_the_wanted_strength() -> None:
    def trial(number: int, share: float, x: float) -> Trial:
        return Trial(number=number, spec="random", share=share, games=4, behaviour=(x, 0.0))

    found = elites([trial(0, 0.1, 0.0), trial(1, 0.45, 0.05), trial(2, 0.9, 1.0)], target=0.5)
    assert {cell: one.number for cell, one in found.items()} == {(0, 0): 1, (4, 0): 2}
    assert tilts_in("tilted:agent=(uct),likes=rows advanced-0.1/edge+0.2") == {"rows advanced": -0.1, "edge": 0.2}


def test_a_search_that_was_stopped_goes_on_to_the_same_map(tmp_path: Path) -> None:
    command = ["style", "search", "colonizers", "--by", "General", "--by", "Miner", "--axes", "length", "red modules"]
    command += ["--strength", "easy", "--games", "2", "--folder", str(tmp_path / "games")]

    def trials(name: str, *counts: int) -> str:
        for count in counts:
            done = CliRunner().invoke(app, [*command, "--trials", str(count), "--out", str(tmp_path / name)])
            assert done.exit_code == 0, done.output
            if count != counts[-1]:
                with (tmp_path / name).open("a") as file:
                    file.write('{"cut off')
        return (tmp_path / name).read_text()

    assert trials("stopped", 1, 3) == trials("whole", 3)
    wrong = CliRunner().invoke(app, [*command[:3], "--by", "Generl", "--axes", "length", "points"])
    assert "General" in str(wrong.exception)


def test_equal_strength_is_shown_by_many_games_alone() -> None:
    assert equivalence(300, 600).verdict is Verdict.HOLDS
    assert equivalence(5, 10).verdict is Verdict.OPEN
    assert equivalence(60, 300).verdict is Verdict.FAILS
    assert equivalence(0, 10).p_value > 0.5
