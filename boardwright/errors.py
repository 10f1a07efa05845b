"""Everything that can go wrong for a user, as exceptions whose message is fit to print.

Anything else that escapes is a bug in Boardwright.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class BoardwrightError(Exception):
    """A problem the user can act on: the message names what is wrong and, where possible, the fix."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: which one was meant, or which there are."""
    known = sorted(known)
    lower = {one.lower(): one for one in known}
    near = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.5)
    return f"; did you mean {lower[near[0]]!r}?" if near else f"; known: {', '.join(known) or 'none'}"


class UnknownName(BoardwrightError):
    """No game, agent, parameter or option goes by that name."""

    def __init__(self, kind: str, name: str, known: Iterable[str], where: str = "") -> None:
        super().__init__(f"unknown {kind} {name!r}{where}{nearest(name, known)}")


class BadSpec(BoardwrightError):
    """An agent spec, a game option or a seed that does not say what it should."""


class BadGame(BoardwrightError):
    """A game's declaration breaks the contract."""


class IllegalAction(BoardwrightError, ValueError):
    """An action that the rules do not allow now."""


class BadRecord(BoardwrightError):
    """A record file, a saved state or one line of it that cannot be read."""


class BadPosition(BadRecord):
    """A position of one's own that cannot exist; the message names the field."""


class CannotWrite(BoardwrightError):
    """An output file or folder that cannot be written."""


class FileChanged(BoardwrightError):
    """A file that the games of a match are played with was replaced while it was running."""


class AgentFailed(BoardwrightError):
    """An agent raised an error, or chose what the rules forbid, in the middle of a game."""

    def __init__(self, message: str, *, seat: int | None = None, moves: int = 0, traceback: str = "") -> None:
        super().__init__(message)
        self.seat = seat
        self.moves = moves
        """Moves played before it."""
        self.traceback = traceback
        """Of the agent's own error, as text: it comes from another process as well."""

    def __reduce__(self) -> Any:
        return _agent_failed, (str(self), self.seat, self.moves, self.traceback)


def _agent_failed(message: str, seat: int | None, moves: int, traceback: str) -> AgentFailed:
    return AgentFailed(message, seat=seat, moves=moves, traceback=traceback)


class MissingExtra(BoardwrightError):
    """A library that is not installed, because few need it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; pip install 'boardwright[{extra}]'")
        self._arguments = library, extra

    def __reduce__(self) -> Any:
        return MissingExtra, self._arguments
