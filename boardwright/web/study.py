"""Games that hide nothing any more: record files, saved games, finished tables, branches of them.

The page holds the game (how it began, and its actions) and asks for positions, decisions and chances of it. The server
keeps nothing. study_files.py reads and writes files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from boardwright.arena.session import positions
from boardwright.kernel import SPECTATOR
from boardwright.web import views
from boardwright.web.limits import Limits
from boardwright.web.messages import PositionWanted, Refused, Start, StepsWanted
from boardwright.web.own_files import name_for_workers, registered_game
from boardwright.web.worker import Line


def line_of(start: Start, actions: Iterable[int], limits: Limits) -> Line:
    """A game from a page, checked as far as that goes without replaying it."""
    game = registered_game(start.game)
    seats = game.check_seats(start.seats)
    actions = tuple(actions)
    if len(actions) > limits.longest_game:
        raise Refused(f"a game has at most {limits.longest_game:,} moves here")
    options = game.all_options(start.options, seats)
    return Line(name_for_workers(game), seats, start.seed, tuple(options.items()), actions, start.position)


def position(wanted: PositionWanted, limits: Limits) -> dict[str, Any]:
    """A position with everything that is shown of it."""
    line = line_of(wanted.start, wanted.actions, limits)
    if wanted.seat not in (None, SPECTATOR, *range(line.seats)):
        raise Refused(f"there is no seat {wanted.seat}")
    state = line.position()
    layout = views.layout_for(wanted.width, wanted.touch, wanted.toggled)
    shown = views.position(state, wanted.seat, layout, with_choices=True)
    return {"moves": len(line.actions), "seat": wanted.seat, **shown.model_dump()}


def position_file(wanted: PositionWanted, limits: Limits) -> dict[str, Any]:
    """A position as a file that every command takes with --from."""
    line = line_of(wanted.start, wanted.actions, limits)
    return {
        "name": f"{wanted.start.game}-{len(line.actions)}.json",
        "text": json.dumps(line.position().to_dict()) + "\n",
    }


def set_steps(wanted: StepsWanted, limits: Limits) -> dict[str, Any]:
    """The actions that choose several things at once."""
    state = line_of(wanted.start, wanted.actions, limits).position()
    if state.is_terminal:
        raise Refused("the game is over there")
    return {"actions": views.set_steps(state.observation(state.player), wanted.places)}


def game_log(start: Start, actions: Iterable[int], limits: Limits) -> dict[str, Any]:
    """The descriptions of a game's moves."""
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
