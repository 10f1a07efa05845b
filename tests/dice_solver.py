"""An exact solver of the dice games in files, for tests and measurements: the skeleton of `boardwright new game` and
tests/games/dice_race.py with two seats.

In turn, seats roll a die or stay; a one takes all points away, and after so many turns each the higher total wins. So a
position is a turn and two totals, and the share of games that a seat wins is found from the last turn backwards: with
the best play of both seats, or with the best reply to a player of whom a table says how often it rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import boardwright as bw

FACES = 6
STAY, ROLL = 0, 1
Values = NDArray[np.float64]
"""A number for each pair of totals."""
Table = Sequence[Values]
"""How often a player rolls, by turn and totals."""


class Outcome(NamedTuple):
    """The shares of a seat's games."""

    won: float
    drawn: float
    lost: float


class DiceGame:
    def __init__(self, turns: int) -> None:
        self.turns = turns
        """Of each seat."""
        self.size = FACES * turns + 1

    def final(self, outcome: Outcome) -> Values:
        """A number for each end of the game, by what it is for seat 0."""
        own, other = np.indices((self.size, self.size))
        return np.where(own > other, outcome.won, np.where(own < other, outcome.lost, outcome.drawn)).astype(float)

    def after(self, values: Values, seat: int, action: int) -> Values:
        """The mean of the values that an action of a seat leads to, by the totals before it."""
        if action == STAY:
            return values
        own = values if seat == 0 else values.T
        places = np.arange(self.size)
        faces = [own[np.minimum(places + face, self.size - 1)] for face in range(2, FACES + 1)]
        mean: Values = (np.sum(faces, axis=0) + own[0]) / FACES
        return mean if seat == 0 else mean.T

    def best_play(self) -> Table:
        """Of both seats; a draw counts half."""
        values, table = self.final(Outcome(1.0, 0.5, 0.0)), []
        for turn in reversed(range(2 * self.turns)):
            stay, roll = (self.after(values, turn % 2, action) for action in (STAY, ROLL))
            table.append((roll > stay if turn % 2 == 0 else roll < stay).astype(float))
            values = np.where(table[-1], roll, stay)
        return table[::-1]

    def best_reply(self, table: Table, seat: int, draw: float) -> Table:
        """What wins a seat most against a player that rolls as often as a table says, if a draw counts so much."""
        values, reply = self.final(Outcome(1.0, draw, 0.0) if seat == 0 else Outcome(0.0, draw, 1.0)), []
        for turn in reversed(range(2 * self.turns)):
            stay, roll = (self.after(values, turn % 2, action) for action in (STAY, ROLL))
            reply.append((roll > stay).astype(float) if turn % 2 == seat else table[turn])
            values = reply[-1] * roll + (1 - reply[-1]) * stay
        return reply[::-1]

    def outcome(self, tables: tuple[Table, Table], seat: int) -> Outcome:
        """Of a seat, when both seats roll as often as their tables say."""
        found = []
        for counted in (Outcome(1, 0, 0), Outcome(0, 1, 0), Outcome(0, 0, 1)):
            values = self.final(counted if seat == 0 else Outcome(*counted[::-1]))
            for turn in reversed(range(2 * self.turns)):
                stay, roll = (self.after(values, turn % 2, action) for action in (STAY, ROLL))
                often = tables[turn % 2][turn]
                values = often * roll + (1 - often) * stay
            found.append(float(values[0, 0]))
        return Outcome(*found)

    def both_seats(self, tables: tuple[Table, Table], other: Table) -> Outcome:
        """Of a player with a table for each seat against another, half of the games in either seat."""
        as_first, as_second = self.outcome((tables[0], other), 0), self.outcome((other, tables[1]), 1)
        return Outcome(*((a + b) / 2 for a, b in zip(as_first, as_second, strict=True)))

    def totals(self, turn: int) -> list[tuple[int, int]]:
        """Those that there can be before a turn."""
        first, second = ([0, *range(2, FACES * rolls + 1)] for rolls in ((turn + 1) // 2, turn // 2))
        return [(one, other) for one in first for other in second]


def position(game: bw.Game, turn: int, totals: tuple[int, int], seed: int = 0) -> bw.State:
    state = game.new(seed=seed, seats=2)
    record: Any = state.record
    record.turn = turn
    record.points[0], record.points[1] = totals
    return state


def table_of(game: bw.Game, rules: DiceGame, spec: str, asked: int) -> Table:
    """How often an agent rolls, of so many times that it is asked, with other seeds."""
    table = [np.zeros((rules.size, rules.size)) for _ in range(2 * rules.turns)]
    for seed in range(asked):
        agents = [bw.agent(spec, game, seat, seed=seed) for seat in range(2)]
        for turn in range(2 * rules.turns):
            for totals in rules.totals(turn):
                observation = position(game, turn, totals, seed).observation(turn % 2)
                table[turn][totals] += (agents[turn % 2].decide(observation).action == ROLL) / asked
    return table
