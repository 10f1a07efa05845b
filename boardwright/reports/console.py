"""Reports on a terminal, and into files."""

from __future__ import annotations

from html import escape as html
from io import StringIO
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from boardwright.files import write_json
from boardwright.reports.report import Report, Section


def plain_table(title: str, first: str, *columns: str, left: tuple[str, ...] = ()) -> Table:
    """An empty table as all reports have it: the first column folds, the others are figures."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", no_wrap=True)
    return table


def section_table(section: Section) -> Table:
    table = Table(title=section.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    shown = [metric for metric in section.metrics if metric.heading is not None]
    for metric in shown:
        if metric.left:
            table.add_column(metric.heading or "", overflow="fold")
        else:
            table.add_column(metric.heading or "", justify="right", no_wrap=True)
    for row in section.rows:
        cells = []
        for metric in shown:
            style = metric.style(row) if metric.style else ""
            text = escape(metric.cell(row))
            cells.append(f"[{style}]{text}[/]" if style else text)
        table.add_row(*cells)
    return table


def show(report: Report, console: Console) -> None:
    for section in report.sections:
        if isinstance(section, Section):
            console.print(section_table(section))
        else:
            console.print(section, highlight=False, markup=False, soft_wrap=True)


def as_text(report: Report, width: int = 100) -> str:
    """A report as plain text."""
    out = StringIO()
    show(report, Console(file=out, width=width, no_color=True))
    return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").split("\n"))


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
