"""Tables on disk: data, whoever has written it. A row runs no code, and a bad one costs one table."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardwright.errors import BoardwrightError
from boardwright.web.limits import Limits
from boardwright.web.messages import NewTable
from boardwright.web.store import FINISHED, FORMAT, RUNNING, Saved, Store
from boardwright.web.tables import SLEEP_AFTER, SLEEP_WHEN_OVER, Tables, new_setup

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
        asyncio.run(tables(store).get(saved.setup.id))
    assert not Path("mark").exists()
    assert good.setup.id in [entry["id"] for entry in tables(store).listed()["running"]]


def test_a_stored_game_is_never_a_file(store: Store) -> None:
    Path("evil.py").write_text("open('mark', 'w')\n")
    saved = add_table(store)
    change_setup(saved, game="evil.py")
    with pytest.raises(BoardwrightError, match=r"there is no game 'evil\.py' here"):
        asyncio.run(tables(store).get(saved.setup.id))
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
    ],
)
def test_a_damaged_row_costs_one_table_and_not_the_lobby(store: Store, columns: dict[str, Any]) -> None:
    saved, good = add_table(store), add_table(store)
    change(saved.setup.id, **columns)
    listed = tables(store).listed()
    assert [entry["id"] for entry in [*listed["running"], *listed["finished"]]] == [good.setup.id]
    with pytest.raises(BoardwrightError, match="this table is damaged on disk and cannot be opened"):
        asyncio.run(tables(store).get(saved.setup.id))


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
        asyncio.run(tables(store).get(saved.setup.id))


@pytest.mark.parametrize("action", [-1, 7, 2**62])
def test_stored_moves_are_checked_before_compiled_rules_see_them(store: Store, action: int) -> None:
    saved = add_table(store)
    with sqlite3.connect(FILE) as database:
        database.execute("INSERT INTO moves VALUES (?, 1, ?, 1)", (saved.setup.id, action))
    with pytest.raises(BoardwrightError, match="is not legal now"):
        asyncio.run(tables(store).get(saved.setup.id))


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

    assert asyncio.run(play()) == [60.0 - 2.0 + 7.0, 60.0]


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

    assert asyncio.run(asleep()) == [False, True, True]
