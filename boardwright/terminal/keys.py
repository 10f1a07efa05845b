"""The keyboard: what was typed while nobody asked is not an answer."""

from __future__ import annotations

import sys


def forget_typed_keys() -> None:
    """Drop what was typed before the question; on a terminal only, so that answers can be piped in."""
    if not sys.stdin.isatty():
        return
    import termios

    termios.tcflush(sys.stdin, termios.TCIFLUSH)
