"""Agents that crash, leave or hang on: one line says so, finished games are kept, and the process ends."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardwright.arena.match import Match
from boardwright.arena.record import read_records
from boardwright.cli import main
from boardwright.errors import AgentFailed, BadSpec

AGENT = """
import ctypes, os, signal, threading, time
from boardwright import Agent, Decision

class Hostile(Agent):
    moves = 0

    def {where}(self, *arguments):
        Hostile.moves += 1
        if Hostile.moves > {after}:
            {what}
        return Decision(arguments[0].legal_actions()[0]) if arguments else None
"""
FOREVER = "threading.Thread(target=time.sleep, args=(600,), name='dreamer').start()"


def write_agent(what: str, where: str = "decide", after: int = 60) -> Path:
    file = Path("hostile.py").resolve()
    text = AGENT.format(what=what, where=where, after=after)
    if where != "decide":
        text += "\n    def decide(self, observation):\n        return Decision(observation.legal_actions()[0])\n"
    file.write_text(text)
    return file


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The line on stderr, and nothing else there."""
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    assert leaving.value.code == 1
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
    return line


DEEDS = {
    "os._exit(0)": "ended itself with exit code 0 (as os._exit does) in ",
    "os._exit(3)": "ended itself with exit code 3 (as os._exit does) in ",
    "os.kill(os.getpid(), signal.SIGSEGV)": "ended by SIGSEGV (a crash in compiled code) in ",
    "os.kill(os.getpid(), signal.SIGKILL)": "ended by SIGKILL (killed, or out of memory) in ",
    "raise BaseException('enough')": "BaseException: enough",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    FOREVER: "a thread was left running (dreamer); end it in close(), or make it a daemon",
}
"""What an agent does, and what is said of it."""
ALSO_WITH_JOBS = ("os._exit(3)", "raise KeyboardInterrupt", FOREVER)
"""Deeds that the quick suite looks at in two processes too: one of each kind."""


def deeds() -> Iterator[Any]:
    for (what, said), jobs in itertools.product(DEEDS.items(), ("1", "2")):
        is_quick = jobs == "1" or what in ALSO_WITH_JOBS
        yield pytest.param(what, said, jobs, marks=() if is_quick else pytest.mark.slow)


@pytest.mark.parametrize(("what", "said", "jobs"), list(deeds()))
def test_what_an_agent_does_is_one_line(capsys: pytest.CaptureFixture[str], what: str, said: str, jobs: str) -> None:
    agent = write_agent(what)
    arguments = ("connect_four", str(agent), "random", "-n", "400", "--record", "games.jsonl", "--jobs", jobs)
    line = complaint(capsys, "match", *arguments)
    assert line.startswith("boardwright: ")
    assert said in line
    kept = len(read_records(Path("games.jsonl")))
    assert f"{kept} finished games are kept in games.jsonl, --resume goes on after them" in line


@pytest.mark.parametrize("where", ["start_game", "observe_action", "end_game", "close"])
def test_errors_anywhere_in_its_life_are_its_own(where: str) -> None:
    agent = write_agent("raise ValueError('broken')", where, after=0)
    with pytest.raises(AgentFailed, match=r"hostile\.py failed as .*ValueError: broken"):
        Match("connect_four", (str(agent), "random")).play(0)


@pytest.mark.parametrize("what", ["class Stop(BaseException): pass\n            raise Stop", "raise GeneratorExit"])
def test_what_cannot_be_made_is_named(what: str) -> None:
    agent = write_agent(what, "prepare", after=0)
    with pytest.raises(BadSpec, match=r"hostile\.py' cannot be made: .*in prepare: (Stop|GeneratorExit)"):
        Match("connect_four", (str(agent), "random")).check()


def test_a_file_that_cannot_be_loaded_is_named() -> None:
    Path("unloadable.py").write_text("raise BaseException('no')")
    with pytest.raises(BadSpec, match=r"unloadable\.py cannot be loaded: .*BaseException: no"):
        Match("connect_four", ("unloadable.py", "random")).check()


def test_agents_are_closed_after_the_check() -> None:
    """What an agent has opened in `prepare` is given back before the first game."""
    file = Path("tidy.py")
    file.write_text(
        "from boardwright.agents.random import Random\n"
        "class Tidy(Random):\n"
        "    open = 0\n"
        "    def prepare(self): Tidy.open += 1\n"
        "    def close(self): Tidy.open -= 1\n"
    )
    match = Match("connect_four", (str(file), str(file)))
    match.check()
    from boardwright.registry import agent_class

    assert vars(agent_class(str(file), match.game))["open"] == 0


def test_a_thread_left_by_a_command_does_not_keep_it_from_ending() -> None:
    """`explain` asks an agent in this very process."""
    agent = write_agent(FOREVER, after=0)
    done = subprocess.run(
        [sys.executable, "-m", "boardwright", "explain", "connect_four", str(agent)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "threads were left running and are ended with the program: dreamer" in done.stderr
