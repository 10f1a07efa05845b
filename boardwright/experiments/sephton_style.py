"""The claim of Sephton's thesis (2016, sections 1.2.1 and 1.2.2) as an experiment: other play at the same strength?

Each of the thesis's modifications of search plays RobustChild, which takes the most visited action: pruning by the heat
maps h6 to h11, RobustRand, roulettes, a width that follows complexity, online tuning; and an agent that prefers
positions of mid-range complexity, as the thesis wishes. For each, two questions are asked of the same games. Is it as
strong? Two one-sided tests (Schuirmann 1987) say so if its share of wins is within a margin of one half. Does it play
differently? The distance of style says how far, and a permutation test whether that is more than chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.stats import norm

from boardwright.arena.record import GameRecord
from boardwright.experiments import tables
from boardwright.experiments.grid import Cell, Grid
from boardwright.experiments.model import Verdict, as_stored
from boardwright.experiments.sephton import grid_experiment
from boardwright.experiments.sephton_selection import ITERATIONS, ROBUST, chosen, roulette
from boardwright.playstyle.distance import distances
from boardwright.playstyle.profile import StyleGames

GAMES = 100
MARGIN = 0.10
"""Shares of wins from 40 to 60 % count as equal: 70 points of Elo each way."""
LEVEL = 0.05
CHANGES_STYLE = "1.2.1: modified search changes the style of play"
AT_EQUAL_STRENGTH = f"1.2.2: it does so at equal strength (within {100 * MARGIN:.0f} points of one half)"
PERMUTATIONS = 1000
AGAINST = "v. RobustChild"
HEAT_MAPS = tuple(f"h{number}" for number in range(6, 12))
LIMIT = 15
"""Of actions that pruning leaves, as in most of the thesis's tables."""


def _cells() -> list[Cell]:
    specs = {f"pruned by {h}": f"{ROBUST},prune={h},limit={LIMIT}" for h in HEAT_MAPS}
    specs |= {"RobustRand_2": chosen("robust_rand", top=2), "RobustRand_3": chosen("robust_rand", top=3)}
    specs |= {"RobustRoulette_3": roulette(3), "RobustRoulette²_3": roulette(3, 2)}
    specs |= {"RobustRoulette²_10, width by cx2": f"{roulette(10, 2)},complexity=cx2"}
    specs |= {"RobustRoulette²_3, tuned": roulette(3, 2, tune=True)}
    specs |= {"mid-range complexity": f"tilted:agent=({ROBUST}),middle=cx2,middle_weight=0.1,margin=0.05"}
    return [Cell(label, AGAINST, spec, ROBUST) for label, spec in specs.items()]


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests of a share against one half."""

    share: float
    low: float
    high: float
    """The interval that belongs to the tests: 90 % for a level of 5 %."""
    p_value: float

    @property
    def verdict(self) -> Verdict:
        if self.p_value <= LEVEL:
            return Verdict.HOLDS
        return Verdict.FAILS if self.high < 0.5 - MARGIN or self.low > 0.5 + MARGIN else Verdict.OPEN


def equivalence(points: float, games: int) -> Equivalence:
    """Is the share within the margin of one half? The larger of the two p-values counts. Half a point is added to both
    sides, so that a share of nothing has a standard error, too."""
    share = (points + 0.5) / (games + 1)
    error = math.sqrt(share * (1 - share) / games)
    p_value = max(norm.sf((share - 0.5 + MARGIN) / error), norm.sf((0.5 + MARGIN - share) / error))
    z = float(norm.ppf(1 - LEVEL))
    return Equivalence(points / games, share - z * error, share + z * error, float(p_value))


def compare(played: Mapping[tuple[str, str], list[GameRecord]]) -> dict[str, Any]:
    """Strength and style of every modification beside RobustChild in the same games."""
    found = [_compared(label, records) for (label, _), records in played.items() if records]
    return {"margin": MARGIN, "level": LEVEL, "styles": found, "claims": _claims(found)}


def _compared(label: str, records: Sequence[GameRecord]) -> dict[str, Any]:
    points = math.fsum(_point(record) for record in records)
    strength = equivalence(points, len(records))
    (apart,) = distances(StyleGames.over(records).rows, permutations=PERMUTATIONS)
    return {
        "agent": label,
        "games": len(records),
        "share": strength.share,
        "low": strength.low,
        "high": strength.high,
        "strength": strength.verdict.value,
        "strength_p": strength.p_value,
        "distance": apart.distance,
        "style_p": apart.p_value,
        "differing": [list(pair) for pair in apart.differing],
    }


def _point(record: GameRecord) -> float:
    mine = record.returns[record.order.index(0)]
    other = record.returns[record.order.index(1)]
    return 1.0 if mine > other else 0.5 if mine == other else 0.0


def _claims(compared: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The thesis's two questions, judged over all modifications; p-values of styles are multiplied by their number
    (Bonferroni)."""
    different = [one for one in compared if one["style_p"] * len(compared) <= LEVEL]
    both = [one for one in different if one["strength"] == Verdict.HOLDS.value]
    weaker = [one for one in different if one["strength"] == Verdict.FAILS.value]
    style = Verdict.HOLDS if different else Verdict.OPEN
    equal = Verdict.HOLDS if both else Verdict.FAILS if compared and len(weaker) == len(different) else Verdict.OPEN
    judged = ((CHANGES_STYLE, style, _names(different, compared)), (AT_EQUAL_STRENGTH, equal, _names(both, compared)))
    return as_stored(judged)


def _names(some: Sequence[Mapping[str, Any]], of: Sequence[Mapping[str, Any]]) -> str:
    return f"{len(some)} of {len(of)}" + (f" ({', '.join(str(one['agent']) for one in some)})" if some else "")


_GRID = Grid(
    _cells(),
    (),
    look=compare,
    looks_for=(CHANGES_STYLE, AT_EQUAL_STRENGTH),
    iterations=ITERATIONS,
    shown={"": tables.styles},
)

EXPERIMENTS = {
    "sephton-style": grid_experiment(
        "sephton-style",
        "other play at the same strength",
        "Which modifications of search change the style of play, and which of these keep its strength?",
        "sections 1.2.1 and 1.2.2, questions without figures",
        _GRID,
        games=GAMES,
        published_games=200,
        notes=(
            f"Equal: a share of wins within {100 * MARGIN:.0f} points of one half, by two one-sided tests at"
            f" {100 * LEVEL:.0f} %.",
            f"{ITERATIONS:,} iterations to a decision, as in the thesis; --iterations 500 is a cheap first look.",
        ),
    )
}
