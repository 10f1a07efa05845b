"""Lords of War on one core: random games, 5,000 iterations of UCT and ISMCTS from the thesis's state S1, and how long
games and how many choices there are, beside Sephton's figures (2016, C++ on a Xeon E5645 of 2010).

S1 is the position after both challenges, Orcs against Orcs, both with their general. Times are CPU times; those of the
thesis are of its root parallelization with a single agent.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
from common import close, publish

import boardwright as bw
from boardwright.games.lords.state import DEPLOY
from boardwright.kernel import State, rng
from boardwright.kernel.options import encode_options

GAME = bw.game("lords")
RANDOM_GAMES_TARGET = 15_000
ITERATIONS = 5_000
PUBLISHED_MS = {"uct": 505.74, "ismcts": 1061.07}
TARGET_MS = {"uct": 200.0, "ismcts": 350.0}
TO_THE_END = "playout=random,plies=-1"
"""Random playouts, as in the thesis; C = 1/√2 there is an exploration of 1 here."""


def games_per_second(games: int = 4_000, rounds: int = 5) -> float:
    setup, play = GAME.entries.setup, GAME.entries.playout("random")
    scratch, rng_state = np.zeros(GAME.max_legal, np.int64), rng.generator(1)
    codes, state = encode_options("lords", GAME.options, {}), np.zeros(GAME.state.itemsize, np.uint8)
    best = 0.0
    for _ in range(rounds):
        began = time.process_time()
        for seed in range(games):
            state[:] = 0
            setup(state, np.uint64(seed), 2, codes)
            play(state, scratch, rng_state)
        best = max(best, games / (time.process_time() - began))
    return best


def s1(information: str, seed: int = 1) -> State:
    state = GAME.new(seed=seed, information=information)
    for _ in range(2):
        state.apply(next(a for a in state.legal_actions() if GAME.describe(state, a).startswith("Gonke Longtooth")))
    return state


def milliseconds(family: str, information: str, rounds: int = 9) -> tuple[float, int]:
    """The quickest of several decisions, and the children of the root."""
    agent = bw.agent(f"{family}:iterations={ITERATIONS},exploration=1,{TO_THE_END}", GAME, 0, seed=1)
    observation = s1(information).observation(0)
    children = len(agent.decide(observation).reasons)
    best = 1e9
    for _ in range(rounds):
        began = time.process_time()
        agent.decide(observation)
        best = min(best, time.process_time() - began)
    return 1000 * best, children


def shape(spec: str, games: int) -> tuple[list[int], list[int]]:
    """Turns of games, and choices at deployments in their middle half."""
    turns, choices = [], []
    for seed in range(games):
        state = GAME.new(seed=seed, information="open")
        agents = [bw.agent(spec, GAME, seat, seed=seed) for seat in range(2)]
        found = []
        while not state.is_terminal:
            legal = state.legal_actions()
            if state.record.phase == DEPLOY:
                found.append(len(legal))
            only = len(legal) == 1
            state.apply(legal[0] if only else agents[state.player].decide(state.observation(state.player)).action)
        turns.append(state.record.turn)
        choices += found[len(found) // 4 : 3 * len(found) // 4]
    return turns, choices


def unknown_deployments() -> int:
    """Deployments in S1 over all cards that the player to move might hold, for all the other knows."""
    others_view = s1("hidden").observation(1)
    return len({action for seed in range(300) for action in others_view.determinize(seed=seed).legal_actions()})


def spread(values: list[int]) -> tuple[float, float, float]:
    """The mean, and between what nine in ten lie."""
    low, *_, high = statistics.quantiles(values, n=20)
    return statistics.mean(values), low, high


def main() -> None:
    games = games_per_second()
    figures = {"random_games": games, "random_games_target": float(RANDOM_GAMES_TARGET)}
    print(f"random games:                 {games:>9,.0f} per CPU second (target: {RANDOM_GAMES_TARGET:,})")
    ratios = [games / RANDOM_GAMES_TARGET]
    for family, information in (("uct", "open"), ("ismcts", "hidden")):
        ours, children = milliseconds(family, information)
        figures |= {f"{family}_ms": ours, f"{family}_target_ms": TARGET_MS[family], f"{family}_children": children}
        figures[f"{family}_published_ms"] = PUBLISHED_MS[family]
        ratios.append(TARGET_MS[family] / ours)
        print(
            f"{ITERATIONS:,} {family:6} iterations, S1: {ours:>9.0f} ms (target: {TARGET_MS[family]:.0f}; thesis:"
            f" {PUBLISHED_MS[family]:.0f}), {children} children of the root"
        )
    figures["unknown_deployments"] = unknown_deployments()
    print(f"deployments in S1 over all cards one might hold: {figures['unknown_deployments']} (thesis: about 150)")
    for name, spec, number in (
        ("random", "random", 200),
        ("mcts", f"uct:iterations=500,exploration=1,{TO_THE_END}", 12),
    ):
        for what, values in zip(("turns", "choices"), shape(spec, number), strict=True):
            mean, low, high = spread(values)
            figures |= {f"{name}_{what}": mean, f"{name}_{what}_low": low, f"{name}_{what}_high": high}
            print(f"{spec}, {number} games: {what} {mean:.1f}, nine in ten from {low:.0f} to {high:.0f}")
    publish("lords", figures)
    close(
        min(ratios), "1 or more: 15,000 random games per second, UCT in 200 ms, ISMCTS in 350 ms (the least of three)"
    )


if __name__ == "__main__":
    main()
