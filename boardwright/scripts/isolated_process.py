"""The process of an isolated agent: it speaks the protocol of scripts for an agent in Python.

python -m boardwright.scripts.isolated_process SPEC
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import IO, Any

from boardwright.agents import Agent, ask
from boardwright.blame import sentence
from boardwright.errors import BoardwrightError
from boardwright.files import parse_json
from boardwright.kernel import Game, Observation
from boardwright.kernel.entries import RULES
from boardwright.kernel.ready import make_ready
from boardwright.registry import load_game, make_agent
from boardwright.scripts.messages import VERSION, encode
from boardwright.scripts.positions import position_from_json


class Inside:
    """An agent that gets the host's messages."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.agent: Agent | None = None

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        if message["type"] == "hello":
            return self._hello(message)
        if message["type"] == "decide":
            return self._decide(message)
        self._end(message)
        return None

    def _hello(self, message: dict[str, Any]) -> dict[str, Any]:
        game = load_game(message["game"])
        self.agent = agent = make_agent(self.spec, game, message["seat"], seed=message["seed"])
        agent.game_options = message["options"]
        agent.check_seats(message["seats"])
        make_ready([*game.entries.code(RULES), *agent.needs()])
        if message["position"] is not None:
            agent.start_game(observation(game, agent.seat, message["position"]))
        return {
            "type": "ready",
            "protocol": VERSION,
            "name": self.spec,
            "positions": type(agent).observe_action is not Agent.observe_action,
            "forced": agent.asked_if_forced,
        }

    def _decide(self, message: dict[str, Any]) -> dict[str, Any]:
        agent = self.agent
        assert agent is not None
        self._replay(message["events"])
        decision = ask(agent, observation(agent.game, agent.seat, message["position"]))
        reasons = [
            {
                "action": int(reason.action),
                "value": None if reason.value is None else float(reason.value),
                "weight": None if reason.weight is None else float(reason.weight),
                "visits": None if reason.visits is None else int(reason.visits),
                "note": reason.note,
            }
            for reason in decision.reasons
        ]
        return {
            "type": "action",
            "action": int(decision.action),
            "reasons": reasons,
            "summary": decision.summary,
        }

    def _end(self, message: dict[str, Any]) -> None:
        agent = self.agent
        if agent is None:
            return
        self.agent = None
        self._replay(message["events"], agent)
        if message["position"] is not None:
            last = observation(agent.game, agent.seat, message["position"])
            agent.end_game(last, tuple(message["returns"]), tuple(message["scores"]))
        agent.close()

    def _replay(self, events: list[dict[str, Any]], agent: Agent | None = None) -> None:
        agent = agent or self.agent
        assert agent is not None
        for event in events:
            if event.get("position") is not None:
                seen = observation(agent.game, agent.seat, event["position"])
                agent.observe_action(event["seat"], event["action"], seen)


def observation(game: Game, seat: int, position: dict[str, Any]) -> Observation:
    return Observation(game, position_from_json(game, position), seat)


def serve(spec: str, lines: IO[bytes], answers: IO[bytes]) -> None:
    inside = Inside(spec)
    for line in lines:
        try:
            answer = inside.answer(parse_json(line))
        except BaseException as error:
            traceback.print_exc()
            reason = str(error) if isinstance(error, BoardwrightError) else sentence(error)
            answer = {"type": "error", "reason": reason}
        if answer is not None:
            answers.write(encode(answer))
            answers.flush()


def main() -> None:
    """What the agent prints goes to the log, not into the conversation."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.argv[1], sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
