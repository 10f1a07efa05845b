"""The script that changes the source finds what it names, and changes one thing at a time."""

from __future__ import annotations

import difflib
import os
import random
from pathlib import Path

import pytest

from tests import mutants


def test_every_module_and_every_test_that_is_named_is_there() -> None:
    for module, tests in mutants.TESTS.items():
        assert (mutants.PACKAGE / module).is_file(), module
        for name in tests:
            file, _, node = mutants.test_file(name).partition("::")
            text = (Path(__file__).parent / file).read_text(encoding="utf-8")
            assert f"def {node.partition('[')[0]}" in text, name


def test_a_process_that_has_just_ended_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants.os, "listdir", lambda folder: ["self", "999999999", str(os.getpid())])
    assert mutants.ticks_of_session(os.getsid(0)) > 0


@pytest.mark.parametrize("module", ["arena/seeds.py", "cbr/revise.py"])
def test_a_change_changes_the_line_that_it_names(module: str) -> None:
    before = (mutants.PACKAGE / module).read_text(encoding="utf-8")
    plain = mutants.ast.unparse(mutants.ast.parse(before)).splitlines()
    for mutant in random.Random(1).sample(list(mutants.mutants(module)), 10):
        after = mutant.applied_to(before).splitlines()
        changed = [line for line in difflib.ndiff(plain, after) if line.startswith("- ")]
        assert len(changed) >= 1, mutant
        assert mutant.before.split()[0] in "\n".join(changed), mutant


def test_a_sample_is_spread_over_the_modules() -> None:
    found = [mutant for module in ("arena/seeds.py", "cbr/revise.py") for mutant in mutants.mutants(module)]
    chosen = mutants.evenly(found, 5, seed=3)
    assert sorted([mutant.module for mutant in chosen].count(module) for module in {m.module for m in chosen}) == [2, 3]
