"""The warden: a small process between the host and a script, which ends the script with all that it has started.

It runs by itself, without the rest of the package, so that it starts quickly:

    python -I -S warden.py CONTROL FILTER LOG MEMORY CPU PROCESSES FOLDERS -- COMMAND...

Its standard input and output go to the script. CONTROL is a socket to the host: "game" on it begins a new account of
CPU seconds; "end", or the end of it, means that the script is to be killed; "gone" that it seems to have ended, and
"leave" that it may end by itself, within a moment. When the script has ended, in whatever way, one line tells the host
how: "exit 1", "signal 9" or "limit memory", a tab, and the line of its standard error that says most.

FILTER is a descriptor that the script's process gets as number 3 (a sandbox reads its filter of system calls there), or
-1. FOLDERS, with colons between, are those that a sandbox keeps in memory: what is in them counts.

Orphans of the script become children of the warden (a "subreaper"), so that nobody escapes by forking twice. What all
of them use is counted by a control group where there can be one (`Group`), and otherwise by what /proc tells of those
that run and what the kernel tells of those that were waited for (`Account`).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import stat
import sys
import time
from collections.abc import Iterator

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TICK = 0.1  # seconds between two looks at memory, CPU and processes
GRACE = {b"gone": 0.5, b"leave": 2.0}  # seconds between a script's last word and its end
LONGEST_LOG = 10_000_000  # bytes that one process may add to its log
MOST_FILES, LARGEST_FILE = 1024, 1 << 30
CLOCK = os.sysconf("SC_CLK_TCK")
BLOCK = 512  # bytes, of `st_blocks`
INODE = 1024  # bytes that the kernel keeps for a file in memory, also for an empty one; rounded
PIDFD_GETFD, F_GETPIPE_SZ = 438, 1032  # of Linux on all machines; TIOCOUTQ is what others call SIOCOUTQ
FIONREAD, TIOCOUTQ = 0x541B, 0x5411
FILTER = 3
NO_GROUPS = "BOARDWRIGHT_NO_CGROUPS"
"""A variable that keeps the warden from making control groups."""


def prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def start(command: list[str], memory: int, errors: int, calls: int, group: Group | None) -> int:
    """The script, in a session and process group of its own, and in its control group before it does anything."""
    warden = os.getpid()
    ready, go = os.pipe()
    script = os.fork()
    if script:
        if group is not None:
            group.add(script)
        os.close(ready)
        os.close(go)  # go
        return script
    try:
        os.close(go)
        os.read(ready, 1)
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != warden:
            os._exit(1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        import resource  # this file is run on Linux; its constants are imported anywhere

        for limit, most in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_DATA, memory),  # not the address space: V8 and Java reserve far more than they use
            (resource.RLIMIT_NOFILE, MOST_FILES),
            (resource.RLIMIT_FSIZE, LARGEST_FILE),
        ):
            hard = resource.getrlimit(limit)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(limit, (most, most))
        os.dup2(errors, 2)
        if calls >= 0:
            os.dup2(calls, FILTER)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(errors, f"cannot run {command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def descendants() -> list[int]:
    found, waiting = [], [os.getpid()]
    while waiting:
        parent = waiting.pop()
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children", encoding="latin-1") as file:
                    children = [int(child) for child in file.read().split()]
                found += children
                waiting += children
        except OSError:  # it has just ended
            continue
    return found


def cpu_ticks(process: int) -> tuple[int, int, int]:
    """What a process has used, what those have that it has waited for, and when it began."""
    try:
        with open(f"/proc/{process}/stat", encoding="latin-1") as file:
            fields = [int(field) for field in file.read().rpartition(")")[2].split()[1:]]
    except OSError:
        return 0, 0, -1
    return sum(fields[10:12]), sum(fields[12:14]), fields[18]


def memory_of(processes: list[int], folders: list[str]) -> int:
    """Bytes that belong to them alone: their own pages with the tables that the kernel keeps of these, what they share
    with each other, files in memory, what waits in pipes and sockets, and what is in these folders of theirs."""
    sizes: dict[int, tuple[int, int]] = {}
    for process in processes:
        fields = kilobytes(f"/proc/{process}/status")
        own = fields.get("RssAnon", 0) + fields.get("VmSwap", 0) + fields.get("VmPTE", 0)
        sizes[process] = own, fields.get("RssShmem", 0)
    shared = [process for process, (_, size) in sizes.items() if size]
    total = sum(own for own, _ in sizes.values())
    if len(shared) == 1:
        total += sizes[shared[0]][1]
    else:  # each page is to count once
        total += sum(kilobytes(f"/proc/{process}/smaps_rollup").get("Pss_Shmem", 0) for process in shared)
    return total + unmapped_files(processes) + in_channels(processes) + in_folders(processes, folders)


def kilobytes(file: str) -> dict[str, int]:
    """The fields of such a file, in bytes."""
    found = {}
    with contextlib.suppress(OSError), open(file, encoding="latin-1") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if value.endswith(" kB\n"):
                found[name] = int(value[:-4]) << 10
    return found


def unmapped_files(processes: list[int]) -> int:
    """Files without a name (memfd) that are kept in memory, as far as they are not among the shared pages already."""
    sizes: dict[int, int] = {}
    for process, name, target in open_files(processes):
        if target.startswith("/memfd:"):
            with contextlib.suppress(OSError):
                found = os.stat(f"/proc/{process}/fd/{name}")
                sizes[found.st_ino] = BLOCK * found.st_blocks
    mapped = 0
    for process in processes:
        inode = -1
        with (
            contextlib.suppress(OSError),
            open(f"/proc/{process}/smaps" if sizes else f"/proc/{process}/maps", encoding="latin-1") as lines,
        ):
            for line in lines:
                fields = line.split()
                if "-" in fields[0]:
                    inode = int(fields[4]) if len(fields) > 5 and fields[5].startswith("/memfd:") else -1
                    low, high = (int(end, 16) for end in fields[0].split("-"))
                    if inode >= 0 and inode not in sizes:  # its descriptor is closed: nobody can tell how much is in it
                        sizes[inode] = high - low
                elif inode >= 0 and fields[0] == "Pss:":
                    mapped += int(fields[1]) << 10
    return max(0, sum(sizes.values()) - mapped)


def in_channels(processes: list[int]) -> int:
    """What waits in pipes and sockets: the kernel keeps it, in no process. A pipe counts with all its room, since each
    byte may take a page; what waits in a socket may count at both of its ends."""
    sizes: dict[str, int] = {}
    for process, name, target in open_files(processes):
        if target.startswith(("pipe:", "socket:")) and target not in sizes:
            with contextlib.suppress(OSError):  # it was closed meanwhile, or the system does not show it
                sizes[target] = waiting_in(process, int(name))
    return sum(sizes.values())


def open_files(processes: list[int]) -> Iterator[tuple[int, str, str]]:
    """The process, the number and the target of each descriptor."""
    for process in processes:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    yield process, name, os.readlink(f"/proc/{process}/fd/{name}")


def waiting_in(process: int, descriptor: int) -> int:
    """Bytes in a pipe or a socket of another process."""
    import fcntl

    handle = os.pidfd_open(process)
    try:
        copy = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, handle, descriptor, 0)
    finally:
        os.close(handle)
    if copy < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    try:
        if stat.S_ISSOCK(os.fstat(copy).st_mode):
            queues = (fcntl.ioctl(copy, queue, bytes(4)) for queue in (FIONREAD, TIOCOUTQ))
            return sum(int.from_bytes(queue, sys.byteorder) for queue in queues)
        return fcntl.fcntl(copy, F_GETPIPE_SZ) if any(fcntl.ioctl(copy, FIONREAD, bytes(4))) else 0
    finally:
        os.close(copy)


def in_folders(processes: list[int], folders: list[str]) -> int:
    sizes: dict[int, int] = {}
    for folder in folders:
        try:
            outside = os.stat(folder).st_dev
        except OSError:
            outside = -1
        for process in processes:
            with contextlib.suppress(OSError):
                place = f"/proc/{process}/root{folder}"
                device = os.stat(place).st_dev
                if device != outside:
                    room = os.statvfs(place)
                    files = room.f_files - room.f_ffree
                    sizes[device] = (room.f_blocks - room.f_bfree) * room.f_frsize + files * INODE
    return sum(sizes.values())


class Group:
    """A control group (cgroups v2) for the script and all that it starts. It counts what they use exactly, also what
    nobody has waited for, and ends them at once. Which of that it can do depends on the machine."""

    def __init__(self, folder: str, memory: int) -> None:
        self.folder = folder
        self.counts_cpu = self._read("cpu.stat") != ""
        self.limits_memory = self._write("memory.max", str(memory))
        if self.limits_memory:
            self._write("memory.swap.max", "0")
            self._write("memory.oom.group", "1")

    @classmethod
    def make(cls, memory: int, mounts: str = "/proc/self/mountinfo", own: str = "/proc/self/cgroup") -> Group | None:
        """A new group beside that of this process, or within it; None where none can be made."""
        if os.environ.get(NO_GROUPS):
            return None
        try:
            with open(mounts, encoding="latin-1") as lines:
                (mount,) = (line.split()[4] for line in lines if " - cgroup2 " in line)
            with open(own, encoding="latin-1") as lines:
                (here,) = (line.strip()[3:] for line in lines if line.startswith("0::"))
        except (OSError, ValueError):
            return None
        for parent in dict.fromkeys((os.path.dirname(here), here)):
            place = mount + parent.rstrip("/")
            remove_left_groups(place)
            folder = f"{place}/boardwright-{os.getpid()}"
            try:
                os.mkdir(folder)
                return cls(folder, memory)
            except OSError:
                continue
        return None

    def add(self, process: int) -> None:
        if not self._write("cgroup.procs", str(process)):
            self.counts_cpu = self.limits_memory = False

    def cpu_seconds(self) -> float:
        return int(self._field("cpu.stat", "usage_usec") or 0) / 1e6

    def is_out_of_memory(self) -> bool:
        return self.limits_memory and int(self._field("memory.events", "oom_kill") or 0) > 0

    def kill(self) -> None:
        self._write("cgroup.kill", "1")

    def remove(self) -> None:
        """When all have ended; the kernel may need a moment to notice."""
        for _ in range(200):
            try:
                os.rmdir(self.folder)
                return
            except OSError:
                time.sleep(0.005)

    def _read(self, name: str) -> str:
        try:
            with open(f"{self.folder}/{name}", encoding="latin-1") as file:
                return file.read()
        except OSError:
            return ""

    def _write(self, name: str, text: str) -> bool:
        try:
            handle = os.open(
                f"{self.folder}/{name}", os.O_WRONLY
            )  # never made: a name that is not there cannot be used
        except OSError:
            return False
        try:
            os.write(handle, text.encode())
            return True
        except OSError:
            return False
        finally:
            os.close(handle)

    def _field(self, name: str, field: str) -> str:
        return next((line.split()[1] for line in self._read(name).splitlines() if line.split()[0] == field), "")


def remove_left_groups(place: str) -> None:
    """Empty groups of wardens that were killed."""
    with contextlib.suppress(OSError):
        for name in os.listdir(place):
            if name.startswith("boardwright-") and not os.path.exists(f"/proc/{name.removeprefix('boardwright-')}"):
                with contextlib.suppress(OSError):
                    os.rmdir(f"{place}/{name}")


class Account:
    """CPU seconds of the script and all that it starts, where no control group counts them.

    Nobody tells the whole truth: who ends without being waited for takes his time along, and who comes and goes between
    two looks is never seen. So there are two accounts, each too low, and the higher one counts.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[int, int], int] = {}
        """By process and when it began, what it had used when it was last seen."""
        self.ticks = 0

    def cpu_seconds(self, running: list[int]) -> float:
        import resource

        waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
        known = int((waited_for.ru_utime + waited_for.ru_stime) * CLOCK)
        for process in running:
            own, children, began = cpu_ticks(process)
            if began >= 0:
                self.seen[process, began] = own
                known += own + children
        self.ticks = max(self.ticks, known, sum(self.seen.values()))
        return self.ticks / CLOCK

    def system_v(self) -> int:
        """Bytes of shared memory that they have made in the way of System V, attached or not."""
        makers = {process for process, _ in self.seen}
        total = 0
        with contextlib.suppress(OSError), open("/proc/sysvipc/shm", encoding="latin-1") as lines:
            names = next(lines).split()
            for line in lines:
                row = dict(zip(names, line.split(), strict=False))
                if int(row["cpid"]) in makers and int(row["nattch"]) == 0:
                    total += int(row["rss"]) + int(row["swap"])
        return total


