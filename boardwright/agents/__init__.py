"""Agents: whatever looks at an observation and chooses.

Called as a function, `boardwright.agents()`, it lists them.
"""

from boardwright.agents.base import Agent, Decision, Reason, ask, param
from boardwright.agents.policy import PolicyAgent
from boardwright.agents.spec import Spec
from boardwright.registry import agents, make_callable

__all__ = ["Agent", "Decision", "PolicyAgent", "Reason", "Spec", "ask", "param"]

make_callable(__name__, agents)
