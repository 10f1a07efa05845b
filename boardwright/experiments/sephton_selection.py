"""Chapter 5 of Sephton's thesis (2016), figures 5.7 to 5.15: action selection, budgets, complexity, online tuning.

ISMCTS with one way to choose at the root plays whole games of Lords of War against ISMCTS that takes the most visited
action. Decisions have 10,000 iterations, as in the thesis, which played 200 games for a point of a figure. It prints no
numbers of these figures, so only what it says of them can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from boardwright.experiments import tables
from boardwright.experiments.grid import Cell, Grid
from boardwright.experiments.grid_claims import (
    CellResult,
    GridClaim,
    Results,
    above,
    all_of,
    below,
    gain,
    near,
    together_below,
)
from boardwright.experiments.grid_figures import Averages, Drawing, Panel
from boardwright.experiments.model import Verdict, decided
from boardwright.experiments.sephton import grid_experiment
from boardwright.experiments.sephton_complexity import SIMPLER, draw_complexity, measure_complexity
from boardwright.experiments.sequential import sequential_z

ITERATIONS = 10_000
GAMES = 40
WIDTHS = (1, 2, 3, 5, 10)
POWERS = (1, 2, 4, 8)
BUDGETS = (250, 1_000, 2_500, 5_000, 10_000, 20_000)
"""Of the opponent: the thesis shows no numbers; it speaks of a drop below 500, of a crest near 5,000, and of more than
the agent's own 10,000."""

ROULETTES = {f"RobustRoulette{'²' if power == 2 else ''}_{n}": (n, power) for power in (1, 2) for n in WIDTHS[1:]}
FAMILIES = {
    "RobustRand": {n: f"RobustRand_{n}" for n in WIDTHS[1:]},
    "RobustRoulette": {n: f"RobustRoulette_{n}" for n in WIDTHS[1:]},
    "RobustRoulette²": {n: f"RobustRoulette²_{n}" for n in WIDTHS[1:]},
}
"""The agents of figure 5.12, by n."""
NOT_TUNED = ", not tuned"
SHARED = "sephton-roulettes"
"""The folder for games that two experiments have."""

ROBUST = f"ismcts:iterations={ITERATIONS},playout=random,plies=-1,exploration=1"


def chosen(select: str, **more: Any) -> str:
    return ",".join([f"{ROBUST},select={select}", *(f"{name}={value}" for name, value in more.items())])


def roulette(n: int, power: int = 1, *, tune: bool = False) -> str:
    return chosen("robust_roulette", top=n, power=power, **({"tune": "true"} if tune else {}))


def budget(iterations: int) -> str:
    return ROBUST.replace(f"iterations={ITERATIONS}", f"iterations={iterations}")


def _selection() -> list[Cell]:
    specs = [("MaxChild", chosen("max"))]
    specs += [(f"MaxRand_{n}", chosen("max_rand", top=n)) for n in WIDTHS[1:]]
    specs += [(f"MaxRoulette^{k}", chosen("max_roulette", power=k)) for k in POWERS]
    specs += [("RobustChild", ROBUST)]
    specs += [(f"RobustRand_{n}", chosen("robust_rand", top=n)) for n in WIDTHS[1:]]
    specs += [(f"RobustRoulette^{k}", chosen("robust_roulette", power=k)) for k in POWERS]
    specs += [(f"RobustRoulette_{n}", roulette(n)) for n in WIDTHS[1:]]
    specs += [(f"RobustRoulette²_{n}", roulette(n, 2)) for n in WIDTHS[1:]]
    return [Cell(label, "v. RobustChild", spec, ROBUST) for label, spec in specs]


def _uniform() -> list[Cell]:
    """RobustRand_n, which figure 5.12 has besides."""
    return [
        Cell(agent, _against(opponent), chosen("robust_rand", top=n), budget(opponent))
        for n, agent in FAMILIES["RobustRand"].items()
        for opponent in BUDGETS
    ]


def _budgets(*, tune: bool, note: str = "") -> list[Cell]:
    return [
        Cell(f"{agent}{note}", _against(opponent), roulette(n, power, tune=tune), budget(opponent))
        for agent, (n, power) in ROULETTES.items()
        for opponent in BUDGETS
    ]


def _against(iterations: int) -> str:
    """By what part of the agent's own budget the opponent has."""
    return f"v. {iterations / ITERATIONS:g} times"


def _complexity() -> list[Cell]:
    specs = {
        "Random": "random",
        "RobustChild": ROBUST,
        "RobustRoulette_3": roulette(3),
        "RobustRoulette_10": roulette(10),
        "RobustRoulette²_3": roulette(3, 2),
        "RobustRoulette²_10": roulette(10, 2),
    }
    return [Cell(label, "v. RobustChild", spec, ROBUST) for label, spec in specs.items()]


def _best_move(row: str, low: float, high: float) -> Any:
    """Does the share of best moves lie between the two?"""

    def judge(results: Results, alpha: float) -> tuple[Verdict, str]:
        rate = results[row, "v. RobustChild"].best_move_rate
        if rate is None:
            return Verdict.OPEN, "not played"
        return decided(low <= rate <= high, not low <= rate <= high), f"{100 * rate:.0f} %"

    return judge


