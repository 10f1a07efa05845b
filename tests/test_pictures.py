"""Pictures of commands show what the commands print."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parent.parent / "docs")]

import pictures


def test_the_picture_of_the_demo_shows_what_the_demo_prints_today() -> None:
    """`make docs` draws it again."""
    stored = (pictures.FOLDER / "demo.svg").read_text(encoding="utf-8")
    assert pictures.text_of(stored) == pictures.text_of(pictures.demo_picture())
