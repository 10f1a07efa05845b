"""Constructed decks: predictions, play with them, speed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boardwright.experiments.tables import Table
from boardwright.reports.plots import figure
from figure_tables.results import Figures, TableOf, in_percent

DECK_PROTOCOLS = {
    "decks-folds": "30 folds",
    "decks-similar": "30 folds, near duplicates left out",
    "decks-later": "August 2014 on, learned once",
    "decks-fortnightly": "August 2014 on, learned every two weeks",
}
DECK_TARGETS = {"decks-folds": 68.5, "decks-similar": 67.0, "decks-later": 64.0, "decks-fortnightly": 65.0}


def decks_accuracy(figures: Figures) -> Table:
    """Match accuracy of the learned predictors."""
    scores = {name: {row["predictor"]: row for row in figures.results[name]["scores"]} for name in DECK_PROTOCOLS}
    rows = [
        (f"`{predictor}`", *(_accuracy(scores[name][predictor]) for name in DECK_PROTOCOLS))
        for predictor in scores["decks-folds"]
    ]
    expected = [f"{100 * scores[name]['best']['expected']:.1f}" for name in DECK_PROTOCOLS]
    decks = [f"{scores[name]['best']['decks']:,}" for name in DECK_PROTOCOLS]
    targets = [f"{DECK_TARGETS[name]:g}" if name in DECK_TARGETS else "" for name in DECK_PROTOCOLS]
    return [
        ("match accuracy in % (95 %)", *DECK_PROTOCOLS.values()),
        *rows,
        ("what `best` expected", *expected),
        ("target for `best`", *targets),
        ("decks predicted", *decks),
    ]


def decks_best(figures: Figures, protocol: str) -> str:
    best = next(row for row in figures.results[protocol]["scores"] if row["predictor"] == "best")
    return in_percent(best["accuracy"], best["interval"], 1, " %")


def _accuracy(score: dict[str, Any]) -> str:
    return in_percent(score["accuracy"], score["interval"], 1)


def decks_play(figures: Figures) -> Table:
    """Matches of search that knows more about hidden decks against search that draws them uniformly."""
    rows = [(title, figures.won(name), figures.won(name, 1)) for name, title in DECK_MATCHES.items()]
    return [("", "it won (95 %)", "uniform decks won (95 %)"), *rows]


DECK_MATCHES = {
    "deck-duel-predicted": "the duel: predicted decks",
    "lords-pool-predicted": "Lords of War: predicted armies",
    "lords-pool-known": "Lords of War: the true army",
}


def decks_speed(figures: Figures) -> Table:
    found = figures.of("decks")

    def mined(support: str) -> tuple[str, ...]:
        ours, theirs = found[f"mine_{support}_s"], found[f"mlxtend_{support}_s"]
        what = f"{found[f'sets_{support}']:,.0f} item sets of up to four, in at least {support} % of 1,000 decks"
        return (what, f"{ours:.2g} s", f"mlxtend's FP-growth: {theirs:.2g} s", f"{theirs / ours:.0f}")

    return [
        ("what", "ours", "peer or target", "ratio"),
        mined("10"),
        mined("5"),
        ("learning from 10,000 decks, by the clock", f"{found['learn_clock_s']:.1f} s", "10 s", ""),
        ("CPU time of that", f"{found['learn_s']:.1f} s", "", ""),
        ("one prediction", f"{found['prediction_ms']:.1f} ms", "5 ms", ""),
        ("one prediction without the decks", f"{found['prediction_without_decks_ms']:.1f} ms", "5 ms", ""),
    ]


def draw_decks_reliability(figures: Figures, file: Path) -> None:
    """Chances and frequencies, for folds and for later decks."""
    from boardwright.reports.decks import draw_reliability

    with figure(file, (10, 5), columns=2) as (_, panels):
        for panel, name in zip(panels, ("decks-folds", "decks-fortnightly"), strict=True):
            scores = figures.results[name]["scores"]
            draw_reliability(panel, {row["predictor"]: row["reliability"] for row in scores})
            panel.set_title(DECK_PROTOCOLS[name], loc="left")


TABLES: dict[str, TableOf] = {
    "decks-accuracy": decks_accuracy,
    "decks-play": decks_play,
    "decks-speed": decks_speed,
}
