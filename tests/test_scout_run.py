"""Runs of SCOUT3, and the commands around case bases."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord, read_records
from boardwright.arena.record_file import append_record
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.maintenance import Changes
from boardwright.cbr.store import CANDIDATE, BadCaseBase, Store, StoredCase
from boardwright.cli import main
from boardwright.errors import CannotWrite
from boardwright.executors import InProcess
from boardwright.files import alone
from boardwright.games.race.declaration import game as race
from boardwright.scout.cases.building import cases_of, choices_of, decisions, winner
from boardwright.scout.cases.collection import POLICY_NETWORK, collection_of
from boardwright.scout.cases.files import load_cases, stored_records, write_case_file
from boardwright.scout.cases.indexing import index_cases
from boardwright.scout.cases.representation import CASE, Records
from boardwright.scout.commands import testing
from boardwright.scout.controller import MAINTAINED, CaseController, apply_changes, with_their_payments
from boardwright.scout.problems.problem import TYPE_ACTION, TYPE_PAYMENT
from boardwright.scout.reasoners.all_reasoners import Reasoners
from boardwright.scout.reasoners.evaluation import ask_about
from boardwright.scout.reasoners.negative_cases import corrected_by_negative_cases
from boardwright.scout.reasoners.policy_network import CORE_HEADS, PolicyNetwork
from boardwright.scout.reasoners.policy_training import train_policy
from boardwright.scout.reasoners.recommendation import IndexedProblem, Recommendation
from boardwright.scout.reasoners.settings import Settings
from boardwright.scout.run import Plan, Run, RunListener, play_run
from boardwright.scout.scout2 import Scout2
from boardwright.scout.scout3 import Scout3
from tests.conftest import wait_until
from tests.scout_games import begin_store

PLAN = Plan("", "heuristic", 5, 6)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    match = Match("race", ("heuristic", "heuristic"), 21)
    games = [cases_of(match.play(index)) for index in range(20)]
    file = tmp_path_factory.mktemp("source") / "source.cases"
    write_case_file(collection_of([game for game in games if game is not None], {"from": "heuristic"}), file)
    return str(file)


def contents(file: Path) -> list[object]:
    """Everything in a store."""
    connection = sqlite3.connect(file)
    tables = ("cases", "classes", "sources", "games", "eras", "log", "meta")
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def test_a_run_learns_and_keeps_every_game(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 15)
    assert play_run(file, PLAN, 12)
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
        begin_store(file, source, 15)
    play_run(whole, PLAN, 9)
    for games in (2, 6, 7, 9):
        play_run(parts, PLAN, games)
    assert contents(whole) == contents(parts)


def test_a_run_whose_eras_are_played_elsewhere_is_the_run_at_home(source: str, tmp_path: Path) -> None:
    home, away, record = tmp_path / "home.db", tmp_path / "away.db", tmp_path / "away.jsonl"
    for file in (home, away):
        begin_store(file, source, 15)
    assert play_run(home, PLAN, 8)
    heard = Mock(spec=RunListener)
    assert play_run(away, PLAN, 8, record=record, listeners=[heard], executor=InProcess())
    assert contents(home) == contents(away)
    assert [game.index for game in read_records(record)] == list(range(8))
    assert [call[0] for call in heard.method_calls] == [
        *("started", "finished_game", "finished_era"),
        *("finished_game", "ended"),
    ]


def test_a_run_says_where_it_begins_and_ends_without_a_terminal(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "told.db")
    given = ["scout", "run", "--case-base", file, "--games", "3", "--from", source, "--initial", "5", "--digest"]
    assert call(*given) == 0
    first, *told, last = capsys.readouterr().out.splitlines()
    assert first.startswith("scout3 against heuristic: 3 games in eras of 200; ")
    assert last.startswith(f"3 games are in {file}; ")
    assert last.endswith(" settle cases")
    assert next(line for line in told if line.startswith("game ")) == "game 1, scout3 in seat 1"
    actions = [line for line in told if "| action: " in line]
    assert len(actions) > 15
    assert all("nearest: case " in line and "pool" in line for line in actions)


def test_the_registry_is_shown_as_in_figure_5_2(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 5)
    play_run(file, PLAN, 2)
    assert call("scout", "registry", "--case-base", str(file), "--base", "settle", "--limit", "4") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    kind, name, wins, retrievals, near, era = lines[0].split(":")
    with Store(file) as store:
        case = max((case for case in store.cases(0) if case.base == 5), key=lambda c: (c.retrievals, c.wins, -c.id))
        classes = store.class_registry()
    assert (kind, era) == ("p5", str(case.era))
    assert name.endswith(f"-d5_{case.id}")
    assert (int(wins), int(retrievals)) == (case.wins, case.retrievals)
    assert float(near) == pytest.approx(case.similarity / case.retrievals, abs=0.006)
    assert call("scout", "registry", "--case-base", str(file), "--classes") == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("x:p") for line in lines)
    assert len([line for line in lines if line.split(":")[3] != "0"]) == len(classes)
    with Store(file) as store:
        assert sum(int(line.split(":")[-1]) for line in lines) == len(
            [c for c in store.cases(0) if c.base in MAINTAINED]
        )


def test_payments_count_as_long_as_their_placement_is_in_the_case_base(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 5)
    with Store(file) as store:
        stored = store.cases(0)
    assert with_their_payments(stored) == stored, "as built, every payment has its placement"
    settled = [case for case in stored if case.base == 5]
    without = [case for case in stored if case.base != 5]
    gone = {case.id for case in without} - {case.id for case in with_their_payments(without)}
    places = {(case.source, case.cls) for case in settled}
    payments = [case for case in stored if case.base == TYPE_PAYMENT]
    subjects = stored_records(payments, "")["subject"].tolist()
    assert gone == {c.id for c, subject in zip(payments, subjects, strict=True) if (c.source, subject) in places}
    assert gone


def test_payments_of_won_games_are_stored_with_their_placements(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 15)
    with Store(file) as store:
        before = sum(case.base == TYPE_PAYMENT for case in store.cases(0))
    play_run(file, replace(PLAN, opponent="random"), 2)
    with Store(file) as store:
        assert store.games_of_era(1)[1] > 0, "SCOUT has won a game"
        assert sum(case.base == TYPE_PAYMENT for case in store.cases(0)) > before


def test_a_case_base_may_lack_cases_of_a_type_that_the_policy_network_has(source: str) -> None:
    cases = load_cases(source)
    cases = replace(cases, meta={**cases.meta, "policy_network": train_policy(cases.records)})
    without = cases.subset(np.flatnonzero(cases.types != TYPE_ACTION))
    assert len(Reasoners(without, Settings()).phase.index) == 0
    assert len(Reasoners(cases.subset(np.zeros(0, np.int64)), Settings()).phase.index) == 0


def test_the_games_of_a_run_are_recorded_as_those_of_a_match(source: str, tmp_path: Path) -> None:
    """Also when it goes on; and cases can be built from them. Recording changes nothing."""
    file, other, record = tmp_path / "run.db", tmp_path / "other.db", tmp_path / "games.jsonl"
    for store in (file, other):
        begin_store(store, source, 15)
    play_run(other, PLAN, 5)
    for games in (3, 5):
        assert play_run(file, PLAN, games, record=record)
    assert contents(file) == contents(other)
    records = read_records(record)
    match = Match("race", ("scout3", "heuristic"), PLAN.seed)
    assert [game.index for game in records] == list(range(5))
    assert all(game.order == list(match.order(game.index)) for game in records)
    first = match.play(0)
    assert (records[0].seed, records[0].entrants, records[0].agents) == (first.seed, first.entrants, first.agents)
    with Store(file) as store:
        results = store.connection.execute("SELECT score, opponent FROM games ORDER BY number").fetchall()
    scores = [(game.final().scores, game.order) for game in records]
    assert results == [(points[order.index(0)], points[order.index(1)]) for points, order in scores]
    out = tmp_path / "built.cases"
    assert call("cases", "build", "--from-records", str(record), "--out", str(out)) == 0
    assert load_cases(str(out)).games == sum(winner(game) is not None for game in records)


def test_listeners_hear_of_every_game_and_era(source: str, tmp_path: Path) -> None:
    heard: list[object] = []

    class Hearing(RunListener):
        def started(self, run: Run, games: int) -> None:
            heard.append(("started", run.games, games))

        def finished_game(self, run: Run) -> None:
            heard.append(run.games)

        def finished_era(self, run: Run, wins: int, games: int) -> None:
            heard.append(("era", games))

        def ended(self, run: Run, complete: bool) -> None:
            heard.append(("ended", complete))

    file = tmp_path / "run.db"
    begin_store(file, source, 15)
    plan = replace(PLAN, era=2)
    play_run(file, plan, 1)
    assert play_run(file, plan, 4, listeners=[Hearing()])
    assert heard == [("started", 1, 4), 2, ("era", 2), 3, 4, ("era", 2), ("ended", True)]


def test_a_run_cannot_begin_without_cases(source: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.cases"
    write_case_file(load_cases(source).subset(np.zeros(0, np.int64)), empty)
    with pytest.raises(BadCaseBase, match="has no cases to begin with"):
        begin_store(tmp_path / "run.db", str(empty), 5)


def test_an_era_that_was_full_when_the_run_stopped_is_ended_by_the_next(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole.db", tmp_path / "stopped.db"
    for file in (whole, stopped):
        begin_store(file, source, 5)
    assert play_run(whole, PLAN, 6)
    with monkeypatch.context() as patch:
        patch.setattr(CaseController, "end_era", Mock(side_effect=KeyboardInterrupt))
        assert not play_run(stopped, PLAN, 6)
    assert play_run(stopped, PLAN, 6)
    assert contents(whole) == contents(stopped)


OBSERVING = Plan(
    "retrain=true,standard_errors=2,promote=era,max_growth=100000,candidates=1000",
    "heuristic",
    5,
    6,
    observe_opponent=True,
)


def test_observing_the_opponent_teaches_from_lost_games_too(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 2)
    assert play_run(file, OBSERVING, 6)
    with Store(file) as store:
        lost = {f"run game {n}" for (n,) in store.connection.execute("SELECT number FROM games WHERE won=0")}
        taught = {name for name in store.sources().values() if name in lost}
        waiting = store.cases(CANDIDATE)
        era, policy_network = store.meta("era_policy_network")
    assert lost
    assert taught == lost
    assert not waiting, "the era has ended"
    assert era == 1
    assert PolicyNetwork.from_data(policy_network)


def test_a_critic_credits_cases_by_their_advice(source: str, tmp_path: Path) -> None:
    """SCOUT's own choices are the critic's here wherever it asks a twin of its opponent; what it confirms comes in,
    though games are lost."""
    file = tmp_path / "run.db"
    begin_store(file, source, 15)
    plan = replace(PLAN, scout="credit=critic,critic=heuristic,near_ties=0.1,policy_network=false,max_growth=100000")
    assert play_run(file, plan, 4)
    with Store(file) as store:
        (lost,) = store.connection.execute("SELECT COUNT(*) FROM games WHERE NOT won").fetchone()
        sources = store.sources()
        from_runs = {sources[case.source] for case in store.cases(0, CANDIDATE) if "run game" in sources[case.source]}
        used, right = store.connection.execute("SELECT SUM(retrievals), SUM(wins) FROM cases").fetchone()
    assert lost > 0
    assert len(from_runs) == 4, "every game has taught something, won or lost"
    assert 0.2 * used < right < used


def test_the_store_of_a_run_has_the_policy_network_that_it_trained(source: str, tmp_path: Path) -> None:
    cases = load_cases(source)
    taught = tmp_path / "taught.cases"
    meta = {**cases.meta, "policy_network": train_policy(cases.records)}
    write_case_file(replace(cases, meta=meta), taught)
    file = tmp_path / "run.db"
    begin_store(file, str(taught), 2)
    assert load_cases(str(file)).meta["policy_network"] == meta["policy_network"]
    play_run(file, replace(OBSERVING, era=2), 2)
    with Store(file) as store:
        _, learned = store.meta("era_policy_network")
    assert learned != meta["policy_network"]
    assert load_cases(str(file)).meta["policy_network"] == learned


def test_cases_that_come_in_look_the_same_one_by_one_and_together(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = load_cases(source)
    cases = replace(cases, meta={"policy_network": train_policy(cases.records)})
    positions = cases.positions_of(TYPE_ACTION)[:5]
    classes = index_cases(cases.records[positions]).classes.tolist()
    new = [
        StoredCase(100_000 + n, TYPE_ACTION, cls, 1, cases.records[at].tobytes())
        for n, (at, cls) in enumerate(zip(positions, classes, strict=True))
    ]
    together, single = Reasoners(cases, Settings()), Reasoners(cases, Settings())
    probabilities = PolicyNetwork.probabilities

    def rounded(self: PolicyNetwork, kind: int, case_base: CaseBase) -> object:
        return probabilities(self, kind, case_base) * (1.0 if len(case_base) == 1 else 0.98)

    monkeypatch.setattr(PolicyNetwork, "probabilities", rounded)
    apply_changes(together, Changes(added=new))
    for case in new:
        apply_changes(single, Changes(added=[case]))
    assert (together.phase.index.case_base.codes == single.phase.index.case_base.codes).all()


def test_a_store_is_of_one_run_at_a_time(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 5)
    with alone(tmp_path / "run.db.lock", "busy"), pytest.raises(CannotWrite, match="another process is at work on"):
        play_run(file, PLAN, 1)
    assert play_run(file, PLAN, 1)


def test_a_stopped_run_that_observes_goes_on_as_if_it_had_not_stopped(source: str, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.db", tmp_path / "parts.db"
    for file in (whole, parts):
        begin_store(file, source, 5)
    play_run(whole, OBSERVING, 8)
    for games in (3, 6, 8):
        play_run(parts, OBSERVING, games)
    assert contents(whole) == contents(parts)


def test_a_run_goes_on_with_the_same_opponent_only(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 5)
    play_run(file, PLAN, 1)
    with pytest.raises(BadCaseBase, match="belongs to a run of"):
        play_run(file, Plan("", "random", 5, 6), 2)
    before = contents(file)
    with pytest.raises(BadCaseBase, match="belongs to a run of"):
        play_run(file, OBSERVING, 2)
    assert contents(file) == before, "nothing is learned for another plan"


@pytest.mark.parametrize("learned", [False, True])
def test_a_run_that_is_killed_at_the_end_of_a_game_has_every_game_in_its_records(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learned: bool
) -> None:
    """Before the store has learned from the third game, or right after."""
    file, record = tmp_path / "run.db", tmp_path / "games.jsonl"
    begin_store(file, source, 5)
    end_game = Scout3.end_game

    def killed(scout: Scout3, *arguments: Any) -> None:
        if scout.controller is not None and scout.controller.maintenance.games == 2:
            if learned:
                end_game(scout, *arguments)
            raise KeyboardInterrupt
        end_game(scout, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Scout3, "end_game", killed)
        assert not play_run(file, PLAN, 4, record=record)
    assert play_run(file, PLAN, 4, record=record)
    assert [game.index for game in read_records(record)] == [0, 1, 2, 3]


def test_a_run_elsewhere_that_is_killed_when_an_era_comes_home_has_every_game_in_its_records(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, record = tmp_path / "run.db", tmp_path / "games.jsonl"
    begin_store(file, source, 5)

    def killed(file: Path, game: GameRecord) -> None:
        append_record(file, game)
        if file == record:  # not that of the worker
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("boardwright.scout.run.append_record", killed)
        with pytest.raises(KeyboardInterrupt):
            play_run(file, PLAN, 8, record=record, executor=InProcess())
    assert play_run(file, PLAN, 8, record=record, executor=InProcess())
    assert [game.index for game in read_records(record)] == list(range(8))


def test_kill_9_in_the_middle_of_an_era_loses_no_finished_game(source: str, tmp_path: Path) -> None:
    """Killed at some moment, again and again, a run ends exactly as one that was left alone."""
    killed, alone = tmp_path / "killed.db", tmp_path / "alone.db"
    for file in (killed, alone):
        begin_store(file, source, 15)
    command = [
        sys.executable, "-m", "boardwright", "scout", "run", "--case-base", str(killed), "--games", "40", "--era", "6",
        "--vs", "heuristic", "--seed", "5",
    ]  # fmt: skip
    root = str(Path(__file__).parent.parent)
    before = 0
    for wanted in (3, 10):
        process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": root}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(lambda wanted=wanted, process=process: _games(killed) >= wanted or process.poll() is not None)
        seen = _games(killed)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert _games(killed) >= seen >= wanted > before, "every game that was finished is there"
        connection = sqlite3.connect(killed)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        before = _games(killed)
    reached = before + 2
    play_run(killed, PLAN, reached)
    play_run(alone, PLAN, reached)
    assert contents(killed) == contents(alone)


def _games(file: Path) -> int:
    with sqlite3.connect(file, timeout=10) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_a_case_base_from_start_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Build from an agent's games, look at it, test it, weigh it, export, import."""
    made = str(tmp_path / "made.db")
    assert call("cases", "build", "--from", "heuristic", "--games", "8", "--seed", "3", "--out", made) == 0
    assert "cases of 8 games" in capsys.readouterr().out
    assert call("cases", "stats", made) == 0
    assert "action" in capsys.readouterr().out
    figures = tmp_path / "figures.json"
    assert call("cases", "test", made, "--limit", "30", "--json", str(figures)) == 0
    assert json.loads(figures.read_text())["tests"]["phase"]["cases"] == 30
    answers = {}
    for stages in "12":
        assert call("cases", "test", made, "--limit", "30", "--stages", stages, "--json", str(figures)) == 0
        answers[stages] = json.loads(figures.read_text())["tests"]
    assert answers["1"]["phase"] == answers["2"]["phase"]
    assert answers["1"]["settle"] != answers["2"]["settle"], "solutions are adapted with two stages only"
    assert call("cases", "weights", made) == 0
    assert "player_number_of_goods" in capsys.readouterr().out
    assert call("cases", "weights", made, "--card", "Space Marines") == 0
    assert call("cases", "export", made, str(tmp_path / "documents")) == 0
    again = str(tmp_path / "again.cases")
    assert call("cases", "import", str(tmp_path / "documents"), "--out", again) == 0
    assert len(load_cases(again)) == len(load_cases(made))
    records = str(tmp_path / "made.db.games.jsonl")
    third = str(tmp_path / "third.cases")
    assert call("cases", "build", "--from-records", records, "--out", third) == 0
    assert load_cases(third).records.tobytes() == load_cases(made).records.tobytes()


