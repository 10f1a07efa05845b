"""Characters: ratings, who is taken for whom, and their picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boardwright.agents.characters import STRENGTHS, cast_of
from boardwright.experiments.tables import Table
from boardwright.playstyle.cast_report import style_in_words
from boardwright.registry import load_game
from boardwright.reports.plots import figure
from figure_tables.results import ROOT, Figures, TableOf, in_percent, rating


def characters(game: str) -> TableOf:
    """Ratings of a game's characters at each strength, and how often they are recognised from five games."""

    def table(figures: Figures) -> Table:
        found = _measured(game)
        strengths = found["strengths"]
        by_name: dict[str, dict[str, str]] = {}
        for strength, entry in strengths.items():
            for one in entry["characters"]:
                by_name.setdefault(one["character"], {})[strength] = rating(one)
        recognised = [
            in_percent(known["accuracy"], known["interval"], unit=" %")
            for known in (entry["recognition"] for entry in strengths.values())
        ]
        games = next(iter(strengths.values()))["characters"][0]["games"]
        cast = cast_of(load_game(game))
        assert cast is not None
        styles = {one.name: style_in_words(one) for one in cast.characters}
        return [
            (f"rating, {games} games each (95 %)", *strengths, "more than its fellows, or less"),
            *(
                (name, *(shown.get(strength, "") for strength in strengths), styles[name])
                for name, shown in by_name.items()
            ),
            ("recognised from five games", *recognised, ""),
        ]

    return table


def confusion(game: str) -> TableOf:
    """Who was taken for whom, in samples of five games, at the highest strength that was measured."""

    def table(figures: Figures) -> Table:
        known = list(_measured(game)["strengths"].values())[-1]["recognition"]
        names = [name.partition(",")[0] for name in known["agents"]]
        rows = zip(names, known["confusion"], strict=True)
        return [("taken for", *names), *((name, *map(str, row)) for name, row in rows)]

    return table


def equality(_: Figures) -> Table:
    """How far the farthest of a strength is from the mean of its fellows, and how many are recognised."""
    rows = []
    for game in RATED:
        strengths, cells = _measured(game)["strengths"], []
        for entry in strengths.values():
            elos = [one["elo"] for one in entry["characters"]]
            mean, known = sum(elos) / len(elos), entry["recognition"]
            recognised = in_percent(known["accuracy"], known["interval"], unit=" %")
            cells.append(f"{max(abs(elo - mean) for elo in elos):.0f} points; {recognised}")
        one = strengths["strong"]["characters"][0]
        margin = (one["high"] - one["low"]) / 2
        rows.append((f"{load_game(game).title}, {one['games']} games each (± {margin:.0f})", *cells))
    return [("farthest from the mean; recognised (95 %)", *STRENGTHS), *rows]


def draw_characters(figures: Figures, file: Path) -> None:
    """The styles of characters as shades, and their ratings with intervals, a row of panels per game."""
    with figure(file, (12, 13), rows=len(RATED), columns=2) as (_, panels):
        for (left, right), name in zip(panels, RATED, strict=True):
            game = load_game(name)
            cast = cast_of(game)
            assert cast is not None
            features = list(cast.characters[0].style)
            shades = [[one.style.get(feature, 0.0) for feature in features] for one in cast.characters]
            left.imshow(shades, cmap="RdBu", vmin=-2, vmax=2, aspect="auto")
            left.set_xticks(range(len(features)), features, rotation=25, ha="right")
            left.set_yticks(range(len(cast.names)), cast.names)
            left.set_title(f"{game.title}: more (blue) or less (red) than its fellows", loc="left")
            for offset, strength in enumerate(STRENGTHS):
                rated = [(place, one.strengths[strength].rating) for place, one in enumerate(cast.characters)]
                known = [(place + 0.2 * (offset - 1), rating) for place, rating in rated if rating is not None]
                right.errorbar(
                    [rating.elo for _, rating in known],
                    [place for place, _ in known],
                    xerr=[
                        [rating.elo - rating.low for _, rating in known],
                        [rating.high - rating.elo for _, rating in known],
                    ],
                    fmt="o",
                    label=strength,
                )
            right.set_yticks(range(len(cast.names)), cast.names)
            right.invert_yaxis()
            right.set_xlabel("rating, the anchor “easy” is 0; 95 % intervals")
            right.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(STRENGTHS), frameon=False)


RATED = ("race", "colonizers", "wonders", "lords")
"""Games whose characters were rated."""


def _measured(game: str) -> Any:
    return json.loads((ROOT / "docs" / "styles" / f"{game}-characters.json").read_text(encoding="utf-8"))


TABLES: dict[str, TableOf] = {
    "characters-equal": equality,
    **{f"characters-{game}": characters(game) for game in RATED},
    **{f"confusion-{game}": confusion(game) for game in RATED},
}
