"""Helpers for the tests of scripts: small programs, and who is left of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

MOODY = Path(__file__).parent / "scripts" / "moody.py"
EXAMPLES = Path(__file__).parents[1] / "examples" / "scripts"
MARK = "BOARDWRIGHT_TEST_MARK"

BOT = """
import json, os, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def play(message, **more):
    say(type="action", action=message["legal"][0]["action"], **more)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        {hello}
        say(type="ready", protocol=1{ready})
    elif message["type"] == "decide":
        {decide}
"""


def write_bot(name: str = "bot.py", *, hello: str = "pass", ready: str = "", decide: str = "play(message)") -> str:
    """A small bot that plays the first legal action, unless told otherwise; its spec."""
    Path(name).write_text(BOT.format(hello=hello, ready=ready, decide=decide))
    return f"script:./{name}"


def moody(way: str, share: float = 1.0) -> str:
    return f"script:{sys.executable} {MOODY} {way} {share}"


@cache
def sandboxes_work() -> bool:
    """Whether bubblewrap is here and may do its work."""
    if shutil.which("bwrap") is None:
        return False
    tried = subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], capture_output=True, check=False)
    return tried.returncode == 0


class Left:
    """Processes and descriptors that are still there."""

    def __init__(self, mark: str) -> None:
        self.mark = f"{MARK}={mark}".encode()
        self.descriptors = len(os.listdir("/proc/self/fd"))

    def processes(self) -> list[int]:
        """All that carry the mark in their environment, but for this one."""
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != os.getpid():
                try:
                    environment = Path("/proc", name, "environ").read_bytes()
                    command = Path("/proc", name, "cmdline").read_bytes()
                except OSError:
                    continue
                if self.mark in environment and b"resource_tracker" not in command:  # Python's own, of `--jobs`
                    found.append(int(name))
        return found

    def nothing(self) -> None:
        assert not self.processes(), "a process was left behind"
        assert len(os.listdir("/proc/self/fd")) <= self.descriptors, "a descriptor was left open"


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Left:
    """Marks all processes that the test starts, by its own path: another worker may run the same test beside it."""
    monkeypatch.setenv(MARK, str(tmp_path))
    return Left(str(tmp_path))
