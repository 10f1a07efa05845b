"""Pictures of reports: points inside the frame, legends that cover nothing, colours that differ, curves that can be
repeated."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_rgb

import boardwright as bw
from boardwright.arena.strength import strength
from boardwright.games.wonders.cards import COLOURS
from boardwright.learn.config import GenerationStats, Strength, TrainingConfig
from boardwright.learn.training import Training
from boardwright.reports.learning_curve import draw_strength, write_curve
from boardwright.reports.metrics import SOFTER
from boardwright.reports.plots import Interval, draw_intervals, legend_beside

TAKE_THREE = str(Path(__file__).parent / "games" / "take_three.py")


@pytest.fixture
def axes() -> Any:
    plt.switch_backend("Agg")
    figure, axes = plt.subplots(layout="constrained")
    yield axes
    plt.close(figure)


@pytest.mark.parametrize("rows", [1, 2, 12])
def test_every_point_is_inside_the_frame(axes: Any, rows: int) -> None:
    draw_intervals(axes, [Interval(f"agent {i}", i, i - 1, i + 1) for i in range(rows)], reference=0)
    (bottom, top), (left, right) = axes.get_ylim(), axes.get_xlim()
    assert bottom <= -0.5
    assert top >= rows - 0.5
    assert left < -1
    assert right > rows


def test_a_legend_lies_beside_what_is_drawn(axes: Any) -> None:
    axes.plot([0, 1], [1, 0], label="a line from corner to corner")
    legend_beside(axes)
    axes.figure.canvas.draw()
    assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1


def test_the_colours_of_cards_can_be_told_apart() -> None:
    drawn = {name: to_rgb(SOFTER.get(name, name)) for name in COLOURS}
    for (one, first), (other, second) in itertools.combinations(drawn.items(), 2):
        assert sum(abs(a - b) for a, b in zip(first, second, strict=True)) > 0.4, (one, other)


def test_a_learning_curve_begins_before_the_first_game_and_has_intervals(axes: Any, tmp_path: Path) -> None:
    curve = [GenerationStats(64, 0.7, 1.0, 9.0, 5.0), GenerationStats(128, 0.6, 0.9, 9.0, 5.0, 0.7, None, (0.6, 0.8))]
    start = Strength(0.4, (0.3, 0.5))
    draw_strength(axes, curve, start, 2)
    line, _, (bars,) = axes.containers[0]
    assert line.get_xdata().tolist() == [0, 128]
    assert line.get_ydata().tolist() == pytest.approx([40, 70])
    assert line.get_marker() == "o"
    ends = [[y for _, y in segment] for segment in bars.get_segments()]
    assert ends == [pytest.approx([30, 50]), pytest.approx([60, 80])]
    write_curve(tmp_path / "curve.png", "a game", "random", curve, start, 2)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_the_strength_of_a_network_is_what_a_match_shows() -> None:
    config = TrainingConfig(game=TAKE_THREE, seats=2, games=64, generation_size=64)
    network = Training.begin(config, bw.game(TAKE_THREE), "random").network()
    found = strength(network, TAKE_THREE, "random", 20)
    network.save(Path("network.npz"))
    repeated = bw.match(TAKE_THREE, "netsearch:weights=network.npz", "random", games=20).agents[0]
    assert (found.score, found.interval) == (repeated.win_rate, repeated.interval)
