"""Pages for everybody: no barriers, a keyboard that stays where it was, clicks that say what they do."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import boardwright as bw
from tests.web_server import Server


def barriers(page: Page, *rules: str) -> list[str]:
    """What axe-core finds, by all of its rules or by some, one line for each element."""
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [
        f"{rule['id']}: {node['html'][:150]} ({node['failureSummary']})" for rule in found for node in rule["nodes"]
    ]


def barriers_in_both_themes(page: Page) -> list[str]:
    """A theme changes colours and nothing else."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    in_the_dark = barriers(page, "color-contrast")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return [*barriers(page), *(f"in the dark: {found}" for found in in_the_dark)]


def test_no_page_has_barriers(server: Server, visit: Any) -> None:
    visitor = visit()
    page = visitor.page
    page.goto(server.address)
    page.wait_for_selector("#open")
    for game in bw.games():
        page.locator(f"#game-{game}").click()
        page.locator("#setup > details > summary").click()
        page.select_option("#seat-1", "agent:uct")
        page.locator("#seats .seat").nth(1).locator("summary").click()
        assert barriers_in_both_themes(page) == [], f"the lobby with {game}"
    page.goto(f"{server.address}/match")
    page.wait_for_selector("#start")
    page.fill("#count", "2")
    page.click("#start")
    page.wait_for_selector(".plot img")
    assert barriers_in_both_themes(page) == [], "matches"
    page.goto(f"{server.address}/puzzles#game=connect_four")
    page.wait_for_selector("#choices button")
    assert barriers_in_both_themes(page) == [], "a puzzle"
    page.keyboard.press("1")
    page.wait_for_selector("#verdict")
    assert barriers_in_both_themes(page) == [], "a puzzle that was answered"
    page.goto(f"{server.address}/editor#game=connect_four")
    expect(page.locator("#say")).to_contain_text("can be played")
    assert barriers_in_both_themes(page) == [], "a position that is edited"


