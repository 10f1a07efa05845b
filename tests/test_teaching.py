"""The lab sheets of docs/teaching.md work as pasted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "teaching.md").read_text(encoding="utf-8")
SHEETS = re.findall(r"^## Sheet (\d): .+?```sh\n(.+?)```", PAGE, re.MULTILINE | re.DOTALL)


def test_there_are_six_sheets() -> None:
    assert [number for number, _ in SHEETS] == list("123456")


@pytest.mark.slow
def test_the_sheets_work_as_pasted(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for number, commands in SHEETS:
        done = subprocess.run(
            ["bash", "-e", "-c", commands],
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"sheet {number}: {done.stderr}"
