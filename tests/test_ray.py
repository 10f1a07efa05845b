"""Work on Ray gives what it gives at home, also where workers and nodes die in the middle of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.record import first_games, read_records
from boardwright.arena.runner import MatchListener, run_match
from boardwright.errors import AgentFailed, BadSpec, MissingExtra
from boardwright.executors import InProcess, WorkerDied
from tests.conftest import DICE_RACE, start, wait_until

GAMES = 40


def test_without_ray_the_option_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from boardwright.ray_executor import OnRay

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"Ray is not installed; pip install 'boardwright\[ray\]'"):
        OnRay()


@pytest.mark.parametrize("on", ["ray:", "slurm", "slurm:here"])
def test_other_places_are_refused(on: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "boardwright", "match", "kuhn_poker", "random", "random", "--on", on],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert f"--on {on}: it is ray, or ray:ADDRESS" in told.stderr


def test_other_places_are_refused_from_python() -> None:
    with pytest.raises(BadSpec, match="it is ray, or ray:ADDRESS"):
        bw.match("kuhn_poker", "random", "random", on="slurm")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    module = pytest.importorskip("ray")
    yield module
    module.shutdown()


def test_results_from_python_are_the_same_on_ray(ray: Any) -> None:
    home = bw.match("kuhn_poker", "random", "random", games=GAMES, seed=3)
    there = bw.match("kuhn_poker", "random", "random", games=GAMES, seed=3, on="ray", jobs=2)
    assert [record.actions for record in there.records] == [record.actions for record in home.records]


def test_all_tables_of_a_ladder_are_played_at_once(ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the ratings are those of tables played one after the other."""
    from boardwright.ray_executor import OnRay

    all_three = threading.Barrier(3, timeout=300)  # seconds; a table that is waited for in vain fails the test
    true_run = OnRay.run

    def run(self: OnRay, function: Any, items: Any) -> Any:
        all_three.wait()
        yield from true_run(self, function, items)

    monkeypatch.setattr(OnRay, "run", run)
    specs = ["random", "uct:iterations=5", "uct:iterations=20"]
    there = bw.ladder("connect_four", *specs, games=12, seed=3, on="ray", jobs=2)
    home = bw.ladder("connect_four", *specs, games=12, seed=3)
    assert [rating.elo for rating in there.ratings] == [rating.elo for rating in home.ratings]


@pytest.fixture
def on_ray(ray: Any) -> Any:
    from boardwright.ray_executor import OnRay

    return OnRay(workers=2)


def played(executor: Any, match: Match, file: str, games: int = GAMES, **settings: Any) -> tuple[Any, list[str]]:
    outcome = run_match(match, games, file=Path(file), executor=executor, **settings)
    records = read_records(Path(file))
    assert sorted(record.index for record in records) == list(range(games)), "each game once"
    return outcome, [record.line() for record in first_games(records, games)]


def test_a_match_on_ray_is_the_match_at_home(on_ray: Any) -> None:
    match = Match("connect_four", ("uct:iterations=30", "random"), seed=5)
    home, lines = played(InProcess(), match, "home.jsonl")
    away, lines_away = played(on_ray, match, "away.jsonl")
    assert lines == lines_away
    assert home.standings == away.standings


def test_files_reach_the_workers(on_ray: Any) -> None:
    """A game, an agent and a network that specs name by relative paths."""
    Path("folder").mkdir()
    Path("folder/race.py").write_text(DICE_RACE.read_text())
    Path("folder/last.py").write_text(
        "from boardwright import Agent, Decision\n"
        "class Last(Agent):\n"
        "    def decide(self, observation):\n"
        "        return Decision(observation.legal_actions()[-1])\n"
    )
    match = Match("folder/race.py", ("folder/last.py", "random"), seed=1)
    _, lines = played(InProcess(), match, "home.jsonl", 10)
    _, lines_away = played(on_ray, match, "away.jsonl", 10)
    assert lines == lines_away


class Reads:
    """Work that reads a file by a relative name."""

    def files(self) -> list[str]:
        return ["folder/word.txt"]

    def __call__(self, times: int) -> str:
        return Path("folder/word.txt").read_text() * times


