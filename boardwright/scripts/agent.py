"""`script:COMMAND`: an agent that is a program in any language, in a process of its own.

The program speaks the protocol of messages.py. Here its answers are checked, its clock is kept, and its failures are
said in one line; who pays for a failure is the arena's business.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from boardwright import __version__, platforms
from boardwright.agents import Agent, Decision, Reason, param
from boardwright.agents.base import FORFEIT
from boardwright.blame import printable
from boardwright.errors import BadSpec
from boardwright.files import digest, files_of_tables, seeds_folder
from boardwright.kernel import Code, Observation
from boardwright.registry import is_file_name, packages
from boardwright.scripts import messages
from boardwright.scripts.limits import Limits
from boardwright.scripts.positions import position_as_json
from boardwright.scripts.process import GONE, KILLED, LEAVING, Program, ScriptFailed, ScriptProcess, give_back, take
from boardwright.scripts.rules import RulesService, code
from boardwright.scripts.sandbox import BWRAP_PROCESSES, FOLDERS, outside, sandboxed
from boardwright.scripts.seccomp import socket_filter

LOGS = Path("script-logs")
_LONGEST_NAME = 100
_SAFE_INTEGER = 53  # bits that every language's numbers hold


class ProcessAgent(Agent):
    """What agents in processes of their own have in common: clock, limits, walls and the conversation."""

    on_failure: ClassVar[str] = FORFEIT
    observes_text: ClassVar[bool] = True

    seconds: float = param(Limits.seconds, "limit for one decision", gt=0)
    game_seconds: float = param(Limits.game_seconds, "limit for all decisions of a game", gt=0)
    start_seconds: float = param(Limits.start_seconds, "limit from hello to ready", gt=0)
    memory: int = param(Limits.memory, "limit in MB, of all its processes", ge=1)
    cpu: float = param(Limits.cpu, "limit of CPU seconds in one game, of all its processes", gt=0)
    processes: int = param(Limits.processes, "how many processes it may be", ge=1)
    sandbox: bool = param(False, "no network, read-only file system (needs bubblewrap)")
    log: str = param("", "file for its standard error; default: a file in script-logs/")

    def prepare(self) -> None:
        if not platforms.LIMITS_CAN_BE_KEPT:
            raise BadSpec("scripts need Linux: their limits are kept with its /proc")
        self._limits = limits = Limits(
            self.seconds, self.game_seconds, self.start_seconds, self.memory, self.cpu, self.processes
        )
        arguments, environment = self.arguments(), self.environment()
        self._program = Program(arguments, limits, self._log_file(), tuple(environment.items()))
        if self.sandbox:
            self._program = replace(
                self._program,
                command=sandboxed(arguments, environment, self.hidden_places(), self.memory, self.files()),
                environment=tuple(outside(environment).items()),
                limits=replace(limits, processes=limits.processes + BWRAP_PROCESSES),
                filter=socket_filter(),
                folders=FOLDERS,
            )
        self._process: ScriptProcess | None = None
        self._positions = False
        self._fresh = False
        self._busy = False
        self._in_game = False
        self._used = 0.0
        self._moves = 0
        self._events: list[dict[str, Any]] = []
        self._history: list[dict[str, Any]] = []
        self._text: str | None = None
        self._rules: RulesService | None = None

    def arguments(self) -> tuple[str, ...]:
        """The command as it is run."""
        raise NotImplementedError

    def log_name(self) -> str:
        """What its log is called: the command without folders."""
        raise NotImplementedError

    def spoken(self) -> str:
        """What it is called in messages."""
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        """The variables that it gets; in a sandbox only a few of them."""
        return dict(os.environ)

    def files(self) -> Sequence[str]:
        """The files that it must be able to read, besides those of the command."""
        return [self.game.source] if is_file_name(self.game.source) else []

    def hidden_places(self) -> Sequence[Path]:
        """What a sandbox must not show: hidden seeds, games that are played at the terminal, and tables of the page."""
        seeds_folder().mkdir(mode=0o700, parents=True, exist_ok=True)  # only what exists can be covered
        return seeds_folder(), Path("games"), *files_of_tables()

    def _log_file(self) -> str:
        if self.log:
            return os.path.abspath(self.log)
        name = "".join(c if c.isalnum() or c in "._-" else "_" for c in self.log_name())
        if len(name) > _LONGEST_NAME:  # others may begin alike
            name = f"{name[:_LONGEST_NAME]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        return str(LOGS.absolute() / f"{name}.log")

    def needs(self) -> Sequence[Code]:
        return code(self.game)

    def check_seats(self, seats: int) -> None:
        """Whether it starts, and says that it is ready."""
        try:
            self._hello(seats, None)
        except ScriptFailed as error:
            raise BadSpec(f"{self.spoken()} is not ready: {error}") from None

    def start_game(self, observation: Observation) -> None:
        self._used, self._moves, self._events, self._history = 0.0, 0, [], []
        self._hello(observation.seats, observation)

    def observe_text(self, seat: int, text: str) -> None:
        self._text = text

    def observe_action(self, seat: int, action: int, observation: Observation) -> None:
        event: dict[str, Any] = {"seat": seat, "action": action, "text": self._text}
        if self._positions:
            event["position"] = position_as_json(self.game, observation.record)
        self._events.append(event)
        self._history.append(event)
        self._text = None
        self._moves += 1

    def decide(self, observation: Observation) -> Decision:
        if self._process is None:  # it has failed before, and a new one is told all; or nobody has begun a game
            self._hello(observation.seats, observation)
            self._events = list(self._history)
        legal = observation.legal_actions()
        began = time.monotonic()
        left = max(0.0, self.game_seconds - self._used)
        deadline = began + min(self.seconds, left)
        describe, record = self.game.text.describe_action, observation.record
        message = {
            "type": "decide",
            "move": self._moves,
            "events": self._events,
            "position": position_as_json(self.game, record),
            "legal": [
                {"action": action, "text": describe(record, action) if describe else f"action {action}"}
                for action in legal
            ],
            "time": {"decision": round(min(self.seconds, left), 3), "game": round(left, 3)},
        }
        try:
            answer = self._decision(message, observation, deadline)
        finally:
            self._used += time.monotonic() - began
            self._events = []
            self._moves += 1
        if answer.action not in legal:
            options = ", ".join(f"{action} ({self.game.describe(observation, action)})" for action in legal)
            raise self._failed(f"action {answer.action} is not legal now; legal: {options}")
        reasons = tuple(
            Reason(reason.action, reason.value, reason.weight, reason.visits, reason.note) for reason in answer.reasons
        )
        for reason in reasons:
            if not 0 <= reason.action < self.game.num_actions:
                raise self._failed(f"gave a reason for action {reason.action}, which does not exist")
        return Decision(answer.action, reasons, answer.summary)

    def end_game(self, observation: Observation, returns: Sequence[float], scores: Sequence[float]) -> None:
        if self._in_game:
            how = "finished" if observation.is_terminal else "forfeit"
            self._end(how, position_as_json(self.game, observation.record), list(returns), list(scores))

    def close(self) -> None:
        if self._process is not None and self._in_game and not self._busy:
            self._end("stopped", None, None, None)
        if self._process is not None:
            if self._busy:
                self._process.end()
            elif self._fresh:
                self._process.end(LEAVING)
            else:
                give_back(self._process)
            self._process = None

    def own_seed(self) -> int:
        """For the script's own chance."""
        return self.seed >> (64 - _SAFE_INTEGER)

    def _hello(self, seats: int, observation: Observation | None) -> None:
        """A game begins: a process, and its word that it is ready."""
        deadline = time.monotonic() + self.start_seconds
        if self._process is None:
            self._make_log_folder()
            self._process = take(self._program)
        message = self._hello_message(seats, observation)
        self._in_game = True
        try:
            answer = self._greeted(message, deadline)
        except EOFError as error:
            if self._process.games < 2:
                raise self._failed(str(error), gone=True) from None
            self._process.end()  # one that ends itself after a game may
            self._process = ScriptProcess(self._program)
            try:
                answer = self._greeted(message, deadline)
            except EOFError as again:
                raise self._failed(str(again), gone=True) from None
        if not isinstance(answer, messages.Ready):
            raise self._failed(f'answered hello with "{answer.type}", not "ready"')
        self._fresh, self._positions = answer.fresh, answer.positions
        self.asked_if_forced = answer.forced  # type: ignore[misc]

    def _greeted(self, message: dict[str, Any], deadline: float) -> messages.FromScript:
        assert self._process is not None
        self._process.new_game()
        return self._exchange(message, deadline, self.start_seconds)

    def _hello_message(self, seats: int, observation: Observation | None) -> dict[str, Any]:
        return {
            "type": "hello",
            "protocol": messages.VERSION,
            "host": f"boardwright {__version__}",
            "game": self.game.source or self.game.name,
            "rules": self._rules_version(),
            "seats": seats,
            "seat": self.seat,
            "seat_names": [self.game.seat_name(seat) for seat in range(seats)],
            "options": dict(self.game_options),
            "num_actions": self.game.num_actions,
            "min_utility": self.game.min_utility,
            "max_utility": self.game.max_utility,
            "seed": self.own_seed(),
            "limits": self._limits.as_message(),
            "position": None if observation is None else position_as_json(self.game, observation.record),
        }

    def _decision(self, message: dict[str, Any], observation: Observation, deadline: float) -> messages.Action:
        limit = deadline - time.monotonic()
        try:
            answer = self._exchange(message, deadline, limit)
            if isinstance(answer, messages.Ask):
                self._rules = self._rules or RulesService(self.game, observation.seats, self.seed)
                self._rules.begin(observation)
            while isinstance(answer, messages.Ask):
                assert self._rules is not None
                answer = self._exchange(self._rules.answer(answer, deadline), deadline, limit)
        except TimeoutError:
            raise self._failed(f"late: what it asked for takes more than {max(0.0, limit):.3g} seconds") from None
        except EOFError as error:
            raise self._failed(str(error), gone=True) from None
        if not isinstance(answer, messages.Action):
            raise self._failed(f'answered decide with "{answer.type}", not "action" or "ask"')
        return answer

    def _exchange(self, message: dict[str, Any], deadline: float, limit: float) -> messages.FromScript:
        """Send a message, and receive the answer. EOFError if nobody is there."""
        process = self._process
        assert process is not None
        self._busy = True
        try:
            if process.has_more_output():
                raise ValueError("spoke without being asked")
            self._send(process, messages.encode(message), deadline)
            answer = messages.parse(self._receive(process, deadline))
        except TimeoutError:
            raise self._failed(f"late: no answer within {max(0.0, limit):.3g} seconds") from None
        except ValueError as error:
            raise self._failed(str(error)) from None
        self._busy = False
        if isinstance(answer, messages.Error):
            raise self._failed(answer.reason)
        return answer

    def _send(self, process: ScriptProcess, line: bytes, deadline: float) -> None:
        process.send(line, deadline)

    def _receive(self, process: ScriptProcess, deadline: float) -> bytes:
        return process.receive(deadline)

    def _end(self, how: str, position: Any, returns: Any, scores: Any) -> None:
        message = {
            "type": "end",
            "how": how,
            "events": self._events,
            "position": position,
            "returns": returns,
            "scores": scores,
        }
        self._in_game = False
        assert self._process is not None
        try:
            self._send(self._process, messages.encode(message), time.monotonic() + self.seconds)
        except (TimeoutError, EOFError):  # it does not listen any more: the game is over anyway
            self._process.end()
            self._process = None

    def _failed(self, why: str, *, gone: bool = False) -> ScriptFailed:
        """The failure as an error; the process is not used again."""
        assert self._process is not None
        how = self._process.end(GONE if gone else KILLED)
        self._process, self._busy, self._in_game = None, False, False
        return ScriptFailed(printable(f"{why}; {how}" if how else why))

    def _rules_version(self) -> str:
        source = self.game.source or self.game.name
        if is_file_name(source):
            return f"file {digest(Path(source))}"
        return ", ".join(f"{name} {version}" for name, version in packages(source, ()).items())

    def _make_log_folder(self) -> None:
        try:
            Path(self._program.log).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadSpec(f"cannot log what scripts say in {self._program.log}: {error.strerror}") from None


