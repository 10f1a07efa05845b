"""Positions as Python objects: `State`, the whole truth, and `Observation`, what one seat may know of it."""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from boardwright.drawing import WIDE, Layout, draw_text, drawn
from boardwright.errors import BadGame, BadSpec, BoardwrightError, IllegalAction
from boardwright.kernel import rng
from boardwright.kernel.contract import MAX_SEATS, SPECTATOR, TERMINAL
from boardwright.kernel.records import Bytes, PlainRecord, as_json, plain_record

if TYPE_CHECKING:
    from boardwright.kernel.game import Game


def check_seed(seed: int) -> int:
    if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise BadSpec(f"a seed is a whole number from 0 to 2^64 - 1, not {seed!r}")
    return int(seed)


class Position:
    """What states and observations have in common."""

    def __init__(self, game: Game, memory: Bytes) -> None:
        self.game = game
        self.memory = memory

    @property
    def is_terminal(self) -> bool:
        return self.player == TERMINAL

    @property
    def player(self) -> int:
        """The seat that must choose now (the first seat is 0), or TERMINAL."""
        return int(self.game.entries.player(self.memory))

    @property
    def record(self) -> PlainRecord:
        """The fields by name; writing to them changes the position."""
        return plain_record(self.memory, self.game.state)

    @property
    def seats(self) -> int:
        return int(self.record.seats) if len(self.game.seats) > 1 else self.game.seats[0]

    @property
    def has_hidden_information(self) -> bool:
        """Whether a seat may know less than the whole state, with the options this game is played with."""
        is_open = self.game.information.is_open
        return self.game.has_hidden_information and not (is_open is not None and is_open(self.record))

    def legal_actions(self) -> list[int]:
        if self.is_terminal:
            return []
        out = np.empty(self.game.max_legal, np.int64)
        n = self.game.entries.legal(self.memory, out)
        if not 0 <= n <= self.game.max_legal:
            raise BadGame(f"{self.game.name}: legal() says {n} actions, but max_legal is {self.game.max_legal}")
        return out[:n].tolist()

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data, fit for JSON."""
        return {"game": self.game.name, "fields": as_json(self.record)}

    def __bytes__(self) -> bytes:
        return self.memory.tobytes()

    def to_svg(self, layout: Layout = WIDE) -> str:
        """The position as a picture for the room that there is; an observation shows what its seat sees. A game that
        does not draw itself is shown as its text."""
        seat = getattr(self, "seat", None)
        if self.game.text.draw_state is not None:
            return drawn(self.game.text.draw_state, self.record, seat, layout)
        return draw_text(self.game.title, self._show(seat), layout)

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks; a game without pictures is shown as text."""
        return self.to_svg() if self.game.text.draw_state is not None else None

    def _show(self, seat: int | None) -> str:
        if self.game.text.show_state is not None:
            return self.game.text.show_state(self.record, seat)
        return "\n".join(f"{name}: {value}" for name, value in self.to_dict()["fields"].items())


class State(Position):
    """A position with nothing hidden."""

    def apply(self, action: int) -> None:
        """Play an action of the seat to move."""
        self.check_legal(action)
        self.game.entries.apply(self.memory, int(action))

    def check_legal(self, action: int) -> None:
        """IllegalAction, with what is legal, unless the seat to move can play that action."""
        if self.is_terminal:
            raise IllegalAction(f"{self.game.name}: the game is over; no action can be played")
        if action not in self.legal_actions():
            raise IllegalAction(self.describe_illegal(action))

    def describe_illegal(self, action: int) -> str:
        """What to say of an action that is not legal."""
        options = ", ".join(f"{a} ({self.game.describe(self, a)})" for a in self.legal_actions())
        return f"{self.game.name}: action {action} is not legal now; legal: {options}"

    def copy(self) -> State:
        return State(self.game, self.memory.copy())

    @property
    def scores(self) -> tuple[float, ...]:
        """Points as the rulebook counts them."""
        return self._values(self.game.entries.scores)

    @property
    def returns(self) -> tuple[float, ...]:
        """The return of each seat."""
        return self._values(self.game.entries.returns)

    def _values(self, entry: Any) -> tuple[float, ...]:
        out = np.zeros(MAX_SEATS)
        entry(self.memory, out)
        return tuple(int(x) if x.is_integer() else x for x in out[: self.seats].tolist())

    def observation(self, seat: int) -> Observation:
        """What that seat may know."""
        if seat not in range(self.seats):
            raise BoardwrightError(f"there is no seat {seat}; seats are 0 to {self.seats - 1}")
        memory = self.memory.copy()
        self.game.entries.observe(memory, seat)
        return Observation(self.game, memory, seat)

    def public(self) -> Observation:
        """What every seat may know: for somebody who watches."""
        memory = self.memory.copy()
        for seat in range(self.seats):
            self.game.entries.observe(memory, seat)
        return Observation(self.game, memory, SPECTATOR)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game.name == other.game.name and bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def __str__(self) -> str:
        return self._show(None)

    def __repr__(self) -> str:
        turn = "over" if self.is_terminal else f"{self.game.seat_name(self.player)} to move"
        return f"<{self.game.name} state: {turn}>\n{self}"

    def __reduce__(self) -> Any:
        return _load_state, (self.game, bytes(self))


class Observation(Position):
    """A position as one seat knows it. It does not change; what is hidden is blank."""

    def __init__(self, game: Game, memory: Bytes, seat: int) -> None:
        super().__init__(game, memory)
        self.seat = seat

    @property
    def record(self) -> PlainRecord:
        """The fields by name, as a copy."""
        return plain_record(self.memory.copy(), self.game.state)

    def legal_actions(self) -> list[int]:
        if self.player not in (self.seat, TERMINAL):
            raise BoardwrightError(f"seat {self.seat} cannot know what seat {self.player} may do now")
        return list(self._legal)

    @cached_property
    def _legal(self) -> list[int]:
        return super().legal_actions()

    def determinize(self, *, seed: int | None = None) -> State:
        """A determinization: a whole state that this seat cannot tell from the true one."""
        memory = self.memory.copy()
        seed_value = secrets.randbits(63) if seed is None else check_seed(seed)
        self.game.entries.determinize(
            memory, self.seat, np.uint64(rng.derive(seed_value, rng.Stream.DETERMINIZATIONS, self.seat))
        )
        return State(self.game, memory)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Observation)
            and self.game.name == other.game.name
            and self.seat == other.seat
            and bytes(self) == bytes(other)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.seat, bytes(self)))

    def __str__(self) -> str:
        return self._show(self.seat)

    def __repr__(self) -> str:
        return f"<{self.game.name} as {self.game.seat_name(self.seat)} sees it>\n{self}"

    def __reduce__(self) -> Any:
        return _load_observation, (self.game, bytes(self), self.seat)


def _load_state(game: Game, data: bytes) -> State:
    return game.load(data)


def _load_observation(game: Game, data: bytes, seat: int) -> Observation:
    return Observation(game, np.frombuffer(data, np.uint8).copy(), seat)