def _played(results: Results) -> list[int]:
    """The opponents' budgets that all agents have met, tuned and not."""
    return [opponent for opponent in BUDGETS if _fewest(results, [opponent]) > 0]


def _fewest(results: Results, budgets: Sequence[int]) -> int:
    """Games that every agent has played against each of these budgets, tuned and not."""
    agents = [agent + note for agent in ROULETTES for note in ("", NOT_TUNED)]
    return min(results[agent, _against(opponent)].games for agent in agents for opponent in budgets)


def _fall(results: Results, agent: str, budgets: Sequence[int]) -> tuple[float, float]:
    """By how much an agent's share of wins falls from the weakest opponent to the strongest, on the straight line that
    fits it best, and the variance of that."""
    middle = (len(budgets) - 1) / 2
    weights = [middle - place for place in range(len(budgets))]
    length = (len(budgets) - 1) / sum(weight**2 for weight in weights)
    cells = [results[agent, _against(opponent)] for opponent in budgets]
    fall = length * sum(weight * cell.share for weight, cell in zip(weights, cells, strict=True))
    spread = sum(weight**2 * _variance(cell) for weight, cell in zip(weights, cells, strict=True))
    return fall, length**2 * spread


def _variance(cell: CellResult) -> float:
    """Of the share of a cell."""
    return cell.share * (1 - cell.share) / cell.games


def _compared(less: float, variance: float, games: int, alpha: float) -> tuple[Verdict, str]:
    """Whether a difference is above 0, and the interval that says so; every cell has at least so many games."""
    error = sequential_z(games, alpha) * variance**0.5
    interval = f"{100 * (less - error):.0f} to {100 * (less + error):.0f}"
    return decided(less > error, less < -error), f"{100 * less:.0f} less ({interval})"


def _evened_out(results: Results, alpha: float) -> tuple[Verdict, str]:
    """Do the results of tuned agents depend less on the opponent's strength than those of the same agents untuned?"""
    budgets = _played(results)
    if len(budgets) < 2:
        return Verdict.OPEN, "not played"
    tuned = [_fall(results, agent, budgets) for agent in ROULETTES]
    untuned = [_fall(results, agent + NOT_TUNED, budgets) for agent in ROULETTES]
    with_tuning, without = (sum(fall for fall, _ in falls) / len(falls) for falls in (tuned, untuned))
    variance = sum(variance for _, variance in tuned + untuned) / len(ROULETTES) ** 2
    verdict, figures = _compared(without - with_tuning, variance, _fewest(results, budgets), alpha)
    return verdict, (
        f"from the weakest opponent to the strongest results fall by {100 * with_tuning:.0f} points with tuning and by"
        f" {100 * without:.0f} without, {figures}"
    )


def _lead(results: Results, note: str, budgets: Sequence[int]) -> tuple[float, float]:
    """By how much agents that draw among the fewest win more than those that draw among the most, and the variance of
    that."""
    lead, spread = 0.0, 0.0
    for agent, (n, _) in ROULETTES.items():
        sign = {WIDTHS[1]: 1, WIDTHS[-1]: -1}.get(n, 0)
        for cell in (results[agent + note, _against(opponent)] for opponent in budgets) if sign else ():
            lead += sign * cell.share
            spread += _variance(cell)
    pairs = len(budgets) * len({power for _, power in ROULETTES.values()})
    return lead / pairs, spread / pairs**2


def _averaged(results: Results, alpha: float) -> tuple[Verdict, str]:
    """Do strong and weak agents come closer to each other by tuning?"""
    budgets = _played(results)
    if not budgets:
        return Verdict.OPEN, "not played"
    (tuned, tuned_spread), (untuned, untuned_spread) = _lead(results, "", budgets), _lead(results, NOT_TUNED, budgets)
    spread = tuned_spread + untuned_spread
    verdict, figures = _compared(untuned - tuned, spread, _fewest(results, budgets), alpha)
    return verdict, (
        f"n = {WIDTHS[1]} is ahead of n = {WIDTHS[-1]} by {round(100 * tuned)} points with tuning and by"
        f" {round(100 * untuned)} without, {figures}"
    )


_MAX = ["MaxChild", *(f"MaxRand_{n}" for n in WIDTHS[1:]), *(f"MaxRoulette^{k}" for k in POWERS)]
_ROBUST = ["RobustChild", *FAMILIES["RobustRand"].values(), *(f"RobustRoulette^{k}" for k in POWERS)]


_STATED = {
    "RobustChild": 0.5,
    **{f"RobustRand_{n}": 0.5 for n in (2, 3)},
    "RobustRoulette^8": 0.3,
    **{f"RobustRoulette²_{n}": 0.5 for n in (2, 3)},
}
"""What the text says: about half below n = 5, about 30 % at best, a slight improvement upon one half."""


def _lines(*panels: Panel) -> Drawing:
    return Drawing(panels, "budget of RobustChild / budget of the agent", logarithmic=True)


