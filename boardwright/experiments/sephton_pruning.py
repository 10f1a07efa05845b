"""Chapter 5 of Sephton's thesis (2016), tables A1 to A4 of its appendix: heuristic move pruning in Lords of War.

UCT with pruned nodes plays whole games against plain UCT, or against UCT pruned by h4. Hands and decks are open,
playouts are random, the armies are the orcs, and a decision has 10,000 iterations, as in the thesis, which played 500
or 1,000 games for a cell. Here it is 40, and more where a claim is open. Cells of several tables are played once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from boardwright.experiments.grid import Cell, Grid
from boardwright.experiments.grid_claims import (
    GridClaim,
    above,
    all_of,
    below,
    gain,
    stronger,
    together_above,
    together_below,
)
from boardwright.experiments.grid_figures import Drawing, Panel
from boardwright.experiments.sephton import grid_experiment, printed

ITERATIONS = 10_000
GAMES = 40
OPEN = {"information": "open"}
LIMIT = 15
LIMITS = (1, 2, 5, 10, 15, 20, 25, 30)
HEURISTICS = tuple(f"h{number}" for number in range(1, 12))
HEAT_MAPS = HEURISTICS[5:]
READINGS = {"h2_negated": "h2, negated", "h5_sum": "h5, sum", **{f"{h}_own": f"{h}, own cards" for h in HEAT_MAPS}}
"""Evaluations that read the thesis another way, and what the tables call them."""
READ_AT = (LIMIT, 30)
"""The limits that other readings are tried at."""

BUDGETS = (200, 1_000, 5_000)
"""Iterations to a decision, where that is in question."""


def plain(iterations: int) -> str:
    return f"uct:iterations={iterations},playout=random,plies=-1,exploration=1"


PLAIN = plain(ITERATIONS)
"""With the constant that the thesis quotes: C √(2 ln n / n_i) with C = 1/√2."""

_TABLE_A1 = printed("single")
"""Wins of 1,000, by limit, of h1 to h11."""
PAIRS = ("h1", "h2", "h3", "h5", "h6", "h7", "h8", "h9", "h10", "h11")
_TABLE_A2, _TABLE_A3 = printed("pairs"), printed("extrapolated")
_H5R_IN_A4 = 837
"""Table A3 has 79 for the same cell; h5 without extrapolation has 814."""


def _half_the_lead(wins: Sequence[int]) -> float:
    """Half way from one half to what was published, on average: what counts as "as clearly"."""
    return (0.5 + sum(wins) / len(wins) / 1000) / 2


def pruned(heuristics: str, limit: int = LIMIT, *, extrapolate: bool = False) -> str:
    more = ",extrapolate=true" if extrapolate else ""
    return f"{PLAIN},prune={heuristics},limit={limit}{more}"


OPPONENTS = {"v. h4": pruned("h4"), "v. plain UCT": PLAIN}


def _single() -> list[Cell]:
    return [
        Cell(heuristic, f"limit {limit}", pruned(heuristic, limit), PLAIN, _TABLE_A1[str(limit)][number] / 1000)
        for number, heuristic in enumerate(HEURISTICS)
        for limit in LIMITS
    ]


def _read_otherwise() -> list[Cell]:
    """The readings that are open, beside the figures of the heuristic that they read."""
    return [
        Cell(label, f"limit {limit}", pruned(name, limit), PLAIN, _published_for(name, limit))
        for name, label in READINGS.items()
        for limit in READ_AT
    ]


def _published_for(name: str, limit: int) -> float:
    """The thesis's negated h2 won no game at all (section 5.4.1)."""
    heuristic = name.partition("_")[0]
    return 0.0 if name == "h2_negated" else _TABLE_A1[str(limit)][HEURISTICS.index(heuristic)] / 1000


def _multi() -> list[Cell]:
    return [
        Cell(f"h4{other}", column, pruned(f"h4+{other}"), opponent, _TABLE_A2[column][number] / 1000)
        for number, other in enumerate(PAIRS)
        for column, opponent in OPPONENTS.items()
    ]


def _extrapolated() -> list[Cell]:
    named = [(f"{heuristic}R", heuristic) for heuristic in HEURISTICS] + [("h4h5R", "h4+h5")]
    as_first_read = [
        Cell(label, column, pruned(spec, extrapolate=True), opponent, _TABLE_A3[column][number] / 1000)
        for number, (label, spec) in enumerate(named)
        for column, opponent in OPPONENTS.items()
    ]
    read_otherwise = [
        replace(cell, row=_own(heuristic), spec=pruned(f"{heuristic}_own", extrapolate=True))
        for heuristic in HEAT_MAPS
        for cell in as_first_read
        if cell.place == (f"{heuristic}R", "v. h4")
    ]
    return as_first_read + read_otherwise


