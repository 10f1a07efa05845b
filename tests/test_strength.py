"""One ladder per game, on the scale of its references, by one command."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from boardwright.agents.levels import COMPANION, STRONGEST, levels
from boardwright.arena.ladder import bradley_terry
from boardwright.bench import ladders, timing
from boardwright.bench.ladders import LADDERS, RatedLadder, StrengthLadder, known, level_ratings, rating_shown
from boardwright.bench.references import DATA, Anchor
from boardwright.files import read_json
from boardwright.registry import load_game, make_agent
from tests.test_cli import run


def test_a_ladder_is_played_rated_and_timed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = StrengthLadder("kuhn_poker", 2, ("ismcts:{time}",))
    monkeypatch.setattr(ladders, "LADDERS", (few,))
    monkeypatch.setattr(timing, "TIMED_DECISIONS", 5)
    command = ["strength", "kuhn_poker", "--games", "40", "--seconds", "0.001", "--results", "found"]
    assert run(capsys, *command)[0] == 0
    found = RatedLadder.model_validate(read_json(Path("found/strength-kuhn_poker-2-1ms.json")))
    newcomers = {"ismcts:seconds=0.001,clock=cpu", "ismcts:iterations=60"}
    rated = {anchor.spec: anchor for anchor in found.agents}
    assert newcomers <= set(rated)
    assert found.games == 40
    assert all(rated[spec].milliseconds > 0 and rated[spec].games >= 20 for spec in newcomers)
    assert {spec: rated[spec] for spec in rated if spec not in newcomers} == {
        anchor.spec: anchor for anchor in few.anchors()
    }, "references keep their ratings"
    games = sorted(Path("ladders").iterdir())
    before = [file.read_bytes() for file in games]
    assert run(capsys, *command)[0] == 0, "what was played is kept"
    assert [file.read_bytes() for file in games] == before
    kept = {file: file.read_bytes() for file in DATA.iterdir()}
    for _ in range(2):
        assert run(capsys, *command[:-2])[0] == 0
    assert Path("ladders/strength-kuhn_poker-2-1ms.json").is_file()
    assert {file: file.read_bytes() for file in DATA.iterdir()} == kept, "the package keeps its own ratings"
    assert "there is no ladder for chess; there are ladders for kuhn_poker" in run(capsys, "strength", "chess")[2]


def test_with_more_time_only_those_who_take_a_time_are_rated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    timed, untimed = StrengthLadder("kuhn_poker", 2, ("ismcts:{time}",)), StrengthLadder("kuhn_poker", 2, ())
    monkeypatch.setattr(ladders, "LADDERS", (timed,))
    monkeypatch.setattr(ladders, "DATA", tmp_path)
    monkeypatch.setattr(timing, "TIMED_DECISIONS", 5)
    specs = "optimal", "ismcts:seconds=0.001,clock=cpu", "ismcts:iterations=60", "random"
    less = [Anchor(spec=spec, elo=-10 * i, error=5, games=10, milliseconds=1) for i, spec in enumerate(specs)]
    rating = RatedLadder(
        game="kuhn_poker", seats=2, seconds=0.001, seed=1, games=1, version="0", command="", agents=tuple(less)
    )
    ladders.write(timed, rating, tmp_path)
    assert run(capsys, "strength", "kuhn_poker", "--games", "20", "--seconds", "0.002")[0] == 0
    found = RatedLadder.model_validate(read_json(Path("ladders/strength-kuhn_poker-2-2ms.json")))
    assert {one.spec: one for one in found.agents if one.spec != "ismcts:seconds=0.002,clock=cpu"} == {
        one.spec: one for one in less
    }, "the others keep the ratings that they have with less time"
    assert len(found.agents) == len(less) + 1
    ladders.write(timed, found, tmp_path)
    assert {one.spec for one in known("kuhn_poker", 2)} == {one.spec for one in found.agents}
    assert known("kuhn_poker", 2, less_than=0.002) == tuple(less)
    monkeypatch.setattr(ladders, "LADDERS", (untimed,))
    assert "nobody takes a time" in run(capsys, "strength", "kuhn_poker", "--seconds", "0.002")[1]


def test_who_comes_to_a_ladder_later_is_rated_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = StrengthLadder("kuhn_poker", 2, ("ismcts:{time}",))
    after = StrengthLadder("kuhn_poker", 2, ("ismcts:{time}", "uct:iterations=20"))
    monkeypatch.setattr(ladders, "DATA", tmp_path)
    monkeypatch.setattr(timing, "TIMED_DECISIONS", 5)
    specs = "optimal", "ismcts:seconds=0.001,clock=cpu", "ismcts:iterations=60", "random"
    on_it = tuple(Anchor(spec=spec, elo=-10 * i, error=5, games=10, milliseconds=1) for i, spec in enumerate(specs))
    rating = RatedLadder(
        game="kuhn_poker", seats=2, seconds=0.001, seed=1, games=1, version="0", command="", agents=on_it
    )
    ladders.write(before, rating, tmp_path)
    command = "strength", "kuhn_poker", "--games", "20", "--seconds", "0.001", "--add"
    monkeypatch.setattr(ladders, "LADDERS", (before,))
    assert "nobody is new" in run(capsys, *command)[1]
    monkeypatch.setattr(ladders, "LADDERS", (after,))
    assert run(capsys, *command)[0] == 0
    found = RatedLadder.model_validate(read_json(Path("ladders/strength-kuhn_poker-2-1ms.json")))
    assert [one for one in found.agents if one.spec != "uct:iterations=20"] == list(on_it)
    assert len(found.agents) == len(on_it) + 1
    assert found.command.endswith("--seed 1 --add")


def test_a_ladder_that_there_is_not_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = run(capsys, "strength", "race", "--seats", "9")
    assert code
    assert "there is no ladder with 9 seats; there are some with 2, 3, 4" in " ".join(said.split())


def test_a_level_has_the_rating_with_the_most_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lords = load_game("lords")
    spec = levels(lords, 2)[STRONGEST]
    with_time = [
        Anchor(spec=spec.replace("seconds=2", f"seconds={s}") + ",clock=cpu", elo=e, error=9, games=9, milliseconds=1)
        for s, e in (("0.1", 1400), ("0.01", 1300))
    ]
    found = RatedLadder(
        game="lords", seats=2, seconds=0.1, seed=1, games=1, version="0", command="", agents=tuple(with_time)
    )
    monkeypatch.setattr(ladders, "DATA", tmp_path)
    ladders.write(StrengthLadder("lords", 2, ()), found, tmp_path)
    assert rating_shown(level_ratings(lords, 2)[STRONGEST]) == "+1400 ± 18 with 100 ms"


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: f"{ladder.game}-{ladder.seats}")
def test_everybody_on_a_ladder_can_be_seated(ladder: StrengthLadder) -> None:
    game = load_game(ladder.game)
    for spec in ladder.newcomers(0.01):
        make_agent(spec, game, 0)


def test_what_is_uncertain_about_references_counts_for_those_who_met_them() -> None:
    """Two newcomers: one met a reference, the other one only the first newcomer."""
    before = np.array([[0, 50.0, 50], [50, 0, 0], [50, 0, 0]])
    fixed = np.array([np.nan, np.nan, 0.0])
    _, sure = bradley_terry(before, fixed=fixed, fixed_errors=np.zeros(3))
    _, unsure = bradley_terry(before, fixed=fixed, fixed_errors=np.array([0, 0, 0.5]))
    assert unsure[2] == 0.5
    for newcomer in (0, 1):
        assert math.sqrt(unsure[newcomer] ** 2 - sure[newcomer] ** 2) == pytest.approx(0.5, abs=0.05)


def test_levels_have_the_ratings_of_their_specs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lords = load_game("lords")
    own = {one.spec: one for one in StrengthLadder("lords", 2, ()).anchors()}
    by_reference = {level: own[spec] for level, spec in levels(lords, 2).items() if spec in own}
    timed = Anchor(
        spec=f"{levels(lords, 2)[STRONGEST].replace('seconds=2', 'seconds=0.01')},clock=cpu",
        elo=1300,
        error=20,
        games=40,
        milliseconds=1,
    )
    agents = (timed, *own.values())
    found = RatedLadder(game="lords", seats=2, seconds=0.01, seed=1, games=1, version="0", command="", agents=agents)
    monkeypatch.setattr(ladders, "DATA", tmp_path)
    assert len(by_reference) >= 2
    assert level_ratings(lords, 2) == by_reference, "without a ladder, those of the references"
    ladders.write(StrengthLadder("lords", 2, ()), found, tmp_path)
    rated = level_ratings(lords, 2)
    assert rated == by_reference | {STRONGEST: timed}
    assert rating_shown(rated[STRONGEST]) == "+1300 ± 39 with 10 ms", "it has more time as a level"


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: f"{ladder.game}-{ladder.seats}")
def test_levels_are_points_on_the_ladder_the_weakest_first(ladder: StrengthLadder) -> None:
    game = load_game(ladder.game)
    offered = [level for level in levels(game, ladder.seats) if level != COMPANION]
    rated = level_ratings(game, ladder.seats)
    if not known(ladder.game, ladder.seats):
        pytest.skip("this ladder is not played yet")
    assert [level for level in offered if level in rated] == offered
    ratings = [rated[level].elo for level in offered]
    if ladder.game != "kuhn_poker":  # nobody there wins much more often than others
        assert ratings == sorted(ratings)
