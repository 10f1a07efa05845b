"""The pages in Firefox: a game of each kind, clicked through, and study, where a Firefox is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import boardwright as bw
from tests.firefox import MISSING, Firefox, firefox
from tests.web_server import Server

pytestmark = pytest.mark.slow

READY = "document.querySelectorAll('#board .can').length > 0"
OVER = "!document.querySelector('#ending').classList.contains('hidden')"
VERSION = "document.querySelector('#board').dataset.version"
MOST_CLICKS = 400


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    path = firefox()
    if path is None:
        pytest.skip(MISSING)
    fox = Firefox(path, tmp_path_factory.mktemp("firefox"))
    yield fox
    fox.close()


@pytest.mark.parametrize("game", bw.games())
def test_a_whole_game_is_clicked_through_in_firefox(server: Server, fox: Firefox, game: str) -> None:
    table, tokens = server.table(game, None, *["random"] * (bw.game(game).seats[0] - 1), seed=3)
    fox.goto(f"{server.address}/table/{table}#{tokens['0']}")
    for _ in range(MOST_CLICKS):
        fox.until(f"{READY} || {OVER}")
        if fox.evaluate(OVER):
            break
        before = fox.evaluate(VERSION)
        least = fox.evaluate("document.querySelectorAll('#board [role=checkbox]').length") and fox.evaluate(
            "Number(document.querySelector('#set-count').textContent.match(/of (\\d+)/)[1])"
        )
        for place in range(least or 1):
            kind = "[role=checkbox][aria-checked=false]:nth-of-type(n)" if least else ".can"
            fox.click(f"#board {kind}")
            assert not least or fox.until(f"document.querySelectorAll('#board [aria-checked=true]').length > {place}")
        if least or fox.evaluate("!!document.querySelector('#confirm')"):
            fox.click("#confirm")
        for second in (".menu button", "#board .partner"):
            if fox.evaluate(f"!!document.querySelector('{second}')"):
                fox.click(second)
        fox.until(f"{VERSION} !== '{before}'")
    assert server.finished(table)["status"] == "finished"
    assert fox.until("document.querySelectorAll('#sheet tbody tr').length")
    assert fox.complaints == []


def test_study_works_in_firefox(server: Server, fox: Firefox) -> None:
    table, _ = server.table("race", "random", "random", seed=4)
    server.finished(table)
    fox.goto(f"{server.address}/study#table={table}&move=6")
    fox.until("document.querySelector('#say').textContent.startsWith('Move 6 of')")
    fox.click("#arrows")
    fox.click("#board [data-key]")
    fox.click("#board [data-key]")
    assert fox.until("document.querySelectorAll('#board .arrows circle').length === 1")
    assert fox.complaints == []
