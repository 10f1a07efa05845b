"""The next games, compiled with bounds checks: do the rules compile, do they stay within their arrays, do games end?

Meant for a process with NUMBA_BOUNDSCHECK=1, which may crash or be stopped.
"""

from __future__ import annotations

from boardwright.conformance.promises import Failure
from boardwright.conformance.walking import Progress, variants, walk
from boardwright.errors import BadGame
from boardwright.kernel import Game, rng
from boardwright.kernel.compile_errors import compile_error_text

_ENTRIES = ("setup", "player", "legal", "apply", "returns", "scores", "observe", "determinize", "action_observation")


class OutOfBounds(Failure):
    """An index out of range in compiled rules. Which line it was in is found by playing that game uncompiled."""

    def __init__(self, message: str, seats: int, options: dict[str, object], seed: int) -> None:
        super().__init__(message)
        self.game = (seats, options, seed)


def compile_rules(game: Game) -> None:
    """Failure, with the author's line, for a rule that cannot be compiled."""
    for name in _ENTRIES:
        try:
            getattr(game.entries, name)
        except BadGame as error:
            raise Failure(f"{name} cannot be compiled: {compile_error_text(error.__cause__ or error)}") from error
    for policy in game.search.policies:
        try:
            game.entries.choose(policy)
        except BadGame as error:
            raise Failure(f"{policy} cannot be compiled: {compile_error_text(error.__cause__ or error)}") from error


def play_within_bounds(game: Game, games: int, seed: int) -> None:
    """Random games of every variant, looked at by every seat."""
    for seats, options in variants(game):
        for number in range(games):
            deal = rng.derive(seed, number)
            try:
                for _, state, legal in walk(game, seats, options, deal):
                    for action in legal:
                        state.copy().apply(action)
                    for seat in range(state.seats):
                        state.observation(seat).determinize(seed=seed)
                    _ = state.scores, state.returns
            except IndexError as error:
                raise OutOfBounds(f"{error} ({Progress.where})", seats, options, deal) from error
