"""Every form on every page: opened, every field of it set, and played with the result."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import boardwright as bw
from boardwright.agents import Spec
from tests.browser import Visitor
from tests.web_server import Server


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


@pytest.mark.parametrize("game", bw.games())
def test_every_option_of_a_game_is_set_in_the_lobby_and_played_with(server: Server, visit: Any, game: str) -> None:
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
