"""`isolated:SPEC`: any agent in Python, moved behind the wall of a script.

In a process of its own it cannot look at the state, at the other agents or at the match. It gets what its seat may
know, through the same pipe and the same protocol as any script (isolated_process.py is the other end).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from boardwright.agents import Spec, param
from boardwright.errors import BadSpec
from boardwright.kernel import Code
from boardwright.registry import agent_class, is_ours, make_agent
from boardwright.scripts.agent import ProcessAgent

_PACKAGE = Path(__file__).parents[2]


class Isolated(ProcessAgent):
    """Another agent, in a process of its own: isolated:my_agent.py or isolated:(uct:iterations=50),seconds=2."""

    agent: str = param("", "the agent's spec")
    memory: int = param(4096, "limit in MB, of all its processes", ge=1)

    def prepare(self) -> None:
        if not self.agent:
            raise BadSpec("agent 'isolated' needs the spec of another, as isolated:my_agent.py")
        inner = Spec.parse(self.agent)
        self._is_ours = all(is_ours("agents", name) for name in inner.agents())
        if self._is_ours and agent_class(inner.name, self.game).interactive:
            raise BadSpec(f"{self.agent} sits at the terminal and cannot be isolated")
        super().prepare()

    def arguments(self) -> tuple[str, ...]:
        return sys.executable, "-P", "-m", "boardwright.scripts.isolated_process", self.agent

    def environment(self) -> dict[str, str]:
        """The package must be found there, and may have to compile what only the agent knows of."""
        kept = {name: value for name, value in os.environ.items() if name != "BOARDWRIGHT_COMPILE"}
        paths = [str(_PACKAGE), *filter(None, [kept.get("PYTHONPATH")])]
        return {**kept, "PYTHONPATH": os.pathsep.join(paths)}

    def files(self) -> Sequence[str]:
        return [*super().files(), *map(os.path.abspath, Spec.parse(self.agent).files())]

    def log_name(self) -> str:
        return os.path.basename(Spec.parse(self.agent).name)

    def spoken(self) -> str:
        return f"isolated:{self.agent}"

    def own_seed(self) -> int:
        """All of it, so that the agent decides as it would in this process."""
        return self.seed

    def needs(self) -> Sequence[Code]:
        """What our own agents need; code of others is not even loaded here."""
        if not self._is_ours:
            return ()
        agent = make_agent(self.agent, self.game, self.seat)
        try:
            return agent.needs()
        finally:
            agent.close()
