"""The agent `cases`: how long retrieval and decisions take, how they grow, and how often it names others' choices.

`python benchmarks/cases.py --plot cost.png` draws the growth; `--leaderboard FILE` writes the accuracies that
docs/cases.md shows.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from common import commit, publish

import boardwright as bw
from boardwright.cases.agent import Cases
from boardwright.cases.data_set import DataSet, load_data_set
from boardwright.cases.file import shipped_files
from boardwright.cases.memory import COORDINATES, expectation_codes, remember
from boardwright.cases.voting import VotingRule, judge
from boardwright.cbr.points import nearest_points
from boardwright.kernel.ready import make_ready

SIZES = (3_000, 30_000, 100_000, 300_000, 3_000_000)
K = 32
ASKED = 400


def retrieval(points: int) -> float:
    """Milliseconds of processor time for the nearest of so many points, the best of several times."""
    random = np.random.default_rng(1)
    spread = np.array([80, 80, 25, 18, 14, 11, 9, 8])[:, None]
    codes = np.clip(128 + spread * random.normal(size=(COORDINATES, points)), 0, 255).astype(np.uint8)
    queries = codes[:, random.integers(0, points, 30)].T.copy()
    return 1000 * min(timed(lambda query=query: nearest_points(codes, query, K)) for query in queries)


def timed(what: Callable[[], object]) -> float:
    began = time.process_time()
    what()
    return time.process_time() - began


def decisions(cases: int) -> float:
    """Milliseconds for a decision of `race` with so many cases: those of the package, repeated."""
    game = bw.game("race")
    agent = Cases(game, 0)
    make_ready(agent.needs())
    state = game.new(seed=3)
    memory = agent.memory(2)
    times = -(-cases // len(memory))
    order = np.argsort(np.tile(np.repeat(np.arange(game.num_actions), np.diff(memory.first)), times), kind="stable")
    agent._memory = type(memory)(
        memory.file,
        memory.network,
        memory.space,
        np.ascontiguousarray(np.tile(memory.points, times)[:, order]),
        memory.first * times,
        np.tile(memory.case, times)[order],
        np.tile(memory.taken, times)[order],
        memory.chosen,
        memory.result,
        memory.game,
        memory.decision,
    )
    spent = []
    while not state.is_terminal:
        observation = state.observation(state.player)
        if len(observation.legal_actions()) > 1:
            spent.append(timed(lambda observation=observation: agent.decide(observation)))
        state.apply(agent.decide(observation).action)
    return 1000 * float(np.median(spent))


def leaderboard(name: str, seats: int) -> dict[str, object]:
    """How often choices of the test games are named: by chance, by the network, by its nearest case, by cases."""
    game = bw.game(name)
    train, test = load_data_set(name, seats=seats)
    memory = remember(game, replace(train.file, outlook=""))  # a task without the rules
    weights = memory.network.weights
    hidden = np.maximum(test.features @ weights.hidden + weights.hidden_bias, 0)
    asked = test_cases(test)
    found = {"guess": 0.0, "network": 0.0, "nearest": 0.0, "cases": 0.0}
    for case in asked:
        options = test.options(case)
        logits = weights.policy[options] @ hidden[case] + weights.policy_bias[options]
        chances = np.exp(logits - logits.max())
        here = np.zeros((len(options), COORDINATES), np.uint8)
        here[:, :2] = expectation_codes(chances / chances.sum())
        here[:, 2 : 2 + len(memory.space.middle)] = memory.space.codes(hidden[case])
        found["guess"] += 1 / len(options)
        found["network"] += options[int(logits.argmax())] == test.chosen[case]
        for agent, k in (("nearest", 1), ("cases", K)):
            rule = VotingRule(k, 3.0, 0.5)
            merits = [judge(memory, action, point, rule).merit for action, point in zip(options, here, strict=True)]
            found[agent] += options[int(np.argmax(merits))] == test.chosen[case]
    rows = {agent: count / len(asked) for agent, count in found.items()}
    return {"game": name, "seats": seats, "train": len(train), "test": len(test), "asked": len(asked), **rows}


def test_cases(test: DataSet) -> list[int]:
    return sorted(np.random.default_rng(0).permutation(len(test))[:ASKED].tolist())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--leaderboard", type=Path)
    given = parser.parse_args()
    if given.leaderboard:
        rows = [leaderboard(name, seats) for name in bw.games() for seats in shipped_files(bw.game(name))]
        made_by = {"command": f"python benchmarks/cases.py --leaderboard {given.leaderboard}", "commit": commit()}
        given.leaderboard.write_text(json.dumps({"rows": rows, **made_by}, indent=2) + "\n")
        for row in rows:
            print(row)
        return
    nearest_points(np.zeros((COORDINATES, 1), np.uint8), np.zeros(COORDINATES, np.uint8), 1)
    figures = {size: retrieval(size) for size in SIZES}
    for size, milliseconds in figures.items():
        print(f"retrieval, {size:>9,} points: {milliseconds:.3f} ms")
    decision = decisions(100_000)
    print(f"decision, 100,000 cases of race: {decision:.3f} ms")
    publish("cases", {**{f"retrieval_{size}_ms": value for size, value in figures.items()}, "decision_ms": decision})
    if given.plot:
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        axes.loglog(list(figures), list(figures.values()), "o-", color="#4878a8")
        axes.set_xlabel("points (options of cases)")
        axes.set_ylabel("milliseconds")
        figure.savefig(given.plot)


if __name__ == "__main__":
    main()
