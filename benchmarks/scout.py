"""SCOUT: retrieval, decisions and games, against a plain scan written with NumPy; the dissertation's times beside.

`python benchmarks/scout.py --plot cost.png` also draws how the cost of retrieval grows with the case base.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from common import close, publish

import boardwright as bw
from boardwright.agents import ask
from boardwright.arena.match import Match
from boardwright.cbr.case_base import CaseBase
from boardwright.cbr.index import CaseIndex
from boardwright.cbr.retrieval import nearest
from boardwright.cbr.similarity import Query
from boardwright.scout.cases.files import load_cases
from boardwright.scout.cases.profiles import load_profiles
from boardwright.scout.problems.problem import TYPE_SETTLE
from boardwright.scout.reasoners.all_reasoners import reasoners_for
from boardwright.scout.reasoners.settings import Settings

K = 7
ASKED = 20
LEFT_OUT = 200
"""Games whose situations are not among the cases: new ones, as those of a game under way."""
LARGEST_PLAIN = 300_000
"""The plain scan takes seconds beyond."""
OPPONENT = "netsearch"


def settlements(cases: int) -> tuple[CaseIndex, CaseBase]:
    """Settle cases of the default case base, repeated until there are enough, numbers shaken so that they differ; and
    some of other games, which are not among them."""
    case_base = load_cases("default").case_base(TYPE_SETTLE)
    new = np.isin(case_base.groups, np.unique(case_base.groups)[:LEFT_OUT])
    known, others = case_base.subset(~new), case_base.subset(new)
    rng = np.random.default_rng(1)
    grown = known.subset(rng.integers(0, len(known), cases))
    for row in grown.codes:  # one at a time: there may be millions of cases
        row[:] = np.clip(row + rng.integers(-1, 2, len(row), np.int16), 0, 255)
    index = CaseIndex(grown, load_profiles("dissertation")["placement"])
    return index, others.subset(np.linspace(0, len(others) - 1, ASKED).astype(np.int64))


def plain_scan(index: CaseIndex, problem: CaseBase, case: int) -> np.ndarray:
    """The same distances with whole-array operations, and the k smallest."""
    case_base, query = index.case_base, index.query(problem, case, [0, 1])
    distance = np.zeros(len(case_base))
    for number in index.distance.numbers:
        difference = np.abs(case_base.codes[number.row].astype(np.int64) - int(problem.codes[number.row, case]))
        distance += number.weight * difference.astype(float) ** number.exponent
    for column, bit, cost in zip(query.column, query.bit, query.cost, strict=True):
        distance += np.where(case_base.sets[column] & bit == 0, cost, 0.0)
    return np.argsort(distance, kind="stable")[:K]


class Cost(NamedTuple):
    """Of retrieval among so many cases."""

    known: float
    """Milliseconds of CPU where the problem is like one of the cases, and where it is from another game."""
    new: float
    plain: float
    """Milliseconds of a plain scan for the former."""
    bytes: float
    """Memory of the blocks, per case."""
    ready: float
    """Seconds to make the blocks."""


def retrieval(cases: int, rounds: int = 40) -> Cost:
    """Our scan and the plain one, over the same problems."""
    index, others = settlements(cases)
    problems = index.case_base.subset(np.arange(ASKED))
    known, new = ([index.query(asked, i, [0, 1]) for i in range(ASKED)] for asked in (problems, others))

    def ours(queries: list[Query]) -> None:
        for query in queries:
            nearest(index.blocks, query, K)

    def peer() -> None:
        for i in range(ASKED):
            plain_scan(index, problems, i)

    compared = cases <= LARGEST_PLAIN
    spent: dict[str, list[float]] = {"known": [], "new": [], "plain": [] if compared else [math.nan]}
    ready = cpu_seconds(lambda: index.blocks.blocks)
    ours(known)  # warm up
    for _ in range(max(3, min(rounds, 1_000_000 // cases))):
        spent["known"].append(cpu_seconds(partial(ours, known)))
        spent["new"].append(cpu_seconds(partial(ours, new)))
        if compared:
            spent["plain"].append(cpu_seconds(peer))
    milliseconds = (1000 / ASKED * statistics.median(times) for times in spent.values())
    return Cost(*milliseconds, sum(column.nbytes for column in index.blocks.blocks) / cases, ready)


def cpu_seconds(work: Callable[[], object]) -> float:
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
            decision = ask(agents[state.player], observation)
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


def plot(file: Path, figures: dict[int, Cost]) -> None:
    """Milliseconds against cases, both axes logarithmic: a straight line of slope one is linear growth."""
    import matplotlib.pyplot as plt

    sizes = list(figures)
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    costs = list(figures.values())
    axes.loglog(sizes, [cost.plain for cost in costs], "s--", color="#b04030", label="whole NumPy arrays")
    axes.loglog(sizes, [cost.new for cost in costs], "^-", color="#7a9a4a", label="blocks, new situations")
    axes.loglog(sizes, [cost.known for cost in costs], "o-", color="#4878a8", label="blocks, known situations")
    axes.set_xlabel("cases")
    axes.set_ylabel("milliseconds of CPU for the 7 nearest")
    axes.set_title("Retrieval: cost and size of the case base", loc="left")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3, which="both")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)


def main() -> None:
    drawn = Path(sys.argv[2]) if len(sys.argv) == 3 and sys.argv[1] == "--plot" else None
    more = (1_000, 10_000, 100_000, 1_000_000) if drawn else ()
    sizes = sorted((3_000, 30_000, 300_000, 3_000_000, *more))
    figures = {cases: retrieval(cases) for cases in sizes}
    if drawn:
        plot(drawn, figures)
    targets = {3_000: "0.1", 300_000: "1", 3_000_000: "5"}
    for cases, cost in figures.items():
        wanted = f" (target: {targets[cases]})" if cases in targets else ""
        print(f"retrieval, {cases:>9,} cases:  {cost.known:>7.3f} ms{wanted}; plain NumPy {cost.plain:.3f} ms")
        made = f"{cost.bytes:.0f} bytes a case, ready in {cost.ready:.2f} s"
        print(f"           new situations:       {cost.new:>7.3f} ms; {made}")
    reasoners = reasoners_for("default", Settings())
    print(f"default case base:           {len(reasoners.cases):>7,} cases, {len(reasoners.phase.index):,} of actions")
    decisions = milliseconds_per_decision()
    print(f"a decision of scout2:        {decisions['all']:>7.2f} ms of CPU (target: 2; dissertation: about 1,000)")
    games = games_per_second()
    print(f"games against {OPPONENT}:     {games:>7.1f} per CPU second (target: 15; dissertation: 0.009)")
    publish(
        "scout",
        {
            **{f"retrieval_{cases}_ms": figures[cases].known for cases in targets},
            **{f"new_{cases}_ms": figures[cases].new for cases in targets},
            "numpy_300000_ms": figures[300_000].plain,
            "bytes_per_case": figures[3_000_000].bytes,
            "ready_3000000_s": figures[3_000_000].ready,
            "decision_ms": decisions["all"],
            "games": games,
        },
    )
    close(figures[30_000].plain / figures[30_000].known, "the ratio is to a scan with whole NumPy arrays, 30,000 cases")


if __name__ == "__main__":
    main()
