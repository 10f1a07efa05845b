"""All tables: made, found again, put to sleep.

A table that nobody has looked at for a while is on disk only; it wakes up when somebody opens it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from boardwright.agents.levels import COMPANION, LEVELS
from boardwright.arena.match import has_foreign_agents
from boardwright.errors import BoardwrightError
from boardwright.registry import spec_after
from boardwright.web.limits import Limits
from boardwright.web.messages import ClockWanted, NewTable, Refused, SeatWanted
from boardwright.web.own_files import registered_game
from boardwright.web.specs import check_spec
from boardwright.web.store import RUNNING, Saved, Seat, Setup, Store, token_digest
from boardwright.web.table import Table
from boardwright.web.worker import first_state
from boardwright.web.worker_pool import WorkerPool

SLEEP_AFTER = 600.0
"""Seconds without anybody there."""
SLEEP_WHEN_OVER = 30.0
"""The same once the game is over: nothing happens at such a table any more."""
_SWEEP_EVERY = 5.0
_LISTED = 50


class Busy(BoardwrightError):
    """A limit of the server is reached; later it may work."""


class NoTable(BoardwrightError):
    """There is no such table."""


class Tables:
    def __init__(self, store: Store, workers: WorkerPool, limits: Limits, *, asks: bool = False) -> None:
        self.store = store
        self.workers = workers
        self.limits = limits
        self.asks = asks
        self._awake: dict[str, Table] = {}
        self._waking: dict[str, asyncio.Task[Table]] = {}
        self._made: deque[float] = deque()
        self.started = secrets.token_hex(4)
        """Tells this server from the one before it: pages load games anew when another one answers."""

    async def create(self, wanted: NewTable, client: str) -> tuple[Table, dict[int, str]]:
        """A new table, and the secret of each person's seat, which is given away only here."""
        self._check_room()
        setup, tokens = await asyncio.to_thread(new_setup, wanted, self.limits)
        clocks = [setup.clock[0] if setup.clock else 0.0] * len(setup.seats)
        moves = [(action, True) for action in wanted.actions]
        saved = Saved(setup, RUNNING, "", clocks, moves, setup.created)
        table = await asyncio.to_thread(_checked_table, saved, self.store, self.workers)
        self.store.add(setup, moves, clocks)
        self._awake[table.id] = table
        table.client, table.asks = client, self.asks
        table.go_on()
        return table, tokens

    async def create_rematch(self, before: Table) -> tuple[Table, dict[int, str]]:
        """The same players again, everybody one seat on; the secrets by the seats that they had before. Agents that
        play a series differently from a single game, as a companion does, get to know how this one ended."""
        setup, game = before.setup, before.game
        seats, returns = len(setup.seats), before.returns
        agents = [player.spec or None for player in setup.seats]
        if returns is not None:
            agents = [spec and spec_after(spec, game, seat, returns) for seat, spec in enumerate(agents)]
        wanted = [
            SeatWanted(agent=spec, name="" if player.real_name else player.name, open=player.is_free)
            for player, spec in zip(setup.seats, agents, strict=True)
        ]
        table, tokens = await self.create(
            NewTable(
                game=setup.game,
                seats=[wanted[(seat - 1) % seats] for seat in range(seats)],
                options=dict(setup.options),
                position=setup.position,
                blind=setup.blind,
                pace=setup.pace,
                clock=None if setup.clock is None else ClockWanted(seconds=setup.clock[0], increment=setup.clock[1]),
            ),
            before.client,
        )
        by_seats_before = {(seat - 1) % seats: token for seat, token in tokens.items()}
        before.room.rematch, before.room.rematch_tokens = table.id, by_seats_before
        before.room.changed()
        return table, by_seats_before

    async def get(self, table: str) -> Table:
        """A table, woken up if need be."""
        if table in self._awake:
            return self._awake[table]
        if table not in self._waking:
            self._waking[table] = asyncio.get_running_loop().create_task(self._wake(table))
        try:
            return await asyncio.shield(self._waking[table])
        finally:
            self._waking.pop(table, None)

    async def _wake(self, name: str) -> Table:
        saved = self.store.load(name)
        if saved is None:
            raise NoTable("there is no such table")
        table = await asyncio.to_thread(self._checked_again, saved)
        self._awake[name] = table
        table.asks, table.answered = self.asks, self.store.answered(name)
        table.go_on()
        return table

    def _checked_again(self, saved: Saved) -> Table:
        """A table from the disk, which may have been changed there: what it asks for is checked as for a new one, so
        that the file cannot name code to run."""
        game, seats = registered_game(saved.setup.game), len(saved.setup.seats)
        game.check_seats(seats)
        game.all_options(saved.setup.options, seats)
        for seat in saved.setup.seats:
            if not seat.is_person:
                check_spec(seat.spec, game, seats, self.limits, saved.setup.options)
        return _checked_table(saved, self.store, self.workers)

    def listed(self) -> dict[str, Any]:
        """Tables under way and over, the last changed first."""
        return {
            "server": self.started,
            "running": [self._about(saved) for saved in self.store.recent(True, _LISTED)],
            "finished": [self._about(saved) for saved in self.store.recent(False, _LISTED)],
        }

    def _about(self, saved: Saved) -> dict[str, Any]:
        setup = saved.setup
        title = _title(setup.game)
        seats = [{"name": seat.name, "person": seat.is_person, "open": seat.is_free} for seat in setup.seats]
        return {
            "id": setup.id,
            "game": setup.game,
            "title": title,
            "seats": seats,
            "status": saved.status,
            "note": saved.note,
            "changed": saved.changed,
        }

    async def sweep(self) -> None:
        """Put tables to sleep that nobody looks at."""
        while True:
            await asyncio.sleep(_SWEEP_EVERY)
            self.put_to_sleep(time.monotonic())

    def put_to_sleep(self, now: float) -> None:
        for name, table in list(self._awake.items()):
            patience = SLEEP_AFTER if table.status == RUNNING else SLEEP_WHEN_OVER
            if not table.room.viewers and table.turns.thinking is None and now - table.room.touched > patience:
                table.leave()
                del self._awake[name]

    def close(self) -> None:
        for table in self._awake.values():
            table.leave()

    def _check_room(self) -> None:
        now = time.monotonic()
        while self._made and now - self._made[0] > 60:
            self._made.popleft()
        if len(self._made) >= self.limits.tables_per_minute:
            raise Busy("too many new tables; try again in a minute")
        if sum(table.status == RUNNING for table in self._awake.values()) >= self.limits.tables:
            raise Busy(f"there are {self.limits.tables} tables already; try again when some are over")
        self._made.append(now)


