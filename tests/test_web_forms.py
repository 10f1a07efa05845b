"""Every form on every page: opened, every field of it set, and played with the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import boardwright as bw
from boardwright.agents import Spec
from tests.browser import Coverage, Visitor
from tests.web_server import Server

FOUR = json.dumps({"game": "connect_four", "board": [*["......."] * 4, "O......", "OXX...."]})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that asks questions after games, and learns from them."""
    server = Server(
        tmp_path_factory.mktemp("web"), "--limit", "tables_per_minute=1000", "--ask", "--teach", "taught.cases"
    )
    yield server
    server.stop()
    assert "Traceback" not in server.errors(), server.errors()


def other_value(declared: dict[str, Any]) -> Any:
    """A value of a parameter or an option that is not its default."""
    default = declared["default"]
    if declared["kind"] in ("choice", "seats", "several"):
        return next(choice for choice in reversed(declared["choices"]) if choice not in (default, ""))
    if declared["kind"] == "switch":
        return not default
    low, high = declared.get("low") or 0, declared.get("high")
    if declared["kind"] == "number":
        return low + 0.25 if default != low + 0.25 else low + 0.5
    return next(value for value in (low + 2, low + 1, low) if value != default and (high is None or value <= high))


def set_field(form: Locator, declared: dict[str, Any], seats: int = 1) -> Any:
    """Set a field of a form to a value that is not its default; returns what the page should make of it."""
    value, fields = other_value(declared), form.locator(f'[name="{declared["name"]}"]')
    if declared["kind"] == "choice":
        fields.select_option(value)
    elif declared["kind"] == "seats":
        chosen = [choice for choice in declared["choices"] if "-" not in choice][-seats:]
        for seat in range(seats):
            fields.nth(seat).select_option(chosen[seat])
        return ",".join(chosen)
    elif declared["kind"] == "several":
        form.locator(f'[name="{declared["name"]}"][value="{value}"]').check()
    elif declared["kind"] == "switch":
        fields.set_checked(value)
    else:
        fields.fill(str(value))
    return value


def set_parameters(row: Locator, agent: dict[str, Any]) -> dict[str, str]:
    """Set every parameter of an agent that was chosen; returns what its spec should say."""
    if not agent["parameters"]:
        return {}
    if row.locator("details[open]").count() == 0:
        row.locator("summary").click()
    assert row.locator(".form label").all_inner_texts() == [declared["name"] for declared in agent["parameters"]]
    values = {declared["name"]: set_field(row.locator(".form"), declared) for declared in agent["parameters"]}
    return {name: str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else
            str(value) for name, value in values.items()}  # fmt: skip


def catalogue(server: Server) -> dict[str, Any]:
    return {game["name"]: game for game in server.get("/api/games").json()["games"]}


def sent(page: Page, path: str, act: Callable[[], None]) -> dict[str, Any]:
    """What the page sends to the server when somebody acts; the server is not asked."""
    refusal = '{"error": "only looking"}'
    page.route(
        f"**{path}",
        lambda route: route.fulfill(status=418, body=refusal) if route.request.method == "POST" else route.fallback(),
    )
    with page.expect_request(lambda request: request.url.endswith(path) and request.method == "POST") as request:
        act()
    expect(page.locator("#toast")).to_contain_text("only looking")
    page.unroute(f"**{path}")
    return json.loads(request.value.post_data or "")


def forget_418(visitor: Visitor) -> None:
    visitor.complaints = [text for text in visitor.complaints if "418" not in text]


LONG = ("colonizers", "wonders")
"""Games that take a server many seconds to play out: the quick suite looks at what it has begun with."""


