"""From a problem back to an observation: the position that a document describes, as our agents get positions."""

from __future__ import annotations

import numpy as np

from boardwright.games.race.declaration import game
from boardwright.games.race.state import NOTHING, STATE
from boardwright.kernel import Observation
from boardwright.kernel.records import plain_record
from boardwright.scout.problems.problem import Choice, Problem
from boardwright.scout.problems.rebuild_question import rebuild_question
from boardwright.scout.problems.rebuild_table import check_room, fill_piles, rebuild_table
from boardwright.scout.problems.translation import ids_in, powers_of


def observation_or_choice(problem: Problem) -> Observation | Choice:
    """The observation of the seat that is asked. Where our rules would not ask: the only choice it has, or none.

    What the problem does not say is unknown, above all cards seen earlier.
    """
    seat = problem.me.seat
    memory = np.zeros(STATE.itemsize, np.uint8)
    s = plain_record(memory, STATE)
    s.recalls = 1 << seat  # as in any observation
    rebuild_table(s, problem)
    fill_piles(s, problem)
    rebuild_question(s, problem)
    check_room(s, problem)
    if s.question == NOTHING:
        return (*ids_in(s.picked[seat]), *powers_of(s.specials))
    observation = Observation(game, memory, seat)
    return observation if observation.legal_actions() else ()


def after_step(observation: Observation, action: int) -> Observation:
    """The observation at the next step of the same question; there must be one (see `completed_choice`)."""
    memory = observation.memory.copy()
    game.entries.apply(memory, action)
    return Observation(game, memory, observation.seat)
