"""The web server as scripts meet it: tables, secret links, limits, records, restarts."""

from __future__ import annotations

import json
import lzma
import random
import re
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import boardwright as bw
from boardwright.arena.record import parse_record
from boardwright.web.routes import PAGES, STATIC
from tests import page_types
from tests.web_server import ONE_WORKER, App, Server

# Playing

SIMULTANEOUS = [game for game in bw.games() if bw.game(game).information.simultaneous is not None]
"""In these, somebody is asked while it is another's turn by the rules."""


@pytest.mark.parametrize("game", bw.games())
def test_any_game_is_played_to_its_end_over_the_socket(server: Server, game: str) -> None:
    seats = bw.game(game).seats[0]
    table, tokens = server.table(game, None, *["random"] * (seats - 1))
    chance = random.Random(1)
    with server.joined(table, tokens["0"]) as player:
        while (shown := player.turn())["status"] == "running":
            assert shown["you"] == 0
            assert shown["player"] == 0 or game in SIMULTANEOUS
            player.move(shown, chance.choice(shown["choices"])["action"])
    assert shown["status"] == "finished"
    assert len(shown["scores"]) == seats
    assert "<svg" in shown["picture"]


def test_a_finished_table_gives_a_record_that_replays(server: Server) -> None:
    table, _ = server.table("kuhn_poker", "random", "optimal", seed=2**63 + 5)
    about = server.finished(table)
    answer = server.get(f"/api/tables/{table}/record")
    record = parse_record(answer.content)
    assert record.seed == 2**63 + 5
    assert record.agents == ["random", "optimal"]
    assert len(record.actions) == about["moves"]
    record.final()


def test_the_same_seed_and_agents_play_the_same_game(server: Server) -> None:
    played = []
    for _ in range(2):
        table, _ = server.table("race", "heuristic", "netsearch", seed=12)
        server.finished(table)
        played.append(parse_record(server.get(f"/api/tables/{table}/record").content).actions)
    assert played[0] == played[1]


def test_two_people_play_and_a_third_watches(server: Server) -> None:
    table, tokens = server.table("connect_four", None, None)
    with (
        server.joined(table, tokens["0"]) as first,
        server.joined(table, tokens["1"]) as second,
        server.joined(table, None) as watcher,
    ):
        assert watcher.next("table")["you"] is None
        for number in range(7):  # first piles up a column, second the next one
            mover = (first, second)[number % 2]
            shown = mover.turn()
            mover.move(shown, number % 2)
        last = watcher.turn()
        while last["status"] == "running":
            last = watcher.next("table")
        assert last["note"] == "Player 1 wins"
        assert last["choices"] == []


