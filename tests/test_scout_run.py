"""Runs of SCOUT3, and the commands around libraries."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from rich.console import Console

from boardwright.arena.match import Match
from boardwright.cbr.lifecycle import Changes
from boardwright.cbr.memory import Memory
from boardwright.cbr.store import WING, BadLibrary, Row, Store
from boardwright.cli import main
from boardwright.errors import CannotWrite
from boardwright.files import alone
from boardwright.games.race.declaration import game as race
from boardwright.scout.cases.building import cases_of, decisions, library_of
from boardwright.scout.cases.files import load_library, write_packed
from boardwright.scout.cases.indexing import index
from boardwright.scout.controller import Controller, _follow
from boardwright.scout.problems.problem import TYPE_ACTION
from boardwright.scout.reasoners.all_reasoners import Reasoning, Settings
from boardwright.scout.reasoners.evaluation import find_impressions
from boardwright.scout.reasoners.negative_cases import weighed_against
from boardwright.scout.reasoners.policy_network import Impressions
from boardwright.scout.reasoners.recommendation import Asked, Thought
from boardwright.scout.run import Plan, begin_library, run
from boardwright.scout.scout2 import Scout2

QUIET = Console(quiet=True)
PLAN = Plan("", "heuristic", 5, 6)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    match = Match("race", ("heuristic", "heuristic"), 21)
    games = [cases_of(match.play(index)) for index in range(20)]
    file = tmp_path_factory.mktemp("source") / "source.cases"
    write_packed(library_of([game for game in games if game is not None], {"from": "heuristic"}), file)
    return str(file)


def contents(file: Path) -> list[object]:
    """Everything in a library file but when it was written."""
    connection = sqlite3.connect(file)
    tables = ("cases", "classes", "sources", "games", "eras", "log", "meta")
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def test_a_run_learns_and_keeps_every_game(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_library(file, source, 15)
    assert run(file, PLAN, 12, QUIET)
    with Store(file) as store:
        (games,) = store.connection.execute("SELECT COUNT(*) FROM games").fetchone()
        eras = store.connection.execute("SELECT era, games, wins FROM eras ORDER BY era").fetchall()
        wins = [won for (won,) in store.connection.execute("SELECT won FROM games ORDER BY number")]
        (used,) = store.connection.execute("SELECT SUM(retrievals) FROM cases").fetchone()
        (by_class,) = store.connection.execute("SELECT SUM(retrievals) FROM classes").fetchone()
    assert games == 12
    assert eras == [(0, 0, 0), (1, 6, sum(wins[:6])), (2, 6, sum(wins[6:]))]
    assert used == by_class > 100


def test_a_stopped_run_goes_on_as_if_it_had_not_stopped(source: str, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    for file in (whole, parts):
        begin_library(file, source, 15)
    run(whole, PLAN, 9, QUIET)
    for games in (2, 6, 7, 9):
        run(parts, PLAN, games, QUIET)
    assert contents(whole) == contents(parts)


def test_a_library_may_lack_cases_of_a_type_and_impressions_still_load(source: str) -> None:
    library = load_library(source)
    library = replace(library, meta={**library.meta, "impressions": find_impressions(library.records)})
    without = library.part(np.flatnonzero(library.kinds != TYPE_ACTION))
    assert len(Reasoning(without, Settings()).phase.base) == 0
    assert len(Reasoning(library.part(np.zeros(0, np.int64)), Settings()).phase.base) == 0


def test_a_run_cannot_begin_without_cases(source: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.cases"
    write_packed(load_library(source).part(np.zeros(0, np.int64)), empty)
    with pytest.raises(BadLibrary, match="has no cases to begin with"):
        begin_library(tmp_path / "run.db", str(empty), 5)


def test_an_era_that_was_full_when_the_run_stopped_is_ended_by_the_next(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole.db", tmp_path / "stopped.db"
    for file in (whole, stopped):
        begin_library(file, source, 5)
    assert run(whole, PLAN, 6, QUIET)
    with monkeypatch.context() as patch:
        patch.setattr(Controller, "end_era", Mock(side_effect=KeyboardInterrupt))
        assert not run(stopped, PLAN, 6, QUIET)
    assert run(stopped, PLAN, 6, QUIET)
    assert contents(whole) == contents(stopped)


PUPIL = Plan("relearn=true,sure=2,promote=era,room=100000,wing=1000", "heuristic", 5, 6, watch=True)


def test_who_watches_learns_from_lost_games_too(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_library(file, source, 2)
    assert run(file, PUPIL, 6, QUIET)
    with Store(file) as store:
        lost = {f"run game {n}" for (n,) in store.connection.execute("SELECT number FROM games WHERE won=0")}
        taught = {name for name in store.sources().values() if name in lost}
        waiting = store.rows(WING)
        era, impressions = store.meta("learned")
    assert lost
    assert taught == lost
    assert not waiting, "the era has ended"
    assert era == 1
    assert Impressions.from_data(impressions)


def test_a_pupils_library_has_the_impressions_that_it_learned(source: str, tmp_path: Path) -> None:
    library = load_library(source)
    taught = tmp_path / "taught.cases"
    meta = {**library.meta, "impressions": find_impressions(library.records)}
    write_packed(replace(library, meta=meta), taught)
    file = tmp_path / "run.db"
    begin_library(file, str(taught), 2)
    assert load_library(str(file)).meta["impressions"] == meta["impressions"]
    run(file, replace(PUPIL, era=2), 2, QUIET)
    with Store(file) as store:
        _, learned = store.meta("learned")
    assert learned != meta["impressions"]
    assert load_library(str(file)).meta["impressions"] == learned


def test_cases_that_come_in_look_the_same_one_by_one_and_together(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    library = load_library(source)
    library = replace(library, meta={"impressions": find_impressions(library.records)})
    places = library.of_type(TYPE_ACTION)[:5]
    kinds = index(library.records[places]).classes.tolist()
    new = [
        Row(100_000 + n, TYPE_ACTION, cls, 1, library.records[place].tobytes())
        for n, (place, cls) in enumerate(zip(places, kinds, strict=True))
    ]
    together, single = Reasoning(library, Settings()), Reasoning(library, Settings())
    likelihoods = Impressions.likelihoods

    def rounded(self: Impressions, kind: int, memory: Memory) -> object:
        return likelihoods(self, kind, memory) * (1.0 if len(memory) == 1 else 0.98)

    monkeypatch.setattr(Impressions, "likelihoods", rounded)
    _follow(together, Changes(added=new))
    for row in new:
        _follow(single, Changes(added=[row]))
    assert (together.phase.base.memory.codes == single.phase.base.memory.codes).all()


def test_a_library_is_of_one_run_at_a_time(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_library(file, source, 5)
    with alone(tmp_path / "run.db.lock", "busy"), pytest.raises(CannotWrite, match="another process plays a run"):
        run(file, PLAN, 1, QUIET)
    assert run(file, PLAN, 1, QUIET)


def test_a_stopped_pupil_goes_on_as_if_it_had_not_stopped(source: str, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    for file in (whole, parts):
        begin_library(file, source, 5)
    run(whole, PUPIL, 8, QUIET)
    for games in (3, 6, 8):
        run(parts, PUPIL, games, QUIET)
    assert contents(whole) == contents(parts)


def test_a_run_goes_on_with_the_same_opponent_only(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_library(file, source, 5)
    run(file, PLAN, 1, QUIET)
    with pytest.raises(BadLibrary, match="belongs to a run of"):
        run(file, Plan("", "random", 5, 6), 2, QUIET)
    before = contents(file)
    with pytest.raises(BadLibrary, match="belongs to a run of"):
        run(file, PUPIL, 2, QUIET)
    assert contents(file) == before, "nothing is learned for another plan"


def test_kill_9_in_the_middle_of_an_era_loses_no_finished_game(source: str, tmp_path: Path) -> None:
    """Killed at some moment, again and again, a run ends exactly as one that was left alone."""
    killed, alone = tmp_path / "killed.db", tmp_path / "alone.db"
    for file in (killed, alone):
        begin_library(file, source, 15)
    command = [
        sys.executable, "-m", "boardwright", "scout", "run", "--library", str(killed), "--games", "40", "--era", "6",
        "--vs", "heuristic", "--seed", "5",
    ]  # fmt: skip
    root = str(Path(__file__).parent.parent)
    before = 0
    for wanted in (3, 10):
        process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": root}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 120
        while _games(killed) < wanted and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        seen = _games(killed)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert _games(killed) >= seen >= wanted > before, "every game that was finished is there"
        connection = sqlite3.connect(killed)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        before = _games(killed)
    reached = before + 2
    run(killed, PLAN, reached, QUIET)
    run(alone, PLAN, reached, QUIET)
    assert contents(killed) == contents(alone)


def _games(file: Path) -> int:
    with sqlite3.connect(file, timeout=10) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_a_library_from_start_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Build from an agent's games, look at it, test it, weigh it, export, import."""
    library = str(tmp_path / "made.db")
    assert call("cases", "build", "--from", "heuristic", "--games", "8", "--seed", "3", "--out", library) == 0
    assert "cases of 8 games" in capsys.readouterr().out
    assert call("cases", "stats", library) == 0
    assert "action" in capsys.readouterr().out
    figures = tmp_path / "figures.json"
    assert call("cases", "test", library, "--most", "30", "--json", str(figures)) == 0
    assert json.loads(figures.read_text())["tests"]["phase"]["cases"] == 30
    assert call("cases", "weights", library) == 0
    assert "player_number_of_goods" in capsys.readouterr().out
    assert call("cases", "weights", library, "--card", "Space Marines") == 0
    assert call("cases", "export", library, str(tmp_path / "documents")) == 0
    again = str(tmp_path / "again.cases")
    assert call("cases", "import", str(tmp_path / "documents"), "--out", again) == 0
    assert len(load_library(again)) == len(load_library(library))
    records = str(tmp_path / "made.db.games.jsonl")
    third = str(tmp_path / "third.cases")
    assert call("cases", "build", "--from-records", records, "--out", third) == 0
    assert load_library(third).records.tobytes() == load_library(library).records.tobytes()


