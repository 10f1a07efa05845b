"""The life of a case, by scripted games."""

from __future__ import annotations

import copy
import sqlite3
from pathlib import Path

import pytest

from boardwright.cbr.gamelog import GameLog, Met
from boardwright.cbr.lifecycle import Keeper, Policy, Registered
from boardwright.cbr.store import GONE, MAIN, WING, BadLibrary, Row, Store

PLACE = 3
POLICY = Policy(room=2, wing=3, grace_retrievals=2, grace_eras=2, margin=0.2)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "library.db", create=True)
    with made.transaction():
        game = made.add_source("a won game")
        made.add(Row(i, PLACE, i % 2, game, b"record") for i in range(1, 5))
        made.add([Row(5, 6, 0, game, b"a payment, which nobody keeps up")])
    return made


def won(keeper: Keeper, *similarities: float, used: tuple[int, ...] = ()) -> None:
    log = GameLog([Met(PLACE, 1, b"new", near) for near in similarities], [(case, 0.5) for case in used])
    keeper.game_over(log, True, 30, 20, "won")


def lost(keeper: Keeper, *used: int) -> None:
    keeper.game_over(GameLog([Met(PLACE, 1, b"new", 0.1)], [(case, 0.25) for case in used]), False, 20, 30, "lost")


def status(store: Store) -> dict[int, int]:
    return dict(store.connection.execute("SELECT id, status FROM cases"))


def test_cases_of_a_won_game_come_in_while_there_is_room_the_least_similar_first(store: Store) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    won(keeper, 0.9, 0.2, 0.5)
    assert [row.usefulness for row in keeper.main(PLACE) if row.id > 5] == [0.8, 0.5]
    assert [row.usefulness for row in keeper.wing(PLACE)] == [pytest.approx(0.1)]


def test_the_wing_keeps_its_most_useful_cases(store: Store) -> None:
    keeper = Keeper(store, [PLACE], Policy(room=0, wing=3))
    won(keeper, 0.9, 0.2, 0.5)
    won(keeper, 0.1, 0.95)
    assert [round(row.usefulness, 2) for row in keeper.wing(PLACE)] == [0.9, 0.8, 0.5]
    assert sorted(status(store).values()).count(GONE) == 2, "the others were discarded without being used"
    assert keeper.size(PLACE) == 4


def test_a_lost_game_gives_no_cases(store: Store) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    lost(keeper, 1)
    assert len(status(store)) == 5


def test_the_registry_counts_cases_and_classes(store: Store) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    won(keeper, used=(1, 2, 1))
    lost(keeper, 1)
    row = keeper.rows[1]
    assert (row.retrievals, row.wins, row.similarity) == (3, 2, pytest.approx(1.25))
    assert keeper.classes == {(PLACE, 1): Registered(3, 2), (PLACE, 0): Registered(1, 1)}
    again = Keeper(store, [PLACE], POLICY)
    assert again.rows == keeper.rows
    assert again.classes == keeper.classes
    assert again.games == 2


def test_a_case_below_its_class_leaves_after_its_grace_and_the_wing_fills_the_place(store: Store) -> None:
    keeper = Keeper(store, [PLACE], Policy(room=0, wing=3, grace_retrievals=2, margin=0.2))
    won(keeper, 0.3, used=(3, 3, 3, 3))
    lost(keeper, 1)
    lost(keeper, 1)
    assert keeper.rows[1].status == MAIN, "two uses are within its grace"
    lost(keeper, 1)
    assert status(store)[1] == GONE, "0 of 3 won, its class 4 of 7"
    assert [row.id for row in keeper.main(PLACE)] == [2, 3, 4, 6]
    assert keeper.wing(PLACE) == []


def test_a_case_slightly_below_its_class_stays(store: Store) -> None:
    keeper = Keeper(store, [PLACE], Policy(grace_retrievals=0, margin=0.2))
    keeper.classes[PLACE, 1] = Registered(100, 50)
    row = keeper.rows[1]
    row.retrievals, row.wins = 100, 41
    assert not keeper.poor(row)
    row.wins = 39
    assert keeper.poor(row)


def test_an_era_ends_with_culling_of_cases_that_never_won(store: Store) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    won(keeper, used=(1, 2))
    keeper.end_era()
    assert keeper.size(PLACE) == 4, "the first era is grace"
    keeper.end_era()
    assert [row.id for row in keeper.main(PLACE)] == [1, 2]
    assert status(store)[5] == MAIN, "other bases are not kept up"


