"""The pages in a real browser: games by clicking and by keyboard, people together, lost connections, study."""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, WebSocket, expect

import boardwright as bw
from boardwright.web import views
from tests.browser import WAIT, Visitor
from tests.web_server import Server


def check_frames(server: Server, table: str, visitor: Visitor, seat: int) -> None:
    """Every position that a page received, patches included, is what that seat may know of it, and nothing else."""
    frames = visitor.frames
    game = server.get(f"/api/tables/{table}/game").json()
    shown = [frame for frame in frames if frame["type"] == "table"]
    assert shown
    by_moves: dict[int, list[dict[str, Any]]] = {}
    for frame in shown:
        by_moves.setdefault(frame["moves"], []).append(frame)
    state = bw.game(game["game"]).new(seed=int(game["seed"]), seats=game["seats"], **game["options"])
    hidden = state.game.information.observe is not None
    for moves in range(len(game["actions"]) + 1):
        expected = views.position(state, seat).model_dump()
        pictures = [views.picture(state, seat, layout) for layout in visitor.layouts] if by_moves.get(moves) else []
        asked = [[], expected["choices"], *asked_early(state, seat)]
        for frame in by_moves.get(moves, []):
            assert frame["picture"] in pictures
            assert frame["text"] == expected["text"]
            assert frame["choices"] in asked
            if hidden and frame["status"] == "running":
                assert frame["decision"] is None
        if moves < len(game["actions"]):
            text, known = views.described(state, game["actions"][moves])
            for frame in shown:
                for line in frame["log"]:
                    if line["move"] == moves:
                        assert line["text"] == (text if known[seat] else views.UNSEEN)
            state.apply(game["actions"][moves])


def asked_early(state: bw.State, seat: int) -> list[Any]:
    """What a seat is asked where others, who are asked before it, choose at the same time: the same, whatever they
    choose. (The server makes up their first choices, so here it is the last ones.)"""
    find = state.game.information.simultaneous
    if state.is_terminal or find is None or seat not in find(state.record) or state.player == seat:
        return []
    state = state.copy()
    while state.player != seat and seat in find(state.record):
        state.apply(state.legal_actions()[-1])
    if state.is_terminal or state.player != seat:
        return []
    return [[choice.model_dump() for choice in views.question(state)["choices"]]]


