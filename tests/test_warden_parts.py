"""The warden's parts, in this process: what it counts, of what it has read, and what it says at the end."""

from __future__ import annotations

import io
import mmap
import os
import resource
import signal
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from boardwright.scripts import warden
from boardwright.scripts.warden import Account, Group, Log, Watch


def test_a_log_keeps_ten_million_bytes_and_the_last_line_is_told(tmp_path: Path) -> None:
    source, says = os.pipe()
    os.set_blocking(source, False)
    log = Log(str(tmp_path / "log"), source)
    assert log.room == 10_000_000
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o600
    assert (log.read(), log.telling_line()) == (False, "")
    os.write(says, b"one\ntwo\x1b[31m\n  \n")
    assert log.read()
    assert log.telling_line() == "two [31m"
    log.room = 4
    os.write(says, b"three\n")
    assert log.read()
    os.write(says, b"four\n")
    assert log.read()
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\x1b[31m\n  \nthre", "no more than there is room for"
    assert log.telling_line() == "four", "but the last line is known"
    os.write(says, b"x" * 5000)
    assert log.read()
    assert (len(log.tail), log.telling_line()) == (4096, "x" * 500)
    again = Log(str(tmp_path / "log"), source)
    os.write(says, b"more")
    assert again.read()
    assert (tmp_path / "log").read_bytes().endswith(b"thremore"), "appended"
    silent = Log("", source)
    os.write(says, b"unheard")
    assert silent.read()
    assert silent.telling_line() == "unheard"
    os.close(says)
    assert not silent.read()
    os.close(source)


def test_of_standard_error_the_line_that_names_the_error_is_told(tmp_path: Path) -> None:
    source, says = os.pipe()
    log = Log("", source)
    os.write(
        says, b"/bot.js:3\n  boom()\n\nReferenceError: boom is not defined\n    at node:main\n\nNode.js v20.20.2\n"
    )
    assert log.read()
    assert log.telling_line() == "ReferenceError: boom is not defined"
    os.close(says)
    os.close(source)


def test_a_disk_that_is_full_ends_the_log_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, says = os.pipe()
    os.write(says, b"one\n")
    log = Log(str(tmp_path / "log"), source)

    def full(*_: object) -> int:
        raise OSError

    monkeypatch.setattr(os, "write", full)
    assert log.read()
    assert (log.room <= 0, log.telling_line()) == (True, "one")
    for end in (source, says):
        os.close(end)


def test_a_process_tells_what_it_and_its_children_have_used_and_when_it_began() -> None:
    """As proc(5) numbers the fields of /proc/PID/stat: 14 and 15, 16 and 17, 22."""
    assert warden.cpu_ticks(2**31) == (0, 0, -1)
    numbers = " ".join(str(number * number) for number in range(4, 53))
    with patch.object(warden, "open", lambda *_, **__: io.StringIO(f"7 (a) b) S {numbers}"), create=True):
        assert warden.cpu_ticks(7) == (14**2 + 15**2, 16**2 + 17**2, 22**2)
    own, children, began = warden.cpu_ticks(os.getpid())
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    place = {number: int(fields[number - 3]) for number in (14, 15, 16, 17, 22)}
    assert (began, children) == (place[22], place[16] + place[17])
    assert 0 <= place[14] + place[15] - own <= 2


def test_fields_of_the_kernel_are_in_kilobytes(tmp_path: Path) -> None:
    (tmp_path / "status").write_text("Name:\tbot\nVmPTE:\t      12 kB\nThreads:\t3\nRssAnon:\t1 kB\n")
    assert warden.kilobytes(str(tmp_path / "status")) == {"VmPTE": 12 * 1024, "RssAnon": 1024}
    assert warden.kilobytes(str(tmp_path / "none")) == {}


@pytest.mark.parametrize(
    ("sharing", "total"), [((0, 0), 111 + 222), ((9, 0), 111 + 222 + 9), ((9, 9), 111 + 222 + 4 + 5)]
)
def test_memory_counts_own_pages_and_shared_ones_once(
    sharing: tuple[int, int], total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes with pages, swapped ones and tables of their own. Of pages that both share each has its part."""
    files = {
        "/proc/1/status": {"RssAnon": 100, "VmSwap": 10, "VmPTE": 1, "VmRSS": 5000, "RssShmem": sharing[0]},
        "/proc/2/status": {"RssAnon": 200, "VmSwap": 20, "VmPTE": 2, "RssShmem": sharing[1]},
        "/proc/1/smaps_rollup": {"Pss_Shmem": 4},
        "/proc/2/smaps_rollup": {"Pss_Shmem": 5},
    }
    monkeypatch.setattr(warden, "kilobytes", files.__getitem__)
    for name in ("unmapped_files", "in_channels"):
        monkeypatch.setattr(warden, name, lambda processes: 0)
    monkeypatch.setattr(warden, "in_folders", lambda processes, folders: 0)
    assert warden.memory_of([1, 2], []) == total
    monkeypatch.setattr(warden, "unmapped_files", lambda processes: 1000)
    monkeypatch.setattr(warden, "in_channels", lambda processes: 20_000)
    monkeypatch.setattr(warden, "in_folders", lambda processes, folders: 300_000 * len(folders))
    assert warden.memory_of([1, 2], ["/tmp"]) == total + 321_000


def test_files_without_a_name_count_once_whoever_has_them_open() -> None:
    """Three pages are written. What is mapped counts among the shared pages, and not again."""
    page = os.sysconf("SC_PAGE_SIZE")
    me = os.getpid()
    before = warden.unmapped_files([me])
    file = os.memfd_create("test")
    try:
        os.write(file, bytes(3 * page))
        copy = os.dup(file)
        assert warden.unmapped_files([me]) == before + 3 * page
        assert warden.unmapped_files([me, me]) == before + 3 * page
        os.close(copy)
        with mmap.mmap(file, 3 * page) as mapped:
            mapped[0] = mapped[page] = 1
            assert warden.unmapped_files([me]) == before + page, "two of three pages are among the shared ones"
    finally:
        os.close(file)
    assert warden.unmapped_files([me]) == before


def test_what_waits_in_channels_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe with all its room while there is something in it, a socket with what waits in it. What else this process
    has open, other tests may be using meanwhile."""
    me = os.getpid()
    ours, theirs = os.pipe()
    one, other = socket.socketpair()
    channels = {os.readlink(f"/proc/self/fd/{end}") for end in (ours, one.fileno(), other.fileno())}
    opened = warden.open_files

    def own_files(processes: list[int]) -> Iterator[tuple[int, str, str]]:
        return (file for file in opened(processes) if file[2] in channels)

    monkeypatch.setattr(warden, "open_files", own_files)
    try:
        assert warden.waiting_in(me, ours) == 0
        os.write(theirs, b"x")
        assert warden.waiting_in(me, ours) == warden.waiting_in(me, theirs) == 65_536
        assert warden.waiting_in(me, one.fileno()) == 0
        other.send(b"hello")
        assert warden.waiting_in(me, one.fileno()) == 5
        before = len(list(own_files([me])))
        found = warden.in_channels([me])
        assert found >= 65_536 + 5, "a socket may count at both of its ends"
        assert warden.in_channels([me, me]) == found, "whoever has it open"
        assert len(list(own_files([me]))) == before
    finally:
        for end in (ours, theirs):
            os.close(end)
        one.close()
        other.close()
    with pytest.raises(OSError, match=r"pidfd_getfd|Bad file"):
        warden.waiting_in(me, 10**6)


def test_what_is_in_the_folders_of_a_sandbox_counts_with_a_kilobyte_for_each_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once for each, and only if it is not the one outside."""
    devices = {"/tmp": 1, "/gone": None, "/proc/7/root/tmp": 5, "/proc/8/root/tmp": 5, "/proc/9/root/tmp": 1}
    devices |= {"/proc/7/root/gone": 6}

    def device(path: str) -> Any:
        if devices.get(path) is None:
            raise OSError
        return SimpleNamespace(st_dev=devices[path])

    room = SimpleNamespace(f_files=100, f_ffree=97, f_blocks=50, f_bfree=40, f_frsize=4096)
    monkeypatch.setattr(warden, "os", SimpleNamespace(stat=device, statvfs=lambda place: room))
    each = 10 * 4096 + 3 * 1024
    assert warden.in_folders([7, 8, 9], ["/tmp"]) == each
    assert warden.in_folders([7, 8, 9], ["/tmp", "/gone"]) == 2 * each
    assert warden.in_folders([9], ["/tmp"]) == 0


def test_the_higher_of_two_accounts_of_cpu_seconds_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was waited for with what runs and its children; or all that was ever seen to run. It never becomes less."""
    used = SimpleNamespace(ru_utime=0.0, ru_stime=0.0)
    monkeypatch.setattr(resource, "getrusage", lambda who: used)
    monkeypatch.setattr(warden, "CLOCK", 100)
    ticks = {1: (100, 50, 7), 2: (30, 0, 8), 3: (0, 0, -1)}
    monkeypatch.setattr(warden, "cpu_ticks", ticks.__getitem__)
    account = Account()
    assert account.cpu_seconds([1, 2, 3]) == 1.8
    assert account.seen == {(1, 7): 100, (2, 8): 30}
    assert account.cpu_seconds([]) == 1.8, "gone, and nobody has waited for them"
    used.ru_utime, used.ru_stime = 1.5, 0.5
    assert account.cpu_seconds([]) == 2.0
    ticks[1] = (500, 0, 7)
    used.ru_utime = used.ru_stime = 0.0
    assert account.cpu_seconds([1]) == 5.3, "500 now, and 30 that were seen"


def test_shared_memory_that_nobody_has_attached_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "key shmid cpid nattch rss swap\n0 1 7 0 4096 512\n0 2 7 1 4096 0\n0 3 99 0 4096 0\n"
    account = Account()
    account.seen = {(7, 1): 3}
    monkeypatch.setattr(warden, "open", lambda *_, **__: io.StringIO(table), raising=False)
    assert account.system_v() == 4096 + 512


@pytest.mark.parametrize(
    ("running", "memory", "cpu", "limit"),
    [(3, 0, 0.0, ""), (4, 0, 0.0, "processes"), (3, 100, 5.0, ""), (3, 101, 9.0, "memory"), (3, 100, 5.1, "cpu")],
)
def test_limits_may_be_reached_but_not_exceeded(
    running: int, memory: int, cpu: float, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warden, "descendants", lambda: list(range(running)))
    monkeypatch.setattr(warden, "memory_of", lambda processes, folders: memory - 1 if memory else 0)
    watch = Watch(100, 4.0, 3, ["/tmp"], None)
    watch.account = SimpleNamespace(cpu_seconds=lambda running: 1.0, system_v=lambda: 1 if memory else 0)  # type: ignore[assignment]
    watch.new_game()
    watch.account.cpu_seconds = lambda running: cpu  # type: ignore[method-assign]
    assert watch.exceeded() == limit


def test_a_group_that_cannot_count_is_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cpu.stat").write_text("usage_usec 2500000\n")
    group = Group(str(tmp_path), 5)
    assert (group.counts_cpu, group.limits_memory) == (True, False)
    monkeypatch.setattr(warden, "memory_of", lambda processes, folders: 101)
    watch = Watch(100, 4.0, 3, [], group)
    assert watch.cpu_seconds([]) == 2.5
    assert watch.is_out_of_memory([])
    group.counts_cpu = False
    watch.account = SimpleNamespace(cpu_seconds=lambda running: 1.0, system_v=lambda: 0)  # type: ignore[assignment]
    assert watch.cpu_seconds([]) == 1.0
    (tmp_path / "memory.events").write_text("oom_kill 1\n")
    assert not group.is_out_of_memory()
    group.limits_memory = True
    assert group.is_out_of_memory()
    monkeypatch.setenv("BOARDWRIGHT_NO_CGROUPS", "1")
    assert Group.make(5) is None


def test_the_script_s_status_is_told_from_those_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = iter([(5, 256), (7, 9), (6, 0), (0, 0)])
    monkeypatch.setattr(os, "waitpid", lambda who, how: next(ended))
    assert warden.reap(7, None) == 9

    def nobody(who: int, how: int) -> None:
        raise ChildProcessError

    monkeypatch.setattr(os, "waitpid", nobody)
    assert (warden.reap(7, 9), warden.reap(7, None)) == (9, None)


def test_a_script_that_is_about_to_end_gets_half_a_second_and_one_that_leaves_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert warden.GRACE == {b"gone": 0.5, b"leave": 2.0}
    now, looks = [10.0], []
    monkeypatch.setattr(warden, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=lambda s: now.append(s)))

    def reap(script: int, status: int | None) -> int | None:
        looks.append(now[0])
        now[0] += 0.25
        return 0 if len(looks) == 3 else None

    monkeypatch.setattr(warden, "reap", reap)
    assert warden.wait(7, None, 0.5) is None
    assert looks == [10.0, 10.25]
    assert warden.wait(7, None, 0.5) == 0
    assert warden.wait(7, 9, 0.5) == 9


class Orders:
    """A warden that watches: what wakes it and what it is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.control, self.host = socket.socketpair()
        self.woken, self.wake = os.pipe()
        self.source, self.says = os.pipe()
        os.set_blocking(self.source, False)
        self.log = Log("", self.source)
        self.games, self.limit = 0, ""
        self.limits: Any = SimpleNamespace(group=None, new_game=self._new_game, exceeded=lambda: self.limit)
        self.status: int | None = None
        monkeypatch.setattr(warden, "reap", lambda script, status: self.status)
        monkeypatch.setattr(warden, "wait", lambda script, status, seconds: ("waited", seconds))

    def _new_game(self) -> None:
        self.games += 1
        self.limit = "cpu"

    def watch(self) -> tuple[Any, str]:
        return warden.watch(7, self.control.fileno(), self.woken, self.log, self.limits)

    def close(self) -> None:
        self.control.close()
        self.host.close()
        for end in (self.woken, self.wake, self.source, self.says):
            os.close(end)


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> Any:
    made = Orders(monkeypatch)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        (b"end\n", (None, "")),
        (b"gone\n", (("waited", 0.5), "")),
        (b"leave\n", (("waited", 2.0), "")),
        (None, (None, "")),
    ],
)
def test_the_hosts_word_ends_the_watch(orders: Any, word: bytes | None, answer: tuple[Any, str]) -> None:
    if word is None:
        orders.host.close()
    else:
        orders.host.send(word)
    assert orders.watch() == answer
    assert orders.games == 0


def test_a_game_begins_a_new_account_and_limits_are_looked_at_ten_times_a_second(orders: Any) -> None:
    orders.host.send(b"game\n")
    os.write(orders.says, b"hello\n")
    began = time.monotonic()
    assert orders.watch() == (None, "cpu")
    assert 0.1 <= time.monotonic() - began < 60
    assert warden.TICK == 0.1
    assert (orders.games, orders.log.telling_line()) == (1, "hello")


def test_a_script_that_has_ended_is_told_with_its_status(orders: Any) -> None:
    os.write(orders.wake, b"x")
    orders.status = 256
    assert orders.watch() == (256, "")
    os.write(orders.wake, b"x")
    orders.limits.group = SimpleNamespace(is_out_of_memory=lambda: True)
    assert orders.watch() == (256, "memory"), "it was ended by the kernel"


def test_all_are_killed_until_nobody_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody was born meanwhile; one has just ended by itself. A script that has ended has no group of processes any
    more."""
    left = iter([[7, 8], [9], [9], []])
    killed: list[tuple[str, int, int]] = []
    monkeypatch.setattr(warden, "descendants", lambda: next(left))
    monkeypatch.setattr(warden, "reap", lambda script, status: 9)
    monkeypatch.setattr(os, "killpg", lambda group, how: killed.append(("group", group, how)))

    def kill(process: int, how: int) -> None:
        killed.append(("process", process, how))
        if process == 8:
            raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    control = SimpleNamespace(kill=lambda: killed.append(("control group", 0, 0)))
    assert warden.kill_all(7, None, control) == 9  # type: ignore[arg-type]
    hard = signal.SIGKILL
    assert killed == [
        ("control group", 0, 0), ("group", 7, hard), ("process", 7, hard), ("process", 8, hard),
        ("control group", 0, 0), ("process", 9, hard),
    ]  # fmt: skip


def test_empty_groups_of_wardens_that_were_killed_are_removed(tmp_path: Path) -> None:
    for name in (f"boardwright-{os.getpid()}", "boardwright-999999999", "another-999999999"):
        (tmp_path / name).mkdir()
    warden.remove_left_groups(str(tmp_path))
    warden.remove_left_groups(str(tmp_path / "none"))
    assert sorted(os.listdir(tmp_path)) == ["another-999999999", f"boardwright-{os.getpid()}"]


def test_a_group_is_removed_as_soon_as_the_kernel_lets_it_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "group").mkdir()
    (tmp_path / "group" / "busy").touch()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            (tmp_path / "group" / "busy").unlink()

    monkeypatch.setattr(warden, "time", SimpleNamespace(sleep=sleep))
    Group(str(tmp_path / "group"), 5).remove()
    assert (slept, list(tmp_path.iterdir())) == ([0.005] * 3, [])
    Group(str(tmp_path / "group"), 5).remove()
    assert sum(slept[3:]) == pytest.approx(1.0), "a second at most"
