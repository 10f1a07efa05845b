"""Before a game is played: do its functions take the arguments of the contract, and can its rules be compiled as they
are written? Both are read off the source, so that the message names the author's line."""

from __future__ import annotations

import ast
import inspect
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from boardwright.blame import is_authors
from boardwright.conformance.promises import Failure
from boardwright.kernel import Game

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
ARGUMENTS: dict[str, str] = {
    f"{group}.{name}": arguments for group, named in _TABLES["arguments"].items() for name, arguments in named.items()
}
"""What the contract calls each function with."""
POLICY, EVALUATION = "s, actions, n, rng_state", "s, out"
_RETURN_A_NUMBER = (
    "rules.player",
    "rules.legal",
    "information.action_observation",
    "information.learned",
    "search.random_action",
    "learning.turn",
)

_FORBIDDEN: dict[type[ast.AST], str] = {getattr(ast, node): what for node, what in _TABLES["forbidden"].items()}
_INSTEAD = "use numbers, arrays, tuples and other rules, and keep what changes in the state"


def check_source(game: Game) -> None:
    """Failure, with file and line, for the first function that does not fit the contract or cannot be compiled."""
    declared = list(functions(game))
    for name, function, arguments in declared:
        _check_arguments(name, function, arguments)
    for name, function, _ in declared:
        if name in _RETURN_A_NUMBER and not _returns_something(function):
            raise Failure(f"{_place(function)}: {name} returns nothing; it must return {_returned(name)}")
    for function in _reached([function for name, function, _ in declared if _is_compiled(name)]):
        _check_compilable(function)


def functions(game: Game) -> Iterator[tuple[str, Any, str]]:
    """Every function of a game's declaration: its name in the contract, itself, the arguments it must take."""
    for name, arguments in ARGUMENTS.items():
        group, _, field = name.partition(".")
        function = getattr(getattr(game, group), field)
        if function is not None:
            yield name, _plain(function), arguments
    for name, function in game.search.policies.items():
        yield f"search.policies[{name!r}]", _plain(function), POLICY
    for name, function in game.search.evaluations.items():
        yield f"search.evaluations[{name!r}]", _plain(function), EVALUATION


def _is_compiled(name: str) -> bool:
    return name.split(".")[0] in ("rules", "information", "search", "learning") and name not in (
        "information.announced",
        "information.simultaneous",
        "information.scramble",
    )


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def _check_arguments(name: str, function: Callable[..., Any], arguments: str) -> None:
    if not callable(function):
        raise Failure(f"`{name}` must be a function, not {function!r}")
    try:
        inspect.signature(function).bind(*arguments.split(", "))
    except TypeError:
        given = inspect.signature(function)
        raise Failure(
            f"{_place(function)}: {function.__name__}{given} should take ({arguments}): {name} is called so"
        ) from None


def _place(function: Callable[..., Any]) -> str:
    code = function.__code__
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def _returned(name: str) -> str:
    return {
        "rules.player": "the seat that must choose, or TERMINAL",
        "rules.legal": "how many actions it has written into `out`",
    }.get(name, "a number")


def _tree(function: Callable[..., Any]) -> ast.FunctionDef | None:
    try:
        lines, first = inspect.getsourcelines(function)
        found = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, SyntaxError, IndexError):
        return None
    if not isinstance(found, ast.FunctionDef):
        return None
    ast.increment_lineno(found, first - 1)
    return found


def _returns_something(function: Callable[..., Any]) -> bool:
    tree = _tree(function)
    return tree is None or any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(tree))


def _reached(roots: list[Any]) -> Iterator[Callable[..., Any]]:
    """The rules and what they call, as far as authors have written it."""
    waiting, seen = list(roots), set()
    while waiting:
        function = _plain(waiting.pop(0))
        if not inspect.isfunction(function) or function in seen or not is_authors(function.__code__.co_filename):
            continue
        seen.add(function)
        yield function
        names = function.__code__.co_names
        waiting += [function.__globals__[name] for name in names if name in function.__globals__]


def _check_compilable(function: Callable[..., Any]) -> None:
    tree = _tree(function)
    if tree is None:
        return
    in_calls = {id(argument) for node in ast.walk(tree) if isinstance(node, ast.Call) for argument in node.args}
    for statement in tree.body:
        for node in ast.walk(statement):
            what = _FORBIDDEN.get(type(node))
            if what is None or (isinstance(node, ast.List) and id(node) in in_calls):  # np.array([1, 2]) is fine
                continue
            line = getattr(node, "lineno", tree.lineno)
            file = Path(function.__code__.co_filename).name
            raise Failure(f"{file}, line {line}, in {function.__name__}: a rule cannot use {what}; {_INSTEAD}")
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, (dict, list, set)) or (isinstance(value, type) and not _is_number_type(value)):
            kind = "a class" if isinstance(value, type) else f"a {type(value).__name__}"
            line = next((n.lineno for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name), tree.lineno)
            file = Path(function.__code__.co_filename).name
            raise Failure(f"{file}, line {line}, in {function.__name__}: a rule cannot use {name}, {kind}; {_INSTEAD}")


def _is_number_type(value: type) -> bool:
    return value.__module__ in ("builtins", "numpy") or hasattr(value, "__members__") or hasattr(value, "_fields")
