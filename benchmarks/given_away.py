"""What agents of Race give away at a decision: the chance to win between the best action, as a deep search sees it, and
theirs. The decisions are those of games of `netsearch` against itself.

`python benchmarks/given_away.py` writes docs/matches/race-given-away.json.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import boardwright as bw
from boardwright.files import write_json

sys.path.insert(0, str(Path(__file__).parent))
from common import commit

FILE = Path(__file__).parent.parent / "docs" / "matches" / "race-given-away.json"
PLAYER, JUDGE = "netsearch", "netsearch:determinizations=128,width=64,prior_weight=0.000001"
FIRST_SEED, GAMES = 40007, 12
AGENTS = (
    *(f"netsearch:determinizations=1,noise={noise}" for noise in (0.6, 0.3, 0.15)),
    "netsearch:noise=0.1",
    "netsearch:determinizations=1",
    "netpolicy:weights=keldon",
    "heuristic",
    *(f"ismcts:iterations={number}" for number in (100, 20, 5)),
    "random",
)


def losses() -> dict[str, list[float]]:
    game = bw.game("race")
    agents = {spec: bw.agent(spec, game, 0, seed=5) for spec in AGENTS}
    judge, player = bw.agent(JUDGE, game, 0, seed=9), bw.agent(PLAYER, game, 0, seed=3)
    found: dict[str, list[float]] = {spec: [] for spec in AGENTS}
    for seed in range(FIRST_SEED, FIRST_SEED + GAMES):
        state = game.new(seed=seed)
        while not state.is_terminal:
            observation = state.observation(state.player)
            legal = observation.legal_actions()
            if len(legal) > 1:
                action = player.decide(observation).action
                reasons = judge.decide(observation).reasons
                values = {reason.action: reason.value for reason in reasons if reason.value is not None}
                for spec, agent in agents.items():
                    chosen = agent.decide(observation).action
                    if len(values) > 1:
                        found[spec].append(max(values.values()) - values.get(chosen, min(values.values())))
            else:
                action = legal[0]
            state.apply(int(action))
    return found


def main() -> None:
    rows: list[dict[str, Any]] = []
    for spec, lost in losses().items():
        row: dict[str, Any] = {"spec": spec, "mean": round(float(np.mean(lost)), 4)}
        row |= {f"above_{bound}": round(float(np.mean(np.array(lost) > bound)), 3) for bound in (0.05, 0.1, 0.2)}
        rows.append(row | {"most": round(max(lost), 2)})
        print(row)
    about = {"game": "race", "seats": 2, "player": PLAYER, "judge": JUDGE, "first_seed": FIRST_SEED, "games": GAMES}
    origin = {"commit": commit(), "command": "python benchmarks/given_away.py"}
    write_json(FILE, origin | about | {"decisions": len(lost), "agents": rows})


if __name__ == "__main__":
    main()
