"""People at one table: choices at the same time, open seats, a chat, taking back by agreement, the next game."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

import boardwright as bw
from boardwright.kernel import rng
from boardwright.web import views
from boardwright.web.patches import patch, pieces
from boardwright.web.store import RUNNING, Saved, Seat, Setup, Store
from boardwright.web.table import Table
from boardwright.web.worker import Decide
from tests.web_server import ONE_WORKER, Player, Server, patched, run_async

SIMULTANEOUS = [name for name in bw.games() if bw.game(name).information.simultaneous is not None]


def shown(player: Player, condition: Any) -> dict[str, Any]:
    """The first table that a player is shown for which a condition holds."""
    while not condition(message := player.next("table")):
        pass
    return message


def test_two_people_choose_at_the_same_time_and_see_nothing_before_both_have(server: Server) -> None:
    table, tokens = server.table("race", None, None, seed=4)
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        asked = [player.turn() for player in (first, second)]
        assert all(one["set"]["verb"] == "discard" for one in asked)
        second.send(type="move_set", places=[0, 1], version=asked[1]["version"])
        waiting = shown(second, lambda one: not one["choices"])
        assert (waiting["moves"], waiting["choosing"]) == (0, [0])
        before = shown(first, lambda one: one["choosing"] == [0])
        assert (before["picture"], before["text"], before["log"]) == (asked[0]["picture"], asked[0]["text"], [])
        second.send(type="take_back")  # nobody has seen it
        assert shown(second, lambda one: one["choices"])["set"] == asked[1]["set"]
        second.send(type="move_set", places=[2, 3], version=asked[1]["version"])
        first.send(type="move_set", places=[4, 5], version=asked[0]["version"])
        both = shown(first, lambda one: one["moves"] == 4)
        assert [entry["text"] == views.UNSEEN for entry in both["log"]] == [False, False, True, True]
        gone = [asked[1]["set"]["items"][place]["key"] for place in (2, 3)]
        after = shown(second, lambda one: one["moves"] == 4)
        assert not any(f'data-key="{key}"' in after["picture"] for key in gone)


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_what_a_seat_is_asked_does_not_depend_on_what_others_choose_at_the_same_time(name: str) -> None:
    game = bw.game(name)
    find = game.information.simultaneous
    assert find is not None
    state, chance, asked_early = game.new(seed=3, seats=max(game.seats)), rng.generator(3), 0
    while not state.is_terminal:
        seats = find(state.record)
        assert not seats or seats[0] == state.player
        for seat in seats[1:]:
            ends = []
            for choose in (0, -1):
                trial = state.copy()
                while not trial.is_terminal and trial.player != seat and seat in find(trial.record):
                    trial.apply(trial.legal_actions()[choose])
                asked = not trial.is_terminal and trial.player == seat and seat in find(trial.record)
                ends.append(bytes(trial.observation(seat)) if asked else b"")
            assert ends[0] == ends[1], f"seat {seat} would see it after {state}"
            asked_early += bool(ends[0])
        legal = state.legal_actions()
        state.apply(legal[rng.draw(chance) % len(legal)])
    assert asked_early > 20


class SlowWorkers:
    """Instead of processes: every decision takes a while, and the first legal action."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.at_once = self.most_at_once = 0

    async def run(self, job: Any, **_: Any) -> Any:
        from boardwright.web import messages

        assert isinstance(job, Decide)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(self.seconds)
        self.at_once -= 1
        state = job.line.position()
        about = {"text": "", "forced": False, "summary": "", "seconds": 0.0, "reasons": ()}
        return messages.Decision(move=0, seat=state.player, agent=job.spec, action=state.legal_actions()[0], **about)

    def forget(self, table: str) -> bool:
        return False


