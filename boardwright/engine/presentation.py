"""A game's texts and pictures as one Python file that needs neither NumPy nor Boardwright.

The functions that describe an action and draw a position are ordinary Python over a record. They are collected here
together with all that they use: functions as source, with what only a compiler or a type checker reads left out;
tables and objects as they are now. `source/runtime.py` stands in for NumPy. A page runs the file on a Python that is
written in JavaScript (Brython), so that every game looks and reads the same there.
"""

from __future__ import annotations

import ast
import dataclasses
import dis
import inspect
import json
import math
import textwrap
import types
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from boardwright.drawing.layout import Layout, takes_layout
from boardwright.errors import BadGame
from boardwright.kernel import Game

RUNTIME = Path(__file__).parent / "source" / "runtime.py"
_PROVIDED = {
    id(escape): "escape",
    id(quoteattr): "quoteattr",
    id(Counter): "Counter",
    id(contextmanager): "contextmanager",
    id(np): "np",
    id(math): "math",
}
"""What the runtime stands in for."""
_PLAIN = (bool, int, float, str, bytes, type(None))
_EXACT = 1 << 53
"""Integers from here on are not exact as JavaScript's numbers."""


def presentation(game: Game) -> str:
    """The file: `describe_action(record, action)` and `draw_state(record, seat)`, or `show_state(record, seat)` where
    nothing draws, as far as the game has them; `Layout` where a drawing wants to know the room it has; `seat_names`."""
    bundle = _Bundle()
    names = {}
    for name in ("describe_action", "draw_state", "show_state"):
        function = getattr(game.text, name)
        if name == "show_state" and game.text.draw_state is not None:
            function = None  # nobody would see it
        names[name] = bundle.name_of(function, name) if function is not None else "None"
    fits = game.text.draw_state is not None and takes_layout(game.text.draw_state)
    names["Layout"] = bundle.name_of(Layout, "Layout") if fits else "None"
    names["seat_names"] = bundle.name_of(tuple(game.seat_name(seat) for seat in range(max(game.seats))), "seat_names")
    ends = [f"GAME_{name} = {chosen}" for name, chosen in names.items()]
    return "\n\n".join([RUNTIME.read_text(encoding="utf-8"), *bundle.parts, "\n".join(ends)]) + "\n"


