"""Tables on disk: data, whoever has written it. A row runs no code, and a bad one costs one table."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardwright.errors import BadRecord, BoardwrightError, CannotWrite
from boardwright.web import questions
from boardwright.web.limits import Limits
from boardwright.web.messages import NewTable
from boardwright.web.store import (
    FINISHED,
    FORMAT,
    RESIGNED,
    RUNNING,
    STATES,
    Saved,
    Seat,
    Setup,
    Store,
    token_digest,
)
from boardwright.web.tables import SLEEP_AFTER, SLEEP_WHEN_OVER, Tables, new_setup
from tests.web_server import run_async

FILE = Path("tables.db")


@pytest.fixture
def store() -> Iterator[Store]:
    found = Store(FILE)
    yield found
    found.close()


def add_table(store: Store, game: str = "connect_four", agent: str = "random") -> Saved:
    """A table as the page makes one: a person against an agent."""
    wanted = NewTable.model_validate({"game": game, "seats": [{"name": "Ada"}, {"agent": agent}]})
    setup, _ = new_setup(wanted, Limits())
    store.add(setup, [(3, True)], [0.0, 0.0])
    saved = store.load(setup.id)
    assert saved is not None
    return saved


def change(table: str, **columns: Any) -> None:
    """What somebody with another program has done to the file."""
    with sqlite3.connect(FILE) as database:
        for name, value in columns.items():
            database.execute(f"UPDATE tables SET {name} = ? WHERE id = ?", (value, table))


def change_setup(saved: Saved, **fields: Any) -> None:
    with sqlite3.connect(FILE) as database:
        (text,) = database.execute("SELECT setup FROM tables WHERE id = ?", (saved.setup.id,)).fetchone()
    change(saved.setup.id, setup=json.dumps({**json.loads(text), **fields}))


def tables(store: Store) -> Tables:
    workers: Any = None  # nobody thinks at a table that is not opened
    return Tables(store, workers, Limits())


def test_what_is_stored_is_loaded(store: Store) -> None:
    saved = add_table(store)
    assert saved.setup.salt == 0
    assert saved.moves == [(3, True)]
    assert saved.status == RUNNING
    assert [entry["id"] for entry in tables(store).listed()["running"]] == [saved.setup.id]
    table = tables(store)._checked_again(saved)
    assert table.actions == [3]


def test_a_table_of_an_older_version_begins_at_once_with_open_names_and_a_fresh_deal(store: Store) -> None:
    saved = add_table(store)
    with sqlite3.connect(FILE) as database:
        (text,) = database.execute("SELECT setup FROM tables").fetchone()
    newer = ("salt", "ready_check", "position", "blind")
    change(saved.setup.id, setup=json.dumps({k: v for k, v in json.loads(text).items() if k not in newer}))
    loaded = store.load(saved.setup.id)
    assert loaded is not None
    assert [getattr(loaded.setup, name) for name in newer] == [0, False, "", False]


@pytest.mark.parametrize(
    "spec",
    ["evil.py", "script:./evil.py", "isolated:evil.py", "flat:playout=(evil.py)", "human", "nobody", "uct:seconds=1e9"],
)
def test_a_stored_spec_is_checked_as_a_new_one_is(store: Store, spec: str) -> None:
    """Opening the table must not run the file."""
    Path("evil.py").write_text('#!/bin/sh\ntouch mark\n"""\n"""; open(\'mark\', \'w\')\n')
    Path("evil.py").chmod(0o700)
    saved, good = add_table(store), add_table(store)
    change_setup(saved, seats=[{"name": "Ada", "token_digest": "x"}, {"name": "Eve", "spec": spec}])
    with pytest.raises(BoardwrightError):
        run_async(tables(store).get(saved.setup.id))
    assert not Path("mark").exists()
    assert good.setup.id in [entry["id"] for entry in tables(store).listed()["running"]]


def test_a_stored_game_is_never_a_file(store: Store) -> None:
    Path("evil.py").write_text("open('mark', 'w')\n")
    saved = add_table(store)
    change_setup(saved, game="evil.py")
    with pytest.raises(BoardwrightError, match=r"there is no game 'evil\.py' here"):
        run_async(tables(store).get(saved.setup.id))
    tables(store).listed()
    assert not Path("mark").exists()


@pytest.mark.parametrize(
    "columns",
    [
        {"setup": "no JSON"},
        {"setup": "[" * 100_000},
        {"setup": "null"},
        {"setup": "{}"},
        {"setup": b"\xff\xfe"},
        {"clocks": "[1e999, 0]"},
        {"clocks": f"[{'9' * 6000}, 0]"},
        {"clocks": "[0]"},
        {"clocks": "{}"},
        {"status": "odd"},
        {"status": b"\xff"},
        {"forfeited_by": 7},
        {"changed": "yesterday"},
        {"changed": float("inf")},
    ],
)
def test_a_damaged_row_costs_one_table_and_not_the_lobby(store: Store, columns: dict[str, Any]) -> None:
    saved, good = add_table(store), add_table(store)
    change(saved.setup.id, **columns)
    listed = tables(store).listed()
    assert [entry["id"] for entry in [*listed["running"], *listed["finished"]]] == [good.setup.id]
    with pytest.raises(BoardwrightError, match="this table is damaged on disk and cannot be opened"):
        run_async(tables(store).get(saved.setup.id))


@pytest.mark.parametrize("column", ["id", "setup", "status", "note", "clocks", "changed", "forfeited_by"])
def test_text_that_is_no_text_costs_one_table_and_not_the_lobby(store: Store, column: str) -> None:
    """SQLite takes any bytes for text."""
    saved, good = add_table(store), add_table(store)
    with sqlite3.connect(FILE) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute(f"UPDATE tables SET {column} = CAST(x'ff' AS TEXT) WHERE id = ?", (saved.setup.id,))
    listed = tables(store).listed()
    assert [entry["id"] for entry in [*listed["running"], *listed["finished"]]] == [good.setup.id]
    with pytest.raises(BoardwrightError, match="damaged on disk" if column != "id" else "no such table"):
        run_async(tables(store).get(saved.setup.id))


@pytest.mark.parametrize(
    "columns",
    [
        {"seat": "x"},
        {"answered": "late"},
        {"answers": "no JSON"},
        {"answers": "[1]"},
        {"answers": "[" * 100_000},
        {"answers": b"\xff"},
    ],
)
def test_a_damaged_answer_costs_one_answer(store: Store, columns: dict[str, Any]) -> None:
    saved, good = add_table(store), add_table(store)
    for table in (saved, good):
        store.add_answers(table.setup.id, 0, '{"fun": 4}')
    with sqlite3.connect(FILE) as database:
        for name, value in columns.items():
            database.execute(f"UPDATE answers SET {name} = ? WHERE table_id = ?", (value, saved.setup.id))
    assert [(entry["table"], entry["fun"]) for entry in questions.answers(store)] == [(good.setup.id, 4)]
    change(good.setup.id, setup="no JSON")
    assert questions.answers(store) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"seed": "much"},
        {"seats": []},
        {"seats": [{"name": "Ada"}]},
        {"options": {"no such": 1}},
        {"clock": [1, 2, 3]},
        {"id": "another"},
        {"pace": "x"},
        {"seed": "-5"},
    ],
)
def test_a_setup_that_cannot_be_is_refused(store: Store, fields: dict[str, Any]) -> None:
    saved = add_table(store)
    change_setup(saved, **fields)
    tables(store).listed()
    with pytest.raises(BoardwrightError):
        run_async(tables(store).get(saved.setup.id))


@pytest.mark.parametrize("action", [-1, 7, 2**62])
def test_stored_moves_are_checked_before_compiled_rules_see_them(store: Store, action: int) -> None:
    saved = add_table(store)
    with sqlite3.connect(FILE) as database:
        database.execute("INSERT INTO moves VALUES (?, 1, ?, 1)", (saved.setup.id, action))
    with pytest.raises(BoardwrightError, match="is not legal now"):
        run_async(tables(store).get(saved.setup.id))


def test_the_seeds_of_agents_that_are_not_our_own_are_salted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = add_table(store)
    own = tables(store)._checked_again(saved).agent_seed(4, 1)
    monkeypatch.setattr("boardwright.web.tables.has_foreign_agents", lambda specs: list(specs) == ["random"])
    foreign = add_table(store)
    assert foreign.setup.salt > 2**20
    assert own != tables(store)._checked_again(foreign).agent_seed(4, 1)


def test_every_decision_of_a_person_adds_the_increment(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = NewTable.model_validate(
        {"game": "connect_four", "seats": [{"name": "Ada"}, {"name": "Bob"}], "clock": {"seconds": 60, "increment": 7}}
    )
    setup, _ = new_setup(wanted, Limits())
    store.add(setup, [], [60.0, 60.0])
    saved = store.load(setup.id)
    assert saved is not None
    now = [100.0]
    monkeypatch.setattr("boardwright.web.clocks.time", SimpleNamespace(monotonic=lambda: now[0], time=time.time))

    async def play() -> list[float]:
        table = tables(store)._checked_again(saved)
        table.go_on()
        await asyncio.sleep(0)
        now[0] += 2.0  # Ada thinks for two seconds
        table.move(0, 3, table.version)
        now[0] += 1.0
        clocks = list(table.clock.left)
        table.leave()
        return clocks

    assert run_async(play()) == [60.0 - 2.0 + 7.0, 60.0]


def test_the_clocks_are_kept_with_every_move(store: Store) -> None:
    table = add_table(store).setup.id
    store.add_move(table, 1, 2, True, [1.23456, 60.0])
    moved = store.load(table)
    store.cut(table, 1, [5.0, 61.0])
    cut = store.load(table)
    assert moved is not None
    assert cut is not None
    assert (moved.moves, moved.clocks) == ([(3, True), (2, True)], [1.235, 60.0])
    assert (cut.moves, cut.clocks) == ([(3, True)], [5.0, 61.0])


def test_a_file_says_which_format_it_has(store: Store) -> None:
    with sqlite3.connect(FILE) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (FORMAT,)


def test_a_table_that_nobody_looks_at_leaves_memory_the_sooner_when_its_game_is_over(store: Store) -> None:
    async def asleep() -> list[bool]:
        every = tables(store)
        table = every._awake["t"] = every._checked_again(add_table(store))
        found = []
        for status, seconds in ((RUNNING, SLEEP_WHEN_OVER), (RUNNING, SLEEP_AFTER), (FINISHED, SLEEP_WHEN_OVER)):
            every._awake["t"], table.status = table, status
            every.put_to_sleep(table.room.touched + seconds + 1)
            found.append("t" not in every._awake)
        return found

    assert run_async(asleep()) == [False, True, True]


def test_a_seat_is_a_persons_without_an_agent_and_free_until_it_is_taken() -> None:
    person, agent = Seat("Ada"), Seat("UCT", spec="uct")
    assert (person.is_person, agent.is_person) == (True, False)
    assert (person.token_digest, person.advises, person.open, person.real_name) == ("", False, False, "")
    assert not person.is_free
    assert Seat("", open=True).is_free
    assert not Seat("Ada", open=True, token_digest="x").is_free
    assert not Seat("UCT", spec="uct", open=True).is_free


def set_up(table: str = "t", **changes: Any) -> Setup:
    settings: dict[str, Any] = {
        "options": {}, "seed": 2**64 - 1, "seats": (Seat("Ada"), Seat("UCT", spec="uct")), "pace": 1.5, "clock": None,
        "branched": 0, "created": 1000.0,
    }  # fmt: skip
    return Setup(table, "connect_four", **{**settings, **changes})


def test_a_table_begins_at_once_with_a_fresh_deal_and_open_names_unless_said_otherwise() -> None:
    setup = Setup("t", "connect_four", {}, 1, (), 0.0, None, 0)
    assert (setup.salt, setup.ready_check, setup.position, setup.blind) == (0, False, "", False)
    assert abs(setup.created - time.time()) < 60


def test_a_table_is_loaded_as_it_was_set_up(store: Store) -> None:
    """Also numbers that other readers of JSON would round."""
    setup = set_up(clock=(60.0, 5.0), salt=2**63 + 1, ready_check=True, blind=True, branched=1, options={"a": True})
    store.add(setup, [(3, True), (4, False)], [60.0, 0.1])
    saved = store.load("t")
    assert saved == Saved(setup, RUNNING, "", [60.0, 0.1], [(3, True), (4, False)], 1000.0, None)
    with sqlite3.connect(FILE) as database:
        text, created, changed = database.execute("SELECT setup, created, changed FROM tables").fetchone()
    assert (json.loads(text)["seed"], json.loads(text)["salt"]) == (str(2**64 - 1), str(2**63 + 1))
    assert created == changed == 1000.0
    assert store.load("u") is None


def test_a_table_is_added_whole_or_not_at_all(store: Store) -> None:
    wrong: Any = [(3, True), (None, True)]
    with pytest.raises(sqlite3.IntegrityError):
        store.add(set_up(), wrong, [0.0, 0.0])
    assert store.load("t") is None
    store.add(set_up(), [(3, True)], [0.0, 0.0])
    with pytest.raises(sqlite3.IntegrityError):
        store.add_move("t", 0, 4, True, [9.0, 9.0])
    saved = store.load("t")
    assert saved is not None
    assert (saved.moves, saved.clocks) == ([(3, True)], [0.0, 0.0])


def test_what_happens_at_a_table_is_kept_with_its_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [2000.0]
    monkeypatch.setattr("boardwright.web.store.time", SimpleNamespace(time=lambda: now[0]))
    store.add(set_up(), [(1, True), (2, True)], [60.0, 60.0])
    store.add_move("t", 2, 3, False, [59.99951, 60.0])
    moved = store.load("t")
    now[0] = 3000.0
    store.cut("t", 1, [58.0, 57.0])
    cut = store.load("t")
    now[0] = 4000.0
    store.reseat(set_up(seats=(Seat("Bob"), Seat("UCT", spec="uct"))))
    store.end("t", RESIGNED, "Bob gave up", 0)
    ended = store.load("t")
    assert moved is not None
    assert cut is not None
    assert ended is not None
    assert (moved.moves, moved.clocks, moved.changed) == ([(1, True), (2, True), (3, False)], [60.0, 60.0], 2000.0)
    assert (cut.moves, cut.clocks, cut.changed) == ([(1, True)], [58.0, 57.0], 3000.0)
    assert (ended.status, ended.note, ended.changed, ended.forfeited_by) == (RESIGNED, "Bob gave up", 4000.0, 0)
    assert ended.setup.seats[0].name == "Bob"
    assert ended.setup.created == 1000.0


def test_clocks_are_kept_to_the_millisecond(store: Store) -> None:
    store.add(set_up(), [], [60.0, 60.0])
    store.add_move("t", 0, 3, True, [59.12345, 0.0004])
    saved = store.load("t")
    assert saved is not None
    assert saved.clocks == [59.123, 0.0]


def test_answers_are_given_once_and_listed_by_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [5.0]
    monkeypatch.setattr("boardwright.web.store.time", SimpleNamespace(time=lambda: now[0]))
    for table in ("t", "u"):
        store.add(set_up(table), [], [0.0, 0.0])
    for table, seat, at, answers in (
        ("u", 1, 9.0, "[1]"),
        ("t", 0, 8.0, "[2]"),
        ("t", 1, 7.0, "[3]"),
        ("t", 0, 6.0, "[4]"),
    ):
        now[0] = at
        store.add_answers(table, seat, answers)
    assert store.answers() == [("t", 1, 7.0, "[3]"), ("t", 0, 8.0, "[2]"), ("u", 1, 9.0, "[1]")]
    assert (store.answered("t"), store.answered("u"), store.answered("v")) == ({0, 1}, {1}, set())


def test_recent_tables_are_listed_the_last_changed_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as are wanted, of those under way or of those that are over; a damaged one does not count."""
    now = [0.0]
    monkeypatch.setattr("boardwright.web.store.time", SimpleNamespace(time=lambda: now[0]))
    for number, table in enumerate("abcdef"):
        store.add(set_up(table, created=float(number)), [(1, True)], [0.0, 0.0])
    for table in "ab":
        now[0] += 10.0
        store.end(table, FINISHED, "", None)
    change("e", clocks="[0]")
    assert [saved.setup.id for saved in store.recent(True, 9)] == ["f", "d", "c"]
    assert [saved.setup.id for saved in store.recent(True, 2)] == ["f", "d"]
    assert [saved.setup.id for saved in store.recent(False, 9)] == ["b", "a"]
    assert [saved.setup.id for saved in store.recent(False, 1)] == ["b"]
    assert [saved.moves for saved in store.recent(True, 1)] == [[]]


