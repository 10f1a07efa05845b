"""A script's process as the host holds it: lines in, lines out, each with a deadline.

The warden (warden.py) stands between: it sets the limits, watches them, and ends the script with all its children, also
when the host itself is killed.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boardwright.errors import BoardwrightError
from boardwright.scripts.limits import Limits

KILLED, GONE, LEAVING = "end", "gone", "leave"
"""How a script ends: at once; with the time to say how it has ended; or by itself, when its input has ended."""
WARDEN = Path(__file__).with_name("warden.py")
LONGEST_LINE = 8_000_000
"""Bytes; what is longer is not an answer."""
_PIPE = 1 << 20
_CHUNK = 1 << 18
_PATIENCE = 10.0
"""Seconds that the warden gets to end everything."""


class ScriptFailed(BoardwrightError):
    """A script is late, has crashed, or says what it should not; the message says which."""


@dataclass(frozen=True)
class Program:
    """What to run, and how: processes of equal programs can stand in for each other."""

    command: tuple[str, ...]
    limits: Limits
    log: str
    """The file that its standard error is appended to; empty: none."""
    environment: tuple[tuple[str, str], ...]
    filter: bytes = b""
    """Of system calls, for a sandbox: what can be read from descriptor 3 when the command starts."""
    folders: tuple[str, ...] = ()
    """Those that a sandbox keeps in memory."""


class ScriptProcess:
    """A running script. Whoever has made it must `end` it; what is forgotten ends with this process."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.games = 0
        self.ended = ""
        """How it has ended, as a sentence; empty while it runs."""
        their_input, self._input = os.pipe()
        self._output, their_output = os.pipe()
        self._control, theirs = socket.socketpair()
        limits, calls = program.limits, _in_a_pipe(program.filter)
        arguments = [theirs.fileno(), calls, program.log, limits.memory << 20, limits.cpu, limits.processes]
        arguments.append(":".join(program.folders))
        try:
            self._warden = subprocess.Popen(
                [sys.executable, "-I", "-S", str(WARDEN), *map(str, arguments), "--", *program.command],
                stdin=their_input,
                stdout=their_output,
                pass_fds=[theirs.fileno(), *([calls] if calls >= 0 else [])],
                start_new_session=True,
                env=dict(program.environment),
            )
        except BaseException:
            os.close(self._input)
            os.close(self._output)
            self._control.close()
            raise
        finally:
            os.close(their_input)
            os.close(their_output)
            theirs.close()
            if calls >= 0:
                os.close(calls)
        import fcntl  # scripts need Linux; this module is imported anywhere

        for pipe in (self._input, self._output):
            os.set_blocking(pipe, False)
            with contextlib.suppress(OSError):  # the user has many pipes already
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self._output, select.POLLIN)
        self._writable.register(self._input, select.POLLOUT)
        self._buffer = bytearray()
        _running.add(self)

    def new_game(self) -> None:
        """CPU seconds are counted from here."""
        self.games += 1
        with contextlib.suppress(OSError):  # it has died, which the next line will tell
            self._control.send(b"game\n")

    def send(self, line: bytes, deadline: float) -> None:
        """A line to the script, by a time of `time.monotonic`."""
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                if not self._writable.poll(_milliseconds(deadline)):
                    raise TimeoutError from None
            except BrokenPipeError:
                raise EOFError("closed its standard input") from None

    def receive(self, deadline: float) -> bytes:
        """The next line of the script. TimeoutError, EOFError or ValueError (too long) if there is none."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > LONGEST_LINE:
                raise ValueError(f"said a line of more than {LONGEST_LINE:,} bytes")
            if not self._readable.poll(_milliseconds(deadline)):
                raise TimeoutError
            output = os.read(self._output, _CHUNK)
            if not output:
                raise EOFError("closed its standard output")
            self._buffer += output
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def has_more_output(self) -> bool:
        """Whether there is something that nobody has asked for."""
        return bool(self._buffer) or any(event & select.POLLIN for _, event in self._readable.poll(0))

    def has_ended(self) -> bool:
        """Whether nobody is left who could answer."""
        return any(event & select.POLLHUP for _, event in self._readable.poll(0))

    def ends_by_itself(self, deadline: float) -> bool:
        """Close its input; whether it has ended by then."""
        os.close(self._input)
        self._input = -1
        while not self.has_ended():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True

    def end(self, how: str = KILLED) -> str:
        """End it with all its children, and say how it ended: nothing if it did not do so itself."""
        if self in _running:
            _running.discard(self)
            self.ended = self._end(how.encode() + b"\n")
        return self.ended

    def _end(self, word: bytes) -> str:
        if self._input >= 0:
            os.close(self._input)
        os.close(self._output)
        with self._control as control:
            with contextlib.suppress(OSError):
                control.send(word)
            control.settimeout(_PATIENCE)
            output = b""
            with contextlib.suppress(OSError):
                while part := control.recv(4096):
                    output += part
        try:
            self._warden.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._warden.kill()
            self._warden.wait()
        how, _, line = output.decode(errors="replace").strip("\n").partition("\t")
        log = f" (more in {_from_here(self.program.log)})" if self.program.log else ""
        return "; ".join(filter(None, [_sentence(how), f"on standard error: {line}{log}" if line else ""]))


def _from_here(file: str) -> str:
    """A file as one would name it in this folder."""
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative


def _sentence(how: str) -> str:
    kind, _, what = how.partition(" ")
    if kind == "exit":
        return f"ended itself with exit code {what}"
    if kind == "signal":
        with contextlib.suppress(ValueError):
            what = signal.Signals(int(what)).name
        return f"was ended by {what}"
    if kind == "limit":
        return {
            "memory": "used more memory than it may",
            "cpu": "used more CPU seconds than it may in a game",
            "processes": "started more processes than it may",
        }[what]
    return "" if kind == "ended" else "its warden was killed"


def _in_a_pipe(content: bytes) -> int:
    """A descriptor that this can be read from; -1 for nothing. It must fit into a pipe."""
    if not content:
        return -1
    ours, theirs = os.pipe()
    try:
        os.write(theirs, content)
    finally:
        os.close(theirs)
    return ours


def _milliseconds(deadline: float) -> float:
    return max(0.0, 1000 * (deadline - time.monotonic()))


_running: set[ScriptProcess] = set()
_idle: dict[Program, list[ScriptProcess]] = {}
_MOST_IDLE = 8


def take(program: Program) -> ScriptProcess:
    """A process that waits for a game, or a new one."""
    waiting = _idle.get(program, [])
    return waiting.pop() if waiting else ScriptProcess(program)


def give_back(process: ScriptProcess) -> None:
    """It can serve another game."""
    waiting = _idle.setdefault(process.program, [])
    if len(waiting) < _MOST_IDLE:
        waiting.append(process)
    else:
        process.end(LEAVING)


def end_idle() -> None:
    """No more games are played: end those that wait for one."""
    for waiting in _idle.values():
        for process in waiting:
            process.end(LEAVING)
    _idle.clear()


def running() -> Sequence[ScriptProcess]:
    """The processes that have not been ended."""
    return tuple(_running)


def _end_all() -> None:
    for process in running():
        process.end()


atexit.register(_end_all)
