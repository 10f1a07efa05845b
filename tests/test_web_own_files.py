"""Games of one's own on the page: what is saved is shown, and what is wrong stands there with its line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser import WAIT, Visitor
from tests.conftest import DICE_RACE
from tests.web_server import ONE_WORKER, Server

pytestmark = pytest.mark.slow

DRAWING = """
def draw(s, seat):
    text = MARK
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 60"><text font-size="20">{text}</text></svg>'
"""


def source(mark: str = "'at the table'", title: str = "Dice race") -> str:
    """The game with a drawing of its own."""
    text = DICE_RACE.read_text().replace('"Dice race"', repr(title))
    before, found, after = text.partition("game = Game(")
    assert found
    assert "text=Text(" in after
    drawing = DRAWING.replace("MARK", mark)
    return f"{before}{drawing}\n\n{found}{after.replace('text=Text(', 'text=Text(draw_state=draw, ')}"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[Path, Server]]:
    file = tmp_path / "games" / "my_dice.py"
    file.parent.mkdir()
    file.write_text(source())
    server = Server(tmp_path, *ONE_WORKER, "--game", str(file))
    yield file, server
    server.stop()


def until(server: Server, holds: Callable[[dict[str, Any]], Any]) -> None:
    """Wait until the catalogue's first game, which is the own one, is as it should be."""
    end = time.monotonic() + WAIT / 1000
    while True:
        assert time.monotonic() < end, "the server does not come back with the file as it is now"
        try:
            if holds(server.get("/api/games").json()["games"][0]):
                return
        except httpx.HTTPError:
            pass  # it is beginning again
        time.sleep(0.1)


def test_what_is_saved_is_shown_and_what_is_wrong_stands_there_with_its_line(
    own: tuple[Path, Server], browser: Browser
) -> None:
    file, server = own
    table, tokens = server.table("dice_race", None, "random", seed=1)
    lobby, player = Visitor(browser, server), Visitor(browser, server)
    lobby.page.goto(server.address)
    expect(lobby.page.locator("#game-dice_race")).to_contain_text("Dice race")
    player.sit(table, tokens["0"])
    expect(player.page.locator("#board")).to_contain_text("at the table")

    file.write_text(source("1 // 0"))
    line = next(number for number, text in enumerate(file.read_text().splitlines(), 1) if "1 // 0" in text)
    expect(player.page.locator("#board")).to_contain_text(f"my_dice.py, line {line}, in draw: ZeroDivisionError")
    player.page.keyboard.press("1")  # the game goes on without its picture
    player.until(lambda: player.table["moves"] >= 2)

    file.write_text(source().replace("def apply(", "def apply((", 1))
    line = next(number for number, text in enumerate(file.read_text().splitlines(), 1) if "apply((" in text)
    expect(lobby.page.locator(".broken")).to_contain_text(f"my_dice.py, line {line}")
    expect(player.page.locator("#lost")).to_contain_text(f"my_dice.py, line {line}")

    file.write_text(source("'mended'", "Dice race II"))
    expect(lobby.page.locator("#game-dice_race")).to_contain_text("Dice race II")
    expect(player.page.locator("#board")).to_contain_text("mended")
    assert player.table["moves"] >= 2, "the game is where it was"
    for visitor in (lobby, player):
        visitor.leave()
