"""What pages are shown of a table: as far as a seat may know it, for the page of the table and for the lobby."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from boardwright.drawing import WIDE, Layout
from boardwright.kernel import SPECTATOR
from boardwright.web import messages, views
from boardwright.web.store import RUNNING
from boardwright.web.views import EVERYTHING, View

if TYPE_CHECKING:
    from boardwright.web.table import Table

_PICTURES_KEPT = 24


class TableView:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._rendered: OrderedDict[tuple[View, Layout], tuple[int, messages.Position]] = OrderedDict()

    def table(
        self, view: View, seat: int, log_from: int, layout: Layout = WIDE, *, tips: bool = False
    ) -> messages.TableShown:
        """The table as somebody with that view sees it, with the log from a move on."""
        table = self._table
        position = self._position(view, layout)
        changes: dict[str, Any] = {"choices": [], "set": None}
        if table.status == RUNNING and table.must_choose(view):
            assert view is not EVERYTHING
            asked = table.choosing.positions()[view]
            changes = {"choices": position.choices, "set": position.set}
            if asked is not table.state:
                changes = dict(views.question(asked))
            changes["tips"] = views.tips(asked, view) if tips else []
        elif tips and table.state.is_terminal:
            changes["tips"] = views.tips(table.state, view)
        position = position.model_copy(update=changes)
        own = [number for number, entry in enumerate(table.log) if entry.seat == view and not entry.forced]
        return messages.TableShown(
            **dict(position),
            id=table.id,
            version=table.version,
            game=table.game.name,
            title=table.game.title,
            seat=seat,
            you=view if view is not EVERYTHING and view != SPECTATOR else None,
            open=table.is_open,
            view=view,
            seats=[self._seat_shown(seat) for seat in range(table.state.seats)],
            status=table.status,
            note=table.note,
            paused=table.room.paused,
            wants_pause=sorted(table.room.wants_pause),
            pace=table.pace,
            clock=table.setup.clock is not None,
            ticking=table.clock.running,
            thinking=table.turns.thinking,
            compiling=table.turns.compiling,
            moves=len(table.actions),
            since=own[-1] + 1 if own else 0,
            can_take_back=table.status == RUNNING
            and view in table.people
            and (bool(own) or view in table.choosing.chosen or table.room.back_of is not None),
            choosing=table.waits_for(),
            asked_since=table.choosing.since,
            waiting_for=table.room.waiting_for,
            wants_rematch=sorted(table.room.wants_rematch),
            next_game=bool(table.room.rematch),
            wants_back=sorted(table.room.wants_back),
            back_of=table.room.back_of,
            asks=table.asks and table.status != RUNNING and seat in table.people and seat not in table.answered,
            blind=table.is_blind,
            decision=self._decision_for(view),
            log_from=log_from,
            log=self.log_entries(view, log_from),
        )

    def _position(self, view: View, layout: Layout) -> messages.Position:
        """The position, drawn once for all who look at it in the same way."""
        table = self._table
        known = self._rendered.get((view, layout))
        if known is None or known[0] != table.version:
            known = table.version, views.position(table.state, view, layout)
            self._rendered[view, layout] = known
            if len(self._rendered) > _PICTURES_KEPT:
                self._rendered.popitem(last=False)
        return known[1]

    def _seat_shown(self, seat: int) -> messages.SeatShown:
        table = self._table
        player = table.setup.seats[seat]
        return messages.SeatShown(
            name=table.name(seat),
            role=table.game.seat_name(seat),
            person=player.is_person,
            agent="" if table.is_blind else player.spec,
            advises=player.advises,
            here=table.room.is_here(seat),
            open=player.is_free,
            clock=self._clock(seat),
        )

    def log_entries(self, view: View, first: int) -> list[messages.LogEntry]:
        """The log from a move on, as far as the view may know it."""
        table = self._table
        return [
            messages.LogEntry(
                move=number,
                seat=entry.seat,
                text=entry.text if views.may_know(entry.known, view) else views.UNSEEN,
                forced=entry.forced and views.may_know(entry.known, view),
                revealed=[] if view is EVERYTHING or view == SPECTATOR else entry.revealed[view],
            )
            for number, entry in enumerate(table.log[first:], first)
        ]

    def about(self) -> dict[str, Any]:
        """For the lobby."""
        table = self._table
        return {
            "id": table.id,
            "game": table.game.name,
            "title": table.game.title,
            "seats": table.names(),
            "status": table.status,
            "note": table.note,
            "moves": len(table.actions),
            "setup": {
                "seats": [
                    {"name": table.name(seat), "agent": "" if table.is_blind else p.spec, "open": p.open}
                    for seat, p in enumerate(table.setup.seats)
                ],
                "options": table.setup.options,
                "pace": table.setup.pace,
                "clock": table.setup.clock,
                "position": table.setup.position if table.is_open else "",
                "blind": table.setup.blind,
            },
        }

    def _decision_for(self, view: View) -> messages.Decision | None:
        """The last decision of an agent, where it gives nothing away."""
        table = self._table
        if (
            table.last_decision is None
            or table.is_blind
            or not (view is EVERYTHING or table.game.information.observe is None)
        ):
            return None
        return table.last_decision

    def _clock(self, seat: int) -> float | None:
        table = self._table
        if not table.setup.clock or not table.setup.seats[seat].is_person:
            return None
        return round(table.clock.now(seat), 2)