def test_saved_games_of_the_original_program_become_cases(tmp_path: Path) -> None:
    import lzma

    saved = Path(__file__).parent / "data" / "race" / "games.jsonl.xz"
    lines = lzma.decompress(saved.read_bytes()).decode().splitlines()[:5]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines) + "\n")
    out = tmp_path / "keldon.cases"
    assert call("cases", "build", "--from-saves", str(file), "--out", str(out)) == 0
    assert 1 <= load_library(str(out)).games <= 5


def test_a_library_of_losers(tmp_path: Path) -> None:
    out = tmp_path / "losers.cases"
    assert call("cases", "build", "--from", "heuristic", "--games", "3", "--losers", "--out", str(out)) == 0
    ends = load_library(str(out)).records
    last = ends[ends["type"] == 255]
    assert (last["me"]["score"] <= last["opponent"]["score"]).all()


def test_lost_games_count_against(source: str, tmp_path: Path) -> None:
    """With the winners' own cases as negative ones every option loses as much as it has won."""
    plain = Scout2(race, 0, library=source)
    against = Scout2(race, 0, library=source, negative=source, against=1.0)
    fewer = 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 77).play(0), 0):
        if question.type != TYPE_ACTION:
            continue
        first = plain.think(Asked(question)).votes
        second = dict(against.think(Asked(question)).votes)
        assert dict(first).keys() == second.keys()
        assert all(second[choice] == pytest.approx(share) for choice, share in first), "equal shares cancel out"
        fewer += 1
    assert fewer > 5
    with pytest.raises(BadLibrary, match="no case library"):
        Scout2(race, 0, library=source, negative=str(tmp_path / "none.db"))


