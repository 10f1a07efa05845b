"""What agents there are: a short list, and all about one of them."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from boardwright.agents import Agent, Spec
from boardwright.agents.base import is_advanced
from boardwright.errors import UnknownName
from boardwright.kernel import Game
from boardwright.registry import agent_class
from boardwright.registry import agents as agent_names
from boardwright.terminal.layout import hanging


class Known(NamedTuple):
    """An agent, and the games it plays."""

    name: str
    kind: type[Agent]
    games: list[str]


def show_agents(games: Sequence[Game], console: Console) -> None:
    """A line for every agent that plays several games (or the only one asked for), and the names of the others."""
    known = _known(games)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", no_wrap=True, min_width=max(len(agent.name) for agent in known))
    table.add_column("what it does")
    for agent in known:
        if len(agent.games) > 1 or len(games) == 1:
            table.add_row(f"[bold]{agent.name}[/]", escape(_purpose(agent.kind)))
    console.print(table)
    for game in games if len(games) > 1 else ():
        own = ", ".join(agent.name for agent in known if agent.games == [game.name])
        if own:
            console.print(hanging(f"{game.name} only: {own}", console.width), highlight=False)


def show_agent(name: str, games: Sequence[Game], console: Console, advanced: bool = False) -> None:
    """All about one agent: purpose, games, parameters with defaults and bounds (advanced ones if wanted), presets."""
    known = _known(games)
    found = [agent for agent in known if agent.name == name]
    if not found:
        raise UnknownName("agent or game", name, {agent.name for agent in known} | {game.name for game in games})
    for agent in found:
        console.print(f"[bold]{agent.name}[/]  plays {', '.join(agent.games)}", highlight=False)
        for paragraph in (inspect.getdoc(agent.kind) or "").split("\n\n"):
            console.print(escape(" ".join(paragraph.split())), highlight=False)
        parameters = agent.kind.parameters()
        left_out = [] if advanced else [parameter for parameter, field in parameters.items() if is_advanced(field)]
        for parameter, field in parameters.items():
            if parameter in left_out:
                continue
            default = "" if field.default in (None, "") else f" = {field.default}"
            bounds = _kind(field.annotation) + _bounds(field.metadata)
            console.print(f"  [bold]{parameter}[/]{escape(default)}  [dim]({escape(bounds)})[/]", highlight=False)
            meaning = hanging(f"      {field.description or ''}", console.width, further_in=0)
            console.print(escape(meaning), highlight=False)
        if left_out:
            names = hanging(f"  {len(left_out)} more, shown by --all: {', '.join(left_out)}", console.width)
            console.print(escape(names), highlight=False)
        for preset, given in agent.kind.presets.items():
            whole = Spec(name, {key: str(value) for key, value in given.items()})
            console.print(escape(hanging(f"  preset={preset}: {whole}", console.width)), highlight=False)
        first = next((name for name, field in parameters.items() if field.default not in (None, "")), None)
        spec = f"{name}:{first}={parameters[first].default}" if first else name
        console.print(f"[dim]Example: boardwright explain {agent.games[0]} {escape(spec)}[/]", highlight=False)


def _known(games: Sequence[Game]) -> list[Known]:
    found: dict[tuple[str, type[Agent]], list[str]] = {}
    for game in games:
        for name in agent_names(game):
            found.setdefault((name, agent_class(name, game)), []).append(game.name)
    return [Known(name, kind, played) for (name, kind), played in sorted(found.items(), key=lambda item: item[0][0])]


def _purpose(kind: type[Agent]) -> str:
    """The first paragraph of its description."""
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())


def _kind(annotation: Any) -> str:
    names = {int: "whole number", float: "number", bool: "true or false", str: "text"}
    if typing.get_origin(annotation) is typing.Literal:
        return " or ".join(map(str, typing.get_args(annotation)))
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return ", ".join(_kind(part) for part in typing.get_args(annotation) if part is not type(None))
    return names.get(annotation, str(annotation))


def _bounds(metadata: Sequence[Any]) -> str:
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    facts = [
        f"{sign} {round(value, 3):,}"
        for item in metadata
        for name, sign in signs.items()
        if (value := getattr(item, name, None)) is not None
    ]
    return f" {', '.join(facts)}" if facts else ""
