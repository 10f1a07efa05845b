"""Everything a command needs is compiled once, before it starts; and Ctrl-C ends that too."""

from __future__ import annotations

import dataclasses
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numba
import numpy as np
import pytest

import boardwright as bw
from boardwright.errors import BadGame, BoardwrightError
from boardwright.executors import Threads
from boardwright.kernel import Unit, ready, rule
from boardwright.kernel.compile import compilations
from tests.conftest import start, wait_until

BOARDWRIGHT = [sys.executable, "-m", "boardwright"]


@pytest.fixture
def empty_cache(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that has compiled nothing, and may not once it is ready."""
    return {**os.environ, "BOARDWRIGHT_CACHE": str(tmp_path / "cache"), "BOARDWRIGHT_COMPILE": ready.AHEAD}


def run(arguments: list[str], env: dict[str, str], answers: str = "") -> subprocess.CompletedProcess[str]:
    finished = subprocess.run(
        [*BOARDWRIGHT, *arguments], env=env, input=answers, capture_output=True, text=True, check=False
    )
    assert finished.returncode in (0, 130), finished.stderr
    return finished


def test_a_match_compiles_nothing_after_its_start_and_everything_once(empty_cache: dict[str, str]) -> None:
    specs = ["flat:iterations=20", "random"]
    finished = run(["match", "kuhn_poker", *specs, "--games", "6", "--jobs", "2"], empty_cache)
    assert finished.stderr.count("compiling kuhn_poker") == 1
    assert finished.stderr.count("compiling search") == 1
    again = run(["match", "kuhn_poker", *specs, "--games", "6", "--jobs", "2"], empty_cache)
    assert "compiling" not in again.stderr


def test_a_hint_compiles_nothing(empty_cache: dict[str, str]) -> None:
    finished = run(["play", "kuhn_poker", "--vs", "optimal", "--seed", "1"], empty_cache, answers="?\n?\nq\n")
    assert "would choose" in finished.stdout


def test_hints_are_ready_for_the_table_that_is_played_at() -> None:
    whole = bw.game("race")
    for_two = dataclasses.replace(whole.learning, networks={2: whole.learning.networks[2]})
    race = dataclasses.replace(whole, learning=for_two)
    person = bw.agent("human", race, 0)
    person.check_seats(4)
    assert str(person.needs()) == str(bw.agent("ismcts:seconds=2", race, 0).needs())
    person.check_seats(2)
    assert str(person.needs()) == str(bw.agent("netsearch", race, 0).needs())


def test_what_an_agent_does_not_ask_for_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kuhn: bw.Game
) -> None:
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BOARDWRIGHT_COMPILE", ready.AHEAD)
    forgotten = Unit("tests", {"double": (lambda x: 2 * x, numba.types.int64(numba.types.int64))})
    with pytest.raises(BoardwrightError, match=r"tests\.double was not made ready"):
        _ = forgotten.entry_points
    ready.make_ready([lambda: forgotten])
    assert forgotten.entry_points["double"](21) == 42


@pytest.mark.parametrize("spec", ["uct", "flat", "ismcts", "maxn", "netsearch"])
def test_agents_ask_for_their_kernel(spec: str) -> None:
    """The kernel is one unit, the rules and playouts of the game are others."""
    game = bw.game("colonizers")
    groups = {make().group for make in bw.agent(spec, game, 0).needs()}
    assert groups == {"colonizers", "learn" if spec == "netsearch" else "search"}


def test_steps_of_progress_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))

    @rule
    def twice(x: int) -> int:
        return 2 * x

    unit = Unit("tests", {"four": (lambda x: twice(twice(x)), numba.types.int64(numba.types.int64))})
    steps: list[float] = []
    unit.make(steps.append)
    assert sum(steps) == pytest.approx(unit.size) == 2
    assert len(steps) > 2
    assert unit.entry_points["four"](3) == 12


def test_a_unit_that_was_compiled_is_loaded_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))

    def unit() -> Unit:
        return Unit("tests", {"next": (lambda x: x + 1, numba.types.int64(numba.types.int64))})

    before = len(compilations)
    assert unit().entry_points["next"](1) == unit().entry_points["next"](1) == 2
    assert compilations[before:] == ["tests.next"]


def test_functions_of_numba_work_as_ever_beside_rules() -> None:
    """Numba keeps what it compiles for `sum` in one place for all; rules leave it there without machine code."""

    def total(values: np.ndarray) -> float:
        return values.sum()

    kind = numba.types.float64(numba.types.float64[::1])
    by_unit = Unit("tests", {"total": (total, kind)}).entry_points["total"]
    by_numba = numba.njit(lambda values: values.sum() + 1.0)
    assert by_unit(np.ones(3)) == 3.0
    assert by_numba(np.ones(3)) == 4.0


def test_what_cannot_be_compiled_is_said_in_one_error(tmp_path: Path, empty_cache: dict[str, str]) -> None:
    source = (Path(__file__).parent / "games" / "pennies.py").read_text()
    wrong = tmp_path / "wrong.py"
    wrong.write_text(source.replace("def player(s", "def player(s, surplus"))
    process = subprocess.run(
        [*BOARDWRIGHT, "match", str(wrong), "random", "random"], env=empty_cache, capture_output=True, text=True
    )
    assert process.returncode == 1
    assert "cannot be compiled" in process.stderr
    assert "Traceback" not in process.stderr


def interrupt(process: subprocess.Popen[str], after: str) -> None:
    """Press Ctrl-C a second after the process has said something: it ends, though its work would go on."""
    assert process.stderr is not None
    for line in process.stderr:
        if after in line:
            break
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 130


def test_interrupt_ends_compiling(empty_cache: dict[str, str]) -> None:
    process = start([*BOARDWRIGHT, "match", "race", "random", "random"], env=empty_cache)
    interrupt(process, after="compiling race")
    assert not any(Path(empty_cache["BOARDWRIGHT_CACHE"]).glob("race.*"))


def test_interrupt_ends_a_rule_without_end(tmp_path: Path, empty_cache: dict[str, str]) -> None:
    source = (Path(__file__).parent / "games" / "pennies.py").read_text()
    lines = source.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("def setup"))
    while not lines[place].rstrip().endswith(":"):
        place += 1
    lines.insert(place + 1, "    while seats > 0:\n        seats += 0")
    endless = tmp_path / "endless.py"
    endless.write_text("\n".join(lines))
    code = f"""
import sys
import boardwright as bw
from boardwright.ctrl_c import heeded_soon

game = bw.game({str(endless)!r})
game.entries.unit("rules").make()
print("ready", file=sys.stderr, flush=True)
with heeded_soon():
    game.new(seed=1)
"""
    interrupt(start([sys.executable, "-c", code], env=empty_cache), after="ready")


def test_threads_stop_when_nobody_listens() -> None:
    awake: list[int] = []
    alarm, before = threading.Event(), threading.active_count()

    def nap(number: int) -> int:
        if number:
            alarm.wait(300)
        awake.append(number)
        return number

    results = Threads(2).run(nap, range(100))
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert awake == [0], "nobody waits for those that are at work"
    alarm.set()
    wait_until(lambda: threading.active_count() == before)
    assert len(awake) < 10


def test_threads_give_every_result_and_every_error() -> None:
    assert sorted(Threads(3).run(lambda x: x * x, range(20))) == [x * x for x in range(20)]

    def fail(number: int) -> int:
        raise BadGame(f"no {number}")

    with pytest.raises(BadGame, match="no 0"):
        list(Threads(1).run(fail, range(3)))


def test_a_compiling_process_ends_with_the_one_that_asked() -> None:
    """However that one ends: all that is left of it is a pipe that closes."""
    process = ready._start()
    ready._request(process, pickle.dumps((partial(time.sleep, 1000), "a unit's file")))
    assert process.stdin is not None
    process.stdin.close()
    try:
        assert process.wait(60) != 0
    finally:
        process.kill()


def test_units_of_one_game_go_to_the_process_that_has_begun_with_it() -> None:
    """Unless that one is busy and the other has nothing else to do."""
    race = [(9, "race", b"race 2"), (20, "race", b"race 1"), (5, "race", b"race 3")]
    lords = [(10, "lords", b"lords 1"), (8, "lords", b"lords 2")]
    parts = ready._Queue([*race, *lords])
    assert [parts.take(worker) for worker in (0, 1)] == [b"race 1", b"lords 1"]
    assert [parts.take(1), parts.take(0), parts.take(1)] == [b"lords 2", b"race 2", b"race 3"]
    assert parts.take(0) is parts.take(1) is None
