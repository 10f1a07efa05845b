"""The learning curve as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardwright.learn.config import GenerationStats
from boardwright.reports.plots import figure


def write_curve(file: Path, title: str, reference: str, curve: Sequence[GenerationStats]) -> None:
    """Games won against the reference above, losses below."""
    with figure(file, (8, 6), rows=2, sharex=True) as (_, (strength, losses)):
        measured = [entry for entry in curve if entry.score is not None]
        strength.plot(
            [entry.games for entry in measured],
            [100 * (entry.score or 0.0) for entry in measured],
            "o-",
            color="#4878a8",
        )
        strength.set_ylabel(f"won against {reference} (%)")
        strength.set_ylim(0, 100)
        strength.set_title(title, loc="left")
        games = [entry.games for entry in curve]
        losses.plot(games, [entry.value_loss for entry in curve], color="#b04030", label="value")
        losses.plot(games, [entry.policy_loss for entry in curve], color="#508050", label="policy")
        losses.set_ylabel("cross entropy (nats)")
        losses.set_xlabel("games of self-play")
        losses.set_ylim(bottom=0)
        losses.legend(frameon=False)
        for axes in (strength, losses):
            axes.grid(alpha=0.3)