def test_a_table_of_seven_waits_for_the_slowest_agent_and_not_for_all_of_them_in_turn(tmp_path: Path) -> None:
    workers = SlowWorkers(0.01)
    seats = (Seat("person", token_digest="x"), *(Seat(f"agent {n}", "random") for n in range(6)))
    setup = Setup("t", "wonders", bw.game("wonders").all_options({}, 7), 5, seats, 0.0, None, 0)
    store = Store(tmp_path / "tables.sqlite")

    async def play() -> Table:
        table = Table(Saved(setup, RUNNING, "", [0.0] * 7, [], 0.0), store, workers)  # type: ignore[arg-type]
        store.add(setup, [], [0.0] * 7)
        table.go_on()
        for _ in range(200):
            await asyncio.sleep(0.01)
            if table.waits_for() == [0]:
                break
        assert not table.actions, "nothing is played before all have chosen"
        table.move(0, table.choosing.positions()[0].legal_actions()[0], table.version)
        assert len(table.actions) == 7
        table.leave()
        return table

    run_async(play())
    store.close()
    assert workers.most_at_once == 6


def test_open_seats_are_taken_by_anybody_with_the_address_and_the_game_begins_when_all_are_ready(
    server: Server,
) -> None:
    seats = [{"agent": None, "name": "Ada"}, {"agent": None, "open": True}, {"agent": None, "open": True}]
    made = server.post("/api/tables", {"game": "wonders", "seats": seats, "ready_check": True, "pace": 0}).json()
    assert list(made["tokens"]) == ["0"]
    with server.joined(made["id"], made["tokens"]["0"]) as ada, server.joined(made["id"], None) as guest:
        first = ada.next("table")
        assert (first["waiting_for"], first["choices"]) == ([0, 1, 2], [])
        ada.send(type="move", action=0, version=first["version"])
        assert "waits for players" in ada.next("refused")["reason"]
        guest.send(type="sit", seat=0, name="Eve")
        assert "taken" in guest.next("refused")["reason"]
        guest.send(type="sit", seat=1, name="Ada")
        seated = guest.next("seated")
        assert (seated["seat"], len(seated["token"]) > 20) == (1, True)
        names = [seat["name"] for seat in shown(ada, lambda one: not one["seats"][1]["open"])["seats"]]
        assert names[:2] == ["Ada", "Ada′"]
        ada.send(type="fill", seat=2, agent="easy")
        ada.send(type="ready")
        guest.send(type="ready")
        begun = shown(ada, lambda one: one["choices"])
        assert not begun["seats"][2]["person"]
        with server.joined(made["id"], seated["token"]) as again:
            assert again.next("table")["you"] == 1


def test_an_agent_takes_the_seat_of_somebody_who_has_gone_only_after_a_while(server: Server) -> None:
    table, tokens = server.table("wonders", None, None, "random")
    with server.joined(table, tokens["0"]) as first:
        first.send(type="fill", seat=1, agent="easy")
        assert "after 60 seconds" in first.next("refused")["reason"]
        first.send(type="fill", seat=2, agent="easy")
        assert "nobody to be replaced" in first.next("refused")["reason"]


def test_a_move_is_taken_back_when_everybody_agrees(server: Server) -> None:
    table, tokens = server.table("connect_four", None, None)
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        first.move(first.turn(), 3)
        shown(second, lambda one: one["moves"] == 1)
        first.send(type="take_back")
        asked = shown(second, lambda one: one["wants_back"])
        assert (asked["moves"], asked["back_of"]) == (1, 0)
        assert asked["can_take_back"], "who has not moved yet may agree"
        second.send(type="take_back")
        back = first.turn()  # not a table that was sent before the first move and comes late
        assert (back["moves"], back["wants_back"], len(back["choices"])) == (0, [], 7)
        first.move(back, 2)
        shown(second, lambda one: one["version"] > back["version"])
        first.send(type="take_back")
        second.move(shown(second, lambda one: one["wants_back"]), 2)  # moves on instead
        assert shown(first, lambda one: one["moves"] == 2)["wants_back"] == []


