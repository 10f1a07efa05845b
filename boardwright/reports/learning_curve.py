"""The learning curve as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardwright.learn.config import GenerationStats, Strength
from boardwright.reports.plots import figure, legend_beside


def write_curve(
    file: Path,
    title: str,
    reference: str,
    curve: Sequence[GenerationStats],
    start: Strength | None = None,
    seats: int = 2,
) -> None:
    """Games won against the reference above, from before the first game on, with 95 % intervals; losses below."""
    with figure(file, (8, 6), rows=2, sharex=True) as (_, (strength, losses)):
        draw_strength(strength, curve, start, seats)
        strength.set_ylabel(f"won against\n{reference} (%)")
        strength.set_title(title, loc="left")
        legend_beside(strength)
        games = [entry.games for entry in curve]
        marker = "." if len(curve) <= _MARKED else ""
        losses.plot(games, [entry.value_loss for entry in curve], marker=marker, color="#b04030", label="value")
        losses.plot(games, [entry.policy_loss for entry in curve], marker=marker, color="#508050", label="policy")
        losses.set_ylabel("cross entropy (nats)")
        losses.set_xlabel("games learned from")
        losses.set_ylim(bottom=0)
        losses.set_xlim(left=-0.02 * max(games, default=1))
        legend_beside(losses)
        for axes in (strength, losses):
            axes.grid(alpha=0.3)


_MARKED = 60
"""Up to so many generations have a marker each."""


def draw_strength(axes: Any, curve: Sequence[GenerationStats], start: Strength | None, seats: int) -> None:
    points = [] if start is None else [(0, start.score, start.interval)]
    for entry in curve:
        if entry.score is not None:
            points.append((entry.games, entry.score, entry.interval or (entry.score, entry.score)))
    if points:
        errors = [
            [100 * (score - low) for _, score, (low, _) in points],
            [100 * (high - score) for _, score, (_, high) in points],
        ]
        axes.errorbar(
            [games for games, *_ in points],
            [100 * score for _, score, _ in points],
            yerr=errors,
            fmt="o-",
            capsize=3,
            color="#4878a8",
            label="the network, 95 %",
        )
    axes.axhline(100 / seats, color="#444444", linestyle="--", linewidth=1, zorder=0, label="equal strength")
    axes.set_ylim(-3, 103)
