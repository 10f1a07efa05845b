"""Positions and lists that stay readable on small terminals: long lines go on below, further in, and what is longer
than the screen is shown page by page."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

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


def show_paged(shown: RenderableType, console: Console, read: Callable[[str], str]) -> None:
    """Something that may be longer than the screen: on a terminal page by page, `read` waiting between them."""
    if not console.is_terminal:
        console.print(shown, highlight=False)
        return
    with console.capture() as written:
        console.print(shown, highlight=False)
    lines = written.get().rstrip("\n").split("\n")
    page = max(1, console.height - 1)
    for start in range(0, len(lines), page):
        for line in lines[start : start + page]:
            console.print(Text.from_ansi(line), highlight=False, soft_wrap=True)
        left = len(lines) - start - page
        if left > 0 and read(f"[dim]Enter for {left} more lines, q to stop:[/] ").strip().lower() in ("q", "quit"):
            return
