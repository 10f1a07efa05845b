"""`boardwright cases`: building, showing and evaluating case bases."""

from __future__ import annotations

import typer

from boardwright.commands.declared import add_commands
from boardwright.scout.commands.case_bases import COMMANDS
from boardwright.scout.commands.cases_build import BuildCases

cases = typer.Typer()


@cases.callback()
def _cases() -> None:
    """Case bases: the won games that SCOUT reasons from."""


add_commands(cases, {"build": BuildCases, **COMMANDS})
