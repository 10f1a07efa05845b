"""Walls: Python agents in processes of their own, and sandboxes."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import boardwright as bw
from boardwright import registry
from boardwright.arena.match import Match
from boardwright.arena.record import read_records
from boardwright.arena.runner import run_match
from boardwright.errors import BadSpec
from boardwright.files import TABLES, seeds_folder
from boardwright.scripts import seccomp
from boardwright.scripts.process import ScriptFailed, end_idle
from boardwright.scripts.sandbox import in_sandbox
from boardwright.scripts.warden import NO_GROUPS, Account, Group, Watch, waiting_in
from tests.conftest import DICE_RACE
from tests.script_games import Left, sandboxes_work, write_bot
from tests.script_games import left as left  # a fixture

FILE = Path("games.jsonl")
HOSTILE = Path(__file__).parent / "scripts" / "hostile.c"

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


sandboxed = pytest.mark.skipif(not sandboxes_work(), reason="NO BUBBLEWRAP: it is not installed here, or may not work")

ATTEMPTS = {
    "write here": "open('written', 'w')",
    "write elsewhere": "open('/var/tmp/written', 'w')",
    "use the network": "__import__('socket').create_connection(('127.0.0.1', {port}), 2)",
    "use a UNIX socket": "(s := __import__('socket')).socket(s.AF_UNIX).connect('outside.socket')",
    "use an abstract socket": "(s := __import__('socket')).socket(s.AF_UNIX).connect({abstract!r})",
    "see other processes": "os.stat('/proc/{host}/status')",
    "read hidden seeds": "os.listdir({seeds!r})[0]",
    "read the page's tables": "open('tables.sqlite').read()[0]",
    "read what was just written to them": "open('tables.sqlite-wal').read()[0]",
    "read variables": "os.environ['SECRET']",
    "read those of the process that started it": "open(f'/proc/{{os.getppid()}}/environ').read().index('SECRET=')",
    "change settings of the kernel": "os.open({setting!r}, os.O_WRONLY)",
}


@sandboxed
def test_a_sandbox_holds(left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each attempt works without a sandbox, and fails in one."""
    monkeypatch.setenv("SECRET", "1")
    seeds_folder().mkdir(parents=True)
    (seeds_folder() / "hidden").write_text("7")
    monkeypatch.setenv(TABLES, os.path.abspath("tables.sqlite"))
    for name in ("tables.sqlite", "tables.sqlite-wal"):
        Path(name).write_text("7")
    abstract = f"\0boardwright {os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server("outside.socket", family=socket.AF_UNIX),
        socket.create_server(abstract, family=socket.AF_UNIX),
    ):
        known = {
            "port": server.getsockname()[1],
            "host": os.getpid(),
            "seeds": str(seeds_folder()),
            "abstract": abstract,
            "setting": "/proc/sys/kernel/core_pattern" if os.geteuid() == 0 else "/proc/self/comm",
        }
        tries = [f"attempt({name!r}, lambda: {code.format(**known)})" for name, code in ATTEMPTS.items()]
        spec = write_bot(decide=f"done = []; {'; '.join(tries)}; play(message, summary=', '.join(done))")
        text = Path("bot.py").read_text()
        helper = "def attempt(name, code):\n    try: code(); done.append(name)\n    except Exception: pass\n"
        Path("bot.py").write_text(helper + text)
        outside = summary_of(spec)
        assert set(outside.split(", ")) == set(ATTEMPTS)
        assert summary_of(in_sandbox(spec)) == ""
    left.nothing()