def test_tables_outlive_the_server_and_are_written_through_a_log(store: Store) -> None:
    store.add(set_up(), [(3, True)], [0.0, 0.0])
    assert store.file == FILE
    settings = ("journal_mode", "synchronous", "foreign_keys")
    assert [store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in settings] == ["wal", 1, 1]
    other = Store(FILE)
    found = other.load("t")
    other.close()
    assert found == store.load("t")
    with pytest.raises(sqlite3.ProgrammingError):
        other.load("t")


def test_tables_can_be_read_by_every_thread_of_the_server(store: Store) -> None:
    store.add(set_up(), [], [0.0, 0.0])
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(store.load("t")))
    thread.start()
    thread.join()
    assert found == [store.load("t")]


def test_a_file_of_another_format_or_of_no_format_is_refused(store: Store) -> None:
    store.close()
    with sqlite3.connect(FILE) as database:
        database.execute("PRAGMA user_version = 1")
    with pytest.raises(BadRecord, match=r"tables.db: tables of format 1; this version reads 2"):
        Store(FILE)
    Path("text.db").write_text("hello " * 500)
    with pytest.raises(CannotWrite, match=r"cannot keep tables in text.db: file is not a database"):
        Store(Path("text.db"))


@pytest.mark.parametrize("setup", ['{"' + "\x1b" + "x" * 999 + '"}', "9" * 999, '["' + "x" * 999 + '"]'])
def test_what_is_said_of_a_damaged_table_is_short_and_can_be_printed(store: Store, setup: str) -> None:
    store.add(set_up(), [], [0.0, 0.0])
    change("t", setup=setup)
    with pytest.raises(BadRecord) as refused:
        store.load("t")
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"clocks": "[0, 0, 0]"}, "its parts do not fit together"),
        ({"status": "odd"}, "its parts do not fit together"),
        ({"forfeited_by": 2}, "a seat forfeited that does not exist"),
        ({"forfeited_by": -1}, "a seat forfeited that does not exist"),
        ({"clocks": "{}"}, "Input should be a valid list"),
    ],
)
def test_what_is_damaged_is_said(store: Store, columns: dict[str, Any], complaint: str) -> None:
    store.add(set_up(), [], [0.0, 0.0])
    change("t", **columns)
    with pytest.raises(BadRecord, match=f"this table is damaged on disk and cannot be opened: {complaint}"):
        store.load("t")


def test_every_state_of_a_table_can_be_loaded(store: Store) -> None:
    for number, status in enumerate(STATES):
        store.add(set_up(str(number)), [], [0.0, 0.0])
        store.end(str(number), status, "", 1)
        saved = store.load(str(number))
        assert saved is not None
        assert (saved.status, saved.forfeited_by) == (status, 1)
    assert len(STATES) == 5


def test_of_a_secret_link_a_digest_is_kept() -> None:
    assert token_digest("secret") == hashlib.sha256(b"secret").hexdigest()
