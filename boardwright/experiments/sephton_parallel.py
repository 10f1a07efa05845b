"""Chapter 4 of Sephton's thesis (2016), tables A1 to A4 of its appendix and figures 4.5 and 4.6: parallel search.

A1 and A2 time one decision of 5,000 iterations, shared by n threads, in one position of Lords of War: after both
challenges, both with the orc general. A3 and A4 play whole games at equal time against the search on one thread. The
thesis had twelve cores. Where there are fewer than threads, times tell of waiting for a core and not of the method, and
conflicts (a thread comes to a node that another one is working on) are fewer, because fewer threads run at once. A3 and
A4 go by processor time, which does not depend on cores. Times are judged by the ratios of decisions that were made one
after the other, and not at all on a machine that others use.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from scipy import stats

from boardwright.experiments.grid import Cell, Grid
from boardwright.experiments.grid_claims import GridClaim, above, all_of, near, stronger
from boardwright.experiments.grid_figures import Drawing, Panel
from boardwright.experiments.model import (
    Conditions,
    Experiment,
    Part,
    Verdict,
    as_stored,
    decided,
    show_table,
    show_verdicts,
)
from boardwright.experiments.quiet import Watch
from boardwright.experiments.sephton import GAME, SEED, printed, sephton_experiment
from boardwright.experiments.sequential import ALPHA
from boardwright.experiments.tables import NOT_PLAYED, Stored, TableOf, times, times_claims
from boardwright.files import write_json
from boardwright.games.lords.board import SQUARES
from boardwright.games.lords.cards import GENERAL
from boardwright.games.lords.state import CHALLENGE, DEPLOY_CARD
from boardwright.kernel import State
from boardwright.kernel.ready import make_ready
from boardwright.registry import load_game, make_agent

ITERATIONS = 5_000
REPEATS = 10
THREADS = (1, 2, 3, 4, 5, 6, 7, 8, 16)
MODES = {
    "Root": "parallel=root",
    "Tree": "parallel=tree",
    "TreeVL": "parallel=tree,virtual_loss=1",
    "Leaf": "parallel=leaf",
}
SEARCHES = {"uct": {"information": "open"}, "ismcts": {"information": "hidden"}}
PLAIN = "playout=random,plies=-1,exploration=1"
SECONDS = 0.5
"""For a decision in A3 and A4, as in the thesis: of the processor time of each thread, so that threads have what they
would have on a core of their own."""
STRENGTH_GAMES = 40
IDLE = 0.1
"""Of each core: what others may use while decisions are timed."""

_PUBLISHED_MS = printed("milliseconds")
"""Of a decision with 1 to 8 and 16 threads: tables A1 and A2."""
_PUBLISHED_WON = printed("won")
"""Games won in % with as many threads: tables A3 and A4."""
TWO_APART = ("TreeVL", 2)
ONE_OF_UCT = ("UCT", 1)
"""What A2 times besides: UCT on one thread, in the same position with open cards."""


@dataclass(frozen=True)
class Timed:
    """Decisions of one mode with a number of threads."""

    mode: str
    threads: int
    milliseconds: float
    """The median."""
    spread: float
    """The distance of the quartiles."""
    iterations: int
    conflicts: float
    """The mean of a decision."""
    published: float
    changed_selections: float | None = None
    """The share of selections in the tree that virtual losses have changed, where they are counted."""


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
    tables: ClassVar[Mapping[str, TableOf]] = {"": times, "claims": times_claims}

    def claim_texts(self) -> list[str]:
        timed = [ONE_OF_UCT] if self.search == "ismcts" else []
        same: Samples = {cell: [1.0] for cell in [*((mode, n) for mode in MODES for n in THREADS), *timed]}
        return [one["claim"] for one in judge(self.search, same, 0.0)]

    def draw_stored(self, results: Sequence[Mapping[str, Any]], file: Path) -> None:
        draw_times(results[0], file)

    def spec(self, mode: str, threads: int) -> str:
        if (mode, threads) == ONE_OF_UCT:
            return f"uct:iterations={ITERATIONS},{PLAIN}"
        return f"{self.search}:iterations={ITERATIONS},threads={threads},{MODES[mode]},{PLAIN}"

    def parts(self) -> list[Part]:
        return [
            Part(_name(mode, threads), self.spec(mode, threads), f"{published:.0f} ms")
            for mode, row in _PUBLISHED_MS[self.search].items()
            for threads, published in zip(THREADS, row, strict=True)
        ]

    def run(self, experiment: Experiment, conditions: Conditions) -> bool:
        """As many repeats of each decision, mode by mode in turn, so that a busy machine troubles all alike."""
        games, folder, console = conditions.games, conditions.folder, conditions.console
        positions = {search: start_position(options) for search, options in SEARCHES.items()}
        cells = [(mode, threads) for mode in MODES for threads in THREADS]
        alone = [cell for cell in cells if conditions.only == _name(*cell)]
        timed_cells = alone or (cells if self.search == "uct" else [*cells, ONE_OF_UCT])
        searches = {cell: "uct" if cell == ONE_OF_UCT else self.search for cell in timed_cells}
        observations = {name: position.observation(position.player) for name, position in positions.items()}
        game, player = positions["uct"].game, positions["uct"].player
        agents = {cell: make_agent(self.spec(*cell), game, player, seed=SEED) for cell in timed_cells}
        make_ready([code for agent in agents.values() for code in agent.needs()])
        taken: Samples = {cell: [] for cell in timed_cells}
        conflicts: dict[tuple[str, int], list[int]] = {cell: [] for cell in timed_cells}
        changed: Samples = {cell: [] for cell in timed_cells}
        cores = os.cpu_count() or 1
        with console.status(f"{len(cells)} settings, {games} decisions each"):
            for cell in timed_cells:
                agents[cell].decide(observations[searches[cell]])  # threads are started
            watch = Watch()
            for _ in range(games):
                for cell in timed_cells:
                    began = time.perf_counter()
                    decision = agents[cell].decide(observations[searches[cell]])
                    taken[cell].append(1000 * (time.perf_counter() - began))
                    conflicts[cell].append(decision.conflicts or 0)
                    changed[cell] += [] if decision.changed_selections is None else [decision.changed_selections]
        load = watch.others()
        if alone:
            one = self.timed(alone[0], taken[alone[0]], conflicts[alone[0]], changed[alone[0]])
            console.print(f"{conditions.only}: {one.milliseconds:.1f} ms, published {one.published:.0f} ms")
            return True
        timed = [self.timed(cell, taken[cell], conflicts[cell], changed[cell]) for cell in cells]
        result: dict[str, Any] = {
            "experiment": experiment.name,
            "game": GAME,
            "seed": SEED,
            "games": games,
            "cores": cores,
            "load": load,
            "published": experiment.published.source,
            "timed": [vars(one) | {"efficiency": efficiency(timed, one)} for one in timed],
            "claims": judge(self.search, taken, load / cores, changed.get(TWO_APART, [])),
        }
        write_json(folder / "result.json", result)
        title = f"{experiment.name}: a decision of {ITERATIONS:,} iterations, medians of {games}"
        show_table(times(Stored([result])), title, console)
        console.print(f"* more threads than the {cores} cores here: the time measures contention", highlight=False)
        show_verdicts(result["claims"], console)
        draw_times(result, folder / "result.png")
        return True

    def timed(
        self, cell: tuple[str, int], taken: list[float], conflicts: list[int], changed: Sequence[float] = ()
    ) -> Timed:
        mode, threads = cell
        low, middle, high = statistics.quantiles(taken, n=4) if len(taken) > 1 else (taken[0],) * 3
        published = _PUBLISHED_MS[self.search][mode][THREADS.index(threads)]
        share = statistics.mean(changed) if changed else None
        return Timed(mode, threads, middle, high - low, ITERATIONS, statistics.mean(conflicts), published, share)


def _name(mode: str, threads: int) -> str:
    return f"{mode}, {threads} threads"


def efficiency(timed: list[Timed], one: Timed) -> float:
    """t1 / (n tn), figures 4.5 and 4.6."""
    alone = next(t for t in timed if t.mode == one.mode and t.threads == 1)
    return alone.milliseconds / (one.threads * one.milliseconds)


Samples = dict[tuple[str, int], list[float]]
"""The milliseconds of each decision, by mode and threads."""


def ratio(taken: Samples, first: tuple[str, int], second: tuple[str, int], alpha: float = ALPHA) -> Interval:
    """How many times as long the first takes as the second: the mean over decisions that were made one after the other,
    and the interval of a t test, both on a scale of logarithms. The number of decisions is fixed beforehand."""
    logs = [math.log(one / other) for one, other in zip(taken[first], taken[second], strict=True)]
    return Interval(*map(math.exp, mean_of(logs, alpha)))


def mean_of(values: Sequence[float], alpha: float = ALPHA) -> Interval:
    """The mean, and the interval of a t test."""
    if len(values) < 2:
        return Interval(-math.inf, values[0] if values else math.nan, math.inf)
    mean, error = statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))
    width = float(stats.t.ppf(1 - alpha / 2, len(values) - 1)) * error
    return Interval(mean - width, mean, mean + width)


class Interval(NamedTuple):
    low: float
    middle: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f}–{self.high:.2f})"


def judge(search: str, taken: Samples, load: float, changed: Sequence[float] = ()) -> list[dict[str, str]]:
    """What the thesis found of times, and of virtual losses by the shares of selections that they changed with two
    threads; nothing is judged if others use more of a core than IDLE, on average."""
    others = {mode: ratio(taken, ("Root", 2), (mode, 2), ALPHA / 3) for mode in MODES if mode != "Root"}
    tree, root = ratio(taken, ("Tree", 1), ("Tree", 2)), ratio(taken, ("Root", 1), ("Root", 2))
    loss, leaf = ratio(taken, ("TreeVL", 2), ("Tree", 2)), ratio(taken, ("Leaf", 8), ("Leaf", 4))
    judged = [
        (
            "root parallelization is the fastest with two threads",
            decided(all(r.high < 1 for r in others.values()), any(r.low > 1 for r in others.values())),
            ", ".join(f"{r} times {mode}" for mode, r in others.items()),
        ),
        (
            f"two threads on one tree are faster than one (published {_speedup(search, 'Tree'):.2f} times)",
            decided(tree.low > 1, tree.high < 1),
            f"{tree} times",
        ),
        (
            f"two root threads nearly halve the time, 1.8 times or more (published {_speedup(search, 'Root'):.2f})",
            decided(root.low > 1.8, root.high < 1.8),
            f"{root} times",
        ),
        (
            "a virtual loss changes less than 10 % of the time",
            decided(loss.low > 0.9 and loss.high < 1.1, loss.low > 1.1 or loss.high < 0.9),
            f"{loss} times",
        ),
        (
            "leaf parallelization gains less than 10 % from four threads to eight",
            decided(leaf.low > 0.9, leaf.high < 0.9),
            f"{leaf} times",
        ),
    ]
    if search == "uct":
        share = mean_of(changed)
        judged.append(
            (
                "a virtual loss changes less than 1 % of selections, with two threads",
                decided(share.high < 0.01, share.low > 0.01),
                f"{share.middle:.2%} ({share.low:.2%}–{share.high:.2%})" if changed else NOT_PLAYED,
            )
        )
    if ONE_OF_UCT in taken:
        slower = ratio(taken, ("Root", 1), ONE_OF_UCT)
        published = _PUBLISHED_MS["ismcts"]["Root"][0] / _PUBLISHED_MS["uct"]["Root"][0]
        text = f"ISMCTS is slower than UCT, on one thread (published {published:.2f} times)"
        judged.append((text, decided(slower.low > 1, slower.high < 1), f"{slower} times"))
    if load > IDLE:
        judged = [
            (text, Verdict.OPEN, f"{figures}; others used the machine: load {load:.2f}") for text, _, figures in judged
        ]
    return as_stored(judged)


def _speedup(search: str, mode: str) -> float:
    one, two, *_ = _PUBLISHED_MS[search][mode]
    return one / two


def draw_times(result: Mapping[str, Any], file: Path) -> None:
    """Figures 4.5 and 4.6: efficiency by threads, published and ours."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.6))
    axis = figure.subplots()
    for number, mode in enumerate(dict.fromkeys(one["mode"] for one in result["timed"])):
        ours = [one for one in result["timed"] if one["mode"] == mode]
        threads = [one["threads"] for one in ours]
        published = [ours[0]["published"] / (one["threads"] * one["published"]) for one in ours]
        axis.plot(threads, published, f"C{number}--", marker="o", markerfacecolor="white", markersize=4)
        axis.plot(threads, [one["efficiency"] for one in ours], f"C{number}-", marker="o", markersize=4, label=mode)
    axis.axvspan(result["cores"] + 0.5, max(THREADS) + 0.5, color="0.93", zorder=0)
    axis.set_xlabel(f"threads (grey: more than the {result['cores']} cores of ours)")
    axis.set_ylabel("efficiency, t₁ / (n tₙ)")
    axis.set_title("hollow, dashed: published; filled: ours", fontsize=8)
    axis.legend(fontsize=8)
    figure.savefig(file, dpi=110, bbox_inches="tight")