def test_a_network_is_not_asked_about_games_it_was_trained_on(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trained_on: list[bytes] = []
    cases = load_cases(source)
    trained = train_policy(cases.records)

    def train(records: Records) -> dict[str, Any]:
        trained_on.append(records.tobytes())
        return trained

    monkeypatch.setattr(testing, "train_policy", train)
    runs = list(testing.Test(source, 10, policy_network=True).runs(Settings()))
    assert len(runs) == len(trained_on) == 2
    assert sum(len(asked) for _, asked in runs) == len(cases)
    for (reasoners, asked), records in zip(runs, trained_on, strict=True):
        assert reasoners.policy_network is not None
        assert len(asked.records.tobytes()) + len(records) == cases.records.nbytes
        assert not {one.tobytes() for one in asked.records} & {
            records[at : at + CASE.itemsize] for at in range(0, len(records), CASE.itemsize)
        }
    ((alone, _),) = testing.Test(source, 10).runs(Settings())
    assert alone.policy_network is None, "unless it is wanted, the cases answer alone"


def test_a_case_that_is_left_in_is_its_own_nearest_neighbour(source: str) -> None:
    """With one neighbour, and everything left in, every answer is right; with its game left out many are not."""
    settings = Settings(weights="dissertation", k=1, option_rates=False, policy_network=False, rules="none")
    reasoners = Reasoners(load_cases(source), settings)
    out, left_in = (
        ask_about(reasoners, reasoners.cases, "settle", 200, same=True, leave_in=leave_in) for leave_in in (False, True)
    )
    assert left_in.accuracy > 0.97, "but for twins with another solution"
    assert out.accuracy < 0.9


def test_saved_games_of_the_original_program_become_cases(tmp_path: Path) -> None:
    import lzma

    saved = Path(__file__).parent / "data" / "race" / "games.jsonl.xz"
    lines = lzma.decompress(saved.read_bytes()).decode().splitlines()[:5]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines) + "\n")
    out = tmp_path / "keldon.cases"
    assert call("cases", "build", "--from-saves", str(file), "--out", str(out)) == 0
    assert 1 <= load_cases(str(out)).games <= 5