def test_a_companion_knows_in_a_rematch_how_the_game_before_ended(server: Server) -> None:
    table, tokens = server.table("kuhn_poker", None, "companion")
    with server.joined(table, tokens["0"]) as player:
        player.next("table")
        player.send(type="resign")
        shown(player, lambda one: one["status"] == "resigned")
        player.send(type="rematch")
        follow = player.next("seated")
    with server.joined(follow["table"], follow["token"]) as player:
        companion = player.next("table")["seats"][0]
    assert companion["agent"] == "companion:played=1,lost=0"
    assert companion["advises"]


def test_a_rematch_begins_when_both_want_it_and_seats_are_changed(server: Server) -> None:
    table, tokens = server.table("kuhn_poker", None, None, clock={"seconds": 600, "increment": 2})
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        first.next("table")
        second.send(type="rematch")
        assert "not over" in second.next("refused")["reason"]
        second.send(type="resign")
        over = shown(first, lambda one: one["status"] == "resigned")
        assert over["wants_rematch"] == []
        first.send(type="rematch")
        assert shown(second, lambda one: one["wants_rematch"])["wants_rematch"] == [0]
        second.send(type="rematch")
        follow = {seat: player.next("seated") for seat, player in ((0, first), (1, second))}
        first.send(type="rematch")
        assert first.next("seated") == follow[0], "the next game has begun: there they go"
    with server.joined(table, tokens["1"]) as back:
        assert back.next("table")["next_game"]
        back.send(type="rematch")
        assert back.next("seated") == follow[1]
    assert follow[0]["table"] == follow[1]["table"] != table
    with server.joined(follow[0]["table"], follow[0]["token"]) as player:
        again = player.next("table")
        assert (again["you"], [seat["name"] for seat in again["seats"]]) == (1, ["Player 2", "Player 1"])
        assert again["clock"]


def test_who_looks_as_another_seat_is_still_here_and_is_asked_for_a_rematch(server: Server) -> None:
    table, tokens = server.table("kuhn_poker", None, None)
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        second.send(type="resign")
        shown(second, lambda one: one["status"] == "resigned")
        second.send(type="look", seat=None)
        shown(second, lambda one: one["view"] is None)
        first.send(type="rematch")
        asked = shown(second, lambda one: one["wants_rematch"])
        assert [seat["here"] for seat in asked["seats"]] == [True, True]
        assert not asked["next_game"]
        second.send(type="rematch")
        assert second.next("seated")["table"] == first.next("seated")["table"]


def test_the_chat_takes_hostile_text_as_text_and_little_of_it(server: Server) -> None:
    table, tokens = server.table("connect_four", None, None)
    hostile = "<img src=x onerror=alert(1)>\u202e\x00 & 'quotes'"
    with server.joined(table, tokens["0"]) as first, server.joined(table, None) as watcher:
        first.next("table")
        watcher.next("table")
        first.send(type="say", text=hostile)
        (line,) = watcher.next("chat")["lines"]
        assert (line["seat"], line["name"]) == (0, "Player 1")
        assert line["text"] == "<img src=x onerror=alert(1)>�� & 'quotes'"
        first.send(type="say", text="x" * 301)
        assert "at most 300" in first.next("refused")["reason"]
        for _ in range(8):
            first.send(type="say", text="hello")
        assert "wait a moment" in first.next("refused")["reason"]
        with server.joined(table, tokens["1"]) as late:
            assert late.next("chat")["lines"][0]["text"] == line["text"], "who comes later reads it too"


def test_patches_make_the_text_that_they_are_of() -> None:
    texts = [
        "",
        "a",
        "<g a>\nx\n</g>\nb\nb",
        "<g a>\nx\n</g>\nb\nc",
        "b\n<g a>\n<g>\nx\n</g>\n</g>",
        "\n\n",
        "</g>\n<g",
    ]
    for before in texts:
        for after in texts:
            change = patch(before, after)
            assert change is None or patched(before, change) == after
            assert "\n".join(pieces(after)) == after
    long = "\n".join(f"<g {i}>\nwhatever\n</g>" for i in range(50))
    change = patch(long, long.replace("<g 7>", "<g seven>"))
    assert change == [(0, 7), (0, "<g seven>"), (8, 42)], "its inside is the same as that of the others"


