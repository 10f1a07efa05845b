"""How a game is played, for pages: its guide as plain data, and its rules (docs/rules) as HTML."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from boardwright.kernel import Game
from boardwright.web.catalogue import picture

_PACKAGE = Path(__file__).parent.parent
FOLDERS = (_PACKAGE / "rules", _PACKAGE.parent / "docs" / "rules")
"""Where the rules are: in the package that users install, and in the project."""
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?://)[^)]*\)")


def guide(game: Game) -> dict[str, Any]:
    """Everything that the page of a game's rules shows."""
    text = game.text.guide
    return {
        "name": game.name,
        "title": game.title,
        "aim": text.aim if text else "",
        "steps": [{"title": step.title, "text": step.text} for step in text.steps] if text else [],
        "icons": [{"name": icon.name, "picture": icon.svg()} for icon in text.icons] if text else [],
        "in_short": [" ".join(part.split()) for part in game.text.rules.strip().split("\n\n") if part.strip()],
        "cards": dict(game.text.cards()) if game.text.cards is not None else {},
        "picture": picture(game.name) if game.text.draw_state is not None else "",
        "rules": rules_html(game.name),
    }


@cache
def rules_html(name: str) -> str:
    """A game's rules, or nothing if it has none. What they link to besides the web is not on the server, so such links
    become plain text."""
    file = next((folder / f"{name}.md" for folder in FOLDERS if (folder / f"{name}.md").is_file()), None)
    if file is None:
        return ""
    text = _LINK.sub(r"\1", file.read_text(encoding="utf-8"))
    return MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