def test_files_are_put_where_they_are_missing_and_never_replace_others(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their bits; an edited one takes the place of the one that was sent before."""
    from boardwright.ray_executor import _packed, _unpack

    monkeypatch.setenv("BOARDWRIGHT_CACHE", str(tmp_path / "cache"))
    Path("folder").mkdir()
    Path("folder/word.txt").write_text("ha")
    Path("folder/word.txt").chmod(0o750)
    edited = _packed(Reads()).content
    Path("folder/word.txt").write_text("ho")
    packed = _packed(Reads()).content
    Path("folder/word.txt").unlink()
    Path("folder").rmdir()
    assert _unpack(packed)(2) == "hoho"
    assert Path("folder/word.txt").stat().st_mode & 0o777 == 0o750
    assert _unpack(edited)(2) == "haha"
    Path("folder/word.txt").write_text("another")
    with pytest.raises(BadSpec, match=r"word\.txt is another file on"):
        _unpack(packed)


def test_one_worker_of_a_node_compiles_for_all(ray: Any, tmp_path: Path) -> None:
    """Two workers that start at the same time on a node whose cache is empty."""
    from boardwright.ray_executor import _packed

    Path("packed").write_bytes(_packed(Match("kuhn_poker", ("random", "random")).play).content)
    script = "from pathlib import Path\nfrom boardwright.ray_executor import _unpack\n"
    script += "print(_unpack(Path('packed').read_bytes())(0).index)"
    environment = {**os.environ, "BOARDWRIGHT_CACHE": str(tmp_path / "cache")}
    workers = [start([sys.executable, "-c", script], env=environment) for _ in range(2)]
    told = [worker.communicate(timeout=200) for worker in workers]
    assert [out for out, _ in told] == ["0\n", "0\n"], told
    assert sum("compiling kuhn_poker" in error for _, error in told) == 1


def test_an_agent_that_fails_is_named_and_finished_games_are_kept(on_ray: Any) -> None:
    Path("bad.py").write_text(
        "from boardwright import Agent, Decision\n"
        "class Bad(Agent):\n"
        "    def decide(self, observation):\n"
        "        raise RuntimeError('no idea')\n"
    )
    with pytest.raises(AgentFailed, match=r"bad\.py failed .*no idea.*finished games are kept"):
        run_match(Match("kuhn_poker", ("bad.py", "random")), 20, file=Path("bad.jsonl"), executor=on_ray)


def test_generations_of_training_are_the_same(on_ray: Any, tmp_path: Path) -> None:
    from boardwright.learn.config import TrainingConfig
    from boardwright.learn.training import Training

    game = bw.game("connect_four")
    config = TrainingConfig(game="connect_four", seats=2, games=16, seed=3, determinizations=1, generation_size=8)
    weights = []
    for executor in (InProcess(), on_ray):
        training = Training.begin(config, game, "random")
        while not training.finished:
            training.advance(executor)
        weights.append(training.optimizer.weights)
    for home, away in zip(*weights, strict=True):
        assert np.array_equal(home, away)


@pytest.mark.slow
def test_a_run_of_scout_on_ray_is_the_run_at_home(on_ray: Any) -> None:
    from boardwright.scout.run import Beginning, Plan, play_run, wins_by_era

    plan, home, away = Plan("", "heuristic", 5, 6), Path("home.db"), Path("away.db")
    assert play_run(home, plan, 8, beginning=Beginning(games=15))
    assert play_run(away, plan, 8, beginning=Beginning(games=15), record=Path("away.jsonl"), executor=on_ray)
    assert wins_by_era(home) == wins_by_era(away)
    assert [record.index for record in read_records(Path("away.jsonl"))] == list(range(8))


class AfterSome(MatchListener):
    """Does something once, when some games are over."""

    def __init__(self, games: int, action: Any) -> None:
        self.games, self.action = games, action

    def finished_game(self, record: Any, standings: Any) -> None:
        if standings.games == self.games:
            self.action()


def worker_pids(ray: Any) -> set[int]:
    """Processes of this machine that work for Ray, as they call themselves."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            title = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::") and b"_work" in title:
            found.add(int(folder.name))
    return found


