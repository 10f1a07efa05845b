"""How many games of Colonizers a search wins that sees everything, by seat: what its seats allow at most, about.

    python benchmarks/colonizers_seeing.py [--games N] [--seed N]

`netsearch` gets the whole position instead of its observation, so it knows all hands, colonists and the deck; three
`ismcts` with their usual time see what they may. Every deal is played from all four seats. No agent may do this: it is
a measurement alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from common import commit

import boardwright as bw
from boardwright.files import write_json
from boardwright.kernel import Observation, Unit, contract, rng
from boardwright.kernel.calls import SLOTS
from boardwright.kernel.entries import address
from boardwright.learn.agents import NetSearch
from boardwright.registry import make_agent

SEEING, OTHERS = "netsearch:turns=2,seconds=0.05,clock=cpu,weights=large", "ismcts:seconds=0.01,clock=cpu"
SEATS = 4
RESULT = Path(__file__).parent.parent / "docs" / "matches" / "colonizers-seeing.json"
GAME = bw.game("colonizers")


def leave_as_it_is(state: Any, seat: int, seed: int) -> None:
    """Instead of drawing what is hidden anew."""


def seeing_rules() -> Any:
    unit = Unit("seeing", {"determinize": (leave_as_it_is, contract.DETERMINIZE)})
    rules = GAME.entries.learning_rules
    addresses = rules.addresses.copy()
    addresses[list(SLOTS).index("determinize")] = address(unit.entry_points["determinize"])
    return rules._replace(addresses=addresses)


def wins(seed: int, number: int, rules: Any) -> bool:
    """Whether the agent that sees everything comes first in a game."""
    own = number % SEATS
    state = GAME.new(seed=rng.derive(seed, number // SEATS, 0) & (2**63 - 1))
    agents = [
        make_agent(SEEING if seat == own else OTHERS, GAME, seat, seed=rng.derive(seed, number, seat) & (2**63 - 1))
        for seat in range(SEATS)
    ]
    agent = agents[own]
    assert isinstance(agent, NetSearch)
    agent._tables[SEATS] = agent.table(SEATS)._replace(rules=rules)
    while not state.is_terminal:
        seat, actions = state.player, state.legal_actions()
        if len(actions) == 1:
            state.apply(actions[0])
            continue
        seen = Observation(GAME, state.memory.copy(), seat) if seat == own else state.observation(seat)
        state.apply(agents[seat].decide(seen).action)
    return state.returns[own] == max(state.returns)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=901)
    given = parser.parse_args()
    rules, won, games = seeing_rules(), [0] * SEATS, [0] * SEATS
    for number in range(given.games):
        games[number % SEATS] += 1
        won[number % SEATS] += wins(given.seed, number, rules)
        print(f"{number + 1} games; won by seat: {won}", flush=True)
    command = f"python benchmarks/colonizers_seeing.py --games {given.games} --seed {given.seed}"
    result = {"spec": SEEING, "others": OTHERS, "seed": given.seed, "won_by_seat": won, "games_by_seat": games}
    write_json(RESULT, {"command": command, "commit": commit(), **result})


if __name__ == "__main__":
    main()
