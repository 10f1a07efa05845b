"""Games that hide nothing any more: record files, saved games, finished tables, branches of them.

The page holds the game (how it began, and its actions) and asks for positions, thoughts and chances of it. The server
keeps nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boardwright.arena.record import GameRecord, read_records
from boardwright.arena.runner import RECORDS_FOLDER
from boardwright.arena.session import positions
from boardwright.errors import BadRecord
from boardwright.registry import games, load_game, saved_games
from boardwright.web import views
from boardwright.web.limits import Limits
from boardwright.web.messages import PositionWanted, Start, StepsWanted
from boardwright.web.table import Refused
from boardwright.web.tables import registered_game
from boardwright.web.worker import Line

MOST_LISTED = 500
"""Games of a file that are listed and checked."""


def line_of(start: Start, actions: Iterable[int], limits: Limits) -> Line:
    """A game from a page, checked as far as that goes without replaying it."""
    game = registered_game(start.game)
    seats = game.check_seats(start.seats)
    actions = tuple(actions)
    if len(actions) > limits.longest_game:
        raise Refused(f"a game has at most {limits.longest_game:,} moves here")
    options = game.all_options(start.options, seats)
    return Line(game.name, seats, start.seed, tuple(options.items()), actions)


def position(wanted: PositionWanted, limits: Limits) -> dict[str, Any]:
    """A position with everything that is shown of it."""
    line = line_of(wanted.start, wanted.actions, limits)
    if wanted.seat is not None and wanted.seat not in range(line.seats):
        raise Refused(f"there is no seat {wanted.seat}")
    state = line.position()
    said = views.position(state, wanted.seat)
    if not state.is_terminal:
        said |= views.asked(state)
    return {"moves": len(line.actions), "seat": wanted.seat, **said}


def set_steps(wanted: StepsWanted, limits: Limits) -> dict[str, Any]:
    """The actions that choose several things at once."""
    state = line_of(wanted.start, wanted.actions, limits).position()
    if state.is_terminal:
        raise Refused("the game is over there")
    return {"actions": views.set_steps(state.observation(state.player), wanted.places)}


def game_log(start: Start, actions: Iterable[int], limits: Limits) -> dict[str, Any]:
    """A game in words, move by move."""
    line = line_of(start, actions, limits)
    game, log = registered_game(start.game), []
    for number, (state, action) in enumerate(positions(line.start(), line.actions)):
        if action is not None:
            log.append({"move": number, "seat": state.player, "text": game.describe(state, action)})
    return {
        "title": game.title,
        "roles": [game.seat_name(seat) for seat in range(line.seats)],
        "log": log,
        "over": state.is_terminal,
    }


def uploaded(data: bytes) -> dict[str, Any]:
    """The games in a file that somebody has sent: records, or another program's saves."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "upload"
        file.write_bytes(data)
        try:
            return games_in(file)
        except BadRecord as error:
            raise BadRecord(str(error).replace(str(file), "the file")) from None


def record_files() -> list[str]:
    """The record files in the records folder, the newest first."""
    if not RECORDS_FOLDER.is_dir():
        return []
    files = sorted(RECORDS_FOLDER.glob("*.jsonl"), key=lambda file: -file.stat().st_mtime)
    return [file.name for file in files][:MOST_LISTED]


def record_file(name: str) -> dict[str, Any]:
    """The games of one of them."""
    if name not in record_files():
        raise Refused(f"there is no file {name!r} in the records folder")
    return games_in(RECORDS_FOLDER / name)


def games_in(file: Path) -> dict[str, Any]:
    """The games of a file, replayed and checked."""
    try:
        records = read_records(file, warn=lambda _: None)
    except BadRecord:
        saves = saved_games(file)
        if saves is None:
            raise
        owner = next(name for name in games() if load_game(name).saved_games is not None)
        found = [
            _listed(
                {
                    "game": owner,
                    "seats": saved.seats,
                    "seed": str(saved.seed),
                    "options": dict(saved.options),
                    "actions": [int(action) for action in saved.actions],
                    "agents": [f"player {seat + 1}" for seat in range(saved.seats)],
                },
                number,
            )
            for number, saved in enumerate(saves.games(file))
            if number < MOST_LISTED
        ]
        return {"games": found, "total": len(found)}
    for record in records[:MOST_LISTED]:
        check_record(record)
    return {
        "games": [_listed(as_game(record), record.index) for record in records[:MOST_LISTED]],
        "total": len(records),
    }


def check_record(record: GameRecord) -> None:
    """A record must be of a registered game, and replay to its result."""
    registered_game(record.game)
    record.final()


def as_game(record: GameRecord) -> dict[str, Any]:
    return {
        "game": record.game,
        "seats": record.seats,
        "seed": str(record.seed),  # more than a browser's numbers can hold
        "options": record.options,
        "actions": record.actions,
        "agents": record.agents,
        "scores": record.scores,
        "returns": record.returns,
        "forfeit": "" if record.forfeit is None else record.forfeit.reason,
    }


def _listed(game: dict[str, Any], number: int) -> dict[str, Any]:
    return {"number": number + 1, "title": load_game(game["game"]).title, **game}
