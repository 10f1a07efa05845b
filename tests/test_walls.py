"""Walls: Python agents in processes of their own, and sandboxes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

import boardwright as bw
from boardwright import registry
from boardwright.arena.match import Match
from boardwright.arena.record import read_records
from boardwright.arena.runner import run_match
from boardwright.errors import BadSpec
from boardwright.files import seeds_folder
from boardwright.scripts.process import end_idle
from boardwright.scripts.sandbox import in_sandbox
from tests.script_games import Left, write_bot
from tests.script_games import left as left  # a fixture

FILE = Path("games.jsonl")

DIARY = """
from boardwright.agents.random import Random
class Diary(Random):
    def note(self, *what):
        print("hear, hear")  # does not disturb the conversation
        with open({file!r}, "a") as out:
            print(self.seat, self.seed, sorted(self.game_options.items()), *what, file=out)
    def start_game(self, observation): self.note("start", observation.to_dict())
    def observe_action(self, *seen): self.note("observe", seen[:2], seen[2].to_dict())
    def decide(self, observation):
        self.note("decide", observation.to_dict(), observation.legal_actions())
        return super().decide(observation)
    def end_game(self, observation, returns, scores): self.note("end", observation.to_dict(), returns, scores)
    def close(self): self.note("close")
"""


@pytest.mark.parametrize("game", ["kuhn_poker", "connect_four", "colonizers"])
def test_an_isolated_agent_lives_as_it_would_in_this_process(game: str, left: Left) -> None:
    """The same calls with the same observations, and so the same games."""
    played, diaries = [], []
    for spec in ("diary.py", "isolated:diary.py"):
        diary = Path(f"{spec.partition(':')[0]}.txt")
        Path("diary.py").write_text(DIARY.format(file=str(diary.absolute())))
        registry._module_from_file.cache_clear()
        others = ["random"] * (bw.game(game).seats[0] - 1)
        match = Match(game, (spec, *others), seed=6)
        played.append([match.play(index).actions for index in range(2)])
        end_idle()
        diaries.append(diary.read_text().splitlines())
    assert played[0] == played[1]
    assert diaries[0] == diaries[1]
    left.nothing()


def test_isolated_search_plays_the_same_games(left: Left) -> None:
    for game, spec in (("connect_four", "uct:iterations=30"), ("kuhn_poker", "ismcts:iterations=30")):
        own = bw.match(game, spec, "random", games=3, seed=2).records
        behind = bw.match(game, f"isolated:{spec}", "random", games=3, seed=2).records
        assert [record.actions for record in own] == [record.actions for record in behind]
    left.nothing()


def test_errors_of_isolated_agents_name_their_line(left: Left) -> None:
    Path("broken.py").write_text(
        "from boardwright import Agent\nclass Broken(Agent):\n    def decide(self, observation): return 1 / 0\n"
    )
    record = Match("kuhn_poker", ("isolated:broken.py", "random")).play(0)
    assert record.forfeit is not None
    assert record.forfeit.reason.startswith("broken.py, line 3, in decide: ZeroDivisionError: division by zero")
    end_idle()
    left.nothing()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("isolated", "needs the spec of another"),
        ("isolated:human", "sits at the terminal"),
        ("isolated:nothing.py", "is not ready: there is no file nothing.py"),
        ("isolated:uct:iterations=many", "iterations='many'"),
    ],
)
def test_what_cannot_be_isolated_is_refused_before_the_first_game(spec: str, complaint: str, left: Left) -> None:
    with pytest.raises(BadSpec, match=complaint):
        Match("connect_four", (spec, "random")).check()
    end_idle()
    left.nothing()


def sandboxes_work() -> bool:
    """Whether bubblewrap is here and may do its work."""
    if shutil.which("bwrap") is None:
        return False
    tried = subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], capture_output=True, check=False)
    return tried.returncode == 0


ATTEMPTS = {
    "write here": "open('written', 'w')",
    "write elsewhere": "open('/var/tmp/written', 'w')",
    "use the network": "__import__('socket').create_connection(('127.0.0.1', {port}), 2)",
    "see other processes": "os.stat('/proc/{host}/status')",
    "read hidden seeds": "os.listdir({seeds!r})[0]",
    "read variables": "os.environ['SECRET']",
}


def test_a_sandbox_is_refused_clearly_or_holds(left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each attempt works without a sandbox, and fails in one."""
    monkeypatch.setenv("SECRET", "1")
    seeds_folder().mkdir(parents=True)
    (seeds_folder() / "hidden").write_text("7")
    with socket.create_server(("127.0.0.1", 0)) as server:
        known = {"port": server.getsockname()[1], "host": os.getpid(), "seeds": str(seeds_folder())}
        tries = [f"attempt({name!r}, lambda: {code.format(**known)})" for name, code in ATTEMPTS.items()]
        spec = write_bot(decide=f"done = []; {'; '.join(tries)}; play(message, summary=', '.join(done))")
        text = Path("bot.py").read_text()
        helper = "def attempt(name, code):\n    try: code(); done.append(name)\n    except Exception: pass\n"
        Path("bot.py").write_text(helper + text)
        outside = summary_of(spec)
        assert set(outside.split(", ")) == set(ATTEMPTS)
        if not sandboxes_work():
            with pytest.raises(BadSpec, match=r"needs bubblewrap|is not ready"):
                Match("connect_four", (in_sandbox(spec), "random")).check()
            return
        assert summary_of(in_sandbox(spec)) == ""
    left.nothing()


def summary_of(spec: str) -> str:
    """What the bot says of its first decision."""
    game = bw.game("connect_four")
    agent = bw.agent(spec, game, 0)
    try:
        return agent.decide(game.new(seed=1).observation(0)).summary
    finally:
        agent.close()
        end_idle()


def test_an_isolated_agent_plays_in_a_sandbox(left: Left) -> None:
    if not sandboxes_work():  # the test before has seen the refusal
        return
    spec = in_sandbox("isolated:uct:iterations=20")
    run_match(Match("connect_four", (spec, "random"), seed=1), 2, file=FILE)
    assert all(record.forfeit is None for record in read_records(FILE))
    left.nothing()


def test_without_bubblewrap_a_sandbox_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BadSpec, match=r"--sandbox needs bubblewrap, which is not installed here \(on Debian:"):
        in_sandbox("script:./bot.py")


def test_a_sandbox_is_not_for_agents_of_others_in_this_process() -> None:
    assert in_sandbox("uct:iterations=5") == "uct:iterations=5"
    with pytest.raises(BadSpec, match=r"mine\.py runs in this process; .*isolated:\(mine\.py:depth=2\)"):
        in_sandbox("mine.py:depth=2")
