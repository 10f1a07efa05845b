"""A dry run for authors of scripts: a few games, the conversation line by line, and what is wrong with it."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from boardwright.agents import Agent, Spec
from boardwright.agents.base import STOP
from boardwright.arena.session import GameSession
from boardwright.blame import printable
from boardwright.errors import AgentFailed, BadSpec
from boardwright.kernel import Game, rng
from boardwright.kernel.ready import make_ready
from boardwright.scripts.agent import Script
from boardwright.scripts.process import LONGEST_LINE, ScriptProcess, end_idle

FROM_HOST, FROM_SCRIPT = ">", "<"
_GRACE = 5.0
"""Seconds that a script gets to end when its input has ended."""

ShowLine = Callable[[int, str, str], None]
"""Hears each line of the conversation: its number, FROM_HOST or FROM_SCRIPT, and the line."""


@dataclass
class Verdict:
    """What a dry run has shown."""

    name: str = ""
    lines: int = 0
    games: int = 0
    decisions: list[float] = field(default_factory=list)
    """Seconds that each took."""
    failure: str = ""
    """What is wrong; empty if nothing is."""
    line: int = 0
    """The line of the conversation that shows it."""
    hints: list[str] = field(default_factory=list)
    """What could be better, and what may have caused a failure."""

    def summary(self) -> str:
        if not self.decisions:
            return f"{self.games} games, no decisions"
        middle, slowest = statistics.median(self.decisions), max(self.decisions)
        return (
            f"{self.games} games, {len(self.decisions)} decisions: {1000 * middle:.2f} ms each (median),"
            f" {1000 * slowest:.2f} ms the slowest"
        )


class _Watched(Script):
    """A script whose conversation is shown."""

    on_failure = STOP
    show_line: ShowLine
    verdict: Verdict

    @classmethod
    def label(cls) -> str:
        return "script"

    def _send(self, process: ScriptProcess, line: bytes, deadline: float) -> None:
        self._show(FROM_HOST, line)
        super()._send(process, line, deadline)

    def _receive(self, process: ScriptProcess, deadline: float) -> bytes:
        line = super()._receive(process, deadline)
        self._show(FROM_SCRIPT, line)
        return line

    def _show(self, who: str, line: bytes) -> None:
        self.verdict.lines += 1
        self.show_line(self.verdict.lines, who, printable(line.decode(errors="replace"), LONGEST_LINE))

    def decide(self, observation: Any) -> Any:
        began = time.monotonic()
        decision = super().decide(observation)
        self.verdict.decisions.append(time.monotonic() - began)
        reasons = [reason.action for reason in decision.reasons]
        if reasons and decision.action not in reasons:
            self._hint(f"line {self.verdict.lines}: the reasons do not mention the action that was chosen")
        return decision

    def _hint(self, text: str) -> None:
        if not any(known.partition(": ")[2] == text.partition(": ")[2] for known in self.verdict.hints):
            self.verdict.hints.append(text)


def check_script(
    spec: str,
    game: Game,
    *,
    games: int = 2,
    seats: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    show_line: ShowLine = lambda number, who, line: None,
) -> Verdict:
    """Play a few games against random agents, in each seat in turn, and look at what the script says."""
    parsed = Spec.parse(spec)
    if parsed.name != "script":
        raise BadSpec(f"{spec} is not a script; give its command, as ./bot.py or 'node bot.js'")
    count = game.check_seats(seats)
    verdict = Verdict()

    def watched(game: Game, seat: int, seed: int) -> Agent:
        script = _Watched(game, seat, seed=seed, **parsed.params)
        script.show_line, script.verdict = show_line, verdict
        return script

    for number in range(games):
        seat = number % count
        session = GameSession(
            game,
            [watched if at == seat else "random" for at in range(count)],
            seed=rng.derive(seed, number) >> 1,
            agent_seeds=[rng.derive(seed, number, 1) if at == seat else number for at in range(count)],
            options=options,
        )
        with session:
            if number == 0:
                make_ready(session.needs())
            try:
                session.play()
            except AgentFailed as error:
                verdict.failure, verdict.line = str(error), verdict.lines
                verdict.hints += _causes(str(error))
                break
            verdict.games += 1
            if number == games - 1:
                _end_of_input(session.agents[seat], verdict)
    end_idle()
    return verdict


def _end_of_input(watched: Agent, verdict: Verdict) -> None:
    """Whether it ends by itself when there is nothing more to read."""
    assert isinstance(watched, Script)
    process = watched._process
    if process is None:
        return
    if not process.ends_by_itself(time.monotonic() + _GRACE):
        verdict.hints.append(
            f"still running {_GRACE:g} seconds after the end of its input; end the program there, or it is killed"
        )
    process.end()
    watched._process = None


def _causes(failure: str) -> list[str]:
    """What most often leads to a failure like this."""
    if failure.startswith("late"):
        return ["is each answer a whole line, and flushed? print(…, flush=True), fflush(stdout), stdbuf -oL"]
    if failure.startswith(("not JSON", "not a JSON", "there is no")):
        return ["standard output is for answers only: one JSON object per line; print anything else to standard error"]
    if failure.startswith("spoke without being asked"):
        return ["answer each hello, decide and answers with one line, and end with none"]
    if "standard output" in failure and "exit code 127" in failure:
        return [f"can the program be run from {os.getcwd()}?"]
    return []
