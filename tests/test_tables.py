"""Tables on a terminal of 80 columns keep every label and every figure whole."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import boardwright as bw
from boardwright.arena.match import Match
from boardwright.arena.metrics import MetricsOverGames
from boardwright.games.wonders.text import score_lines
from boardwright.reports.console import as_text, section_tables
from boardwright.reports.metrics import metrics_report
from boardwright.reports.report import Metric, Report, Section
from boardwright.terminal.agent_list import show_agents
from tests.test_cli import run

CUT_OFF = "…"


def numbered(columns: int) -> Section:
    """A table of figures with a label before them."""
    metrics = [Metric("name", lambda row: f"row number {row}", "the name of the row", left=True)]
    metrics += [
        Metric(f"m{i}", lambda row, i=i: f"{1000 * row + i}.{i:03}", f"column {i}")  # type: ignore[misc]
        for i in range(columns)
    ]
    return Section("A wide table", metrics, range(1, 4))


@pytest.mark.parametrize("columns", [1, 5, 8, 30])
@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_wide_table_goes_on_below_with_its_labels(columns: int, width: int) -> None:
    section, written = numbered(columns), io.StringIO()
    console = Console(file=written, width=width)
    tables = section_tables(section, console)
    for table in tables:
        console.print(table)
    text = written.getvalue()
    assert max(map(len, text.split("\n"))) <= width
    assert CUT_OFF not in text
    for row in range(1, 4):
        assert text.count(f"row number {row} ") == len(tables)
        assert all(f" {1000 * row + i}.{i:03} " in text for i in range(columns))
    assert text.count("A wide table") == 1


@pytest.mark.parametrize(("game", "seats"), [("wonders", 5), ("lords", 2)])
def test_reports_keep_their_columns(game: str, seats: int) -> None:
    match = Match(game, ("heuristic",) * seats, seed=1)
    metrics = MetricsOverGames.of(match.game, [match.play(index) for index in range(4)])
    report: Report = metrics_report(match.game, metrics)
    text = as_text(report, width=80)
    assert CUT_OFF not in text
    parts = next(iter(metrics.shares.values())).parts
    assert all(f" {head} " in text.replace("\n", " \n") for head in ("agent", *parts, "total", "won"))
    assert "heuristic" in text
    assert "winners" in text


def test_a_report_is_played_with_as_many_as_the_game_has_seats(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "report", "lords", "--games", "2")
    assert code == 0, err
    assert "Lords of War: 2 games of heuristic, heuristic, seed 0" in out


def test_agents_are_described_in_whole_words() -> None:
    written = io.StringIO()
    show_agents([bw.game("kuhn_poker"), bw.game("connect_four")], Console(file=written, width=80))
    text = " ".join(written.getvalue().split())
    assert "ismcts Information set MCTS: trees over what seats can know, a new determinization every iteration." in text


def test_the_final_table_of_7_wonders_fits_a_panel() -> None:
    """80 columns, less the frame."""
    state = bw.game("wonders").new(seed=1, seats=7)
    while not state.is_terminal:
        state.apply(state.legal_actions()[0])
    *table, boards = score_lines(state.record)
    assert max(map(len, table)) <= 76
    assert len(table) == 8
    for seat, score in enumerate(state.scores):
        assert table[1 + seat].split()[1] == str(seat + 1)
        assert table[1 + seat].split()[-1] == f"{score:g}"
    assert "seat 7" in boards