@pytest.mark.parametrize(
    ("game", "to_its_end"),
    [
        *((game, game not in LONG) for game in bw.games()),
        *(pytest.param(game, True, marks=pytest.mark.slow) for game in LONG),
    ],
)
def test_every_option_of_a_game_is_set_in_the_lobby_and_played_with(
    server: Server, visit: Any, game: str, to_its_end: bool
) -> None:
    about, page = catalogue(server)[game], visit().page
    page.goto(f"{server.address}/?game={game}")
    page.wait_for_selector(f"#game-{game}.on")
    seats = about["seats"][-1]
    page.locator("#count").select_option(str(seats)) if len(about["seats"]) > 1 else None
    for seat in range(seats):
        page.select_option(f"#seat-{seat}", "agent:random")
    setup = page.locator("#setup")
    setup.locator("> details > summary").click()
    wanted = {declared["name"]: set_field(setup, declared, seats) for declared in about["options"]}
    page.fill("#seed", "11")
    page.fill("#pace", "0")
    page.click("#open")
    page.wait_for_url("**/table/**")
    table = page.url.rpartition("/")[2]
    page.goto("about:blank")  # the game goes on without spectators, for whom every position would be drawn
    begun = server.get(f"/api/tables/{table}").json()
    assert (begun["setup"]["options"], len(begun["seats"])) == (wanted, seats)
    if not to_its_end:
        return
    assert server.finished(table)["status"] == "finished"
    played = server.get(f"/api/tables/{table}/game").json()
    assert (played["options"], played["seed"], played["seats"]) == (wanted, "11", seats)


@pytest.mark.parametrize("game", bw.games())
def test_every_parameter_of_every_agent_is_set_in_the_lobby(server: Server, visit: Any, game: str) -> None:
    visitor = visit()
    games, page = catalogue(server), visitor.page
    first_game = {agent["name"]: name for name, about in reversed(games.items()) for agent in about["agents"]}
    page.goto(f"{server.address}/?game={game}")
    page.wait_for_selector(f"#game-{game}.on")
    row = page.locator("#seats .seat").nth(1)
    for agent in (agent for agent in games[game]["agents"] if first_game[agent["name"]] == game):  # one form, one test
        page.select_option("#seat-1", f"agent:{agent['name']}")
        wanted = set_parameters(row, agent)
        spec = sent(page, "/api/tables", page.locator("#open").click)["seats"][1]["agent"]
        said = Spec.parse(spec)
        assert (said.name, said.params) == (agent["name"], wanted)
    forget_418(visitor)


LEAST_COVERAGE = 0.9
"""Of the characters of the pages' scripts, what the tour below makes Chromium run."""


def test_a_tour_of_every_form_on_every_page_runs_nearly_all_of_the_scripts(
    server: Server, visit: Any, tmp_path: Path
) -> None:
    """Each form is opened, set and used: in the lobby, at the table, in study, for matches and ladders."""
    coverage = Coverage()
    person, friend = visit(coverage=coverage), visit(coverage=coverage)
    tour_lobby_and_table(person, friend)
    tour_together(person, friend)
    tour_races(person)
    tour_cards(person)
    tour_study(person, tmp_path)
    tour_questions(person)
    tour_puzzles(person)
    tour_editor(person)
    tour_matches(person)
    for visitor in (person, friend):
        visitor.count_coverage()
    person.complaints = [text for text in person.complaints if "400 (Bad Request)" not in text]  # they were provoked
    assert coverage.share >= LEAST_COVERAGE, f"{coverage.share:.1%} has run\n{coverage.missing()}"


def tour_lobby_and_table(person: Visitor, friend: Visitor) -> None:
    """Connect Four with a friend, names, a clock, a hint with parameters, a pause, a resignation."""
    page, server = person.page, person.server
    page.goto(server.address)
    for game in ("lords", "wonders", "connect_four"):
        page.locator(f"#game-{game}").click()
    page.select_option("#seat-1", "person")
    page.fill("#name-0", "Ada")
    page.locator("#setup > details > summary").click()
    page.fill("#minutes", "30")
    page.fill("#increment", "5")
    page.fill("#seed", "seven")
    page.click("#open")
    expect(page.locator("#toast")).to_contain_text("a seed is a whole number")
    page.fill("#seed", "7")
    page.get_by_role("button", name="Light or dark theme").click()
    person.count_coverage()
    page.click("#open")
    page.wait_for_url("**/table/**")
    expect(page.locator("#players")).to_contain_text("Ada (you)")
    page.locator("#links .copy").click()
    expect(page.locator("#toast")).to_contain_text("cop", ignore_case=True)
    friend.page.goto(page.locator("#links input").input_value())
    person.until(lambda: person.frames and person.table["seats"][1]["here"])
    for ready in (page, friend.page):
        ready.click("#ready")
    page.locator("#board .can").nth(3).dblclick()
    friend.until(lambda: friend.frames and friend.table["choices"])
    assert friend.table["moves"] == 1, "a double click is one move"
    friend.page.keyboard.press("1")
    person.until(lambda: person.table["moves"] == 2)
    page.select_option("section select >> nth=0", "agent:uct")
    page.locator(".side details summary").click()
    field = page.locator('.side .form [name="iterations"]')
    field.fill("999999999")
    page.click("#ask")
    expect(page.locator("#toast")).to_contain_text("iterations")
    field.fill("50")
    page.click("#ask")
    page.wait_for_selector(".reason")
    expect(page.locator("#legend")).to_contain_text("visits")
    assert any(frame.get("agent") == "uct:iterations=50" for frame in person.frames)
    page.click("#pause")
    friend.until(lambda: friend.table["wants_pause"] == [0])
    expect(friend.page.locator("#say")).to_contain_text("Ada")
    page.click("#pause")
    friend.until(lambda: friend.table["wants_pause"] == [])
    friend.page.once("dialog", lambda dialog: dialog.accept())
    friend.page.click("#resign")
    person.until(lambda: person.table["status"] == "resigned")
    page.locator("#tools select").select_option("1")
    person.until(lambda: person.table["view"] == 1)
    page.locator("#tools select").select_option("")
    person.count_coverage()
    page.get_by_role("link", name="Study").last.click()
    page.wait_for_selector("#board svg")


