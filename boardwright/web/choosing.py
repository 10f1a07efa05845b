"""Who has to choose now at a table, each in which position, and what was chosen and waits to be played.

Where several seats choose at the same time, the rules ask them one after another. For the later ones, the choices of
the earlier are made up, which makes no difference to what they see; what they choose is played when all have chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardwright.kernel import State
from boardwright.web import messages


class Chosen(NamedTuple):
    """What somebody has chosen, before it is played."""

    actions: tuple[int, ...]
    decision: messages.Decision | None = None
    """An agent's."""
    forced: bool = False


class Choosing:
    def __init__(self, state: State) -> None:
        """`state`: the table's own, which changes with every move."""
        self._state = state
        self.chosen: dict[int, Chosen] = {}
        """What was chosen and is played when all have chosen."""
        self.since = 0
        """The version of the table from which on that is asked."""
        self._positions: dict[int, State] | None = None
        self._seats: set[int] = set()  # those who choose at the same time and have yet to be asked by the rules

    def positions(self) -> dict[int, State]:
        """The seats that have to choose now, each with the position in which it does."""
        if self._positions is None:
            state, seats = self._state, simultaneous_seats(self._state)
            self._positions = {} if state.is_terminal else {state.player: state}
            state = state.copy() if len(seats) > 1 else state
            while len(self._positions) < len(seats):
                state.apply(state.legal_actions()[0])
                if state.is_terminal or state.player not in simultaneous_seats(state):
                    break
                if state.player not in seats:
                    break
                self._positions.setdefault(state.player, state.copy())
        return self._positions

    def waits_for(self) -> list[int]:
        """The seats that have yet to choose."""
        return [seat for seat in self.positions() if seat not in self.chosen]

    def take_next(self) -> tuple[int, Chosen] | None:
        """What the seat to move has chosen, once nobody has to choose any more: nobody can tell from the pace who was
        first."""
        if self._state.is_terminal or self._state.player not in self.chosen or self.waits_for():
            return None
        seat = self._state.player
        return seat, self.chosen.pop(seat)

    def played(self, version: int) -> None:
        """An action was played."""
        seats = set(simultaneous_seats(self._state))
        if not seats or not seats <= self._seats:
            self.since = version  # another question
        self._positions, self._seats = None, seats

    def taken_back(self, version: int) -> None:
        self._positions, self.since = None, version

    def moves_to(self, state: State) -> list[int]:
        """The moves that were made up on the way to the position in which a seat chooses."""
        moves, now = [], self._state.copy()
        while bytes(now) != bytes(state):
            moves.append(now.legal_actions()[0])
            now.apply(moves[-1])
        return moves


def simultaneous_seats(state: State) -> Sequence[int]:
    """The seats that choose now without knowing what others choose, or none."""
    find = state.game.information.simultaneous
    return () if find is None or state.is_terminal else find(state.record)
