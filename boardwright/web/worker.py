"""What happens in the processes in which agents think: jobs come in, answers go out.

A job names its position by the game's beginning and its actions, so that any worker can take it. A worker keeps the
agents of tables it has served before and sends them only what is new; any other replays the whole game.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from boardwright.agents.base import STOP
from boardwright.arena.session import GameSession, positions
from boardwright.errors import BadPosition, BadSpec, BoardwrightError
from boardwright.files import parse_json
from boardwright.kernel import Game, State, ready, rng
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready
from boardwright.positions import deal, position_in
from boardwright.registry import load_game
from boardwright.terminal.set_hints import advised_set
from boardwright.web import messages
from boardwright.web.views import set_choice

_SESSIONS = 256


@dataclass(frozen=True)
class Line:
    """A position as the way to it: how the game began, and what was played."""

    game: str
    seats: int
    seed: int
    options: tuple[tuple[str, bool | int | str], ...]
    actions: tuple[int, ...]
    dealt: str = ""
    """What it began with, if that was no fresh deal: a position as JSON (boardwright/positions.py)."""

    def start(self) -> State:
        return first_state(load_game(self.game), self.seats, self.seed, dict(self.options), self.dealt)

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
            position=self._given,
        )

    @property
    def _given(self) -> dict[str, Any] | None:
        return parse_json(self.dealt) if self.dealt else None

    def begins_as(self, session: GameSession) -> bool:
        """Whether it is the same game that is played there, so far as it was dealt."""
        known = load_game(self.game), self.seats, self.seed, dict(self.options), self._given
        return known == (session.game, len(session.players), session.seed, session.options, session.position)


def first_state(game: Game, seats: int, seed: int, options: Mapping[str, bool | int | str], dealt: str) -> State:
    """A fresh deal, or the position that is written there; BadPosition, by field, if it cannot exist."""
    if not dealt:
        return game.new(seed=seed, seats=seats, **options)
    state = deal(game, position_in(dealt), seed)
    if state.seats != seats:
        raise BadPosition(f"the position has {state.seats} seats, not {seats}")
    return state


@dataclass(frozen=True)
class Decide:
    """What would this agent do here, and why?"""

    line: Line
    spec: str
    seed: int
    table: str = ""
    """The table it plays at; empty if somebody just asks."""


@dataclass(frozen=True)
class Finish:
    """The game at a table is over, or not played on: its agents are not needed any more."""

    line: Line
    table: str


@dataclass(frozen=True)
class Estimate:
    """Everybody's chance to win, by playouts from what a seat knows (None: from what each of them knows, in turn)."""

    line: Line
    moves: tuple[int, ...]
    """The numbers of moves after which to estimate."""
    seat: int | None
    playouts: int = 200
    seconds: float = 0.1


@dataclass(frozen=True)
class ReviewMoves:
    """What did these moves of a finished game cost (reviewing.py)?"""

    line: Line
    moves: tuple[int, ...]
    """Their numbers, from 1."""
    explain: bool = False


@dataclass(frozen=True)
class ExplainPuzzle:
    """Why is the answer of a puzzle better than this action?"""

    line: Line
    puzzle: str
    """The puzzle as JSON."""
    action: int


Job = Decide | Finish | Estimate | ReviewMoves | ExplainPuzzle


@dataclass(frozen=True)
class Compiling:
    """Before the work begins: so much of the code that it needs is compiled, from 0 to 1."""

    share: float


@dataclass(frozen=True)
class Begun:
    """The code is there, the work begins: from now on it has a time limit."""


@dataclass(frozen=True)
class Answer:
    result: Any


@dataclass(frozen=True)
class Failure:
    reason: str


def serve(connection: Connection) -> None:
    """Answer jobs until the connection closes: any number of Compiling, Begun, then Answer or Failure."""
    ready.show_progress = partial(_send_progress, connection)
    sessions = Sessions(begun=lambda: connection.send(Begun()))
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            answer: Answer | Failure = Answer(sessions.run(job))
        except BoardwrightError as error:
            answer = Failure(str(error))
        except (Exception, SystemExit) as error:  # an agent's own failure: the table gets it, the worker lives on
            answer = Failure(f"{type(error).__name__}: {error}")
        connection.send(answer)


@contextmanager
def _send_progress(connection: Connection, groups: Sequence[str], total: float) -> Iterator[Callable[[float], None]]:
    connection.send(Compiling(0.0))
    yield lambda done: connection.send(Compiling(min(1.0, done / total)))


