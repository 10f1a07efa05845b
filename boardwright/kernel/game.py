"""`Game`: the contract plus everything people do with a game from Python."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from boardwright.errors import BadGame, BadRecord, BadSpec
from boardwright.kernel.batch import Batch, Observed
from boardwright.kernel.contract import Contract
from boardwright.kernel.entries import Entries
from boardwright.kernel.options import encode_options
from boardwright.kernel.position import Observation, Position, State, check_seed
from boardwright.kernel.records import fill_from_json


class Game(Contract):
    """A game: `game.new(seed=7)` starts one."""

    @cached_property
    def entries(self) -> Entries:
        """The compiled rules."""
        return Entries(self)

    def new(self, *, seed: int | None = None, seats: int | None = None, **options: Any) -> State:
        """A fresh game. The same seed, seats and options always give the same game."""
        if seed is None:
            seed = secrets.randbits(63)
        check_seed(seed)
        seats = self.check_seats(seats)
        codes = encode_options(self.name, self.options, options, seats)
        memory = np.zeros(self.state.itemsize, np.uint8)
        try:
            self.entries.setup(memory, np.uint64(seed), seats, codes)
        except (ValueError, IndexError, ArithmeticError, AssertionError) as error:
            raise BadGame(f"{self.name}: setup raised {type(error).__name__}: {error}") from error
        return State(self, memory)

    def batch(
        self,
        size: int,
        *,
        seed: int | None = None,
        seats: int | None = None,
        observe: Observed | None = None,
        policy: str = "random",
        threads: int = 1,
        **options: Any,
    ) -> Batch:
        """Many games at once, as arrays (batch.py)."""
        return Batch(
            self, size, seed=seed, seats=seats, observe=observe, policy=policy, threads=threads, options=options
        )

    def check_seats(self, seats: int | None) -> int:
        """The seat count to play with; the smallest by default."""
        if seats is None:
            return self.seats[0]
        if seats not in self.seats:
            counts = " or ".join(map(str, self.seats))
            raise BadSpec(f"{self.name} is played with {counts} seats, not {seats}")
        return seats

    def all_options(self, given: Mapping[str, Any], seats: int | None = None) -> dict[str, bool | int | str]:
        """Every option with its value, defaults filled in; with `seats`, checked against that number."""
        codes = encode_options(self.name, self.options, given, seats)
        return {
            name: option.decode(int(code)) for (name, option), code in zip(self.options.items(), codes, strict=True)
        }

    def load(self, data: bytes) -> State:
        """The state that `bytes(state)` saved."""
        if len(data) != self.state.itemsize:
            raise BadRecord(f"a {self.name} state has {self.state.itemsize} bytes, not {len(data)}")
        return State(self, np.frombuffer(data, np.uint8).copy())

    def from_dict(self, saved: Mapping[str, Any]) -> State:
        """The state that `state.to_dict()` saved."""
        if saved.get("game") != self.name:
            raise BadRecord(f"not a {self.name} state: its game is {saved.get('game')!r}")
        memory = np.zeros(self.state.itemsize, np.uint8)
        try:
            fill_from_json(memory.view(self.state)[0], saved.get("fields"))
        except ValueError as error:
            raise BadRecord(f"not a {self.name} state: {error}") from None
        return State(self, memory)

    def describe(self, position: Position, action: int) -> str:
        """An action in words."""
        if self.text.describe_action is None:
            return f"action {action}"
        return self.text.describe_action(position.record, int(action))

    def choice_numbers(self, position: Position, actions: Sequence[int]) -> list[int]:
        """What people type, or press, for each of these actions: the number that it goes by, else its place from 1."""
        number = self.text.action_number
        if number is None:
            return list(range(1, len(actions) + 1))
        return [number(position.record, int(action)) for action in actions]

    def revealed(self, before: Observation, after: Observation) -> list[str]:
        """What an action brought to light for the seat whose observations these are, besides the action itself."""
        if self.text.revealed is None:
            return []
        return self.text.revealed(before.record, after.record, after.seat)

    def seat_name(self, seat: int) -> str:
        return self.text.seat_names[seat] if seat < len(self.text.seat_names) else f"seat {seat + 1}"

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    source: str = ""
    """The file it was loaded from, if it is not a registered game."""
