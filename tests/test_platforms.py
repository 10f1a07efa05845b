"""The package runs where POSIX's modules are missing, and asks which system it is on in one place only."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest

import boardwright
from boardwright import platforms
from tests.web_server import ONE_WORKER, ROOT, Server
from tests.windows import POSIX_MODULES, POSIX_OS, POSIX_SIGNALS

PACKAGE = Path(boardwright.__file__).parent
WINDOWS = {
    "PYTHONPATH": f"{ROOT / 'tests' / 'windows_site'}{os.pathsep}{ROOT}",
    "PYTHONIOENCODING": "cp1252",
}
LINUX_ONLY = {"scripts/process.py", "scripts/warden.py", "scripts/sandbox.py"}
"""They need Linux, and whoever asks for them elsewhere is told so."""


def run(folder: Path, *arguments: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    """The command line as on Windows."""
    return subprocess.run(
        [sys.executable, "-m", "boardwright", *arguments],
        cwd=folder,
        env=os.environ | WINDOWS,
        input=answers,
        capture_output=True,
        encoding="cp1252",
    )


def posix_names(file: Path) -> Iterator[str]:
    """What a module uses that only POSIX has, but for what it asks for by `getattr` or `hasattr`."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in POSIX_MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in POSIX_MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "os" and node.attr in POSIX_OS:
                yield f"os.{node.attr}"
            elif node.value.id == "signal" and node.attr in (*POSIX_SIGNALS, "SIGKILL"):
                yield f"signal.{node.attr}"


def test_only_one_module_asks_what_the_system_has() -> None:
    found = {
        name: names
        for file in PACKAGE.rglob("*.py")
        if (name := file.relative_to(PACKAGE).as_posix()) not in {"platforms.py", *LINUX_ONLY}
        if (names := sorted(set(posix_names(file))))
    }
    assert found == {}


def test_a_match_is_played_resumed_and_replayed_as_on_windows(tmp_path: Path) -> None:
    match = ("match", "connect_four", "random", "flat:iterations=5", "--json", "result.json")
    first = run(tmp_path, *match, "--games", "2", "--jobs", "2")
    assert first.returncode == 0, first.stderr
    explained = run(tmp_path, "explain", "connect_four", "uct:iterations=20")
    assert "\xa0?" in explained.stdout, explained.stderr  # the arrow has no place in the code page
    second = run(tmp_path, *match, "--games", "4", "--resume")
    assert second.returncode == 0, second.stderr
    assert json.loads((tmp_path / "result.json").read_bytes())["games"] == 4
    (record,) = (tmp_path / "matches").glob("*.jsonl")
    assert b"\r" not in record.read_bytes()
    replayed = run(tmp_path, "replay", str(record), "--game", "4")
    assert replayed.returncode == 0, replayed.stderr


def test_a_game_is_left_and_gone_on_with_as_on_windows(tmp_path: Path) -> None:
    left = run(tmp_path, "play", "connect_four", "--vs", "random", "--seed", "3", answers="4\nq\n")
    assert left.returncode == 0, left.stderr
    again = run(tmp_path, "play", "connect_four", "--resume", answers="4\nq\n")
    assert again.returncode == 0, again.stderr
    assert "Seed 3." in again.stdout


def test_scripts_are_refused_in_a_sentence_where_their_limits_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("", encoding="utf-8")
    refused = run(tmp_path, "match", "connect_four", "script:bot.py", "random", "--games", "1")
    assert refused.returncode == 1
    assert refused.stderr == "boardwright: scripts need Linux: their limits are kept with its /proc\n"


def test_the_page_is_served_as_on_windows(tmp_path: Path) -> None:
    server = Server(tmp_path, *ONE_WORKER, environment=WINDOWS)
    try:
        assert httpx.get(server.address).status_code == 200
    finally:
        server.stop()
    assert "Traceback" not in server.errors(), server.errors()


def test_a_locked_file_is_another_process_s(tmp_path: Path) -> None:
    """By the locks of Windows, taken byte by byte, as by those of POSIX."""
    file = tmp_path / "record.jsonl"
    code = f"""
from pathlib import Path
from boardwright.files import open_alone
with open_alone(Path({str(file)!r}), 'busy'):
    pass
"""
    with file.open("ab+") as stream:
        stream.write(b"a line\n")
        platforms.lock(stream)
        busy = subprocess.run([sys.executable, "-c", code], env=os.environ | WINDOWS, capture_output=True, text=True)
        assert "CannotWrite: busy" in busy.stderr
    free = subprocess.run([sys.executable, "-c", code], env=os.environ | WINDOWS, capture_output=True, text=True)
    assert (free.returncode, free.stderr) == (0, "")
    assert file.read_bytes() == b"a line\n"


def test_time_runs_out_without_posix_s_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(platforms.signal, "setitimer")
    with pytest.raises(TimeoutError):
        _wait_for_ever(platforms.time_limit(0.01, TimeoutError))


def _wait_for_ever(limit: AbstractContextManager[None]) -> None:
    with limit:
        while True:
            pass
