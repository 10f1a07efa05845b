"""The workflows run what is there, and nothing that somebody else can change behind their back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_actions_are_pinned_by_digest(file: Path) -> None:
    used = re.findall(r"uses: (.+)", file.read_text(encoding="utf-8"))
    assert [line for line in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[0-9.]+", line)] == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_targets_of_workflows_are_in_the_makefile(file: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    called = set(re.findall(r"\bmake ([a-z-]+)", file.read_text(encoding="utf-8")))
    assert called <= targets
