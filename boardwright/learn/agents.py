"""`netsearch`: turn search with a trained network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from boardwright.agents import Agent, Decision, Reason, param
from boardwright.errors import BadSpec
from boardwright.kernel import Game, Observation, rng
from boardwright.learn import turn_search
from boardwright.learn.network import Network, load
from boardwright.learn.turn_search import MOST_BREADTH, Desk, Settings


class NetSearch(Agent):
    """Plays a turn or more to the end in sampled worlds and lets a trained network judge where that leads."""

    worlds: int = param(8, "sampled worlds a decision (determinizations)", ge=1, le=10_000)
    width: int = param(16, "the most options looked at, the likeliest by the network", ge=1, le=10_000)
    breadth: int = param(
        1, "the most ways to go on that are tried at the own choice that follows", ge=1, le=MOST_BREADTH
    )
    trust: float = param(
        0.03,
        "how much the network's first impression counts, in chance to win, where its likelihood is e times as high",
        gt=0,
    )
    turns: int = param(1, "turns played before the network judges, with the one under way", ge=1, le=1000)
    noise: float = param(0.0, "random error of every estimate, in chance to win: makes a weaker opponent", ge=0)
    weights: str = param("", "a file made by `boardwright train`; default: the network that comes with the game")

    def prepare(self) -> None:
        if self.game.learning.features is None:
            raise BadSpec(f"netsearch cannot play {self.game.name}: it declares no features")
        self.rules: Any = self.game.entries.learning_rules
        self.settings = Settings(self.worlds, self.width, self.breadth, self.trust, self.turns)
        self.desk = Desk.for_game(self.game)
        self.networks: dict[int, Network] = {}
        if self.weights:
            network = kept(Path(self.weights), self.game)
            self.networks[network.seats] = network

    def network(self, seats: int) -> Network:
        if seats not in self.networks:
            if self.weights or seats not in self.game.learning.networks:
                mine = f" ({self.weights} is for {', '.join(map(str, self.networks))})" if self.weights else ""
                raise BadSpec(
                    f"netsearch has no network for {self.game.name} with {seats} seats{mine}; train one:"
                    f" boardwright train {self.game.name} --seats {seats} --out X.npz, then netsearch:weights=X.npz"
                )
            self.networks[seats] = shipped(self.game, seats)
        return self.networks[seats]

    def check_seats(self, seats: int) -> None:
        self.network(seats)

    def decide(self, observation: Observation) -> Decision:
        weights = self.network(observation.seats).weights
        rng_state = self.rng_state(observation)
        desk = self.desk
        desk.known[:] = observation.memory
        n = turn_search.kernel()(self.rules, weights, observation.seat, self.settings, rng_state, desk)
        actions, prior = desk.actions[:n].tolist(), desk.prior[:n].tolist()
        visits, order = desk.visits[:n].copy(), desk.order[:n].tolist()
        value = desk.value[:n] / np.maximum(visits, 1)
        if self.noise:
            value += np.array([self._error(rng_state) for _ in range(n)])
            merit = value + self.trust * np.log(np.maximum(prior, turn_search.LEAST_LIKELY))
            order.sort(key=lambda i: (visits[i] == 0, -merit[i]))
        low, high = self.game.min_utility, self.game.max_utility

        def reasons() -> tuple[Reason, ...]:
            return tuple(
                Reason(
                    actions[i],
                    float(low + (high - low) * value[i]) if visits[i] else None,
                    prior[i],
                    int(visits[i]),
                )
                for i in order
            )

        played = f"{int(visits.sum())} turns" if self.turns == 1 else f"{int(visits.sum())} times {self.turns} turns"
        return Decision(actions[order[0]], reasons, f"{self.worlds} sampled worlds, {played} played out")

    def _error(self, rng_state: Any) -> float:
        """A normally distributed error (Box and Muller)."""
        first, second = ((rng.draw(rng_state) >> 11) / 2**53 for _ in range(2))
        return float(self.noise * np.sqrt(-2 * np.log(1 - first)) * np.cos(2 * np.pi * second))

    @classmethod
    def plays(cls, game: Game) -> bool:
        return game.learning.features is not None

    @classmethod
    def label(cls) -> str:
        return "netsearch"


def shipped(game: Game, seats: int) -> Network:
    """The network that comes with a game."""
    return kept(game.learning.networks[seats], game)


_kept: dict[tuple[str, str], tuple[int, Network]] = {}


def kept(file: Path, game: Game) -> Network:
    """The network in a file, read again only when the file has changed: every game of a match makes its agents anew."""
    changed = file.stat().st_mtime_ns if file.exists() else 0
    key = game.name, str(file)
    if key not in _kept or _kept[key][0] != changed:
        _kept[key] = changed, load(file, game)
    return _kept[key][1]
