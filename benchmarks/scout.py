"""SCOUT: retrieval, decisions and games, against a plain scan written with NumPy; the dissertation's times beside.

`python benchmarks/scout.py --plot cost.png` also draws how the cost of retrieval grows with the library.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from common import close, publish

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.cbr.memory import Memory
from boardwright.cbr.retrieval import nearest
from boardwright.games.race.scout.cases.library import load_library
from boardwright.games.race.scout.cases.profiles import load_profiles
from boardwright.games.race.scout.problems.model import TYPE_SETTLE
from boardwright.games.race.scout.reasoners.base import CaseBase
from boardwright.games.race.scout.reasoners.reasoning import Settings, reasoning_for

K = 7
OPPONENT = "netsearch"


def case_base(cases: int) -> CaseBase:
    """Settle cases of the default library, repeated until there are enough, numbers shaken so that they differ."""
    memory = load_library("default").memory(TYPE_SETTLE)
    chance = np.random.default_rng(1)
    places = chance.integers(0, len(memory), cases)
    grown = memory.kept(places)
    shaken = grown.codes.astype(np.int64) + chance.integers(-1, 2, grown.codes.shape)
    grown.codes = np.ascontiguousarray(np.clip(shaken, 0, 255).astype(np.uint8))
    return CaseBase(grown, load_profiles("dissertation")["placement"])


def plain_scan(base: CaseBase, problem: Memory, case: int) -> np.ndarray:
    """The same distances with whole-array operations, and the k smallest."""
    memory, query = base.memory, base.query(problem, case, [0, 1])
    distance = np.zeros(len(memory))
    for number in base.metric.numbers:
        difference = np.abs(memory.codes[number.row].astype(np.int64) - int(problem.codes[number.row, case]))
        distance += number.weight * difference.astype(float) ** number.exponent
    for column, bit, cost in zip(query.column, query.bit, query.cost, strict=True):
        distance += np.where(memory.sets[column] & bit == 0, cost, 0.0)
    return np.argsort(distance, kind="stable")[:K]


def retrieval(cases: int, rounds: int = 40) -> tuple[float, float]:
    """Milliseconds of CPU of our scan and of the plain one, over the same problems."""
    base = case_base(cases)
    problems = base.memory.kept(np.arange(20))
    queries = [base.query(problems, i, [0, 1]) for i in range(20)]

    def ours() -> None:
        for query in queries:
            nearest(base.memory, base.metric, query, K)

    def peer() -> None:
        for i in range(20):
            plain_scan(base, problems, i)

    ours(), peer()  # warm up
    mine, theirs = [], []
    for _ in range(max(3, min(rounds, 1_000_000 // cases))):
        mine.append(cpu_seconds(ours))
        theirs.append(cpu_seconds(peer))
    return 50 * statistics.median(mine), 50 * statistics.median(theirs)


def cpu_seconds(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def milliseconds_per_decision() -> dict[str, float]:
    """Of scout2's own decisions with the default library, by type, over whole games."""
    game, times = bw.game("race"), {}
    for seed in range(6):
        state = game.new(seed=seed)
        agents = [bw.agent("scout2", game, seat, seed=seed) for seat in range(2)]
        while not state.is_terminal:
            observation = state.observation(state.player)
            began = time.process_time()
            decision = agents[state.player].decide(observation)
            spent = time.process_time() - began
            if len(observation.legal_actions()) > 1 and seed:
                times.setdefault("all", []).append(spent)
            state.apply(decision.action)
    return {name: 1000 * statistics.mean(values) for name, values in times.items()}


def games_per_second(games: int = 30) -> float:
    match = Match("race", ("scout2", OPPONENT), seed=1)
    match.play(0)
    began = time.process_time()
    for index in range(games):
        match.play(index)
    return games / (time.process_time() - began)


def plot(file: Path, figures: dict[int, tuple[float, float]]) -> None:
    """Milliseconds against cases, both axes logarithmic: a straight line of slope one is linear growth."""
    import matplotlib.pyplot as plt

    sizes = list(figures)
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    axes.loglog(sizes, [figures[cases][1] for cases in sizes], "s--", color="#b04030", label="whole NumPy arrays")
    axes.loglog(sizes, [figures[cases][0] for cases in sizes], "o-", color="#4878a8", label="compiled scan")
    axes.set_xlabel("cases")
    axes.set_ylabel("milliseconds of CPU for the 7 nearest")
    axes.set_title("Retrieval: cost and size of the library", loc="left")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3, which="both")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


def main() -> None:
    drawn = Path(sys.argv[2]) if len(sys.argv) == 3 and sys.argv[1] == "--plot" else None
    sizes = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000) if drawn else (3_000, 30_000, 300_000)
    figures = {cases: retrieval(cases) for cases in sizes}
    if drawn:
        plot(drawn, figures)
    targets = {3_000: "0.1", 300_000: "10"}
    for cases, (mine, theirs) in figures.items():
        wanted = f" (target: {targets[cases]})" if cases in targets else ""
        print(f"retrieval, {cases:>7,} cases:  {mine:>7.3f} ms{wanted}; plain NumPy {theirs:.3f} ms")
    print(
        f"cost per case:               {1e6 * figures[300_000][0] / 300_000:>7.1f} ns at 300,000 cases,"
        f" {1e6 * figures[30_000][0] / 30_000:.1f} ns at 30,000"
    )
    reasoning = reasoning_for("default", Settings())
    print(f"default library:             {len(reasoning.library):>7,} cases, {len(reasoning.phase.base):,} of actions")
    decisions = milliseconds_per_decision()
    print(f"a decision of scout2:        {decisions['all']:>7.2f} ms of CPU (target: 2; dissertation: about 1,000)")
    games = games_per_second()
    print(f"games against {OPPONENT}:     {games:>7.1f} per CPU second (target: 15; dissertation: 0.009)")
    mine, theirs = figures[30_000]
    publish(
        "scout",
        {
            "retrieval_3000_ms": figures[3_000][0],
            "retrieval_300000_ms": figures[300_000][0],
            "numpy_300000_ms": figures[300_000][1],
            "decision_ms": decisions["all"],
            "games": games,
        },
    )
    close(theirs / mine, "the ratio is to a scan with whole NumPy arrays, 30,000 cases")


if __name__ == "__main__":
    main()
