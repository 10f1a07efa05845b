"""A finished game goes into a case base, as with `play --teach`. The file is the one that whoever started the server
has named with --teach; pages cannot name any. What learning needs is loaded where there is one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from boardwright.errors import BoardwrightError
from boardwright.web.messages import Refused
from boardwright.web.store import FINISHED
from boardwright.web.table import Table


class Teaching:
    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._taught: set[tuple[str, int | None]] = set()
        self._one_at_a_time = asyncio.Lock()

    async def offered(self, table: Table) -> str:
        """The name of the file, if it can take the game at a table; else nothing."""
        try:
            return (await asyncio.to_thread(self._check, table)).name
        except BoardwrightError:
            return ""

    async def teach(self, table: Table, seat: int | None) -> str:
        """Remember the decisions of a seat, or of the winner. What was done, in words."""
        from boardwright.scout.teaching import teach

        async with self._one_at_a_time:
            if (table.id, seat) in self._taught:
                raise Refused("that was learned from this game already")
            file = await asyncio.to_thread(self._check, table)
            done = await asyncio.to_thread(teach, file, table.game, table.record(), seat)
            self._taught.add((table.id, seat))
            return done

    def _check(self, table: Table) -> Path:
        """BadSpec or Refused if this game cannot be learned from."""
        if self._file is None:
            raise Refused("nothing is learned here; whoever starts the server can name a file for it with --teach")
        if table.status != FINISHED:
            raise Refused("a game is learned from when it was played to its end")
        from boardwright.scout.teaching import check_teachable

        setup = table.setup
        check_teachable(self._file, table.game, len(setup.seats), options=setup.options, dealt=bool(setup.position))
        return self._file
