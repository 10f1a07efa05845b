"""What happens at a table: decisions in their own words, choices of several things, names, pauses, resignations; which
agents are offered, and who waits for whom when many want something."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

import boardwright as bw
from boardwright.agents import ask
from boardwright.agents.levels import STRONGEST, levels, strongest
from boardwright.errors import AgentFailed
from boardwright.games.race.recall import EQUAL_CARD
from boardwright.kernel.ready import make_ready
from boardwright.registry import make_agent
from boardwright.web import views, worker_pool
from boardwright.web.catalogue import catalogue
from boardwright.web.limits import Limits
from boardwright.web.server import _invitations
from boardwright.web.specs import CAPPED
from boardwright.web.store import RUNNING, Saved, Seat, Setup
from boardwright.web.table import Table
from boardwright.web.worker import Answer, Begun, Compiling, Decide, Estimate, Line, estimate
from boardwright.web.worker_pool import WorkerPool, _Worker
from tests.web_server import ONE_WORKER, Player, Server, run_async

# Decisions in their own words


def test_a_decision_that_is_shown_is_one_that_was_made_in_its_own_words(server: Server) -> None:
    """Whenever one looks, also between a decision and its move."""
    table, _ = server.table("race", "heuristic", "heuristic", seed=4, pace=0.15)  # spectators see ten a second
    with server.joined(table, None) as watcher:
        while (shown := watcher.next("table"))["status"] == "running" and shown["moves"] < 40:
            watcher.send(type="look", seat=None)
    frames = [frame for frame in watcher.frames if frame["type"] == "table"]
    log = {line["move"]: line for frame in frames for line in frame["log"]}
    decided = [frame["decision"] for frame in frames if frame["decision"]]
    assert len({decision["move"] for decision in decided}) > 5
    for decision in decided:
        assert (decision["text"], decision["seat"]) == (log[decision["move"]]["text"], log[decision["move"]]["seat"])


def test_a_hint_of_the_strongest_tells_visits_and_priors_apart(server: Server) -> None:
    table, tokens = server.table("race", None, "heuristic", seed=4)
    with server.joined(table, tokens["0"]) as player:
        shown = player.turn()
        player.send(type="think", agent=STRONGEST)
        hint = player.next("decision")
    assert hint["agent"] == strongest(bw.game("race"), 2) == levels(bw.game("race"), 2)[STRONGEST]
    assert "noise" not in hint["agent"]
    assert (hint["move"], hint["seat"]) == (shown["moves"], 0)
    visits = sum(option["visits"] for option in hint["reasons"])
    for option in hint["reasons"]:
        assert option["weight"] == pytest.approx(option["visits"] / visits)
    assert sum(option["prior"] for option in hint["reasons"]) == pytest.approx(1.0, abs=0.01)
    assert len(hint["places"]) == 2, "the whole set is named"
    names = ", ".join(shown["set"]["items"][place]["text"] for place in hint["places"])
    assert hint["text"] == f"discard {names}"


# Several things at once


def test_a_set_is_chosen_in_one_message_and_taken_back_as_a_whole(server: Server) -> None:
    table, tokens = server.table("race", None, "heuristic", seed=4)
    with server.joined(table, tokens["0"]) as player:
        first = player.turn()
        asked = first["set"]
        assert (asked["verb"], asked["least"], asked["most"], len(asked["items"])) == ("discard", 2, 2, 6)
        for places in ([0], [0, 0], [0, 99], [0, 1, 2]):
            player.send(type="move_set", places=places, version=first["version"])
            assert player.next("refused")["reason"]
        player.send(type="move_set", places=[5, 2], version=first["version"])
        player.moved_at = first["version"]
        after = player.turn()
        gone = [asked["items"][place]["key"] for place in (2, 5)]
        assert all(f'data-key="{key}"' in first["picture"] for key in gone)
        assert not any(f'data-key="{key}"' in after["picture"] for key in gone), "what was clicked was discarded"
        player.send(type="take_back")
        while (back := player.next("table"))["moves"] >= after["moves"] or not back["choices"]:
            pass
        assert (back["picture"], back["set"]) == (first["picture"], first["set"])


@pytest.mark.parametrize("seed", range(4))
def test_every_set_of_a_game_is_what_the_picture_shows(seed: int) -> None:
    """What can be chosen is drawn under its key, and choosing it does what the verb says, whatever the rules ask."""
    game, chance, met = bw.game("race"), random.Random(seed), set()
    state, gone = game.new(seed=seed), dict[int, list[str]]()
    while not state.is_terminal:
        observation = state.observation(state.player)
        for key in gone.pop(state.player, []):
            assert f'data-key="{key}"' not in observation.to_svg(), f"{key} was given away"
        choice = views.set_choice(observation)
        if choice is None:
            state.apply(chance.choice(state.legal_actions()))
            continue
        met.add(choice.verb)
        picture = observation.to_svg()
        assert all(picture.count(f'data-key="{key}"') == 1 for key in choice.keys)
        places = chance.sample(range(len(choice.items)), chance.randint(choice.least, choice.most))
        if choice.verb != "consume the good of":
            keys = [choice.keys[place] for place in places]  # a card that has an equal one may lie there again
            gone[state.player] = [key for key in keys if EQUAL_CARD[int(key.split()[1])] < 0]
        for action in views.set_steps(observation, places):
            assert action in state.legal_actions()
            state.apply(action)
    assert {"discard", "pay with"} <= met


def test_the_steps_of_a_set_are_told_for_study(server: Server) -> None:
    start = {"game": "race", "seats": 2, "seed": 4, "options": {}}
    position = server.post("/api/position", {"start": start, "actions": []}).json()
    assert position["set"]["most"] == 2
    steps = server.post("/api/steps", {"start": start, "actions": [], "places": [1, 3]}).json()["actions"]
    assert server.post("/api/position", {"start": start, "actions": steps}).json()["player"] == 1
    assert server.post("/api/steps", {"start": start, "actions": [], "places": [1]}).status_code == 400


# Names


def test_everybody_at_a_table_has_a_name_of_their_own(server: Server) -> None:
    seats = [{"agent": None}, {"agent": "easy"}, {"agent": "easy", "name": "Ada"}, {"agent": "random"}]
    table = server.post("/api/tables", {"game": "colonizers", "seats": seats, "pace": 60}).json()["id"]
    names = ["Player 1", "easy 2", "Ada", "random 4"]
    assert server.get(f"/api/tables/{table}").json()["seats"] == names
    listed = server.get("/api/tables").json()["running"]
    assert [seat["name"] for seat in next(one for one in listed if one["id"] == table)["seats"]] == names
    seats = [{"agent": "easy", "name": "Ada"}, {"agent": "easy", "name": "Ada"}]
    table = server.post("/api/tables", {"game": "connect_four", "seats": seats}).json()["id"]
    assert len(set(server.get(f"/api/tables/{table}").json()["seats"])) == 2


def test_invitations_name_an_address_that_others_can_reach() -> None:
    assert _invitations("127.0.0.1", 8420) == ""
    own = _invitations("0.0.0.0", 8420)
    assert own.startswith("http://")
    assert own.endswith(":8420")
    assert "0.0.0.0" not in own
    assert "127.0.0.1" not in own
    assert _invitations("192.168.1.7", 80) == "http://192.168.1.7:80"


def test_a_server_for_the_network_tells_pages_its_address(tmp_path: Path) -> None:
    server = Server(tmp_path, *ONE_WORKER, "--host", "0.0.0.0")
    try:
        assert server.get("/api/server").json()["address"] == _invitations("0.0.0.0", server.port)
    finally:
        server.stop()


# Several people


def test_when_one_of_several_people_resigns_the_others_play_on(server: Server) -> None:
    table, tokens = server.table("race", None, None, None, seed=4)
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        first.turn()
        second.send(type="resign")
        while (shown := first.next("table"))["seats"][1]["person"]:
            assert shown["status"] == "running"
        assert shown["status"] == "running"
        assert "resigned" in shown["seats"][1]["name"]
        while second.next("table")["you"] is not None:
            pass  # who resigned watches
        first.send(type="move_set", places=[0, 1], version=shown["version"])
        with server.joined(table, tokens["2"]) as third:
            third.send(type="move_set", places=[0, 1], version=third.turn()["version"])
            while first.next("table")["moves"] < 6:
                pass  # all have chosen, the agent in the seat that was left too
    server.get(f"/api/tables/{table}")


def test_with_two_seats_a_resignation_ends_the_game(server: Server) -> None:
    table, tokens = server.table("kuhn_poker", None, None)
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        first.next("table")
        second.send(type="resign")
        while first.next("table")["status"] == "running":
            pass
    assert server.get(f"/api/tables/{table}").json()["status"] == "resigned"


def test_the_game_pauses_when_all_people_want_it_and_until_then_the_clock_runs(server: Server) -> None:
    table, tokens = server.table("connect_four", None, None, clock={"seconds": 3600, "increment": 0})
    with server.joined(table, tokens["0"]) as first, server.joined(table, tokens["1"]) as second:
        first.turn()
        first.send(type="pause", paused=True)
        while not (shown := second.next("table"))["wants_pause"]:
            pass
        assert (shown["paused"], shown["ticking"]) == (False, True)
        second.send(type="pause", paused=True)
        while not (shown := first.next("table"))["paused"]:
            pass
        assert not shown["ticking"]
        second.send(type="pause", paused=False)
        while (shown := first.next("table"))["paused"]:
            pass
        assert (shown["ticking"], shown["wants_pause"]) == (True, [])


def test_a_choice_that_others_cannot_see_takes_as_long_without_an_alternative() -> None:
    """Otherwise the time would tell what is in a hand."""
    game, chance = bw.game("race"), random.Random(2)
    seats = (Seat("person", token_digest="x"), Seat("agent", "heuristic"))
    hidden = open_to_all = 0
    for seed in range(6):
        setup = Setup("t", "race", {"generator": "kernel"}, seed, seats, 0.6, None, 0)
        table = Table(Saved(setup, RUNNING, "", [0.0, 0.0], [], 0.0), None, None)  # type: ignore[arg-type]
        turns = table.turns
        while not table.state.is_terminal:
            legal = table.state.legal_actions()
            if len(legal) == 1 and table.state.player == 1:
                unseen = not views.described(table.state, legal[0])[1][0]
                assert turns._least_seconds(1, forced=True) == (turns._least_seconds(1, forced=False) if unseen else 0)
                turns._took[1] = 2.5
                assert turns._least_seconds(1, forced=True) == (2.5 if unseen else 0), "as long as the last decision"
                turns._took.clear()
                hidden, open_to_all = hidden + unseen, open_to_all + (not unseen)
            table._apply(chance.choice(legal), forced=len(legal) == 1)
    assert hidden
    assert open_to_all
    assert game.name == "race"


# Chances


def test_chances_with_everything_open_leave_room_for_what_nobody_knows() -> None:
    """Playouts of one and the same deck would all end alike, and every chance be 0 or 1."""
    game, chance = bw.game("race"), random.Random(1)
    sure = total = 0
    for seed in range(3):
        state, actions = game.new(seed=seed), []
        while not state.is_terminal:
            actions.append(chance.choice(state.legal_actions()))
            state.apply(actions[-1])
        moves = tuple(range(0, len(actions) // 3, 5))
        found = estimate(Estimate(Line("race", 2, seed, (), tuple(actions)), moves, None, playouts=40, seconds=60))
        assert all(sum(chances) == pytest.approx(1.0) for chances in found)
        sure, total = sure + sum(chances[0] in (0, 1) for chances in found), total + len(found)
    assert total > 20
    assert sure < total / 4


# Agents that are offered


def offered() -> Iterator[Any]:
    for game in catalogue(Limits())["games"]:
        for agent in game["agents"]:
            for seats in agent["seats"]:
                yield pytest.param(game["name"], agent["name"], seats, id=f"{game['name']}-{seats}-{agent['name']}")


@pytest.mark.parametrize(("game", "name", "seats"), list(offered()))
def test_every_agent_that_is_offered_makes_a_decision(game: str, name: str, seats: int) -> None:
    state = bw.game(game).new(seed=3, seats=seats)
    while len(state.legal_actions()) == 1:
        state.apply(state.legal_actions()[0])
    agent = make_agent(name, state.game, state.player, seed=1)
    try:
        agent.check_seats(seats)
        make_ready(agent.needs())
        agent.start_game(state.observation(state.player))
        assert ask(agent, state.observation(state.player)).action in state.legal_actions()
    finally:
        agent.close()


def test_agents_are_offered_only_where_they_can_play() -> None:
    games = {game["name"]: game for game in catalogue(Limits())["games"]}
    agents = {name: {agent["name"]: agent["seats"] for agent in about["agents"]} for name, about in games.items()}
    assert "netsearch" not in agents["kuhn_poker"], "there is no network"
    assert agents["wonders"]["netsearch"] == (3, 4, 5, 6, 7), "one network for all"
    assert agents["race"]["netsearch"] == (2, 3, 4)
    assert agents["race"]["uct"] == (2, 3, 4)


# Budgets


@pytest.mark.parametrize("name", CAPPED)
def test_every_budget_of_an_agent_has_a_limit(server: Server, name: str) -> None:
    agent = {"depth": "maxn", "turns": "netsearch", "rollouts": "netsearch", "width": "netsearch"}.get(name, "ismcts")
    agent = "uct" if name == "determinizations" else agent
    most = getattr(Limits(), name)
    seats = [{"agent": f"{agent}:{name}={most + 1}"}, {"agent": "random"}]
    answer = server.post("/api/tables", {"game": "race", "seats": seats})
    assert answer.status_code == 400
    assert f"{name} is at most" in answer.json()["error"] or "less than or equal" in answer.json()["error"]


def served(connection: Any) -> None:
    """A worker that compiles for longer than anybody's patience, then answers the first job and forgets the second."""
    connection.recv()
    connection.send(Compiling(0.5))
    time.sleep(2.0)
    connection.send(Begun())
    connection.send(Answer("decided"))
    connection.recv()
    connection.send(Begun())
    connection.recv()


