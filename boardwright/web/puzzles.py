"""Puzzles on the page: the sets, the progress and the spaced repetition of `boardwright puzzles`.

A page gets what the seat that is asked may know, and its choices; the answer stays here until somebody has answered.
Progress is that of whoever runs the server, so it is kept where only they can reach it; others solve without it.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from datetime import datetime
from typing import Any

from boardwright.coach.mining import own_file
from boardwright.coach.puzzles import Puzzle, read_puzzles, shipped
from boardwright.coach.repetition import HINTED, RIGHT, WRONG, Repetition, exclusive, progress_file
from boardwright.errors import IllegalAction
from boardwright.registry import games
from boardwright.web import views
from boardwright.web.messages import PuzzleAnswer, PuzzleNamed, PuzzleWanted, Refused
from boardwright.web.own_files import registered_game
from boardwright.web.worker import Line

_BUSY = "puzzles are being solved in a terminal; go on there, or end it first"
_REMEMBERED = 4096


def puzzles_of(game: str, *, own: bool) -> dict[str, Puzzle]:
    """By their ids; `own`: those from the user's own games, too."""
    registered_game(game)
    yours = read_puzzles(own_file(game)) if own and own_file(game).exists() else []
    return {puzzle.id: puzzle for puzzle in (*yours, *shipped(game))}


def puzzle(game: str, name: str, *, own: bool) -> Puzzle:
    try:
        return puzzles_of(game, own=own)[name]
    except KeyError:
        raise Refused(f"there is no puzzle {name!r} of {game}") from None


def overview(*, keeps: bool) -> dict[str, Any]:
    """For each game with puzzles: how many there are, are due, are new, are solved."""
    repetition = _progress(keeps)
    found = []
    for game in games():
        names = list(puzzles_of(game, own=keeps))
        if names:
            new = sum(name not in repetition.cards for name in names)
            counts = {"puzzles": len(names), "due": len(repetition.queue(names)) - new, "new": new}
            solved = repetition.solved(names)
            found.append({"game": game, "title": registered_game(game).title, **counts, "solved": solved})
    return {"games": found, "keeps": keeps}


def next_puzzle(wanted: PuzzleWanted, *, keeps: bool) -> dict[str, Any]:
    """The one that spaced repetition asks for now, or the one that the page names; nothing if none is due."""
    every, repetition = puzzles_of(wanted.game, own=keeps), _progress(keeps)
    queue = [name for name in repetition.queue(list(every)) if name not in wanted.skip]
    if wanted.id:
        queue = [puzzle(wanted.game, wanted.id, own=keeps).id]
    if not queue:
        due = [repetition.due(name) for name in every if name in repetition.cards]
        return {"puzzle": None, "next_due": min(due).isoformat() if due else None}
    asked = every[queue[0]]
    state = asked.state()
    layout = views.layout_for(wanted.width, wanted.touch, wanted.toggled)
    shown = views.position(state, asked.seat, layout, with_choices=True)
    about = {"id": asked.id, "game": asked.game, "seat": asked.seat, "seats": asked.seats, "moves": len(asked.actions)}
    return {"puzzle": {**about, "title": asked.load_game().title, **shown.model_dump(), "set": None}}


def answer(given: PuzzleAnswer, *, keeps: bool) -> dict[str, Any]:
    """Whether it is right, what the options are worth, and when the puzzle comes again."""
    asked = puzzle(given.game, given.id, own=keeps)
    game, observation = asked.load_game(), asked.observation()
    legal = observation.legal_actions()
    if given.action not in legal:
        raise IllegalAction(f"action {given.action} is not legal in this puzzle")
    right = given.action == asked.answer
    again: datetime | None = None
    if keeps:
        with exclusive(_BUSY):
            repetition = _progress(keeps)
            again = repetition.answered(asked.id, WRONG if not right else HINTED if given.hinted else RIGHT)
            repetition.save()
    values = [
        {"action": action, "text": game.describe(observation, action), "value": asked.values.get(action)}
        for action in legal
    ]
    return {
        "right": right,
        "answer": {"action": asked.answer, "text": game.describe(observation, asked.answer)},
        "values": sorted(values, key=lambda one: -(-1.0 if one["value"] is None else one["value"])),
        "again": None if again is None else again.isoformat(),
        "judged_by": asked.judged_by,
    }


def forget() -> None:
    """Delete the progress with all puzzles."""
    with exclusive(_BUSY) as progress:
        progress.unlink(missing_ok=True)


def line_of(asked: Puzzle) -> Line:
    """The way to it, for agents and for sentences."""
    options = tuple(asked.options.items())
    dealt = json.dumps(asked.position) if asked.position else ""
    return Line(asked.game, asked.seats, asked.seed, options, tuple(asked.actions), dealt)


class Solving:
    """Who has seen a hint of a puzzle, or has answered it: kept while the server runs."""

    def __init__(self) -> None:
        self._hinted: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self._answered: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    def hint(self, client: str, asked: PuzzleNamed) -> None:
        _remember(self._hinted, (client, asked.game, asked.id))

    def with_hint(self, client: str, given: PuzzleAnswer) -> PuzzleAnswer:
        """The answer, as one with a hint if there was one."""
        hinted = given.hinted or (client, given.game, given.id) in self._hinted
        return given.model_copy(update={"hinted": hinted})

    def answered(self, client: str, given: PuzzleAnswer) -> None:
        key = client, given.game, given.id
        self._hinted.pop(key, None)
        _remember(self._answered, key)

    def check_answered(self, client: str, asked: PuzzleNamed) -> None:
        if (client, asked.game, asked.id) not in self._answered:
            raise Refused("why is said when you have given an answer")


def _remember(those: OrderedDict[tuple[str, str, str], None], key: tuple[str, str, str]) -> None:
    those[key] = None
    if len(those) > _REMEMBERED:
        those.popitem(last=False)


def _progress(keeps: bool) -> Repetition:
    return Repetition.load(progress_file()) if keeps else Repetition(progress_file())