def test_a_teacher_with_an_edge_is_learned_from_alone(tmp_path: Path) -> None:
    """Heuristic against random: every case is of a game that the heuristic won, and the network was trained on its
    choices, won or lost."""
    out = tmp_path / "taught.cases"
    given = ["--of", "heuristic", "--vs", "random", "--games", "6", "--seed", "3", "--out", str(out)]
    assert call("cases", "build", *given) == 0
    cases, records = load_cases(str(out)), read_records(tmp_path / "taught.cases.games.jsonl")
    won = [record for record in records if winner(record) == record.order.index(0)]
    expected = collection_of([found for record in won if (found := cases_of(record)) is not None], {})
    assert cases.records.tobytes() == expected.records.tobytes()
    assert cases.meta["from"] == "heuristic against random"
    chosen = [choices_of(record, CORE_HEADS, record.order.index(0)) for record in records]
    trained = cases.meta[POLICY_NETWORK]
    assert {**train_policy(np.concatenate(chosen)), "games": 6} == trained
    assert call("cases", "build", "--of", "heuristic", "--out", str(out)) == 1
    assert call("cases", "build", *given, "--from", "random") == 1


def test_a_network_can_be_trained_further(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The cases are the same. Numbers are divided as before, and the network is not far from where it began."""
    first, further = tmp_path / "first.cases", tmp_path / "further.cases"
    assert call("cases", "build", "--from", "heuristic", "--games", "20", "--out", str(first)) == 0
    few = ["--of", "heuristic", "--vs", "random", "--games", "2", "--out", str(further)]
    assert call("cases", "build", *few, "--begin-with", str(first)) == 0
    before, after = (load_cases(str(file)) for file in (first, further))
    assert before.records.tobytes() == after.records.tobytes()
    networks = [cases.meta[POLICY_NETWORK] for cases in (before, after)]
    assert networks[1]["further"] == [{"from": "heuristic against random", "games": 2}]
    one, other = (PolicyNetwork.from_data(data) for data in networks)
    assert (one.bins.width == other.bins.width).all()
    assert 0 < np.abs(one.hidden - other.hidden).max() < 0.02
    assert call("cases", "build", *few, "--begin-with", str(first), "--keep", "1") == 1
    assert "leave --types, --keep and --losers" in capsys.readouterr().err
    assert call("cases", "build", *few, "--begin-with", source) == 1
    assert "has no policy network" in capsys.readouterr().err


def test_a_case_base_of_losers(tmp_path: Path) -> None:
    out = tmp_path / "losers.cases"
    assert call("cases", "build", "--from", "heuristic", "--games", "3", "--losers", "--out", str(out)) == 0
    ends = load_cases(str(out)).records
    last = ends[ends["type"] == 255]
    assert (last["me"]["score"] <= last["opponent"]["score"]).all()


def test_lost_games_count_against(source: str, tmp_path: Path) -> None:
    """With the winners' own cases as negative ones every option loses as much as it has won."""
    plain = Scout2(race, 0, case_base=source)
    corrected = Scout2(race, 0, case_base=source, negative_cases=source, negative_weight=1.0)
    fewer = 0
    for _, question, _ in decisions(Match("race", ("heuristic", "heuristic"), 77).play(0), 0):
        if question.type != TYPE_ACTION:
            continue
        first = plain.reason(IndexedProblem(question)).votes
        second = dict(corrected.reason(IndexedProblem(question)).votes)
        assert dict(first).keys() == second.keys()
        assert all(second[choice] == pytest.approx(share) for choice, share in first), "equal shares cancel out"
        fewer += 1
    assert fewer > 5
    with pytest.raises(BadCaseBase, match="no case base"):
        Scout2(race, 0, case_base=source, negative_cases=str(tmp_path / "none.db"))


def test_what_losers_did_more_often_loses() -> None:
    won = Recommendation((1,), (((1,), 0.5), ((2,), 0.4), ((3,), 0.1)), chosen=1)
    lost = Recommendation((1,), (((1,), 0.98), ((2,), 0.02)), chosen=1)
    rng = random.Random(0)
    weighed = corrected_by_negative_cases(TYPE_ACTION, won, lost, 1.0, "best", rng)
    assert weighed.choice == (2,)
    assert weighed.chosen == 2
    raw = {1: 0.5 * 0.52 / 1.0, 2: 0.4 * 0.42 / 0.04, 3: 0.1 * 0.12 / 0.02}
    assert dict(weighed.votes) == {(n,): pytest.approx(merit / sum(raw.values())) for n, merit in raw.items()}
    assert corrected_by_negative_cases(TYPE_ACTION, won, lost, 0.0, "best", rng).choice == (1,)


def test_a_draw_in_proportion_stays_one_when_losers_are_heard(source: str) -> None:
    picked = set()
    question = next(q for _, q, _ in decisions(Match("race", ("heuristic", "heuristic"), 77).play(0), 0) if q.type == 0)
    for seed in range(30):
        agent = Scout2(race, 0, seed=seed, case_base=source, negative_cases=source, selection="proportional")
        recommendation = agent.reason(IndexedProblem(question))
        assert recommendation.chosen == recommendation.choice[0]
        picked.add(recommendation.choice)
    assert len(picked) > 1


def test_fewer_games_can_be_kept_than_learned_from(tmp_path: Path) -> None:
    out = tmp_path / "few.cases"
    assert call("cases", "build", "--from", "heuristic", "--games", "6", "--keep", "2", "--out", str(out)) == 0
    cases = load_cases(str(out))
    assert cases.games <= 2
    assert cases.meta["policy_network"]["games"] == 6


@pytest.mark.parametrize("method", ["coordinate", "genetic", "cbl4", "gradient"])
def test_learned_weights_can_be_played_with(source: str, tmp_path: Path, method: str) -> None:
    out = tmp_path / "learned.json"
    given = ["--limit", "20", "--passes", "1", "--method", method]
    assert call("cases", "learn", source, "--out", str(out), *given) == 0
    assert Match("race", (f"scout2:case_base={source},weights={out}", "heuristic"), 1).play(0).actions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cases", "build", "--out", "a.db"], "where from?"),
        (["cases", "stats", "nowhere.db"], "there is no case base nowhere.db"),
        (["cases", "weights", "default", "--card", "Death Star"], "unknown card 'Death Star'"),
        (["scout", "run", "--case-base", "x.db", "--games", "1" + "0" * 20], "--games must be from 1 to 100,000,000"),
        (["scout", "run", "--case-base", "x.db", "--era", "1" + "0" * 20], "--era must be from 1 to 100,000,000"),
        (["scout", "run", "--case-base", "x.db", "--initial", "1" + "0" * 20], "--initial must be from 1 to"),
        (["scout", "run", "--case-base", "x.db", "--scout", "grace=many"], "grace=many: should be a whole number"),
        (["scout", "run", "--case-base", "x.db", "--scout", "grace=1/2"], "or three as 300/60/100"),
        (["scout", "run", "--case-base", "x.db", "--scout", "space=learned"], "is compared by its features"),
        (["cases", "test", "default", "--weights", "none"], "unknown weights 'none'"),
        (["scout", "rollback", "--case-base", "nowhere.db", "--era", "1"], "there is no case base"),
        (["scout", "explain", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["scout", "run", "--case-base", "a/b.db", "--games", "1"], "cannot write a/b.db"),
        (["scout", "run", "--case-base", "c.db", "--scout", "learn=true"], "other than case_base and learn"),
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
    command = ["scout", "run", "--case-base", file, "--games", "4", "--era", "2", "--from", source, "--initial", "9"]
    assert call(*command) == 0
    assert "era 2" in capsys.readouterr().out
    assert call("scout", "rollback", "--case-base", file, "--era", "1") == 0
    assert "after 2 games" in capsys.readouterr().out
    assert call("scout", "log", "--case-base", file) == 0
    assert "rolled back to the end of era 1" in capsys.readouterr().out
    assert call(*command) == 0, "and goes on from there"


def test_rollback_forgets_what_a_later_era_has_learned(source: str, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    begin_store(file, source, 5)
    play_run(file, OBSERVING, 12)
    learned = load_cases(str(file)).meta["policy_network"]
    assert call("scout", "rollback", "--case-base", str(file), "--era", "1") == 0
    assert load_cases(str(file)).meta.get("policy_network") != learned
    play_run(file, OBSERVING, 12)
    assert load_cases(str(file)).meta["policy_network"] == learned, "the same again"


def test_explain_shows_the_cases_behind_a_decision(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(Match("race", ("heuristic", "heuristic"), 4).play(0).line())
    agent = f"scout2:case_base={source}"
    for move in (1, 5, 9, 20, 30):
        assert call("scout", "explain", str(file), "--move", str(move), "--agent", agent) == 0
    out = capsys.readouterr().out
    assert re.search("retrieved cases: (action|discard|develop|settle)", out), "what was retrieved is said"
    assert "feature by feature" in out
    assert call("scout", "explain", str(file), "--move", "9999") != 0
