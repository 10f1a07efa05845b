"""The store of a case base: what it keeps, what it counts, and what it does not believe."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from boardwright.cbr.store import (
    ACTIVE,
    CANDIDATE,
    REMOVED,
    BadCaseBase,
    Store,
    StoredCase,
    one_line,
    parse_json,
    remove_side_files,
)
from boardwright.errors import CannotWrite

LARGEST = 2**40 - 1


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cases.db", create=True)


def case(number: int = 1, **about: Any) -> StoredCase:
    return StoredCase(**{"id": number, "base": 3, "cls": 7, "source": 1, "record": b"record", **about})


@pytest.mark.parametrize(
    "about",
    [
        {"id": 1}, {"id": LARGEST}, {"status": ACTIVE}, {"status": CANDIDATE}, {"status": REMOVED},
        {"base": 0, "cls": 0, "source": 0}, {"base": 255, "cls": 255, "source": LARGEST},
        {"retrievals": 0}, {"retrievals": LARGEST, "wins": LARGEST}, {"era": LARGEST}, {"usefulness": -1.5},
    ],
)  # fmt: skip
def test_a_case_in_bounds_is_kept_as_it_is(store: Store, about: dict[str, Any]) -> None:
    made = case(**about)
    made.check()
    with store.transaction():
        store.add([made])
    assert store.cases(ACTIVE, CANDIDATE, REMOVED) == [made]


@pytest.mark.parametrize(
    ("about", "complaint"),
    [
        ({"id": 0}, "its id is 0"),
        ({"id": LARGEST + 1}, "its id is"),
        ({"status": 3}, "its status"),
        ({"status": -1}, "its status"),
        ({"base": -1}, "its base is -1"),
        ({"base": 256}, "its base is 256"),
        ({"cls": -1}, "its class -1"),
        ({"cls": 256}, "its class 256"),
        ({"source": -1}, "its source -1"),
        ({"source": LARGEST + 1}, "its source"),
        ({"retrievals": 2, "wins": 3}, "3 wins in 2 retrievals"),
        ({"wins": -1}, "-1 wins"),
        ({"retrievals": LARGEST + 1}, "retrievals since era 0"),
        ({"era": -1}, "since era -1"),
        ({"era": LARGEST + 1}, "since era"),
        ({"usefulness": float("nan")}, "not a finite number"),
        ({"similarity": float("inf")}, "not a finite number"),
    ],
)
def test_a_case_out_of_bounds_is_damaged(store: Store, about: dict[str, Any], complaint: str) -> None:
    made = case(**about)
    with pytest.raises(ValueError, match=complaint):
        made.check()
    if made.usefulness == made.usefulness:  # SQLite has no word for what is not a number
        with store.transaction():
            store.add([made])
        with pytest.raises(BadCaseBase, match=rf"cases\.db: case {made.id} is damaged: "):
            store.cases(made.status)


def test_each_record_has_a_checksum_of_four_bytes_behind_it(store: Store) -> None:
    """Of the record and of what says whose it is; a store of the format before has none."""
    with store.transaction():
        store.add([case(9)])
    ((kept,),) = store.connection.execute("SELECT record FROM cases")
    assert kept == b"record" + zlib.crc32(b"9 3 7 1 record").to_bytes(4, "big")
    with store.transaction():
        store.connection.execute("UPDATE cases SET class=8")
    with pytest.raises(BadCaseBase, match="case 9 is damaged: its checksum is wrong"):
        store.cases(ACTIVE)
    with store.transaction():
        store.set_meta("format", 2)
    store.close()
    with Store(store.file) as old:
        (found,) = old.cases(ACTIVE)
        assert found.record == kept, "taken as it is"
        with old.transaction():
            old.add([case(10)])
        assert old.cases(ACTIVE)[1].record == b"record"


@pytest.mark.parametrize("other", [1, 4])
def test_stores_of_other_formats_are_refused(store: Store, other: int) -> None:
    assert store.format == 3
    with store.transaction():
        store.set_meta("format", other)
    with pytest.raises(BadCaseBase, match=f"a store of format {other}; this version reads 3"):
        Store(store.file)


def test_a_store_waits_twenty_seconds_for_others_and_can_be_closed_by_another_thread(store: Store) -> None:
    assert store.connection.execute("PRAGMA busy_timeout").fetchone() == (20_000,)
    assert store.connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
    with store as same:
        assert same is store
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.connection.execute("SELECT 1")


def test_a_store_is_made_only_if_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BadCaseBase, match="there is no case base"):
        Store(tmp_path / "none.db")
    assert not list(tmp_path.iterdir())
    Store(tmp_path / "none.db", create=True).close()
    Store(tmp_path / "none.db", create=True).close()
    assert Store(tmp_path / "none.db").format == 3


def test_ids_go_on_after_the_largest(store: Store) -> None:
    assert store.next_id() == 1
    with store.transaction():
        assert (store.add_source("one"), store.add_source("two")) == (1, 2)
        store.add([case(5), case(3)])
    assert store.next_id() == 6
    assert store.sources() == {1: "one", 2: "two"}
    assert [found.id for found in store.cases(ACTIVE)] == [3, 5]
    assert store.cases(CANDIDATE, REMOVED) == []


def test_games_and_eras_are_counted_one_by_one(store: Store) -> None:
    with store.transaction():
        for number, (era, won) in enumerate([(1, True), (1, False), (2, True), (2, True), (2, False)], 1):
            store.add_game(number, era, won, 30.0, 20.0)
        store.add_era(0, 0, 0, b"before")
        store.add_era(1, 2, 1, b"first")
        store.add_era(2, 3, 2, b"second")
        store.set_classes({(3, 7): (4, 1), (3, 8): (2, 2)})
        store.add([case(1), case(2, base=4), case(3, base=5)])
    assert (store.game_count(), store.games_of_era(1), store.games_of_era(2)) == (5, (2, 1), (3, 2))
    assert store.games_of_era(9) == (0, 0)
    assert (store.last_era(), store.era_results()) == (2, [(1, 2), (2, 3)])
    assert (store.archive(1), store.archive(7)) == (b"first", None)
    assert store.class_registry() == {(3, 7): (4, 1), (3, 8): (2, 2)}
    with store.transaction():
        store.forget_after(1, [3, 4])
    assert (store.game_count(), store.last_era(), store.class_registry()) == (2, 1, {})
    assert {found.id: found.status for found in store.cases(ACTIVE, REMOVED)} == {1: REMOVED, 2: REMOVED, 3: ACTIVE}


@pytest.mark.parametrize("counts", [(2, 3), (1, -1), (LARGEST + 1, 0)])
def test_a_registry_whose_counts_cannot_be_is_damaged(store: Store, counts: tuple[int, int]) -> None:
    with store.transaction():
        store.set_classes({(3, 7): (4, 1)})
        store.set_classes({(3, 8): counts})
    with pytest.raises(BadCaseBase, match="the counts of its classes are damaged"):
        store.class_registry()


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
def test_a_count_that_cannot_be_is_damaged(store: Store, number: int) -> None:
    with store.transaction():
        store.add_era(number, 0, 0, b"")
    with pytest.raises(BadCaseBase, match=f"has the number {number} where a count is expected"):
        store.last_era()


def test_columns_of_another_type_are_damaged(store: Store) -> None:
    with store.transaction():
        store.connection.execute("INSERT INTO sources VALUES (1, x'00')")
    with pytest.raises(BadCaseBase, match="has a row of int, bytes where int, str is expected"):
        store.sources()


def test_what_is_kept_under_a_name_is_json_of_at_most_16_megabytes(store: Store) -> None:
    assert store.meta("nothing") is None
    assert store.meta("nothing", 5) == 5
    with store.transaction():
        store.set_meta("odd", [1, "two"])
        store.set_meta("odd", [1, "three"])
        store.connection.execute("INSERT INTO meta VALUES ('bad', '[1')")
    assert store.meta("odd") == [1, "three"]
    with pytest.raises(BadCaseBase, match=r"cases\.db: bad cannot be read"):
        store.meta("bad")
    most = b"1" + b" " * (2**24 - 1)
    assert parse_json(most) == 1
    with pytest.raises(ValueError, match="16,777,217 bytes are too many"):
        parse_json(most + b" ")


def test_the_log_only_grows_and_is_read_in_order(store: Store) -> None:
    with store.transaction():
        store.note(2, "second\x1b game")
        store.note(1, "first")
    assert [(game, "\x1b" in text) for game, text in store.log()] == [(2, False), (1, False)]
    assert len(one_line("x" * 500)) <= 200 + 1
    assert one_line("x" * 200) == "x" * 200


def test_what_fails_within_a_transaction_is_undone(store: Store) -> None:
    with pytest.raises(TypeError), store.transaction():
        store.add([None])  # type: ignore[list-item]
    assert store.log() == []
    assert not store.connection.in_transaction
    with pytest.raises(CannotWrite, match=r"cannot write .*cases\.db: no such table: nowhere"), store.transaction():
        store.connection.execute("INSERT INTO nowhere VALUES (1)")
    with store.transaction():
        store.note(1, "kept")
    assert store.log() == [(1, "kept")]


def test_a_damaged_file_or_one_with_other_tables_is_no_store(store: Store, tmp_path: Path) -> None:
    with store.transaction():
        store.connection.execute("CREATE VIEW more AS SELECT * FROM cases")
    with pytest.raises(BadCaseBase, match="is not a case base: its tables are others"):
        Store(store.file)
    with pytest.raises(BadCaseBase, match="is not a case base: its tables are others"):
        Store(store.file, create=True)
    broken = tmp_path / "broken.db"
    with Store(broken, create=True) as made, made.transaction():
        made.add(case(number) for number in range(1, 400))
    content = bytearray(broken.read_bytes())
    content[-4096:] = b"\xff" * 4096
    broken.write_bytes(bytes(content))
    with pytest.raises(BadCaseBase, match=r"broken\.db"):
        Store(broken)


def test_nothing_stays_beside_a_store_that_is_replaced(store: Store, tmp_path: Path) -> None:
    store.close()
    sides = [Path(f"{store.file}{ending}") for ending in ("-journal", "-wal", "-shm")]
    for side in sides:
        side.write_bytes(b"")
    remove_side_files(store.file)
    assert list(tmp_path.iterdir()) == [store.file]
    remove_side_files(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == [store.file]
