"""Games on the page that go into a case base, which whoever started the server has named."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import boardwright as bw
from boardwright.cases.file import read_case_file
from boardwright.cli import app
from boardwright.errors import BadSpec
from boardwright.web.messages import Refused
from boardwright.web.store import FINISHED, RESIGNED, Saved, Seat, Setup
from boardwright.web.table import Table
from boardwright.web.teaching import Teaching
from tests.web_server import run_async

WON = [0, 1, 0, 1, 0, 1, 0]
SEATS = (Seat("person", token_digest="x"), Seat("agent", "random"))


def table(game: str = "connect_four", actions: list[int] = WON, status: str = FINISHED) -> Table:
    setup = Setup(f"a table of {game}", game, {}, 5, SEATS, 0.0, None, 0)
    moves = [(action, True) for action in actions]
    by = 0 if status == RESIGNED else None
    return Table(Saved(setup, status, "", [0.0, 0.0], moves, 0.0, by), None, None)  # type: ignore[arg-type]


def test_the_winner_or_a_chosen_seat_is_learned_from_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.cases"

    async def teach() -> None:
        teaching = Teaching(file)
        assert await teaching.offered(table()) == "mine.cases"
        assert "has 1 game now" in await teaching.teach(table(), None)
        with pytest.raises(Refused, match="already"):
            await teaching.teach(table(), None)
        with pytest.raises(BadSpec, match="no seat 3"):
            await teaching.teach(table(), 2)
        await teaching.teach(table(), 1)
        assert await teaching.offered(table("kuhn_poker", [0, 0])) == "", "the file is one of another game now"

    run_async(teach())
    games = read_case_file(file, bw.game("connect_four")).games
    assert [list(one.game.actions) for one in games] == [WON, WON]
    assert [tuple(one.imitated) for one in games] == [(True, False), (False, True)]


def test_without_a_file_and_before_the_end_nothing_is_offered(tmp_path: Path) -> None:
    async def refused(teaching: Teaching, played: Table, reason: str) -> None:
        assert await teaching.offered(played) == ""
        with pytest.raises(Refused, match=reason):
            await teaching.teach(played, None)

    run_async(refused(Teaching(None), table(), "--teach"))
    run_async(refused(Teaching(tmp_path / "mine.cases"), table(actions=[0], status=RESIGNED), "played to its end"))


@pytest.mark.parametrize("option", [("--host", "0.0.0.0"), ("--name", "games.example.org")])
def test_others_in_the_network_teach_nothing(option: tuple[str, str]) -> None:
    result = CliRunner().invoke(app, ["web", "--teach", "mine.cases", *option])
    assert isinstance(result.exception, BadSpec)
    assert "--teach is for games on this machine" in str(result.exception)
