"""Random games of every variant, position by position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boardwright.conformance.promises import Failure
from boardwright.kernel import Game, State, rng

LONGEST_GAME = 100_000


class Progress:
    """How far the walks of this process have come; a watchdog looks at it."""

    positions = 0
    waiting = False
    """Whether something else than a rule is waited for."""
    where = "before the first move"

    @classmethod
    def at(cls, where: str) -> None:
        cls.positions += 1
        cls.where = where


def variants(game: Game) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every seat count with the default options, and every other value of each switch and choice."""
    for seats in game.seats:
        yield seats, {}
    for name, option in game.options.items():
        for value in option.others:
            yield game.seats[0], {name: value}


def walks(game: Game, games: int, seed: int) -> Iterator[tuple[str, State, list[int]]]:
    """Random games of all variants, position by position: where we are, the state, the legal actions."""
    for seats, options in variants(game):
        for number in range(games):
            yield from walk(game, seats, options, rng.derive(seed, number))


def walk(game: Game, seats: int, options: dict[str, Any], seed: int) -> Iterator[tuple[str, State, list[int]]]:
    state = game.new(seed=seed, seats=seats, **options)
    rng_state = rng.generator(seed)
    longest = game.longest_game(seats, options)
    for move in range(LONGEST_GAME):
        where = place(seats, options, seed, move)
        Progress.at(where)
        legal = state.legal_actions()
        yield where, state, legal
        if state.is_terminal:
            return
        if not legal:
            raise Failure(f"no legal action although the game is not over ({where})")
        if move == longest > 0:
            raise Failure(f"not over after {move} moves, which is all that `max_game_length` allows ({where})")
        state.apply(legal[rng.draw(rng_state) % len(legal)])
    raise Failure(f"not over after {LONGEST_GAME:,} moves (seats {seats}, {_options(options)}, seed {seed})")


def place(seats: int, options: dict[str, Any], seed: int, move: int) -> str:
    """Where in which game, so that it can be found again."""
    return f"seats {seats}, {_options(options)}, seed {seed}, move {move + 1}"


def _options(options: dict[str, Any]) -> str:
    return "default options" if not options else ", ".join(f"{name}={value}" for name, value in options.items())
