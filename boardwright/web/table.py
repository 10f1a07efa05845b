"""A table: one game, who plays, who watches, and what happens when somebody moves.

Everything here runs in the server's event loop. Moves go through the game loop (arena/loop.py); agents think in other
processes (worker_pool.py); every move is on disk before anybody is shown it (store.py).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from boardwright.agents import Agent, Decision
from boardwright.agents.levels import EASY, levels
from boardwright.arena.loop import OngoingGame, forfeit_returns, forfeit_scores
from boardwright.arena.record import GameRecord, RecordedFailure
from boardwright.blame import printable
from boardwright.errors import AgentFailed, BadRecord, BoardwrightError, IllegalAction
from boardwright.files import parse_json
from boardwright.kernel import SPECTATOR, State, rng
from boardwright.registry import agent_class
from boardwright.web import messages, views
from boardwright.web.clocks import Clocks
from boardwright.web.own_files import name_for_workers, registered_game
from boardwright.web.store import FAILED, FINISHED, OUT_OF_TIME, RESIGNED, RUNNING, Saved, Seat, Store
from boardwright.web.table_view import TableView
from boardwright.web.views import EVERYTHING, View
from boardwright.web.worker import Decide, Estimate, Finish, Line, first_state
from boardwright.web.worker_pool import ESTIMATES, QUESTIONS, Progress, WorkerPool

AWAY = 60.0
"""Seconds after which an agent may take the seat of somebody who has gone."""
_CHAT_LINES = 100
_SOON = 0.05
"""Show "thinking …" only after this many seconds."""


class Refused(BoardwrightError):
    """Something that cannot be done at this table now."""


class Viewer(Protocol):
    """An open page, of a player or a spectator."""

    view: View

    def changed(self) -> None: ...

    def send(self, message: messages.ToPage) -> None: ...

    def unseat(self, seat: int) -> None: ...

    def follow(self, table: str, tokens: Mapping[int, str]) -> None: ...


class PlayedMove(NamedTuple):
    """One move in the log."""

    seat: int
    text: str
    known: list[bool]
    forced: bool
    revealed: list[list[str]]
    """What came to light with it, for each seat."""


class Chosen(NamedTuple):
    """What somebody has chosen, before it is played."""

    actions: tuple[int, ...]
    decision: messages.Decision | None = None
    """An agent's."""
    forced: bool = False


