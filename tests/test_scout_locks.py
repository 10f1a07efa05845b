"""Case files, stores and weights are made, replaced and maintained by one process at a time: the lock comes first."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from boardwright.cbr.store import ACTIVE, BadCaseBase, Store
from boardwright.cli import main
from boardwright.errors import CannotWrite
from boardwright.scout.cases.collection import CaseCollection
from boardwright.scout.cases.files import exclusive, load_cases, write_case_file, write_store
from boardwright.scout.run import Beginning, Plan, play_run
from tests.conftest import start
from tests.scout_games import begin_store, small_collection

PLAN = Plan("policy_network=false", "heuristic", 5, 6)


@pytest.fixture(scope="module")
def cases() -> CaseCollection:
    return small_collection()


@pytest.fixture
def source(cases: CaseCollection, tmp_path: Path) -> Path:
    file = tmp_path / "source.cases"
    write_case_file(cases, file)
    return file


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    "command",
    [
        "scout run --case-base new --games 1 --from source.cases",
        "scout rollback --case-base new --era 0",
        "scout serve --port 0 --agent scout3:learn=true --case-base new",
        "cases build --from heuristic --games 1 --out new",
        "cases build --from-records games.jsonl --out new",
        "cases import documents --out new",
        "cases learn source.cases --out new",
    ],
)
def test_no_command_touches_a_file_that_another_is_at_work_on(
    command: str, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even if it does not exist yet: the other may be about to make it."""
    with exclusive(Path("new")):
        assert call(*command.split()) != 0
    said = capsys.readouterr().err
    assert "another process is at work on new" in said
    assert said.count("\n") == 1
    assert sorted(os.listdir()) == ["source.cases"], "nothing was made, nothing was played"


def test_a_store_has_one_lock_by_whatever_name_it_is_called(source: Path) -> None:
    begin_store(Path("run.db"), str(source), 2)
    Path("other.db").symlink_to("run.db")
    with exclusive(Path("run.db")), pytest.raises(CannotWrite, match="at work on"):
        play_run(Path("other.db"), PLAN, 1)


def test_two_runs_that_begin_one_store_at_a_time(source: Path) -> None:
    """One of them makes it and plays; the other is told to wait, or comes later and finds the games played."""
    file, games = Path("run.db"), 3
    command = [sys.executable, "-m", "boardwright", "scout", "run", "--case-base", "run.db", "--seed", "5"]
    command += ["--from", str(source), "--scout", PLAN.scout, "--era", "6", "--games", str(games)]
    root = str(Path(__file__).parent.parent)
    both = [start(command, env={**os.environ, "PYTHONPATH": root}) for _ in range(2)]
    ends = [(process.communicate(timeout=120)[1], process.returncode) for process in both]
    assert 0 in [code for _, code in ends]
    assert all(code == 0 or "another process is at work on run.db" in said for said, code in ends), ends
    with Store(file) as store:
        assert store.game_count() == games
    alone = Path("alone.db")
    assert play_run(alone, PLAN, games, beginning=Beginning(str(source)))
    assert content(file) == content(alone)
    assert sorted(os.listdir()) == ["alone.db", "run.db", "source.cases"]


def content(file: Path) -> list[object]:
    tables = ("cases", "classes", "sources", "games", "eras", "log", "meta")
    with sqlite3.connect(file) as connection:
        return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_what_a_killed_process_left_beside_a_store_does_not_spoil_the_next(cases: CaseCollection, mode: str) -> None:
    """SQLite would apply the journal of the old store, or its write-ahead log, to the new one."""
    file = Path("cases.db")
    write_store(cases, file)
    dies = f"""
import os, sqlite3
c = sqlite3.connect("cases.db", isolation_level=None)
c.execute("PRAGMA journal_mode={mode}")
c.execute("PRAGMA cache_size=1")
c.execute("BEGIN")
c.execute("UPDATE cases SET record=zeroblob(9), source=9")
if "{mode}" == "WAL":
    c.execute("COMMIT")
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", dies], check=False)
    assert len(os.listdir()) > 1, "it left something"
    write_store(cases, file)
    assert os.listdir() == ["cases.db"]
    assert load_cases("cases.db").records.tobytes() == cases.records.tobytes()


def test_a_store_of_an_earlier_version_goes_on(cases: CaseCollection) -> None:
    """With a write-ahead log, and without checksums."""
    file = Path("old.db")
    write_store(cases, file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE cases SET record=substr(record, 1, length(record) - 4)")
        connection.execute("UPDATE meta SET value='2' WHERE key='format'")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    assert play_run(file, PLAN, 2)
    assert os.listdir() == ["old.db"]
    with Store(file) as store:
        assert store.game_count() == 2
        assert [case.record for case in store.cases(ACTIVE)][: len(cases)] == [r.tobytes() for r in cases.records]


def test_games_are_on_the_disk_when_they_are_over(cases: CaseCollection) -> None:
    """SQLite's word for it: the journal, the store and the folder are flushed with every transaction."""
    write_store(cases, Path("cases.db"))
    with Store(Path("cases.db")) as store:
        assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert store.connection.execute("PRAGMA synchronous").fetchone() == (3,), "EXTRA"


LIMITED = """
import resource, signal, sys
from boardwright.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
main(sys.argv[2:])
"""


@pytest.mark.parametrize("more", [0, 4096])
def test_a_full_disk_ends_a_run_in_one_line_and_loses_no_finished_game(source: Path, more: int) -> None:
    """What was being written is undone; nothing is left beside the store; it goes on when there is room again."""
    file = Path("run.db")
    begin_store(file, str(source), 20)
    assert play_run(file, PLAN, 1)
    before = content(file)
    command = ["scout", "run", "--case-base", "run.db", "--seed", "5", "--era", "6", "--scout", PLAN.scout]
    size = str(file.stat().st_size + more)
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, size, *command, "--games", "30"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 1, ended.stdout
    assert "cannot write run.db: " in ended.stderr
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert sorted(os.listdir()) == ["run.db", "source.cases"]
    with Store(file) as store:
        played = store.game_count()
    assert content(file)[3][:1] == before[3], "the games before are there"  # type: ignore[index]
    assert play_run(file, PLAN, played + 1)
    alone = Path("alone.db")
    assert play_run(alone, PLAN, played + 1, beginning=Beginning(str(source), 20))
    assert content(file) == content(alone), "as if nothing had happened"


def test_a_full_disk_says_so(cases: CaseCollection) -> None:
    write_store(cases, Path("cases.db"))
    with Store(Path("cases.db")) as store:
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(CannotWrite, match=r"cannot write cases\.db: database or disk is full"), store.transaction():
            store.note(1, "much" * 10_000)
        store.connection.execute("PRAGMA max_page_count=100000")
        with store.transaction():
            store.note(1, "little")
        assert store.log() == [(1, "little")]


def test_a_store_that_cannot_be_made_leaves_nothing(source: Path) -> None:
    with pytest.raises(BadCaseBase, match="there is no case base nowhere"):
        play_run(Path("run.db"), PLAN, 1, beginning=Beginning("nowhere"))
    assert os.listdir() == ["source.cases"]