def test_moves_are_taken_back_to_ones_own_last_decision(server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random")
    with server.joined(table, tokens["0"]) as player:
        begin = player.turn()
        assert not begin["can_take_back"]
        player.move(begin, 3)
        after = player.turn()
        assert (after["moves"], after["can_take_back"]) == (2, True)
        player.send(type="take_back")
        again = player.turn()
        while again["moves"]:
            again = player.turn()
        assert again["picture"] == begin["picture"]
        player.send(type="take_back")
        assert "nothing to take back" in player.next("refused")["reason"]


def test_resigning_ends_the_game_and_opens_it(server: Server) -> None:
    table, tokens = server.table("kuhn_poker", None, "random")
    with server.joined(table, tokens["0"]) as player:
        player.turn()
        assert server.get(f"/api/tables/{table}/game").status_code == 409
        player.send(type="resign")
        over = player.next("table")
        while over["status"] == "running":
            over = player.next("table")
        assert (over["status"], over["note"]) == ("resigned", "Player 1 resigned")
    assert server.get(f"/api/tables/{table}/game").status_code == 200


def give_up(server: Server, how: str) -> str:
    """A table whose game ends before its end."""
    clock = {"clock": {"seconds": 5, "increment": 0}} if how == "out of time" else {}
    table, tokens = server.table("connect_four", None, "random", **clock)
    with server.joined(table, tokens["0"]) as player:
        player.move(player.turn(), 3)
        assert player.turn()["moves"] == 2
        assert "still being played" in server.get(f"/api/tables/{table}/record").json()["error"]
        if how == "resigned":
            player.send(type="resign")
        assert player.turn()["status"] == how
    return table


@pytest.mark.parametrize(
    ("how", "why"), [("resigned", "Player 1 resigned"), ("out of time", "Player 1 ran out of time")]
)
def test_the_record_of_a_game_that_was_given_up_is_a_forfeit(server: Server, how: str, why: str) -> None:
    line = server.get(f"/api/tables/{give_up(server, how)}/record").content
    record = parse_record(line)
    assert record.forfeit is not None
    assert (record.forfeit.seat, record.forfeit.moves, record.forfeit.reason) == (0, 2, why)
    assert record.returns == [-1, 1]
    assert not record.final().is_terminal
    (studied,) = httpx.post(server.address + "/api/records", content=line).json()["games"]
    assert studied["forfeit"] == why


def test_a_paused_table_waits(server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random")
    with server.joined(table, tokens["0"]) as player:
        shown = player.turn()
        player.send(type="pause", paused=True)
        while not (shown := player.next("table"))["paused"]:
            pass
        assert shown["choices"] == []
        player.send(type="move", action=3, version=shown["version"])
        assert "paused" in player.next("refused")["reason"]
        player.send(type="pause", paused=False)
        player.move(player.turn(), 3)
        assert player.turn()["moves"] == 2


def test_whoever_runs_out_of_time_loses(server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random", clock={"seconds": 5, "increment": 0})
    with server.joined(table, tokens["0"]) as player:
        shown = player.turn()
        assert 0 < shown["seats"][0]["clock"] <= 5
        assert shown["seats"][1]["clock"] is None
        assert player.turn()["status"] == "out of time"


def test_an_agent_tells_its_reasons_in_the_seat_of_the_person(server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random")
    with server.joined(table, tokens["0"]) as player:
        player.turn()
        player.send(type="think", agent="uct:iterations=500")
        decision = player.next("decision")
        assert {option["action"] for option in decision["reasons"]} == set(range(7))
        assert sum(option["weight"] for option in decision["reasons"]) == pytest.approx(1)


def test_chances_to_win_come_with_the_positions(server: Server) -> None:
    table, tokens = server.table("kuhn_poker", None, "random")
    with server.joined(table, tokens["0"]) as player:
        player.turn()
        while not (points := player.next("chances")["points"]):
            pass
        move, chances = points[0]
        assert move == 0
        assert sum(chances) == pytest.approx(1, abs=0.01)


# Who may what


def test_a_wrong_link_is_refused_with_a_reason(server: Server) -> None:
    table, _ = server.table("connect_four", None, "random")
    with server.joined(table, "guessed") as player:
        assert "does not belong" in player.next("refused")["reason"]
        with pytest.raises(ConnectionClosed):
            player.next()


def test_there_is_no_such_table(server: Server) -> None:
    assert server.get("/api/tables/nothing").status_code == 404
    with server.joined("nothing", None) as player:
        assert "no such table" in player.next("refused")["reason"]


def test_spectators_cannot_play_nor_look_into_hands(server: Server) -> None:
    table, _ = server.table("kuhn_poker", None, None)
    with server.joined(table, None) as watcher:
        shown = watcher.next("table")
        assert (shown["choices"], shown["you"]) == ([], None)
        assert shown["text"] == "seat 1: ?, seat 2: ?; nothing bet yet"
        assert not re.search("Jack|Queen|King", shown["picture"])
        for message in (
            {"type": "move", "action": 0, "version": shown["version"]},
            {"type": "resign"},
            {"type": "take_back"},
            {"type": "pause", "paused": True},
            {"type": "look", "seat": 0},
            {"type": "think", "agent": "random"},
        ):
            watcher.send(**message)
            assert watcher.next("refused")["reason"]


def test_illegal_and_late_moves_are_refused(server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random")
    with server.joined(table, tokens["0"]) as player:
        shown = player.turn()
        player.move(shown, 7)
        player.moved_at = -1
        assert "not legal" in player.next("refused")["reason"]
        player.send(type="move", action=3, version=shown["version"] - 1)
        assert "changed meanwhile" in player.next("refused")["reason"]
        player.move(shown, 3)
        assert player.turn()["moves"] == 2


def test_the_seed_of_a_game_under_way_is_told_to_nobody(server: Server) -> None:
    seed = 123456789012345678
    table, tokens = server.table("race", None, "random", seed=seed)
    with server.joined(table, tokens["0"]) as player:
        player.move(player.turn())
        player.turn()
        assert str(seed) not in json.dumps(player.frames)
    assert str(seed) not in server.get("/api/tables").text
    assert str(seed) not in server.get(f"/api/tables/{table}").text


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("nobody", "no agent 'nobody'"),
        ("human", "no agent 'human'"),
        ("remote:host=example.org", "no agent 'remote'"),
        ("/etc/passwd.py", "no agent"),
        ("netsearch:weights=/etc/passwd", "weights cannot be set from a page"),
        ("scout2:case_base=/etc/passwd", "case_base cannot be set from a page"),
        ("scout2:rest=(remote:host=example.org)", "rest cannot be set from a page"),
        ("uct:iterations=200001", "iterations is at most 200,000"),
        ("ismcts:seconds=3600", "seconds is at most 15"),
        ("uct:threads=64", "threads is at most 2"),
        ("uct:iterations=many", "iterations='many'"),
        ("uct:colour=red", "unknown parameter 'colour'"),
    ],
)
def test_pages_seat_registered_agents_within_limits_only(server: Server, spec: str, complaint: str) -> None:
    answer = server.post("/api/tables", {"game": "race", "seats": [{"agent": spec}, {"agent": "random"}]})
    assert answer.status_code == 400
    assert complaint in answer.json()["error"]


@pytest.mark.parametrize(
    ("content", "status", "complaint"),
    [
        ({"game": "chess", "seats": [{}, {}]}, 409, "no game 'chess'"),
        ({"game": "tests/games/pennies.py", "seats": [{}, {}]}, 409, "no game"),
        ({"game": "race", "seats": [{}]}, 400, "2 or 3 or 4 seats"),
        ({"game": "race", "seats": [{}, {}], "options": {"colour": "red"}}, 400, "unknown option"),
        ({"game": "race", "seats": [{}, {}], "seed": -1}, 400, "seed"),
        ({"game": "race", "seats": [{}, {}], "hurry": True}, 400, "hurry"),
        ({"game": "connect_four", "seats": [{}, {}], "actions": [9]}, 400, "action 9 is not legal"),
        ([], 400, "should be an object"),
    ],
)
def test_tables_that_cannot_be_made_are_refused_with_a_reason(
    server: Server, content: Any, status: int, complaint: str
) -> None:
    answer = server.post("/api/tables", content)
    assert answer.status_code == status, answer.text
    assert complaint in answer.json()["error"]


def test_requests_of_other_sites_are_refused(server: Server) -> None:
    wanted = {"game": "connect_four", "seats": [{}, {}]}
    assert server.post("/api/tables", wanted, headers={"origin": "http://evil.example"}).status_code == 403
    assert server.get("/", headers={"host": "evil.example"}).status_code == 403
    assert server.post("/api/tables", wanted, headers={"origin": server.address}).status_code == 201
    plain = httpx.post(
        server.address + "/api/tables", content=json.dumps(wanted), headers={"content-type": "text/plain"}
    )
    assert plain.status_code == 400
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://127.0.0.1:{server.port}/ws/x", origin="http://evil.example")  # type: ignore[arg-type]


def test_pages_carry_a_strict_content_security_policy_and_no_inline_code(server: Server) -> None:
    for path in PAGES:
        answer = server.get(path.replace("{table}", "x"))
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script(?![^>]*src=)|\son\w+=|style=", answer.text)
    for file in STATIC.glob("*.js"):
        assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", file.read_text()), file.name


def test_an_address_that_leads_nowhere_gets_a_page_for_people_and_json_for_scripts(server: Server) -> None:
    page = server.get("/nonexistent")
    assert page.status_code == 404
    assert 'name="viewport"' in page.text
    assert '<a class="button" href="/">' in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for path in ("/api/nonexistent", "/static/nonexistent.js"):
        answer = server.get(path)
        assert (answer.status_code, answer.json()) == (404, {"error": "there is nothing at this address"})


def test_what_is_too_large_is_refused(server: Server) -> None:
    answer = server.post("/api/matches", {"game": "x" * 70_000})
    assert answer.status_code == 413
    table, _ = server.table("connect_four", None, None)
    with server.joined(table, None) as player:
        player.next("table")
        player.send(type="think", agent="x" * 70_000)
        with pytest.raises(ConnectionClosed):
            player.next("refused")
    assert server.get("/api/tables").status_code == 200


def test_too_many_messages_are_refused(server: Server) -> None:
    table, _ = server.table("connect_four", None, None)
    with server.joined(table, None) as player:
        player.next("table")
        for _ in range(80):
            player.send(type="ping")
        assert "too many messages" in player.next("refused")["reason"]


def fuzzed(chance: random.Random) -> str | bytes:
    """Something that is almost a message."""
    kinds = ["join", "move", "take_back", "resign", "pause", "pace", "think", "look", "ping", "x", None, 7]
    values = [None, 0, -1, 3, 10**30, 1.5, "", "x" * 500, [], {}, True, "uct:iterations=5", "\ud800"]
    message: dict[str, Any] = {"type": chance.choice(kinds)}
    for name in chance.sample(
        ["action", "version", "seat", "agent", "paused", "seconds", "token", "y"], chance.randrange(4)
    ):
        message[name] = chance.choice(values)
    message.pop("type") if chance.random() < 0.05 else None
    text = json.dumps(message)
    way = chance.randrange(8)
    if way == 0:
        return text[: chance.randrange(len(text) + 1)]
    if way == 1:
        return "".join(chance.choice('{}[]":,0aé\x00') for _ in range(chance.randrange(60)))
    if way == 2:
        return "[" * chance.randrange(3000)
    return text


@pytest.mark.parametrize("messages", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_no_message_brings_the_server_down(tmp_path: Path, messages: int) -> None:
    """Half of them by a player, half by a spectator."""
    server = Server(tmp_path, *ONE_WORKER, "--limit", "messages_per_second=1000000", "--limit", "message_burst=1000000")
    chance = random.Random(17)
    table, tokens = server.table("connect_four", None, "random")
    try:
        for token in (tokens["0"], None):
            with server.joined(table, token) as player:
                player.next("table")
                for number in range(messages // 2):
                    player.socket.send(fuzzed(chance))
                    if number % 500 == 499:
                        player.send(type="ping")
                        player.next("pong")
        assert server.get("/api/tables").status_code == 200
        assert "Traceback" not in server.errors(), server.errors()
    finally:
        server.stop()


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[1]", b"\xff\xfe", b'{"game": 1}', b"[" * 100_000])
@pytest.mark.parametrize(
    "path", ["/api/tables", "/api/position", "/api/think", "/api/curve", "/api/review", "/api/log", "/api/matches"]
)
def test_broken_requests_get_a_reason(server: Server, path: str, body: bytes) -> None:
    answer = httpx.post(server.address + path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 413)
    assert answer.json()["error"]


# Nothing is lost


def test_after_a_crash_the_same_links_go_on(tmp_path: Path) -> None:
    server = Server(tmp_path, *ONE_WORKER)
    try:
        table, tokens = server.table("race", None, "heuristic", clock={"seconds": 900, "increment": 1})
        with server.joined(table, tokens["0"]) as player:
            for _ in range(6):
                player.move(player.turn())
            before = player.turn()
        server.kill()
        server.start()
        with server.joined(table, tokens["0"]) as player:
            after = player.turn()
            for field in ("moves", "picture", "choices", "seats", "since", "can_take_back"):
                if field == "seats":
                    names = [[seat["name"] for seat in shown["seats"]] for shown in (before, after)]
                    assert names[0] == names[1]
                else:
                    assert before[field] == after[field], field
            assert len(after["log"]) == after["moves"]
            player.move(after)
            assert player.turn()["moves"] > after["moves"]
    finally:
        server.stop()


def test_two_servers_do_not_share_one_store(server: Server) -> None:
    other = Server.__new__(Server)
    other.folder, other.options, other.port, other.environment = server.folder, (), 0, server.environment
    with pytest.raises(AssertionError, match="another server keeps its tables"):
        other.start()


# Study


def test_uploaded_records_are_replayed_and_checked(server: Server) -> None:
    table, _ = server.table("connect_four", "random", "random", seed=4)
    server.finished(table)
    line = server.get(f"/api/tables/{table}/record").content
    found = httpx.post(server.address + "/api/records", content=line).json()
    assert (found["total"], found["games"][0]["game"]) == (1, "connect_four")
    record = json.loads(line)
    del record["checksum"]
    record["scores"] = [9, 9]
    for content, complaint in (
        (json.dumps(record).encode() + b"\n", "replays to scores"),
        (line.replace(b'"scores":', b'"scores": '), "its checksum does not fit"),
        (b"nothing\n", "not JSON"),
        (json.dumps(record | {"game": "/tmp/x.py"}).encode() + b"\n", "no game"),
    ):
        answer = httpx.post(server.address + "/api/records", content=content)
        assert answer.status_code in (400, 409)
        assert complaint in answer.json()["error"]


def test_saved_games_of_the_keldon_program_can_be_studied(server: Server) -> None:
    packed = Path(__file__).parent / "data" / "race" / "games.jsonl.xz"
    games = b"".join(lzma.decompress(packed.read_bytes()).splitlines(keepends=True)[:5])
    found = httpx.post(server.address + "/api/records", content=games, timeout=120).json()
    assert found["total"] == 5
    first = found["games"][0]
    start = {name: first[name] for name in ("game", "seats", "options")} | {"seed": int(first["seed"])}
    end = server.post("/api/position", {"start": start, "actions": first["actions"]}).json()
    assert end["over"]


def test_a_position_is_looked_at_from_any_seat_and_branched_off(server: Server) -> None:
    start = {"game": "kuhn_poker", "seats": 2, "seed": 3, "options": {}}
    everything = server.post("/api/position", {"start": start, "actions": [0]}).json()
    blind = server.post("/api/position", {"start": start, "actions": [0], "seat": 1}).json()
    assert "?" not in everything["text"].split(";")[0]
    assert "?" in blind["text"]
    assert [choice["text"] for choice in everything["choices"]] == ["pass", "bet"]
    decision = server.post("/api/think", {"start": start, "actions": [0], "agent": "ismcts:iterations=100"}).json()
    assert decision["seat"] == 1
    curve = server.post("/api/curve", {"start": start, "actions": [0, 0], "at": [0, 1, 2]}).json()["points"]
    assert [move for move, _ in curve] == [0, 1, 2]
    assert sorted(curve[2][1]) == [0, 1]
    table, _ = server.table("kuhn_poker", "random", "random", seed=3, actions=[0])
    server.finished(table)
    assert parse_record(server.get(f"/api/tables/{table}/record").content).actions[0] == 0


# Matches


def test_a_match_is_run_from_the_page(server: Server) -> None:
    wanted = {"game": "connect_four", "agents": ["uct:iterations=50", "random"], "games": 20}
    run = server.post("/api/matches", wanted).json()
    for _ in range(3000):
        shown = server.get(f"/api/matches/{run['id']}").json()
        if shown["status"] != "running":
            break
        time.sleep(0.1)
    assert (shown["status"], shown["played"]) == ("finished", 20), shown
    assert [row[0] for row in shown["report"]["sections"][0]["rows"]] == ["uct:iterations=50", "random"]
    assert "<svg" in server.get(f"/api/matches/{run['id']}/plot.svg").text
    (name,) = server.get("/api/files").json()["files"][:1]
    assert server.get(f"/api/files/{name}").json()["total"] == 20
    assert server.get("/api/files/..%2Ftables.sqlite").status_code in (404, 409)
    too_many = server.post("/api/matches", wanted | {"games": 10**5})
    assert "at most 2,000 games" in too_many.json()["error"]


@pytest.mark.parametrize(
    ("options", "shared"),
    [
        ({"host": "0.0.0.0"}, False),
        ({"name": ["games.example"]}, False),  # a proxy, which lets others in
        ({"host": "0.0.0.0", "share_records": True}, True),
    ],
)
def test_where_others_come_in_the_records_folder_is_shared_only_if_asked_for_and_answers_and_progress_never(
    options: dict[str, Any], shared: bool
) -> None:
    app = App(**options)
    Path("matches/mine.jsonl").write_text("")
    assert app.get("/api/files").json()["files"] == (["mine.jsonl"] if shared else [])
    answer = app.get("/api/files/mine.jsonl")
    assert answer.status_code == (200 if shared else 409)
    assert shared or "--share-records" in answer.json()["error"]
    forgotten = app.post("/api/puzzles/forget", {})
    assert app.get("/api/answers").status_code == forgotten.status_code == 409
    assert not app.get("/api/puzzles").json()["keeps"]


def test_scout_shows_the_cases_that_it_was_reminded_of_beside_the_position(server: Server) -> None:
    table, tokens = server.table("race", None, "random", seed=4)
    with server.joined(table, tokens["0"]) as player:
        shown = player.turn()
        while all("Explore" not in choice["text"] for choice in shown["choices"]):  # the discard comes first
            player.move(shown)
            shown = player.turn()
        player.send(type="think", agent="scout2")
        decision = player.next("decision")
    cases = decision["cases"]
    assert [case["distance"] for case in cases] == sorted(case["distance"] for case in cases)
    assert {case["means"] for case in cases} <= {choice["text"] for choice in shown["choices"]}
    for case in cases:
        features = {feature["name"]: feature for feature in case["features"]}
        assert len(features["player tableau"]["here"]) == 1, "the start world"
        compared = [feature["distance"] for feature in case["features"] if feature["distance"] is not None]
        assert compared == sorted(compared, reverse=True)
        exact = [feature for name, feature in features.items() if "policy network" not in name]  # not rounded
        assert all(f["distance"] == 0 for f in exact if f["distance"] is not None and f["here"] == f["there"])


def test_watchers_see_everything_where_only_agents_play(server: Server) -> None:
    table, _ = server.table("kuhn_poker", "random", "random", pace=30)
    with server.joined(table, None) as watcher:
        shown = watcher.next("table")
        if shown["status"] == "running":
            assert shown["open"]
            assert len(re.findall("Jack|Queen|King", shown["picture"])) >= 3
            watcher.send(type="look", seat=1)
            while shown["view"] != 1:
                shown = watcher.next("table")
            assert "?" in shown["text"]


def test_messages_are_declared_for_the_pages_as_they_are_for_the_server() -> None:
    assert page_types.DECLARED.read_text() == page_types.declarations(), "run python tests/page_types.py --write"


def test_finished_games_are_reviewed_and_running_ones_refused(server: Server) -> None:
    start = {"game": "connect_four", "seats": 2, "seed": 0, "options": {}}
    won = [3, 0, 3, 0, 3, 6, 0, 6, 3]  # the first seat leaves a win at move 7
    running = server.post("/api/review", {"start": start, "actions": won[:-1], "moves": [7]})
    assert running.status_code == 409
    assert "games are reviewed when they are finished" in running.json()["error"]
    (found,) = server.post("/api/review", {"start": start, "actions": won, "moves": [7], "explain": True}).json()[
        "decisions"
    ]
    assert (found["seat"], found["better"], found["mistake"]) == (0, "column 4", True)
    assert found["sentences"][0].startswith("Column 1 cost")
