"""Which games and agents pages may name: registered ones, and Python files that whoever started the server has named.
Pages themselves can never name a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardwright.arena.record import GameRecord
from boardwright.errors import BadSpec, BoardwrightError
from boardwright.kernel import Game
from boardwright.registry import games, load_game
from boardwright.web.messages import Refused

_games: dict[str, str] = {}
_agents: dict[str, str] = {}
"""Paths by the names that pages use."""
_faults: list[str] = []
"""What is wrong with files that cannot be loaded: their games may have had other names than their files have."""


class FileBroken(BoardwrightError):
    """A file of whoever started the server has an error; when it is mended and saved, the server begins again."""


def offer_files(game_files: Sequence[Path], agent_files: Sequence[Path]) -> None:
    """Games and agents in Python files of whoever starts the server. A game whose file has an error is offered too: its
    page says what the error is."""
    _games.clear()
    _agents.clear()
    _faults.clear()
    for file in game_files:
        if not file.is_file():
            raise BadSpec(f"--game {file}: there is no such file")
        path = str(file.resolve())
        try:
            name = load_game(path).name
        except BoardwrightError as error:
            name = file.stem
            _faults.append(str(error))
        if name in games() or name in _games:
            raise BadSpec(f"--game {file}: there is a game {name!r} already; give yours another name")
        _games[name] = path
    for file in agent_files:
        if not file.is_file():
            raise BadSpec(f"--agent {file}: there is no such file")
        _agents[file.stem] = str(file.resolve())


def game_names() -> list[str]:
    return [*_games, *games()]


def own_agents() -> dict[str, str]:
    """The files of agents, by the names that pages use."""
    return dict(_agents)


def is_own(name: str) -> bool:
    return name in _games


def registered_game(name: str) -> Game:
    """A game by its name; never a file that a page has named."""
    if name not in game_names() and _faults:
        raise FileBroken(_faults[0])
    if name not in game_names():
        raise Refused(f"there is no game {name!r} here; there are {', '.join(game_names())}")
    return load_game(_games.get(name, name))


def name_for_workers(game: Game) -> str:
    """The name by which other processes load a game: its file, if it is in one."""
    return game.source or game.name


def name_in_records(game: Game) -> str:
    """What records call a game: its name or, as everywhere, its file, without saying where that lies."""
    return Path(game.source).name if game.source else game.name


def game_in_record(record: GameRecord) -> tuple[str, GameRecord]:
    """The name of a record's game, if pages may name it, and the record with the game as this server loads it: a file
    that a record names is one that whoever started the server has named too, or there is none."""
    file = Path(record.game).name
    name = next((name for name, path in _games.items() if Path(path).name == file), record.game)
    return name, record.model_copy(update={"game": name_for_workers(registered_game(name))})


def watched() -> list[Path]:
    """The files whose changes pages should see: what is named, and the Python files beside it."""
    folders = {Path(path).parent for path in (*_games.values(), *_agents.values())}
    return sorted(file for folder in folders for file in folder.glob("*.py"))
