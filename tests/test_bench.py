"""Ratings against reference opponents that stay as they are."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from boardwright.arena.ladder import Ladder, Results, bradley_terry
from boardwright.arena.seeds import HiddenSeed, Seeds
from boardwright.arena.standings import Z95
from boardwright.bench import rating
from boardwright.bench.calibration import cheapest_table, next_table, trace
from boardwright.bench.rating import bench_seeds, measure
from boardwright.bench.references import SETS, Anchor, RatedSet, References, rated
from boardwright.bench.tables import BlockRun, block_size
from boardwright.executors import InProcess
from boardwright.kernel import Game
from tests.test_cli import run

RATED = [one for one in SETS if one.file.is_file()]


def test_every_set_has_eight_references_and_every_game_that_comes_with_the_package_has_one() -> None:
    assert {one.game for one in SETS} >= {"connect_four", "kuhn_poker", "race", "lords", "colonizers", "wonders"}
    assert all(len(set(one.specs)) >= 8 for one in SETS)
    assert all("seconds" not in spec for one in SETS for spec in one.specs), "they play the same on every machine"


@pytest.mark.parametrize("references", RATED, ids=lambda one: f"{one.game}-{one.seats}")
def test_ratings_of_references_are_known_as_well_as_they_say(references: References) -> None:
    found = rated(references)
    assert {anchor.spec for anchor in found.anchors} == set(references.specs), "rated again since they were declared?"
    assert all(Z95 * anchor.error <= found.within + 1 for anchor in found.anchors)
    assert abs(sum(anchor.elo for anchor in found.anchors)) < 1
    assert [anchor.elo for anchor in found.anchors] == sorted(anchor.elo for anchor in found.anchors)


@pytest.mark.slow
@pytest.mark.parametrize("references", RATED, ids=lambda one: f"{one.game}-{one.seats}")
def test_references_play_as_they_did_when_they_were_rated(references: References) -> None:
    found = rated(references)
    assert trace(references, [anchor.spec for anchor in found.anchors]) == found.trace, (
        "an agent or a network has changed; `boardwright bench GAME --calibrate` rates the references again"
    )


def test_known_strengths_stay_and_the_others_are_found_around_them() -> None:
    before = np.array([[0, 75.0], [25, 0]])
    strengths, errors = bradley_terry(before, fixed=np.array([np.nan, 1.0]))
    free, free_errors = bradley_terry(before)
    assert strengths[1] == 1.0
    assert errors[1] == 0
    assert strengths[0] - strengths[1] == pytest.approx(math.log(3), abs=0.05)
    assert free[0] - free[1] == pytest.approx(math.log(3), abs=0.05)
    assert errors[0] > free_errors[0], "a difference to a known number is less certain than that to the mean of both"


def test_calibration_lets_neighbours_meet() -> None:
    """Strengths 0, 1, 2 and 9: with the last one, only its neighbour says something; the others have met enough."""
    strength = np.array([0.0, 1.0, 2.0, 6.0])
    wins = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    met = np.full((4, 4), 200.0)
    np.fill_diagonal(met, 0)
    table = next_table(met * wins, [(a, b) for a in range(4) for b in range(a + 1, 4)], 20)
    assert table == (2, 3)


def test_a_newcomer_meets_whoever_tells_most_for_their_time() -> None:
    """Of two references that are as strong as the newcomer the quick one is met, and rather than one who is far off
    the slow one."""
    tables, equal, far = [(0, 1), (0, 2), (1, 2)], np.array([np.nan, 0.0, 0.0]), np.array([np.nan, 0.0, 6.0])
    costs = np.array([1.0, 20.0, 1.0])
    before = np.zeros((3, 3))
    before[0, 1] = before[1, 0] = 20
    assert cheapest_table(before, tables, 10, 0, costs, equal) == (0, 2)
    assert cheapest_table(before, tables, 10, 0, costs, far) == (0, 1)


def test_a_newcomer_does_not_meet_the_quickest_alone() -> None:
    """Two who suit each other badly would give a wrong rating, however often they meet."""
    tables, equal = [(0, 1), (0, 2), (1, 2)], np.array([np.nan, 0.0, 0.0])
    costs, before = np.array([1.0, 5.0, 0.1]), np.zeros((3, 3))
    assert cheapest_table(before, tables, 10, 0, costs, equal) == (0, 2)
    before[0, 2] = before[2, 0] = 60
    assert cheapest_table(before, tables, 10, 0, costs, equal) == (0, 1)


def test_blocks_seat_everybody_everywhere() -> None:
    assert [block_size(seats) % math.factorial(seats) for seats in (2, 3, 4)] == [0, 0, 0]
    assert all(block_size(seats) >= 20 for seats in (2, 3, 4))


def test_a_block_is_played_once(kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = Ladder(kuhn, ("random", "optimal"), 2, seed=3)
    first = BlockRun(ladder, tmp_path, InProcess())
    games = [*first.play((0, 1)), *first.play((0, 1))]
    assert len({record.seed for record in games}) == first.games == 40, "the next block has other deals"
    monkeypatch.setattr("boardwright.arena.match.Match.play", lambda *_: pytest.fail("played again"))
    again = BlockRun(ladder, tmp_path, InProcess())
    assert [*again.play((0, 1)), *again.play((0, 1))] == games
    assert (again.results.before == first.results.before).all()


def coins(spread: float = 200.0) -> RatedSet:
    """References of Kuhn poker with ratings that are made up."""
    specs = ("optimal", "maxn", "flat:iterations=5", "ismcts:iterations=5")
    anchors = [
        Anchor(spec=spec, elo=spread * (place - 1.5), error=12, games=600, milliseconds=0.1)
        for place, spec in enumerate(specs)
    ]
    return RatedSet(
        game="kuhn_poker",
        seats=2,
        seed=1,
        games=1,
        within=25,
        version="0",
        command="",
        anchors=tuple(anchors),
        trace="",
    )


def test_games_stay_valid_when_others_come_to_the_ladder(kuhn: Game, tmp_path: Path) -> None:
    def ladder(*specs: str) -> BlockRun:
        return BlockRun(Ladder(kuhn, specs, 2, seed=3, seeds_by_spec=True), tmp_path, InProcess(), least_block=2)

    before = ladder("optimal", "random")
    records = [before.play((0, 1)) for _ in range(2)]
    after = ladder("maxn", "optimal", "random")
    after.read([(0, 1), (0, 2), (1, 2)])
    assert after.played == {(1, 2): 2}, "what was played is read, and nothing else is played"
    assert [after.results.before[1, 2], after.results.before[2, 1]] == [
        before.results.before[0, 1],
        before.results.before[1, 0],
    ]
    assert len(records[0]) == 2


def test_a_newcomer_has_the_rating_that_its_results_say() -> None:
    """Anchors at -300 to 300; the newcomer is at 100 and its results are just as expected."""
    references = coins()
    specs = ("newcomer", *(anchor.spec for anchor in references.anchors))
    results = Results(specs)
    for place, anchor in enumerate(references.anchors, 1):
        share = 1 / (1 + 10 ** ((anchor.elo - 100) / 400))
        results.before[0, place], results.before[place, 0] = 1000 * share, 1000 * (1 - share)
    seeds = Seeds(seed=0, salt=0, hidden_seed=False)
    found = rating.result("newcomer", list(references.anchors), results, 4000, seeds)
    assert found.elo == pytest.approx(100, abs=2)
    assert all(met.share == pytest.approx(met.expected, abs=0.01) for met in found.met)
    sure = [anchor.model_copy(update={"error": 0.0}) for anchor in references.anchors]
    exact = rating.result("newcomer", sure, results, 4000, seeds)
    assert exact.high - exact.low < found.high - found.low, "what is uncertain about the references counts"
    assert found.high - found.low < 2 * Z95 * 12, "but less than any one of them"


def test_most_games_are_against_equals_and_the_run_goes_on(
    kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[int] = []
    found = measure(kuhn, coins(300), "random", 200, tmp_path, InProcess(), heard.append)
    assert heard == list(range(20, 201, 20))
    games = {met.anchor.spec: met.games for met in found.met}
    assert sum(games.values()) == found.games == 200
    assert len(games) == 4
    assert max(games.values()) > 2 * min(games.values())
    monkeypatch.setattr("boardwright.arena.match.Match.play", lambda *_: pytest.fail("played again"))
    assert measure(kuhn, coins(300), "random", 200, tmp_path, InProcess(), heard.append) == found


def test_a_reference_does_not_meet_itself(kuhn: Game, tmp_path: Path) -> None:
    found = measure(kuhn, coins(), "maxn", 20, tmp_path, InProcess(), lambda _: None)
    assert "maxn" not in [met.anchor.spec for met in found.met]


def test_a_seed_follows_from_the_agent_or_is_hidden(kuhn: Game, connect_four: Game, tmp_path: Path) -> None:
    unfinished = HiddenSeed(tmp_path / "x")

    def seeds(spec: str, game: Game = kuhn) -> Seeds:
        return bench_seeds(game, 2, spec, None, None, unfinished)

    assert seeds("random") == seeds("random")
    assert seeds("random")["seed"] != seeds("optimal")["seed"]
    assert seeds("random")["seed"] != seeds("random", connect_four)["seed"]
    other = seeds("script:./bot.py")
    assert other["hidden_seed"]
    assert other["seed"] != seeds("script:./bot.py")["seed"], "nobody can guess it"
    unfinished.keep(5, 6)
    assert seeds("script:./bot.py") == {"seed": 5, "salt": 6, "hidden_seed": True}, "an unfinished run goes on"
    unfinished.forget()


def test_the_table_can_be_pasted_and_its_command_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "bench", "kuhn_poker", "ismcts:iterations=5", "--games", "40", "--json", "first.json")
    assert code == 0
    assert "| opponent | its rating | games | ahead of it | expected |" in out
    first = json.loads((tmp_path / "first.json").read_text())
    assert f"Again: `{first['command']}`" in out
    _, again, _ = run(capsys, *first["command"].split()[1:], "--out", "elsewhere", "--json", "second.json")
    second = json.loads((tmp_path / "second.json").read_text())
    assert again == out
    assert {**second, "command": ""} == {**first, "command": ""}


def test_bad_input_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    for arguments, says in (
        (("kuhn_poker", "nobody"), "nobody"),
        (("kuhn_poker", "random", "--out", "file"), "cannot keep games in"),
        (("race", "random", "--seats", "4"), "no reference opponents for race with 4 seats; there are some for"),
        (("kuhn_poker", "random", "--calibrate"), "leave the agent out"),
        (("kuhn_poker", "random", "--games", "0"), "--games must be from 1"),
    ):
        code, _, err = run(capsys, "bench", *arguments)
        assert code == 1
        assert says in err, arguments
        assert not (tmp_path / "bench").exists()


def test_ratings_that_cannot_be_written_are_not_played_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boardwright.bench.references.DATA", tmp_path / "none")
    monkeypatch.setattr("boardwright.bench.calibration.calibrate", lambda *_: pytest.fail("played"))
    code, _, err = run(capsys, "bench", "kuhn_poker", "--calibrate")
    assert code == 1
    assert "cannot write" in err