LOOKED_AT = ("connect_four", "race", "wonders")
"""Games whose tables the quick suite looks at: one of squares, two of cards."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in LOOKED_AT else pytest.mark.slow) for game in bw.games()]
)
def test_no_table_has_barriers(server: Server, visit: Any, game: str) -> None:
    table, tokens = server.table(game, None, *["random"] * (bw.game(game).seats[0] - 1), seed=3)
    visitor = visit()
    page = visitor.page
    page.emulate_media(color_scheme="dark" if game in ("race", "kuhn_poker") else "light")
    visitor.sit(table, tokens["0"])
    visitor.until(lambda: visitor.frames and visitor.table["choices"])
    page.wait_for_selector("#ask")
    assert barriers(page) == [], "one's turn"
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    visitor.until(lambda: visitor.table["status"] == "resigned")
    assert barriers(page) == [], "over"
    page.goto(f"{server.address}/study#table={table}")
    page.wait_for_selector("#board svg")
    page.wait_for_selector("#ask")
    assert barriers(page) == [], "studied"


def test_a_wrong_table_or_link_gets_a_page_that_says_so(server: Server, visit: Any) -> None:
    table, _ = server.table("connect_four", None, None)
    page = visit().page
    page.goto(f"{server.address}/table/none")
    expect(page.locator("#nothing")).to_contain_text("there is no such table")
    assert barriers(page) == []
    page.goto("about:blank")
    page.goto(f"{server.address}/table/{table}#wrong")
    expect(page.locator("#nothing")).to_contain_text("does not belong to a seat")
    page.get_by_text("Watch this table").click()
    page.wait_for_selector("#board svg")


def test_the_keyboard_stays_where_it_was_after_a_move(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=5)
    visitor = visit()
    page = visitor.page
    visitor.sit(table, tokens["0"])
    page.wait_for_selector("#board .can")
    page.locator("#board .can").nth(4).focus()
    for moves in (2, 4):
        page.keyboard.press("Enter")
        visitor.until(lambda moves=moves: visitor.table["moves"] == moves and visitor.table["choices"])
        visitor.until(lambda: page.evaluate("document.activeElement.dataset?.action") == "4")
    page.locator("#choices button").nth(2).focus()
    page.keyboard.press("Enter")
    visitor.until(lambda: visitor.table["moves"] == 6 and visitor.table["choices"])
    third = "document.activeElement === document.querySelectorAll('#choices button')[2]"
    visitor.until(lambda: page.evaluate(third))


def test_the_keyboard_comes_back_from_a_menu(server: Server, visit: Any) -> None:
    table, tokens = server.table("wonders", None, "random", "random", seed=5)
    visitor = visit()
    page = visitor.page
    visitor.sit(table, tokens["0"])
    page.wait_for_selector("#board .can")
    key = page.locator("#board .can").first.get_attribute("data-key")
    page.locator("#board .can").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".menu button")
    page.keyboard.press("Escape")
    assert page.locator(".menu").count() == 0
    assert page.evaluate("document.activeElement.dataset.key") == key


def test_a_double_click_is_one_move(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=5)
    visitor = visit()
    visitor.sit(table, tokens["0"])
    visitor.page.wait_for_selector("#board .can")
    visitor.page.locator("#board .can").nth(2).dblclick()
    visitor.until(lambda: visitor.table["moves"] >= 2 and visitor.table["choices"])
    visitor.page.locator("#choices button").nth(3).dblclick()
    visitor.until(lambda: visitor.table["moves"] >= 4 and visitor.table["choices"])
    visitor.page.wait_for_timeout(300)
    assert visitor.table["moves"] == 4
    assert [frame["reason"] for frame in visitor.frames if frame["type"] == "refused"] == []


def test_a_click_without_a_connection_says_so(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=5)
    visitor = visit()
    page = visitor.page
    page.route_web_socket("**/ws/**", lambda route: routes.append((route, route.connect_to_server())))
    routes: list[Any] = []
    visitor.sit(table, tokens["0"])
    page.wait_for_selector("#board .can")
    page.route_web_socket("**/ws/**", lambda route: route.close())
    routes[0][0].close()
    expect(page.locator("#lost")).to_be_visible()
    page.locator("#board .can").first.click(force=True)
    expect(page.locator("#toast")).to_contain_text("nothing was sent")


def test_hints_are_asked_of_the_strongest(server: Server, visit: Any) -> None:
    table, tokens = server.table("race", None, "random", seed=5)
    visitor = visit()
    visitor.sit(table, tokens["0"])
    visitor.page.wait_for_selector("#ask")
    assert visitor.page.locator("select[aria-label='agent to ask']").input_value() == "level:the strongest"
    visitor.page.click("#hint")
    visitor.page.wait_for_selector(".reason")
    expect(visitor.page.locator("#legend")).to_contain_text("visits")
    expect(visitor.page.locator("#legend")).to_contain_text("Prior")
    hint = next(frame for frame in visitor.frames if frame["type"] == "decision")
    shares = [option["weight"] for option in hint["reasons"][:12]]
    bars = (
        "[...document.querySelectorAll('.reason .fill')].map((bar) => bar.offsetWidth / bar.parentElement.clientWidth)"
    )
    assert visitor.page.evaluate(bars) == pytest.approx(shares, abs=0.02)


def test_remembered_situations_are_pictures_beside_the_present_one(server: Server, visit: Any) -> None:
    """`cases` shows the situations behind its choice as their seat saw them, with what was chosen there."""
    table, tokens = server.table("race", None, "random", seed=5)
    visitor = visit()
    visitor.sit(table, tokens["0"])
    page = visitor.page
    page.wait_for_selector("#ask")
    page.locator("select[aria-label='agent to ask']").select_option("cases")
    page.click("#ask")
    expect(page.locator("#cases h2")).to_have_text("Remembered situations")
    decision = next(frame for frame in visitor.frames if frame["type"] == "decision")
    shown = page.locator("#cases figure")
    assert 0 < shown.count() <= len(decision["cases"])
    pictures = "[...document.querySelectorAll('#cases figure img')]"
    widths = f"Promise.all({pictures}.map((image) => image.decode().then(() => image.naturalWidth)))"
    assert all(width > 100 for width in page.evaluate(widths))
    for place, case in enumerate(decision["cases"][: shown.count()]):
        expect(shown.nth(place)).to_contain_text(f"chose {case['done']}")
    assert not visitor.complaints


def test_pieces_have_the_colour_of_their_seat(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=5)
    visitor = visit()
    visitor.sit(table, tokens["0"])
    visitor.click_through(1)
    visitor.until(lambda: visitor.table["moves"] >= 2 and visitor.table["choices"])
    colours = visitor.page.evaluate(
        "[...document.querySelectorAll('#players .dot')].map((dot) => getComputedStyle(dot).backgroundColor)"
    )
    discs = visitor.page.evaluate(
        "[...document.querySelectorAll('#board [data-key] circle')].map((disc) => getComputedStyle(disc).fill)"
    )
    assert set(discs) == set(colours)


@pytest.mark.parametrize("game", ["race", "lords", "wonders"])
def test_names_are_the_same_on_the_board_and_beside_it(server: Server, visit: Any, game: str) -> None:
    seats = [{"agent": None, "name": "Ada"}, *[{"agent": "random"}] * (bw.game(game).seats[0] - 1)]
    made = server.post("/api/tables", {"game": game, "seats": seats, "seed": 5}).json()
    visitor = visit()
    visitor.sit(made["id"], made["tokens"]["0"])
    visitor.page.wait_for_selector("#board .can")
    board = visitor.page.locator("#board").text_content() or ""
    assert "Ada" in board
    assert "random 2" in board
    assert "seat 1" not in (board + (visitor.page.locator("#text").text_content() or "")).lower()