def _own(heat_map: str) -> str:
    """What the tables call a heat map of the own cards alone, with extrapolation."""
    return f"{heat_map}R, own cards"


def _with_and_without() -> list[Cell]:
    extrapolated = [_TABLE_A3["v. plain UCT"][number] / 1000 for number in range(len(HEURISTICS))]
    extrapolated[HEURISTICS.index("h5")] = _H5R_IN_A4 / 1000
    cells = []
    for number, heuristic in enumerate(HEURISTICS):
        cells.append(Cell(heuristic, "without", pruned(heuristic), PLAIN, _TABLE_A1[str(LIMIT)][number] / 1000))
        cells.append(Cell(heuristic, "with", pruned(heuristic, extrapolate=True), PLAIN, extrapolated[number]))
    return cells


_BUDGET_ROWS = [("h4", 1), *((heuristic, LIMIT) for heuristic in ("h2", "h4", "h5", "h6", "h10"))]


def _budgets() -> list[Cell]:
    return [
        Cell(
            f"{heuristic}, limit {limit}",
            f"{iterations:,} iterations",
            f"{plain(iterations)},prune={heuristic},limit={limit}",
            plain(iterations),
            _TABLE_A1[str(limit)][HEURISTICS.index(heuristic)] / 1000,
        )
        for heuristic, limit in _BUDGET_ROWS
        for iterations in BUDGETS
    ]


_BUDGET = (
    f"{ITERATIONS:,} iterations to a decision, as in the thesis: about six seconds of one core for a game.",
    "Cells of claims that are still open get up to 160 games.",
)

_experiment = partial(grid_experiment, games=GAMES, published_games=1000, notes=_BUDGET)