@pytest.mark.parametrize("width", [380, 1400])
def test_in_the_middle_of_a_game_of_race_a_move_sends_little(server: Server, width: int) -> None:
    """On a phone and on a large screen: 10 KB on average, and at most where messages are compressed, as they are unless
    the server answers on this machine only."""
    table, tokens = server.table("race", None, "random", seed=6)
    with server.joined(table, tokens["0"]) as player:
        now = player.turn()
        while now["status"] == "running" and now["moves"] < 120:
            player.move(now)
            now = player.turn()
    with connect(f"ws://127.0.0.1:{server.port}/ws/{table}", max_size=None) as socket:
        page = Player(socket)
        page.send(type="join", token=tokens["0"], patches=True, width=width)
        now, sizes = page.turn(), []
        for _ in range(25):
            if now["status"] != "running":
                break
            page.move(now)
            now = {}
            while not now or not (now["status"] != "running" or (now["choices"] and now["version"] != page.moved_at)):
                message = socket.recv(60, decode=False)
                now = json.loads(message) if json.loads(message)["type"] == "table" else {}
                sizes.append((len(message), len(zlib.compress(message))))
    assert len(sizes) > 10
    assert sum(whole for whole, _ in sizes) / len(sizes) <= 10_000, f"{sizes}"
    assert max(sent for _, sent in sizes) <= 10_000, f"{sizes}"


BROKEN = """
from boardwright.kernel import Game
x = (
"""


@pytest.mark.slow
def test_a_game_of_ones_own_is_on_the_page_and_is_loaded_again_when_it_is_saved(tmp_path: Path) -> None:
    source = (Path(__file__).parent / "games" / "dice_race.py").read_text()
    file = tmp_path / "mine.py"
    file.write_text(source)
    agent = tmp_path / "last_choice.py"
    agent.write_text(
        "from boardwright.agents import Agent, Decision\n\n\nclass Last(Agent):\n"
        '    """Takes the last."""\n\n    def decide(self, observation):\n'
        "        return Decision(observation.legal_actions()[-1])\n"
    )
    server = Server(tmp_path, *ONE_WORKER, "--game", str(file), "--agent", str(agent))
    try:
        port = server.port
        game = next(one for one in server.get("/api/games").json()["games"] if one["name"] == "dice_race")
        assert "last_choice" in [one["name"] for one in game["agents"]]
        table, _ = server.table("dice_race", "last_choice", "random", pace=0)
        assert server.finished(table)["status"] == "finished"
        refused = server.post("/api/tables", {"game": file.name, "seats": [{}, {}]})
        assert refused.status_code == 409, "a page cannot name a file"
        file.write_text(BROKEN)
        broken = _games(server, port, lambda listed: any(one.get("broken") and one.get("own") for one in listed))
        (error,) = [one["broken"] for one in broken if one.get("own")]
        assert "mine.py, line 3" in error
        file.write_text(source.replace("Dice race", "Dice derby"))
        mended = _games(server, port, lambda listed: not any(one.get("broken") for one in listed))
        assert "dice_race" in [one["name"] for one in mended]
    finally:
        server.stop()


def _games(server: Server, port: int, condition: Any) -> list[dict[str, Any]]:
    """What the server offers once a condition holds; it goes away for a moment meanwhile."""
    import httpx

    server.port = port
    for _ in range(600):
        try:
            listed: list[dict[str, Any]] = server.get("/api/games").json()["games"]
            if condition(listed):
                return listed
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError("the server did not come back with the file as it is now")
