"""Record files: one process at a time, whole lines only, and a full disk is one line on the terminal."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from boardwright.arena import record_file
from boardwright.arena.match import Match
from boardwright.arena.record import next_index, read_records, recover_records
from boardwright.arena.record_file import append_record, open_record_file
from boardwright.arena.runner import _games, run_match
from boardwright.errors import BadRecord, CannotWrite
from tests.conftest import files_no_longer_than

MATCH = Match("connect_four", ("random", "random"), seed=5)
GAMES = [MATCH.play(index) for index in range(4)]
LINES = [game.line() for game in GAMES]
FILE = Path("games.jsonl")

HOLD = """
import sys
from pathlib import Path
from boardwright.arena.record_file import open_record_file
with open_record_file(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process_recording() -> Iterator[None]:
    """A process that holds the file until the block ends."""
    command = [sys.executable, "-c", HOLD, str(FILE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "locked\n"
        yield
        process.stdin.close()


def test_a_file_that_another_process_writes_is_left_alone() -> None:
    """Whatever is to be done with it: begun anew, gone on with, or added to."""
    FILE.write_text(LINES[0])
    with another_process_recording():
        for write in (
            lambda: run_match(MATCH, 2, file=FILE),
            lambda: run_match(MATCH, 2, file=FILE, resume=True),
            lambda: append_record(FILE, GAMES[1]),
        ):
            with pytest.raises(CannotWrite, match=r"another process is recording games in games\.jsonl"):
                write()
        assert sorted(file.name for file in Path().iterdir()) == ["games.jsonl"]
        assert FILE.read_text() == LINES[0]
    append_record(FILE, GAMES[1])
    assert read_records(FILE) == GAMES[:2]


BEGIN = """
import sys
from pathlib import Path
from boardwright.arena.match import Match
from boardwright.arena.runner import run_match
match = Match("connect_four", ("random", "random"), seed=5)
match.check()
print("ready", flush=True)
sys.stdin.readline()
run_match(match, 40, file=Path(sys.argv[1]), resume=sys.argv[2] == "resume")
"""


@pytest.mark.parametrize("resume", ["anew", "resume"])
def test_two_matches_that_begin_together_do_not_mix(resume: str) -> None:
    """One plays. The other is refused, or comes after it: then it finds all games, or puts them aside."""
    command = [sys.executable, "-c", BEGIN, str(FILE), resume]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(2)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=120)[1] for process in processes]
    for process, error in zip(processes, errors, strict=True):
        assert process.returncode == 0 or "another process is recording games" in error
    assert 0 in [process.returncode for process in processes]
    for file in Path().iterdir():
        assert sorted(record.index for record in read_records(file)) == list(range(40))


def test_a_file_holds_whole_games_wherever_the_disk_was_full() -> None:
    end = len("".join(LINES[:3]))
    for size in (0, 1, len(LINES[0]) - 1, len(LINES[0]), len(LINES[0]) + 1, end - 1, end):
        FILE.unlink(missing_ok=True)
        with files_no_longer_than(size), pytest.raises(CannotWrite, match=r"cannot write games\.jsonl: File too large"):
            run_match(MATCH, 4, file=FILE)
        kept = FILE.read_text()
        assert kept == "".join(LINES[: kept.count("\n")])
        assert len(kept) <= size
        assert run_match(MATCH, 4, file=FILE, resume=True).standings.games == 4
        assert FILE.read_text() == "".join(LINES)


class Faults:
    """Lets the n-th call of one of these functions fail, and counts the calls."""

    FUNCTIONS = (
        (record_file, "write_all"),
        (os, "fsync"),
        (os, "replace"),
        (Path, "rename"),
        (os, "truncate"),
    )

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fail_at: int, code: int) -> None:
        self.calls = 0
        for home, name in self.FUNCTIONS:
            monkeypatch.setattr(home, name, self._counted(getattr(home, name), fail_at, code))

    def _counted(self, function: Callable[..., Any], fail_at: int, code: int) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            if self.calls == fail_at:
                raise OSError(code, os.strerror(code))
            return function(*arguments, **named)

        return call


def said_to_have_failed(work: Callable[[], None], code: int) -> bool:
    try:
        work()
    except CannotWrite as error:
        return os.strerror(code) in str(error)
    return False


def put_aside_and_play() -> None:
    run_match(MATCH, 3, file=FILE)


def repair_and_resume() -> None:
    FILE.write_text(LINES[0] + LINES[1][:50])
    run_match(MATCH, 3, file=FILE, resume=True)


def repair_and_append() -> None:
    FILE.write_text(LINES[0] + LINES[1][:50])
    append_record(FILE, GAMES[2])