def _title(name: str) -> str:
    try:
        return registered_game(name).title
    except BoardwrightError:  # a game that was there once, or one with an error in its file
        return name


def new_setup(wanted: NewTable, limits: Limits) -> tuple[Setup, dict[int, str]]:
    game = registered_game(wanted.game)
    count = game.check_seats(len(wanted.seats))
    people = [seat for seat, player in enumerate(wanted.seats) if player.agent is None and not player.open]
    tokens = {seat: secrets.token_urlsafe(24) for seat in people}
    if len(wanted.actions) > limits.longest_game:
        raise Refused(f"a game has at most {limits.longest_game:,} moves here")
    options = game.all_options(wanted.options, count)
    specs = [str(check_spec(one.agent, game, count, limits, options)) if one.agent else "" for one in wanted.seats]
    players = seated(wanted.seats, specs, tokens, blind=wanted.blind)
    setup = Setup(
        id=secrets.token_urlsafe(9),
        game=game.name,
        options=options,
        seed=secrets.randbits(63) if wanted.seed is None else wanted.seed,
        seats=tuple(players),
        pace=wanted.pace,
        clock=(wanted.clock.seconds, wanted.clock.increment) if wanted.clock else None,
        branched=len(wanted.actions),
        ready_check=wanted.ready_check,
        position=wanted.position,
        blind=wanted.blind,
        salt=secrets.randbits(63) if has_foreign_agents([player.spec for player in players if player.spec]) else 0,
    )
    return setup, tokens


def seated(
    wanted: Sequence[SeatWanted], specs: Sequence[str], tokens: Mapping[int, str], *, blind: bool = False
) -> list[Seat]:
    """Everybody with a name of their own: the one they were given, or what they are with a number."""
    players: list[Seat] = []
    for seat, (one, spec) in enumerate(zip(wanted, specs, strict=True)):
        kind = one.agent or "Player"
        kind = kind if kind in LEVELS else kind.partition(":")[0]
        name = one.name.strip() or (f"Player {seat + 1}" if one.agent is None else f"{kind} {seat + 1}")
        while name in (other.name for other in players):
            name += "′"
        is_open = one.open and one.agent is None
        digest = token_digest(tokens[seat]) if seat in tokens else ""
        real_name = name if blind and one.agent else ""
        shown = f"opponent {seat + 1}" if real_name else name
        advises = kind == COMPANION and not blind
        players.append(Seat(shown, spec, digest, advises=advises, open=is_open, real_name=real_name))
    return players


def _checked_table(saved: Saved, store: Store, workers: WorkerPool) -> Table:
    """A new table whose first moves may not fit the rules: they came from outside."""
    setup = saved.setup
    state = first_state(registered_game(setup.game), len(setup.seats), setup.seed, setup.options, setup.position)
    for action, _ in saved.moves:
        state.apply(action)
    return Table(saved, store, workers)
