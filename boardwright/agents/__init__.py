"""Agents: whatever looks at an observation and chooses.

Called as a function, `boardwright.agents()`, it lists them.
"""

from boardwright.agents.base import Agent, ComparedFeature, Decision, Reason, RememberedCase, ask, param, setting
from boardwright.agents.policy import PolicyAgent
from boardwright.agents.spec import Spec
from boardwright.agents.wrapper import AgentWrapper
from boardwright.registry import agents, make_callable

__all__ = [
    "Agent",
    "AgentWrapper",
    "ComparedFeature",
    "Decision",
    "PolicyAgent",
    "Reason",
    "RememberedCase",
    "Spec",
    "ask",
    "param",
    "setting",
]

make_callable(__name__, agents)
