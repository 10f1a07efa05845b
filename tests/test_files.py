"""Files of the user's: whole, readable by others, and by one process at a time."""

from __future__ import annotations

import errno
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

from boardwright.errors import CannotWrite
from boardwright.files import alone, atomic_output, open_alone, write_all, write_json
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


def test_one_at_a_time_and_no_trace_afterwards() -> None:
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
