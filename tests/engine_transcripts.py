"""Games written down position by position, so that an exported engine can be compared with the rules it was made of.

A transcript is plain data: a host in any language replays it and compares legal actions, states, observations,
determinizations and decisions. `boardwright/engine/javascript/verify.js`
does so in Node and in browsers, `engine_hosts.py` in Python.
"""

from __future__ import annotations

import random
import zlib
from typing import Any

import numpy as np

from boardwright.agents import Agent
from boardwright.kernel import Game, rng


def transcript(
    game: Game, agent: Agent, seats: int, *, positions: int, decisions: int, iterations: int, seed: int
) -> dict[str, Any]:
    """Games at random until there are so many positions; the agent decides in some of them, spread evenly."""
    chance, games, left = random.Random(seed), [], positions
    every = max(1, positions // max(decisions, 1))
    while left > 0:
        deal = chance.getrandbits(63)
        state, steps = game.new(seed=deal, seats=seats), []
        while not state.is_terminal and left > 0:
            steps.append(_step(game, state, chance.getrandbits(63)))
            if left % every == 0 and len(steps[-1]["legal"]) > 1:
                steps[-1]["decision"] = _decision(agent, state, steps[-1]["seed"])
            action = chance.choice(steps[-1]["legal"])
            steps[-1]["action"] = action
            state.apply(action)
            left -= 1
        end = {"state": zlib.crc32(bytes(state)), "returns": list(state.returns), "scores": list(state.scores)}
        games.append({"seed": str(deal), "seats": seats, "steps": steps, "end": end})
    return {"game": game.name, "iterations": iterations, "games": games}


def _step(game: Game, state: Any, seed: int) -> dict[str, Any]:
    seat = state.player
    observation = state.observation(seat)
    filled = observation.memory.copy()
    game.entries.determinize(filled, seat, np.uint64(seed))
    return {
        "player": seat,
        "legal": state.legal_actions(),
        "state": zlib.crc32(bytes(state)),
        "observation": zlib.crc32(bytes(observation)),
        "determinization": zlib.crc32(filled.tobytes()),
        "seed": str(seed),
    }


def _decision(agent: Agent, state: Any, seed: str) -> dict[str, Any]:
    """What the agent decides if its random numbers begin with this seed."""
    agent.seat = state.player
    setattr(agent, "rng_state", lambda observation: rng.generator(int(seed)))  # noqa: B010
    decided = agent.decide(state.observation(state.player))
    best = decided.reasons[0] if decided.reasons else None
    return {
        "action": int(decided.action),
        "visits": best.visits if best is not None else None,
        "value": best.value if best is not None else None,
    }
