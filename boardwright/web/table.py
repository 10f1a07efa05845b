"""A table: one game, who plays, and what happens when somebody moves.

Everything here runs in the server's event loop. Moves go through the game loop (arena/loop.py), and every move is on
disk before anybody is shown it (store.py). Who has to choose is in choosing.py, agents' turns in turns.py, people in
room.py, what pages are shown in table_view.py.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from boardwright.agents import Agent, Decision
from boardwright.agents.levels import EASY, levels
from boardwright.arena.loop import OngoingGame, forfeit_returns, forfeit_scores
from boardwright.arena.record import GameRecord, RecordedFailure
from boardwright.errors import BadRecord, BoardwrightError, IllegalAction
from boardwright.files import parse_json
from boardwright.kernel import SPECTATOR, State, rng
from boardwright.web import messages, views
from boardwright.web.choosing import Choosing, Chosen
from boardwright.web.clocks import Clocks
from boardwright.web.estimates import Estimates, keep
from boardwright.web.messages import Refused
from boardwright.web.own_files import name_for_workers, name_in_records, registered_game
from boardwright.web.room import Room
from boardwright.web.store import FAILED, FINISHED, OUT_OF_TIME, RESIGNED, RUNNING, Saved, Seat, Store, token_digest
from boardwright.web.table_view import TableView
from boardwright.web.turns import Turns
from boardwright.web.views import EVERYTHING, View
from boardwright.web.worker import Finish, Line, first_state
from boardwright.web.worker_pool import ESTIMATES, WorkerPool


class PlayedMove(NamedTuple):
    """One move in the log."""

    seat: int
    text: str
    known: list[bool]
    forced: bool
    revealed: list[list[str]]
    """What came to light with it, for each seat."""


class Table:
    def __init__(self, saved: Saved, store: Store, workers: WorkerPool) -> None:
        self.setup = saved.setup
        self.status = saved.status
        self.note = saved.note
        self.forfeited_by = saved.forfeited_by
        """The seat that resigned, ran out of time or failed."""
        self.store = store
        self.workers = workers
        self.version = 0
        """Grows with every move, and with every move that is taken back."""
        self.pace = saved.setup.pace
        self.clock = Clocks(
            saved.clocks, lambda seat: self._end(OUT_OF_TIME, f"{self.name(seat)} ran out of time", seat)
        )
        self.log: list[PlayedMove] = []
        self.actions: list[int] = []
        self.last_decision: messages.Decision | None = None
        """The last one that an agent has made and that was played."""
        self.client = ""
        """Who opened it; its agents wait for processes in their turn."""
        self.asks = False
        """Whether people are asked about the game when it is over."""
        self.answered: set[int] = set()
        """Seats that have answered, or would rather not."""

        self.game = registered_game(saved.setup.game)
        setup = self.setup
        state = first_state(self.game, len(setup.seats), setup.seed, setup.options, setup.position)
        agents = [Agent(self.game, seat) for seat in range(state.seats)]
        self.ongoing = OngoingGame(state, agents, keep_history=True)
        self.choosing = Choosing(state)
        self.turns = Turns(self)
        self.room = Room(self)
        self.estimates = Estimates(self)
        self.shows = TableView(self)
        for action, asked in saved.moves:
            self._apply(action, forced=not asked)

    def agent_seed(self, stream: int, seat: int) -> int:
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
        """Whether the agents' names are hidden: until the game is over, and all who are asked have answered."""
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
        self.room.changed()

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
        self.check_playing(seat)
        if not self.choosing.since <= version <= self.version:
            raise Refused("the position has changed meanwhile; choose again")
        if self.room.paused:
            raise Refused("the game is paused")
        if self.room.waiting_for:
            raise Refused("the game has not begun; it waits for players")
        state = self.choosing.positions().get(seat)
        if state is None or seat in self.choosing.chosen:
            raise Refused("it is not your turn")
        return state

    def _choose(self, seat: int, actions: Sequence[int]) -> None:
        """What somebody has chosen is played when all that were asked before them have chosen."""
        self.clock.stop(seat)
        if self.setup.clock:
            self.clock.left[seat] += self.setup.clock[1]
        self.choosing.chosen[seat] = Chosen(tuple(actions))
        self.room.nobody_wants_back()
        self.last_decision = None
        self.play_chosen()
        self.room.changed()
        self.go_on()

    def play_chosen(self) -> None:
        """Play what was chosen already, for as long as it is the turn of somebody who has chosen."""
        while (found := self.choosing.take_next()) is not None:
            seat, chosen = found
            self.last_decision = chosen.decision
            for action in chosen.actions:
                state = self.state
                if state.is_terminal or state.player != seat or action not in state.legal_actions():
                    return  # the rules ask something else now
                self.play(action, chosen.decision, forced=chosen.forced)

    def take_back(self, seat: int) -> None:
        """At once where nobody has learned of the decision, or where all others are agents; otherwise when everybody
        who plays wants it."""
        self.check_playing(seat)
        if self.choosing.chosen.pop(seat, None) is not None:
            self.room.changed()
            self.go_on()
            return
        whose = self.room.want_back(seat)
        if whose is None:
            return
        self.room.nobody_wants_back()
        self._stop_thinking()
        self.clock.stop()
        moves = self.ongoing.take_back(whose)
        while moves and self._set_is_begun():  # a choice of several things is taken back as a whole
            earlier = self.ongoing.take_back(whose)
            if not earlier:
                break
            moves += earlier
        if moves:
            del self.actions[len(self.actions) - moves :]
            del self.log[len(self.log) - moves :]
            self.store.cut(self.id, len(self.actions), self.clock.left)
            self.estimates.taken_back()
            self.last_decision = None
            self.version += 1
            self.choosing.taken_back(self.version)
            self.room.changed()
        self.go_on()
        if not moves:
            raise Refused("there is nothing to take back")

    def _stop_thinking(self) -> None:
        """What agents think about is not wanted any more, nor what was chosen and not played."""
        self.turns.stop()
        self.choosing.chosen.clear()

    def _set_is_begun(self) -> bool:
        find = self.game.text.set_choice
        choice = find(self.state.observation(self.state.player).record) if find is not None else None
        return choice is not None and choice.begun

    def resign(self, seat: int) -> None:
        """The game is over, unless other people play on against others than this seat: then an agent takes it."""
        self.check_playing(seat)
        if len(self.people) == 1 or self.state.seats == 2:
            self._end(RESIGNED, f"{self.name(seat)} resigned", seat)
            return
        spec = levels(self.game, self.state.seats, hidden=self.state.has_hidden_information)[EASY]
        self.room.give_to_agent(seat, Seat(f"{self.name(seat)} (resigned; {EASY} plays on)", spec))

    def reseat(self, seat: int, player: Seat) -> None:
        """Somebody else sits there from now on."""
        players = list(self.setup.seats)
        players[seat] = player
        self.setup = replace(self.setup, seats=tuple(players))
        self.store.reseat(self.setup)

    def set_pace(self, seat: int, seconds: float) -> None:
        if seat == SPECTATOR and self.people:
            raise Refused("only those who play can set the pace")
        self.pace = seconds
        self.room.changed()

    def go_on(self) -> None:
        """See to it that whoever is to move gets to it."""
        if self.status == RUNNING and self.state.is_terminal:
            self._end(FINISHED, views.result_text(self.game, self.state, self.names()))
        if self.status != RUNNING or self.room.paused or self.room.waiting_for:
            return
        if self.setup.clock:
            self.clock.start(seat for seat in self.waits_for() if self.must_choose(seat))
        self.turns.go_on()

    def waits_for(self) -> list[int]:
        """The seats that the game waits for now."""
        if self.status != RUNNING or self.state.is_terminal or self.room.waiting_for:
            return []
        return self.choosing.waits_for()

    def must_choose(self, view: View) -> bool:
        """Whether a person with that view is asked now, and has a choice."""
        if view is EVERYTHING or view == SPECTATOR or self.room.paused or view not in self.waits_for():
            return False
        return self.setup.seats[view].is_person and len(self.choosing.positions()[view].legal_actions()) > 1

    def play(self, action: int, decision: messages.Decision | None = None, *, forced: bool = False) -> None:
        """Play what the seat to move has chosen; `decision`, if an agent has."""
        if decision is not None:
            self.last_decision = decision
        self.store.add_move(self.id, len(self.actions), action, not forced, self.clock.left)
        self._apply(action, forced=forced)
        self.room.changed()

    def _apply(self, action: int, *, forced: bool) -> None:
        text, known = views.described(self.state, action)
        mover, before = self.state.player, views.observations(self.state)
        decision = Decision(action)
        decision.forced = forced
        self.ongoing.play(decision)
        self.log.append(PlayedMove(mover, text, known, forced, views.revealed(before, self.state)))
        self.actions.append(action)
        self.version += 1
        self.choosing.played(self.version)

    def _end(self, status: str, note: str, forfeited_by: int | None = None) -> None:
        self.clock.stop()
        self._stop_thinking()
        self.status, self.note, self.forfeited_by = status, note, forfeited_by
        self.store.end(self.id, status, note, forfeited_by)
        for viewer in self.room.viewers:
            if viewer.view == SPECTATOR:
                viewer.view = EVERYTHING
        self.room.changed()
        if self.workers.forget(self.id):
            finishing = self.workers.run(Finish(self.line(), self.id), table=self.id, priority=ESTIMATES)
            keep(asyncio.get_running_loop().create_task(finishing))

    def agent_failed(self, seat: int, error: BoardwrightError) -> None:
        reason = "" if self.is_blind else f": {error}"  # which may name the agent
        self._end(FAILED, f"{self.name(seat)} failed{reason}", seat)

    def check_playing(self, seat: int) -> None:
        if seat == SPECTATOR:
            raise Refused("only those who play can do that")
        self.check_running()

    def check_running(self) -> None:
        if self.status != RUNNING:
            raise Refused("the game is over")

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

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The result, once the game is over; None if it is not known who gave up."""
        if self.status == FINISHED:
            return self.state.returns
        seat = self.forfeited_by
        return None if seat is None or self.status == RUNNING else forfeit_returns(self.state, seat)

    def record(self) -> GameRecord:
        """The game, for record files, once it is over."""
        if self.status == RUNNING:
            raise BadRecord("the game is still being played; it has a record when it is over")
        if self.is_blind:
            raise BadRecord("who the agents were is told when the questions about the game are answered")
        seat, returns, scores, forfeit = self.forfeited_by, self.returns, self.state.scores, None
        if returns is None:
            raise BadRecord("an older version kept this table without saying who gave up, so it has no record")
        if seat is not None and self.status != FINISHED:
            forfeit = RecordedFailure(seat=seat, moves=len(self.actions), reason=self.note)
            scores = forfeit_scores(self.state, seat)
        return GameRecord(
            game=name_in_records(self.game),
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