JOB = Decide(Line("kuhn_poker", 2, 0, (), ()), "random", 0)


def test_compiling_does_not_count_against_an_agents_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "serve", served)
    shares: list[float] = []

    async def ask_twice() -> Any:
        workers = WorkerPool(1, patience=1.0, memory_mb=8192)
        try:
            result = await workers.run(JOB, compiling=shares.append)
            with pytest.raises(AgentFailed, match="no decision within 1 seconds"):
                await workers.run(JOB)
        finally:
            workers.close()
        return result

    assert run_async(ask_twice()) == "decided"
    assert shares == [0.5]


class Instant:
    """In place of a process: answers at once."""

    def __init__(self, patience: float, memory_mb: int) -> None:
        self.thread = ThreadPoolExecutor(1)

    def run(self, job: Any, compiling: Any) -> Any:
        return job

    def end(self) -> None:
        pass


def test_of_many_who_wait_everybody_is_served_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_Worker", Instant)
    order: list[str] = []

    async def all_wait() -> None:
        workers = WorkerPool(1, patience=1.0, memory_mb=8192)

        async def one(client: str) -> None:
            await workers.run(JOB, client=client)
            order.append(client)

        await asyncio.gather(*(one("greedy") for _ in range(8)), one("second"), one("third"))
        workers.close()

    run_async(all_wait())
    assert {"second", "third"} <= set(order[:5]), order