def reap(script: int, status: int | None) -> int | None:
    """Let those that have ended go; the script's status, if it is among them."""
    while True:
        try:
            pid, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == script:
            status = ended


def wait(script: int, status: int | None, seconds: float) -> int | None:
    """A script whose pipes are closed is about to end, and is given the time to do so."""
    deadline = time.monotonic() + seconds
    while status is None and time.monotonic() < deadline:
        time.sleep(0.001)
        status = reap(script, status)
    return status


def kill_all(script: int, status: int | None, group: Group | None) -> int | None:
    """Again and again, until nobody is left: they may fork meanwhile."""
    while True:
        if group is not None:
            group.kill()
        if status is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(script, signal.SIGKILL)
        left = descendants()
        for process in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        status = reap(script, status)
        if not descendants():
            return status
        time.sleep(0.001)


class Log:
    """The script's standard error, and the line of it that says what went wrong."""

    def __init__(self, file: str, source: int) -> None:
        self.source = source
        self.file = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600) if file else -1
        self.room = LONGEST_LOG
        self.tail = b""

    def read(self) -> bool:
        """Whether there was something."""
        try:
            output = os.read(self.source, 65536)
        except BlockingIOError:
            return False
        if self.file >= 0 and self.room > 0 and output:
            try:
                os.write(self.file, output[: self.room])
            except OSError:
                self.room = 0
            self.room -= len(output)
        self.tail = (self.tail + output)[-4096:]
        return bool(output)

    def telling_line(self) -> str:
        """The last line that names an error, else the last: Node.js ends with its version, not with what went wrong."""
        lines = [line.strip() for line in self.tail.decode(errors="replace").splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower()] or lines
        return "".join(c if c.isprintable() else " " for c in telling[-1])[:500] if telling else ""