class Script(ProcessAgent):
    """A program in any language, in a process of its own: script:./bot.py or script:"node bot.js"."""

    command: str = param("", "the program and its arguments")

    def arguments(self) -> tuple[str, ...]:
        """The command as it is run. A Python file is run by this Python."""
        try:
            arguments = shlex.split(self.command)
        except ValueError as error:
            raise BadSpec(f"script:{self.command}: {error}") from None
        if not arguments:
            raise BadSpec("agent 'script' needs a command, as script:./bot.py or script:\"node bot.js\"")
        return program_arguments(arguments)

    def log_name(self) -> str:
        return " ".join(os.path.basename(word) for word in shlex.split(self.command))

    def spoken(self) -> str:
        return f"script {self.command}"


def registered_script(name: str, file: Path) -> type[Agent]:
    """The agent class for a script that another package has registered."""

    class Registered(ProcessAgent):
        __doc__ = f"The script {file.name} of another package, in a process of its own."

        @classmethod
        def label(cls) -> str:
            return name

        def arguments(self) -> tuple[str, ...]:
            return program_arguments([str(file)])

        def log_name(self) -> str:
            return name

        def spoken(self) -> str:
            return f"script {name}"

    return Registered


_INTERPRETERS = {".sh": "sh", ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".php": "php"}
"""What runs files of these kinds."""


def program_arguments(arguments: Sequence[str]) -> tuple[str, ...]:
    """A command as it is run. A Python file is run by this Python."""
    program = arguments[0]
    if program.endswith(".py") and os.path.isfile(program):
        return (sys.executable, os.path.abspath(program), *arguments[1:])
    found = shutil.which(program)
    if found is None and os.path.isfile(program):
        raise BadSpec(
            f"script {program} cannot be executed; make it executable (chmod +x), or name what runs it, as"
            f' script:"{_INTERPRETERS.get(os.path.splitext(program)[1], "node")} {program}"'
        )
    if found is None:
        raise BadSpec(f"script {program}: there is no such program")
    return (os.path.abspath(found) if os.path.dirname(program) else found, *arguments[1:])
