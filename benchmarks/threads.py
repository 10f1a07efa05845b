"""Threads: the same number of iterations on one thread and on two, with trees of their own and on one tree."""

from __future__ import annotations

from common import close, publish, seconds

import boardwright as bw

ITERATIONS = {"connect_four": 400_000, "lords": 10_000}
MODES = {"two": "threads=2", "two_on_a_tree": "threads=2,parallel=tree"}
PLAIN = "playout=random,plies=-1"
ROUNDS = 7


def iterations_per_second(name: str) -> dict[str, float]:
    """Medians by mode, measured turn by turn."""
    game, iterations = bw.game(name), ITERATIONS[name]
    observation = game.new(seed=0).observation(0)
    specs = {"one": "threads=1", **MODES}
    agents = {mode: bw.agent(f"uct:iterations={iterations},{PLAIN},{spec}", game, 0) for mode, spec in specs.items()}
    for agent in agents.values():
        agent.decide(observation)
    taken: dict[str, list[float]] = {mode: [] for mode in agents}
    for _ in range(ROUNDS):
        for mode, agent in agents.items():
            taken[mode].append(seconds(lambda agent=agent: agent.decide(observation)))  # type: ignore[misc]
    return {mode: iterations / sorted(times)[ROUNDS // 2] for mode, times in taken.items()}


def main() -> None:
    figures: dict[str, float] = {}
    for name in ITERATIONS:
        found = iterations_per_second(name)
        for mode, pace in found.items():
            times = pace / found["one"]
            print(f"{name:>13} {mode.replace('_', ' '):<14} {pace:>9,.0f} iterations/s, {times:.2f} times one thread")
            figures[mode if name == "connect_four" else f"{name}_{mode}"] = pace
    publish("threads", figures)
    close(figures["two"] / figures["one"], "two threads at least 1.9 times one, 1.8 times on one tree")


if __name__ == "__main__":
    main()
