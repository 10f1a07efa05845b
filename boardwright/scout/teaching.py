"""Learning from a game that was just played: the winner's decisions, or those of a chosen seat, become cases.

A game of Race for the Galaxy goes into a store (`.db`), which SCOUT reasons from; any game goes into a
case file (`.cases`), which the agent `cases` reasons from. Both are made if need be. `play --teach` calls this.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardwright.arena.record import GameRecord
from boardwright.cases.building import add_game, case_file_for
from boardwright.cases.file import SUFFIX
from boardwright.cbr.store import Store, StoredCase
from boardwright.errors import BadSpec
from boardwright.files import check_writable
from boardwright.games.race.declaration import game as race
from boardwright.kernel import Game
from boardwright.scout.cases.building import ALL_TYPES, cases_of
from boardwright.scout.cases.collection import GameCases, collection_of
from boardwright.scout.cases.files import exclusive, write_store
from boardwright.scout.cases.indexing import index_cases
from boardwright.wording import counted


def check_teachable(
    file: Path,
    game: Game,
    seats: int,
    seat: int | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    dealt: bool = False,
) -> None:
    """Before a game is played: BadSpec if it could not be remembered there. `dealt`: it begins with a position."""
    check_writable(file)
    if seat is not None and not 0 <= seat < seats:
        raise BadSpec(f"there is no seat {seat + 1} at a table of {seats}")
    if file.suffix != SUFFIX and game is not race:
        raise BadSpec(
            f"{file}: a store is SCOUT's, which plays race; a file that ends in {SUFFIX} is of the"
            " agent `cases`, which plays any game"
        )
    if file.suffix == SUFFIX:
        if dealt:
            raise BadSpec(f"{file}: case files hold games from their fresh deal on; leave --from out, or --teach")
        case_file_for(file, game, seats, game.all_options(options or {}, seats))
    elif file.exists():
        with Store(file):  # says what is wrong with it
            pass


def teach(file: Path, game: Game, record: GameRecord, seat: int | None = None) -> str:
    """Remember a finished game: the decisions of a seat, or of the winner. What was done, in words."""
    check_teachable(file, game, record.seats, seat, options=record.options, dealt=bool(record.position))
    if file.suffix == SUFFIX:
        games = add_game(file, game, record, seat)
        return f"{file} has {counted(games, 'game')} now; play against them: cases:case_base={file}"
    found = cases_of(record, ALL_TYPES, seat=seat)
    if found is None:
        raise BadSpec("nobody has won this game, so there is nothing to remember of it")
    total = _into_store(file, found)
    return f"{len(found.records)} cases of {found.name} in {file}, {total:,} in all; play them: scout2:case_base={file}"


def _into_store(file: Path, games: GameCases) -> int:
    """How many cases there are then."""
    with exclusive(file):
        if not file.exists():
            write_store(collection_of([games], {"from": "games that were taught"}), file)
            return len(games.records)
        with Store(file) as store, store.transaction():
            source, first = store.add_source(games.name), store.next_id()
            classes = index_cases(games.records).classes
            store.add(
                StoredCase(number, int(record["type"]), int(cls), source, record.tobytes())
                for number, (record, cls) in enumerate(zip(games.records, classes, strict=True), first)
            )
            return first - 1 + len(games.records)
