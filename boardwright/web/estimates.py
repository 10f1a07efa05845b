"""What agents think of a table's positions, for people who ask: decisions with their reasons, and chances to win."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boardwright.errors import BoardwrightError
from boardwright.kernel import SPECTATOR, rng
from boardwright.web import messages
from boardwright.web.messages import Refused
from boardwright.web.views import EVERYTHING, View
from boardwright.web.worker import Decide, Estimate
from boardwright.web.worker_pool import ESTIMATES, QUESTIONS, Progress

if TYPE_CHECKING:
    from boardwright.web.table import Table


class Estimates:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._curves: dict[View, dict[int, list[float]]] = {}
        self._estimating: set[View] = set()

    async def think(self, view: View, spec: str, client: str, compiling: Progress) -> messages.Decision:
        """What an agent thinks of the position, as the seat to move sees it, or another one that has to choose now."""
        table = self._table
        if table.state.is_terminal:
            raise Refused("the game is over")
        seat = table.state.player if view is EVERYTHING else view
        asked = table.choosing.positions()
        if seat not in asked:
            raise Refused("an agent can be asked when it is your turn")
        made_up = table.choosing.moves_to(asked[seat])
        line = table.line()
        job = Decide(replace(line, actions=(*line.actions, *made_up)), spec, table.agent_seed(rng.Stream.ADVICE, seat))
        decision: messages.Decision = await table.workers.run(
            job, priority=QUESTIONS, client=client, compiling=compiling
        )
        return decision.model_copy(update={"move": len(line.actions)})

    def curve(self, view: View) -> list[tuple[int, list[float]]]:
        """Everybody's chances after some numbers of moves."""
        return sorted(self._curves.get(view, {}).items())

    def want_curve(self, view: View) -> None:
        """Estimate everybody's chances as the view knows them, if that is not done yet."""
        moves = len(self._table.actions)
        if view == SPECTATOR or view in self._estimating or moves in self._curves.get(view, {}):
            return
        self._estimating.add(view)
        keep(asyncio.get_running_loop().create_task(self._estimate(view)))

    def taken_back(self) -> None:
        """Chances after moves that are not played any more are forgotten."""
        for curve in self._curves.values():
            for number in [number for number in curve if number > len(self._table.actions)]:
                del curve[number]

    async def _estimate(self, view: View) -> None:
        table = self._table
        line = table.line()
        moves = len(line.actions)
        try:
            (chances,) = await table.workers.run(Estimate(line, (moves,), view), priority=ESTIMATES)
        except BoardwrightError:  # an estimate is not worth more than silence; the game goes on without it
            return
        finally:
            self._estimating.discard(view)
        if table.actions[:moves] != list(line.actions):
            return
        self._curves.setdefault(view, {})[moves] = chances
        for viewer in list(table.room.viewers):
            if viewer.view == view:
                viewer.send(messages.Chances(points=[(moves, chances)]))


_tasks: set[asyncio.Task[Any]] = set()


def keep(task: asyncio.Task[Any]) -> None:
    """An event loop holds tasks weakly; whoever starts one must keep it until it is done."""
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
