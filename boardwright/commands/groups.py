"""Groups of commands: of the project, of a game or of a system, all registered here in the same way.

A group is a Typer somewhere in the package, imported with all that it needs when one of its commands is asked for.
Other packages register theirs through the entry point `boardwright.commands`.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from boardwright.commands.common import HELP


class Group(NamedTuple):
    name: str
    home: str
    """Its Typer, as "module:object"."""
    help: str
    default: str = ""
    """The command that is meant where none is named."""


GROUPS = (
    Group("decks", "boardwright.commands.decks:app", "Constructed decks: predict hidden ones, complete your own."),
    Group("experiment", "boardwright.commands.experiment:app", "Rerun published experiments and compare."),
    Group("new", "boardwright.commands.new:app", "Write the skeleton of a game or of an agent."),
    Group("race", "boardwright.commands.race:app", "Race for the Galaxy: games of the Keldon program."),
    Group("script", "boardwright.commands.script:app", "Agents in any language: check one."),
    Group("style", "boardwright.commands.style:app", "Play style: compare agents, search for characters.", "compare"),
    Group(
        "scout",
        "boardwright.scout.commands.scout:app",
        "SCOUT: case-based reasoning for Race for the Galaxy, and a server for other engines.",
    ),
    Group(
        "cases",
        "boardwright.scout.commands.cases:cases",
        "Case bases: the won games that SCOUT reasons from.",
    ),
)


def group_apps() -> list[typer.Typer]:
    """A stand-in for every group, which imports it when it is used."""
    others = [
        Group(entry.name, entry.value, f"Commands of {entry.dist.name if entry.dist else entry.value}.")
        for entry in entry_points(group="boardwright.commands")
        if entry.name not in {group.name for group in GROUPS}
    ]
    return [_stand_in(group) for group in (*GROUPS, *others)]


def _stand_in(group: Group) -> typer.Typer:
    class Commands(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return self._group().list_commands(ctx)

        def get_command(self, ctx: Any, name: str) -> Any:
            return self._group().get_command(ctx, name)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            named = not group.default or args[0].startswith("-") or args[0] in self.list_commands(ctx)
            return super().resolve_command(ctx, args if named else [group.default, *args])

        def _group(self) -> TyperGroup:
            module, _, name = group.home.partition(":")
            return typer.main.get_group(getattr(importlib.import_module(module), name))

    return typer.Typer(name=group.name, help=group.help, cls=Commands, no_args_is_help=True, context_settings=HELP)
