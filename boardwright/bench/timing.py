"""How long agents take for a decision."""

from __future__ import annotations

import time

from boardwright.agents import Decision
from boardwright.arena.loop import Listener
from boardwright.arena.session import GameSession
from boardwright.kernel import Observation, State, rng
from boardwright.registry import load_game

TIMED_DECISIONS = 60
"""Decisions that are timed for each agent, in games against itself."""


class _Decisions(Listener):
    """Counts the decisions that were no matter of course."""

    count = 0

    def decided(self, state: State, seat: int, observation: Observation, decision: Decision) -> None:
        self.count += not decision.forced


def milliseconds_per_decision(game_name: str, seats: int, spec: str) -> float:
    """Processor time for a decision, the mean over some games of an agent against itself; the game loop's share, some
    hundredths of a millisecond, is in it. A game before, which compiles and loads what is needed, does not count."""
    game, decisions, number = load_game(game_name), _Decisions(), 0
    seconds = 0.0
    while decisions.count < TIMED_DECISIONS:
        seeds = [rng.derive(number, seat) for seat in range(seats)]
        listeners = [decisions] if number else []
        with GameSession(game, [spec] * seats, seed=number, agent_seeds=seeds, listeners=listeners) as session:
            began = time.thread_time()
            session.play()
            seconds += time.thread_time() - began if number else 0.0
        number += 1
    return 1000 * seconds / decisions.count
