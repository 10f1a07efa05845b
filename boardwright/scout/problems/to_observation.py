"""A view from a problem: the position that a document describes, in the form in which all our agents know positions."""

from __future__ import annotations

import numpy as np

from boardwright.games.race.bits import members
from boardwright.games.race.declaration import game
from boardwright.games.race.state import NOTHING, STATE
from boardwright.kernel import Observation
from boardwright.kernel.records import plain_record
from boardwright.scout.problems.problem import BadDocument, Choice, Problem
from boardwright.scout.problems.rebuild_question import put_question
from boardwright.scout.problems.rebuild_table import check_room, fill_piles, lay_out
from boardwright.scout.problems.translation import ids, powers_of


def view_or_choice(problem: Problem) -> Observation | Choice:
    """The view of the seat that is asked; or the only choice it has, where our rules would not ask, and none where they
    see nothing to choose.

    What the problem does not say is not known: cards seen earlier, above all.
    """
    seat = problem.me.seat
    memory = np.zeros(STATE.itemsize, np.uint8)
    s = plain_record(memory, STATE)
    lay_out(s, problem)
    fill_piles(s, problem)
    put_question(s, problem)
    check_room(s, problem)
    if s.question == NOTHING:
        return (*ids(members(s.picked[seat])), *powers_of(s.specials))
    observation = Observation(game, memory, seat)
    return observation if observation.legal_actions() else ()


def view_of(problem: Problem) -> Observation:
    """The view of the seat that is asked, which must have something to choose."""
    observation = view_or_choice(problem)
    if not isinstance(observation, Observation):
        raise BadDocument(f"nothing is left to choose in a question of type {problem.type}")
    return observation


def after_step(observation: Observation, action: int) -> Observation:
    """The view at the next step of the same question; there must be one (see `choice_made`)."""
    memory = observation.memory.copy()
    game.entries.apply(memory, action)
    return Observation(game, memory, observation.seat)
