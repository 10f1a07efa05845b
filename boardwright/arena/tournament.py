"""What a class hands in: the agents of a folder, found without running any of them.

A Python file with a class that derives from `Agent` is one of our agents and is moved behind a wall (`isolated:`);
anything else that is executable, or that has a known interpreter, is a script. A folder counts by what it starts with.
"""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from pathlib import Path

from boardwright.errors import BadSpec

STARTS = ("agent.py", "main.py", "bot.py", "main.js", "bot.js", "run", "bot")
"""What a submission that is a folder is started by, the first that is there."""
INTERPRETED = (".py", ".js", ".mjs", ".sh", ".rb", ".lua", ".pl")


@dataclass(frozen=True)
class Submission:
    name: str
    """Its file or folder, without the ending."""
    spec: str


def submissions(folder: Path) -> list[Submission]:
    """All of a folder, by name; BadSpec if there are none or two have one name."""
    if not folder.is_dir():
        raise BadSpec(f"{folder} is not a folder; a tournament takes the folder that the submissions lie in")
    found: dict[str, Path] = {}
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "_")) or (start := _start(entry)) is None:
            continue
        if entry.stem in found:
            raise BadSpec(f"{entry} and {found[entry.stem]} would have one name; rename one of them")
        found[entry.stem] = start
    if not found:
        raise BadSpec(
            f"{folder} has no submissions: Python files with an Agent, programs that speak the protocol of scripts"
            f" (docs/scripts.md), or folders with one of {', '.join(STARTS)}"
        )
    return [Submission(name, _spec(start)) for name, start in found.items()]


def _start(entry: Path) -> Path | None:
    if entry.is_dir():
        return next((entry / name for name in STARTS if (entry / name).is_file()), None)
    return entry if entry.is_file() and (entry.suffix in INTERPRETED or os.access(entry, os.X_OK)) else None


def _spec(file: Path) -> str:
    if any(mark in str(file) for mark in ",:() "):
        raise BadSpec(f"{file}: a submission's path must be without spaces, commas, colons and brackets; rename it")
    return f"isolated:{file}" if _has_agent(file) else f"script:{file}"


def _has_agent(file: Path) -> bool:
    """Whether a class of this file derives from Agent; read, not run."""
    if file.suffix != ".py":
        return False
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return False  # it will fail in its own process, which says how
    bases = (base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases)
    names = (base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in bases)
    return "Agent" in names
