"""Skeletons to start from: a game and an agent that run as they are (skeletons/)."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from boardwright import registry
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
        if self.name in registry.games():
            raise BadSpec(f"there is a game {self.name!r} already; choose another name")
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
        if title in ("Decision", "Reason"):
            raise BadSpec(f"{self.name!r} is what every agent imports; choose another name, as my_{self.name}")
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


def _means_something_to_python(name: str) -> bool:
    """Whether it is a keyword, as a name of a file or of a class, or a module of Python's or of an installed package,
    in whose place the new file would be imported."""
    if keyword.iskeyword(name) or keyword.iskeyword(_title(name)):
        return True
    module = importlib.util.find_spec(name)
    return module is not None and module.origin is not None and Path(module.origin).parent != Path.cwd()


def _write(name: str, text: str) -> Path:
    if not re.fullmatch(r"[A-Za-z]\w*", name) or not name.isascii():
        raise BadSpec(f"{name!r} should be a word: letters, digits and underscores, as my_game")
    if _means_something_to_python(name):
        raise BadSpec(f"{name!r} means something to Python already; choose another name, as my_{name}")
    file = Path(f"{name}.py")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise CannotWrite(f"{file} is there already; choose another name") from None
    except OSError as error:
        raise CannotWrite(f"cannot write {file}: {error.strerror}") from None
    return file
