"""Every target of the Makefile is tried by `make check-targets`, and CI runs that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.targets import SHORT, main

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_target_is_tried() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
    assert targets == {*SHORT, "check-targets"}
    phony = re.search(r"^\.PHONY:((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)
    assert phony is not None
    assert targets == set(phony[1].replace("\\", "").split())


@pytest.mark.parametrize("name", sorted(SHORT))
def test_what_makes_a_target_short_is_a_variable_that_it_uses(name: str) -> None:
    recipe = re.search(rf"^{name}:.*\n((?:\t.*\n)*)", MAKEFILE, re.MULTILINE)
    assert recipe is not None
    for setting in SHORT[name]:
        variable = setting.partition("=")[0]
        assert f"$({variable})" in recipe[1] or f"$(or $({variable})," in recipe[1]


def test_every_target_says_what_it_does() -> None:
    for name in (*SHORT, "check-targets"):
        assert re.search(rf"^{name}:.*  ## \S", MAKEFILE, re.MULTILINE), name


def test_ci_tries_the_targets() -> None:
    workflows = "".join(file.read_text(encoding="utf-8") for file in (ROOT / ".github/workflows").glob("*.yml"))
    assert "run: make check-targets" in workflows


def test_an_unknown_target_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sight"]) == 2
    assert "no target sight; there are help, demo" in capsys.readouterr().err
