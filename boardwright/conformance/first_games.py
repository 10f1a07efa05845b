"""The first games of a game that is being written, as plain Python: an error comes with the author's file and line, an
index out of range is an error, and what takes too long is stopped in the line where it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boardwright.blame import place_of, sentence
from boardwright.conformance.promises import Failure
from boardwright.conformance.walking import place, variants
from boardwright.kernel import MAX_SEATS, TERMINAL, Game, rng
from boardwright.kernel.options import encode_options
from boardwright.kernel.records import plain_record
from boardwright.platforms import time_limit

GAMES, MOVES = 2, 2_000
"""Of each variant; and of each game: whether it ends is seen with compiled rules, which are quicker."""
SECONDS_PER_CALL, SECONDS = 5, 30


_CHANCE = "chance must come from the state, as rng.below(s.rng, 6)"


class TookTooLong(Exception):
    """A function did not come back in time."""

    def __str__(self) -> str:
        return f"does not come back within {SECONDS_PER_CALL} s"


def play_first_games(game: Game, seed: int, only: tuple[int, dict[str, Any], int] | None = None) -> None:
    """Failure for the first thing that goes wrong; with `only`, in the game of that seat count, options and seed."""
    stop = time.monotonic() + SECONDS
    planned = [(n, options, rng.derive(seed, i)) for i in range(GAMES) for n, options in variants(game)]
    for seats, options, deal in [only] if only else planned:
        if time.monotonic() > stop and not only:
            return
        _FirstGame(game, seats, options, deal).play(stop)


class _FirstGame:
    def __init__(self, game: Game, seats: int, options: dict[str, Any], seed: int) -> None:
        self.game, self.seats, self.options, self.seed = game, seats, options, seed
        self.memory = np.zeros(game.state.itemsize, np.uint8)
        self.move = 0

    @property
    def where(self) -> str:
        return place(self.seats, self.options, self.seed, self.move)

    def play(self, stop: float) -> None:
        self._set_up()
        choose = rng.generator(self.seed)
        for self.move in range(MOVES):
            player = self._player()
            self._look(player)
            if player == TERMINAL or time.monotonic() > stop:
                return
            legal = self._legal()
            for action in legal:
                self._try(action, player)
            self._show(legal)
            self._call("rules.apply", self.memory, legal[rng.draw(choose) % len(legal)])

    def _set_up(self) -> None:
        codes = encode_options(self.game.name, self.game.options, self.options, self.seats)
        self._call("rules.setup", self.memory, self.seed, self.seats, codes)
        s = plain_record(self.memory, self.game.state)
        if len(self.game.seats) > 1 and s.seats != self.seats:
            raise Failure(f"setup leaves s.seats at {s.seats}; it must be {self.seats}, the seats it is called with")
        if self.game.chance == "play" and not any(s.rng):
            raise Failure("setup does not seed the generator; call rng.seed(s.rng, seed) there")

    def _player(self) -> int:
        player = self._call("rules.player", self.memory)
        self._must(_is_whole(player), f"player() returns {player!r}, not a seat or TERMINAL")
        self._must(
            player == TERMINAL or 0 <= player < self.seats,
            f"player() returns {player}; seats are 0 to {self.seats - 1}, and TERMINAL is {TERMINAL}",
        )
        return int(player)

    def _legal(self) -> list[int]:
        """The legal actions, written into no more room than there is: an action too many is an error in its line."""
        out = np.full(self.game.max_legal, -1, np.int64)
        n = self._call("rules.legal", self.memory, out)
        self._must(_is_whole(n), f"legal() returns {n!r}, not the number of actions it has written")
        self._must(n > 0, "legal() finds no legal action although the game is not over")
        self._must(n <= len(out), f"legal() returns {n}, but there can be {len(out)} at most (max_legal, num_actions)")
        legal = [int(action) for action in out[:n]]
        for action in legal:
            self._must(
                0 <= action < self.game.num_actions,
                f"legal() gives action {action}; actions are 0 to {self.game.num_actions - 1}",
            )
        self._must(len(set(legal)) == len(legal), f"legal() gives an action twice: {legal}")
        return legal

    def _try(self, action: int, player: int) -> None:
        after = self.memory.copy()
        self._call("rules.apply", after, action)
        self._must(bytes(after) != bytes(self.memory), f"apply() changes nothing for action {action}")
        again = self.memory.copy()
        self._call("rules.apply", again, action)
        self._must(
            bytes(after) == bytes(again), f"apply() does something else each time for action {action}: {_CHANCE}"
        )
        for seat in range(self.seats):
            if seat != player:
                self._call("information.action_observation", self.memory, action, seat)

    def _look(self, player: int) -> None:
        """What can be asked in any position."""
        returns = np.zeros(MAX_SEATS)
        self._call("rules.returns", self.memory, returns)
        low, high = self.game.min_utility, self.game.max_utility
        given = returns[: self.seats].tolist()
        within = player != TERMINAL or all(low <= value <= high for value in given)
        self._must(within, f"returns() gives {given}, not from {low} to {high} (min_utility, max_utility)")
        self._call("rules.scores", self.memory, np.zeros(MAX_SEATS))
        self._call("rules.piece_counts", self.memory, np.zeros(self.game.rules.num_piece_kinds, np.int64))
        for seat in range(self.seats):
            observation = self.memory.copy()
            self._call("information.observe", observation, seat)
            self._call("information.determinize", observation, seat, self.seed)

    def _show(self, legal: Sequence[int]) -> None:
        if self.game.text.describe_action is not None:
            texts = [self._call("text.describe_action", self.memory, action) for action in legal]
            for text, action in zip(texts, legal, strict=True):
                self._must(
                    isinstance(text, str) and bool(text), f"describe_action() returns {text!r} for action {action}"
                )
            self._must(len(set(texts)) == len(texts), f"describe_action() has one text for several actions: {texts}")
        for viewer in (None, *range(self.seats)):
            text = self._call("text.show_state", self.memory, viewer)
            self._must(
                self.game.text.show_state is None or (isinstance(text, str) and bool(text.strip())),
                f"show_state() returns {text!r}, not the position as text",
            )

    def _call(self, name: str, memory: Any, *arguments: Any) -> Any:
        """Call a function of the declaration, if there is one; what it raises becomes a Failure with its line."""
        group, _, field = name.partition(".")
        function: Callable[..., Any] | None = getattr(getattr(self.game, group), field)
        if function is None:
            return None
        try:
            with time_limit(SECONDS_PER_CALL, TookTooLong):
                return function(plain_record(memory, self.game.state), *arguments)
        except TookTooLong as error:
            raise Failure(f"{place_of(error)}: {field}() {error} ({self.where})") from error
        except Exception as error:
            raise Failure(f"{sentence(error)}{_hint(name, error)} ({self.where})") from error

    def _must(self, holds: bool, what: str) -> None:
        if not holds:
            raise Failure(f"{what} ({self.where})")


def _is_whole(number: object) -> bool:
    return isinstance(number, (int, np.integer))


def _hint(name: str, error: Exception) -> str:
    if isinstance(error, OverflowError):
        return "; the field is too small for it"
    if name == "rules.legal" and isinstance(error, IndexError):
        return "; is max_legal (or num_actions) too small?"
    return ""
