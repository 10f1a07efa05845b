"""Skeletons to start from: a game and an agent that run as they are (skeletons/)."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from boardwright.commands.declared import group
from boardwright.errors import BadSpec, CannotWrite
from boardwright.settings import Checked, argument

if TYPE_CHECKING:
    from rich.console import Console

SKELETONS = Path(__file__).parent / "skeletons"


class Skeleton(Checked):
    name: str = argument("A word, as my_game; the file is NAME.py.", "NAME")


class NewGame(Skeleton):
    """Write a small game that runs, to make your own of it.

    Example: boardwright new game my_game
    """

    def run(self, console: Console) -> Path:
        file = _write(self.name, filled("game", name=self.name, title=_title(self.name), turns=5))
        console.out(
            f"{file}: a game that runs. Next:\n  boardwright check {file}\n  boardwright play {file}\n"
            f"  boardwright match {file} uct random --games 20",
            highlight=False,
        )
        return file


class NewAgent(Skeleton):
    """Write a small agent that plays any game, to make your own of it.

    Example: boardwright new agent my_agent
    """

    def run(self, console: Console) -> Path:
        title = _title(self.name)
        file = _write(self.name, filled("agent", title=title, class_name=title.replace(" ", "")))
        console.out(
            f"{file}: an agent that plays any game. Next:\n"
            f"  boardwright match connect_four {file} random --games 10\n  boardwright explain connect_four {file}",
            highlight=False,
        )
        return file


app = group({"game": NewGame, "agent": NewAgent})


def _title(name: str) -> str:
    return name.replace("_", " ").title()


def filled(skeleton: str, **values: object) -> str:
    """A file of the folder with its names filled in."""
    return Template((SKELETONS / f"{skeleton}.txt").read_text(encoding="utf-8")).substitute(values)


def _write(name: str, text: str) -> Path:
    if not re.fullmatch(r"[A-Za-z]\w*", name) or not name.isascii():
        raise BadSpec(f"{name!r} should be a word: letters, digits and underscores, as my_game")
    file = Path(f"{name}.py")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise CannotWrite(f"{file} is there already; choose another name") from None
    except OSError as error:
        raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
    return file