_experiment = partial(
    grid_experiment,
    games=GAMES,
    published_games=200,
    notes=(f"{ITERATIONS:,} iterations to a decision, as in the thesis: about seven seconds of one core for a game.",),
)

_ALL = (
    _experiment(
        "sephton-selection",
        "choosing at the root",
        "Which ways to choose keep their strength, and how often do they take the best action?",
        "figures 5.7 to 5.9, 200 games a point, no numbers printed",
        Grid(
            _selection(),
            (
                GridClaim(
                    "agents that go by the mean lose to RobustChild",
                    all_of([below(label, "v. RobustChild", 0.5) for label in _MAX]),
                ),
                GridClaim(
                    "agents that go by the mean, taken together, lose to RobustChild",
                    together_below([(label, "v. RobustChild") for label in _MAX], 0.5),
                ),
                GridClaim(
                    "MaxRand_n is stronger than MaxRoulette^k, all four of each taken together",
                    gain([(label, "v. RobustChild") for label in _MAX[1:5]], [(k, "v. RobustChild") for k in _MAX[5:]]),
                ),
                GridClaim(
                    "RobustRand_n wins about half of its games for n below 5",
                    all_of([near(f"RobustRand_{n}", "v. RobustChild", 0.5, 0.15) for n in (2, 3)]),
                ),
                GridClaim(
                    "RobustRoulette^k wins about 30 % at best",
                    all_of([below(f"RobustRoulette^{k}", "v. RobustChild", 0.45) for k in POWERS]),
                ),
                GridClaim(
                    "RobustRoulette_n takes the best action in 40 to 65 % of decisions (n = 3)",
                    _best_move("RobustRoulette_3", 0.40, 0.65),
                ),
                GridClaim(
                    "RobustRoulette²_n wins half of its games or more (n = 2, 3)",
                    all_of([above(f"RobustRoulette²_{n}", "v. RobustChild", 0.5) for n in (2, 3)]),
                ),
            ),
            games_in=SHARED,
            iterations=ITERATIONS,
            drawing=Drawing(
                (
                    Panel("figure 5.7: by the mean", tuple(_MAX)),
                    Panel("figure 5.8: by visits", tuple(_ROBUST), _STATED),
                    Panel("figure 5.9: roulette among n", tuple(ROULETTES), _STATED),
                ),
                best_moves=True,
            ),
            shown={"": tables.won_and_best_moves},
        ),
    ),
    _experiment(
        "sephton-budgets",
        "roulette against opponents with other budgets",
        "How does strength change with the opponent's iterations?",
        "figures 5.10 to 5.12, 200 games a point, no numbers printed",
        Grid(
            _budgets(tune=False) + _uniform(),
            (
                GridClaim(
                    "weak opponents lose clearly: with a tenth of the budget they win less than a third",
                    all_of([above(f"RobustRoulette²_{n}", _against(ITERATIONS // 10), 2 / 3) for n in (2, 3)]),
                ),
                GridClaim(
                    "RobustRoulette² of 2 and 3 hold their own at equal budgets",
                    all_of([above(f"RobustRoulette²_{n}", _against(ITERATIONS), 0.35) for n in (2, 3)]),
                ),
            ),
            games_in=SHARED,
            iterations=ITERATIONS,
            drawing=_lines(
                Panel("figure 5.10: RobustRoulette_n", tuple(FAMILIES["RobustRoulette"].values())),
                Panel("figure 5.11: RobustRoulette²_n", tuple(FAMILIES["RobustRoulette²"].values())),
                Panel("for figure 5.12: RobustRand_n", tuple(FAMILIES["RobustRand"].values())),
                Averages("figure 5.12", tuple(row for family in FAMILIES.values() for row in family.values())),
            ),
            shown={"": tables.won, "across": tables.across_budgets},
        ),
    ),
    _experiment(
        "sephton-complexity",
        "how complex positions are",
        "Do agents that choose at random make positions more complex?",
        "figure 5.13, no numbers printed",
        Grid(
            _complexity(),
            (),
            look=measure_complexity,
            looks_for=(SIMPLER,),
            picture=draw_complexity,
            games_in=SHARED,
            iterations=ITERATIONS,
            shown={"": tables.complexity},
        ),
    ),
    _experiment(
        "sephton-tuning",
        "online tuning",
        "Does an agent that gets weaker while it wins even out the results?",
        "figures 5.14 and 5.15, 200 games a point, no numbers printed",
        Grid(
            _budgets(tune=True) + _budgets(tune=False, note=NOT_TUNED),
            (
                GridClaim("tuning has an averaging effect: weak agents win more, strong ones fewer games", _averaged),
                GridClaim("with tuning results depend less on the opponent's budget", _evened_out),
            ),
            games_in=SHARED,
            iterations=ITERATIONS,
            drawing=_lines(
                Panel("figure 5.14: RobustRoulette_n", tuple(FAMILIES["RobustRoulette"].values())),
                Panel("figure 5.15: RobustRoulette²_n", tuple(FAMILIES["RobustRoulette²"].values())),
            ),
        ),
    ),
)

EXPERIMENTS = {experiment.name: experiment for experiment in _ALL}
