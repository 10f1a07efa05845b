"""A hint where several things are chosen at once: an agent is asked step by step, as the rules do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from boardwright.agents import Agent, ask
from boardwright.kernel import Observation
from boardwright.kernel.set_choice import SetChoice


def advised_set(adviser: Agent, observation: Observation, choice: SetChoice) -> list[int] | None:
    """The places that the adviser would choose; None if they cannot be told.

    The steps lead through positions in which nothing comes to light, so any determinization shows the seat the same.
    """
    find = observation.game.text.set_choice
    assert find is not None, "there is a set to choose"
    state, steps = observation.determinize(seed=0), list[int]()
    while True:
        steps.append(int(ask(adviser, state.observation(observation.seat)).action))
        found = _places(choice, steps)
        if found is not None:
            return found
        state.apply(steps[-1])
        following = find(state.record) if not state.is_terminal and state.player == observation.seat else None
        if following is None or not following.begun:
            return None


def _places(choice: SetChoice, steps: Sequence[int]) -> list[int] | None:
    """The places whose actions these are."""
    for size in range(choice.least, choice.most + 1):
        for places in combinations(range(len(choice.items)), size):
            if choice.actions(places) == steps:
                return list(places)
    return None
