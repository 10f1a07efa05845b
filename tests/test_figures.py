"""Figures in README and docs are those of the result files, and no others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boardwright.experiments import tables
from boardwright.reports.report import in_percent, percent, percent_with_interval

ROOT = Path(__file__).parent.parent
sys.path += [str(ROOT / "docs"), str(ROOT / "benchmarks")]

import common  # noqa: E402
import figures as docs_figures  # noqa: E402
from figure_tables import results  # noqa: E402


def test_tables_are_as_the_results_say() -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "docs/figures.py", "--check"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr


def test_a_figure_that_was_changed_by_hand_is_noticed() -> None:
    page = (ROOT / "docs" / "race.md").read_text(encoding="utf-8")
    figures = docs_figures.Figures()
    assert docs_figures.made(page, figures) == page
    assert docs_figures.made(page.replace("| 5,990 |", "| 5,991 |"), figures) == page
    figures.benchmarks["race"]["figures"]["random_games"] *= 2
    assert docs_figures.made(page, figures) != page


def test_every_table_stands_on_a_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in docs_figures.PAGES)
    assert [name for name in docs_figures.TABLES if f"<!-- table: {name} -->" not in pages] == []


def test_no_table_is_made_in_two_places() -> None:
    assert set(docs_figures.OWN_TABLES) & set(docs_figures.DECLARED_TABLES) == set()


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "matches").glob("*.json")), ids=lambda file: file.stem)
def test_result_files_say_where_they_come_from(file: Path) -> None:
    result = json.loads(file.read_text())
    assert result["commit"]
    assert result["command"]


def test_a_benchmark_replaces_its_own_figures_and_no_others(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    common.publish("one", {"speed": 1234.567}, file)
    common.publish("two", {"speed": 2.0}, file)
    common.publish("one", {"speed": 3.0}, file)
    found = json.loads(file.read_text())
    assert {name: run["figures"] for name, run in found.items()} == {"one": {"speed": 3.0}, "two": {"speed": 2.0}}
    assert set(found["one"]) == {"date", "commit", "machine", "load", "figures"}
    assert list(tmp_path.iterdir()) == [file], "the lock goes with the writing"


def test_one_match_has_one_figure_wherever_it_is_shown() -> None:
    """115 of 400 are 28.75 %, which the binary fraction of the share is below: a half is rounded up."""
    row = {"label": "a", "wins": 115, "appearances": 400, "win_interval": (0.2453, 0.3337)}
    assert percent(115 / 400) == "28.8%"
    assert percent_with_interval(115 / 400, (0.2453, 0.3337)) == "28.8% (24.5–33.4)"
    assert results._won(0.2875, (0.2453, 0.3337), 400) == "28.8 % (24.5–33.4) of 400"
    assert tables._places(row, "wins", "win_interval") == "28.8 (24.5–33.4)"
    assert in_percent(0.0625) == "6.3", "a half is rounded up, also where the digit before it is even"
