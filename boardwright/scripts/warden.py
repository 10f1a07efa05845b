"""The warden: a small process between the host and a script, which ends the script with all that it has started.

It runs by itself, without the rest of the package, so that it starts quickly:

    python -I -S warden.py CONTROL LOG MEMORY CPU PROCESSES -- COMMAND...

Its standard input and output go to the script. CONTROL is a socket to the host: "game" on it begins a new account of
CPU seconds; "end", or the end of it, means that the script is to be killed; "gone" that it seems to have ended, and
"leave" that it may end by itself, within a moment. When the script has ended, in whatever way, one line tells the host
how: "exit 1", "signal 9" or "limit memory", a tab, and the last line of its standard error.

Orphans of the script become children of the warden (a "subreaper"), so that nobody escapes by forking twice.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TICK = 0.1  # seconds between two looks at memory, CPU and processes
GRACE = {b"gone": 0.5, b"leave": 2.0}  # seconds between a script's last word and its end
LONGEST_LOG = 10_000_000  # bytes that one process may add to its log
MOST_FILES, LARGEST_FILE = 1024, 1 << 30
PAGE = os.sysconf("SC_PAGE_SIZE")
CLOCK = os.sysconf("SC_CLK_TCK")


def prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def start(command: list[str], memory: int, errors: int) -> int:
    """The script, in a session and process group of its own."""
    warden = os.getpid()
    script = os.fork()
    if script:
        return script
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != warden:
            os._exit(1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
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
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    children = [int(child) for child in file.read().split()]
                found += children
                waiting += children
        except OSError:  # it has just ended
            continue
    return found


def cpu_seconds(process: int) -> float:
    """What a process and those it has waited for have used."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / CLOCK


def resident(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm") as file:
            fields = file.read().split()
    except OSError:
        return 0
    return PAGE * (int(fields[1]) - int(fields[2]))  # without what it shares with others


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


def kill_all(script: int, status: int | None) -> int | None:
    """Again and again, until nobody is left: they may fork meanwhile."""
    while True:
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
    """The script's standard error, and the last line of it."""

    def __init__(self, file: str, source: int) -> None:
        self.source = source
        self.file = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600) if file else -1
        self.room = LONGEST_LOG
        self.tail = b""

    def read(self) -> bool:
        """Whether there was something."""
        try:
            said = os.read(self.source, 65536)
        except BlockingIOError:
            return False
        if self.file >= 0 and self.room > 0 and said:
            try:
                os.write(self.file, said[: self.room])
            except OSError:
                self.room = 0
            self.room -= len(said)
        self.tail = (self.tail + said)[-4096:]
        return bool(said)

    def last_line(self) -> str:
        lines = [line.strip() for line in self.tail.decode(errors="replace").splitlines() if line.strip()]
        return "".join(c if c.isprintable() else " " for c in lines[-1])[:500] if lines else ""


class Watch:
    """What the script and its children may use."""

    def __init__(self, memory: int, cpu: float, processes: int) -> None:
        self.memory, self.cpu, self.processes = memory, cpu, processes
        self.used_before = 0.0

    def new_game(self) -> None:
        self.used_before = sum(map(cpu_seconds, descendants()))

    def exceeded(self) -> str:
        """The limit that is exceeded, or nothing."""
        running = descendants()
        if len(running) > self.processes:
            return "processes"
        if sum(map(resident, running)) > self.memory:
            return "memory"
        if sum(map(cpu_seconds, running)) - self.used_before > self.cpu:
            return "cpu"
        return ""


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
                told = os.read(control, 512)
                for word, seconds in GRACE.items():
                    if word in told:
                        return wait(script, status, seconds), ""
                if not told or b"end" in told:
                    return status, ""
                limits.new_game()
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + TICK
            if limit := limits.exceeded():
                return status, limit
            status = reap(script, status)
    return status, ""


def main(arguments: list[str]) -> None:
    control, command = int(arguments[0]), arguments[arguments.index("--") + 1 :]
    memory, cpu, processes = int(arguments[2]), float(arguments[3]), int(arguments[4])
    os.set_inheritable(control, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: None)  # the host's word counts
    source, errors = os.pipe()
    os.set_blocking(source, False)
    log = Log(arguments[1], source)
    script = start(command, memory, errors)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # the script's pipes are the script's alone
    os.dup2(nothing, 1)
    os.close(errors)
    status, limit = watch(script, control, woken, log, Watch(memory, cpu, processes))
    ended_itself = status is not None
    status = kill_all(script, status)
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
        os.write(control, f"{how}\t{log.last_line()}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1:])
