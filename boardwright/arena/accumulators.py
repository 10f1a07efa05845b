"""Listeners on all games of a match, wherever they are played: in this process, in others, on Ray.

    class Lengths(Accumulator):
        def __init__(self):
            self.moves = []

        def finished(self, record, final):
            self.moves.append(len(record.actions))

        def merge(self, other):
            self.moves += other.moves

    lengths = Lengths()
    bw.match("connect_four", "uct:iterations=100", "random", games=100, jobs=2, listeners=[lengths])

Every game has a copy of its own, made before the first game; what the copies found is merged in the order of the games,
so the result does not depend on where they were played.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from boardwright.agents import Agent, Decision
from boardwright.arena.loop import Forfeit, Listener
from boardwright.arena.match import Match
from boardwright.arena.record import GameRecord
from boardwright.kernel import Code, State


class Accumulator(Listener):
    """Hears games as any listener does, and is merged with what its copies have found."""

    def finished(self, record: GameRecord, final: State) -> None:
        """A game is over, forfeited or not; this is its record, and its last position."""

    def merge(self, other: Self) -> None:
        """Add what a copy has found in another game."""
        raise NotImplementedError(f"{type(self).__name__} has no merge(other)")

    @classmethod
    def over(cls, records: Iterable[GameRecord], *arguments: object) -> Self:
        """What it finds in recorded games, which are replayed. Reasons for decisions are not in records."""
        result = cls(*arguments)
        for record in records:
            result.replay(record)
        return result

    def replay(self, record: GameRecord) -> None:
        """Replay a recorded game."""
        before = None
        for state, action in record.replay():
            if before is None:
                self.started(state, [Agent(state.game, seat) for seat in range(state.seats)])
            else:
                self.applied(state, *before)
            if action is not None:
                before = state.player, action
                legal = state.legal_actions()
                decision = Decision.only(action) if len(legal) == 1 else Decision(action)
                self.decided(state, state.player, state.observation(state.player), decision)
        if record.forfeit is None:
            self.ended(state)
        else:
            self.forfeited(state, Forfeit(record.forfeit.seat, record.forfeit.moves, record.forfeit.reason))
        self.finished(record, state)


@dataclass(frozen=True)
class Playing:
    """The work of a match as executors do it: a game's number in, its record and its listeners out."""

    match: Match
    listeners: Sequence[Accumulator] = ()

    def __call__(self, index: int) -> tuple[GameRecord, Sequence[Accumulator]]:
        if not self.listeners:
            return self.match.play(index), ()
        own = copy.deepcopy(self.listeners)
        last = _Last()
        record = self.match.play(index, [last, *own])
        for listener in own:
            listener.finished(record, last.state)
        return record, own

    def files(self) -> dict[str, str]:
        """The files that it needs elsewhere."""
        return self.match.files()

    def logs(self) -> list[str]:
        """Where it logs."""
        return self.match.logs()

    def needs(self) -> list[Code]:
        """The compiled code that it needs elsewhere."""
        return self.match.needs()


class _Last(Listener):
    """Keeps the state of the game."""

    state: State

    def started(self, state: State, agents: Sequence[Agent]) -> None:
        self.state = state


class Merging:
    """Merges what copies of listeners have found into the listeners, in the order of the games."""

    def __init__(self, listeners: Sequence[Accumulator]) -> None:
        self.listeners = listeners
        self.pristine = copy.deepcopy(listeners)
        self._waiting: dict[int, Sequence[Accumulator]] = {}
        self._next = 0

    def replay(self, record: GameRecord) -> None:
        """A game that was played before."""
        own = copy.deepcopy(self.pristine)
        for listener in own:
            listener.replay(record)
        self.add(record.index, own)

    def add(self, index: int, result: Sequence[Accumulator]) -> None:
        self._waiting[index] = result
        while self._next in self._waiting:
            self._merge(self._waiting.pop(self._next))
            self._next += 1

    def end(self) -> None:
        """No more games: those that wait for one that was not played are merged, too."""
        for index in sorted(self._waiting):
            self._merge(self._waiting.pop(index))

    def _merge(self, result: Sequence[Accumulator]) -> None:
        for listener, other in zip(self.listeners, result, strict=True):
            listener.merge(other)
