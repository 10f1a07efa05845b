"""Files of the user's: whole, readable by others, and by one process at a time."""

from __future__ import annotations

import ast
import errno
import hashlib
import json
import math
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright
from boardwright import platforms
from boardwright.arena.record import read_records
from boardwright.errors import BoardwrightError, CannotWrite
from boardwright.files import (
    alone,
    atomic_output,
    atomic_write,
    check_writable,
    digest,
    files_of_tables,
    make_folder,
    open_alone,
    parse_json,
    read_json,
    state_folder,
    write_all,
    write_json,
)
from boardwright.learn.network import Network, initial_weights
from boardwright.reports.plots import figure
from tests.conftest import files_no_longer_than


def refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def test_json_has_null_for_what_is_not_a_number() -> None:
    found = {"mean": math.nan, "bounds": (-math.inf, 0.5), "rows": [{"x": np.float64("inf"), "n": 3, "ok": True}]}
    write_json(Path("found.json"), found)
    read = json.loads(Path("found.json").read_text(), parse_constant=refuse)
    assert read == {"mean": None, "bounds": [None, 0.5], "rows": [{"x": None, "n": 3, "ok": True}]}


BAD_JSON = {
    "deep nesting": "[" * 100_000 + "]" * 100_000,
    "nesting": '{"cards":' * 300 + "1" + "}" * 300,
    "six thousand digits": '{"cards": ' + "9" * 6000 + "}",
    "thirty digits": '{"cards": ' + "9" * 30 + "}",
    "infinity": '{"cards": Infinity}',
    "minus infinity": '{"cards": -Infinity}',
    "not a number": '{"cards": NaN}',
    "infinity as a number": '{"cards": 1e999}',
    "minus infinity as a number": '{"cards": -1E+999}',
    "half a character": '{"cards": "\\ud800"}',
    "nothing": "",
    "two": "{} {}",
}


@pytest.mark.parametrize("text", BAD_JSON.values(), ids=BAD_JSON)
def test_json_that_no_reader_of_ours_can_use_is_a_value_error(text: str) -> None:
    for given in (text, text.encode()):
        with pytest.raises(ValueError, match=r"\w"):
            parse_json(given)
    with pytest.raises(ValueError, match=r"\w"):
        parse_json(b"\xff")


def test_json_that_is_right_is_read() -> None:
    for value in ({"a": [1, -2.5, None, True, "ä\n"]}, 2**64 - 1, -(2**63), 1e300, "1" * 30, "1e999", [[[[]]]]):
        assert parse_json(json.dumps(value)) == value
    assert parse_json("1e-999") == 0
    Path("bom.json").write_text("\ufeff[1]")
    assert read_json(Path("bom.json")) == [1]


@pytest.mark.parametrize("text", BAD_JSON.values(), ids=BAD_JSON)
def test_every_reader_of_json_refuses_it_with_one_line(text: str) -> None:
    from boardwright.commands.tables import _result_in
    from boardwright.decks.netrunner.cards import netrunner_pool
    from boardwright.decks.netrunner.netrunnerdb import read_cards
    from boardwright.decks.reading import read_decks
    from boardwright.games.race.keldon.saves import read_saves
    from boardwright.games.wonders.agents import load_table
    from boardwright.scout.cases.profiles import load_profiles
    from boardwright.terminal.unfinished import read_unfinished

    file = Path("bad.json")
    file.write_text(text)
    readers: list[Callable[[], object]] = [
        lambda: read_decks(file, netrunner_pool()),
        lambda: read_cards(file),
        lambda: load_table(str(file)),
        lambda: load_profiles(str(file)),
        lambda: _result_in(file),
        lambda: list(read_saves(file)),
        lambda: read_unfinished(file),
        lambda: read_records(file),
    ]
    for reader in readers:
        if reader is readers[-1] and not text:
            continue  # a file of no games
        with pytest.raises(BoardwrightError) as refused:
            reader()
        assert "\n" not in str(refused.value)