@sandboxed
def test_system_calls_find_no_way_around(left: Left) -> None:
    """A program in C tries the same with raw system calls, and asks for memory that belongs to no process."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.fail("NO C COMPILER: the hostile program in C was not tried; install gcc")
    subprocess.run([compiler, "-o", "hostile", str(HOSTILE)], check=True)
    with socket.create_server("outside.socket", family=socket.AF_UNIX):
        spec = "script:./hostile outside.socket"
        assert {"socket", "socket with high bits", "System V memory"} <= set(summary_of(spec).split(", "))
        assert summary_of(in_sandbox(spec)) == ""
    left.nothing()


@sandboxed
def test_a_sandbox_leaves_no_descriptor_open(left: Left) -> None:
    spec = write_bot(decide="play(message, summary=' '.join(sorted(os.listdir('/proc/self/fd'))))")
    assert summary_of(in_sandbox(spec)) == "0 1 2 3"  # the last is that of listdir
    left.nothing()


@sandboxed
@pytest.mark.parametrize("here", ["under /tmp", "elsewhere"])
def test_a_script_in_a_sandbox_sees_what_lies_beside_it(here: str, left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the project lies: also under /tmp, which is another one inside; and it can write to that."""
    with tempfile.TemporaryDirectory(dir="/tmp" if here == "under /tmp" else "/var/tmp") as folder:
        project, bots = Path(folder, "project"), Path(folder, "bots")
        project.mkdir()
        bots.mkdir()
        monkeypatch.chdir(bots)
        write = "open('/tmp/mine', 'w').write('x'); open('/dev/shm/mine', 'w').write('x')"
        write_bot(hello="import helper", decide=f"{write}; play(message, summary=helper.NAME)")
        Path("helper.py").write_text("NAME = 'found'")
        monkeypatch.chdir(project)
        assert summary_of(in_sandbox(f"script:{bots / 'bot.py'}")) == "found"
        monkeypatch.chdir("/tmp")
        assert summary_of(in_sandbox(f"script:{bots / 'bot.py'},log={folder}/log")) == "found"
        assert not Path("/tmp/mine").exists()
    left.nothing()


@sandboxed
def test_a_project_with_its_environment_under_tmp(left: Left) -> None:
    """A copy of the package, an environment and a game of one's own, all of them there."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        home = Path(folder)
        package = Path(bw.__file__).parent
        shutil.copytree(package, home / "code" / "boardwright", ignore=shutil.ignore_patterns("__pycache__", "static"))
        shutil.copy(DICE_RACE, home / "dice.py")
        (home / "venv" / "bin").mkdir(parents=True)
        (home / "venv" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
        (home / "venv" / "pyvenv.cfg").write_text(f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
        (home / "work").mkdir()
        entries = [str(home / "code"), *(entry for entry in sys.path if entry.endswith("site-packages"))]
        done = subprocess.run(
            [home / "venv" / "bin" / "python", "-m", "boardwright", "match", "../dice.py", "isolated:random", "random",
             "-n", "2", "--sandbox", "--on-failure", "stop"],
            cwd=home / "work", capture_output=True, text=True, check=False, timeout=300,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(entries), "NUMBA_DISABLE_JIT": "1"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    left.nothing()


HOARDS = {
    "pages": "kept = b'x' * (200 << 20)",
    "shared pages": "(kept := mmap.mmap(-1, 200 << 20)).write(b'x' * (20 << 20)), kept.write(b'x' * (180 << 20))",
    "a file without a name": ("kept = os.memfd_create('x'); [os.write(kept, b'x' * (1 << 20)) for _ in range(200)]"),
    "a file without a name, mapped and closed": (
        "file = os.memfd_create('x'); [os.write(file, b'x' * (1 << 20)) for _ in range(200)];"
        " kept = mmap.mmap(file, 200 << 20); os.close(file)"
    ),
}
READ_ONLY = "mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000"  # the last: nothing is reserved
HOARDS |= {
    "tables of pages that were only read": (
        f"kept = mmap.mmap(-1, 100 << 30, {READ_ONLY}, mmap.PROT_READ); kept.madvise(15);"  # 15: pages stay small
        " [kept[place] for place in range(0, 100 << 30, 2 << 20)]"
    ),
    "what nobody reads from sockets": (
        "import socket; kept = [end for _ in range(450) for end in socket.socketpair()];"
        " [end.settimeout(0) for end in kept]; [fill(end.send) for end in kept]"
    ),
}
FILES = {
    "empty files": "[open(f'/tmp/{number}', 'w').close() for number in range(200_000)]",
    "a file in /tmp": "kept = open('/tmp/kept', 'wb'); [kept.write(b'x' * (1 << 20)) for _ in range(200)]",
    "a file in /dev/shm": "kept = open('/dev/shm/kept', 'wb'); [kept.write(b'x' * (1 << 20)) for _ in range(200)]",
    "files in both": ("[open(f'/{where}/kept', 'wb').write(b'x' * (45 << 20)) for where in ('tmp', 'dev/shm')]"),
}


FILL = """
def fill(write):
    try:
        while write(bytes(1 << 16)):
            pass
    except BlockingIOError:
        pass
