"""The folders of SCOUT: imports between them point one way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import boardwright.scout as scout

ROOT = Path(scout.__path__[0])
ABOVE = "agents"
"""The modules that are in no folder."""
MAY_USE = {
    "problems": set(),
    "documents": {"problems"},
    "remote": {"problems", "documents"},
    "cases": {"problems", "documents"},
    "reasoners": {"problems", "cases"},
    ABOVE: {"problems", "cases", "reasoners"},
    "commands": {"problems", "documents", "remote", "cases", "reasoners", ABOVE},
}


def used_by(folder: str) -> Iterator[tuple[str, str]]:
    """The files of a folder, with the folders that they import from."""
    for file in ROOT.glob("*.py") if folder == ABOVE else (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if module and module.startswith(f"{scout.__name__}."):
                first = module.removeprefix(f"{scout.__name__}.").partition(".")[0]
                yield file.name, first if first in MAY_USE and first != ABOVE else ABOVE


def test_every_folder_is_known() -> None:
    assert {file.parent.name for file in ROOT.glob("*/__init__.py")} == set(MAY_USE) - {ABOVE}


@pytest.mark.parametrize("folder", MAY_USE)
def test_imports_point_one_way(folder: str) -> None:
    wrong = {(file, used) for file, used in used_by(folder) if used != folder and used not in MAY_USE[folder]}
    assert not wrong