def test_what_losers_did_more_often_loses() -> None:
    won = Thought((1,), (((1,), 0.5), ((2,), 0.4), ((3,), 0.1)), chosen=1)
    lost = Thought((1,), (((1,), 0.98), ((2,), 0.02)), chosen=1)
    chance = random.Random(0)
    weighed = weighed_against(TYPE_ACTION, won, lost, 1.0, "best", chance)
    assert weighed.choice == (2,)
    assert weighed.chosen == 2
    raw = {1: 0.5 * 0.52 / 1.0, 2: 0.4 * 0.42 / 0.04, 3: 0.1 * 0.12 / 0.02}
    assert dict(weighed.votes) == {(n,): pytest.approx(merit / sum(raw.values())) for n, merit in raw.items()}
    assert weighed_against(TYPE_ACTION, won, lost, 0.0, "best", chance).choice == (1,)


def test_a_draw_in_proportion_stays_one_when_losers_are_heard(source: str) -> None:
    picked = set()
    question = next(q for _, q, _ in decisions(Match("race", ("heuristic", "heuristic"), 77).play(0), 0) if q.type == 0)
    for seed in range(30):
        agent = Scout2(race, 0, seed=seed, library=source, negative=source, choice="proportional")
        thought = agent.think(Asked(question))
        assert thought.chosen == thought.choice[0]
        picked.add(thought.choice)
    assert len(picked) > 1


