"""What a compiler's error says, in one sentence with the line that caused it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_KERNEL = Path(__file__).parent
_PLACE = re.compile(r'File "([^"]+)", line (\d+):')
_SAYINGS = tuple(
    (one["pattern"], one["saying"])
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["sayings"]
)


def compile_error_text(error: BaseException) -> str:
    """One sentence for an error of Numba's: "dice.py, line 27: P is a class; …"."""
    if isinstance(error, KeyError):
        return f"the state has no field {error}"
    text = re.sub(r"\x1b\[[\d;]*m", "", str(error))
    where = _authors_line(text)
    for pattern, saying in _SAYINGS:
        if match := re.search(pattern, text):
            return where + saying.format(*match.groups())
    return where + _first_sentence(text)


def _authors_line(text: str) -> str:
    """The first place that a compiler names outside the kernel: errors come with the innermost call first."""
    for name, line in _PLACE.findall(text):
        file = Path(name).resolve()
        if not file.is_relative_to(_KERNEL) and "numba" not in file.parts:
            return f"{file.name}, line {line}: "
    called = re.findall(r"CPUDispatcher\(<function (\w+)", text)
    return f"in {called[0]}: " if called else ""


def _first_sentence(text: str) -> str:
    message: list[str] = []
    for line in text.splitlines():
        if line.startswith(("During", "File ")) and message:
            break
        if line.strip() and not line.startswith("Failed in nopython mode"):
            message.append(line.strip())
        elif message:
            break
    return " ".join(message) or "the compiler gave no reason"
