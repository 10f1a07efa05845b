"""What a report is: sections of rows, and the metrics that are read off each row.

A metric is declared once, with its heading and its JSON key, and shows up in the table and in the file. console.py
prints reports, plots.py draws them; here nothing is drawn or printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardwright.frames import table_named

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Metric:
    """One thing to say about a row."""

    key: str
    """Its name in JSON; empty: in the table only."""
    value: Callable[[Any], Any]
    """Reads it off a row, as plain data."""
    heading: str | None = None
    """Of its column; None: in JSON only."""
    text: Callable[[Any], str] | None = None
    """How a row's cell reads; default: the value as it is."""
    style: Callable[[Any], str] | None = None
    """The style of a row's cell, as "green" or "bold"."""
    left: bool = False
    """Aligned to the left, and folded if it is long."""

    def cell(self, row: Any) -> str:
        return self.text(row) if self.text is not None else str(self.value(row))


@dataclass(frozen=True)
class Section:
    """A table."""

    title: str
    metrics: Sequence[Metric]
    rows: Sequence[Any]

    def as_json(self) -> list[dict[str, Any]]:
        return [{m.key: m.value(row) for m in self.metrics if m.key} for row in self.rows]


@dataclass(frozen=True, repr=False)
class Report:
    sections: Sequence[Section | str]
    """Tables, and lines between them."""
    data: dict[str, Any] = field(default_factory=dict)
    """Everything, as plain data."""
    plot: Callable[[Path], None] | None = None
    """Draws it into a file."""

    def to_frame(self, table: str) -> pandas.DataFrame:
        """One of the tables in its data, as a data frame; `frames.tables(report.data)` lists them."""
        return table_named(self.data, table)

    def __str__(self) -> str:
        from boardwright.reports.console import as_text

        return as_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from boardwright.reports.console import as_html

        return as_html(self)


def in_percent(share: float, digits: int = 1) -> str:
    """A share in percent, a half rounded up: 115 of 400 are 28.8, wherever they are shown. Formatting rounds what the
    binary fraction is, which makes 28.7 of the share and 28.8 of a hundred times the share."""
    return str(Decimal(repr(float(share))).scaleb(2).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def percent(share: float) -> str:
    return f"{in_percent(share)}%"


def percent_with_interval(share: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{percent(share)} ({in_percent(low)}–{in_percent(high)})"
