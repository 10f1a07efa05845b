"""Commands that are declared once, as dataclasses: the command line and Python are made from the same fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar, get_type_hints

import typer

from boardwright.ctrl_c import STOPPED
from boardwright.settings import DECLARED, Declaration

if TYPE_CHECKING:
    from rich.console import Console

R_co = TypeVar("R_co", covariant=True)


class Runnable(Protocol[R_co]):
    """A command with its options; KeyboardInterrupt if it was stopped before its end."""

    def run(self, console: Console) -> R_co: ...

    def exit_code(self, result: Any) -> int: ...


def add_commands(app: typer.Typer, commands: Mapping[str, type[Runnable[Any]]]) -> None:
    """Commands by their names on the command line."""
    for name, declared in commands.items():
        app.command(name)(command(declared, name))


def group(commands: Mapping[str, type[Runnable[Any]]]) -> typer.Typer:
    """A group of commands; one with a single command is a group, too."""
    app = typer.Typer()
    app.callback()(lambda: None)
    add_commands(app, commands)
    return app


def command(declared: type[Runnable[Any]], name: str) -> Callable[..., None]:
    """The function that Typer makes a command of."""
    from boardwright.commands.common import terminal

    def run(**given: Any) -> None:
        asked = declared(**given)
        try:
            code = asked.exit_code(asked.run(terminal()))
        except KeyboardInterrupt:
            raise typer.Exit(STOPPED) from None
        if code:
            raise typer.Exit(code)

    parameters = [
        inspect.Parameter(known.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for known, default, annotation in _options(declared)
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__name__, run.__doc__ = name, declared.__doc__
    return run


class PythonCommand(Generic[R_co]):
    """The same for Python: arguments by place or name, options by name; the result is returned. Nothing is printed,
    unless somebody plays at this terminal (`quiet=False`)."""

    def __init__(self, declared: type[Runnable[R_co]], name: str, *, quiet: bool = True) -> None:
        self._declared, self._quiet = declared, quiet
        self.__name__, self.__doc__ = name, declared.__doc__
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(known.name, _kind(known.metadata[DECLARED]), default=default)
                for known, default, _ in _options(declared)
            ]
        )

    def __call__(self, *arguments: Any, **options: Any) -> R_co:
        from rich.console import Console

        given = self.__signature__.bind(*arguments, **options).arguments
        return self._declared(**given).run(Console(quiet=self._quiet))


_POSITIONAL, _BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def _options(declared: type[Any]) -> list[tuple[Any, Any, Any]]:
    """The declared fields, each with its default and its annotation for Typer: arguments first, then a command's own
    options, then those that it shares with others, in the order in which it inherits them."""
    hints = get_type_hints(declared)
    options = []
    for known in fields(declared):
        about: Declaration | None = known.metadata.get(DECLARED)
        if about is None:
            continue
        default = inspect.Parameter.empty if known.default is MISSING else known.default
        options.append((known, default, Annotated[hints[known.name], _typer(known.name, about)]))
    return sorted(options, key=lambda entry: _place(declared, entry[0]))


def _place(declared: type[Any], known: Any) -> int:
    """Where an option stands: arguments first, then by the class that declares it."""
    if known.metadata[DECLARED].positional:
        return -1
    return next(
        place for place, base in enumerate(declared.__mro__) if known.name in vars(base).get("__annotations__", {})
    )


def _typer(name: str, about: Declaration) -> Any:
    if about.positional:
        return typer.Argument(metavar=about.metavar, help=about.help)
    own = () if any(one.startswith("--") for one in about.names) else (f"--{name.replace('_', '-')}",)
    return typer.Option(
        *own, *about.names, help=about.help, min=about.minimum, max=about.maximum, metavar=about.metavar
    )


def _kind(about: Declaration) -> Any:
    return _POSITIONAL if about.positional else _BY_NAME
