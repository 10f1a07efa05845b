"""The pages on a phone and on other screens: whole games by tapping, cards explained, how to play, golden pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

import boardwright as bw
from boardwright.drawing import Layout
from boardwright.web.catalogue import example
from tests.test_web_browser import check_frames
from tests.web_server import Server

SMALLEST = """Math.min(...[...document.querySelectorAll("#board text")].map(
    (text) => text.getScreenCTM().a * parseFloat(text.getAttribute("font-size"))))"""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
QUICK = ("connect_four", "kuhn_poker")
GOLDEN = Path(__file__).parent / "golden"
WIDTHS = {"phone": 380, "tablet": 800, "laptop": 860, "large": 1400}
SAMPLE = 160  # pixels across, of a golden picture
FAR = 12.0  # of 255, on average: fonts differ that much, layouts more


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in bw.games()]
)
def test_a_whole_game_is_played_by_tapping_on_a_phone(server: Server, visit: Any, game: str) -> None:
    table, tokens = server.table(game, None, *["random"] * (bw.game(game).seats[0] - 1), seed=3)
    person = visit(**PHONE)
    person.sit(table, tokens["0"])
    person.click_through(3)
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 360, "nothing to scroll sideways"
    assert person.page.evaluate(SMALLEST) >= 10.99
    person.click_through()
    assert person.table["status"] == "finished"
    expect(person.page.locator("#sheet tbody tr")).to_have_count(len(person.table["seats"]))
    expect(person.page.locator("#rematch")).to_be_visible()
    check_frames(server, table, person, 0)


SHEET = """async () => {
    const { sheet } = await import("/static/ending.js");
    const parts = ["chips", "worlds", "developments", "six-cost developments"];
    const seats = [{ name: "Maximiliane von Hohenstein" }, { name: "netsearch:weights=large" }];
    const rows = [[12, 9, 7, 4], [10, 8, 6, 3]], totals = [32, 27];
    const ended = { returns: [1, 0], scores: totals, status: "finished", note: "" };
    const shownSheet = { has_points: true, parts, rows, totals };
    document.body.replaceChildren(...sheet({ seats, sheet: shownSheet, ...ended }, new Map(), () => {}));
    const scroll = document.querySelector(".scroll");
    const shown = [...document.querySelectorAll("#sheet tr > :last-child")].map((cell) => {
        const { left, right, top, bottom } = cell.getBoundingClientRect();
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return right <= innerWidth && there.closest("td, th") === cell;
    });
    return [scroll.scrollWidth > scroll.clientWidth, shown];
}"""


def test_the_total_of_a_score_sheet_is_on_the_screen_of_a_phone(server: Server, visit: Any) -> None:
    person = visit(**PHONE)
    person.page.goto(server.address)
    scrolls, shown = person.page.evaluate(SHEET)
    assert scrolls, "or there is nothing to test"
    assert shown == [True, True, True]


CUT = """() => {
    const all = document.querySelector("#board svg").getBoundingClientRect();
    return [...document.querySelectorAll("#board text")].filter((text) => {
        const own = text.getBoundingClientRect();
        return own.left < all.left - 1 || own.right > all.right + 1;
    }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("game", ["lords", "kuhn_poker"])
def test_a_long_name_is_cut_and_not_what_stands_behind_it(server: Server, visit: Any, game: str) -> None:
    wanted = [{"agent": None, "name": "Maximiliane von Hohenstein-Rothenburg"}, {"agent": "random", "name": "W" * 40}]
    table = server.post("/api/tables", {"game": game, "seats": wanted, "pace": 0, "seed": 5}).json()
    person = visit(**PHONE)
    person.sit(table["id"], table["tokens"]["0"])
    person.page.wait_for_selector("#board .can")
    expect(person.page.locator("#board svg")).to_contain_text("Maxi")
    assert person.page.evaluate(CUT) == []


def test_a_card_is_explained_by_a_long_press_and_others_open_by_a_tap(server: Server, visit: Any) -> None:
    table, tokens = server.table("race", None, "random", seed=5)
    person = visit(**PHONE)
    person.sit(table, tokens["0"])
    page = person.page
    page.wait_for_selector("#board .can")
    card = page.locator('#board [data-key^="hand"]').first
    box = card.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    phone = page.context.new_cdp_session(page)
    phone.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(page.locator("#explained")).to_contain_text("Gem World")
    phone.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#set-count")).to_contain_text("0 of 2")
    assert page.locator("#tip").count() == 1
    page.locator("#tips-off").click()
    assert page.locator("#tip").count() == 0
    folded = page.locator('#board [data-fold="1"]')
    assert folded.get_attribute("aria-expanded") == "false"
    folded.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('#board [data-fold="1"][aria-expanded="true"]')


def test_the_card_of_a_character_fits_on_a_phone(server: Server, visit: Any) -> None:
    page = visit(**PHONE).page
    page.goto(f"{server.address}/?game=race")
    page.select_option("#seat-1", "character:the merchant:strength=strong")
    expect(page.locator(".character svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_game_has_a_page_of_how_to_play(server: Server, visit: Any) -> None:
    page = visit(**PHONE).page
    for game in bw.games():
        page.goto(f"{server.address}/rules/{game}")
        expect(page.locator("h1").first).to_have_text(f"How to play {bw.game(game).title}")
        assert page.locator(".steps-grid .panel").count() >= 2, game
        assert page.locator("#rules").count() == 1, game
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, game


@pytest.mark.slow
@pytest.mark.parametrize("game", bw.games())
@pytest.mark.parametrize("screen", WIDTHS)
def test_pictures_look_as_they_did(browser: Any, game: str, screen: str) -> None:
    """Coarsely: `UPDATE_GOLDEN=1` draws them again."""
    import os

    position = example(bw.game(game))
    svg = position.observation(position.player).to_svg(Layout(WIDTHS[screen]))
    page = browser.new_page(viewport={"width": WIDTHS[screen], "height": 900})
    page.set_content(f'<body style="margin:0">{svg}</body>')
    file = GOLDEN / f"{game}-{screen}.png"
    shot = Path("shot.png")
    page.screenshot(path=shot, full_page=True)
    page.close()
    image = Image.open(shot).convert("RGB")
    small = image.resize((SAMPLE, round(SAMPLE * image.height / image.width)), Image.Resampling.BOX)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        small.quantize(64).save(file, optimize=True)
    golden = Image.open(file).convert("RGB")
    assert abs(golden.height - small.height) <= 2, "the picture has another shape"
    far = np.abs(np.asarray(golden.resize(small.size), float) - np.asarray(small, float)).mean()
    assert far < FAR, f"{far:.1f} of 255 apart from {file.name}"


def test_a_game_is_paused_and_goes_on_on_a_phone(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, "random")
    person = visit(**PHONE)
    page = person.page
    person.sit(table, tokens["0"])
    page.click("#more")
    page.click("#pause")
    expect(page.locator("#say")).to_have_text("Paused.")
    expect(page.locator("#resign")).to_be_visible()
    page.click("#pause")
    expect(page.locator("#say")).to_contain_text("Your turn")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#pause")).to_be_hidden()  # there is little room while one is asked


def test_agents_that_are_watched_on_a_phone_can_be_paused(server: Server, visit: Any) -> None:
    person = visit(**PHONE)
    person.page.goto(f"{server.address}/match")  # the browser is awake before the game begins
    table, _ = server.table("connect_four", "random", "random", pace=1)
    person.sit(table, None)
    person.page.click("#pause")
    expect(person.page.locator("#say")).to_have_text("Paused.")


def test_links_for_the_others_are_at_hand_on_a_phone(server: Server, visit: Any) -> None:
    person = visit(**PHONE)
    page = person.page
    page.goto(f"{server.address}/?game=kuhn_poker")
    page.select_option("#seat-1", "person")
    page.click("#open")
    page.wait_for_url("**/table/**")
    expect(page.locator("#say")).to_have_text("Waiting for players.")
    page.get_by_role("button", name="Links for the others").click()
    expect(page.locator("#links input")).to_be_visible()
    expect(page.get_by_role("button", name="copy the link for Player 2")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#links")).to_be_hidden()


def test_a_phone_that_is_held_sideways_shows_the_board(server: Server, visit: Any) -> None:
    table, tokens = server.table("kuhn_poker", None, "random", seed=3)
    person = visit(viewport={"width": 740, "height": 360}, has_touch=True)
    person.sit(table, tokens["0"])
    person.page.wait_for_selector("#board .can")
    assert person.page.evaluate("document.querySelector('.chooser').offsetHeight") <= 80
    person.page.click("#more")
    expect(person.page.locator("#choices button").first).to_be_visible()
