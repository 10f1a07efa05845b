"""One ladder per game: who is on it, and how long each takes for a decision.

`boardwright strength` plays them, and docs/strength.md shows them. Agents with a budget of time get the same time per
decision; the others say how long they take.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from boardwright.agents import Decision
from boardwright.arena.loop import Listener
from boardwright.arena.session import GameSession
from boardwright.kernel import Observation, State, rng
from boardwright.registry import load_game

TIMED_DECISIONS = 60
"""Decisions that are timed for each agent, in games against itself."""
TIME = "{time}"
"""Stands for the time per decision in a spec."""


class StrengthLadder(NamedTuple):
    game: str
    seats: int
    specs: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"strength-{self.game}-{self.seats}"

    def with_time(self, seconds: float) -> tuple[str, ...]:
        """The specs for so much processor time per decision."""
        return tuple(spec.replace(TIME, f"seconds={seconds:g},clock=cpu") for spec in self.specs)


LADDERS = (
    StrengthLadder(
        "connect_four",
        2,
        (
            "random",
            "uct:iterations=60",
            "uct:iterations=2000",
            f"uct:{TIME}",
            "netpolicy",
            "nettree",
            f"nettree:{TIME}",
        ),
    ),
    StrengthLadder(
        "race",
        2,
        (
            "random",
            "heuristic",
            f"ismcts:{TIME}",
            "netpolicy:weights=keldon",
            "netsearch:weights=keldon",
            "netpolicy:weights=large",
            "netsearch:noise=0.1",
            "netsearch",
            "netsearch:turns=2,determinizations=64,weights=large",
        ),
    ),
    StrengthLadder(
        "race",
        3,
        (
            "heuristic",
            f"ismcts:{TIME}",
            "netpolicy:weights=keldon",
            "netsearch",
            f"netsearch:turns=2,{TIME}",
        ),
    ),
    StrengthLadder(
        "race",
        4,
        ("heuristic", f"ismcts:{TIME}", "netpolicy:weights=keldon", "netsearch", f"netsearch:turns=2,{TIME}"),
    ),
    StrengthLadder(
        "lords",
        2,
        ("random", "heuristic", "netsearch", f"ismcts:{TIME}", f"ismcts:evaluation=learned,plies=0,{TIME}"),
    ),
    StrengthLadder(
        "colonizers",
        4,
        ("random", "heuristic", "maxn", f"ismcts:{TIME}", "netsearch", f"netsearch:turns=2,{TIME}"),
    ),
    StrengthLadder("wonders", 3, ("random", "heuristic", f"ismcts:{TIME}", "netsearch", f"netsearch:turns=2,{TIME}")),
    StrengthLadder("wonders", 5, ("heuristic", f"ismcts:{TIME}", "netsearch", f"netsearch:turns=2,{TIME}")),
)


class _Decisions(Listener):
    """Counts the decisions that were no matter of course."""

    count = 0

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        self.count += not decision.forced


def milliseconds_per_decision(game_name: str, seats: int, spec: str) -> float:
    """Processor time for a decision, the mean over some games of an agent against itself; the game loop's share, some
    hundredths of a millisecond, is in it."""
    game, decisions, number = load_game(game_name), _Decisions(), 0
    seconds = 0.0
    while decisions.count < TIMED_DECISIONS:
        seeds = [rng.derive(number, seat) for seat in range(seats)]
        with GameSession(game, [spec] * seats, seed=number, agent_seeds=seeds, listeners=[decisions]) as session:
            began = time.thread_time()
            session.play()
            seconds += time.thread_time() - began
        number += 1
    return 1000 * seconds / decisions.count
