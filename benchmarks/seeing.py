"""How many games a search wins that sees everything: what a game's luck and seats allow at most, about.

    python benchmarks/seeing.py colonizers [--games N] [--seed N]
    python benchmarks/seeing.py wonders --games 200
    python benchmarks/seeing.py race --games 200

`netsearch` gets the whole position instead of its observation, so it knows all hands and the order of the deck. What
others have chosen in the same turn it asks anew, as always. Its opponents see what they may. Every deal is played from
all seats. No agent may do this: it is a measurement alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from common import commit

import boardwright as bw
from boardwright.files import write_json
from boardwright.kernel import Game, Observation, Unit, contract, rng
from boardwright.kernel.calls import SLOTS
from boardwright.kernel.entries import address
from boardwright.learn.agents import NetSearch
from boardwright.registry import make_agent

RESULTS = Path(__file__).parent.parent / "docs" / "matches"
LARGE = "netsearch:turns=2,seconds=0.05,clock=cpu,weights=large"


class Setting(NamedTuple):
    """Who sees everything, and against whom: the opponents of the game's target."""

    seats: int
    seeing: str
    others: str


SETTINGS = {
    "colonizers": Setting(4, LARGE, "ismcts:seconds=0.01,clock=cpu"),
    "race": Setting(2, f"{LARGE},prior_weight=0.01", "netpolicy:weights=keldon"),
    "wonders": Setting(5, f"{LARGE},prior_weight=0.01", "ismcts:seconds=0.01,clock=cpu"),
}


def leave_as_it_is(state: Any, seat: int, seed: int) -> None:
    """Instead of drawing what is hidden anew."""


def seeing_rules(game: Game) -> Any:
    unit = Unit("seeing", {"determinize": (leave_as_it_is, contract.DETERMINIZE)})
    rules = game.entries.learning_rules
    addresses = rules.addresses.copy()
    addresses[list(SLOTS).index("determinize")] = address(unit.entry_points["determinize"])
    return rules._replace(addresses=addresses)


def wins(game: Game, setting: Setting, seed: int, number: int, rules: Any) -> float:
    """What the agent that sees everything has of a game: 1 if it alone comes first, its share if several do."""
    seats = setting.seats
    own = number % seats
    state = game.new(seed=rng.derive(seed, number // seats, 0) & (2**63 - 1), seats=seats)
    agents = [
        make_agent(
            setting.seeing if seat == own else setting.others,
            game,
            seat,
            seed=rng.derive(seed, number, seat) & (2**63 - 1),
        )
        for seat in range(seats)
    ]
    agent = agents[own]
    assert isinstance(agent, NetSearch)
    agent._tables[seats] = agent.table(seats)._replace(rules=rules)
    while not state.is_terminal:
        seat, actions = state.player, state.legal_actions()
        if len(actions) == 1:
            state.apply(actions[0])
            continue
        seen = Observation(game, state.memory.copy(), seat) if seat == own else state.observation(seat)
        state.apply(agents[seat].decide(seen).action)
    best = max(state.returns)
    return (state.returns[own] == best) / sum(score == best for score in state.returns)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=SETTINGS)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=901)
    given = parser.parse_args()
    game, setting = bw.game(given.game), SETTINGS[given.game]
    if given.games < setting.seats:
        parser.error(f"--games {given.games}: it is to sit in each of the {setting.seats} seats once at least")
    rules, won, games = seeing_rules(game), [0.0] * setting.seats, [0] * setting.seats
    for number in range(given.games):
        games[number % setting.seats] += 1
        won[number % setting.seats] += wins(game, setting, given.seed, number, rules)
        print(f"{number + 1} games; won by seat: {won}", flush=True)
    command = f"python benchmarks/seeing.py {given.game} --games {given.games} --seed {given.seed}"
    result = {"spec": setting.seeing, "others": setting.others, "seed": given.seed}
    by_seat = {"won_by_seat": won, "games_by_seat": games}
    write_json(RESULTS / f"{given.game}-seeing.json", {"command": command, "commit": commit(), **result, **by_seat})


if __name__ == "__main__":
    main()