def test_half_a_request_is_not_waited_for_and_a_client_that_goes_away_prints_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, *ONE_WORKER, "--limit", "request_seconds=0.5")
    head = f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
    try:
        for text in ("GET / HT", head, "GET /api/server HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT"):
            with socket.create_connection(("127.0.0.1", server.port)) as half:
                half.sendall(text.encode())
                while half.recv(65536):
                    pass  # until the server has closed it
        with socket.create_connection(("127.0.0.1", server.port)) as half:
            half.sendall((head + "Content-Length: 100\r\n\r\n{").encode())
            assert b" 408 " in half.recv(65536)
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", server.port)) as gone:
                gone.sendall((head + "Content-Length: 100\r\n\r\n{").encode())
        table, tokens = server.table("connect_four", None, "random", pace=0)
        for _ in range(3):
            with server.joined(table, tokens["0"]) as player:
                leave_without_a_word(player)
        server.get("/api/games")
    finally:
        server.stop()
    assert server.errors() in ("", "boardwright: stopped\n")


def leave_without_a_word(player: Player) -> None:
    shown = player.turn()
    player.move(shown)
    player.socket.socket.shutdown(socket.SHUT_RDWR)


def test_a_worker_that_two_threads_end_at_once_is_ended_once() -> None:
    """Its process dies when the server stops: the thread that waits for it and the event loop both end it."""
    ended: list[str] = []
    both = threading.Barrier(2)

    class Dying:
        def kill(self) -> None:
            ended.append("killed")
            time.sleep(0.1)  # the other thread comes by meanwhile

    worker = _Worker(patience=1.0, memory_mb=8192)
    worker._child = cast("Any", Dying())

    def end() -> None:
        both.wait()
        worker.end()

    threads = [threading.Thread(target=end) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ended == ["killed"]
