"""What happens in the processes in which agents think: jobs come in, answers go out.

A job names its position by the game's beginning and its actions, so that any worker can take it. A worker keeps the
agents of tables it has served before and tells them only what is new; a worker that has not is told the whole game.
"""

from __future__ import annotations

import resource
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from boardwright.agents import Agent, Decision, RememberedCase
from boardwright.arena.loop import OngoingGame
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.executors import follow_parent
from boardwright.kernel import State, rng
from boardwright.registry import load_game, make_agent

_SESSIONS = 256
_PLAYOUTS = 3  # keeps the random numbers of estimates apart from other seeds


@dataclass(frozen=True)
class Line:
    """A position as the way to it: how the game began, and what was played."""

    game: str
    seats: int
    seed: int
    options: tuple[tuple[str, bool | int | str], ...]
    actions: tuple[int, ...]

    def start(self) -> State:
        return load_game(self.game).new(seed=self.seed, seats=self.seats, **dict(self.options))

    def position(self) -> State:
        """The position at its end; IllegalAction if the actions do not fit."""
        state = self.start()
        for action in self.actions:
            state.apply(action)
        return state


@dataclass(frozen=True)
class Decide:
    """What would this agent do here, and why?"""

    line: Line
    spec: str
    seed: int
    table: str = ""
    """The table it plays at; empty: somebody just asks."""


@dataclass(frozen=True)
class Opinion:
    """What an agent thought of one action."""

    action: int
    value: float | None
    weight: float | None
    visits: int | None
    note: str


@dataclass(frozen=True)
class Thought:
    action: int
    forced: bool
    summary: str
    opinions: tuple[Opinion, ...]
    seconds: float
    cases: tuple[RememberedCase, ...] = ()


@dataclass(frozen=True)
class Finish:
    """The game at a table is over, or not played on: its agents are not needed any more."""

    line: Line
    table: str


@dataclass(frozen=True)
class Estimate:
    """Everybody's chance to win, by playouts from what a seat knows (None: from the position as it is)."""

    line: Line
    moves: tuple[int, ...]
    """After how many moves; estimates of several positions are one job."""
    seat: int | None
    playouts: int = 200
    seconds: float = 0.1


Job = Decide | Finish | Estimate


def serve(connection: Connection, memory_mb: int) -> None:
    """Answer jobs until the connection closes. An answer is (True, result) or (False, what went wrong)."""
    follow_parent()
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    sessions = Sessions()
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            answer: tuple[bool, Any] = True, sessions.run(job)
        except BoardwrightError as error:
            answer = False, str(error)
        except (Exception, SystemExit) as error:  # an agent's own failure: the table is told, the worker lives on
            answer = False, f"{type(error).__name__}: {error}"
        connection.send(answer)


class Sessions:
    """The agents that a worker knows, by table, seat and spec."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int, str], Session] = OrderedDict()

    def run(self, job: Job) -> Any:
        if isinstance(job, Decide):
            return self._decide(job)
        if isinstance(job, Finish):
            return self._finish(job)
        return estimate(job)

    def _decide(self, job: Decide) -> Thought:
        seat = job.line.position().player
        key = (job.table, seat, job.spec)
        session = self._known.pop(key, None) if job.table else None
        if session is not None and not session.leads_to(job.line):
            session.close()
            session = None
        session = session or Session(job.line, seat, job.spec, job.seed)
        try:
            thought = session.decide(job.line.actions)
        except BaseException:
            session.close()
            raise
        if job.table:
            self._known[key] = session
            if len(self._known) > _SESSIONS:
                self._known.popitem(last=False)[1].close()
        else:
            session.close()
        return thought

    def _finish(self, job: Finish) -> None:
        for key in [key for key in self._known if key[0] == job.table]:
            session = self._known.pop(key)
            if session.leads_to(job.line):
                session.follow(job.line.actions)
                if session.game.state.is_terminal:
                    session.game.end()
            session.close()


class Session:
    """One agent in its seat, and how much of the game it has been told."""

    def __init__(self, line: Line, seat: int, spec: str, seed: int) -> None:
        state = line.start()
        if not 0 <= seat < state.seats:
            raise BadSpec("the game is over; there is nothing to decide")
        self.seat = seat
        self.beginning = line
        self.agent = make_agent(spec, state.game, seat, seed=seed)
        self.agent.game_options = dict(line.options)
        others = [self.agent if other == seat else Agent(state.game, other) for other in range(state.seats)]
        self.game = OngoingGame(state, others)
        self.played: list[int] = []
        self.own: int | None = None  # its last decision, if it may be the next action
        self.game.start()

    def leads_to(self, line: Line) -> bool:
        """Whether the line goes on from where the agent is."""
        same = (line.game, line.seats, line.seed, line.options) == (
            self.beginning.game,
            self.beginning.seats,
            self.beginning.seed,
            self.beginning.options,
        )
        return same and list(line.actions[: len(self.played)]) == self.played

    def follow(self, actions: Sequence[int]) -> None:
        for action in actions[len(self.played) :]:
            decision = Decision(action)
            if self.game.state.player == self.seat and action != self.own:
                decision.forced = True  # somebody else chose for this seat: the agent is told
            self.own = None
            self.game.play(decision)
            self.played.append(action)

    def decide(self, actions: Sequence[int]) -> Thought:
        self.follow(actions)
        begin = time.perf_counter()
        decision = self.game.ask()
        seconds = time.perf_counter() - begin
        self.own = None if decision.forced else decision.action
        opinions = tuple(
            Opinion(int(reason.action), reason.value, reason.weight, reason.visits, reason.note)
            for reason in decision.reasons
        )
        return Thought(int(decision.action), decision.forced, decision.summary, opinions, seconds, decision.cases)

    def close(self) -> None:
        self.agent.close()


def estimate(job: Estimate) -> list[list[float]]:
    """For each position, the share of playouts that each seat wins; shared wins count in part."""
    state, found, wanted = job.line.start(), [], iter(job.moves)
    at = next(wanted, None)
    for number, action in enumerate((*job.line.actions, None)):
        while at == number:
            found.append(_chances(state, job))
            at = next(wanted, None)
        if action is None or at is None:
            break
        state.apply(action)
    return found


def _chances(state: State, job: Estimate) -> list[float]:
    if state.is_terminal:
        return _shares(state.returns)
    game = state.game
    playout = game.entries.playout("heuristic" if "heuristic" in game.search.policies else "random")
    scratch = np.empty(game.max_legal, np.int64)
    rng_state = rng.generator(rng.derive(job.line.seed, _PLAYOUTS, len(job.line.actions)))
    known = None if job.seat is None else state.observation(job.seat)
    total, count, end = np.zeros(state.seats), 0, time.perf_counter() + job.seconds
    while count < job.playouts and (count < 10 or time.perf_counter() < end):
        trial = state.copy() if known is None else known.determinize(seed=rng.draw(rng_state) >> 1)
        playout(trial.memory, scratch, rng_state)
        total += _shares(trial.returns)
        count += 1
    return [round(float(share), 4) for share in total / count]


def _shares(returns: Sequence[float]) -> list[float]:
    """1 for the winner, or a part of it for each of several."""
    first = [own == max(returns) for own in returns]
    return [won / sum(first) for won in first]
