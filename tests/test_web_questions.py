"""Questions after a game, and tables at which nobody is told who the agents are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardwright.errors import AgentFailed
from boardwright.web.store import FAILED, RUNNING, Saved, Seat, Setup, Store
from boardwright.web.table import Table
from tests.web_server import ONE_WORKER, Server, run_async


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("asking"), *ONE_WORKER, "--ask")
    yield server
    server.stop()
    assert "Traceback" not in server.errors(), server.errors()


def test_a_blind_table_tells_nobody_who_plays_before_the_questions_are_answered(asking: Server) -> None:
    table, tokens = asking.table("connect_four", None, "flat:iterations=20", seed=1, blind=True)
    with asking.joined(table, tokens["0"]) as player:
        shown = player.turn()
        player.send(type="answers", strength=3)
        assert "nobody asks that now" in player.next("refused", 60)["reason"]
        while shown["status"] == "running":
            player.move(shown)
            shown = player.turn()
        assert (shown["asks"], shown["blind"]) == (True, True)
        assert asking.get(f"/api/tables/{table}/record").status_code == 400
        told = "".join(map(json.dumps, player.frames)) + asking.get(f"/api/tables/{table}").text
        assert "flat" not in told + asking.get("/api/tables").text + asking.get(f"/api/tables/{table}/game").text
        player.send(type="answers", strength=3, fun=9)
        assert "fun" in player.next("refused", 60)["reason"]
        player.send(type="answers", strength=3, style="wild <b>")
        shown = player.next("table", 60)
        assert (shown["asks"], shown["blind"], shown["seats"][1]["name"]) == (False, False, "flat 2")
        player.send(type="answers", strength=1)
        assert "answered already" in player.next("refused", 60)["reason"]
    (given,) = [json.loads(line) for line in asking.get("/api/answers").text.splitlines()]
    assert (given["strength"], given["fun"], given["style"]) == (3, None, "wild <b>")
    assert given["agents"] == ["human", "flat:iterations=20"]
    asking.kill()
    asking.start()
    with asking.joined(table, tokens["0"]) as player:
        assert not player.next("table", 60)["asks"], "it is kept that the questions are answered"


def test_nobody_is_asked_unless_the_server_was_started_so(server: Server) -> None:
    table, tokens = server.table("connect_four", None, "random", seed=1, blind=True)
    with server.joined(table, tokens["0"]) as player:
        assert player.turn()["seats"][1] | {"here": False} == {
            **player.frames[-1]["seats"][1], "name": "opponent 2", "agent": "", "here": False
        }  # fmt: skip
        player.send(type="resign")
        shown = player.next("table", 60)
        assert (shown["asks"], shown["blind"], shown["seats"][1]["agent"]) == (False, False, "random")


class FailingWorkers:
    """In which every agent fails."""

    async def run(self, job: object, **_: object) -> object:
        raise AgentFailed("flat.py, line 3: no such bandit")

    def forget(self, table: str) -> bool:
        return False


@pytest.mark.parametrize("blind", [True, False])
def test_an_agent_that_fails_at_a_blind_table_is_not_named_by_its_error(blind: bool, tmp_path: Path) -> None:
    hidden = Seat("opponent 1", "flat", real_name="flat 1") if blind else Seat("flat 1", "flat")
    setup = Setup("t", "connect_four", {}, 5, (hidden, Seat("person", token_digest="x")), 0.0, None, 0, blind=blind)
    store = Store(tmp_path / "tables.sqlite")
    store.add(setup, [], [0.0, 0.0])

    async def play() -> str:
        table = Table(Saved(setup, RUNNING, "", [0.0, 0.0], [], 0.0), store, FailingWorkers())  # type: ignore[arg-type]
        table.go_on()
        for _ in range(100):
            await asyncio.sleep(0)
        assert table.status == FAILED
        return table.note

    note = run_async(play())
    store.close()
    assert note == ("opponent 1 failed" if blind else "flat 1 failed: flat.py, line 3: no such bandit")
