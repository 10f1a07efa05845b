"""What happens in the processes in which agents think: jobs come in, answers go out.

A job names its position by the game's beginning and its actions, so that any worker can take it. A worker keeps the
agents of tables it has served before and tells them only what is new; a worker that has not is told the whole game.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from boardwright.agents import RememberedCase
from boardwright.agents.base import STOP
from boardwright.arena.session import GameSession, positions
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.kernel import State, rng
from boardwright.registry import load_game

_SESSIONS = 256


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
        """The position at its end; BadRecord if the actions do not fit."""
        *_, (state, _) = positions(self.start(), self.actions)
        return state

    def session(self, seat: int, spec: str, seed: int) -> GameSession:
        """A session in which one agent sits in its seat; what the others do comes from elsewhere."""
        seats = range(self.seats)
        return GameSession(
            load_game(self.game),
            [spec if other == seat else None for other in seats],
            seed=self.seed,
            agent_seeds=[seed for _ in seats],
            options=dict(self.options),
            on_failure=STOP,
        )

    def begins_as(self, session: GameSession) -> bool:
        """Whether it is the same game that is played there, so far as it was dealt."""
        known = load_game(self.game), self.seats, self.seed, dict(self.options)
        return known == (session.game, len(session.players), session.seed, session.options)


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


def serve(connection: Connection) -> None:
    """Answer jobs until the connection closes. An answer is (True, result) or (False, what went wrong)."""
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
        self._known: OrderedDict[tuple[str, int, str], GameSession] = OrderedDict()

    def run(self, job: Job) -> Any:
        if isinstance(job, Decide):
            return self._decide(job)
        if isinstance(job, Finish):
            return self._finish(job)
        return estimate(job)

    def _decide(self, job: Decide) -> Thought:
        position = job.line.position()
        if position.is_terminal:
            raise BadSpec("the game is over; there is nothing to decide")
        key = (job.table, position.player, job.spec)
        session = self._known.pop(key, None) if job.table else None
        if session is not None and not job.line.begins_as(session):
            session.close()
            session = None
        session = session or job.line.session(position.player, job.spec, job.seed)
        try:
            thought = _decide(session, job.line.actions)
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
            with self._known.pop(key) as session:
                if job.line.begins_as(session) and session.leads_to(job.line.actions):
                    session.restart_at(job.line.actions)
                    session.end()


def _decide(session: GameSession, actions: Sequence[int]) -> Thought:
    session.restart_at(actions)
    begin = time.perf_counter()
    decision = session.ask()
    seconds = time.perf_counter() - begin
    opinions = tuple(
        Opinion(int(reason.action), reason.value, reason.weight, reason.visits, reason.note)
        for reason in decision.reasons
    )
    return Thought(int(decision.action), decision.forced, decision.summary, opinions, seconds, decision.cases)


def estimate(job: Estimate) -> list[list[float]]:
    """For each position, the share of playouts that each seat wins; shared wins count in part."""
    found, wanted = [], iter(job.moves)
    at = next(wanted, None)
    for number, (state, _) in enumerate(positions(job.line.start(), job.line.actions)):
        while at == number:
            found.append(_chances(state, job))
            at = next(wanted, None)
        if at is None:
            break
    return found


def _chances(state: State, job: Estimate) -> list[float]:
    if state.is_terminal:
        return _shares(state.returns)
    game = state.game
    playout = game.entries.playout("heuristic" if "heuristic" in game.search.policies else "random")
    scratch = np.empty(game.max_legal, np.int64)
    rng_state = rng.generator(rng.derive(job.line.seed, rng.Stream.ESTIMATES, len(job.line.actions)))
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
