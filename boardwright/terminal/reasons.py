"""A decision and its reasons as a table for people."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.markup import escape
from rich.table import Table

from boardwright.agents import Decision
from boardwright.blame import printable
from boardwright.kernel import Game, Observation

_BAR = 16


def reasons_table(
    game: Game, observation: Observation, decision: Decision, *, title: str = "", most: int = 12
) -> Group:
    """The actions an agent weighed, best first, the chosen one marked."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("action")
    columns = {
        "expects": any(reason.value is not None for reason in decision.reasons),
        "visits": any(reason.visits is not None for reason in decision.reasons),
        "attention": any(reason.weight is not None for reason in decision.reasons),
        "why": any(reason.note for reason in decision.reasons),
    }
    for name, used in columns.items():
        if used:
            table.add_column(name, justify="left" if name in ("attention", "why") else "right")
    for reason in decision.reasons[:most]:
        cells = {
            "expects": "" if reason.value is None else f"{reason.value:+.3f}",
            "visits": "" if reason.visits is None else f"{reason.visits:,}",
            "attention": ""
            if reason.weight is None
            else f"{'█' * round(_BAR * reason.weight):{_BAR}} {reason.weight:6.1%}",
            "why": escape(printable(reason.note)),
        }
        chosen = reason.action == decision.action
        words = escape(game.describe(observation, reason.action))
        table.add_row(
            f"[bold green]{words} ←[/]" if chosen else words,
            *(cells[name] for name, used in columns.items() if used),
        )
    if not decision.reasons:
        table.add_row(f"[bold green]{escape(game.describe(observation, decision.action))} ←[/]")
    if len(decision.reasons) > most:
        table.add_row(f"[dim]and {len(decision.reasons) - most} more[/]")
    return Group(
        *([f"[bold]{escape(title)}[/]"] if title else []), table, f"[dim]{escape(printable(decision.summary))}[/]"
    )
