"""Which line of whose code raised an error: the author's of a game or an agent, not ours and not a library's."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

_PACKAGE = Path(__file__).parent
_BY_AUTHORS = (_PACKAGE / "games",)
"""Parts of the package that are written as other authors write theirs."""


def place_of(error: BaseException) -> str:
    """Where an error was raised, as "dice.py, line 27, in apply"; empty if no line of an author is involved."""
    frame = _authors_frame(error)
    return f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}" if frame else ""


def sentence(error: BaseException) -> str:
    """What went wrong, and where: one line."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}, line {error.lineno}: {error.msg}"
    what = printable(f"{type(error).__name__}: {error}")
    where = place_of(error)
    return f"{where}: {what}" if where else what


def printable(text: str, most: int = 10_000) -> str:
    """What somebody else says, fit for a terminal: one line, no control characters, nothing that turns the direction of
    writing, and not longer than anybody reads."""
    line = " ".join(text[: most + 1].split())
    line = without_control_characters(line)
    return f"{line[:most]}…" if len(text) > most else line


def without_control_characters(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _authors_frame(error: BaseException) -> traceback.FrameSummary | None:
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if is_authors(frame.filename):
            return frame
    return None


def is_authors(filename: str) -> bool:
    file = Path(filename)
    if not file.suffix:  # <string>, <frozen importlib>
        return False
    if file.is_relative_to(_PACKAGE):
        return any(file.is_relative_to(folder) for folder in _BY_AUTHORS)
    return not any(file.is_relative_to(folder) for folder in _LIBRARIES)


_LIBRARIES = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
