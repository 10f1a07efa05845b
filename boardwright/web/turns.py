"""Agents at a table get to their turns: they think in other processes (worker_pool.py), and what they choose is played.

Moves without a choice are made here too, an agent's or a person's, without giving away what others cannot see.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from boardwright.errors import AgentFailed, BoardwrightError
from boardwright.kernel import State, rng
from boardwright.registry import agent_class
from boardwright.web import messages, views
from boardwright.web.choosing import Chosen
from boardwright.web.store import RUNNING
from boardwright.web.worker import Decide

if TYPE_CHECKING:
    from boardwright.web.table import Table

_SOON = 0.2
"""Show "thinking …" only after this many seconds."""


class Turns:
    def __init__(self, table: Table) -> None:
        self._table = table
        self.thinking: int | None = None
        """The seat whose agent is thinking."""
        self.compiling: float | None = None
        """How much of the code that an agent needs is compiled, if it has to wait for that."""
        self._driver: asyncio.Task[None] | None = None
        self._deciding: dict[int, asyncio.Task[None]] = {}  # agents that choose at the same time
        self._took: dict[int, float] = {}  # seconds of each agent's last decision

    def go_on(self) -> None:
        """Ask whoever is to move, unless that is a person who has a choice."""
        table = self._table
        if len(table.choosing.positions()) > 1:
            self._ask_all()  # nobody is driven then: who has chosen waits for the others
            return
        player = table.state.player
        if player in table.choosing.chosen:
            table.play_chosen()
            table.go_on()
            return
        if player in self._deciding or self._person_must_choose():
            return
        if self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    def stop(self) -> None:
        """What agents are thinking about now is not wanted any more."""
        for task in (self._driver, *self._deciding.values()):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        self._driver = None
        self._deciding.clear()
        self.thinking = None

    def _ask_all(self) -> None:
        """Where several choose at the same time: agents begin to think, and who has no choice has chosen."""
        table = self._table
        chosen = table.choosing.chosen
        for seat, state in list(table.choosing.positions().items()):
            if seat in chosen or seat in self._deciding:
                continue
            legal = state.legal_actions()
            if table.setup.seats[seat].spec:
                self._deciding[seat] = asyncio.get_running_loop().create_task(self._decide_early(seat, state))
            elif len(legal) == 1:
                chosen[seat] = Chosen((legal[0],), forced=True)
        before = table.version
        table.play_chosen()
        if table.version != before:
            table.go_on()

    async def _decide_early(self, seat: int, state: State) -> None:
        """An agent chooses at the same time as others."""
        table = self._table
        since = table.choosing.since
        made_up = table.choosing.moves_to(state)
        try:
            decision = await self._agent_decides(seat, state, made_up, shown=False)
        except BoardwrightError as error:
            table.agent_failed(seat, error)
            return
        finally:
            if self._deciding.get(seat) is asyncio.current_task():
                del self._deciding[seat]
        if since != table.choosing.since or table.status != RUNNING:
            table.go_on()  # the question was taken back; whoever is asked now may have waited for this
            return
        action = state.legal_actions()[0] if decision is None else decision.action
        table.choosing.chosen[seat] = Chosen((action,), decision, forced=decision is None)
        if not table.room.paused:
            table.play_chosen()
            table.room.changed()
            table.go_on()

    async def _drive(self) -> None:
        """Agents move, and moves without a choice are made, until a person must choose."""
        table = self._table
        while table.status == RUNNING and not table.room.paused:
            if table.state.is_terminal or self._person_must_choose():
                break
            seat = table.state.player
            if len(table.choosing.positions()) > 1 or seat in table.choosing.chosen or seat in self._deciding:
                break  # it chooses at the same time as others
            began = time.monotonic()
            try:
                decision = await self._agent_decides(seat, table.state, [])
            except BoardwrightError as error:
                table.agent_failed(seat, error)
                break
            took = time.monotonic() - began
            await asyncio.sleep(max(0.0, self._least_seconds(seat, decision is None) - took))
            if decision is not None:
                self._took[seat] = took
            if table.room.paused:
                break
            self.thinking = None
            if decision is None:
                table.play(table.state.legal_actions()[0], forced=True)
            else:
                table.play(decision.action, decision)
        self._driver = None
        if len(table.choosing.positions()) <= 1 or not self._deciding:
            table.go_on()

    def _least_seconds(self, seat: int, forced: bool) -> float:
        """How long a move takes at least. A move without a choice is made at once, unless others would learn from that
        what they cannot see: then it takes as long as the last one that was chosen."""
        table = self._table
        if not forced:
            return table.pace
        watching = [other for other in table.people if other != seat]
        known = views.described(table.state, table.state.legal_actions()[0])[1]
        if all(known[other] for other in watching):
            return 0.0
        return max(table.pace, self._took.get(seat, 0.0))

    async def _agent_decides(
        self, seat: int, state: State, made_up: Sequence[int], *, shown: bool = True
    ) -> messages.Decision | None:
        """None: there was nothing to decide."""
        table = self._table
        spec = table.setup.seats[seat].spec
        legal = state.legal_actions()
        if len(legal) == 1 and (not spec or not self._wants_to_be_asked(spec)):
            if shown and self._least_seconds(seat, forced=True):
                self._thinks(seat)
            return None
        notice = asyncio.get_running_loop().call_later(_SOON, self._thinks, seat) if shown else None
        line = table.line()
        if made_up:
            line = replace(line, actions=(*line.actions, *made_up))
        try:
            decision: messages.Decision = await table.workers.run(
                Decide(line, spec, table.agent_seed(rng.Stream.PAGE, seat), table.id),
                table=table.id,
                client=table.client,
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
        self._table.room.changed()

    def _thinks(self, seat: int) -> None:
        self.thinking = seat
        self._table.room.changed()

    def _wants_to_be_asked(self, spec: str) -> bool:
        return agent_class(spec.partition(":")[0], self._table.game).asked_if_forced

    def _person_must_choose(self) -> bool:
        state = self._table.state
        return self._table.setup.seats[state.player].is_person and len(state.legal_actions()) > 1
