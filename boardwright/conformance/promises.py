"""Promises of the contract, and the checks that hold a game to them: each module beside this one registers its own."""

from __future__ import annotations

from collections.abc import Callable

from boardwright.errors import BoardwrightError

Check = Callable[..., None]
CHECKS: dict[str, Check] = {}
"""By promise, in the order in which they are checked."""


class Failure(BoardwrightError):
    """A promise of the contract that a game breaks."""


def check(promise: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        CHECKS[promise] = function
        return function

    return register


def must(holds: bool, what: str, where: str) -> None:
    if not holds:
        raise Failure(f"{what} ({where})")