def tour_together(person: Visitor, friend: Visitor) -> None:
    """An open seat that a friend takes, a chat, a whole game, its sheet and review, a rematch, a table like it."""
    page, other, server = person.page, friend.page, person.server
    for visitor in (person, friend):
        visitor.count_coverage()
        visitor.frames.clear()
    page.goto(f"{server.address}/?game=connect_four")
    page.select_option("#seat-1", "open")
    person.count_coverage()
    page.click("#open")
    page.wait_for_url("**/table/**")
    other.goto(page.locator("#table-link").input_value())
    other.fill("#my-name", "Bob")
    other.click("#sit-1")
    other.click("#ready")
    page.click("#ready")
    page.click("#sound")
    page.fill("#chat-text", "good <b>luck</b>")
    page.click("#chat-send")
    expect(other.locator("#chat")).to_contain_text("good <b>luck</b>")
    for number in range(7):  # four above each other, against two columns
        mover = (person, friend)[number % 2]
        mover.until(
            lambda mover=mover, number=number: (
                mover.frames and mover.table["moves"] == number and mover.table["choices"]
            )
        )
        mover.page.keyboard.press("2" if number % 2 else "1")
    person.until(lambda: person.table["status"] == "finished")
    expect(page.locator("#sheet")).to_contain_text("★")
    page.select_option("#teacher", "1")
    page.click("#teach")
    expect(page.locator("#toast")).to_contain_text("taught.cases has 1 game now")
    table = page.url.partition("#")[0]
    other.click("#rematch")
    expect(page.get_by_text("Bob would like a rematch")).to_be_visible()
    person.count_coverage()
    friend.count_coverage()
    page.click("#rematch")
    page.wait_for_function("old => !location.href.startsWith(old)", arg=table)
    page.goto(table)
    person.count_coverage()
    page.get_by_text("New table like this").click()
    expect(page.locator("#seat-1")).to_have_value("open")
    expect(page.locator("#position")).to_be_empty()
    person.count_coverage()
    again, _ = server.table("connect_four", "random", "random", position=FOUR, blind=True)
    server.finished(again)
    page.goto(f"{server.address}/?game=connect_four&like={again}")
    expect(page.locator("#position")).to_contain_text("the same position")
    person.count_coverage()
    page.click("#open")
    page.wait_for_url("**/table/**")
    setup = server.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["setup"]
    assert (setup["position"], setup["blind"]) == (FOUR, True)
    person.count_coverage()
    page.goto(f"{server.address}/?game=connect_four&like={again}")
    page.click("#fresh")
    expect(page.locator("#position")).to_be_empty()
    person.count_coverage()
    page.goto(table)
    person.count_coverage()
    page.click("#review-open")
    expect(page.locator("#review-panel")).to_contain_text("accuracy")
    mistake = page.locator("#review-panel .mistake").first
    mistake.locator(".play-on").click()
    expect(page.locator("#takeover-start")).to_be_visible()
    page.locator("#turns .play-on").first.click()
    expect(page.locator("#takeover h2")).to_contain_text("A new table from move")
    person.count_coverage()
    mistake.locator("button").first.click()
    page.wait_for_selector("#board svg")
    expect(page.locator("#say")).not_to_contain_text("Move 0")


