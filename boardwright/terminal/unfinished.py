"""Games that a person has left and can continue: kept in a file while they are played, one file per game.

A game is continued by a session that restarts at its last position (arena/session.py), so agents that remember know
what happened, and moves can be taken back.
"""

from __future__ import annotations

import math
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pydantic

from boardwright.arena.loop import Listener
from boardwright.arena.match import Match
from boardwright.arena.seeds import HiddenSeed
from boardwright.errors import BadRecord, BadSpec, CannotWrite
from boardwright.files import alone, atomic_output
from boardwright.kernel import State

FOLDER = Path("games")
FORMAT = 1
_SUFFIX = ".unfinished.json"
_LOCK = ".unfinished.lock"
_LEFT_FOR_GOOD = 60.0
"""Seconds."""


class Unfinished(pydantic.BaseModel):
    """A game up to where it was left."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    game: str
    options: dict[str, bool | int | str] = {}
    seed: int | None
    """The seed; None if it is hidden from agents that are not our own, and kept elsewhere (arena/seeds.py)."""
    salt: int = 0
    """The salt, which is hidden with the seed."""
    position: dict[str, Any] = {}
    """What it began with, if that was no fresh deal (boardwright/positions.py)."""
    agents: list[str]
    actions: list[int] = []


def unfinished_file(match: Match) -> Path:
    """Where a game is kept that is about to begin. Its name tells the seed unless somebody could read it there."""
    which = f"hidden{secrets.token_hex(4)}" if match.has_foreign_agents else f"seed{match.seed}"
    return FOLDER / f"{stem(match.game_name)}-{which}{_SUFFIX}"


def finished_file(game: str) -> Path:
    """Where games with people are recorded, unless they say otherwise."""
    return FOLDER / f"{stem(game)}.jsonl"


def stem(game: str) -> str:
    return re.sub(r"[^\w.]+", "_", Path(game).stem if game.endswith(".py") else game)


def find_unfinished(game: str, seed: int | None) -> Path:
    """The game of that seed that was left; without a seed, the one left last."""
    found = [file for kind in ("seed", "hidden") for file in FOLDER.glob(f"{stem(game)}-{kind}*{_SUFFIX}")]
    found.sort(key=lambda file: file.stat().st_mtime)
    if seed is not None:
        for file in found:
            if file.name == f"{stem(game)}-seed{seed}{_SUFFIX}" or HiddenSeed(file).is_seed(seed):
                return file
    if not found or seed is not None:
        left = f"; there are: {', '.join(map(str, found))}" if found else ""
        which = f" with seed {seed}" if seed is not None else ""
        raise BadSpec(f"no game of {game}{which} was left in {FOLDER}/{left}")
    return found[-1]


def read_unfinished(file: Path) -> Unfinished:
    try:
        left = Unfinished.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except pydantic.ValidationError as error:
        raise BadRecord(f"{file} is not a game that was left: {error.errors()[0]['msg']}") from None
    if left.seed is not None:
        return left
    seed, salt = HiddenSeed(file).read()
    return left.model_copy(update={"seed": seed, "salt": salt})


def clear_leftovers() -> None:
    """Remove what a killed process has left here: locks that nobody holds, and half-written files beside them. What is
    younger than a minute may be somebody's who just begins."""
    old = time.time() - _LEFT_FOR_GOOD
    found: dict[Path, list[Path]] = {lock: [] for lock in FOLDER.glob(f"*{_LOCK}") if _written(lock) < old}
    for half in FOLDER.glob(f".*{_SUFFIX}.*"):
        if _written(half) < old:
            stem, _, _ = half.name[1:].rpartition(_SUFFIX)
            found.setdefault(FOLDER / f"{stem}{_LOCK}", []).append(half)
    for lock, halves in found.items():
        with suppress(CannotWrite), alone(lock, "this game is being played"):
            for half in halves:
                half.unlink(missing_ok=True)


def _written(file: Path) -> float:
    """When it was written, in seconds; as new as can be if it has gone."""
    try:
        return file.stat().st_mtime
    except OSError:
        return math.inf


class Autosave(Listener):
    """Writes the game to its file whenever a person has moved."""

    def __init__(self, file: Path, game: Unfinished, people: set[int], hidden: HiddenSeed | None) -> None:
        """`hidden`: where the seed is kept, if it must not be in the file."""
        self._file = file
        self._hidden = hidden
        self._game = game
        self._people = people
        self.actions = list(game.actions)
        self._known = len(game.actions)
        self._played = 0

    def applied(self, state: State, seat: int, action: int) -> None:
        self._played += 1
        if self._played <= self._known:
            return  # played again from the file
        self.actions.append(action)
        if seat in self._people:
            self.write()

    def taken_back(self, state: State, moves: int) -> None:
        self._played -= moves
        self._known = min(self._known, self._played)
        del self.actions[self._played :]

    def write(self) -> None:
        fields: dict[str, object] = {"actions": self.actions}
        if self._hidden is not None:
            self._hidden.keep(self._game.seed or 0, self._game.salt)
            fields |= {"seed": None, "salt": 0}
        text = self._game.model_copy(update=fields).model_dump_json()
        with atomic_output(self._file) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
