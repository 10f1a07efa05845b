"""A table: one game, who sits at it, who looks on, and what happens when somebody moves.

Everything here runs in the server's event loop. Moves go through the game loop (arena/loop.py); agents think in other
processes (thinking.py); every move is on disk before anybody is shown it (store.py).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from boardwright.agents import Agent, Decision
from boardwright.agents.levels import EASY, levels
from boardwright.arena.loop import OngoingGame, forfeit_returns, forfeit_scores
from boardwright.arena.record import GameRecord, RecordedFailure
from boardwright.errors import AgentFailed, BadRecord, BoardwrightError, IllegalAction
from boardwright.kernel import SPECTATOR, State, rng
from boardwright.registry import agent_class, load_game
from boardwright.web import views
from boardwright.web.store import FAILED, FINISHED, OUT_OF_TIME, RESIGNED, RUNNING, Saved, Seat, Store
from boardwright.web.thinking import ESTIMATES, QUESTIONS, Progress, Thinkers
from boardwright.web.views import EVERYTHING, View
from boardwright.web.worker import Decide, Estimate, ExplainedDecision, Finish, Line

_SOON = 0.05
"""Seconds of thinking that nobody needs to be told of."""


class Refused(BoardwrightError):
    """Something that cannot be done at this table now."""


class Onlooker(Protocol):
    """A connection: told that there is something new, or a message of its own."""

    view: View

    def changed(self) -> None: ...

    def tell(self, message: dict[str, Any]) -> None: ...

    def unseat(self, seat: int) -> None: ...


class Told(NamedTuple):
    """A line of the log."""

    seat: int
    text: str
    known: list[bool]
    forced: bool
    revealed: list[list[str]]
    """What came to light with it, for each seat."""


class Table:
    def __init__(self, saved: Saved, store: Store, thinkers: Thinkers) -> None:
        self.setup = saved.setup
        self.status = saved.status
        self.note = saved.note
        self.forfeited_by = saved.forfeited_by
        """The seat that resigned, ran out of time or failed."""
        self.store = store
        self.thinkers = thinkers
        self.onlookers: set[Onlooker] = set()
        self.version = 0
        """Grows with every move, and with every move that is taken back."""
        self.wants_pause: set[int] = set()
        """Seats of people, or SPECTATOR where only agents play."""
        self.pace = saved.setup.pace
        self.thinking: int | None = None
        """The seat whose agent is thinking."""
        self.clocks = list(saved.clocks)
        self.curves: dict[View, dict[int, list[float]]] = {}
        self.log: list[Told] = []
        self.actions: list[int] = []
        self.last_decision: ExplainedDecision | None = None
        """The last one that an agent has made and that was played."""
        self.compiling: float | None = None
        """How much of the code that an agent needs is compiled, if it has to wait for that."""
        self.client = ""
        """Who opened it; its agents wait for processes in their turn."""
        self.touched = time.monotonic()
        self._clock_since: float | None = None
        self._clock_alarm: asyncio.TimerHandle | None = None
        self._driver: asyncio.Task[None] | None = None
        self._estimating: set[View] = set()
        self._took: dict[int, float] = {}  # seconds of each agent's last decision
        self._rendered: dict[View, tuple[int, dict[str, Any]]] = {}

        self.game = load_game(saved.setup.game)
        state = self.game.new(seed=self.setup.seed, seats=len(self.setup.seats), **self.setup.options)
        agents = [Agent(self.game, seat) for seat in range(state.seats)]
        self.ongoing = OngoingGame(state, agents, keep_history=True)
        for action, asked in saved.moves:
            self._apply(action, forced=not asked)

    def _agent_seed(self, stream: int, seat: int) -> int:
        return rng.derive(self.setup.seed, stream, seat, *([self.setup.salt] if self.setup.salt else []))

    # Who is who

    @property
    def id(self) -> str:
        return self.setup.id

    @property
    def state(self) -> State:
        return self.ongoing.state

    @property
    def people(self) -> list[int]:
        return [seat for seat, sitter in enumerate(self.setup.seats) if sitter.is_person]

    @property
    def is_open(self) -> bool:
        """Whether there is nothing to hide from anybody: no person plays, or the game is over."""
        return not self.people or self.status != RUNNING

    def seat_of(self, token: str | None) -> int:
        """The seat that a secret link belongs to, or SPECTATOR."""
        if token is None:
            return SPECTATOR
        digest, found = token_digest(token), SPECTATOR
        for seat, sitter in enumerate(self.setup.seats):
            if sitter.is_person and hmac.compare_digest(digest, sitter.token_digest):
                found = seat
        if found == SPECTATOR:
            raise Refused("this link does not belong to a seat of this table")
        return found

    def view_of(self, seat: int) -> View:
        return EVERYTHING if seat == SPECTATOR and self.is_open else seat

    # Moves

    def move(self, seat: int, action: int, version: int) -> None:
        """A person's decision."""
        self._check_turn(seat, version)
        if action not in self.state.observation(seat).legal_actions():
            raise IllegalAction(f"action {action} is not legal now")
        self._choose(seat, [action])

    def move_set(self, seat: int, places: Sequence[int], version: int) -> None:
        """A person's choice of several things at once, which the rules take as several actions."""
        self._check_turn(seat, version)
        self._choose(seat, views.set_steps(self.state.observation(seat), places))

    def _check_turn(self, seat: int, version: int) -> None:
        self._check_playing(seat)
        if version != self.version:
            raise Refused("the position has changed meanwhile; choose again")
        if self.paused:
            raise Refused("the game is paused")
        if self.state.player != seat:
            raise Refused("it is not your turn")

    def _choose(self, seat: int, actions: Sequence[int]) -> None:
        self._stop_clock()
        if self.setup.clock:
            self.clocks[seat] += self.setup.clock[1]
        self.last_decision = None
        for action in actions:
            self._play(action)
        self.go_on()

    def take_back(self, seat: int) -> None:
        self._check_playing(seat)
        if self.people != [seat]:
            raise Refused("moves can be taken back only where all others are agents")
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None
            self.thinking = None
        self._stop_clock()
        moves = self.ongoing.take_back(seat)
        while moves and self._set_is_begun():  # a choice of several things is taken back as a whole
            earlier = self.ongoing.take_back(seat)
            if not earlier:
                break
            moves += earlier
        if moves:
            del self.actions[len(self.actions) - moves :]
            del self.log[len(self.log) - moves :]
            self.store.cut(self.id, len(self.actions), self.clocks)
            for curve in self.curves.values():
                for number in [number for number in curve if number > len(self.actions)]:
                    del curve[number]
            self.last_decision = None
            self.version += 1
            self._changed()
        self.go_on()
        if not moves:
            raise Refused("there is nothing to take back")

    def _set_is_begun(self) -> bool:
        find = self.game.text.set_choice
        choice = find(self.state.observation(self.state.player).record) if find is not None else None
        return choice is not None and choice.begun

    def resign(self, seat: int) -> None:
        """The game is over, unless other people play on against others than this seat: then an agent takes it."""
        self._check_playing(seat)
        if len(self.people) == 1 or self.state.seats == 2:
            self._end(RESIGNED, f"{self.name(seat)} resigned", seat)
            return
        if self.state.player == seat:
            self._stop_clock()
        spec = levels(self.game, self.state.seats, hidden=self.state.has_hidden_information)[EASY]
        sitters = list(self.setup.seats)
        sitters[seat] = Seat(f"{self.name(seat)} (resigned; {EASY} plays on)", spec)
        self.setup = replace(self.setup, seats=tuple(sitters))
        self.store.reseat(self.setup)
        self.wants_pause.discard(seat)
        for onlooker in self.onlookers:
            onlooker.unseat(seat)
        self._changed()
        self.go_on()

    def pause(self, seat: int, paused: bool) -> None:
        """The game pauses when everybody who plays wants that; until then it goes on, and clocks run."""
        if seat == SPECTATOR and self.people:
            raise Refused("only those who play can pause")
        self._check_running()
        self._stop_clock()
        if paused:
            self.wants_pause.add(seat)
        else:
            self.wants_pause.clear()
        self._changed()
        self.go_on()

    @property
    def paused(self) -> bool:
        return bool(self.wants_pause) and self.wants_pause >= set(self.people)

    def set_pace(self, seat: int, seconds: float) -> None:
        if seat == SPECTATOR and self.people:
            raise Refused("only those who play can set the pace")
        self.pace = seconds
        self._changed()

    def go_on(self) -> None:
        """See to it that whoever is to move gets to it."""
        if self.status == RUNNING and self.state.is_terminal:
            self._end(FINISHED, views.result_text(self.game, self.state, self.names()))
        if self.status != RUNNING or self.paused:
            return
        if self._person_must_choose():
            self._start_clock()
        elif self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    async def _drive(self) -> None:
        """Agents move, and moves without a choice are made, until a person must choose."""
        while self.status == RUNNING and not self.paused:
            if self.state.is_terminal or self._person_must_choose():
                break
            seat = self.state.player
            began = time.monotonic()
            try:
                decision = await self._agent_decides(seat)
            except BoardwrightError as error:
                self._end(FAILED, f"{self.name(seat)} failed: {error}", seat)
                break
            took = time.monotonic() - began
            await asyncio.sleep(max(0.0, self._least_seconds(seat, decision is None) - took))
            if decision is not None:
                self._took[seat] = took
            if self.paused:
                break
            self.thinking = None
            if decision is None:
                self._play(self.state.legal_actions()[0], forced=True)
            else:
                self.last_decision = decision
                self._play(decision.action)
        self._driver = None
        self.go_on()

    def _least_seconds(self, seat: int, forced: bool) -> float:
        """How long a move takes at least. A move without a choice is made at once, unless others would learn from that
        what they cannot see: then it takes as long as the last one that was chosen."""
        if not forced:
            return self.pace
        watching = [other for other in self.people if other != seat]
        known = views.told(self.state, self.state.legal_actions()[0])[1]
        if all(known[other] for other in watching):
            return 0.0
        return max(self.pace, self._took.get(seat, 0.0))

    async def _agent_decides(self, seat: int) -> ExplainedDecision | None:
        """None: there was nothing to decide."""
        spec = self.setup.seats[seat].spec
        legal = self.state.legal_actions()
        if len(legal) == 1 and (not spec or not self._wants_to_be_asked(spec)):
            if self._least_seconds(seat, forced=True):
                self._thinks(seat)
            return None
        notice = asyncio.get_running_loop().call_later(_SOON, self._thinks, seat)
        try:
            decision: ExplainedDecision = await self.thinkers.run(
                Decide(self.line(), spec, self._agent_seed(rng.Stream.PAGE, seat), self.id),
                table=self.id,
                client=self.client,
                compiling=partial(self._compiles, seat),
            )
        finally:
            notice.cancel()
            self.thinking = self.compiling = None
        if decision.action not in legal:
            raise AgentFailed(f"chose {decision.action}, which is not legal")
        return None if decision.forced else decision

    def _compiles(self, seat: int, share: float) -> None:
        self.thinking, self.compiling = seat, share
        self._changed()

    def _thinks(self, seat: int) -> None:
        self.thinking = seat
        self._changed()

    def _wants_to_be_asked(self, spec: str) -> bool:
        return agent_class(spec.partition(":")[0], self.game).asked_if_forced

    def _person_must_choose(self) -> bool:
        return self.setup.seats[self.state.player].is_person and len(self.state.legal_actions()) > 1

    def _must_choose(self, view: View) -> bool:
        return not self.state.is_terminal and view == self.state.player and self._person_must_choose()

    def _play(self, action: int, *, forced: bool = False) -> None:
        self.store.add_move(self.id, len(self.actions), action, not forced, self.clocks)
        self._apply(action, forced=forced)
        self._changed()

    def _apply(self, action: int, *, forced: bool) -> None:
        text, known = views.told(self.state, action)
        mover, before = self.state.player, views.observations(self.state)
        decision = Decision(action)
        decision.forced = forced
        self.ongoing.play(decision)
        self.log.append(Told(mover, text, known, forced, views.revealed(before, self.state)))
        self.actions.append(action)
        self.version += 1

    def _end(self, status: str, note: str, forfeited_by: int | None = None) -> None:
        self._stop_clock()
        if self._driver is not None and self._driver is not asyncio.current_task():
            self._driver.cancel()
        self.status, self.note, self.forfeited_by = status, note, forfeited_by
        self.thinking = None
        self.store.end(self.id, status, note, forfeited_by)
        for onlooker in self.onlookers:
            if onlooker.view == SPECTATOR:
                onlooker.view = EVERYTHING
        self._changed()
        if self.thinkers.forget(self.id):
            finishing = self.thinkers.run(Finish(self.line(), self.id), table=self.id, priority=ESTIMATES)
            _keep(asyncio.get_running_loop().create_task(finishing))

    def _check_playing(self, seat: int) -> None:
        if seat == SPECTATOR:
            raise Refused("only those who play can do that")
        self._check_running()

    def _check_running(self) -> None:
        if self.status != RUNNING:
            raise Refused("the game is over")

    # Clocks

    def _start_clock(self) -> None:
        if self.setup.clock and self._clock_since is None:
            self._clock_since = time.monotonic()
            left = max(0.0, self.clocks[self.state.player])
            self._clock_alarm = asyncio.get_running_loop().call_later(left, self._time_is_up, self.state.player)

    def _stop_clock(self) -> None:
        if self._clock_since is not None:
            self.clocks[self.state.player] -= time.monotonic() - self._clock_since
            self._clock_since = None
        if self._clock_alarm is not None:
            self._clock_alarm.cancel()
            self._clock_alarm = None

    def _time_is_up(self, seat: int) -> None:
        self._clock_alarm = None
        self._end(OUT_OF_TIME, f"{self.name(seat)} ran out of time", seat)

    # What agents think

    async def think(self, view: View, spec: str, client: str, compiling: Progress) -> dict[str, Any]:
        """What an agent thinks of the position, as the seat to move sees it."""
        seat = self.state.player
        if self.state.is_terminal:
            raise Refused("the game is over")
        if view not in (EVERYTHING, seat):
            raise Refused("an agent can be asked when it is your turn")
        job = Decide(self.line(), spec, self._agent_seed(rng.Stream.ADVICE, seat))
        decision: ExplainedDecision = await self.thinkers.run(
            job, priority=QUESTIONS, client=client, compiling=compiling
        )
        return {"type": "thought"} | asdict(decision)

    def want_curve(self, view: View) -> None:
        """Estimate everybody's chances as the view knows them, if that is not done yet."""
        if view == SPECTATOR or view in self._estimating or len(self.actions) in self.curves.get(view, {}):
            return
        self._estimating.add(view)
        _keep(asyncio.get_running_loop().create_task(self._estimate(view)))

    async def _estimate(self, view: View) -> None:
        line = self.line()
        moves = len(line.actions)
        try:
            (chances,) = await self.thinkers.run(Estimate(line, (moves,), view), priority=ESTIMATES)
        except BoardwrightError:  # an estimate is not worth more than silence; the game goes on without it
            return
        finally:
            self._estimating.discard(view)
        if self.actions[:moves] != list(line.actions):
            return
        self.curves.setdefault(view, {})[moves] = chances
        for onlooker in list(self.onlookers):
            if onlooker.view == view:
                onlooker.tell({"type": "chances", "points": [[moves, chances]]})

    # What is shown

    def snapshot(self, view: View) -> dict[str, Any]:
        """The table as somebody with that view sees it, the log apart."""
        known = self._rendered.get(view)
        if known is None or known[0] != self.version:
            known = self.version, views.position(self.state, view)
            self._rendered[view] = known
        position = known[1]
        own = [number for number, line in enumerate(self.log) if line.seat == view and not line.forced]
        playing = self.status == RUNNING and not self.paused
        return {
            "type": "table",
            "id": self.id,
            "version": self.version,
            "game": self.game.name,
            "title": self.game.title,
            "you": view if view is not EVERYTHING and view != SPECTATOR else None,
            "open": self.is_open,
            "view": view,
            "seats": [
                {
                    "name": self.name(seat),
                    "role": self.game.seat_name(seat),
                    "person": sitter.is_person,
                    "agent": sitter.spec,
                    "advises": sitter.advises,
                    "here": any(onlooker.view == seat for onlooker in self.onlookers),
                    "clock": self._clock(seat),
                }
                for seat, sitter in enumerate(self.setup.seats)
            ],
            "status": self.status,
            "note": self.note,
            "paused": self.paused,
            "wants_pause": sorted(self.wants_pause),
            "pace": self.pace,
            "clock": self.setup.clock is not None,
            "ticking": self._clock_since is not None,
            "thinking": self.thinking,
            "moves": len(self.actions),
            "since": own[-1] + 1 if own else 0,
            "can_take_back": self.status == RUNNING and self.people == [view] and bool(own),
            "compiling": self.compiling,
            "thought": self._decision_for(view),
            **position,
            "choices": position["choices"] if playing and self._must_choose(view) else [],
            "set": position["set"] if playing and self._must_choose(view) else None,
        }

    def told(self, view: View, first: int) -> list[dict[str, Any]]:
        """The log from a move on."""
        return [
            {
                "move": number,
                "seat": line.seat,
                "text": line.text if views.may_know(line.known, view) else views.UNSEEN,
                "forced": line.forced and views.may_know(line.known, view),
                "revealed": [] if view is EVERYTHING or view == SPECTATOR else line.revealed[view],
            }
            for number, line in enumerate(self.log[first:], first)
        ]

    def curve(self, view: View) -> list[list[Any]]:
        return [[move, chances] for move, chances in sorted(self.curves.get(view, {}).items())]

    def about(self) -> dict[str, Any]:
        """For the lobby."""
        return {
            "id": self.id,
            "game": self.game.name,
            "title": self.game.title,
            "seats": self.names(),
            "status": self.status,
            "note": self.note,
            "moves": len(self.actions),
        }

    def _decision_for(self, view: View) -> dict[str, Any] | None:
        """The last decision of an agent, where it gives nothing away."""
        if self.last_decision is None or not (view is EVERYTHING or self.game.information.observe is None):
            return None
        return asdict(self.last_decision)

    def _clock(self, seat: int) -> float | None:
        if not self.setup.clock or not self.setup.seats[seat].is_person:
            return None
        running = self._clock_since is not None and self.state.player == seat
        return round(self.clocks[seat] - (time.monotonic() - (self._clock_since or 0.0) if running else 0.0), 2)

    def _changed(self) -> None:
        self.touched = time.monotonic()
        for onlooker in self.onlookers:
            onlooker.changed()

    def come_or_go(self, onlooker: Onlooker, here: bool) -> None:
        """Somebody opens or closes their page; the others see it."""
        (self.onlookers.add if here else self.onlookers.discard)(onlooker)
        self.touched = time.monotonic()
        for other in self.onlookers:
            other.changed()

    # Odds and ends

    def name(self, seat: int) -> str:
        return self.setup.seats[seat].name

    def names(self) -> list[str]:
        return [sitter.name for sitter in self.setup.seats]

    def line(self) -> Line:
        """The position as the way to it."""
        setup = self.setup
        return Line(setup.game, len(setup.seats), setup.seed, tuple(setup.options.items()), tuple(self.actions))

    def record(self) -> GameRecord:
        """The game, for record files, once it is over."""
        if self.status == RUNNING:
            raise BadRecord("the game is still being played; it has a record when it is over")
        seat, forfeit = self.forfeited_by, None
        scores, returns = self.state.scores, self.state.returns
        if self.status != FINISHED:
            if seat is None:
                raise BadRecord("an older version kept this table without saying who gave up, so it has no record")
            forfeit = RecordedFailure(seat=seat, moves=len(self.actions), reason=self.note)
            scores, returns = forfeit_scores(self.state, seat), forfeit_returns(self.state, seat)
        return GameRecord(
            game=self.setup.game,
            options=self.setup.options,
            seats=len(self.setup.seats),
            seed=self.setup.seed,
            agents=[sitter.spec or "human" for sitter in self.setup.seats],
            actions=self.actions,
            scores=list(scores),
            returns=list(returns),
            forfeit=forfeit,
        )

    def leave(self) -> None:
        """Stop everything: the table is not in memory any more."""
        self._stop_clock()
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None


def token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


_tasks: set[asyncio.Task[Any]] = set()


def _keep(task: asyncio.Task[Any]) -> None:
    """An event loop holds tasks weakly; whoever starts one must keep it until it is done."""
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
