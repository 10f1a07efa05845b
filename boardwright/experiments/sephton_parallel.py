"""Chapter 4 of Sephton's thesis (2016), tables A1 to A4 of its appendix and figures 4.5 and 4.6: parallel search.

A1 and A2 time one decision of 5,000 iterations, shared by n threads, in one position of Lords of War: after both
challenges, both with the orc general. A3 and A4 play whole games at equal time against the search on one thread. The
thesis had twelve cores. Where there are fewer than threads, times tell of waiting for a core and not of the method, and
there are fewer conflicts (a thread comes to a node that another one is working on). Counts of iterations do not depend
on cores, nor does processor time, which A3 and A4 go by.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from boardwright.experiments.grid import Cell, Grid, GridClaim, above, all_of, near, stronger
from boardwright.experiments.model import Conditions, Experiment, Published, Verdict
from boardwright.files import write_json
from boardwright.games.lords.board import SQUARES
from boardwright.games.lords.cards import GENERAL
from boardwright.games.lords.state import CHALLENGE, DEPLOY_CARD
from boardwright.kernel import State
from boardwright.kernel.ready import make_ready
from boardwright.registry import load_game, make_agent

GAME = "lords"
SEED = 2016
ITERATIONS = 5_000
REPEATS = 10
THREADS = (1, 2, 4, 8)
"""Of the thesis's 1 to 8 and 16."""
MODES = {
    "Root": "parallel=root",
    "Tree": "parallel=tree",
    "TreeVL": "parallel=tree,virtual_loss=1",
    "Leaf": "parallel=leaf",
}
SEARCHES = {"uct": {"information": "open"}, "ismcts": {"information": "hidden"}}
PLAIN = "playout=random,plies=-1,exploration=1"
SECONDS = 0.005
"""For a decision in A3 and A4; the thesis gave 0.5 s. Of the processor time of each thread: so threads have what they
would have on a core of their own."""
STRENGTH_GAMES = 40

_PUBLISHED_MS = {
    "uct": {
        "Root": (505.74, 253.47, 154.77, 91.74),
        "Tree": (514.09, 299.13, 163.61, 98.05),
        "TreeVL": (511.58, 297.60, 152.99, 98.42),
        "Leaf": (1226.18, 676.75, 618.23, 634.27),
    },
    "ismcts": {
        "Root": (1061.07, 533.23, 341.36, 194.92),
        "Tree": (1057.69, 768.74, 432.33, 259.58),
        "TreeVL": (1056.35, 751.91, 444.21, 264.05),
        "Leaf": (1885.77, 1087.50, 1019.97, 1005.02),
    },
}
"""Milliseconds for a decision with 1, 2, 4 and 8 threads: tables A1 and A2."""
_PUBLISHED_WON = {
    "uct": {
        "Root": (50.2, 54.6, 57.8),
        "Tree": (49.1, 58.2, 65.3),
        "TreeVL": (48.8, 57.6, 66.0),
        "Leaf": (47.2, 49.7, 51.7),
    },
    "ismcts": {
        "Root": (50.3, 52.9, 56.4),
        "Tree": (47.1, 58.4, 64.7),
        "TreeVL": (46.8, 56.2, 63.9),
        "Leaf": (45.6, 48.2, 51.3),
    },
}
"""Games won in % with 1, 2 and 4 threads: tables A3 and A4."""


@dataclass(frozen=True)
class Timed:
    """Decisions of one mode with a number of threads."""

    mode: str
    threads: int
    milliseconds: float
    """The median,"""
    spread: float
    """and the quartiles' distance."""
    iterations: int
    conflicts: float
    """The mean of a decision."""
    published: float


