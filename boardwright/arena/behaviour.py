"""Whether games that were stored can be gone on with: rules and agents are to be those that played them.

A version says little about that: a new one may play the same, and code may change within one. So a record names the
version and a digest of the code that plays. Where they are others today, what counts is what is played: the shortest of
these games is played again, and has to come out move by move as it is recorded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from boardwright.arena.record import GameRecord
from boardwright.errors import BadRecord

if TYPE_CHECKING:
    from boardwright.arena.match import Match

OURS = "boardwright"
"""Our own package among those that records name."""
_IMPORT = re.compile(r"^\s*from (boardwright[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_NAMED = re.compile(r'"(boardwright(?:\.\w+)+)[:"]')
"""How modules name others: by imports, or as "module:object"."""

_seen_to_agree: set[tuple[str, ...]] = set()
"""Matches and versions of whose games one was played again in this process."""


@cache
def code_version() -> str:
    """Our version, and a digest of the code and the data that play."""
    from boardwright import __version__

    package = Path(__file__).parents[1]
    modules = modules_that_play(package)
    folders = {file.parent for file in modules}
    data = [file for file in package.rglob("*") if file.suffix != ".py" and _package_of(file) in folders]
    sha = hashlib.sha256()
    for file in sorted((*modules, *data)):
        if file.is_file() and "__pycache__" not in file.parts:
            inside = file.relative_to(package).as_posix()
            sha.update(f"{inside} {file.stat().st_size} ".encode() + file.read_bytes())
    return f"{__version__}+{sha.hexdigest()[:12]}"


def modules_that_play(package: Path) -> set[Path]:
    """The files of the match, of all games and agents of ours, and of what they name or import. What shows, measures
    or exports is not among them."""
    from boardwright.registry import homes

    waiting, seen, files = [__name__, "boardwright.arena.match", *homes()], {OURS}, set[Path]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        path = package.parent.joinpath(*name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not file.is_file():
            continue
        files.add(file)
        text = file.read_text(encoding="utf-8")
        waiting += _NAMED.findall(text)
        for module, names in _IMPORT.findall(text):
            waiting += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
    return files


def _package_of(file: Path) -> Path:
    """The innermost folder with modules that a data file lies in."""
    return next(folder for folder in file.parents if (folder / "__init__.py").is_file())


def check_behaviour(match: Match, records: Sequence[GameRecord]) -> None:
    """BadRecord unless the match plays today as it did when these games were recorded."""
    today = match.packages[OURS]
    by_code: dict[str, list[GameRecord]] = {}
    for record in records:
        by_code.setdefault(record.packages.get(OURS, today), []).append(record)
    for code, games in by_code.items():
        about = (code, match.game_name, *match.entrants, str(match.seed), str(match.all_options), str(match.position))
        if code == today or about in _seen_to_agree:
            continue
        shortest = min(games, key=lambda game: len(game.actions))
        if match.has_people or match.has_foreign_agents or match.play(shortest.index).actions != shortest.actions:
            raise BadRecord(
                f"played with {OURS} {code}, not {today}, and game {shortest.index + 1} does not come out as it did:"
                " rules or agents have changed, or do not decide the same way twice; go on with that version, or move"
                " the records away to begin anew"
            )
        _seen_to_agree.add(about)
