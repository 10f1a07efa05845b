"""Searches: fixed seeds give the trees and the decisions they always gave, uncompiled and compiled.

`NUMBA_DISABLE_JIT=1 python -m tests.search_trees` writes what they are compared with; only a change of a search may.
What each part of a search has to do is in test_search_parts.py, test_search.py and test_search_tools.py: look there
when a tree differs here.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import search_trees

ROOT = Path(__file__).parent.parent
COMPILED = [
    (spec, position)
    for spec, position in search_trees.CASES
    if spec in search_trees.ALSO_COMPILED and not position.startswith("piles")
]


@cache
def expected() -> dict[str, Any]:
    return json.loads(search_trees.EXPECTED.read_text())


def test_every_search_that_was_written_down_is_compared() -> None:
    assert list(expected()) == [f"{spec} | {position}" for spec, position in search_trees.CASES]


def test_searches_find_what_they_always_found() -> None:
    """Uncompiled: all in one process, which takes three seconds."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.search_trees", "--show"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, resource.RLIM_INFINITY)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    found = json.loads(process.stdout)
    differ = [search for search, tree in expected().items() if found[search] != tree]
    first = differ[0] if differ else ""
    assert not differ, f"{differ} differ; of the first is found {found[first]}, and was {expected()[first]}"


@pytest.mark.parametrize(("spec", "position"), COMPILED)
def test_compiled_searches_find_the_same(spec: str, position: str) -> None:
    assert search_trees.found(spec, position) == expected()[f"{spec} | {position}"]
