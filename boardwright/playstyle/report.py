"""Profiles side by side as tables, plain data and plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np

from boardwright.agents.characters import called
from boardwright.kernel import Game
from boardwright.playstyle.distance import Recognition, StyleDistance, distances, recognition
from boardwright.playstyle.profile import RISK, GameRow, Matrix, StyleProfile, matrix, profiles
from boardwright.reports.plots import figure
from boardwright.reports.report import Metric, Report, Section, percent, percent_with_interval

SHOWN = 14
"""The features that differ most between the agents are shown in the terminal; all are in the JSON file."""
MOST_IN_PLOT = 12
SAME = 0.999
"""Correlation from which on two features are two names for one."""
LONGEST_LABEL = 24
LONGEST_LEGEND = 60
ENOUGH_TO_RECOGNISE = 20
"""Games per agent."""


def style_report(game: Game, rows: Sequence[GameRow], agents: Sequence[str], *, seed: int = 0) -> Report:
    """Of all games that were played or read."""
    labels = short_labels(agents, game)
    rows = [replace(row, agent=labels.get(row.agent, row.agent)) for row in rows]
    found = profiles(rows, [labels[agent] for agent in agents])
    apart = distances(rows, seed=seed)
    telling = distinct(most_telling(rows), matrix(rows))
    legend = [f"{label}: {agent}" for agent, label in labels.items() if label != agent]
    sections: list[Section | str] = [*legend, _profile_section(game, found, [*telling[:SHOWN], RISK])]
    if apart:
        sections.append(_distance_section(apart))
    data: dict[str, Any] = {
        "game": game.name,
        "agents": {label: agent for agent, label in labels.items()},
        "profiles": [{"agent": p.agent, "games": p.games, "figures": _plain(p)} for p in found],
        "distances": [asdict(one) for one in apart],
    }
    if len(found) > 1 and min(profile.games for profile in found) >= ENOUGH_TO_RECOGNISE:
        known = recognition(rows, seed=seed)
        data["recognition"] = recognition_data(known)
        sections.append(recognition_section(known))
    legends = {label: agent if label == agent else _legend(label, agent) for agent, label in labels.items()}
    return Report(sections, data, lambda file: plot_styles(file, game, rows, found, telling, legends))


def _legend(label: str, agent: str) -> str:
    written = f"{label}: {agent}"
    return written if len(written) <= LONGEST_LEGEND else f"{written[: LONGEST_LEGEND - 1]}…"


def short_labels(agents: Sequence[str], game: Game) -> dict[str, str]:
    """What agents are called in tables and plots: their specs or, where one is too long for that, the name of the
    character that plays so, or a letter."""
    named = {agent: agent if len(agent) <= LONGEST_LABEL else called(agent, game) for agent in agents}
    letters = iter(ascii_uppercase)
    return {agent: name if len(name) <= LONGEST_LABEL else next(letters, agent) for agent, name in named.items()}


def distinct(features: Sequence[str], table: Matrix, alike: float = SAME) -> list[str]:
    """The features without those that are, game by game, nearly the same as one before."""
    spread = table.values.std(axis=0)
    scaled = (table.values - table.values.mean(axis=0)) / np.where(spread > 0, spread, 1)
    kept: list[str] = []
    for name in features:
        own = scaled[:, table.features.index(name)]
        likeness = (abs(float(np.mean(own * scaled[:, table.features.index(other)]))) for other in kept)
        if max(likeness, default=0.0) < alike:
            kept.append(name)
    return kept


def most_telling(rows: Sequence[GameRow]) -> list[str]:
    """The features, those first that differ most between agents, compared with how they vary from game to game."""
    table = matrix(rows)
    agents = list(dict.fromkeys(table.agents))
    means = np.array([table.of(agent).mean(axis=0) for agent in agents])
    spread = table.values.std(axis=0)
    ratio = np.divide(means.std(axis=0), spread, out=np.zeros_like(spread), where=spread > 0)
    order = sorted(range(len(table.features)), key=lambda column: (-ratio[column], table.features[column]))
    return [table.features[column] for column in order]


def _plain(profile: StyleProfile) -> dict[str, Any]:
    return {name: asdict(one) for name, one in profile.figures.items()}


def _profile_section(game: Game, profiles: Sequence[StyleProfile], telling: Sequence[str]) -> Section:
    def column(profile: StyleProfile) -> Metric:
        def text(name: str) -> str:
            one = profile.figures[name]
            return f"{one.mean:.2f} ± {one.high - one.mean:.2f}"

        return Metric(profile.agent, lambda name: profile.figures[name].mean, profile.agent, text)

    metrics = (Metric("feature", lambda name: name, "per game", left=True), *map(column, profiles))
    return Section(f"Style in {game.title}: means of a game, with 95 % intervals", metrics, telling)


def _distance_section(apart: Sequence[StyleDistance]) -> Section:
    metrics = (
        Metric("pair", lambda d: [d.first, d.second], "between", lambda d: f"{d.first} and {d.second}", left=True),
        Metric("distance", lambda d: d.distance, "distance", lambda d: f"{d.distance:.2f}"),
        Metric("p_value", lambda d: d.p_value, "p", lambda d: f"{d.p_value:.4f}"),
        Metric("differing", lambda d: d.differing, "most different in", _differing, left=True),
    )
    return Section("Distances, in standard deviations of a game (p: by permutation)", metrics, apart)


def _differing(distance: StyleDistance) -> str:
    return ", ".join(f"{name} {difference:+.1f}" for name, difference in distance.differing[:3])


def recognition_data(known: Recognition) -> dict[str, Any]:
    return {**asdict(known), "samples": known.samples, "accuracy": known.accuracy, "interval": list(known.interval)}


def recognition_section(known: Recognition) -> Section:
    def taken_for(place: int) -> Metric:
        name = known.agents[place]
        return Metric(name, lambda row: known.confusion[row][place], name, lambda row: _share(known, row, place))

    metrics = (
        Metric("agent", lambda row: known.agents[row], "agent", left=True),
        *(taken_for(place) for place in range(len(known.agents))),
    )
    share = percent_with_interval(known.accuracy, known.interval)
    title = f"Recognised from {known.games} games: {share} of {known.samples} (games that were not learned from)"
    return Section(title, metrics, range(len(known.agents)))


def _share(known: Recognition, row: int, place: int) -> str:
    return percent(known.confusion[row][place] / max(sum(known.confusion[row]), 1))


def plot_styles(
    file: Path,
    game: Game,
    rows: Sequence[GameRow],
    profiles: Sequence[StyleProfile],
    telling: Sequence[str],
    legends: Mapping[str, str],
) -> None:
    """Left: parallel coordinates of the features that differ most. Right: a map of the agents, by principal axes."""
    shown = list(telling[:MOST_IN_PLOT])
    table = matrix(rows)
    columns = [table.features.index(name) for name in shown]
    centre, spread = table.values.mean(axis=0), table.values.std(axis=0)
    spread[spread == 0] = 1.0
    with figure(file, (12, 5), 1, 2, width_ratios=(3, 2)) as (_, (lines, chart)):
        for profile in profiles:
            means = table.of(profile.agent).mean(axis=0)
            lines.plot(
                range(len(shown)), ((means - centre) / spread)[columns], marker="o", label=legends[profile.agent]
            )
        lines.set_xticks(range(len(shown)), shown, rotation=40, ha="right")
        lines.set_ylabel("standard deviations of a game")
        lines.set_title(f"Play style in {game.title}")
        lines.legend(loc="best", fontsize="small")
        points = np.array([(table.of(p.agent).mean(axis=0) - centre) / spread for p in profiles])
        _draw_map(chart, points, [profile.agent for profile in profiles])


def _draw_map(chart: Any, points: Any, names: Sequence[str]) -> None:
    centred = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    flat = centred @ axes[:2].T if len(axes) > 1 else np.column_stack((centred @ axes[:1].T, np.zeros(len(points))))
    chart.scatter(flat[:, 0], flat[:, 1], s=60)
    for (x, y), name in zip(flat, names, strict=True):
        chart.annotate(name, (x, y), xytext=(6, 6), textcoords="offset points", fontsize="small")
    share = sizes[:2] ** 2 / max((sizes**2).sum(), 1e-12)
    chart.set_xlabel(f"first axis ({percent(float(share[0]))} of the differences)")
    chart.set_ylabel(f"second axis ({percent(float(share[1]))})" if len(share) > 1 else "")
    chart.margins(0.25)
    chart.set_title("Map of the agents")
