"""Tables for the terminal: whatever the width, no word and no figure is cut off."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from boardwright.reports.tables import FittingTable


def printed(table: FittingTable, width: int) -> str:
    out = StringIO()
    Console(file=out, width=width, no_color=True).print(table)
    return out.getvalue()


def pruning() -> FittingTable:
    limits = [f"limit {limit}" for limit in (1, 2, 5, 10, 15, 20, 25, 30)]
    table = FittingTable("heuristic \\ limit", *limits, title="won in %")
    table.add_row("h1", *(f"8{limit} / 7{limit} (6{limit}–99)" for limit in range(8)))
    table.add_row("h2, negated", *[""] * 8)
    return table


@pytest.mark.parametrize("width", [48, 80, 100, 200])
def test_every_figure_is_whole_at_every_width(width):
    text = printed(pruning(), width)
    assert "…" not in text
    assert all(f"8{limit} / 7{limit} (6{limit}–99)" in text for limit in range(8))
    assert max(map(len, text.splitlines())) <= width


def test_a_table_that_fits_is_one_and_a_wide_one_goes_on_with_its_labels():
    assert printed(pruning(), 200).count("h2, negated") == 1
    assert printed(pruning(), 80).count("h2, negated") == 3
    assert printed(pruning(), 80).count("won in %") == 1


def test_labels_are_folded_before_anything_else_goes_on_below():
    spec = "ismcts:iterations=10000,exploration=0.7,playout=random"
    table = FittingTable("agent", "won")
    table.add_row(spec, "51.0 %")
    text = printed(table, 40)
    assert text.count("won") == 1
    assert "51.0 %" in text
    assert spec in "".join(line.replace("51.0 %", "").strip() for line in text.splitlines())


def test_several_columns_can_be_labels_wherever_they_stand():
    table = FittingTable("games", "first", "second", labels=("first", "second"))
    table.add_row("1", "a", "b")
    head = printed(table, 40).splitlines()[1]
    assert head.split() == ["games", "first", "second"]


def test_a_table_of_labels_alone_is_printed():
    table = FittingTable("name")
    table.add_row("colonizers")
    assert "colonizers" in printed(table, 80)