LONG_GAMES = ("race", "colonizers", "lords")
"""To click through; tests/test_web_forms.py plays a part of each in the quick suite."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game in LONG_GAMES)) for game in bw.games()]
)
def test_a_whole_game_is_played_by_clicking_on_the_board(server: Server, visit: Any, game: str) -> None:
    """And every frame of it shows what the seat may know."""
    table, tokens = server.table(game, None, *["random"] * (bw.game(game).seats[0] - 1), seed=3)
    person = visit()
    person.sit(table, tokens["0"])
    person.click_through()
    assert person.table["status"] == "finished"
    expect(person.page.locator("#say")).to_contain_text(person.table["note"])
    check_frames(server, table, person, 0)


def test_a_table_is_opened_in_the_lobby_and_played_by_keyboard_alone(server: Server, visit: Any) -> None:
    person = visit()
    person.page.goto(server.address)
    person.page.locator("#game-connect_four").focus()
    person.page.keyboard.press("Enter")
    person.page.locator("#open").focus()
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector("#choices button")
    person.page.keyboard.press("4")  # the fourth of the list
    person.until(lambda: person.table["moves"] >= 2)
    assert person.table["since"] == 1
    person.page.wait_for_selector("#board .can")
    person.page.locator("#board .can").nth(2).focus()
    person.page.keyboard.press("Enter")
    person.until(lambda: person.table["moves"] >= 4)
    person.page.keyboard.press("u")
    person.until(lambda: person.table["moves"] == 2)
    person.page.wait_for_selector("#ask")
    person.page.keyboard.press("h")
    person.page.wait_for_selector(".reason")
    assert person.page.locator("#board g.advice").count() == 7


def test_a_card_of_the_hand_shows_the_squares_it_may_go_to_and_goes_to_the_one_that_is_clicked(
    server: Server, visit: Any
) -> None:
    table, tokens = server.table("lords", None, "random", seed=5)
    person = visit()
    person.sit(table, tokens["0"])
    person.click_through(1)  # the challenge
    person.until(lambda: person.table["choices"] and person.table["moves"] >= 2)
    page, choices = person.page, {choice["action"]: choice["text"] for choice in person.table["choices"]}
    page.wait_for_selector(f'#board[data-version="{person.table["version"]}"]')
    cards = [card for card in page.locator("#board .can").all() if len(legal_actions(card, choices)) > 1]
    card = next(card for card in cards if len({choices[a].split(" to ")[0] for a in legal_actions(card, choices)}) == 1)
    wanted = legal_actions(card, choices)
    card.click(force=True)
    assert page.locator("#board .partner").count() == len(wanted)
    card.click(force=True)
    assert page.locator("#board .partner").count() == 0, "a second click puts the card back"
    card.click(force=True)
    page.locator(f'#board .partner[data-action~="{wanted[-1]}"]').click(force=True)
    person.until(lambda: len(person.table["log"]) > 2 or person.table["moves"] > 2)
    assert choices[wanted[-1]] in page.inner_text("#log")


def legal_actions(thing: Locator, legal: Container[int]) -> list[int]:
    said = thing.get_attribute("data-action") or ""
    return [int(action) for action in said.split() if int(action) in legal]


def test_two_people_play_at_one_table_and_each_sees_their_own_side(server: Server, visit: Any) -> None:
    table, tokens = server.table("kuhn_poker", None, None, seed=8)
    first, second, watcher = visit(), visit(), visit()
    first.sit(table, tokens["0"])
    second.sit(table, tokens["1"])
    watcher.sit(table, None)
    for number in range(3):
        mover = (first, second)[number % 2]
        mover.until(lambda mover=mover: mover.frames and (mover.table["choices"] or mover.table["status"] != "running"))
        if mover.table["status"] != "running":
            break
        mover.click_through(1)
    for person in (first, second):
        person.until(lambda person=person: person.table["status"] == "finished")
    check_frames(server, table, first, 0)
    check_frames(server, table, second, 1)
    watcher.until(lambda: watcher.table["status"] == "finished")
    under_way = [f for f in watcher.frames if f["type"] == "table" and f["status"] == "running"]
    assert under_way
    assert all(frame["text"].startswith("seat 1: ?, seat 2: ?") and frame["choices"] == [] for frame in under_way)


def test_a_page_that_loses_its_server_goes_on_after_the_restart(visit: Any, server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=1)
    person = visit()
    person.sit(table, tokens["0"])
    person.click_through(2)
    moves = person.table["moves"]
    person.page.wait_for_selector("#ask")  # nothing is under way any more that the end could break
    server.kill()
    expect(person.page.locator("#lost")).to_be_visible(timeout=WAIT)
    server.start()
    expect(person.page.locator("#lost")).to_be_hidden(timeout=WAIT)
    person.until(lambda: person.table["choices"])
    assert person.table["moves"] >= moves
    person.click_through()
    assert person.table["status"] == "finished"


def test_a_move_that_was_lost_with_the_network_can_be_made_again(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=3)
    person = visit()
    page = person.page
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    person.sit(table, tokens["0"])
    page.wait_for_selector("#board .can")
    page.evaluate("WebSocket.prototype.sent = WebSocket.prototype.send; WebSocket.prototype.send = () => {}")
    page.locator("#board .can").nth(3).click(force=True)
    page.evaluate("WebSocket.prototype.send = WebSocket.prototype.sent; dispatchEvent(new Event('offline'))")
    person.until(lambda: len(sockets) == 2)
    expect(page.locator("#lost")).to_be_hidden()
    assert person.table["moves"] == 0
    page.locator("#board .can").nth(3).click(force=True)
    person.until(lambda: person.table["moves"] == 2)


def test_a_closed_page_picks_up_where_it_was(visit: Any, server: Server) -> None:
    table, tokens = server.table("race", None, "heuristic", seed=1)
    person = visit()
    person.sit(table, tokens["0"])
    person.click_through(3)
    person.until(lambda: person.table["choices"])
    before = person.table
    person.page.goto("about:blank")
    person.sit(table, tokens["0"])
    person.page.wait_for_selector("#choices button")
    assert person.table["picture"] == before["picture"]
    assert len(person.table["log"]) == person.table["moves"]


def test_a_finished_game_is_replayed_and_branched_off(server: Server, visit: Any) -> None:
    table, _ = server.table("connect_four", "random", "random", seed=6)
    about = server.finished(table)
    person = visit()
    page = person.page
    page.goto(f"{server.address}/study#table={table}")
    page.wait_for_selector("#board svg")
    expect(page.locator("#say")).to_contain_text(f"Move 0 of {about['moves']}")
    page.keyboard.press("End")
    expect(page.locator("#say")).to_contain_text("the end")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#say")).to_contain_text("Move 2 of")
    played = server.get(f"/api/tables/{table}/game").json()["actions"]
    other = next(column for column in range(7) if column != played[2])
    page.locator(f'#board [data-action="{other}"]').click(force=True)
    expect(page.locator("#branch")).to_contain_text("What if")
    expect(page.locator("#say")).to_contain_text("Move 3 of 3")
    link = page.url
    page.click("#takeover-open")
    page.wait_for_selector("#takeover-start")
    page.click("#takeover-start")
    page.wait_for_url("**/table/**")
    person.until(lambda: person.frames and person.table["moves"] >= 3)
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#say")).to_contain_text("Move 3 of 3")


def test_a_record_file_is_uploaded_and_agents_are_asked_about_it(server: Server, visit: Any, tmp_path: Any) -> None:
    table, _ = server.table("kuhn_poker", "random", "random", seed=6)
    server.finished(table)
    file = tmp_path / "game.jsonl"
    file.write_bytes(server.get(f"/api/tables/{table}/record").content)
    page = visit().page
    page.goto(f"{server.address}/study")
    page.wait_for_selector("#upload")
    page.set_input_files("#upload", str(file))
    page.wait_for_selector("#board svg")
    page.wait_for_selector("#ask")
    page.click("#ask")
    page.wait_for_selector(".reason")
    page.wait_for_selector("#curve polyline")


def test_agents_are_watched_live_with_a_speed(server: Server, visit: Any) -> None:
    person = visit()
    person.page.goto(f"{server.address}/match")  # the browser is awake before the game begins
    table, _ = server.table("connect_four", "random", "random", pace=0.4)
    person.sit(table, None)
    person.page.wait_for_selector("#tools input[type=range]")
    person.until(lambda: person.table["status"] == "finished")
    assert len({frame["moves"] for frame in person.frames if frame["type"] == "table"}) > 5


def test_a_match_shows_its_standings_and_its_plot(server: Server, visit: Any) -> None:
    page = visit().page
    page.goto(f"{server.address}/match")
    page.wait_for_selector("#start")
    page.fill("#count", "10")
    page.click("#start")
    page.wait_for_selector(".plot img")
    assert page.locator("#result tbody tr").count() == 2


def test_a_ladder_is_run_from_the_page(server: Server, visit: Any) -> None:
    page = visit().page
    page.goto(f"{server.address}/match")
    page.wait_for_selector("#start")
    page.select_option("#game", "kuhn_poker")
    page.select_option("#kind", "ladder")
    page.get_by_text("One more agent").click()
    for row, agent in enumerate(("agent:optimal", "agent:random", "agent:ismcts")):
        page.locator("#agents select").nth(row).select_option(agent)
    page.fill("#count", "6")
    page.click("#start")
    page.wait_for_selector(".plot img")
    ladder = page.locator("#result table").first
    assert ladder.locator("tbody tr").count() == 3
    assert "optimal" in ladder.inner_text()
    expect(page.locator("#run-status")).to_contain_text("finished")


def test_no_page_scrolls_sideways_on_a_phone(server: Server, visit: Any) -> None:
    table, tokens = server.table("race", None, "random")
    person = visit()
    person.page.set_viewport_size({"width": 390, "height": 844})
    for path in ("/", "/study", "/match", f"/table/{table}#{tokens['0']}"):
        person.page.goto(server.address + path)
        person.page.wait_for_load_state("networkidle")
        assert person.page.evaluate("document.documentElement.scrollWidth") <= 390, path


WHERE_EXPLAINED = """(thing) => {
    const shown = document.querySelector("#explained"), panel = shown.getBoundingClientRect();
    const own = thing.getBoundingClientRect();
    const inside = panel.left >= 0 && panel.top >= 0 && panel.right <= innerWidth && panel.bottom <= innerHeight;
    const across = panel.left >= own.right || panel.right <= own.left;
    const apart = across || panel.top >= own.bottom || panel.bottom <= own.top;
    return [inside, apart, shown.scrollHeight <= shown.clientHeight, getComputedStyle(shown).pointerEvents];
}"""


def test_what_is_explained_stands_beside_its_thing_and_goes_away_with_the_choices(server: Server, visit: Any) -> None:
    table, tokens = server.table("wonders", None, "random", "random", seed=3)
    person = visit(viewport={"width": 1280, "height": 500})  # low: hardly more than a card
    person.sit(table, tokens["0"])
    page = person.page
    page.wait_for_selector("#board .can[data-about]")
    for thing in (page.locator("#board .can[data-about]").first, page.locator("#board .can[data-about]").last):
        thing.hover(force=True)
        expect(page.locator("#explained")).to_be_visible()
        assert thing.evaluate(WHERE_EXPLAINED) == [True, True, True, "none"]
    with server.joined(table, tokens["0"]) as elsewhere:
        elsewhere.send(type="resign")
        expect(page.locator("#ending")).to_be_visible()
    expect(page.locator("#explained")).to_have_count(0)


def test_a_thing_that_says_no_more_than_its_choice_is_not_explained(server: Server, visit: Any) -> None:
    table, tokens = server.table("connect_four", None, None, seed=3)
    person = visit()
    person.sit(table, tokens["0"])
    page = person.page
    page.wait_for_selector("#board .can")
    assert page.locator("#board [data-about]").count() == 0, "the squares of a column say nothing of their own"
    column = page.locator("#board .can").nth(3)
    for text, panels in ((person.table["choices"][3]["text"], 0), ("a column with a text of its own", 1)):
        column.evaluate("(thing, text) => (thing.dataset.about = text)", text)
        column.focus()
        page.keyboard.press("i")
        assert page.locator("#explained").count() == panels


ENDINGS = """async () => {
    const { pointsOfAll, sheet } = await import("/static/ending.js");
    const seats = [{ name: "Ann" }, { name: "easy 2" }, { name: "easy 3" }], scores = [2 / 3, 0, 1 / 3];
    const ended = { returns: scores, scores, status: "finished", note: "Ann wins" };
    const told = [false, true].map((has_points) => {
        const table = { seats, sheet: { has_points, parts: [], rows: [[], [], []], totals: scores }, ...ended };
        document.body.replaceChildren(...sheet(table, new Map(), () => {}).filter(Boolean));
        return document.querySelector("#why").textContent;
    });
    return [pointsOfAll(seats.map((seat) => seat.name), scores), ...told];
}"""


def test_the_end_tells_numbers_as_the_score_sheet_does_and_points_only_where_there_are_any(
    server: Server, visit: Any
) -> None:
    person = visit()
    person.page.goto(server.address)
    told = person.page.evaluate(ENDINGS)
    assert told == ["Ann 0.67, easy 2 0, easy 3 0.33", "Ann wins.", "Ann wins by 0.33 points."]
    table, tokens = server.table("connect_four", None, "random", seed=3)
    person.sit(table, tokens["0"])
    person.click_through()
    for place in ("#say", "#why"):
        expect(person.page.locator(place)).to_have_text(f"{person.table['note']}.")
    expect(person.page.locator("#sheet thead")).to_contain_text("result")


ADVISED = """async () => {
    const { Board } = await import("/static/board.js");
    const element = document.createElement("div");
    document.body.replaceChildren(element);
    const board = new Board(element, () => {});
    const thing = (actions, x) => `<g data-action="${actions}"><rect x="${x}" y="20" width="90" height="40"/></g>`;
    const things = thing("0 1 2", 20) + thing("3", 130) + thing("4", 240);
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 350 90">${things}</svg>`;
    board.show(picture, "", [0, 1, 2, 3, 4].map((action) => ({ action, text: `act ${action}` })));
    const look = () => [...board.picture.querySelectorAll(".can")].map((thing) => [
        thing.querySelector("g.advice text")?.textContent ?? "",
        thing.querySelectorAll(".ring").length,
        thing.getAttribute("aria-label"),
    ]);
    const option = (action, value, weight) => ({ action, value, weight });
    const visits = [[0, 0.41, 0.2], [1, 0.4, 0.2], [2, 0.1, 0.05], [3, 0.52, 0.3], [4, 0.7, 0.25]];
    const shares = [[0, null, 0.3], [1, null, 0.3], [3, null, 0.35], [4, null, 0.05]];
    board.advise(visits.map((one) => option(...one)), 3);
    const byValue = look();
    board.advise(shares.map((one) => option(...one)), 3);
    const byShare = look();
    board.advise(null);
    return [byValue, byShare, look()];
}"""


def test_the_choice_that_is_recommended_is_marked_and_no_figure_says_otherwise(server: Server, visit: Any) -> None:
    person = visit()
    person.page.goto(server.address)
    by_value, by_share, none = person.page.evaluate(ADVISED)
    several = "act 0; or act 1; or act 2"
    assert by_value == [["+0.41", 0, several], ["★ +0.52", 1, "act 3 (best)"], ["?", 0, "act 4"]]
    assert by_share == [["30 %", 0, several], ["★ 35 %", 1, "act 3 (best)"], ["5 %", 0, "act 4"]]
    assert none == [["", 0, several], ["", 0, "act 3"], ["", 0, "act 4"]]


def test_the_answer_to_a_puzzle_is_marked_on_the_board(server: Server, visit: Any) -> None:
    page = visit().page
    page.goto(f"{server.address}/puzzles#game=connect_four")
    page.locator("#board .can").first.click(force=True)
    expect(page.locator("#verdict")).to_be_visible()
    right = page.locator("#board [data-action]:has(.advice.best)")
    expect(right).to_have_count(1)
    label = right.get_attribute("aria-label") or ""
    assert label.endswith(": right")
    assert label.removesuffix(": right") in (page.text_content("#verdict") or "")
    wrong = page.locator("#board [data-action='0'] .advice.wrong")
    assert (wrong.count() > 0) == (label != "column 1: right")


def test_a_puzzle_that_comes_again_soon_comes_in_a_minute(server: Server, visit: Any) -> None:
    def soon(route: Route) -> None:
        answer = route.fetch()
        again = datetime.now(UTC) + timedelta(seconds=70)
        route.fulfill(response=answer, json={**answer.json(), "again": again.isoformat()})

    page = visit().page
    page.route("**/api/puzzles/answer", soon)
    page.goto(f"{server.address}/puzzles#game=connect_four")
    page.locator("#board .can").first.click(force=True)
    expect(page.locator("#result")).to_contain_text("The puzzle comes again in a minute.")


def test_a_level_is_described_in_sentences_and_a_spec_breaks_at_its_commas(server: Server, visit: Any) -> None:
    page = visit().page
    page.goto(f"{server.address}/?game=race")
    page.wait_for_selector("#seat-1")
    offered = page.locator("#seat-1 option").all_text_contents()
    assert offered.count("companion") == 1
    page.select_option("#seat-1", label="companion")
    expect(page.locator(".seat").nth(1)).to_contain_text("It keeps the game even")
    expect(page.locator(".seat").nth(1).locator("details")).to_be_visible()
    page.select_option("#seat-1", "level:the strongest")
    about = page.locator(".seat").nth(1).locator(".faint").first
    expect(about).to_contain_text("It is the best there is for this game. The agent is netsearch:")
    spec = about.locator(".spec")
    assert spec.locator("wbr").count() == len(re.findall("[,:]", spec.text_content() or ""))


def test_another_seats_link_in_the_same_tab_leads_to_that_seat(server: Server, visit: Any) -> None:
    table, tokens = server.table("kuhn_poker", None, None, seed=3)
    person = visit()
    person.sit(table, tokens["0"])
    expect(person.page.locator("#players .you")).to_have_text("Player 1 (you)")
    person.sit(table, tokens["1"])
    expect(person.page.locator("#players .you")).to_contain_text("Player 2")


def test_an_open_seat_is_offered_by_the_address_of_this_machine_in_its_network(server: Server, visit: Any) -> None:
    seats = [{"agent": None}, {"agent": None, "open": True}]
    made = server.post("/api/tables", {"game": "kuhn_poker", "seats": seats, "ready_check": True}).json()
    person = visit()
    person.page.route("**/api/server", lambda route: route.fulfill(json={"address": "http://192.168.7.7:8000"}))
    person.sit(made["id"], made["tokens"]["0"])
    expect(person.page.locator("#table-link")).to_have_value(f"http://192.168.7.7:8000/table/{made['id']}")


def test_a_finished_game_leads_to_the_next_and_asks_nobody(server: Server, visit: Any) -> None:
    table, tokens = server.table("kuhn_poker", None, "random", seed=3)
    person = visit()
    page = person.page
    person.sit(table, tokens["0"])
    page.wait_for_selector("#ask")
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    page.wait_for_selector("#rematch")
    expect(page.locator("#ask")).to_have_count(0)
    page.click("#rematch")
    page.wait_for_url(lambda address: table not in address)
    following = page.url
    page.go_back()
    page.get_by_role("button", name="To the next game").click()
    page.wait_for_url(lambda address: table not in address)
    assert page.url == following


def test_a_game_without_moves_is_not_offered_for_review(server: Server, visit: Any) -> None:
    table, tokens = server.table("kuhn_poker", None, "random", seed=3)
    with server.joined(table, tokens["0"]) as player:
        moves = player.turn()["moves"]
        player.send(type="resign")
    server.finished(table)
    page = visit().page
    page.goto(f"{server.address}/table/{table}")
    page.wait_for_selector("#rematch, #ending .button")
    assert page.locator("#review-open").count() == min(moves, 1)


def test_whoever_comes_back_to_the_lobby_can_open_another_table(server: Server, visit: Any) -> None:
    """A browser may keep a page as it was left, and show it again; under test it keeps none, so the page is told so."""
    page = visit().page
    page.goto(f"{server.address}/?game=kuhn_poker")
    page.wait_for_selector("#open")
    page.evaluate("Object.assign(document.getElementById('open'), { disabled: true, textContent: 'Preparing …' })")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("#open")).to_be_enabled()
    expect(page.locator("#open")).to_have_text("Start")


def test_the_lobby_lists_a_few_tables_and_the_others_at_a_click(server: Server, visit: Any) -> None:
    for seed in range(14):
        server.table("kuhn_poker", None, "random", seed=seed)
    page = visit().page
    page.goto(server.address)
    expect(page.locator("#tables ul").first.locator("li")).to_have_count(12)
    page.locator("#tables .all-tables").first.click()
    running = len(server.get("/api/tables").json()["running"])
    expect(page.locator("#tables ul").first.locator("li")).to_have_count(running)


def test_a_file_without_games_and_a_broken_link_are_told_in_words(server: Server, visit: Any, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("")
    person = visit()
    page = person.page
    page.goto(f"{server.address}/study")
    page.wait_for_selector("#upload")
    page.set_input_files("#upload", str(file))
    expect(page.locator("#toast")).to_have_text("There is no game in this file.")
    page.locator("#toast").evaluate("toast => toast.remove()")
    page.locator("#upload").evaluate("field => { field.value = ''; field.dispatchEvent(new Event('change')); }")
    page.evaluate("location.hash = '#line=abcd'")  # handled after the change above, which says nothing
    expect(page.locator("#toast")).to_contain_text("The link to this position is not whole")


def test_the_file_that_was_chosen_can_be_chosen_again(server: Server, visit: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("")
    page = visit().page
    page.goto(f"{server.address}/study")
    page.wait_for_selector("#upload")
    for _ in range(2):
        with page.expect_file_chooser() as chooser:
            page.click("#upload")
        assert page.evaluate("document.getElementById('upload').files.length") == 0
        with page.expect_response("**/api/records"):
            chooser.value.set_files(str(file))


def test_the_back_button_leads_to_the_match_before(server: Server, visit: Any) -> None:
    page = visit().page
    page.goto(f"{server.address}/match")
    page.wait_for_selector("#start")
    page.select_option("#game", "kuhn_poker")
    for games in ("2", "3"):
        page.fill("#count", games)
        page.click("#start")
        expect(page.locator("#result h2")).to_contain_text(f"{games} of {games} games")
        expect(page.locator("#run-status")).to_contain_text("finished")
    page.get_by_role("link").filter(has_text="Kuhn poker: ").nth(1).click()
    expect(page.locator("#result h2")).to_contain_text("2 of 2 games")
    page.go_back()
    expect(page.locator("#result h2")).to_contain_text("3 of 3 games")


@pytest.mark.parametrize("address", ["/editor#game=none", "/puzzles#game=none", "/puzzles#game=kuhn_poker"])
def test_a_game_that_a_page_does_not_have_is_replaced_by_one_that_it_has(
    server: Server, visit: Any, address: str
) -> None:
    page = visit().page
    page.goto(f"{server.address}{address}")
    page.wait_for_selector("#board svg")
