"""`boardwright check` is a judge to be trusted: it passes good games and finds the mistakes of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwright.conformance.process import check_game
from tests.wrong_games import DRAFT, GAMES, WRONG

ENOUGH = 28


def failure(file: Path) -> str:
    return next((verdict.failure for verdict in check_game(str(file), 20, 1) if verdict.failure), "")


def test_there_are_thirty_mistakes_each_in_one_place(tmp_path: Path) -> None:
    assert len({game.mistake for game in WRONG}) == 30
    for game in WRONG:
        game.write(tmp_path)


@pytest.mark.slow
def test_a_good_draft_passes() -> None:
    assert failure(GAMES / f"{DRAFT}.py") == ""


@pytest.mark.slow
def test_nearly_all_mistakes_are_found(tmp_path: Path) -> None:
    missed = []
    for number, game in enumerate(WRONG):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = failure(game.write(folder))
        print(f"{game.mistake}: {found or 'NOT FOUND'}")
        missed += [] if found else [game.mistake]
    assert len(WRONG) - len(missed) >= ENOUGH, missed
