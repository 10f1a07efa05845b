"""Figures 56 and 57 of Madrid's report, of which only the captions survive: how scores spread, and who comes in which
place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from boardwright.agents import Spec
from boardwright.arena.record import GameRecord
from boardwright.arena.standings import wilson_interval
from boardwright.experiments.model import Games
from boardwright.experiments.tally import seat_order
from boardwright.reports.plots import figure
from boardwright.reports.report import percent_with_interval
from boardwright.reports.tables import FittingTable

AGENT = 0
"""The entrant that a figure is about; the others are RANDOM."""
QUARTILES = (0.25, 0.5, 0.75)


def score_distributions(games: Games, folder: Path, console: Console) -> dict[str, Any]:
    """The scores of one agent against four RANDOM, as a table and as steps of a histogram."""
    table = FittingTable("arrangement", "games", "mean", "sd", "low", "quartiles", "high", "RANDOM's mean")
    found = {}
    with figure(folder / "scores.png", (8, 4.2)) as (_, axis):
        for key, records in games.items():
            if not records:
                continue
            own = np.array([record.scores[record.order.index(AGENT)] for record in records])
            others = np.mean([score for r in records for s, score in enumerate(r.scores) if r.order[s] != AGENT])
            quartiles = [float(q) for q in np.quantile(own, QUARTILES)]
            table.add_row(
                key,
                f"{len(own):,}",
                f"{own.mean():.1f}",
                f"{own.std():.1f}",
                f"{own.min():g}",
                " ".join(f"{q:g}" for q in quartiles),
                f"{own.max():g}",
                f"{others:.1f}",
            )
            counts = Counter(int(score) for score in own)
            scores = range(min(counts), max(counts) + 1)
            axis.step(scores, [100 * counts[s] / len(own) for s in scores], where="mid", label=key)
            found[key] = {
                "games": len(own),
                "mean": float(own.mean()),
                "sd": float(own.std()),
                "quartiles": quartiles,
                "opponents_mean": float(others),
                "scores": {str(score): counts[score] for score in sorted(counts)},
            }
        axis.set_xlabel("points")
        axis.set_ylabel("% of games")
        axis.legend(frameon=False)
    console.print(table)
    return {"scores": found}


def placements(games: Games, folder: Path, console: Console) -> dict[str, Any]:
    """How often each agent comes in each place."""
    found: dict[str, Any] = {}
    spots: dict[int, str] = {}
    with figure(folder / "places.png", (9, 4.2)) as (_, axis):
        for number, (key, records) in enumerate(games.items()):
            if not records:
                continue
            seats = records[0].seats
            table = FittingTable(key, *(f"place {place} (95 %)" for place in range(1, seats + 1)), "score")
            found[key] = {}
            for entrant, spec in enumerate(records[0].entrants):
                places, mean = _places(records, entrant)
                shares = [places[place] / len(records) for place in range(1, seats + 1)]
                cells = [
                    percent_with_interval(share, wilson_interval(places[place], len(records)))
                    for place, share in enumerate(shares, 1)
                ]
                table.add_row(Spec.parse(spec).name, *cells, f"{mean:.1f}")
                found[key][spec] = {"games": len(records), "places": [places[p] for p in range(1, seats + 1)]}
                found[key][spec]["mean_score"] = mean
                bottom = np.cumsum([0.0, *shares[:-1]])
                spot = number * (seats + 1) + entrant
                for place in range(seats):
                    axis.bar(spot, 100 * shares[place], bottom=100 * bottom[place], color=str(0.35 + 0.22 * place))
                spots[spot] = Spec.parse(spec).name
            axis.text(number * (seats + 1) + (seats - 1) / 2, 102, key, ha="center")
            console.print(table)
        axis.set_xticks(list(spots), list(spots.values()))
        axis.set_ylabel("% of games, the first place at the bottom")
    return {"places": found}


def _places(records: Sequence[GameRecord], entrant: int) -> tuple[Counter[int], float]:
    """How often an entrant came in each place, ties in the order of seats as in his program, and its mean score."""
    places: Counter[int] = Counter()
    total = 0.0
    for record in records:
        seat = record.order.index(entrant)
        places[int(seat_order(record.returns)[seat])] += 1
        total += record.scores[seat]
    return places, total / len(records)
