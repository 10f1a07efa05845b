"""Golden playthroughs: `make playthroughs` writes them again when a change is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

import boardwright as bw
from boardwright.playthroughs import playthrough

FOLDER = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("name", bw.games())
def test_playthrough_is_the_golden_one(name: str) -> None:
    golden = (FOLDER / f"{name}.txt").read_text()
    assert playthrough(bw.game(name)) == golden, f"{name} plays differently; if that is meant: make playthroughs"
