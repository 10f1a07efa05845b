"""Families of agents that can be exported, each as compiled functions over one block of memory (family.py)."""

from boardwright.agents import Agent
from boardwright.agents.policy import PolicyAgent
from boardwright.engine.families.family import Family, Functions
from boardwright.engine.families.networks import NetPolicyFamily, NetSearchFamily, NetTreeFamily
from boardwright.engine.families.policies import PolicyFamily, RandomFamily
from boardwright.engine.families.searches import IsmctsFamily, PuctFamily, UctFamily
from boardwright.errors import BadSpec

__all__ = ["Family", "Functions", "family_of"]

FAMILIES: tuple[type[Family], ...] = (
    RandomFamily,
    PolicyFamily,
    UctFamily,
    IsmctsFamily,
    PuctFamily,
    NetSearchFamily,
    NetTreeFamily,
    NetPolicyFamily,
)


def family_of(agent: Agent, seats: int) -> Family:
    """The family that an agent belongs to; BadSpec if it cannot be exported."""
    for family in FAMILIES:
        if type(agent) is family.agent_class or (family is PolicyFamily and isinstance(agent, PolicyAgent)):
            return family(agent, seats)
    names = ", ".join(sorted({family.agent_class.label() for family in FAMILIES} - {"policyagent"}))
    raise BadSpec(f"agent {agent.label()!r} cannot be exported; these can: {names}, and policies of the game")