"""


@pytest.mark.parametrize("groups", ["with control groups", "without"])
@pytest.mark.parametrize(
    ("hoard", "walls"),
    [
        *((hoard, "limits alone") for hoard in HOARDS),  # files outside a sandbox are ordinary files
        *(pytest.param(hoard, "a sandbox", marks=sandboxed) for hoard in (*HOARDS, *FILES)),
    ],
)
def test_memory_counts_wherever_it_is(
    hoard: str, groups: str, walls: str, left: Left, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages of one's own and shared ones, files without a name, and files in the folders that a sandbox keeps in
    memory. In a sandbox, a file may also find no room."""
    if groups == "without":
        monkeypatch.setenv(NO_GROUPS, "1")
    code = HOARDS.get(hoard) or FILES[hoard]
    spec = write_bot(decide=f"import mmap; {code}; time.sleep(600)")
    Path("bot.py").write_text(FILL + Path("bot.py").read_text())
    spec = f"{spec},memory=80,seconds=60"
    record = Match("connect_four", (in_sandbox(spec) if walls == "a sandbox" else spec, "random")).play(0)
    assert record.forfeit is not None
    allowed = r"used more memory than it may|MemoryError" + (r"|No space left on device" if hoard in FILES else "")
    assert re.search(allowed, record.forfeit.reason), record.forfeit.reason
    end_idle()
    left.nothing()


def test_a_pipe_counts_with_its_room_while_something_waits_in_it() -> None:
    """A byte may take a page."""
    reader, writer = os.pipe()
    assert waiting_in(os.getpid(), reader) == 0
    os.write(writer, b"x")
    assert waiting_in(os.getpid(), reader) == fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ)
    os.read(reader, 1)
    assert waiting_in(os.getpid(), writer) == 0
    os.close(reader)
    os.close(writer)


def test_pages_that_children_share_count_once(left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NO_GROUPS, "1")
    share = (
        "import mmap; kept = mmap.mmap(-1, 50 << 20); kept.write(b'x' * (50 << 20)); "
        "children = [os.fork() for _ in range(3)]; len(kept[::4096]); time.sleep(0.5); "
        "0 in children and os._exit(0); [os.wait() for _ in range(3)]; play(message)"
    )
    spec = write_bot(decide=share.replace("children = [os.fork() for _ in range(3)]", FORK_THREE))
    record = Match("kuhn_poker", (f"{spec},memory=160,seconds=60", "random")).play(0)
    assert record.forfeit is None
    end_idle()
    left.nothing()


FORK_THREE = "children = []; [children.append(os.fork()) for _ in range(3) if 0 not in children]"

WAYS = {
    "waited for": ("", "os.wait()"),
    "of children that were left behind": ("os.fork() and os._exit(0)", "os.wait()"),
    "of those that nobody waits for": ("", "time.sleep(0.2)"),
}


