"""One ladder per game, by one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardwright.arena import reference_ladders
from boardwright.arena.reference_ladders import LADDERS, StrengthLadder
from boardwright.cli import main
from boardwright.registry import load_game, make_agent


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    return int(leaving.value.code or 0)


def test_a_ladder_is_played_rated_and_timed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = StrengthLadder("connect_four", 2, ("random", "uct:iterations=20", "uct:{time}"))
    monkeypatch.setattr(reference_ladders, "LADDERS", (few,))
    monkeypatch.setattr(reference_ladders, "TIMED_DECISIONS", 5)
    command = ["strength", "connect_four", "--games", "4", "--seconds", "0.001", "--results", "found"]
    assert run(*command) == 0
    found = json.loads(Path("found/strength-connect_four-2-1ms.json").read_text())
    assert {rated["spec"] for rated in found["ratings"]} == {
        "random", "uct:iterations=20", "uct:seconds=0.001,clock=cpu",
    }  # fmt: skip
    assert all(rated["milliseconds"] > 0 and rated["games"] == 8 for rated in found["ratings"])
    assert found["command"] == "boardwright strength connect_four --games 4 --seconds 0.001 --seed 1"
    games = sorted(Path("ladders").iterdir())
    before = [file.read_bytes() for file in games]
    assert run(*command) == 0, "what was played is kept"
    assert [file.read_bytes() for file in games] == before
    assert run("strength", "chess") == 1
    assert "there is no ladder for chess; there are ladders for connect_four" in capsys.readouterr().err


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: ladder.name)
def test_everybody_on_a_ladder_can_be_seated(ladder: StrengthLadder) -> None:
    game = load_game(ladder.game)
    for spec in ladder.with_time(0.01):
        make_agent(spec, game, 0)
