"""How strong the networks are meant to be, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from boardwright.experiments.tables import Table
from figure_tables.matches import others
from figure_tables.results import Figures, TableOf, in_percent

EXPLOITED = 0.10
"""The most that an exploiter may gain over an even match."""
NOT_MEASURED = "not measured"


class Target(NamedTuple):
    """A share of games that the first agent of a stored match is to win."""

    subject: str
    result: str
    least: float


TARGETS = (
    Target("Connect Four", "connect-four-nettree-uct", 0.80),
    Target("Lords of War, hidden", "lords-learned-10ms", 0.75),
    Target("Colonizers", "colonizers-netsearch-ismcts-second", 0.50),
    Target("7 Wonders, 3 seats", "wonders-netsearch-ismcts-3-clone-third", 0.65),
    Target("7 Wonders, 5 seats", "wonders-netsearch-ismcts-5-third", 0.50),
    Target("7 Wonders, 7 seats", "wonders-netsearch-ismcts-7-second", 0.40),
    Target("Race, 2 seats", "race-strongest-large", 0.65),
    Target("Race, 2 seats", "race-strongest-keldon", 0.94),
    Target("Race, 3 seats", "race-netsearch-keldon-3-second", 0.65),
    Target("Race, 4 seats", "race-netsearch-keldon-4-second", 0.60),
)
EXPLOITERS = (
    ("Lords of War, hidden", "exploiter-lords"),
    ("Colonizers", "exploiter-colonizers"),
    ("7 Wonders, 3 seats", "exploiter-wonders-3"),
    ("Race, 2 seats", "exploiter-race-2"),
)
"""Matches of a network that learned to beat one agent, against that agent."""


def targets(figures: Figures) -> Table:
    heading = ("game", "agent", "against", "target", "won by the first (95 %)", "seed", "verdict")
    return [heading, *(_row(figures, target) for target in TARGETS)]


def exploiters(figures: Figures) -> Table:
    """By how many points exploiters are over an even match."""
    heading = ("game", "the agent exploited", "even", "won by the exploiter (95 %)", "gain", "seed", "verdict")
    return [heading, *(_exploiter(figures.results.get(name), subject) for subject, name in EXPLOITERS)]


def verdict(share: float, interval: Sequence[float], least: float) -> str:
    low, high = interval
    if share >= least:
        return "reached" if low >= least else "reached, but not by the whole interval"
    return "missed" if high < least else "missed, but not by the whole interval"


def _row(figures: Figures, target: Target) -> tuple[str, ...]:
    least = f"{100 * target.least:.0f} %"
    found = figures.results.get(target.result)
    if found is None:
        return target.subject, "", "", least, "", "", NOT_MEASURED
    agent = found["agents"][0]
    judged = verdict(agent["win_rate"], agent["interval"], target.least)
    won = figures.won(target.result)
    return target.subject, f"`{agent['spec']}`", others(found), least, won, str(found["seed"]), judged


def _exploiter(found: dict[str, Any] | None, subject: str) -> tuple[str, ...]:
    if found is None:
        return subject, "", "", "", "", "", NOT_MEASURED
    exploiter, (_, exploited, *_rest) = found["agents"][0], found["agents"]
    even, share = 1 / len(found["agents"]), exploiter["win_rate"]
    low, high = (100 * (bound - even) for bound in exploiter["interval"])
    judged = verdict(1 - share, [1 - bound for bound in reversed(exploiter["interval"])], 1 - even - EXPLOITED)
    won = f"{in_percent(share, exploiter['interval'], 1, ' %')} of {found['games']:,}"
    gain = f"{100 * (share - even):+.1f} ({low:+.1f} to {high:+.1f})"
    return subject, f"`{exploited['spec']}`", f"{100 * even:.0f} %", won, gain, str(found["seed"]), judged


TABLES: dict[str, TableOf] = {"targets": targets, "exploiters": exploiters}