def test_a_lost_game_teaches_what_was_watched(store: Store) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    log = GameLog(lessons=[Met(PLACE, 0, b"the winner's", 0.25)])
    log.problem(PLACE, 1, b"own", [1.0])
    keeper.game_over(log, False, 20, 30, "lost")
    assert [row.record for row in keeper.main(PLACE) if row.id > 5] == [b"the winner's"]
    keeper.game_over(log, True, 30, 20, "won")
    assert [row.record for row in keeper.main(PLACE) if row.id > 6] == [b"own"]


def test_who_asks_for_proof_drives_out_no_case_for_bad_luck(store: Store) -> None:
    """The class wins 50 %; ten uses have a standard error of 15.8 points, a hundred one of 5."""
    keeper = Keeper(store, [PLACE], Policy(grace_retrievals=0, margin=0.0, sure=2.0))
    keeper.classes[PLACE, 1] = Registered(1000, 500)
    row = keeper.rows[1]
    for retrievals, wins, leaves in ((10, 2, False), (10, 1, True), (100, 41, False), (100, 39, True)):
        row.retrievals, row.wins = retrievals, wins
        assert keeper.poor(row) == leaves
    row.retrievals = row.wins = 0
    assert not keeper.poor(row)


def test_cases_that_were_never_used_stay_with_who_asks_for_proof(store: Store) -> None:
    keeper = Keeper(store, [PLACE], Policy(grace_eras=1, sure=2.0))
    keeper.end_era()
    keeper.end_era()
    assert keeper.size(PLACE) == 4


def test_wings_can_wait_for_the_end_of_the_era(store: Store) -> None:
    keeper = Keeper(store, [PLACE], Policy(room=10, promote="era"))
    won(keeper, 0.9, 0.2)
    assert (keeper.size(PLACE), len(keeper.wing(PLACE))) == (4, 2)
    assert [row.id for row in keeper.end_era().added] == [7, 6]
    assert (keeper.size(PLACE), len(keeper.wing(PLACE))) == (6, 0)


def test_rollback_restores_cases_registry_and_games_but_not_the_log(store: Store) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    won(keeper, 0.9, 0.2, used=(1,))
    keeper.end_era()
    then = {row.id: (row.status, row.retrievals, row.wins) for row in keeper.rows.values()}
    classes = copy.deepcopy(keeper.classes)
    won(keeper, 0.1, 0.3, 0.4, used=(1, 2))
    lost(keeper, 3)
    keeper.end_era()
    assert {row.id: (row.status, row.retrievals, row.wins) for row in keeper.rows.values()} != then
    before = len(store.log())
    keeper.rollback(1)
    assert {row.id: (row.status, row.retrievals, row.wins) for row in keeper.rows.values()} == then
    assert keeper.classes == classes
    assert (keeper.games, keeper.era) == (1, 1)
    assert len(store.log()) == before + 1
    assert store.log()[-1][1] == "rolled back to the end of era 1"
    keeper.rollback(0)
    assert [row.id for row in keeper.main(PLACE)] == [1, 2, 3, 4]
    assert keeper.rows[1].retrievals == 0
    with pytest.raises(BadLibrary, match="no era 7"):
        keeper.rollback(7)


def test_a_game_is_kept_whole_or_not_at_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(store, [PLACE], POLICY)
    before = status(store)

    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setattr(store, "set_classes", broken)
    with pytest.raises(sqlite3.OperationalError):
        won(keeper, 0.5, used=(1,))
    assert status(store) == before
    assert keeper.games == 0
    assert keeper.rows[1].retrievals == 0
    monkeypatch.undo()
    won(keeper, 0.5, used=(1,))
    assert keeper.games == 1
    assert WING not in status(store).values()


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLibrary, match="there is no case library"):
        Store(tmp_path / "nothing.db")
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to look like something" * 20)
    with pytest.raises(BadLibrary, match=r"text\.db cannot be used"):
        Store(text)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE things (x)")
    with pytest.raises(BadLibrary, match="is not a case library"):
        Store(other)


def test_two_processes_do_not_write_at_once(store: Store) -> None:
    other = Store(store.file)
    other.connection.execute("PRAGMA busy_timeout=50")
    with store.transaction(), pytest.raises(BadLibrary, match="in use by another process"), other.transaction():
        pass