_ALL = (
    _experiment(
        "sephton-p1",
        "pruning by one heuristic",
        "Which heuristics prune well, and how hard should they prune?",
        "table A1, 1,000 games a cell",
        Grid(
            _single() + _read_otherwise(),
            (
                GridClaim("h4 at limit 15 beats plain UCT", above("h4", "limit 15", 0.5)),
                GridClaim(
                    "h1, h4 and h5 at limits 15 and 30 beat plain UCT",
                    all_of([above(h, f"limit {n}", 0.5) for h in ("h1", "h4", "h5") for n in (15, 30)]),
                ),
                GridClaim(
                    "a limit of 1 loses with every heuristic",
                    all_of([below(h, "limit 1", 0.5) for h in HEURISTICS]),
                ),
                GridClaim("h2 hardly ever wins", all_of([below("h2", f"limit {n}", 0.1) for n in LIMITS])),
                GridClaim(
                    "heat maps (h6 to h11) at limit 15 lose to plain UCT",
                    all_of([below(h, "limit 15", 0.5) for h in HEAT_MAPS]),
                ),
                GridClaim("h4 is better at limit 15 than at 5", stronger(("h4", "limit 15"), ("h4", "limit 5"))),
                GridClaim("a negated h2 loses to plain UCT", below("h2, negated", "limit 15", 0.5)),
                GridClaim(
                    "a negated h2 hardly ever wins: less than 10 % (published: no game)",
                    below("h2, negated", "limit 15", 0.1),
                ),
                GridClaim(
                    "heat maps of the own cards alone (h6 to h11) at limit 15, taken together, lose to plain UCT",
                    together_below([(READINGS[f"{h}_own"], "limit 15") for h in HEAT_MAPS], 0.5),
                ),
            ),
            OPEN,
            games_in="sephton-pruning",
            iterations=ITERATIONS,
            drawing=Drawing(
                (
                    Panel("figure 5.2: h1 to h5", HEURISTICS[:5]),
                    Panel("figure 5.3: heat maps", HEAT_MAPS),
                    Panel("other readings", tuple(READINGS.values())),
                ),
                "hard pruning limit",
            ),
        ),
    ),
    _experiment(
        "sephton-p2",
        "pruning by h4 and another heuristic",
        "Does a second opinion help?",
        "table A2, 1,000 games a cell",
        Grid(
            _multi(),
            (
                GridClaim("h4h5 beats h4", above("h4h5", "v. h4", 0.5)),
                GridClaim("h4h2 and h4h3 lose to h4", all_of([below(h, "v. h4", 0.5) for h in ("h4h2", "h4h3")])),
                GridClaim(
                    "they do so as clearly as published: together less than 35 %, half of the published lead",
                    together_below([("h4h2", "v. h4"), ("h4h3", "v. h4")], _half_the_lead(_TABLE_A2["v. h4"][1:3])),
                ),
                GridClaim(
                    "every pair beats plain UCT", all_of([above(f"h4{other}", "v. plain UCT", 0.5) for other in PAIRS])
                ),
                GridClaim(
                    "the pairs, taken together, beat plain UCT",
                    together_above([(f"h4{other}", "v. plain UCT") for other in PAIRS], 0.5),
                ),
            ),
            OPEN,
            games_in="sephton-pruning",
            iterations=ITERATIONS,
            drawing=Drawing((Panel("figure 5.4: h4 and another heuristic", tuple(f"h4{h}" for h in PAIRS)),)),
        ),
    ),
    _experiment(
        "sephton-p3",
        "pruning with state extrapolation",
        "Does it help to play a turn to its end before judging?",
        "table A3, 1,000 games a cell",
        Grid(
            _extrapolated(),
            (
                GridClaim("h4R beats h4 (published: about 80 %)", above("h4R", "v. h4", 0.5)),
                GridClaim(
                    "h4R beats h4 as clearly as published: 67 % or more, half of the published lead",
                    above("h4R", "v. h4", _half_the_lead(_TABLE_A3["v. h4"][3:4])),
                ),
                GridClaim("h4R beats plain UCT", above("h4R", "v. plain UCT", 0.5)),
                GridClaim("h1R does not lose to h4 (published: about 50 %)", above("h1R", "v. h4", 0.4)),
                GridClaim(
                    "heat maps, taken together, lose to h4 even so",
                    together_below([(f"{h}R", "v. h4") for h in HEAT_MAPS], 0.5),
                ),
                GridClaim(
                    "they do so as clearly as published: less than 28 %, half of the published lead",
                    together_below([(f"{h}R", "v. h4") for h in HEAT_MAPS], _half_the_lead(_TABLE_A3["v. h4"][5:11])),
                ),
                GridClaim(
                    "heat maps of the own cards alone, taken together, lose to h4",
                    together_below([(_own(h), "v. h4") for h in HEAT_MAPS], 0.5),
                ),
            ),
            OPEN,
            games_in="sephton-pruning",
            iterations=ITERATIONS,
            drawing=Drawing(
                (
                    Panel("figure 5.6: state extrapolation", (*(f"{h}R" for h in HEURISTICS), "h4h5R")),
                    Panel("another reading", tuple(map(_own, HEAT_MAPS))),
                )
            ),
        ),
    ),
    _experiment(
        "sephton-p4",
        "pruning with and without state extrapolation, against plain UCT",
        "Which heuristics gain by extrapolation?",
        "table A4, 1,000 games a cell",
        Grid(
            _with_and_without(),
            (
                GridClaim("h10 gains by extrapolation", stronger(("h10", "with"), ("h10", "without"))),
                GridClaim("h11 gains by extrapolation", stronger(("h11", "with"), ("h11", "without"))),
                GridClaim(
                    "h10 and h11, taken together, gain by extrapolation",
                    gain([(h, "with") for h in ("h10", "h11")], [(h, "without") for h in ("h10", "h11")]),
                ),
                GridClaim("h4 with extrapolation beats plain UCT", above("h4", "with", 0.5)),
            ),
            OPEN,
            games_in="sephton-pruning",
            iterations=ITERATIONS,
            drawing=Drawing((Panel("figure 5.5: without and with state extrapolation", HEURISTICS),)),
        ),
    ),
    _experiment(
        "sephton-iterations",
        "pruning, and how long both think",
        "What becomes of pruning when plain UCT has time to look at all actions?",
        "table A1, 1,000 games a cell, 10,000 iterations",
        Grid(
            _budgets(),
            (
                GridClaim(
                    "h4 at limit 15 beats plain UCT with any budget",
                    all_of([above("h4, limit 15", f"{n:,} iterations", 0.5) for n in BUDGETS]),
                ),
                GridClaim(
                    "heat maps are worth less, the longer both think",
                    all_of(
                        [
                            stronger((f"{h}, limit 15", "200 iterations"), (f"{h}, limit 15", "5,000 iterations"))
                            for h in ("h6", "h10")
                        ]
                    ),
                ),
                GridClaim(
                    "a limit of 1 is worth less, the longer both think",
                    stronger(("h4, limit 1", "200 iterations"), ("h4, limit 1", "5,000 iterations")),
                ),
            ),
            OPEN,
            games_in="sephton-pruning",
            drawing=Drawing(
                (Panel("by budget", tuple(f"{h}, limit {n}" for h, n in _BUDGET_ROWS)),), "iterations", logarithmic=True
            ),
        ),
        games=20,
        notes=("The thesis had 10,000 iterations, which is published here beside all budgets.",),
    ),
)

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
