"""Groups of commands that live with their game and are loaded, with all they import, when one of them is asked for."""

from __future__ import annotations

import importlib
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from boardwright.commands.common import HELP


class _LaterCommands(TyperGroup):
    home: ClassVar[tuple[str, str]]
    """Module and name of their Typer."""

    def list_commands(self, ctx: Any) -> list[str]:
        return self._group().list_commands(ctx)

    def get_command(self, ctx: Any, name: str) -> Any:
        return self._group().get_command(ctx, name)

    def _group(self) -> TyperGroup:
        module, name = self.home
        return typer.main.get_group(getattr(importlib.import_module(module), name))


class _Scout(_LaterCommands):
    home = ("boardwright.scout.commands.scout", "scout")


class _Cases(_LaterCommands):
    home = ("boardwright.scout.commands.cases", "cases")


def _app(name: str, text: str, commands: type[TyperGroup]) -> typer.Typer:
    return typer.Typer(name=name, help=text, cls=commands, no_args_is_help=True, context_settings=HELP)


APPS = (
    _app("scout", "SCOUT: case-based reasoning for Race for the Galaxy, and an interface to other engines.", _Scout),
    _app("cases", "Case libraries: the won games that SCOUT reasons from.", _Cases),
)