def _strength(search: str) -> Grid:
    alone = f"{search}:seconds={SECONDS},clock=cpu,{PLAIN}"
    cells = [
        Cell(mode, f"{threads} threads", f"{alone},threads={threads},{parallel}", alone, won / 100)
        for mode, parallel in MODES.items()
        for threads, won in zip(THREADS, _PUBLISHED_WON[search][mode], strict=True)
    ]
    concluded = (
        GridClaim(
            "one thread of any mode plays as the plain search, give or take 15 points",
            all_of([near(mode, "1 threads", 0.5, 0.15) for mode in MODES]),
        ),
        GridClaim("two threads on one tree win more than half", above("Tree", "2 threads", 0.5)),
        GridClaim(
            "a tree is stronger than roots at equal time", stronger(("Tree", "2 threads"), ("Root", "2 threads"))
        ),
        GridClaim("leaf parallelization gains little: less than 15 points", near("Leaf", "2 threads", 0.5, 0.15)),
    )
    figure = Drawing((Panel("figure 4.7: UCT" if search == "uct" else "figure 4.8: ISMCTS", tuple(MODES)),), "threads")
    return Grid(cells, concluded, SEARCHES[search], seconds=SECONDS, drawing=figure)


def _experiment(
    name: str, title: str, question: str, source: str, games: int, conduct: Any, seconds: float | None = None
) -> Experiment:
    notes = ("More threads than cores measure contention. Games of several threads at equal time do not repeat.",)
    about: dict[str, Any] = {"games": games, "published_games": 1000, "notes": notes, "seconds": seconds}
    return sephton_experiment(name, title, question, source, conduct, **about)


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
        "table A3, 1,000 games a cell", STRENGTH_GAMES, _strength("uct").run, SECONDS,
    ),
    _experiment(
        "sephton-a4", "strength of parallel ISMCTS at equal time", "Which mode makes the best use of its threads?",
        "table A4, 1,000 games a cell", STRENGTH_GAMES, _strength("ismcts").run, SECONDS,
    ),
)  # fmt: skip

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