class Watch:
    """What the script and its children may use."""

    def __init__(self, memory: int, cpu: float, processes: int, folders: list[str], group: Group | None) -> None:
        self.memory, self.cpu, self.processes = memory, cpu, processes
        self.folders, self.group = folders, group
        self.account = Account()
        self.used_before = 0.0

    def new_game(self) -> None:
        self.used_before = self.cpu_seconds(descendants())

    def cpu_seconds(self, running: list[int]) -> float:
        if self.group is not None and self.group.counts_cpu:
            return self.group.cpu_seconds()
        return self.account.cpu_seconds(running)

    def exceeded(self) -> str:
        """The limit that is exceeded, or nothing."""
        running = descendants()
        if len(running) > self.processes:
            return "processes"
        if self.is_out_of_memory(running):
            return "memory"
        if self.cpu_seconds(running) - self.used_before > self.cpu:
            return "cpu"
        return ""

    def is_out_of_memory(self, running: list[int]) -> bool:
        if self.group is not None and self.group.limits_memory:
            return self.group.is_out_of_memory()
        return memory_of(running, self.folders) + self.account.system_v() > self.memory


def watch(script: int, control: int, woken: int, log: Log, limits: Watch) -> tuple[int | None, str]:
    """Until the script ends or is to end: its status, and the limit that it broke."""
    events = select.poll()
    for source in (control, woken, log.source):
        events.register(source, select.POLLIN)
    status: int | None = None
    next_look = time.monotonic() + TICK
    while status is None:
        for source, _ in events.poll(max(0.0, 1000 * (next_look - time.monotonic()))):
            if source == log.source:
                if not log.read():
                    events.unregister(source)
            elif source == woken:
                os.read(woken, 512)
                status = reap(script, status)
            else:
                order = os.read(control, 512)
                for word, seconds in GRACE.items():
                    if word in order:
                        return wait(script, status, seconds), ""
                if not order or b"end" in order:
                    return status, ""
                limits.new_game()
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + TICK
            if limit := limits.exceeded():
                return status, limit
            status = reap(script, status)
    if limits.group is not None and limits.group.is_out_of_memory():  # it has not ended by itself
        return status, "memory"
    return status, ""