class Sessions:
    """The agents that a worker knows, by table, seat and spec."""

    def __init__(self, begun: Callable[[], None] = lambda: None) -> None:
        self._known: OrderedDict[tuple[str, int, str], GameSession] = OrderedDict()
        self._begun = begun

    def run(self, job: Job) -> Any:
        game = load_game(job.line.game)
        if isinstance(job, Decide):
            make_ready(game.entries.code(RULES))
            return self._decide(job)
        if isinstance(job, Finish):
            return self._finish(job)
        if isinstance(job, ReviewMoves):
            from boardwright.web import reviewing

            reviewing.prepare(game, job.line.seats)
            self._begun()
            return reviewing.review_moves(job)
        if isinstance(job, ExplainPuzzle):
            from boardwright.web import reviewing

            reviewing.prepare(game, job.line.seats)
            self._begun()
            return reviewing.explain_puzzle(job)
        make_ready(game.entries.code(RULES, f"playout {playout_policy(game)}"))
        self._begun()
        return estimate(job)

    def _decide(self, job: Decide) -> messages.Decision:
        position = job.line.position()
        if position.is_terminal:
            raise BadSpec("the game is over; there is nothing to decide")
        key = (job.table, position.player, job.spec)
        session = self._known.pop(key, None) if job.table else None
        if session is not None and not job.line.begins_as(session):
            session.close()
            session = None
        known, session = session, session or job.line.session(position.player, job.spec, job.seed)
        try:
            if known is None:
                session.make_ready()
            self._begun()
            decision = _decide(session, position.player, job.spec, job.line.actions)
            if not job.table:
                decision = _with_whole_set(decision, session)
        except BaseException:
            session.close()
            raise
        if job.table:
            self._known[key] = session
            if len(self._known) > _SESSIONS:
                self._known.popitem(last=False)[1].close()
        else:
            session.close()
        return decision

    def _finish(self, job: Finish) -> None:
        for key in [key for key in self._known if key[0] == job.table]:
            with self._known.pop(key) as session:
                if job.line.begins_as(session) and session.leads_to(job.line.actions):
                    session.restart_at(job.line.actions)
                    session.end()


def _decide(session: GameSession, seat: int, spec: str, actions: Sequence[int]) -> messages.Decision:
    session.restart_at(actions)
    begin = time.perf_counter()
    decision = session.ask()
    seconds = time.perf_counter() - begin
    game, observation = session.game, session.state.observation(seat)
    return messages.Decision(
        move=len(actions),
        seat=seat,
        agent=spec,
        action=int(decision.action),
        text=game.describe(observation, decision.action),
        forced=decision.forced,
        summary=decision.summary,
        seconds=round(seconds, 3),
        reasons=tuple(
            messages.Reason(
                action=int(reason.action),
                text=game.describe(observation, reason.action),
                value=reason.value,
                weight=reason.weight,
                visits=reason.visits,
                prior=reason.prior,
                note=reason.note,
            )
            for reason in decision.reasons
        ),
        cases=decision.cases,
    )


def _with_whole_set(decision: messages.Decision, session: GameSession) -> messages.Decision:
    """Where several things are chosen at once, a person gets all of them, as they are asked for."""
    observation = session.state.observation(decision.seat)
    choice = set_choice(observation)
    places = None if choice is None else advised_set(session.agents[decision.seat], observation, choice)
    if choice is None or places is None:
        return decision
    return decision.model_copy(update={"text": f"{choice.verb} {choice.named(places)}", "places": tuple(places)})


def estimate(job: Estimate) -> list[list[float]]:
    """For each position, the share of playouts that each seat wins; shared wins count in part."""
    chances, wanted = [], iter(job.moves)
    at = next(wanted, None)
    for number, (state, _) in enumerate(positions(job.line.start(), job.line.actions)):
        while at == number:
            chances.append(_chances(state, job))
            at = next(wanted, None)
        if at is None:
            break
    return chances


def playout_policy(game: Game) -> str:
    return "heuristic" if "heuristic" in game.search.policies else "random"


def _chances(state: State, job: Estimate) -> list[float]:
    if state.is_terminal:
        return _shares(state.returns)
    game = state.game
    playout = game.entries.playout(playout_policy(game))
    scratch = np.empty(game.max_legal, np.int64)
    rng_state = rng.generator(rng.derive(job.line.seed, rng.Stream.ESTIMATES, len(job.line.actions)))
    # With everything open, too, the future is not known: a playout from the position as it is would draw the cards of
    # its deck in their order, and all playouts would end alike.
    views = [state.observation(seat) for seat in (range(state.seats) if job.seat is None else [job.seat])]
    total, count, end = np.zeros(state.seats), 0, time.perf_counter() + job.seconds
    while count < job.playouts and (count < 10 or time.perf_counter() < end):
        trial = views[count % len(views)].determinize(seed=rng.draw(rng_state) >> 1)
        playout(trial.memory, scratch, rng_state)
        total += _shares(trial.returns)
        count += 1
    return [round(float(share), 4) for share in total / count]


def _shares(returns: Sequence[float]) -> list[float]:
    """1 for the winner, or a part of it for each of several."""
    first = [own == max(returns) for own in returns]
    return [won / sum(first) for won in first]
