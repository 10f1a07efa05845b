"""Positions and lists that stay readable on narrow terminals: long lines go on below, further in."""

from __future__ import annotations

import textwrap

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

_FURTHER_IN = 4
_FRAME = 4  # what a panel takes of the width
_NARROWEST = 20


def hanging(text: str, width: int, further_in: int = _FURTHER_IN) -> str:
    """Text whose long lines go on below, indented by more than they begin with."""
    lines = []
    for line in text.split("\n"):
        begins = len(line) - len(line.lstrip())
        below = " " * min(begins + further_in, max(0, width - _NARROWEST))
        lines += textwrap.wrap(
            line, max(width, _NARROWEST), subsequent_indent=below, drop_whitespace=True, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines)


def position_panel(text: str, title: str, console: Console, *, expand: bool = True) -> Panel:
    """A position in a frame."""
    return Panel(escape(hanging(text, console.width - _FRAME)), title=escape(title), expand=expand)