def main(arguments: list[str]) -> None:
    given, command = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    control, calls, file = int(given[0]), int(given[1]), given[2]
    memory, cpu, processes, folders = (
        int(given[3]),
        float(given[4]),
        int(given[5]),
        [folder for folder in given[6].split(":") if folder],
    )
    os.set_inheritable(control, False)
    if calls >= 0:
        os.set_inheritable(calls, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: None)  # the host's word counts
    source, errors = os.pipe()
    os.set_blocking(source, False)
    log = Log(file, source)
    group = Group.make(memory)
    script = start(command, memory, errors, calls, group)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # the script's pipes are the script's alone
    os.dup2(nothing, 1)
    os.close(errors)
    if calls >= 0:
        os.close(calls)
    limits = Watch(memory, cpu, processes, folders, group)
    status, limit = watch(script, control, woken, log, limits)
    ended_itself = status is not None
    status = kill_all(script, status, group)
    if group is not None:
        group.remove()
    while log.read():
        pass
    if limit:
        how = f"limit {limit}"
    elif status is None or not ended_itself:
        how = "ended"
    elif os.WIFSIGNALED(status):
        how = f"signal {os.WTERMSIG(status)}"
    else:
        how = f"exit {os.WEXITSTATUS(status)}"
    with contextlib.suppress(OSError):  # the host is gone
        os.write(control, f"{how}\t{log.telling_line()}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1:])
