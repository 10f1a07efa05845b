"""Records are data: one that names a Python file as its game does not get it run without the user's word."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardwright.arena.match import Match
from boardwright.arena.record import parse_record, playable
from boardwright.cli import main
from boardwright.errors import BadRecord
from tests.conftest import DICE_RACE


@pytest.fixture(scope="module")
def line() -> dict[str, Any]:
    """A record of a game in a file, without its checksum: that is of the line as it was."""
    played = json.loads(Match(str(DICE_RACE), ("random", "random"), seed=1).play(0).line())
    del played["checksum"]
    return played


@pytest.fixture
def strange(tmp_path: Path, line: dict[str, Any]) -> Path:
    """A record of somebody else's: its game is a file that leaves a mark when it is run."""
    game = tmp_path / "strange.py"
    game.write_text(DICE_RACE.read_text() + f"\nopen({str(tmp_path / 'mark')!r}, 'w')\n")
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps({**line, "game": str(game)}) + "\n")
    return file


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that should not load the game, and does not come to its end."""
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    assert leaving.value.code not in (0, None)
    return capsys.readouterr().err


def boardwright(*arguments: str) -> tuple[int, str, str]:
    """In a process of its own: what one has loaded stays loaded."""
    done = subprocess.run(
        [sys.executable, "-m", "boardwright", *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "games.jsonl"),
        ("report", "games.jsonl"),
        ("race", "style", "games.jsonl"),
        ("race", "convert", "games.jsonl", "out.xml"),
        ("cases", "build", "cases.db", "--from-records", "games.jsonl"),
        ("scout", "explain", "games.jsonl", "--game", "1", "--move", "1"),
    ],
)
def test_no_command_runs_it(strange: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, *command)
    assert "Traceback" not in err
    assert err.startswith("boardwright: ")
    assert not (strange.parent / "mark").exists()


def test_it_says_how(strange: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, "replay", str(strange))
    assert "would run that file; if you trust it, add --trust, or name the file yourself with --game-file" in err


def test_it_is_run_if_trusted(strange: Path) -> None:
    code, out, err = boardwright("replay", str(strange), "--trust")
    assert code == 0, err
    assert "Scores:" in out
    assert (strange.parent / "mark").exists()


def test_the_file_that_the_user_names_is_the_one_that_counts(strange: Path) -> None:
    """Also where the record has come from another machine, with another path."""
    code, out, err = boardwright("replay", str(strange), "--game-file", str(DICE_RACE))
    assert code == 0, err
    assert "Scores:" in out
    assert not (strange.parent / "mark").exists()


def test_a_file_that_the_user_has_loaded_is_known_by_any_path(strange: Path, line: dict[str, Any]) -> None:
    record = parse_record(json.dumps({**line, "game": str(DICE_RACE.parent / "x" / ".." / DICE_RACE.name)}))
    assert record.final().is_terminal  # the line was played here
    other = parse_record(strange.read_text())
    with pytest.raises(BadRecord, match="name the file yourself with --game-file"):
        other.final()
    (mine,) = playable([other], str(DICE_RACE))
    assert mine.final().is_terminal
    assert not (strange.parent / "mark").exists()


@pytest.mark.parametrize(
    ("note", "most"),
    [
        (lambda n: {"comment": "x" * n}, 4000),
        (lambda n: {"branch": [1] * n}, 2000),
        (lambda n: {"arrows": [["a", "b"]] * n}, 100),
        (lambda n: {"arrows": [["x" * n, "b"]]}, 100),
    ],
    ids=["a comment", "a branch", "arrows", "the end of an arrow"],
)
def test_notes_have_bounds(line: dict[str, Any], note: Callable[[int], dict[str, object]], most: int) -> None:
    assert parse_record(json.dumps({**line, "notes": [{"move": 0, **note(most)}]})).notes
    with pytest.raises(BadRecord):
        parse_record(json.dumps({**line, "notes": [{"move": 0, **note(most + 1)}]}))