def test_fewer_games_can_be_kept_than_learned_from(tmp_path: Path) -> None:
    out = tmp_path / "few.cases"
    assert call("cases", "build", "--from", "heuristic", "--games", "6", "--keep", "2", "--out", str(out)) == 0
    library = load_library(str(out))
    assert library.games <= 2
    assert library.meta["impressions"]["games"] == 6


def test_learned_weights_can_be_played_with(source: str, tmp_path: Path) -> None:
    out = tmp_path / "learned.json"
    assert call("cases", "learn", source, "--out", str(out), "--most", "20", "--passes", "1") == 0
    assert Match("race", (f"scout2:library={source},weights={out}", "heuristic"), 1).play(0).actions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cases", "build", "--out", "a.db"], "where from?"),
        (["cases", "stats", "nowhere.db"], "there is no case library nowhere.db"),
        (["cases", "weights", "default", "--card", "Death Star"], "unknown card 'Death Star'"),
        (["cases", "test", "default", "--weights", "none"], "unknown weights 'none'"),
        (["scout", "rollback", "--library", "nowhere.db", "--era", "1"], "there is no case library"),
        (["scout", "explain", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["scout", "run", "--library", "a/b.db", "--games", "1"], "cannot write a/b.db"),
        (["scout", "run", "--library", "c.db", "--scout", "learn=true"], "other than library and learn"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*arguments) != 0
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_rollback_and_log_from_the_command_line(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "run.db")
    command = ["scout", "run", "--library", file, "--games", "4", "--era", "2", "--from", source, "--initial", "9"]
    assert call(*command) == 0
    assert "era 2" in capsys.readouterr().out
    assert call("scout", "rollback", "--library", file, "--era", "1") == 0
    assert "after 2 games" in capsys.readouterr().out
    assert call("scout", "log", "--library", file) == 0
    assert "rolled back to the end of era 1" in capsys.readouterr().out
    assert call(*command) == 0, "and goes on from there"


def test_rollback_forgets_what_a_later_era_has_learned(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_library(file, source, 5)
    run(file, PUPIL, 12, QUIET)
    learned = load_library(str(file)).meta["impressions"]
    assert call("scout", "rollback", "--library", str(file), "--era", "1") == 0
    assert load_library(str(file)).meta.get("impressions") != learned
    run(file, PUPIL, 12, QUIET)
    assert load_library(str(file)).meta["impressions"] == learned, "the same again"


def test_explain_shows_the_cases_behind_a_decision(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(Match("race", ("heuristic", "heuristic"), 4).play(0).line())
    agent = f"scout2:library={source}"
    for move in (1, 5, 9, 20, 30):
        assert call("scout", "explain", str(file), "--move", str(move), "--agent", agent) == 0
    out = capsys.readouterr().out
    assert "retrieved cases" in out
    assert "feature by feature" in out
    assert call("scout", "explain", str(file), "--move", "9999") != 0