def start_position(options: Mapping[str, Any]) -> State:
    """After both challenges, both seats with their general."""
    state = load_game(GAME).new(seed=SEED, **options)
    while state.record.phase == CHALLENGE:
        generals = [a for a in state.legal_actions() if (a - DEPLOY_CARD) // SQUARES in set(GENERAL.tolist())]
        state.apply(generals[0])
    return state


@dataclass(frozen=True)
class Timing:
    """How long a decision takes, by mode and threads."""

    search: str

    def spec(self, mode: str, threads: int) -> str:
        return f"{self.search}:iterations={ITERATIONS},threads={threads},{MODES[mode]},{PLAIN}"

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        """As many repeats of each decision, mode by mode in turn, so that a busy machine troubles all alike."""
        games, folder, console = conditions.games, conditions.folder, conditions.console
        state = start_position(SEARCHES[self.search])
        observation, game = state.observation(state.player), state.game
        cells = [(mode, threads) for mode in MODES for threads in THREADS]
        agents = {cell: make_agent(self.spec(*cell), game, state.player, seed=SEED) for cell in cells}
        make_ready([code for agent in agents.values() for code in agent.needs()])
        taken: dict[tuple[str, int], list[float]] = {cell: [] for cell in cells}
        conflicts: dict[tuple[str, int], list[int]] = {cell: [] for cell in cells}
        with console.status(f"{len(cells)} settings, {games} decisions each"):
            for cell in cells:
                agents[cell].decide(observation)  # threads are started
            for _ in range(games):
                for cell in cells:
                    began = time.perf_counter()
                    decision = agents[cell].decide(observation)
                    taken[cell].append(1000 * (time.perf_counter() - began))
                    conflicts[cell].append(decision.conflicts or 0)
        timed = [self.timed(mode, threads, taken[mode, threads], conflicts[mode, threads]) for mode, threads in cells]
        self.show(experiment, games, timed, console)
        verdicts = judge(self.search, {(t.mode, t.threads): t for t in timed}, console)
        cores = os.cpu_count() or 1
        result = {
            "experiment": experiment.name,
            "game": GAME,
            "seed": SEED,
            "games": games,
            "cores": cores,
            "published": experiment.published.source,
            "timed": [vars(one) | {"efficiency": efficiency(timed, one)} for one in timed],
            "claims": verdicts,
        }
        write_json(folder / "result.json", result)
        return True

    def timed(self, mode: str, threads: int, taken: list[float], conflicts: list[int]) -> Timed:
        low, middle, high = statistics.quantiles(taken, n=4) if len(taken) > 1 else (taken[0],) * 3
        published = _PUBLISHED_MS[self.search][mode][THREADS.index(threads)]
        return Timed(mode, threads, middle, high - low, ITERATIONS, sum(conflicts) / len(conflicts), published)

    def show(self, experiment: Experiment, repeats: int, timed: list[Timed], console: Console) -> None:
        cores = os.cpu_count() or 1
        table = Table(
            title=f"{experiment.name}: a decision of {ITERATIONS:,} iterations, medians of {repeats}",
            title_justify="left",
            box=SIMPLE_HEAD,
            pad_edge=False,
        )
        for heading in ("mode", "threads", "published ms", "ms", "published efficiency", "efficiency", "conflicts"):
            table.add_column(heading, justify="left" if heading == "mode" else "right")
        for one in timed:
            beyond = " *" if one.threads > cores else ""
            first = _PUBLISHED_MS[self.search][one.mode][0]
            table.add_row(
                one.mode,
                f"{one.threads}{beyond}",
                f"{one.published:.0f}",
                f"{one.milliseconds:.1f}",
                f"{first / (one.threads * one.published):.2f}",
                f"{efficiency(timed, one):.2f}",
                f"{one.conflicts:.0f}",
            )
        console.print(table)
        console.print(f"* more threads than the {cores} cores here: the time measures contention", highlight=False)


def efficiency(timed: list[Timed], one: Timed) -> float:
    """t1 / (n tn), figures 4.5 and 4.6."""
    alone = next(t for t in timed if t.mode == one.mode and t.threads == 1)
    return alone.milliseconds / (one.threads * one.milliseconds)


def judge(search: str, timed: dict[tuple[str, int], Timed], console: Console) -> list[dict[str, str]]:
    """What the thesis found, with two threads."""

    def ms(mode: str, threads: int) -> float:
        return timed[mode, threads].milliseconds

    claims = [
        (
            "root parallelization is the fastest with two threads",
            all(ms("Root", 2) <= ms(mode, 2) for mode in MODES),
            ", ".join(f"{mode} {ms(mode, 2):.1f} ms" for mode in MODES),
        ),
        (
            f"two threads on one tree are faster than one (published {_speedup(search, 'Tree'):.2f} times)",
            ms("Tree", 1) / ms("Tree", 2) > 1,
            f"{ms('Tree', 1) / ms('Tree', 2):.2f} times",
        ),
        (
            f"two root threads nearly halve the time (published {_speedup(search, 'Root'):.2f} times)",
            ms("Root", 1) / ms("Root", 2) > 1.8,
            f"{ms('Root', 1) / ms('Root', 2):.2f} times",
        ),
        (
            "a virtual loss changes little: less than 10 % of the time",
            abs(ms("TreeVL", 2) / ms("Tree", 2) - 1) < 0.1,
            f"{ms('TreeVL', 2):.1f} against {ms('Tree', 2):.1f} ms",
        ),
        (
            "leaf parallelization gains nothing beyond four threads",
            ms("Leaf", 8) > 0.9 * ms("Leaf", 4),
            f"{ms('Leaf', 4):.1f} ms with 4, {ms('Leaf', 8):.1f} ms with 8",
        ),
    ]
    verdicts = []
    for text, holds, figures in claims:
        verdict = Verdict.HOLDS if holds else Verdict.FAILS
        console.print(f"{verdict.value:>13}  {text}: {figures}", highlight=False)
        verdicts.append({"claim": text, "verdict": verdict.value, "figures": figures})
    return verdicts


def _speedup(search: str, mode: str) -> float:
    one, two, *_ = _PUBLISHED_MS[search][mode]
    return one / two


def _strength(search: str) -> Grid:
    alone = f"{search}:seconds={SECONDS},clock=cpu,{PLAIN}"
    cells = [
        Cell(mode, f"{threads} threads", f"{alone},threads={threads},{parallel}", alone, won / 100)
        for mode, parallel in MODES.items()
        for threads, won in zip((1, 2, 4), _PUBLISHED_WON[search][mode], strict=True)
    ]
    claims = (
        GridClaim(
            "one thread of any mode plays as the plain search", all_of([near(m, "1 threads", 0.5, 0.2) for m in MODES])
        ),
        GridClaim("two threads on one tree win more than half", above("Tree", "2 threads", 0.5)),
        GridClaim(
            "a tree is stronger than roots at equal time", stronger(("Tree", "2 threads"), ("Root", "2 threads"))
        ),
        GridClaim("leaf parallelization gains little", near("Leaf", "2 threads", 0.5, 0.2)),
    )
    return Grid(cells, claims, "mode", "threads", SEARCHES[search])


def _experiment(name: str, title: str, question: str, source: str, games: int, conduct: Any) -> Experiment:
    return Experiment(
        name=name,
        game=GAME,
        title=title,
        question=question,
        games=games,
        seed=SEED,
        published=Published(source, 1000, "agent", ()),
        arrangements=(),
        notes=("More threads than cores measure contention. Games of several threads at equal time do not repeat.",),
        conduct=conduct,
    )


_ALL = (
    _experiment(
        "sephton-a1", "decision times of parallel UCT", "Which mode is the fastest, and how does it scale?",
        "table A1 and figure 4.5, 1,000 decisions", REPEATS, Timing("uct").run,
    ),
    _experiment(
        "sephton-a2", "decision times of parallel ISMCTS", "Which mode is the fastest, and how does it scale?",
        "table A2 and figure 4.6, 1,000 decisions", REPEATS, Timing("ismcts").run,
    ),
    _experiment(
        "sephton-a3", "strength of parallel UCT at equal time", "Which mode makes the best use of its threads?",
        "table A3, 1,000 games a cell", STRENGTH_GAMES, _strength("uct").run,
    ),
    _experiment(
        "sephton-a4", "strength of parallel ISMCTS at equal time", "Which mode makes the best use of its threads?",
        "table A4, 1,000 games a cell", STRENGTH_GAMES, _strength("ismcts").run,
    ),
)  # fmt: skip

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
