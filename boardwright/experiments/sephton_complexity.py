"""How complex the positions are in which agents of Lords of War decide: figure 5.13 of Sephton's thesis.

Means are over decisions. Whether one agent meets simpler positions than another is judged by games, because positions
of one game are alike.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scipy.stats import ttest_ind

from boardwright.arena.record import GameRecord
from boardwright.experiments.model import Verdict, as_stored, decided
from boardwright.experiments.sequential import ALPHA
from boardwright.experiments.tables import NOT_PLAYED
from boardwright.search.width import complexities

Measured = Sequence[Mapping[str, float]]
"""The measures at each decision of a game."""
SIMPLER = "RobustChild meets simpler positions than Random, by all measures"


def measure_complexity(played: Mapping[tuple[str, str], list[GameRecord]]) -> dict[str, Any]:
    """Cx0 to Cx4, meant over the decisions of each agent in question, as shares of the largest seen anywhere."""
    games = {
        row: [list(complexity_of_decisions(r, entrant=0)) for r in records] for (row, _), records in played.items()
    }
    decisions = {row: [values for game in found for values in game] for row, found in games.items()}
    names = list(next(values for found in decisions.values() for values in found))
    largest = {name: max(values[name] for found in decisions.values() for values in found) for name in names}
    shares = {
        row: {name: statistics.mean(values[name] for values in found) / largest[name] for name in names}
        for row, found in decisions.items()
    }
    compared = [games[row] for row in ("RobustChild", "Random") if row in games]
    judged = simpler(*compared) if len(compared) == 2 else (Verdict.OPEN, NOT_PLAYED)
    return {"complexity": shares, "claims": as_stored([(SIMPLER, *judged)])}


def simpler(first: Sequence[Measured], second: Sequence[Measured]) -> tuple[Verdict, str]:
    """Whether all measures are lower in the first games, by Welch's t tests of the means of games, whose number is
    fixed beforehand. That one measure is higher has many occasions to be found by chance, so each gets its part of the
    probability of error."""
    names, strict = list(first[0][0]), ALPHA / len(first[0][0])
    tests = {name: ttest_ind(*(_means(games, name) for games in (first, second)), equal_var=False) for name in names}
    lower = [name for name, test in tests.items() if test.statistic < 0 and test.pvalue < strict]
    higher = [name for name, test in tests.items() if test.statistic > 0 and test.pvalue < strict]
    all_lower = all(test.statistic < 0 and test.pvalue < ALPHA for test in tests.values())
    measures = {"lower": lower, "higher": higher, "not told apart": [n for n in names if n not in lower + higher]}
    figures = "; ".join(f"{word}: {', '.join(found)}" for word, found in measures.items() if found)
    return decided(all_lower, bool(higher)), f"{figures} ({len(first)} and {len(second)} games)"


def _means(games: Sequence[Measured], name: str) -> list[float]:
    """Of a measure, by games."""
    return [statistics.mean(values[name] for values in game) for game in games]


def draw_complexity(result: Mapping[str, Any], file: Path) -> None:
    """Figure 5.13: the measures side by side, for each agent."""
    from matplotlib.figure import Figure

    shares: Mapping[str, Mapping[str, float]] = result["complexity"]
    measures = list(next(iter(shares.values())))
    figure = Figure(figsize=(8.4, 3.6))
    axis = figure.subplots()
    width = 0.8 / len(shares)
    for number, (agent, found) in enumerate(shares.items()):
        places = [place + (number - (len(shares) - 1) / 2) * width for place in range(len(measures))]
        axis.bar(places, [found[measure] for measure in measures], width, label=agent)
    axis.set_xticks(range(len(measures)), [measure.capitalize() for measure in measures])
    axis.set_ylabel("of the largest seen")
    axis.legend(fontsize=7, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.suptitle(f"figure 5.13: ours, {result['iterations']:,} iterations", fontsize=10, y=0.95, va="bottom")
    figure.savefig(file, dpi=110, bbox_inches="tight")


def complexity_of_decisions(record: GameRecord, entrant: int) -> Iterable[dict[str, float]]:
    """The measures at every decision of an entrant that had a choice."""
    game = record.load_game()
    measures = complexities(game)
    for state, action in record.replay():
        if action is not None and record.order[state.player] == entrant and len(state.legal_actions()) > 1:
            observation = state.observation(state.player)
            yield {name: measure(observation) for name, measure in measures.items()}