class Table:
    def __init__(self, saved: Saved, store: Store, workers: WorkerPool) -> None:
        self.setup = saved.setup
        self.status = saved.status
        self.note = saved.note
        self.forfeited_by = saved.forfeited_by
        """The seat that resigned, ran out of time or failed."""
        self.store = store
        self.workers = workers
        self.viewers: set[Viewer] = set()
        self.version = 0
        """Grows with every move, and with every move that is taken back."""
        self.wants_pause: set[int] = set()
        """Seats of people, or SPECTATOR where only agents play."""
        self.pace = saved.setup.pace
        self.thinking: int | None = None
        """The seat whose agent is thinking."""
        self.clock = Clocks(
            saved.clocks, lambda seat: self._end(OUT_OF_TIME, f"{self.name(seat)} ran out of time", seat)
        )
        self.curves: dict[View, dict[int, list[float]]] = {}
        self.log: list[PlayedMove] = []
        self.actions: list[int] = []
        self.last_decision: messages.Decision | None = None
        """The last one that an agent has made and that was played."""
        self.compiling: float | None = None
        """How much of the code that an agent needs is compiled, if it has to wait for that."""
        self.client = ""
        """Who opened it; its agents wait for processes in their turn."""
        self.asks = False
        """Whether people are asked about the game when it is over."""
        self.answered: set[int] = set()
        """Seats that have answered, or would rather not."""
        self.touched = time.monotonic()
        self.ready: set[int] = set()
        """People who are ready to begin."""
        self.chat: deque[messages.Said] = deque(maxlen=_CHAT_LINES)
        self.wants_rematch: set[int] = set()
        self.rematch = ""
        """The table at which the same players play the next game."""
        self.wants_back: set[int] = set()
        self.back_of: int | None = None
        """Whose move is to be taken back, if those in `wants_back` have their way."""
        self.opened = time.monotonic()
        self._gone: dict[int, float] = {}  # since when a person is not here
        self._driver: asyncio.Task[None] | None = None
        self._asked: dict[int, State] | None = None  # who has to choose now, once that is known
        self._asked_seats: set[int] = set()  # those who choose at the same time and have yet to be asked by the rules
        self.asked_since = 0
        """The version from which on that is asked."""
        self.chosen: dict[int, Chosen] = {}
        """What was chosen and is played when all have chosen."""
        self._deciding: dict[int, asyncio.Task[None]] = {}  # agents that choose at the same time
        self._estimating: set[View] = set()
        self._took: dict[int, float] = {}  # seconds of each agent's last decision
        self.shows = TableView(self)
        """What pages are shown of it."""

        self.game = registered_game(saved.setup.game)
        setup = self.setup
        state = first_state(self.game, len(setup.seats), setup.seed, setup.options, setup.position)
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
        return [seat for seat, player in enumerate(self.setup.seats) if player.is_person]

    @property
    def is_open(self) -> bool:
        """Whether there is nothing to hide from anybody: no person plays, or the game is over."""
        return not self.people or self.status != RUNNING

    @property
    def is_blind(self) -> bool:
        """Whether nobody is told who the agents are: until the game is over, and all who are asked have answered."""
        waits = self.asks and not self.answered >= set(self.people)
        return self.setup.blind and (self.status == RUNNING or waits)

    def answer(self, seat: int, given: messages.Answers) -> None:
        """What somebody thought of the game."""
        if not self.asks or seat not in self.people or self.status == RUNNING:
            raise Refused("nobody asks that now")
        if seat in self.answered:
            raise Refused("you have answered already")
        self.store.add_answers(self.id, seat, given.model_dump_json(exclude={"type"}))
        self.answered.add(seat)
        self._changed()

    def seat_of(self, token: str | None) -> int:
        """The seat that a secret link belongs to, or SPECTATOR."""
        if token is None:
            return SPECTATOR
        digest, found = token_digest(token), SPECTATOR
        for seat, player in enumerate(self.setup.seats):
            if player.is_person and hmac.compare_digest(digest, player.token_digest):
                found = seat
        if found == SPECTATOR:
            raise Refused("this link does not belong to a seat of this table")
        return found

    def view_of(self, seat: int) -> View:
        return EVERYTHING if seat == SPECTATOR and self.is_open else seat

    # Moves

    def move(self, seat: int, action: int, version: int) -> None:
        """A person's decision."""
        state = self._check_turn(seat, version)
        if action not in state.observation(seat).legal_actions():
            raise IllegalAction(f"action {action} is not legal now")
        self._choose(seat, [action])

    def move_set(self, seat: int, places: Sequence[int], version: int) -> None:
        """A person's choice of several things at once, which the rules take as several actions."""
        state = self._check_turn(seat, version)
        self._choose(seat, views.set_steps(state.observation(seat), places))

    def _check_turn(self, seat: int, version: int) -> State:
        """The position in which the seat chooses; Refused if it cannot choose now."""
        self._check_playing(seat)
        if not self.asked_since <= version <= self.version:
            raise Refused("the position has changed meanwhile; choose again")
        if self.paused:
            raise Refused("the game is paused")
        if self.waiting_for:
            raise Refused("the game has not begun; it waits for players")
        state = self.questions().get(seat)
        if state is None or seat in self.chosen:
            raise Refused("it is not your turn")
        return state

    def _choose(self, seat: int, actions: Sequence[int]) -> None:
        """What somebody has chosen is played when all that were asked before them have chosen."""
        self.clock.stop(seat)
        if self.setup.clock:
            self.clock.left[seat] += self.setup.clock[1]
        self.chosen[seat] = Chosen(tuple(actions))
        self._nobody_wants_back()
        self.last_decision = None
        self._play_chosen()
        self._changed()
        self.go_on()

    def questions(self) -> dict[int, State]:
        """The seats that have to choose now, each with the position in which it does. Where several choose at the same
        time, the rules ask one after another: for the later ones, the choices of the earlier are made up, which makes
        no difference to what they see."""
        if self._asked is None:
            state, seats = self.state, simultaneous_seats(self.state)
            self._asked = {} if state.is_terminal else {state.player: state}
            state = state.copy() if len(seats) > 1 else state
            while len(self._asked) < len(seats):
                state.apply(state.legal_actions()[0])
                if state.is_terminal or state.player not in simultaneous_seats(state):
                    break
                if state.player not in seats:
                    break
                self._asked.setdefault(state.player, state.copy())
        return self._asked

    def _play_chosen(self) -> None:
        """Play what was chosen already, for as long as it is the turn of somebody who has chosen."""
        while not self.state.is_terminal and (chosen := self.chosen.get(self.state.player)):
            seat, rest = self.state.player, self.state
            if self.questions().keys() - self.chosen.keys():
                return  # all together, when the last has chosen: nobody can tell from the pace who was first
            del self.chosen[seat]
            for action in chosen.actions:
                if rest.is_terminal or rest.player != seat or action not in rest.legal_actions():
                    return  # the rules ask something else now
                self.last_decision = chosen.decision
                self._play(action, forced=chosen.forced)
                rest = self.state

    def take_back(self, seat: int) -> None:
        """At once where nobody has learned of the decision, or where all others are agents; otherwise when everybody
        who plays wants it."""
        self._check_playing(seat)
        if seat in self.chosen:
            del self.chosen[seat]
            self._changed()
            self.go_on()
            return
        if self.people != [seat]:
            own = self.back_of if self.back_of is not None else seat
            if not any(entry.seat == own and not entry.forced for entry in self.log):
                raise Refused("there is nothing to take back")
            self.back_of = own
            self.wants_back.add(seat)
            if not self.wants_back >= set(self.people):
                self._changed()
                return
            seat = own
        self._nobody_wants_back()
        self._stop_thinking()
        self.clock.stop()
        moves = self.ongoing.take_back(seat)
        while moves and self._set_is_begun():  # a choice of several things is taken back as a whole
            earlier = self.ongoing.take_back(seat)
            if not earlier:
                break
            moves += earlier
        if moves:
            del self.actions[len(self.actions) - moves :]
            del self.log[len(self.log) - moves :]
            self.store.cut(self.id, len(self.actions), self.clock.left)
            for curve in self.curves.values():
                for number in [number for number in curve if number > len(self.actions)]:
                    del curve[number]
            self.last_decision = None
            self.version += 1
            self._asked, self.asked_since = None, self.version
            self._changed()
        self.go_on()
        if not moves:
            raise Refused("there is nothing to take back")

    def _nobody_wants_back(self) -> None:
        self.wants_back, self.back_of = set(), None

    def _stop_thinking(self) -> None:
        """What agents are thinking about now is not wanted any more, nor what was chosen and not played."""
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None
        for task in self._deciding.values():
            task.cancel()
        self._deciding.clear()
        self.chosen.clear()
        self.thinking = None

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
        spec = levels(self.game, self.state.seats, hidden=self.state.has_hidden_information)[EASY]
        self._give_to_agent(seat, Seat(f"{self.name(seat)} (resigned; {EASY} plays on)", spec))

    def fill(self, by: int, seat: int, name: str, spec: str) -> None:
        """An agent takes a seat that nobody has taken, or whose player has been away for a while."""
        self._check_playing(by)
        if seat not in self.people:
            raise Refused("there is nobody to be replaced")
        gone = time.monotonic() - self._gone.get(seat, self.opened)
        if not self.setup.seats[seat].is_free and (self.is_here(seat) or gone < AWAY):
            raise Refused(f"{self.name(seat)} plays there; after {AWAY:g} seconds without them an agent may")
        self._give_to_agent(seat, Seat(self._own_name(name, seat), spec))

    def _give_to_agent(self, seat: int, agent: Seat) -> None:
        self.clock.stop(seat)
        self.chosen.pop(seat, None)
        self._reseat(seat, agent)
        self.wants_pause.discard(seat)
        self.ready.discard(seat)
        for viewer in self.viewers:
            viewer.unseat(seat)
        self._changed()
        self.go_on()

    def _reseat(self, seat: int, player: Seat) -> None:
        players = list(self.setup.seats)
        players[seat] = player
        self.setup = replace(self.setup, seats=tuple(players))
        self.store.reseat(self.setup)

    def sit(self, seat: int, name: str) -> str:
        """Somebody takes a seat that is open; returns its secret."""
        if seat not in range(self.state.seats) or not self.setup.seats[seat].is_free:
            raise Refused("that seat is taken; choose another")
        self._check_running()
        token = secrets.token_urlsafe(24)
        name = self._own_name(name.strip() or f"Player {seat + 1}", seat)
        self._reseat(seat, Seat(name, token_digest=token_digest(token), open=True))
        self._changed()
        self.go_on()
        return token

    def _own_name(self, name: str, seat: int) -> str:
        """A name that nobody else has."""
        while name in (player.name for other, player in enumerate(self.setup.seats) if other != seat):
            name += "′"
        return name

    def is_ready(self, seat: int) -> None:
        self._check_playing(seat)
        self.ready.add(seat)
        self._changed()
        self.go_on()

    @property
    def waiting_for(self) -> list[int]:
        """The seats that the game waits for before it begins: nobody has taken them, or they are not ready."""
        if self.status != RUNNING or len(self.actions) > self.setup.branched:
            return []
        free = [seat for seat in self.people if self.setup.seats[seat].is_free]
        unready = self.setup.ready_check and len(self.people) > 1
        return sorted({*free, *(seat for seat in self.people if unready and seat not in self.ready)})

    def say(self, seat: int, text: str) -> None:
        """A line of the chat."""
        name = "a spectator" if seat == SPECTATOR else self.name(seat)
        line = messages.Said(seat=seat, name=name, text=printable(" ".join(text.split()), 300))
        self.chat.append(line)
        self.touched = time.monotonic()
        for viewer in self.viewers:
            viewer.send(messages.Chat(lines=[line]))

    def want_rematch(self, seat: int) -> bool:
        """Whether everybody who is there wants another game now."""
        if seat == SPECTATOR and self.people:
            raise Refused("only those who play can do that")
        if self.status == RUNNING:
            raise Refused("the game is not over")
        if self.rematch:
            raise Refused("the next game has begun already")
        self.wants_rematch.add(seat)
        self._changed()
        return self.wants_rematch >= {seat for seat in self.people if self.is_here(seat)}

    def pause(self, seat: int, paused: bool) -> None:
        """The game pauses when everybody who plays wants that; until then it goes on, and clocks run."""
        if seat == SPECTATOR and self.people:
            raise Refused("only those who play can pause")
        self._check_running()
        self.clock.stop()
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
        if self.status != RUNNING or self.paused or self.waiting_for:
            return
        if self.setup.clock:
            self.clock.start(seat for seat in self.choosing() if self.must_choose(seat))
        if len(self.questions()) > 1:
            self._ask_all()  # nobody is driven then: who has chosen waits for the others
            return
        player = self.state.player
        if player in self.chosen:
            self._play_chosen()
            self.go_on()
            return
        if player in self._deciding or self._person_must_choose():
            return
        if self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    def _ask_all(self) -> None:
        """Where several choose at the same time: agents begin to think, and who has no choice has chosen."""
        for seat, state in list(self.questions().items()):
            if seat in self.chosen or seat in self._deciding:
                continue
            legal = state.legal_actions()
            if self.setup.seats[seat].spec:
                self._deciding[seat] = asyncio.get_running_loop().create_task(self._decide_early(seat, state))
            elif len(legal) == 1:
                self.chosen[seat] = Chosen((legal[0],), forced=True)
        before = self.version
        self._play_chosen()
        if self.version != before:
            self.go_on()

    async def _decide_early(self, seat: int, state: State) -> None:
        """An agent chooses at the same time as others."""
        since = self.asked_since
        made_up = self._moves_between(state)
        try:
            decision = await self._agent_decides(seat, state, made_up, shown=False)
        except BoardwrightError as error:
            self._agent_failed(seat, error)
            return
        finally:
            if self._deciding.get(seat) is asyncio.current_task():
                del self._deciding[seat]
        if since != self.asked_since or self.status != RUNNING:
            self.go_on()  # the question was taken back; whoever is asked now may have waited for this
            return
        action = state.legal_actions()[0] if decision is None else decision.action
        self.chosen[seat] = Chosen((action,), decision, forced=decision is None)
        if not self.paused:
            self._play_chosen()
            self._changed()
            self.go_on()

    def _moves_between(self, state: State) -> list[int]:
        """The moves that were made up on the way to the position in which a seat chooses."""
        moves, now = [], self.state.copy()
        while bytes(now) != bytes(state):
            moves.append(now.legal_actions()[0])
            now.apply(moves[-1])
        return moves

    async def _drive(self) -> None:
        """Agents move, and moves without a choice are made, until a person must choose."""
        while self.status == RUNNING and not self.paused:
            if self.state.is_terminal or self._person_must_choose():
                break
            seat = self.state.player
            if len(self.questions()) > 1 or seat in self.chosen or seat in self._deciding:
                break  # it chooses at the same time as others
            began = time.monotonic()
            try:
                decision = await self._agent_decides(seat, self.state, [])
            except BoardwrightError as error:
                self._agent_failed(seat, error)
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
        if len(self.questions()) <= 1 or not self._deciding:
            self.go_on()

    def _least_seconds(self, seat: int, forced: bool) -> float:
        """How long a move takes at least. A move without a choice is made at once, unless others would learn from that
        what they cannot see: then it takes as long as the last one that was chosen."""
        if not forced:
            return self.pace
        watching = [other for other in self.people if other != seat]
        known = views.described(self.state, self.state.legal_actions()[0])[1]
        if all(known[other] for other in watching):
            return 0.0
        return max(self.pace, self._took.get(seat, 0.0))

    async def _agent_decides(
        self, seat: int, state: State, made_up: Sequence[int], *, shown: bool = True
    ) -> messages.Decision | None:
        """None: there was nothing to decide."""
        spec = self.setup.seats[seat].spec
        legal = state.legal_actions()
        if len(legal) == 1 and (not spec or not self._wants_to_be_asked(spec)):
            if shown and self._least_seconds(seat, forced=True):
                self._thinks(seat)
            return None
        notice = asyncio.get_running_loop().call_later(_SOON, self._thinks, seat) if shown else None
        line = self.line()
        if made_up:
            line = replace(line, actions=(*line.actions, *made_up))
        try:
            decision: messages.Decision = await self.workers.run(
                Decide(line, spec, self._agent_seed(rng.Stream.PAGE, seat), self.id),
                table=self.id,
                client=self.client,
                compiling=partial(self._compiles, seat),
            )
        finally:
            if notice is not None:
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
        seat = self.state.player
        return self.setup.seats[seat].is_person and len(self.state.legal_actions()) > 1

    def choosing(self) -> list[int]:
        """The seats that the game waits for now."""
        if self.status != RUNNING or self.state.is_terminal or self.waiting_for:
            return []
        return [seat for seat in self.questions() if seat not in self.chosen]

    def must_choose(self, view: View) -> bool:
        """Whether a person with that view is asked now, and has a choice."""
        if view is EVERYTHING or view == SPECTATOR or self.paused or view not in self.choosing():
            return False
        return self.setup.seats[view].is_person and len(self.questions()[view].legal_actions()) > 1

    def _play(self, action: int, *, forced: bool = False) -> None:
        self.store.add_move(self.id, len(self.actions), action, not forced, self.clock.left)
        self._apply(action, forced=forced)
        self._changed()

    def _apply(self, action: int, *, forced: bool) -> None:
        text, known = views.described(self.state, action)
        mover, before = self.state.player, views.observations(self.state)
        decision = Decision(action)
        decision.forced = forced
        self.ongoing.play(decision)
        self.log.append(PlayedMove(mover, text, known, forced, views.revealed(before, self.state)))
        self.actions.append(action)
        self.version += 1
        seats = set(simultaneous_seats(self.state))
        if not seats or not seats <= self._asked_seats:
            self.asked_since = self.version  # another question
        self._asked, self._asked_seats = None, seats

    def _end(self, status: str, note: str, forfeited_by: int | None = None) -> None:
        self.clock.stop()
        for task in (self._driver, *self._deciding.values()):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        self._deciding.clear()
        self.chosen.clear()
        self.status, self.note, self.forfeited_by = status, note, forfeited_by
        self.thinking = None
        self.store.end(self.id, status, note, forfeited_by)
        for viewer in self.viewers:
            if viewer.view == SPECTATOR:
                viewer.view = EVERYTHING
        self._changed()
        if self.workers.forget(self.id):
            finishing = self.workers.run(Finish(self.line(), self.id), table=self.id, priority=ESTIMATES)
            _keep(asyncio.get_running_loop().create_task(finishing))

    def _agent_failed(self, seat: int, error: BoardwrightError) -> None:
        reason = "" if self.is_blind else f": {error}"  # which may name the agent
        self._end(FAILED, f"{self.name(seat)} failed{reason}", seat)

    def _check_playing(self, seat: int) -> None:
        if seat == SPECTATOR:
            raise Refused("only those who play can do that")
        self._check_running()

    def _check_running(self) -> None:
        if self.status != RUNNING:
            raise Refused("the game is over")

    # What agents think

    async def think(self, view: View, spec: str, client: str, compiling: Progress) -> messages.Decision:
        """What an agent thinks of the position, as the seat to move sees it, or another one that has to choose now."""
        if self.state.is_terminal:
            raise Refused("the game is over")
        seat = self.state.player if view is EVERYTHING else view
        if seat not in self.questions():
            raise Refused("an agent can be asked when it is your turn")
        made_up = self._moves_between(self.questions()[seat])
        line = self.line()
        job = Decide(replace(line, actions=(*line.actions, *made_up)), spec, self._agent_seed(rng.Stream.ADVICE, seat))
        decision: messages.Decision = await self.workers.run(
            job, priority=QUESTIONS, client=client, compiling=compiling
        )
        return decision.model_copy(update={"move": len(line.actions)})

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
            (chances,) = await self.workers.run(Estimate(line, (moves,), view), priority=ESTIMATES)
        except BoardwrightError:  # an estimate is not worth more than silence; the game goes on without it
            return
        finally:
            self._estimating.discard(view)
        if self.actions[:moves] != list(line.actions):
            return
        self.curves.setdefault(view, {})[moves] = chances
        for viewer in list(self.viewers):
            if viewer.view == view:
                viewer.send(messages.Chances(points=[(moves, chances)]))

    # Whoever is there

    def _changed(self) -> None:
        self.touched = time.monotonic()
        for viewer in self.viewers:
            viewer.changed()

    def come_or_go(self, viewer: Viewer, here: bool) -> None:
        """Somebody opens or closes their page; the others see it."""
        (self.viewers.add if here else self.viewers.discard)(viewer)
        self.touched = time.monotonic()
        for seat in self.people:
            if self.is_here(seat):
                self._gone.pop(seat, None)
            else:
                self._gone.setdefault(seat, self.touched)
        for other in self.viewers:
            other.changed()

    def is_here(self, seat: int) -> bool:
        return any(viewer.view == seat for viewer in self.viewers)

    # Odds and ends

    def name(self, seat: int) -> str:
        player = self.setup.seats[seat]
        return player.name if self.is_blind else player.real_name or player.name

    def names(self) -> list[str]:
        return [self.name(seat) for seat in range(len(self.setup.seats))]

    def line(self) -> Line:
        """The position as the way to it."""
        setup, game = self.setup, name_for_workers(self.game)
        options = tuple(setup.options.items())
        return Line(game, len(setup.seats), setup.seed, options, tuple(self.actions), setup.position)

    def record(self) -> GameRecord:
        """The game, for record files, once it is over."""
        if self.status == RUNNING:
            raise BadRecord("the game is still being played; it has a record when it is over")
        if self.is_blind:
            raise BadRecord("who the agents were is told when the questions about the game are answered")
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
            position=parse_json(self.setup.position) if self.setup.position else {},
            agents=[player.spec or "human" for player in self.setup.seats],
            actions=self.actions,
            scores=list(scores),
            returns=list(returns),
            forfeit=forfeit,
        )

    def leave(self) -> None:
        """Stop everything: the table is not in memory any more."""
        self.clock.stop()
        self._stop_thinking()


def simultaneous_seats(state: State) -> Sequence[int]:
    """The seats that choose now without knowing what others choose, or none."""
    find = state.game.information.simultaneous
    return () if find is None or state.is_terminal else find(state.record)


def token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


_tasks: set[asyncio.Task[Any]] = set()


def _keep(task: asyncio.Task[Any]) -> None:
    """An event loop holds tasks weakly; whoever starts one must keep it until it is done."""
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