@pytest.mark.parametrize("walls", ["limits alone", pytest.param("a sandbox", marks=sandboxed)])
@pytest.mark.parametrize("groups", ["with control groups", "without"])
@pytest.mark.parametrize("way", WAYS)
def test_cpu_counts_whoever_has_used_it(
    way: str, groups: str, walls: str, left: Left, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Children burn 0.2 CPU seconds each, one after the other, and end in various ways; 0.6 seconds are allowed."""
    if groups == "without":
        monkeypatch.setenv(NO_GROUPS, "1")
    first, then = WAYS[way]
    ignore = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)" if "nobody" in way else "pass"
    lines = [
        "for _ in range(200):",
        "    if os.fork() == 0:",
        f"        {first or 'pass'}",
        "        end = time.process_time() + 0.2",
        "        while time.process_time() < end: pass",
        "        os._exit(0)",
        f"    {then}",
        "play(message)",
    ]
    spec = write_bot(hello=ignore, decide=("\n" + 8 * " ").join(lines))
    spec = f"{spec},cpu=0.6,seconds=300,processes=300"
    record = Match("connect_four", (in_sandbox(spec) if walls == "a sandbox" else spec, "random")).play(0)
    assert record.forfeit is not None
    assert "used more CPU seconds than it may in a game" in record.forfeit.reason
    end_idle()
    left.nothing()


def test_a_control_group_is_used_as_far_as_it_goes(tmp_path: Path) -> None:
    """A folder stands for one: what is written to it, what is read from it."""
    (tmp_path / "mountinfo").write_text(f"30 23 0:26 / {tmp_path}/groups rw - cgroup2 cgroup2 rw\n")
    (tmp_path / "cgroup").write_text("0::/user.slice/me.scope\n")
    mounts, own = str(tmp_path / "mountinfo"), str(tmp_path / "cgroup")
    assert Group.make(1 << 30, mounts, own) is None  # there is no such folder
    home = tmp_path / "groups" / "user.slice"
    (home / "me.scope").mkdir(parents=True)
    (home / "boardwright-999999999").mkdir()  # left by one that was killed
    made = Group.make(1 << 30, mounts, own)
    assert made is not None
    folder = home / f"boardwright-{os.getpid()}"
    assert made.folder == str(folder)
    assert not (home / "boardwright-999999999").exists()
    assert not made.counts_cpu
    assert not made.limits_memory
    assert not made.is_out_of_memory()
    for name in ("memory.max", "memory.swap.max", "memory.oom.group", "cgroup.procs", "cgroup.kill"):
        (folder / name).write_text("")
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1000000\n")
    (folder / "memory.events").write_text("oom 1\noom_kill 0\n")
    group = Group(str(folder), 1 << 30)
    group.add(77)
    assert (folder / "memory.max").read_text() == str(1 << 30)
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "cgroup.procs").read_text() == "77"
    assert group.cpu_seconds() == 1.5
    assert not group.is_out_of_memory()
    (folder / "memory.events").write_text("oom 1\noom_kill 2\n")
    assert group.is_out_of_memory()
    group.kill()
    assert (folder / "cgroup.kill").read_text() == "1"
    watch = Watch(1 << 30, 1.0, 5, [], group)
    assert watch.exceeded() == "memory"
    (folder / "memory.events").write_text("oom_kill 0\n")
    assert watch.exceeded() == "cpu"
    watch.new_game()
    assert watch.exceeded() == ""
    (folder / "cgroup.procs").unlink()
    group.add(77)  # it may not: then nothing is believed
    assert not group.counts_cpu
    assert not group.limits_memory


def summary_of(spec: str) -> str:
    """What the bot says of its first decision."""
    game = bw.game("connect_four")
    agent = bw.agent(spec, game, 0)
    try:
        return agent.decide(game.new(seed=1).observation(0)).summary
    finally:
        agent.close()
        end_idle()


@sandboxed
def test_an_isolated_agent_plays_in_a_sandbox(left: Left) -> None:
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


def agent_with_a_neighbour(folder: str, name: str, neighbour: str = "helper") -> str:
    """An agent in a Python file that imports what lies beside it, when it is loaded and while it plays."""
    Path(folder).mkdir(exist_ok=True)
    Path(folder, f"{neighbour}.py").write_text(f"NAME = {name!r}\n")
    Path(folder, "late.py").write_text("")
    Path(folder, f"{name}.py").write_text(
        f"from {neighbour} import NAME\n"
        "from boardwright.agents.random import Random\n"
        "class Mine(Random):\n"
        "    def decide(self, observation):\n"
        "        import late\n"
        "        decision = super().decide(observation)\n"
        "        decision.summary = NAME\n"
        "        return decision\n"
    )
    return f"{folder}/{name}.py"


@pytest.mark.parametrize("wall", ["", "isolated:", pytest.param("sandbox", marks=sandboxed)])
def test_an_agent_file_may_import_what_lies_beside_it(wall: str, left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = agent_with_a_neighbour("first", "neighbourly", f"helper_of_{wall[:3] or 'none'}")
    spec = in_sandbox(f"isolated:{spec}") if wall == "sandbox" else f"{wall}{spec}"
    assert summary_of(spec) == "neighbourly"
    left.nothing()


def test_two_files_with_neighbours_of_one_name_are_not_mixed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    first, second = agent_with_a_neighbour("a", "one", "shared_name"), agent_with_a_neighbour("b", "two", "shared_name")
    assert summary_of(first) == "one"
    with pytest.raises(
        BadSpec, match=r"two\.py imports shared_name from .*/b, but .*/a/shared_name\.py is loaded under"
    ):
        summary_of(second)
    assert summary_of(f"isolated:{second}") == "two"
    assert summary_of(first) == "one"


def test_a_reference_that_is_a_script_leaves_no_process_behind(left: Left) -> None:
    """Ten games of one measurement are played by one process, which ends with it."""
    from boardwright.arena.strength import strength
    from boardwright.commands.learning import _check_reference
    from boardwright.learn.network import Network, initial_weights

    game = bw.game(str(Path(__file__).parent / "games" / "take_three.py"))
    spec = write_bot(hello="print('I am', os.getpid(), file=sys.stderr, flush=True)") + ",log=log.txt"
    _check_reference(game, spec, 2)
    weights = initial_weights(len(game.learning.feature_names), game.num_actions, np.random.default_rng(0))
    assert 0 <= strength(Network(game.name, 2, weights, {}), game.source, spec, 10).score <= 1
    assert len(set(Path("log.txt").read_text().splitlines())) == 1
    left.nothing()


def test_a_reference_that_fails_is_closed(left: Left) -> None:
    from boardwright.commands.learning import _check_reference

    with pytest.raises(ScriptFailed):
        _check_reference(bw.game("connect_four"), write_bot(decide="sys.exit(3)"), 2)
    left.nothing()


# What the warden and the filter reckon with


def test_time_in_the_kernel_counts_as_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrusage", lambda who: SimpleNamespace(ru_utime=1.5, ru_stime=0.5))
    assert Account().cpu_seconds([]) == 2.0


def test_the_filter_knows_machines_by_their_numbers_in_elf() -> None:
    """AUDIT_ARCH: the number of the machine, 64 bits, little-endian."""
    assert seccomp._ARCHITECTURES == {"x86_64": 0xC0000000 | 62, "aarch64": 0xC0000000 | 183}


def test_steps_of_the_filter_that_decide_nothing_lead_nowhere() -> None:
    for code, if_true, if_false, _ in struct.iter_unpack("=HBBI", seccomp.socket_filter()):
        assert code in (seccomp._EQUAL, seccomp._AT_LEAST, seccomp._ANY_BIT) or (if_true, if_false) == (0, 0)


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
"""Where Linux numbers its calls; aarch64 has the generic numbers."""


@pytest.mark.parametrize("machine", HEADERS)
def test_calls_have_the_numbers_that_linux_gives_them(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the headers of Linux are not installed")
    numbers = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text()))
    ours = {**seccomp._CALLS[machine], **seccomp._EVERYWHERE}
    assert ours == {name: int(numbers[name]) for name in ours}
