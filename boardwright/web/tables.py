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
from boardwright.kernel import Game
from boardwright.registry import games, load_game
from boardwright.web.limits import Limits
from boardwright.web.messages import NewTable, SeatWanted
from boardwright.web.specs import check_spec
from boardwright.web.store import RUNNING, Saved, Seat, Setup, Store
from boardwright.web.table import Refused, Table, token_digest
from boardwright.web.thinking import Thinkers

SLEEP_AFTER = 600.0
"""Seconds without anybody there."""
_SWEEP_EVERY = 30.0
_LISTED = 50


class Busy(BoardwrightError):
    """A limit of the server is reached; later it may work."""


class NoTable(BoardwrightError):
    """There is no such table."""


class Tables:
    def __init__(self, store: Store, thinkers: Thinkers, limits: Limits) -> None:
        self.store = store
        self.thinkers = thinkers
        self.limits = limits
        self._awake: dict[str, Table] = {}
        self._waking: dict[str, asyncio.Task[Table]] = {}
        self._made: deque[float] = deque()

    async def create(self, wanted: NewTable, client: str) -> tuple[Table, dict[int, str]]:
        """A new table, and the secret of each person's seat: it is told once, here."""
        self._check_room()
        setup, tokens = await asyncio.to_thread(new_setup, wanted, self.limits)
        clocks = [setup.clock[0] if setup.clock else 0.0] * len(setup.seats)
        moves = [(action, True) for action in wanted.actions]
        saved = Saved(setup, RUNNING, "", clocks, moves, setup.created)
        table = await asyncio.to_thread(_checked_table, saved, self.store, self.thinkers)
        self.store.add(setup, moves, clocks)
        self._awake[table.id] = table
        table.client = client
        table.go_on()
        return table, tokens

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
        return _checked_table(saved, self.store, self.thinkers)

    def listed(self) -> dict[str, list[dict[str, Any]]]:
        """Tables under way and over, the last changed first."""
        return {
            "running": [self._about(saved) for saved in self.store.recent(True, _LISTED)],
            "finished": [self._about(saved) for saved in self.store.recent(False, _LISTED)],
        }

    def _about(self, saved: Saved) -> dict[str, Any]:
        setup = saved.setup
        title = load_game(setup.game).title if setup.game in games() else setup.game
        seats = [{"name": seat.name, "person": seat.is_person} for seat in setup.seats]
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
            now = time.monotonic()
            for name, table in list(self._awake.items()):
                if not table.onlookers and table.thinking is None and now - table.touched > SLEEP_AFTER:
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


def registered_game(name: str) -> Game:
    """A game by its name; never a file."""
    if name not in games():
        raise Refused(f"there is no game {name!r} here; there are {', '.join(games())}")
    return load_game(name)


def new_setup(wanted: NewTable, limits: Limits) -> tuple[Setup, dict[int, str]]:
    game = registered_game(wanted.game)
    count = game.check_seats(len(wanted.seats))
    tokens = {seat: secrets.token_urlsafe(24) for seat, sitter in enumerate(wanted.seats) if sitter.agent is None}
    if len(wanted.actions) > limits.longest_game:
        raise Refused(f"a game has at most {limits.longest_game:,} moves here")
    options = game.all_options(wanted.options, count)
    specs = [str(check_spec(one.agent, game, count, limits, options)) if one.agent else "" for one in wanted.seats]
    sitters = seated(wanted.seats, specs, tokens)
    setup = Setup(
        id=secrets.token_urlsafe(9),
        game=game.name,
        options=options,
        seed=secrets.randbits(63) if wanted.seed is None else wanted.seed,
        seats=tuple(sitters),
        pace=wanted.pace,
        clock=(wanted.clock.seconds, wanted.clock.increment) if wanted.clock else None,
        branched=len(wanted.actions),
        salt=secrets.randbits(63) if has_foreign_agents([sitter.spec for sitter in sitters if sitter.spec]) else 0,
    )
    return setup, tokens


def seated(wanted: Sequence[SeatWanted], specs: Sequence[str], tokens: Mapping[int, str]) -> list[Seat]:
    """Everybody with a name of their own: the one they were given, or what they are with a number."""
    found: list[Seat] = []
    for seat, (one, spec) in enumerate(zip(wanted, specs, strict=True)):
        kind = one.agent or "Player"
        kind = kind if kind in LEVELS else kind.partition(":")[0]
        name = one.name.strip() or (f"Player {seat + 1}" if one.agent is None else f"{kind} {seat + 1}")
        while name in (other.name for other in found):
            name += "′"
        digest = token_digest(tokens[seat]) if one.agent is None else ""
        found.append(Seat(name, spec, digest, advises=one.agent == COMPANION))
    return found


def _checked_table(saved: Saved, store: Store, thinkers: Thinkers) -> Table:
    """A new table whose first moves may not fit the rules: they came from outside."""
    state = load_game(saved.setup.game).new(seed=saved.setup.seed, seats=len(saved.setup.seats), **saved.setup.options)
    for action, _ in saved.moves:
        state.apply(action)
    return Table(saved, store, thinkers)
