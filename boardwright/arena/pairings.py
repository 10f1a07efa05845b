"""Which side beats which: every pairing of an option's values, as armies, for the two seats of a game.

One agent plays both seats. A pairing is played with either side in the first seat; the game's own seat advantage is in
the table and not in the totals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardwright.arena.match import Match
from boardwright.arena.standings import PointsShare
from boardwright.errors import BadSpec, UnknownName
from boardwright.executors import Executor
from boardwright.kernel import Code, Game, PerSeat

_Cell = tuple[int, int]


@dataclass
class Tally(PointsShare):
    """Points of one side: a win is one, a draw a half."""

    games: int = 0
    points: float = 0.0
    draws: int = 0

    def add(self, point: float) -> None:
        self.games += 1
        self.points += point
        self.draws += point == 0.5


@dataclass(frozen=True)
class Pairings:
    """All pairings of the values of an option that is given per seat."""

    game_name: str
    game: Game
    option: str
    agent: str
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    salt: int = 0
    on_failure: str | None = None

    def check(self) -> None:
        if self.game.seats != (2,):
            raise BadSpec(f"--across compares the two sides of a game for two; {self.game.name} is for other numbers")
        if self.option not in self.game.options:
            raise UnknownName("option", self.option, self.game.options, f" of {self.game.name}")
        if not isinstance(self.game.options[self.option], PerSeat):
            raise BadSpec(f"--across needs an option that is given per seat; {self.option} is not")
        if self.option in self.options:
            raise BadSpec(f"--across {self.option} plays all its values; leave -o {self.option}=… out")
        self.match((0, 0)).check()

    @property
    def sides(self) -> tuple[str, ...]:
        return self.game.options[self.option].choices

    def match(self, cell: _Cell) -> Match:
        paired = f"{self.sides[cell[0]]},{self.sides[cell[1]]}"
        options = {**self.options, self.option: paired}
        about: dict[str, Any] = {"salt": self.salt, "on_failure": self.on_failure}
        return Match(self.game_name, (self.agent, self.agent), self.seed, options, **about)

    def games(self, each: int) -> Iterator[tuple[_Cell, int]]:
        for index in range(each):
            for first in range(len(self.sides)):
                for second in range(len(self.sides)):
                    yield (first, second), index

    def play(self, item: tuple[_Cell, int]) -> tuple[_Cell, float]:
        """The points of the first seat."""
        cell, index = item
        first, second = self.match(cell).play(index).returns
        return cell, 1.0 if first > second else 0.5 if first == second else 0.0

    def files(self) -> dict[str, str]:
        """The files that it needs elsewhere,"""
        return self.match((0, 0)).files()

    def needs(self) -> list[Code]:
        """and the compiled code."""
        return self.match((0, 0)).needs()


@dataclass
class PairingResults:
    sides: Sequence[str]
    cells: dict[_Cell, Tally]
    """By the sides in the first and the second seat: the points of the first."""
    totals: list[Tally]
    """Of each side against all others, from both seats."""

    @classmethod
    def of(cls, pairings: Pairings, each: int, executor: Executor) -> PairingResults:
        sides = pairings.sides
        places = range(len(sides))
        found = cls(sides, {(a, b): Tally() for a in places for b in places}, [Tally() for _ in places])
        for (first, second), point in executor.run(pairings.play, pairings.games(each)):
            found.cells[first, second].add(point)
            if first != second:
                found.totals[first].add(point)
                found.totals[second].add(1 - point)
        return found
