"""What a compiler's error says, in one sentence with the line that caused it."""

from __future__ import annotations

import re
from pathlib import Path

_KERNEL = Path(__file__).parent
_PLACE = re.compile(r'File "([^"]+)", line (\d+):')
_MAY_USE = "a compiled rule can use numbers, arrays, tuples and other rules"

_SAYINGS: tuple[tuple[str, str], ...] = (
    (r"Untyped global name '(\w+)'.*<class 'function'>", "{0} lacks @rule"),
    (r"Untyped global name '(\w+)'.*<class 'type'>", f"{{0}} is a class; {_MAY_USE}"),
    (r"Untyped global name '(\w+)'.*<class '([\w.]+)'>", f"{{0}} is a {{1}}; {_MAY_USE}"),
    (r"a global of type (\w+)", f"a rule uses a global {{0}}; {_MAY_USE}"),
    (r"assigned to variable '(\w+)' in globals", f"{{0}} is a list; {_MAY_USE}"),
    (r"Cannot modify readonly array", "a rule cannot change a global array: what changes belongs in the state"),
    (r"NameError: name '(\w+)' is not defined", "the name {0} is not defined"),
    (r"Unknown attribute '(\w+)' of type Record", "the state has no field {0}"),
    (r"Cannot unify (\S+) and (\S+) for '([\w.]+)'", "{2} is a {0} on one way through the rule and a {1} on another"),
    (r"missing a required argument: '(\w+)'", "a rule is called without its argument {0}"),
    (r"too many positional arguments", "a rule is called with more arguments than it takes"),
    (r"(?s)No implementation of function \S+ (.*?)\) found for signature:.*?>>> ([^\n]+)", "{1} cannot be compiled"),
    (r"No conversion from none to int64 for '.*return", "a rule that must return a number returns nothing"),
    (r"Use of unsupported opcode \((\w+)\)", "a rule does what cannot be compiled ({0})"),
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
