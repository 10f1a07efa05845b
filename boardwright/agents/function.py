"""A function from observations to actions as an agent, and names for agents that were given as objects."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from typing import Any

from boardwright.agents.base import Agent, Decision
from boardwright.agents.levels import level_named
from boardwright.errors import BadSpec
from boardwright.kernel import Observation

Policy = Callable[[Observation], "int | Decision"]


class FunctionAgent(Agent):
    """Plays what a function of the observation returns: an action, or a decision with its reasons."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self.policy = policy

    def decide(self, observation: Observation) -> Decision:
        chosen = self.policy(observation)
        return chosen if isinstance(chosen, Decision) else Decision(operator.index(chosen))


def named_entrants(given: Iterable[str | Agent | Policy], taken: Iterable[str]) -> tuple[list[str], dict[str, Agent]]:
    """What a match calls its entrants, specs as they are and objects by their class or function; and the objects by
    these names. No name is one of the `taken` ones, and no two objects share one."""
    names: list[str] = []
    objects: dict[str, Agent] = {}
    known: dict[int, str] = {}
    for entrant in given:
        if isinstance(entrant, str):
            names.append(entrant)
            continue
        if id(entrant) not in known:
            agent = _as_agent(entrant)
            name = _free(_called(entrant), {*names, *objects, *taken})
            known[id(entrant)], objects[name] = name, agent
        names.append(known[id(entrant)])
    return names, objects


def _as_agent(entrant: Any) -> Agent:
    if isinstance(entrant, Agent):
        return entrant
    if inspect.isclass(entrant) and issubclass(entrant, Agent):
        raise BadSpec(f"{entrant.__name__} is a class; give an agent of it, as {entrant.__name__}()")
    if callable(entrant):
        return FunctionAgent(entrant)
    raise BadSpec(
        f"{entrant!r} cannot play: give a spec, an Agent, a function of the observation, or a trained policy in"
        " boardwright.adapters.policies.TrainedPolicy"
    )


def _called(entrant: Any) -> str:
    name: str = getattr(entrant, "__name__", None) or type(entrant).__name__
    given = entrant._given if isinstance(entrant, Agent) else {}
    shown = ",".join(f"{key}={value}" for key, value in given.items() if isinstance(value, (bool, int, float)))
    return name.replace("<lambda>", "function") + (f":{shown}" if shown else "")


def _free(name: str, taken: set[str]) -> str:
    base, colon, rest = name.partition(":")
    number, found = 1, name
    while found in taken or (number == 1 and (base in taken or level_named(base) is not None)):
        number += 1
        found = f"{base}-{number}{colon}{rest}"
    return found
