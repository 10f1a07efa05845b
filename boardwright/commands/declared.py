"""Commands that are declared once, as dataclasses: the command line and Python are made from the same fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar, get_args, get_type_hints

import typer

from boardwright.settings import DECLARED, Declaration, check_bounds

if TYPE_CHECKING:
    from rich.console import Console

R_co = TypeVar("R_co", covariant=True)


class Runnable(Protocol[R_co]):
    """A command with its options; KeyboardInterrupt if it was stopped before its end."""

    def run(self, console: Console) -> R_co: ...


def command(declared: type[Runnable[Any]], name: str) -> Callable[..., None]:
    """The function that Typer makes a command of."""
    from boardwright.commands.common import terminal

    def run(**given: Any) -> None:
        try:
            declared(**given).run(terminal())
        except KeyboardInterrupt:
            raise typer.Exit(130) from None

    parameters = [
        inspect.Parameter(known.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for known, default, annotation in _options(declared)
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__name__, run.__doc__ = name, declared.__doc__
    return run


class PythonCommand(Generic[R_co]):
    """The same for Python: arguments by place or name, options by name; the result is returned, and nothing printed."""

    def __init__(self, declared: type[Runnable[R_co]], name: str) -> None:
        self._declared = declared
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
        return self._declared(**given).run(Console(quiet=True))


class PythonFunction(Generic[R_co]):
    """A command that is a function of Typer's, for Python: with the same options, defaults and bounds. What it prints
    is printed here, too; `result` makes its result from the options."""

    def __init__(self, command: Callable[..., None], result: Callable[[dict[str, Any]], R_co]) -> None:
        self._command, self._result = command, result
        self.__name__, self.__doc__ = command.__name__, command.__doc__
        self._hints = get_type_hints(command, include_extras=True)
        self.__signature__ = inspect.Signature(
            [
                known.replace(kind=_POSITIONAL if known.default is inspect.Parameter.empty else _BY_NAME)
                for known in inspect.signature(command).parameters.values()
            ]
        )

    def __call__(self, *arguments: Any, **options: Any) -> R_co:
        bound = self.__signature__.bind(*arguments, **options)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items()):
            if isinstance(value, str) and Path in (get_args(self._hints[name]) or ()):
                bound.arguments[name] = Path(value)
            for about in getattr(self._hints[name], "__metadata__", ()):
                check_bounds(name, value, getattr(about, "min", None), getattr(about, "max", None))
        try:
            self._command(**bound.arguments)
        except typer.Exit as stopped:
            raise KeyboardInterrupt from stopped
        return self._result(bound.arguments)


_POSITIONAL, _BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def _options(declared: type[Any]) -> list[tuple[Any, Any, Any]]:
    """The declared fields, arguments first, each with its default and what Typer is told about it."""
    hints = get_type_hints(declared)
    found = []
    for known in fields(declared):
        about: Declaration | None = known.metadata.get(DECLARED)
        if about is None:
            continue
        default = inspect.Parameter.empty if known.default is MISSING else known.default
        found.append((known, default, Annotated[hints[known.name], _typer(known.name, about)]))
    return sorted(found, key=lambda entry: not entry[0].metadata[DECLARED].positional)


def _typer(name: str, about: Declaration) -> Any:
    if about.positional:
        return typer.Argument(metavar=about.metavar, help=about.help)
    own = () if any(one.startswith("--") for one in about.names) else (f"--{name.replace('_', '-')}",)
    return typer.Option(
        *own, *about.names, help=about.help, min=about.minimum, max=about.maximum, metavar=about.metavar
    )


def _kind(about: Declaration) -> Any:
    return _POSITIONAL if about.positional else _BY_NAME
