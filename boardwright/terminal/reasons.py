"""A decision and its reasons as a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.markup import escape
from rich.table import Table

from boardwright.agents import Decision, Reason
from boardwright.blame import printable
from boardwright.kernel import Game, Observation

_BAR = 8
_ROUNDING = 1e-6
_NARROW = 100
"""Below this width there is no room for bars."""


def reasons_table(
    game: Game,
    observation: Observation,
    decision: Decision,
    *,
    title: str = "",
    most: int = 12,
    keys: Mapping[int, str] | None = None,
    width: int = _NARROW,
) -> Group:
    """The actions an agent weighed, best first, the chosen one marked. `keys`: what to type for each."""
    reasons = decision.reasons or (Reason(decision.action),)
    shares = "prior" if _are_priors(reasons) else "share"
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    columns = {
        "type": keys is not None and any(reason.action in keys for reason in reasons),
        "action": True,
        "expects": any(reason.value is not None for reason in reasons),
        "visits": any(reason.visits is not None for reason in reasons),
        shares: any(reason.weight is not None for reason in reasons),
        "why": any(reason.note for reason in reasons),
    }
    used = [name for name, wanted in columns.items() if wanted]
    for name in used:
        figures = name not in ("type", "action", "why")
        table.add_column(name, justify="right" if figures else "left", no_wrap=figures, overflow="fold")
    if len(reasons) == most + 1:  # a line that says so would take as much room as the row
        most += 1
    for reason in reasons[:most]:
        chosen = reason.action == decision.action
        text = escape(game.describe(observation, reason.action))
        cells = {
            "type": escape((keys or {}).get(reason.action, "")),
            "action": f"[bold green]{text}\u00a0←[/]" if chosen else text,
            "expects": "" if reason.value is None else f"{reason.value:+.3f}",
            "visits": "" if reason.visits is None else f"{reason.visits:,}",
            shares: "" if reason.weight is None else _share(reason.weight, width),
            "why": escape(printable(reason.note)),
        }
        table.add_row(*(cells[name] for name in used))
    lines = [f"[dim]and {len(reasons) - most} more[/]"] if len(reasons) > most else []
    footnotes = (why_not_the_highest(game, observation, decision), printable(decision.summary))
    lines += [f"[dim]{escape(line)}[/]" for line in footnotes if line]
    return Group(*([f"[bold]{escape(title)}[/]"] if title else []), table, *lines)


def why_not_the_highest(game: Game, observation: Observation, decision: Decision) -> str:
    """Where the chosen action does not have the highest value: what else counted. Empty where it has."""
    valued = [reason for reason in decision.reasons if reason.value is not None]
    chosen = next((reason for reason in valued if reason.action == decision.action), None)
    if chosen is None or chosen.value is None:
        return ""
    best = max(valued, key=lambda reason: reason.value or 0.0)
    if best.value is None or best.value <= chosen.value:
        return ""
    other = f"{game.describe(observation, best.action)} has the higher value"
    if (best.visits or 0) < (chosen.visits or 0):
        return f"{other}, but from {best.visits} visits against {chosen.visits}: that value is less certain."
    if _are_priors(decision.reasons) and (best.weight or 0.0) < (chosen.weight or 0.0):
        return f"{other}, but a prior of {best.weight:.1%} against {chosen.weight:.1%}, which counts besides the value."
    return f"{other}; this agent does not choose by the value alone."


def _are_priors(reasons: Sequence[Reason]) -> bool:
    """Whether weights are something else than the shares of the visits."""
    visits = sum(reason.visits or 0 for reason in reasons)
    return visits > 0 and any(
        reason.weight is not None and abs(reason.weight - (reason.visits or 0) / visits) > _ROUNDING
        for reason in reasons
    )


def _share(weight: float, width: int) -> str:
    """A share in percent, with a bar where there is room for it."""
    bar = f"{'█' * round(_BAR * weight):{_BAR}} " if width >= _NARROW else ""
    return f"{bar}{weight:6.1%}"
