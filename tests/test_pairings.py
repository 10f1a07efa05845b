"""All pairings of armies: every cell is played, and the totals are what the cells say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import boardwright as bw
from boardwright.arena.pairings import PairingResults, Pairings
from boardwright.cli import main
from boardwright.commands.played import StudyBalance
from boardwright.errors import BoardwrightError
from boardwright.executors import InProcess

ARMIES = 8
"""Six printed and two personalised ones."""


def pairings(option: str = "armies", game: str = "lords", **options: str) -> Pairings:
    return Pairings(game, bw.game(game), option, "random", 3, options)


def test_every_pairing_is_played_and_the_totals_add_up() -> None:
    results = PairingResults.of(pairings(), 2, InProcess())
    assert len(results.cells) == ARMIES**2
    assert all(tally.games == 2 for tally in results.cells.values())
    for side, total in enumerate(results.totals):
        others = [other for other in range(ARMIES) if other != side]
        first = sum(results.cells[side, other].points for other in others)
        second = sum(2 - results.cells[other, side].points for other in others)
        assert total.games == 2 * 2 * (ARMIES - 1)
        assert total.points == first + second
    assert sum(total.share for total in results.totals) == pytest.approx(ARMIES / 2)


def test_the_armies_are_those_of_the_cell() -> None:
    match = pairings(information="open").match((1, 4))
    assert match.all_options["armies"] == "dwarf,templar"
    assert match.all_options["information"] == "open"


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (pairings("cards"), "given per seat"),
        (pairings("army"), "unknown option"),
        (pairings(armies="orc"), "leave -o armies"),
        (pairings("boards", "wonders"), "for two"),
    ],
)
def test_what_cannot_be_paired_is_said(wrong: Pairings, complaint: str) -> None:
    with pytest.raises(BoardwrightError, match=complaint):
        wrong.check()


def test_the_command_prints_the_table_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "armies.json"
    arguments = ["balance", "lords", "--across", "armies", "--agent", "random", "--games", "1", "--json", str(file)]
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 0
    assert "won by the row" in capsys.readouterr().out
    assert len(json.loads(file.read_text())["pairings"]) == ARMIES**2


def asked_for(agent: str, **more: Any) -> Pairings:
    """What `balance lords --across armies` plays."""
    return StudyBalance(game="lords", agent=agent, **more).pairings("armies")


def test_agents_that_are_not_our_own_cannot_guess_the_seed() -> None:
    agents = ("random", "script:python bot.py", "script:python bot.py")
    ours, first, second = (asked_for(agent).seed for agent in agents)
    assert ours == 0
    assert 0 != first != second != 0


def test_the_sandbox_and_what_happens_to_agents_that_fail_are_those_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwright.scripts.sandbox.check_sandbox", lambda: None)
    found = asked_for("script:python bot.py", sandbox=True, on_failure="substitute").match((0, 1))
    assert all("sandbox=true" in entrant for entrant in found.entrants)
    assert found.on_failure == "substitute"
