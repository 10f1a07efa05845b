"""Games that a person has left and can continue: kept in a file while they are played, one file per game.

A game is continued by a session that restarts at its last position (arena/session.py), so agents that remember know
what happened, and moves can be taken back.
"""

from __future__ import annotations

import re
from pathlib import Path

import pydantic

from boardwright.arena.loop import Listener
from boardwright.errors import BadRecord, BadSpec
from boardwright.files import atomic_output
from boardwright.kernel import State

FOLDER = Path("games")
FORMAT = 1


class Unfinished(pydantic.BaseModel):
    """A game up to where it was left."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    game: str
    options: dict[str, bool | int | str] = {}
    seed: int
    agents: list[str]
    actions: list[int] = []


def unfinished_file(game: str, seed: int) -> Path:
    return FOLDER / f"{stem(game)}-seed{seed}.unfinished.json"


def finished_file(game: str) -> Path:
    """Where games with people are recorded, unless they say otherwise."""
    return FOLDER / f"{stem(game)}.jsonl"


def stem(game: str) -> str:
    return re.sub(r"[^\w.]+", "_", Path(game).stem if game.endswith(".py") else game)


def find_unfinished(game: str, seed: int | None) -> Path:
    """The game of that seed that was left; without a seed, the one left last."""
    if seed is not None:
        file = unfinished_file(game, seed)
        if file.is_file():
            return file
    found = sorted(FOLDER.glob(f"{stem(game)}-seed*.unfinished.json"), key=lambda file: file.stat().st_mtime)
    if not found or seed is not None:
        left = f"; there are: {', '.join(map(str, found))}" if found else ""
        which = f" with seed {seed}" if seed is not None else ""
        raise BadSpec(f"no game of {game}{which} was left in {FOLDER}/{left}")
    return found[-1]


def read_unfinished(file: Path) -> Unfinished:
    try:
        return Unfinished.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadRecord(f"cannot read {file}: {error.strerror}") from None
    except pydantic.ValidationError as error:
        raise BadRecord(f"{file} is not a game that was left: {error.errors()[0]['msg']}") from None


class Keeper(Listener):
    """Writes the game to its file whenever a person has moved."""

    def __init__(self, file: Path, game: Unfinished, people: set[int]) -> None:
        self._file = file
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
        text = self._game.model_copy(update={"actions": self.actions}).model_dump_json()
        with atomic_output(self._file) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