class _Bundle:
    """Definitions in the order in which they are needed, each under a name of its own."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._names: dict[int, str] = {}
        self._numbers: dict[int, int] = {}  # of objects inside the constants so far
        self._count = 0
        self._taken: set[str] = set(dir(__builtins__)) | {"Array", "Record", "value_of", "np", "math"}
        self._kept: list[Any] = []  # so that no two things get the same id

    def name_of(self, thing: Any, wanted: str) -> str:
        """The name of a thing in the file, which is added if it is not there yet."""
        thing = _in_python(thing)
        if id(thing) in _PROVIDED:
            return _PROVIDED[id(thing)]
        if getattr(thing, "__module__", None) == "builtins" and isinstance(thing, (type, types.BuiltinFunctionType)):
            return str(thing.__name__)
        if id(thing) not in self._names:
            self._kept.append(thing)
            name = self._new_name(wanted)
            self._names[id(thing)] = name
            if isinstance(thing, types.FunctionType):
                self.parts.append(self._function(thing, name))
            elif isinstance(thing, type):
                self.parts.append(self._class(thing, name))
            else:
                numbers: dict[int, int] = {}
                self.parts.append(f"{name} = {self._literal(thing, name, numbers)}")
                self._numbers |= numbers
        return self._names[id(thing)]

    def _new_name(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name

    def _literal(self, thing: Any, wanted: str, numbers: dict[int, int] | None = None) -> str:
        """An expression for a constant. All but the simplest are JSON in a string (`value_of` in the runtime), since a
        page takes long to read tables in Python's language. `numbers` gets those of the objects that it makes."""
        thing = _in_python(thing)
        if type(thing) in _PLAIN and thing not in (math.inf, -math.inf) and thing == thing:
            return repr(thing)
        used: list[str] = []
        node = self._node(thing, wanted, used, {} if numbers is None else numbers)
        text = json.dumps(node, ensure_ascii=False, separators=(",", ":"))
        return f"value_of({text!r}, [{', '.join(used)}])"

    def _node(self, thing: Any, wanted: str, used: list[str], numbers: dict[int, int]) -> Any:
        """A constant as JSON; functions and classes are places in the list of those that are used."""

        def nodes(values: Iterable[Any]) -> list[Any]:
            return [self._node(value, wanted, used, numbers) for value in values]

        def place(definition: Any) -> int:
            name = self.name_of(definition, definition.__name__.strip("<>"))
            if name not in used:
                used.append(name)
            return used.index(name)

        thing = _in_python(thing)
        if isinstance(thing, np.generic):
            thing = thing.item()
        if type(thing) in (bool, str):
            return thing
        if thing is None:
            return ["none"]
        if isinstance(thing, int):  # also an enumeration's member
            return int(thing) if abs(thing) < _EXACT else ["int", str(int(thing))]
        if isinstance(thing, float):
            return ["float", repr(thing)]
        if isinstance(thing, np.ndarray):
            return ["array", *_leaves(thing)]
        if isinstance(thing, tuple) and hasattr(thing, "_fields"):
            return ["call", place(type(thing)), *nodes(thing)]
        if type(thing) in (tuple, list, set, frozenset):
            return [type(thing).__name__, *nodes(thing)]
        if isinstance(thing, (dict, types.MappingProxyType)):
            return ["dict", nodes(thing.keys()), nodes(thing.values())]
        if isinstance(thing, (types.FunctionType, type)):
            return ["used", place(thing)]
        if type(thing).__module__.startswith("boardwright") or hasattr(thing, "__dict__"):
            known = self._numbers | numbers
            if id(thing) in known:
                return ["known", known[id(thing)]]
            self._kept.append(thing)
            self._count += 1
            numbers[id(thing)] = number = self._count
            values = {name: value for name, value in vars(thing).items() if not name.startswith("__")}
            return ["made", number, place(type(thing)), list(values), nodes(values.values())]
        raise BadGame(f"text that uses {wanted}, of type {type(thing).__name__}, cannot be exported")

    def _function(self, function: Any, name: str) -> str:
        tree = _parsed(function)
        definition = next((node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))), None)
        if definition is None:
            raise BadGame(f"the source of {function.__qualname__} cannot be read, so its text cannot be exported")
        stripped = self._stripped(definition, function)
        if isinstance(stripped, ast.Lambda):
            return f"{name} = {ast.unparse(stripped)}"
        stripped.name = name
        return ast.unparse(ast.fix_missing_locations(stripped))

    def _stripped(self, definition: Any, function: Any) -> Any:
        outside = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        used = _global_names(function.__code__) | set(function.__code__.co_freevars)
        self._set_defaults(definition.args, function)
        return _Stripper(self, {name: outside[name] for name in used if name in outside}).visit(definition)

    def _set_defaults(self, arguments: ast.arguments, function: Any) -> None:
        """Defaults by their value: what they were written with need not be known in the file."""
        given = function.__kwdefaults__ or {}

        def expression(value: Any) -> Any:
            return ast.parse(self._literal(value, "default"), mode="eval").body

        arguments.defaults = [expression(value) for value in function.__defaults__ or ()]
        arguments.kw_defaults = [
            expression(given[argument.arg]) if argument.arg in given else None for argument in arguments.kwonlyargs
        ]

    def _class(self, kind: type, name: str) -> str:
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            defaults = self._literal(getattr(kind, "_field_defaults", {}), name)
            head = f"{name} = named_tuple({name!r}, {tuple(kind._fields)!r}, {defaults})"
            return "\n".join([head, *self._methods_beside(kind, name)])
        lines = [f"class {name}:", "    pass"]
        if dataclasses.is_dataclass(kind):
            lines += self._dataclass_init(kind)
        return "\n".join([*lines, *self._methods_beside(kind, name)])

    def _dataclass_init(self, kind: Any) -> list[str]:
        arguments, body = [], []
        for field in dataclasses.fields(kind):
            default = field.default
            has_none = default is dataclasses.MISSING
            arguments.append(field.name if has_none else f"{field.name}={self._literal(default, field.name)}")
            body.append(f"        self.{field.name} = {field.name}")
        return [f"    def __init__(self, {', '.join(arguments)}):", *body] if arguments else []

    def _methods_beside(self, kind: type, name: str) -> list[str]:
        """Methods are functions of their own, which are hung onto the class."""
        lines = []
        for base in reversed(kind.__mro__):
            if not (base.__module__ or "").startswith("boardwright") and base.__module__ != kind.__module__:
                continue
            for key, member in vars(base).items():
                wrap, function = _unwrapped(member)
                if function is None or function.__code__.co_filename != inspect.getsourcefile(base):
                    continue  # not a function, or made by a decorator
                own = self.name_of(function, f"{name}_{key}".replace("__", "_"))
                lines.append(f"{name}.{key} = {wrap.format(own)}")
        return lines


