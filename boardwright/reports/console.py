"""Reports on a terminal, and into files."""

from __future__ import annotations

from html import escape as html
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from boardwright.files import write_json
from boardwright.reports.report import Report, Section
from boardwright.reports.tables import FittingTable


def section_table(section: Section) -> FittingTable:
    """A section as a table."""
    shown = [metric for metric in section.metrics if metric.heading is not None]
    labels = [metric.heading or "" for metric in shown if metric.left]
    table = FittingTable(*(metric.heading or "" for metric in shown), title=section.title, labels=labels)
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


def as_text(report: Report) -> str:
    """A report as plain text."""
    out = StringIO()
    show(report, Console(file=out, width=100, no_color=True))
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