def test_there_is_one_reader_of_json() -> None:
    """What others find out the hard way (deep nesting, numbers without end, infinity) is known in one place."""
    package = Path(boardwright.__file__).parent
    found = []
    for file in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
                name = f"{called.value.id}.{called.attr}"
                if name in ("json.load", "json.loads", "pydantic_core.from_json", "json.JSONDecoder"):
                    found.append(f"{file.relative_to(package)}:{node.lineno}")
            if isinstance(node, ast.ImportFrom) and node.module in ("json", "pydantic_core"):
                found += [f"{file.relative_to(package)}:{node.lineno}" for name in node.names if "load" in name.name]
    # exported pages import nothing of ours, and read only tables that the export has written into them
    assert {place.partition(":")[0] for place in found} == {"files.py", "engine/source/runtime.py"}, found


@pytest.mark.parametrize("removable", [True, False], ids=["while it is open", "once it is closed"])
def test_one_at_a_time_and_no_trace_afterwards(removable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "OPEN_FILES_CAN_BE_REMOVED", removable)
    sign = Path("work.lock")
    with (
        alone(sign, "somebody is at it"),
        pytest.raises(CannotWrite, match="somebody is at it"),
        alone(sign, "somebody is at it"),
    ):
        pass
    with pytest.raises(RuntimeError), alone(sign, "busy"):
        raise RuntimeError
    assert not sign.exists()
    sign.write_text("")  # left by a process that was killed
    with alone(sign, "busy"):
        assert sign.exists()
    assert not sign.exists()


def write_network(file: Path) -> None:
    Network("any", 2, initial_weights(50, 50, np.random.default_rng(0)), {}).save(file)


def draw(file: Path) -> None:
    with figure(file, (2, 1)) as (_, axes):
        axes.plot([1, 2])


WRITERS = [("x.json", lambda file: write_json(file, ["x" * 5000])), ("x.npz", write_network), ("x.png", draw)]


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_a_full_disk_leaves_the_file_as_it_was(name: str, write: Callable[[Path], None]) -> None:
    Path(name).write_text("as it was")
    for size in (0, 1, 100, 4000):
        with files_no_longer_than(size), pytest.raises(CannotWrite, match=rf"cannot write {name}: File too large"):
            write(Path(name))
        assert [file.name for file in Path().iterdir()] == [name]
        assert Path(name).read_text() == "as it was"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_a_disk_that_fails_leaves_the_file_as_it_was(
    monkeypatch: pytest.MonkeyPatch, name: str, write: Callable[[Path], None], call: str, code: int
) -> None:
    def fail(*arguments: Any, **named: Any) -> None:
        raise OSError(code, os.strerror(code))

    Path(name).write_text("as it was")
    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(CannotWrite, match=rf"cannot write {name}: {os.strerror(code)}"):
            write(Path(name))
    assert [file.name for file in Path().iterdir()] == [name]
    assert Path(name).read_text() == "as it was"


def test_output_is_on_the_disk_before_it_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The content, then the name: after a power failure there is the old file or the new one."""
    done: list[str] = []
    replace = os.replace

    def noted_flush(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"{os.fstat(handle).st_size} bytes")

    def noted_replace(*names: Any) -> None:
        done.append("replaced")
        replace(*names)

    monkeypatch.setattr(os, "fsync", noted_flush)
    monkeypatch.setattr(os, "replace", noted_replace)
    with atomic_output(Path("out.txt")) as temporary:
        temporary.write_text("hello")
    assert done == ["5 bytes", "replaced", "folder"]


def test_short_writes_are_continued() -> None:
    class Slow:
        taken = b""

        def write(self, data: memoryview) -> int:
            self.taken += bytes(data[:3])
            return min(3, len(data))

    slow: Any = Slow()
    write_all(slow, b"0123456789")
    assert slow.taken == b"0123456789"


def test_a_file_that_is_moved_while_it_is_opened_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has put it aside between our opening and our lock: what we have open is the old one."""
    file, open_, moved = Path("games.jsonl"), Path.open, []
    file.write_text("old")

    def open_and_move(self: Path, *arguments: Any, **named: Any) -> Any:
        stream = open_(self, *arguments, **named)
        if not moved:
            moved.append(self.rename("aside.jsonl"))
        return stream

    monkeypatch.setattr(Path, "open", open_and_move)
    with open_alone(file, "busy") as stream:
        stream.write(b"new")
    assert file.read_text() == "new"
    assert Path("aside.jsonl").read_text() == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", [["version"], ["games"], ["--help"]])
