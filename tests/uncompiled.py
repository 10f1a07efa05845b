"""Rules as plain Python in a process that compiles: for claims about one function, without a compiler's second."""

from __future__ import annotations

import types
from typing import Any

from boardwright.kernel import atomics, rng
from boardwright.kernel.declare import Instruction, Rule
from boardwright.search import sharing

INSTRUCTIONS = {
    "atomic_add": atomics._plain_atomic_add,
    "compare_and_swap": atomics._plain_compare_and_swap,
    "is_instance": sharing._is_shared_plain,
    "prepare_to_add": atomics._plain_prepare,
    "yield_processor": atomics._plain_yield,
}
OF_THEIR_OWN = {"_next64": rng._next64_plain, "_seed": rng._seed_plain}
"""Rules for which other functions stand in plain Python."""


def uncompiled(function: Any, known: dict[int, Any] | None = None) -> Any:
    """A rule, or a function that is compiled elsewhere, with all the rules that it calls as plain functions."""
    known = {} if known is None else known
    if isinstance(function, Instruction):
        return INSTRUCTIONS.get(function.name, function)
    if isinstance(function, Rule) and function.py_func.__name__ in OF_THEIR_OWN:
        return OF_THEIR_OWN[function.py_func.__name__]
    plain = function.in_python if isinstance(function, Rule) else function
    if id(plain) not in known:
        space = dict(plain.__globals__)
        closure = tuple(_cell(cell.cell_contents, known) for cell in plain.__closure__ or ())
        known[id(plain)] = types.FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, closure)
        for name in plain.__code__.co_names:
            if isinstance(space.get(name), (Rule, Instruction)):
                space[name] = uncompiled(space[name], known)
            elif isinstance(space.get(name), types.ModuleType):
                rules = {
                    n: v for n, v in vars(space[name]).items() if isinstance(v, Rule) and n in plain.__code__.co_names
                }
                if rules:
                    space[name] = types.SimpleNamespace(
                        **{**vars(space[name]), **{n: uncompiled(rule, known) for n, rule in rules.items()}}
                    )
    return known[id(plain)]


def _cell(content: Any, known: dict[int, Any]) -> types.CellType:
    return types.CellType(uncompiled(content, known) if isinstance(content, (Rule, Instruction)) else content)
