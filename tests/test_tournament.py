"""A folder of submissions becomes a tournament: good ones are rated, bad ones lose or are named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardwright.arena.tournament import Submission, submissions
from boardwright.cli import app
from boardwright.errors import BadSpec

SCRIPTS = Path(__file__).parent.parent / "examples" / "scripts"
AGENT = """
from boardwright import Agent, Decision

class Left(Agent):
    def decide(self, observation):
        return Decision(observation.legal_actions()[0])
"""


def test_submissions_are_found_without_running_them(tmp_path: Path) -> None:
    (tmp_path / "left.py").write_text("raise SystemExit\n" + AGENT)
    shutil.copy(SCRIPTS / "first.sh", tmp_path / "shell.sh")
    (tmp_path / "team").mkdir()
    shutil.copy(SCRIPTS / "first.py", tmp_path / "team" / "main.py")
    (tmp_path / "notes.txt").write_text("read me")
    assert submissions(tmp_path) == [
        Submission("left", f"isolated:{tmp_path}/left.py"),
        Submission("shell", f"script:{tmp_path}/shell.sh"),
        Submission("team", f"script:{tmp_path}/team/main.py"),
    ]


def test_folders_that_cannot_be_played_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="has no submissions"):
        submissions(tmp_path)
    with pytest.raises(BadSpec, match="is not a folder"):
        submissions(tmp_path / "nothing")
    for name in ("one.py", "one.sh"):
        (tmp_path / name).write_text("")
    with pytest.raises(BadSpec, match="would have one name"):
        submissions(tmp_path)


def test_a_tournament_rates_refuses_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    entered = tmp_path / "entered"
    entered.mkdir()
    (entered / "left.py").write_text(AGENT)
    (entered / "dead.py").write_text("raise SystemExit(3)")
    command = ["tournament", "entered", "--game", "connect_four", "--with", "random", "--no-sandbox", "--games"]
    first = CliRunner().invoke(app, [*command, "2"])
    assert first.exit_code == 0, first.output
    assert "dead does not take part" in first.output
    again = CliRunner().invoke(app, [*command, "4"])
    assert again.exit_code == 0, again.output
    found = json.loads(Path("tournament/results.json").read_text())
    assert {entry["name"]: entry["games"] for entry in found["ratings"]} == {"left": 4, "random": 4}
    assert [entry["name"] for entry in found["refused"]] == ["dead"]
    page = Path("tournament/index.html").read_text(encoding="utf-8")
    assert "<td>left</td>" in page
    assert "dead does not take part" in page