def test_a_full_disk_behind_the_output_is_one_line(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "boardwright", *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "boardwright: cannot write the output: No space left on device\n"


def test_others_may_do_with_a_new_file_what_the_umask_leaves_them(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_json(tmp_path / "a.json", 1)
    finally:
        os.umask(before)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o666


# What names and bounds are


def test_a_private_file_is_read_by_nobody_else_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with atomic_write(tmp_path / "secret", private=True) as temporary:
            temporary.write_text("x")
        with atomic_write(tmp_path / "open") as temporary:
            assert temporary.parent == tmp_path
            temporary.write_text("x")
    finally:
        assert os.umask(before) == 0, "as it was"
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("secret", "open")] == [0o600, 0o666]


def test_writing_leaves_no_descriptor_and_no_temporary_file(tmp_path: Path) -> None:
    open_ = len(os.listdir("/proc/self/fd"))
    with atomic_write(tmp_path / "a") as temporary:
        temporary.write_text("x")
    with pytest.raises(KeyError), atomic_write(tmp_path / "b"):
        raise KeyError
    check_writable(tmp_path / "c")
    assert len(os.listdir("/proc/self/fd")) == open_
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for file, why in (
        (tmp_path, "it is a folder"),
        (tmp_path / "pipe", "it is not an ordinary file"),
        (tmp_path / "none" / "x", f"there is no folder {tmp_path / 'none'}"),
    ):
        with pytest.raises(CannotWrite, match=f"cannot write {file}: {why}"):
            check_writable(file)
    (tmp_path / "there").touch()
    check_writable(tmp_path / "there")

    def refused(**_: Any) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.mkstemp", refused)
    with pytest.raises(CannotWrite, match="Read-only file system"):
        check_writable(tmp_path / "there")


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b", "games")
    make_folder(tmp_path / "a" / "b", "games")
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match=r"cannot keep games in .*file/b: Not a directory; choose another folder"):
        make_folder(tmp_path / "file" / "b", "games")


def test_the_users_own_data_are_where_xdg_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder("x") == tmp_path / "boardwright" / "x"
    for unusable in ("", "relative/path"):
        monkeypatch.setenv("XDG_STATE_HOME", unusable)
        assert state_folder("x") == Path.home() / ".local" / "state" / "boardwright" / "x"


def test_the_files_of_tables_are_those_of_the_server_that_this_process_works_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("BOARDWRIGHT_TABLES", raising=False)
    assert files_of_tables() == []
    monkeypatch.setenv("BOARDWRIGHT_TABLES", "/t.db")
    assert files_of_tables() == [Path("/t.db"), Path("/t.db-wal"), Path("/t.db-journal")]


def test_a_digest_is_that_of_the_content_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for content in (b"one", b"three"):
        file.write_bytes(content)
        assert digest(file) == hashlib.sha256(content).hexdigest()[:16]


def test_numbers_of_json_have_64_bits() -> None:
    assert parse_json(f"[{2**64 - 1}, {-(2**64) + 1}]") == [2**64 - 1, 1 - 2**64]
    for number in (2**64, -(2**64)):
        with pytest.raises(ValueError, match=r"the number -?18446744073709551.* is too large"):
            parse_json(f"[{number}]")
    assert parse_json('{"cards": 1e308}') == {"cards": 1e308}
    with pytest.raises(ValueError, match=r"the number 1234567890123456789\. is too large"):
        parse_json("1234567890123456789.5e999")
    with pytest.raises(ValueError, match="the number 1e309 is too large"):
        parse_json("[1e309]")
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json("[" * 1000 + "]" * 1000)
    with pytest.raises(ValueError, match="NaN is not a number"):
        parse_json("NaN")


def test_json_is_written_for_people(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"a": (1.5, math.inf), "b": True})
    assert (tmp_path / "a.json").read_text() == '{\n  "a": [\n    1.5,\n    null\n  ],\n  "b": true\n}\n'


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CannotWrite, match="it is not an ordinary file"), open_alone(tmp_path / "pipe", "busy"):
        pass
    with (
        pytest.raises(CannotWrite, match=r"cannot write .*none/x: No such file"),
        open_alone(tmp_path / "none/x", "busy"),
    ):
        pass
    (tmp_path / "there").write_bytes(b"one\n")
    with open_alone(tmp_path / "there", "busy") as stream:
        write_all(stream, b"two\n")
        stream.seek(0)
        assert stream.read() == b"one\ntwo\n", "to read and to append to"