def _unwrapped(member: Any) -> tuple[str, Any]:
    """A class's member as a function, and how it is wrapped."""
    if isinstance(member, property):
        return "property({})", member.fget
    if isinstance(member, cached_property):
        return "property({})", member.func
    if isinstance(member, staticmethod):
        return "staticmethod({})", member.__func__
    if isinstance(member, classmethod):
        return "classmethod({})", member.__func__
    if isinstance(member, types.FunctionType):
        managed = getattr(member, "__wrapped__", None)
        return ("contextmanager({})", managed) if managed is not None else ("{}", member)
    return "{}", None


def _leaves(array: Any) -> tuple[str, Any]:
    """An array as nested lists, and what makes its numbers of their entries: JavaScript has only one kind."""
    if array.dtype.kind == "f":
        return "float", array.astype(str).tolist()
    if array.dtype.kind in "iu" and array.size and np.abs(array.astype(object)).max() >= _EXACT:
        return "int", array.astype(str).tolist()
    return "", array.tolist()


def _in_python(thing: Any) -> Any:
    """A rule as the plain function that computes the same."""
    return getattr(thing, "in_python", None) or getattr(thing, "py_func", thing)


def _parsed(function: Callable[..., Any]) -> ast.Module:
    source = textwrap.dedent(inspect.getsource(function))
    try:
        return ast.parse(source)
    except SyntaxError:  # a lambda inside a call
        return ast.parse(source[source.index("lambda") :].rstrip().rstrip(",)"))


def _global_names(code: types.CodeType) -> set[str]:
    found = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _global_names(constant)
    return found


class _Stripper(ast.NodeTransformer):
    """Leaves out annotations, docstrings and decorators, and names what is used as it is named in the file."""

    def __init__(self, bundle: _Bundle, used: dict[str, Any]) -> None:
        self._bundle, self._used = bundle, used

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.decorator_list, node.returns = [], None
        for argument in [*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]:
            if argument is not None:
                argument.annotation = None
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value is not None else None

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        module = self._used.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(module, types.ModuleType) and module.__name__.startswith("boardwright"):
            thing = getattr(module, node.attr)
            return self._reference(thing, node.attr)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        if isinstance(node.ctx, ast.Load) and node.id in self._used:
            return self._reference(self._used[node.id], node.id)
        return node

    def _reference(self, thing: Any, wanted: str) -> Any:
        thing = _in_python(thing)
        if type(thing) in (int, str, float, bool, type(None)):
            return ast.Constant(thing)
        return ast.Name(self._bundle.name_of(thing, wanted), ast.Load())