def test_a_killed_worker_costs_no_game(on_ray: Any, ray: Any) -> None:
    killed = []

    def kill_one() -> None:
        wait_until(lambda: bool(worker_pids(ray)))
        pid = next(iter(worker_pids(ray)))
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    match = Match("connect_four", ("uct:iterations=3000", "uct:iterations=2000"), seed=9)
    _, lines = played(InProcess(), match, "home.jsonl", 24)
    _, lines_away = played(on_ray, match, "away.jsonl", 24, listeners=[AfterSome(4, kill_one)])
    assert killed
    assert lines == lines_away


def test_work_that_kills_every_worker_is_given_up(on_ray: Any) -> None:
    match = Match("kuhn_poker", ("random", "random"))
    with pytest.raises(WorkerDied, match="died 4 times"):
        list(on_ray.run(os._exit, [3]))
    assert len(list(on_ray.run(match.play, range(3)))) == 3, "Ray goes on"


def test_ctrl_c_stops_a_run_that_resume_completes(ray: Any) -> None:
    command = [
        sys.executable,
        "-m",
        "boardwright",
        "match",
        "connect_four",
        "uct:iterations=3000",
        "uct:iterations=2000",
    ]
    command += ["--games", "30", "--seed", "4", "--record", "games.jsonl", "--on", "ray", "--jobs", "2"]
    process = start(command)
    file = Path("games.jsonl")
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") >= 3)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=30)
    assert process.returncode == 130, told
    kept = len(read_records(file))
    assert 3 <= kept < 30
    resumed = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=True, timeout=200)
    assert f"{kept} games kept" in resumed.stdout
    assert sorted(record.index for record in read_records(file)) == list(range(30))


def test_folders_and_modules_beside_a_file_travel(ray: Any) -> None:
    from boardwright.ray_executor import _files_of

    for name in ("bots/agent.py", "bots/beside.py", "bots/package/__init__.py", "bots/notes.txt", "data/deep/word.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(name)
    Path("data/empty").mkdir()
    here = Path.cwd().resolve()
    found = {str(Path(name).relative_to(here)): file for name, file in _files_of(["bots/agent.py", "data"]).items()}
    python = {"bots/agent.py", "bots/beside.py", "bots/package", "bots/package/__init__.py"}
    assert set(found) == python | {"data", "data/deep", "data/deep/word.txt", "data/empty"}
    assert found["data/empty"].content is None
    assert found["data/deep/word.txt"].content == b"data/deep/word.txt"


@pytest.mark.parametrize("on", ["ray://10.0.0.5:10001", "ray:ray://10.0.0.5:10001"])
def test_servers_for_rays_clients_are_refused_with_a_sentence(on: str) -> None:
    with pytest.raises(BadSpec, match="a server for Ray's clients; on a machine of the cluster give"):
        bw.match("kuhn_poker", "random", "random", on=on)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own is mounted by root")
def test_a_node_with_files_of_its_own_plays_the_same_games() -> None:
    pytest.importorskip("ray")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = subprocess.run(
        [sys.executable, "-m", "tests.ray_own_files", str(port)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},  # read when ray is imported; else a token of this user counts
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "identical" in told.stdout


@pytest.mark.slow
def test_a_node_that_dies_costs_no_game() -> None:
    """A cluster of two nodes on this machine; one is taken away in the middle."""
    pytest.importorskip("ray")
    told = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "ray_two_nodes.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "identical" in told.stdout


def test_a_cluster_that_is_not_there_is_said(ray: Any) -> None:
    from boardwright.ray_executor import OnRay

    ray.shutdown()
    began = time.monotonic()
    with pytest.raises(BadSpec, match=r"--on ray:127\.0\.0\.1:1: no cluster answers there"):
        list(OnRay("127.0.0.1:1").run(abs, [1]))
    assert time.monotonic() - began < 60
