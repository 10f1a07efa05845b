"""What the experiments with SCOUT look at besides who won: rates side by side, score ratios, actions."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from boardwright.arena.record import GameRecord
from boardwright.arena.standings import Z95, wilson_interval
from boardwright.experiments.model import Games
from boardwright.games.race.state import ACTION, CHOOSE_ACTION, ROUND_ACTIONS
from boardwright.games.race.text import ACTION_NAMES
from boardwright.reports.plots import figure
from boardwright.reports.report import percent, percent_with_interval
from boardwright.reports.tables import FittingTable

_ENOUGH_FOR_A_TEST = 20
KELDON_FREQUENCIES = {1: 0.026, 2: 0.074, 3: 0.107, 5: 0.281, 7: 0.168, 8: 0.154, 9: 0.189}
"""Of the Keldon AI against itself, 63,438 choices of 2,400 games."""


def _seat(record: GameRecord) -> int:
    """Where the agent sat that the experiment is about."""
    return record.order.index(0)


def victory_rates(games: Games, folder: Path, console: Console) -> dict[str, Any]:
    """All arrangements side by side, ties counted as the dissertation counts them, too."""
    table = FittingTable("arrangement", "games", "won (95 %)", "ties", "won or tied", "above random (95 %)")
    random = _rate(games["random"]) if "random" in games else None
    found = {}
    for key, records in games.items():
        wins, ties = _won(records)
        low, high = wilson_interval(wins, len(records))
        share = wins / max(len(records), 1)
        above = ""
        if random is not None and key != "random" and records:
            gap, error = share - random[0], Z95 * math.hypot(_error(share, len(records)), random[1])
            above = f"{100 * gap:+.1f} ± {100 * error:.1f}"
        table.add_row(
            key,
            f"{len(records):,}",
            percent_with_interval(share, (low, high)),
            str(ties),
            percent((wins + ties) / max(len(records), 1)),
            above,
        )
        found[key] = {"games": len(records), "wins": wins, "ties": ties, "interval": [low, high]}
    console.print(table)
    return {"rates": found}


def _won(records: list[GameRecord]) -> tuple[int, int]:
    wins = sum(record.returns[_seat(record)] == 1 for record in records)
    return wins, sum(0 < record.returns[_seat(record)] < 1 for record in records)


def _error(share: float, games: int) -> float:
    return math.sqrt(share * (1 - share) / max(games, 1))


def _rate(records: list[GameRecord]) -> tuple[float, float]:
    share = _won(records)[0] / max(len(records), 1)
    return share, _error(share, len(records))


def score_ratios(games: Games, folder: Path, console: Console) -> dict[str, Any]:
    """The distribution of SCOUT's score over the opponent's, and whether it is log-normal, as published."""
    with figure(folder / "ratios.png", (8, 4.2)) as (_, axis):
        table = FittingTable(
            "arrangement", "games", "median", "won or drawn", "log mean", "log sd", "log skew", "log-normal?"
        )
        table.add_row("published", "5,000", "0.85", "31.7%", "", "", "", "yes")
        found, bins = {}, np.linspace(0, 2.5, 51).tolist()
        for key, records in games.items():
            ratios = np.array([max(r.scores[_seat(r)], 0.5) / max(r.scores[1 - _seat(r)], 0.5) for r in records])
            if not len(ratios):
                continue
            logs = np.log(ratios)
            even = float((ratios >= 1).mean())
            figures = (float(np.median(ratios)), even, float(logs.mean()), float(logs.std()))
            shape = log_normality(logs)
            table.add_row(
                key,
                f"{len(ratios):,}",
                f"{figures[0]:.2f}",
                f"{even:.1%}",
                *(f"{x:.3f}" for x in figures[2:]),
                f"{shape['log_skew']:.2f}",
                "" if shape["log_normal_p"] is None else f"p = {shape['log_normal_p']:.2g}",
            )
            axis.hist(ratios, bins=bins, histtype="step", density=True, label=f"{key}, {len(ratios):,} games")
            found[key] = {
                **dict(zip(("median", "won_or_drawn", "log_mean", "log_sd"), figures, strict=True)),
                **shape,
            }
        axis.axvline(1, color="#222222", linewidth=0.8)
        axis.set_xlabel("SCOUT's score over the opponent's")
        axis.legend(frameon=False)
    console.print(table)
    return {"ratios": found}


def log_normality(logs: NDArray[np.float64]) -> dict[str, float | None]:
    """How far the logarithms of the ratios are from a normal distribution: skewness, excess kurtosis, and the p-value
    of D'Agostino and Pearson's test, which needs some twenty games."""
    from scipy.stats import kurtosis, normaltest, skew

    enough = len(logs) >= _ENOUGH_FOR_A_TEST and float(logs.std()) > 0
    return {
        "log_skew": float(skew(logs)) if enough else 0.0,
        "log_kurtosis": float(kurtosis(logs)) if enough else 0.0,
        "log_normal_p": float(normaltest(logs).pvalue) if enough else None,
    }


def action_frequencies(games: Games, folder: Path, console: Console) -> dict[str, Any]:
    """How often each action was chosen, by the agent in question and by its opponents."""
    shares = {"Keldon AI": KELDON_FREQUENCIES}
    for key, records in games.items():
        counts = _actions(records)
        total = sum(counts.values())
        if total:
            shares[key] = {action: counts[action] / total for action in ROUND_ACTIONS}
    table = FittingTable("action", *shares)
    for action in ROUND_ACTIONS:
        table.add_row(ACTION_NAMES[action], *(f"{share[action]:.1%}" for share in shares.values()))
    with figure(folder / "actions.png", (9, 4.2)) as (_, axis):
        width = 0.8 / len(shares)
        for place, (name, share) in enumerate(shares.items()):
            spots = [i + (place - (len(shares) - 1) / 2) * width for i in range(len(ROUND_ACTIONS))]
            axis.bar(spots, [100 * share[action] for action in ROUND_ACTIONS], width, label=name)
        axis.set_xticks(range(len(ROUND_ACTIONS)), [ACTION_NAMES[action] for action in ROUND_ACTIONS])
        axis.set_ylabel("% of choices")
        axis.legend(frameon=False)
    console.print(table)
    return {
        "actions": {name: {str(action): share[action] for action in ROUND_ACTIONS} for name, share in shares.items()}
    }


def _actions(records: list[GameRecord]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for record in records:
        seat = _seat(record)
        for state, action in record.replay():
            if action is not None and state.player == seat and state.record.question == CHOOSE_ACTION:
                counts[action - ACTION] += 1
    return counts
