"""A match on a cluster whose only worker is on a node with files of its own; run by test_ray.py.

The node runs where the folder of the match is another, empty one (`unshare -m`). Prints "identical" if the games are
those at home: with a game, an agent, and a program that must be executable; then again with the agent edited. The
program's log must be here.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import ray

from boardwright.arena.match import Match
from boardwright.arena.record import first_games, read_records
from boardwright.arena.runner import run_match
from boardwright.executors import InProcess
from boardwright.ray_executor import OnRay
from tests.conftest import DICE_RACE

GAMES = 4
AGENT = """
from boardwright import Agent, Decision

class Last(Agent):
    def decide(self, observation):
        return Decision(observation.legal_actions()[-1])
"""
PROGRAM = f"""#!{sys.executable}
import json, sys
print("here is the log", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready", "protocol": 1, "name": "first"}}), flush=True)
    elif message["type"] == "decide":
        print(json.dumps({{"type": "action", "action": message["legal"][0]["action"]}}), flush=True)
"""


def write_files() -> None:
    Path("bots").mkdir()
    Path("bots/race.py").write_text(DICE_RACE.read_text())
    Path("bots/last.py").write_text(AGENT)
    Path("bots/beside").mkdir()
    Path("bots/beside/__init__.py").write_text("")
    Path("bots/program").write_text(PROGRAM)
    Path("bots/program").chmod(0o755)


def play(name: str, executor: Any) -> None:
    match = Match("bots/race.py", ("bots/last.py", "script:bots/program"), seed=3, on_failure="stop")
    run_match(match, GAMES, file=Path(name), executor=executor)


def lines_of(name: str) -> list[str]:
    return [record.line() for record in first_games(read_records(Path(name)), GAMES)]


def ray_command() -> str:
    return str(Path(sys.executable).parent / "ray")


def start_head(port: int) -> subprocess.Popen[bytes]:
    command = [
        ray_command(),
        "start",
        "--head",
        f"--port={port}",
        "--num-cpus=0",
        "--include-dashboard=false",
        "--block",
    ]
    return subprocess.Popen([*command, "--disable-usage-stats"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def start_node(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """A node to which the folder is another one."""
    script = 'mount -t tmpfs tmpfs "$1" && cd / && exec "$2" start --address=127.0.0.1:"$3" --num-cpus=1 --block'
    command = ["unshare", "-m", "sh", "-c", script, "sh", str(folder), ray_command(), str(port)]
    environment = {**os.environ, "BOARDWRIGHT_CACHE": str(folder / "cache")}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def at_home(name: str) -> list[str]:
    """In another process, which has not imported anything that was edited since."""
    subprocess.run([sys.executable, "-m", "tests.ray_own_files", "--home", name], check=True)
    return lines_of(name)


def wait_for(ready: Any, *processes: subprocess.Popen[bytes]) -> None:
    while not ready():
        assert all(process.poll() is None for process in processes), "a node did not start"
        time.sleep(0.5)


def main(port: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        write_files()
        started = [start_head(port)]
        try:
            executor = OnRay(f"127.0.0.1:{port}")
            wait_for(lambda: answers(port), *started)
            started.append(start_node(port, Path(name)))
            executor._connect()
            wait_for(lambda: ray.cluster_resources().get("CPU", 0) >= 1, *started)
            play("away.jsonl", executor)
            assert "here is the log" in Path("script-logs/program.log").read_text()
            assert lines_of("away.jsonl") == at_home("home.jsonl")
            Path("bots/last.py").write_text(AGENT.replace("[-1]", "[0]"))
            play("edited.jsonl", executor)
            assert lines_of("edited.jsonl") != lines_of("away.jsonl"), "the edited file was not sent"
            assert lines_of("edited.jsonl") == at_home("edited-home.jsonl")
            print("identical")
        finally:
            ray.shutdown()
            for process in reversed(started):
                process.terminate()
                process.wait(60)
            os.chdir("/")


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


if __name__ == "__main__":
    if sys.argv[1:2] == ["--home"]:
        play(sys.argv[2], InProcess())
    else:
        main(int(sys.argv[1]))