@pytest.mark.parametrize("work", [put_aside_and_play, repair_and_resume, repair_and_append])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_whatever_fails_is_said_and_loses_no_game(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], None], code: int
) -> None:
    """Every write, flush, rename and truncation of a record file fails once."""
    monkeypatch.setattr(record_file, "BATCH_SECONDS", 0.0)
    fail_at = 0
    while True:
        fail_at += 1
        for file in Path().glob("games*"):
            file.unlink()
        FILE.write_text("".join(LINES[:2]))
        with monkeypatch.context() as patched:
            faults = Faults(patched, fail_at, code)
            failed = said_to_have_failed(work, code)
        if faults.calls < fail_at:
            assert not failed
            break
        assert failed
        survivors = [record for file in Path().glob("games*") for record in recover_records(file)]
        assert GAMES[0] in survivors
        assert all(record in GAMES for record in survivors)
    assert fail_at > 4


def test_games_are_flushed_to_the_disk_batch_by_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.append(os.fstat(handle).st_size))
    with open_record_file(FILE) as out:
        for game in GAMES[:3]:
            out.append(game)
        assert flushed == []
        monkeypatch.setattr(record_file, "BATCH_SECONDS", 0.0)
        out.append(GAMES[3])
        assert flushed[0] == len("".join(LINES))
        before = len(flushed)
    assert len(flushed) > before


def test_a_text_is_not_taken_for_a_game_that_was_cut_off() -> None:
    """It would be emptied."""
    FILE.write_text("what I must not forget")
    for spoil in (
        lambda: run_match(MATCH, 1, file=FILE, resume=True),
        lambda: append_record(FILE, GAMES[0]),
    ):
        with pytest.raises(BadRecord, match="line 1: not JSON"):
            spoil()
    assert FILE.read_text() == "what I must not forget"


@pytest.mark.parametrize("length", [1, 5, 10, 11, 200])
def test_a_game_that_was_cut_off_makes_room_for_the_next(length: int) -> None:
    FILE.write_text(LINES[0] + LINES[1][:length])
    append_record(FILE, GAMES[2])
    assert read_records(FILE) == [GAMES[0], GAMES[2]]


@pytest.mark.parametrize("add", ["resume", "append", "from Python"])
def test_a_last_game_without_its_newline_is_mended_before_the_next(add: str) -> None:
    """An editor, or a copy, has taken it away; the game itself is whole."""
    FILE.write_text(LINES[0] + LINES[1].rstrip("\n"))
    assert read_records(FILE) == GAMES[:2]
    assert next_index(FILE) == 2
    if add == "resume":
        run_match(MATCH, 3, file=FILE, resume=True)
    elif add == "append":
        append_record(FILE, GAMES[2])
    else:
        with open_record_file(FILE) as out:
            out.append(GAMES[2])
    assert FILE.read_text() == "".join(LINES[:3])


def test_the_next_number_is_found_wherever_a_game_can_be_added() -> None:
    """`append_record` takes what is cut off away; the number of the game that it adds is asked for before."""
    assert next_index(FILE) == 0
    for cut, number in ((LINES[0][:50], 0), (LINES[0] + LINES[1][:50], 1), ("", 0), ("".join(LINES[:3]), 3)):
        FILE.write_text(cut)
        assert next_index(FILE) == number
    FILE.write_text("no record\n")
    with pytest.raises(BadRecord, match="line 1: not JSON"):
        next_index(FILE)


def test_what_is_no_file_is_refused() -> None:
    os.mkfifo("pipe")
    for name in ("pipe", "."):
        with pytest.raises(CannotWrite, match="not an ordinary file"):
            run_match(MATCH, 1, file=Path(name))


def test_the_name_of_the_file_is_flushed_with_the_first_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power failure there is a file with that name; its folder is flushed once."""
    flushed: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda handle: flushed.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
    )
    monkeypatch.setattr(record_file, "BATCH_SECONDS", 0.0)
    with open_record_file(FILE) as out:
        for game in GAMES[:3]:
            out.append(game)
    assert flushed == ["file", "folder", "file", "file", "file"]


def test_a_batch_is_the_games_of_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now, flushed = [100.0], []
    monkeypatch.setattr(record_file.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.append(now[0]))
    with open_record_file(FILE) as out:
        for later in (0.5, 0.6, 0.3, 0.8):
            now[0] += later
            out.append(GAMES[0])
    assert [round(when, 1) for when in flushed] == [101.1, 101.1, 102.2, 102.2]  # the first time with the folder


def test_a_game_that_may_have_killed_its_process_is_named() -> None:
    assert [_games([4]), _games([7, 3, 5])] == ["game 5", "one of the games 4 to 8"]
