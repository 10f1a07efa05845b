"""The files of results, and how their figures are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardwright.experiments.tables import Table
from boardwright.reports.report import in_percent as rounded_percent

ROOT = Path(__file__).parent.parent.parent
BENCHMARKS = ROOT / "benchmarks" / "results.json"
RESULTS = ROOT / "docs" / "matches"
EXPERIMENTS = ROOT / "docs" / "results"


class Figures:
    """Results by name."""

    def __init__(self) -> None:
        self.benchmarks: dict[str, Any] = json.loads(BENCHMARKS.read_text())
        self.results = _by_name(RESULTS)
        self.experiments = _by_name(EXPERIMENTS)

    def of(self, benchmark: str) -> dict[str, float]:
        figures: dict[str, float] = self.benchmarks[benchmark]["figures"]
        return figures

    def won(self, result: str, agent: int = 0) -> str:
        """How often an agent won a match: "95.1 % (93.6–96.3) of 1,000"."""
        found = self.results[result]
        row = found["agents"][agent]
        return _won(row["win_rate"], row["interval"], found["games"])

    def won_in_experiment(self, name: str, arrangement: str, label: str) -> str:
        """How often an agent won in an experiment, in the same form."""
        found = self.experiments[name]["arrangements"][arrangement]
        row = next(row for row in found["rows"] if row["label"] == label)
        return _won(row["wins"] / row["appearances"], row["win_interval"], found["games"])


def names(pattern: str) -> list[str]:
    """Those of the results of matches, in order."""
    return sorted(file.stem for file in RESULTS.glob(f"{pattern}.json"))


def _won(share: float, interval: Sequence[float], games: int) -> str:
    return f"{in_percent(share, interval, 1, ' %')} of {games:,}"


def points(difference: dict[str, Any]) -> str:
    """A difference between two agents in the same games: "0.7 (-1.4 to +2.9)"."""
    low, high = difference["interval"]
    return f"{100 * difference['difference']:.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def rounded(value: float, digits: int = 3) -> str:
    """A figure with its leading digits, grouped: 28,600."""
    if value == 0:
        return "0"
    scaled = float(f"{value:.{digits}g}")
    return f"{scaled:,.0f}" if scaled >= 100 else f"{scaled:g}"


def _by_name(folder: Path) -> dict[str, Any]:
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def in_percent(share: float, interval: Sequence[float], digits: int = 0, unit: str = "") -> str:
    """A share with its interval, in percent: "51 (48–54)"."""
    low, high = interval
    return f"{rounded_percent(share, digits)}{unit} ({rounded_percent(low, digits)}–{rounded_percent(high, digits)})"


def rating(rated: dict[str, Any]) -> str:
    """On Elo's scale, with its interval: "+120 (+90 to +150)"."""
    return f"{rated['elo']:+.0f} ({rated['low']:+.0f} to {rated['high']:+.0f})"


TableOf = Callable[[Figures], Table]
