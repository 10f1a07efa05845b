"""All agents with their parameters, as a table."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from boardwright.agents import Agent
from boardwright.kernel import Game
from boardwright.registry import agent_class
from boardwright.registry import agents as agent_names


def agents_table(games: Sequence[Game]) -> Table:
    table = Table(title="Agents", title_justify="left", show_lines=False)
    for column in ("agent", "parameter", "default", "meaning"):
        table.add_column(column, overflow="fold")
    for name, cls, only in _known(games):
        what = inspect.getdoc(cls) or ""
        where = f" [dim](only {', '.join(only)})[/]" if only else ""
        table.add_row(f"[bold]{name}[/]", "", "", escape(what.split("\n\n")[0].replace("\n", " ")) + where)
        for parameter, field in cls.parameters().items():
            bounds = _bounds(field.metadata)
            kind = _kind(field.annotation)
            default = "" if field.default is None else str(field.default)
            meaning = f"{escape(field.description or '')} [dim]({escape(kind + bounds)})[/]"
            table.add_row("", parameter, escape(default), meaning)
        table.add_section()
    return table


def _known(games: Sequence[Game]) -> list[tuple[str, type[Agent], list[str]]]:
    found: dict[tuple[str, type[Agent]], list[str]] = {}
    for game in games:
        for name in agent_names(game):
            found.setdefault((name, agent_class(name, game)), []).append(game.name)
    return [
        (name, cls, [] if len(played) == len(games) and len(games) > 1 else played if len(games) > 1 else [])
        for (name, cls), played in sorted(found.items(), key=lambda item: item[0][0])
    ]


def _kind(annotation: Any) -> str:
    names = {int: "whole number", float: "number", bool: "true or false", str: "text"}
    if typing.get_origin(annotation) is typing.Literal:
        return " or ".join(map(str, typing.get_args(annotation)))
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return ", ".join(_kind(part) for part in typing.get_args(annotation) if part is not type(None))
    return names.get(annotation, str(annotation))


def _bounds(metadata: Sequence[Any]) -> str:
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    said = [
        f"{sign} {round(value, 3):,}"
        for item in metadata
        for name, sign in signs.items()
        if (value := getattr(item, name, None)) is not None
    ]
    return f" {', '.join(said)}" if said else ""