def tour_cards(person: Visitor) -> None:
    """A character in the lobby, its rules page, a card explained, an opponent folded, tips."""
    page, server = person.page, person.server
    person.count_coverage()
    page.goto(f"{server.address}/rules/race")
    page.fill("#card-search", "Contact Specialist")
    expect(page.locator("dl.cards-list")).not_to_contain_text("Old Earth")
    person.count_coverage()
    page.goto(f"{server.address}/?game=race")
    page.select_option("#seat-1", "character:the merchant:strength=easy")
    expect(page.locator(".character svg")).to_be_visible()
    person.frames.clear()
    page.click("#open")
    page.wait_for_selector("#board [data-about]")
    page.locator("#board [data-about].can").first.focus()
    page.keyboard.press("i")
    expect(page.locator("#explained")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#explained")).to_have_count(0)
    page.click("#tips-off")
    expect(page.locator("#tip")).to_have_count(0)
    folds = page.locator("#board [data-fold]")
    folded = page.locator("#board svg").inner_html()
    folds.last.click(force=True)
    person.until(lambda: page.locator("#board svg").inner_html() != folded)


def tour_races(person: Visitor) -> None:
    """Race for the Galaxy: several cards at once, by mouse and by keyboard; taken back; a companion; watching."""
    page, server = person.page, person.server
    table, tokens = server.table("race", None, "companion", seed=4)
    person.frames.clear()
    person.count_coverage()
    person.sit(table, tokens["0"])
    person.until(lambda: person.frames and person.table["set"])
    page.wait_for_selector("#set-count")
    expect(page.locator("#say")).to_contain_text("Discard 2 of 6")
    expect(page.locator("#confirm")).to_be_disabled()
    page.wait_for_selector("#ask")
    page.click("#hint")
    expect(page.locator("#board .advice.best")).to_have_count(2)
    page.locator("#choices .item input").nth(0).check()
    page.locator("#board [role=checkbox]").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#set-count")).to_have_text("2 of 2 chosen")
    expect(page.locator("#choices .item input").nth(3)).to_be_disabled()
    page.locator("#board [role=checkbox]").nth(1).click(force=True)
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#board [role=checkbox]").nth(5).click(force=True)
    kept = [item["text"] for place, item in enumerate(person.table["set"]["items"]) if place not in (0, 5)]
    page.locator("#confirm").click()
    person.until(lambda: person.table["moves"] >= 3 and person.table["choices"])
    text = person.table["text"]
    assert all(name in text for name in kept)
    page.wait_for_selector(".reason")  # a companion tells without being asked
    page.locator("#board .can").nth(1).focus()
    before, asked = person.table["moves"], person.table["choices"]
    page.keyboard.press("Enter")
    person.until(lambda: person.table["moves"] > before and person.table["choices"] not in ([], asked))
    page.keyboard.press("u")
    person.until(lambda: person.table["choices"] == asked)  # what the other has chosen meanwhile stays hidden
    watched, _ = server.table("race", "scout2", "heuristic", seed=4, pace=0.4)
    person.frames.clear()
    person.count_coverage()
    person.sit(watched, None)
    page.wait_for_selector("#tools input[type=range]")
    page.locator("#tools input[type=range]").fill("0.2")
    person.until(lambda: person.frames and person.table["pace"] == 0.2)
    page.wait_for_selector("#cases table")
    page.click("#pause")
    person.until(lambda: person.table["paused"])


def tour_study(person: Visitor, folder: Path) -> None:
    """A record is opened, a set chosen, another game begun from there; agents are asked; the curve is clicked."""
    page, server = person.page, person.server
    table, _ = server.table("race", "random", "random", seed=4)
    server.finished(table)
    file = folder / "game.jsonl"
    file.write_bytes(server.get(f"/api/tables/{table}/record").content)
    person.count_coverage()
    page.goto(f"{server.address}/study")
    page.wait_for_selector("#upload")
    page.set_input_files("#upload", __file__)
    expect(page.locator("#toast")).to_be_visible()
    with page.expect_response("**/api/curve"):  # the last that is asked for when a game is opened, as the first one is
        page.set_input_files("#upload", str(file))
    with page.expect_response("**/api/curve"):
        page.locator("#found [role=button]").first.press("Enter")
    page.locator("#board [role=checkbox]").nth(2).click(force=True)
    page.locator("#board [role=checkbox]").nth(4).click(force=True)
    page.locator("#confirm").click()
    expect(page.locator("#branch")).to_contain_text("What if")
    expect(page.locator("#tree li")).not_to_have_count(0)
    page.click("#mainline")
    expect(page.locator("#branch")).not_to_contain_text("What if")
    tour_notes(person, folder)
    page.locator("#log [role=button]").nth(7).press("Enter")
    expect(page.locator("#say")).to_contain_text("Move 8")
    page.locator("#looking").select_option("1")
    page.locator("#curve svg").click(position={"x": 200, "y": 40})
    page.locator("#slider").fill("3")
    expect(page.locator("#say")).to_contain_text("Move 3")
    for label in ("one move on (→)", "one move back (←)", "to the end (End)", "to the beginning (Home)"):
        page.get_by_label(label).click()
    page.click("#link")
    page.locator(".side .row select").select_option("agent:netsearch")
    page.locator(".side .row details summary").click()
    page.locator('.side .form [name="determinizations"]').fill("2")
    page.click("#ask")
    page.wait_for_selector(".reason")
    expect(page.locator("#legend")).to_contain_text("Prior")
    page.click("#play-best")
    expect(page.locator("#say")).to_contain_text("Move 1 ")
    page.click("#takeover-open")
    page.locator("#takeover select").nth(0).select_option("agent:uct")
    page.locator("#takeover details summary").first.click()
    page.locator('#takeover [name="iterations"]').first.fill("20")
    page.locator("#takeover select").last.select_option("person")
    person.count_coverage()
    page.click("#takeover-start")
    page.wait_for_url("**/table/**")


def tour_notes(person: Visitor, folder: Path) -> None:
    """A comment, arrows by clicks and by the right button, branches in a tree; written to a file and read again."""
    page = person.page
    page.fill("#comment", "a <b>thought</b>")
    page.click("#arrows")
    things = page.locator("#board [data-key]")
    for place in (0, 2, 1, 1):
        things.nth(place).click(force=True)
    page.click("#arrows")
    expect(page.locator("#board .arrows line")).to_have_count(1)
    expect(page.locator("#board .arrows circle")).to_have_count(1)
    page.locator("#board svg").click(button="right", position={"x": 5, "y": 5})
    expect(page.locator("#board .arrows circle")).to_have_count(2)
    page.locator("#tree button").first.click()
    expect(page.locator("#branch")).to_contain_text("What if")
    with page.expect_download() as written:
        page.click("#download")
    written.value.save_as(folder / "study.jsonl")
    with page.expect_download() as written:
        page.click("#download-position")
    written.value.save_as(folder / "position.json")
    page.click("#remove-branch")
    expect(page.locator("#tree li")).to_have_count(0)
    page.reload()
    page.wait_for_selector("#kept")
    page.locator("#kept").select_option(index=1)
    expect(page.locator("#log")).to_contain_text("a <b>thought</b>")
    page.click("#forget")
    expect(page.locator("#kept")).to_have_count(0)
    page.set_input_files("#upload", str(folder / "position.json"))
    expect(page.locator("#say")).to_contain_text("Move 0 of 0")
    page.locator("details", has=page.locator("#written")).locator("summary").click()
    page.fill("#written", '{"game": "connect_four", "board": []}')
    page.click("#written-open")
    expect(page.locator("#written-wrong")).to_contain_text("board")
    page.fill("#written", (folder / "study.jsonl").read_text())
    page.click("#written-open")
    expect(page.locator("#tree li")).not_to_have_count(0)
    expect(page.locator("#tree")).not_to_contain_text("action")
    page.locator("#log [role=button]", has_text="thought").click()
    expect(page.locator("#board .arrows circle")).to_have_count(2)


def tour_questions(person: Visitor) -> None:
    """A blind table, resigned; the questions answered; then it is told who the opponent was."""
    page, server = person.page, person.server
    person.count_coverage()
    page.goto(f"{server.address}/?game=connect_four")
    page.locator("#setup > details > summary").click()
    page.check("#blind")
    person.frames.clear()
    page.click("#open")
    page.wait_for_selector("#resign")
    expect(page.locator("#players")).to_contain_text("opponent 2")
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    page.select_option("#asked-strength", "4")
    page.select_option("#asked-fun", "5")
    page.fill("#asked-style", "like a merchant")
    page.click("#answer")
    expect(page.locator("#questions")).to_be_hidden()
    expect(page.locator("#players")).to_contain_text("easy 2")
    (given,) = [json.loads(line) for line in server.get("/api/answers").text.splitlines()]
    assert (given["strength"], given["fun"], given["style"]) == (4, 5, "like a merchant")
    assert (given["blind"], given["names"][1], given["status"]) == (True, "easy 2", "resigned")


def tour_puzzles(person: Visitor) -> None:
    """A hint, another one, a right and a wrong answer with their reasons, progress that is forgotten."""
    page, server = person.page, person.server
    person.count_coverage()
    page.goto(f"{server.address}/puzzles#game=race")
    page.click("#set-connect_four")
    expect(page.locator("h1")).to_have_text("Connect Four")
    page.click("#hint")
    page.wait_for_selector(".reason")
    before = page.locator("#board svg").inner_html()
    page.click("#later")
    person.until(lambda: page.locator("#board svg").inner_html() != before)
    page.keyboard.press("1")
    expect(page.locator("#verdict")).to_be_visible()
    page.click("#ask-why")
    page.wait_for_selector("#why li")
    page.click("#next")
    expect(page.locator("#verdict")).to_have_count(0)
    expect(page.locator("#games")).to_contain_text("49 new")
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#forget")
    expect(page.locator("#games")).to_contain_text("50 new")


def tour_editor(person: Visitor) -> None:
    """A field that is wrong is marked; what a seat cannot know is drawn anew; the position is studied, and edited."""
    page, server = person.page, person.server
    person.count_coverage()
    page.goto(f"{server.address}/editor#game=kuhn_poker")
    expect(page.locator("#say")).to_contain_text("can be played")
    page.fill("#field-card", "[0, 0, 300]")
    page.click("#look")
    expect(page.locator("#wrong")).to_contain_text("card[2]")
    expect(page.locator("#field-card")).to_have_attribute("aria-invalid", "true")
    page.fill("#seed", "5")
    page.click("#deal")
    expect(page.locator("#wrong")).to_be_empty()
    page.select_option("#hidden", "1")
    expect(page.locator("#say")).to_contain_text("can be played")
    person.count_coverage()
    page.click("#study")
    page.wait_for_url("**/study**")
    expect(page.locator("#say")).to_contain_text("Move 0 of 0")
    person.count_coverage()
    page.click("#edit")
    page.wait_for_url("**/editor**")
    expect(page.locator("#say")).to_contain_text("can be played")


def tour_matches(person: Visitor) -> None:
    """A wrong number, a wrong seed, a match with parameters, a ladder that is stopped."""
    page, server = person.page, person.server
    person.count_coverage()
    page.goto(f"{server.address}/match")
    page.wait_for_selector("#start")
    page.fill("#count", "0")
    page.click("#start")
    expect(page.locator("#wrong")).to_contain_text("how many games")
    page.fill("#count", "4")
    page.fill("#seed", "x")
    page.click("#start")
    expect(page.locator("#wrong")).to_contain_text("a whole number")
    page.fill("#seed", "3")
    page.locator("#agents select").first.select_option("agent:uct")
    page.locator("#agents details summary").first.click()
    page.locator('#agents [name="iterations"]').first.fill("20")
    page.click("#start")
    page.wait_for_selector(".plot img")
    assert "uct:iterations=20" in page.inner_text("#result")
    page.select_option("#game", "wonders")
    assert page.locator("#agents .seat").count() == 3
    page.click("#more")
    assert page.locator("#agents .seat").count() == 4
    page.click("#less")
    page.select_option("#kind", "ladder")
    page.click("#start")
    expect(page.locator("#wrong")).to_contain_text("twice")
    page.locator("#agents select").last.select_option("agent:rbai1")
    page.fill("#count", "2000")
    page.click("#start")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#run-status")).to_contain_text("stopped")
    page.locator("#runs a").last.click()
    expect(page.locator("#result")).to_contain_text("Connect Four")
    person.count_coverage()
    page.goto(server.address)
    page.wait_for_selector("#tables a")
