"""Reports on a terminal, and into files."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape as html
from io import StringIO
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

from boardwright.files import write_json
from boardwright.reports.report import Metric, Report, Section

_LABEL = 24
"""Labels may be folded to this width."""
_BETWEEN = 3
"""What stands between two columns."""


def section_table(section: Section, shown: Sequence[Metric] | None = None) -> Table:
    """A section as a table, all of its metrics or some."""
    table = Table(title=section.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    shown = _headed(section) if shown is None else shown
    for metric in shown:
        justify: JustifyMethod = "left" if metric.left else "right"
        table.add_column(metric.heading or "", justify=justify, overflow="fold", no_wrap=not metric.left)
    for row in section.rows:
        cells = []
        for metric in shown:
            style = metric.style(row) if metric.style else ""
            text = escape(metric.cell(row))
            cells.append(f"[{style}]{text}[/]" if style else text)
        table.add_row(*cells)
    return table


def section_tables(section: Section, console: Console) -> list[Table]:
    """A section as a table that fits the width, or as several, each with the labels: no label or figure is cut off.
    Labels may be folded, but keep some width."""
    labels = [metric for metric in _headed(section) if metric.left]
    tables: list[list[Metric]] = [[]]
    for metric in (metric for metric in _headed(section) if not metric.left):
        if tables[-1] and _width(section, [*labels, *tables[-1], metric]) > console.width:
            tables.append([])
        tables[-1].append(metric)
    chosen = [[metric for metric in _headed(section) if metric in labels or metric in table] for table in tables]
    first, *further = [section_table(section, metrics) for metrics in chosen]
    for table in further:
        table.title = None
    return [first, *further]


def _headed(section: Section) -> list[Metric]:
    return [metric for metric in section.metrics if metric.heading is not None]


def _width(section: Section, metrics: Sequence[Metric]) -> int:
    """What a table of these metrics takes at least: figures whole, labels folded."""
    widths = []
    for metric in metrics:
        cells = [metric.heading or "", *(metric.cell(row) for row in section.rows)]
        longest = max(map(len, cells))
        widths.append(min(longest, _LABEL) if metric.left else longest)
    return sum(widths) + _BETWEEN * len(widths)


def show(report: Report, console: Console) -> None:
    for section in report.sections:
        if isinstance(section, Section):
            for table in section_tables(section, console):
                console.print(table)
        else:
            console.print(section, highlight=False, markup=False, soft_wrap=True)


def as_text(report: Report, width: int = 100) -> str:
    """A report as plain text."""
    out = StringIO()
    show(report, Console(file=out, width=width, no_color=True))
    return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").split("\n"))


def as_markdown(report: Report) -> str:
    """A report as Markdown, to be pasted into a page or a thread."""
    parts = []
    for section in report.sections:
        if isinstance(section, Section):
            shown = [metric for metric in section.metrics if metric.heading is not None]
            head = [metric.heading or "" for metric in shown]
            rule = [":--" if metric.left else "--:" for metric in shown]
            rows = [[metric.cell(row).replace("|", "\\|") for metric in shown] for row in section.rows]
            parts += [section.title, "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))]
        else:
            parts.append(section)
    return "\n\n".join(parts)


def as_html(report: Report) -> str:
    """A report as HTML, for notebooks."""
    parts = []
    for section in report.sections:
        if isinstance(section, Section):
            shown = [metric for metric in section.metrics if metric.heading is not None]
            head = "".join(f"<th>{html(metric.heading or '')}</th>" for metric in shown)
            rows = ("".join(f"<td>{html(metric.cell(row))}</td>" for metric in shown) for row in section.rows)
            body = "".join(f"<tr>{row}</tr>" for row in rows)
            parts.append(f"<table><caption>{html(section.title)}</caption><tr>{head}</tr>{body}</table>")
        else:
            parts.append(f"<p>{html(section)}</p>")
    return "".join(parts)


def save(report: Report, *, json: Path | None = None, plot: Path | None = None) -> None:
    if json is not None:
        write_json(json, report.data)
    if plot is not None and report.plot is not None:
        report.plot(plot)
