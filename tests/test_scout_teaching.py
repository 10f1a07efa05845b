"""Learning from a game that was just played, and from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.cases.file import CaseFile, read_case_file
from boardwright.cbr.store import BadCaseBase
from boardwright.cli import main
from boardwright.errors import BadRecord, BadSpec
from boardwright.kernel.contract import SavedGame
from boardwright.learn.imitation import RecordedGame
from boardwright.scout.cases.building import ALL_TYPES, cases_of, winner
from boardwright.scout.cases.files import load_cases
from boardwright.scout.run import Beginning, Plan, play_run
from boardwright.scout.teaching import check_teachable, teach


@pytest.fixture(scope="module")
def race() -> bw.Game:
    return bw.game("race")


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    match = Match("race", ("heuristic", "random"), 8)
    return [match.play(index) for index in range(3)]


def test_the_winners_decisions_of_each_game_go_into_a_store(
    race: bw.Game, records: list[GameRecord], tmp_path: Path
) -> None:
    file, expected = tmp_path / "mine.db", 0
    for number, record in enumerate(records, 1):
        found = cases_of(record, ALL_TYPES)
        assert found is not None
        expected += len(found.records)
        assert f"{expected:,} in all" in teach(file, race, record)
        cases = load_cases(str(file))
        assert (len(cases), cases.games) == (expected, number)
    teach(file, race, records[0], seat=1 - (winner(records[0]) or 0))
    assert load_cases(str(file)).games == len(records) + 1
    agent = bw.agent(f"scout2:case_base={file}", race, 0)
    state = race.new(seed=3)
    assert agent.decide(state.observation(0)).action in state.legal_actions()


def test_games_with_any_number_of_seats_are_taken(race: bw.Game, tmp_path: Path) -> None:
    record = Match("race", ("heuristic", "random", "random"), 8).play(0)
    with pytest.raises(BadSpec, match=r"ends in \.cases"):
        check_teachable(tmp_path / "mine.db", bw.game("connect_four"), 2)
    with pytest.raises(BadSpec, match="no seat 4"):
        check_teachable(tmp_path / "mine.cases", race, 3, 3)
    teach(tmp_path / "mine.cases", race, record, seat=2)
    assert [one.imitated for one in read_case_file(tmp_path / "mine.cases", race).games] == [(False, False, True)]
    check_teachable(tmp_path / "mine.db", race, 3)
    teach(tmp_path / "mine.db", race, record, seat=2)
    assert set(load_cases(str(tmp_path / "mine.db")).records["me"]["seat"].tolist()) == {2}


def test_the_wins_of_one_player_are_taken_from_records(records: list[GameRecord], tmp_path: Path) -> None:
    games, out = tmp_path / "games.jsonl", tmp_path / "mine.db"
    games.write_text("".join(record.line() for record in records))
    with pytest.raises(SystemExit):
        main(["cases", "build", "--from-records", str(games), "--of", "heuristic", "--out", str(out)])
    won = [record for record in records if record.agents[winner(record) or 0] == "heuristic"]
    cases = load_cases(str(out))
    assert sorted(cases.sources.values()) == sorted(f"heuristic seed {record.seed}" for record in won)


def test_scout_learns_from_its_opponent_with_nothing_to_begin_with(tmp_path: Path) -> None:
    file = tmp_path / "pupil.db"
    play_run(file, Plan("", "heuristic", 4, 2, observe_opponent=True), 2, beginning=Beginning(games=0))
    assert len(load_cases(str(file))) > 10


def test_an_empty_store_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["cases", "build", "--initial", "0", "--out", str(tmp_path / "mine.db")])
    assert len(load_cases(str(tmp_path / "mine.db"))) == 0


def test_a_file_that_cannot_take_the_game_is_refused_before_it_is_played(race: bw.Game, tmp_path: Path) -> None:
    taught, store = tmp_path / "three.cases", tmp_path / "mine.db"
    one = RecordedGame(SavedGame(1, 3, {}, []), (True, False, False))
    CaseFile("race", 3, race.all_options({}, 3), [one]).write(taught)
    check_teachable(taught, race, 3)
    with pytest.raises(BadSpec, match="is for 3 seats"):
        check_teachable(taught, race, 2)
    with pytest.raises(BadRecord, match="are of 'race'"):
        check_teachable(taught, bw.game("connect_four"), 2)
    with pytest.raises(BadSpec, match="leave --from out"):
        check_teachable(tmp_path / "new.cases", race, 2, dealt=True)
    store.write_text("not a store")
    with pytest.raises(BadCaseBase, match=r"mine\.db"):
        check_teachable(store, race, 2)
